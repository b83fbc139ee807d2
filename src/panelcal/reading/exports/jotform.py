"""Jotform: a submission per row, grids of questions as "Question >> Item"."""

from panelcal.reading.exports.form_questions import EMAILS, NAMES, items_across
from panelcal.reading.exports.known import Gives, Headed, Known

_OWN = ("Submission Date", "Submission ID", "Submission IP", "Last Update Date")
_WHO = ("*judge*", "*reviewer*", "*assessor*", "*name*", *NAMES, *EMAILS)


def _recognise(headed: Headed) -> Gives | None:
    if not (headed.has("Submission Date") and headed.has("* >> *")):
        return None
    return items_across(headed, _WHO, _OWN)


JOTFORM = Known("a Jotform table of submissions", _recognise)
