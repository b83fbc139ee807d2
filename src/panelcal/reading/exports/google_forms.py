"""Google Forms: the sheet of responses, whose first column is the time of the response."""

from panelcal.reading.exports.form_questions import EMAILS, answered_by, grid_of, items_across, questions_of
from panelcal.reading.exports.known import Gives, Headed, Known
from panelcal.reading.patterns import any_matches

_TIMES = (
    "timestamp", "zeitstempel", "horodateur", "marca temporal", "informazioni cronologiche", "tijdstempel",
    "carimbo de data/hora", "sygnatura czasowa",
)  # fmt: skip


def _recognise(headed: Headed) -> Gives | None:
    if not any_matches(_TIMES, headed.headings[0]):
        return None
    answered = answered_by(headed)
    if not answered:
        return None
    own = headed.headings[:1]
    grid = grid_of(headed, answered) or questions_of(headed, answered, own)
    return grid or items_across(headed, [answered], [*own, *EMAILS])


GOOGLE_FORMS = Known("a sheet of responses to a Google form", _recognise)
