"""Microsoft Forms: the workbook of responses, with their ids and times before the answers."""

from panelcal.reading.exports.form_questions import EMAILS, NAMES, answered_by, items_across, questions_of
from panelcal.reading.exports.known import Gives, Headed, Known
from panelcal.reading.patterns import any_matches

_STARTED = (
    "start time", "startzeit", "heure de début", "hora de inicio", "ora di inizio", "begintijd", "hora de início",
    "godzina rozpoczęcia",
)  # fmt: skip


def _recognise(headed: Headed) -> Gives | None:
    if not any_matches(["id"], headed.headings[0]) or not headed.has(*_STARTED):
        return None
    answered = answered_by(headed)
    if not answered:
        return None
    own = [heading for heading in headed.headings[:6] if any_matches((*EMAILS, *NAMES), heading)]
    system = [*headed.headings[:3], *own, "Last modified time"]
    return questions_of(headed, answered, system) or items_across(headed, [answered], [one for one in system if one])


MICROSOFT_FORMS = Known("a sheet of responses to a Microsoft form", _recognise)
