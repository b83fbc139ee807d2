"""Qualtrics: a respondent per row, below the codes, the texts and the import ids of the questions."""

import re

from panelcal.reading.cell_values import label_text
from panelcal.reading.exports.form_questions import items_across
from panelcal.reading.exports.known import Gives, Headed, Known

_OWN = (
    "StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)", "Finished", "RecordedDate",
    "ResponseId", "RecipientLastName", "RecipientFirstName", "RecipientEmail", "ExternalReference",
    "ExternalDataReference", "LocationLatitude", "LocationLongitude", "DistributionChannel", "UserLanguage",
)  # fmt: skip
_WHO = (
    "RecipientEmail",
    "ExternalReference",
    "ExternalDataReference",
    "RecipientLastName",
    "ResponseId",
    "Response ID",
)
_SPELT = (*_OWN, *(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", one) for one in _OWN))
_IMPORT = '{"ImportId"'
_BELOW = 2


def _recognise(headed: Headed) -> Gives | None:
    if not (headed.has("ResponseId", "Response ID") and headed.has("RecordedDate", "Recorded Date", "EndDate")):
        return None
    cells = headed.table.cells
    near = range(headed.row + 1, min(headed.table.n_rows, headed.row + 1 + _BELOW))
    ids = [i for i in near if label_text(cells[i][0]).startswith(_IMPORT)]
    texts = range(headed.row + 1, ids[0] + 1) if ids else range(0)
    return items_across(headed, _WHO, _SPELT, texts)


QUALTRICS = Known("a Qualtrics table of responses", _recognise)
