"""Moodle: the grader report as text or workbook, in the languages whose headings we know."""

from panelcal.reading.exports.known import known_gradebook

_TOTALS = ("Course total (*)", "Kurs gesamt (*)", "Total du cours (*)", "Total del curso (*)", "Totale corso (*)")
_DOWNLOADED = (
    "last downloaded from this course",
    "zuletzt aus diesem kurs geladen*",
    "dernier téléchargement depuis ce cours*",
    "última descarga de este curso*",
    "scaricato da questo corso*",
    "laatst gedownload uit deze cursus*",
)
_STUDENTS = (
    "id number",
    "id-nummer",
    "numéro d'identification",
    "número de id",
    "codice identificativo",
    "email address",
    "e-mail-adresse",
    "adresse de courriel",
    "*correo*",
    "username",
)

_POINTS = ("*(Real)", "*(Punkte)", "*(Brut)")
_SAME_AGAIN = ("*(Percentage)", "*(Letter)", "*(Prozentsatz)", "*(Pourcentage)", "*(Feedback)")

MOODLE = (
    known_gradebook(
        "a Moodle gradebook",
        [[*_TOTALS, *_DOWNLOADED], _STUDENTS, _POINTS],
        students=_STUDENTS,
        left_out=[*_TOTALS, *_DOWNLOADED, "* total (Real)", *_SAME_AGAIN],
    ),
    known_gradebook(
        "a Moodle gradebook",
        [[*_TOTALS, *_DOWNLOADED], _STUDENTS],
        students=_STUDENTS,
        left_out=[*_TOTALS, *_DOWNLOADED, "* total (*)"],
    ),
)
"""A grade may be exported as points, as a percentage and as a letter at once: then the points are read."""
