"""Moodle: the grader report as text or workbook, in any of its languages that we know the headings of."""

from panelcal.reading.exports.known import known_gradebook

MOODLE = known_gradebook(
    "a Moodle gradebook",
    [
        ["last downloaded from this course", "zuletzt aus diesem kurs geladen*", "dernier téléchargement depuis ce cours*"]
        + ["última descarga de este curso*", "scaricato da questo corso*", "laatst gedownload uit deze cursus*"]
        + ["Course total (*)", "Kurs gesamt (*)", "Total du cours (*)", "Total del curso (*)"],
        ["email address", "e-mail-adresse", "adresse de courriel", "id number", "id-nummer", "*correo*", "username"],
    ],
    students=[
        "id number",
        "id-nummer",
        "numéro d'identification",
        "número de id",
        "codice identificativo",
        "id-nummer",
        "email address",
        "e-mail-adresse",
        "adresse de courriel",
        "*correo*",
        "username",
    ],
    left_out=[
        "course total (*)",
        "kurs gesamt (*)",
        "total du cours (*)",
        "total del curso (*)",
        "* total (Real)",
        "* total (Percentage)",
        "* total (Letter)",
    ],
)
