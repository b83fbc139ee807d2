"""LimeSurvey: a response per row, every item of a grid a column, headed by its code, its question or both."""

from panelcal.reading.exports.form_questions import EMAILS, NAMES, items_across
from panelcal.reading.exports.known import Gives, Headed, Known

_IDS = ("id", "response id", "id. response id", "antwort id", "id. antwort id", "id de la réponse", "id de respuesta")
_OWN = (
    *_IDS, "submitdate*", "date submitted", "datum abgeschickt", "lastpage*", "last page", "letzte seite",
    "startlanguage*", "start language", "start-sprache", "startdate*", "datestamp*", "ipaddr*", "refurl*", "seed*",
    "token*", "interviewtime*", "grouptime*", "*time*",
)  # fmt: skip
_LAST_PAGE = ("lastpage*", "last page", "letzte seite", "dernière page", "última página")
_WHO = ("*name*", "*judge*", "*reviewer*", "*jury*", *NAMES, *EMAILS, *_IDS)


def _recognise(headed: Headed) -> Gives | None:
    return items_across(headed, _WHO, _OWN) if headed.has(*_LAST_PAGE) and headed.has(*_IDS) else None


LIMESURVEY = Known("a LimeSurvey table of responses", _recognise)
