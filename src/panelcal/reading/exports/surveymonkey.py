"""SurveyMonkey: a respondent per row, what is rated across."""

from panelcal.reading.exports.form_questions import items_across
from panelcal.reading.exports.known import Gives, Headed, Known

_OWN = (
    "Respondent ID", "Collector ID", "Start Date", "End Date", "Date Created", "Date Modified", "IP Address",
    "Email Address", "First Name", "Last Name", "Custom Data*", "custom_*",
)  # fmt: skip


def _recognise(headed: Headed) -> Gives | None:
    if not (headed.has("Respondent ID", "respondent_id") and headed.has("Collector ID", "collector_id")):
        return None
    return items_across(headed, ("Email Address", "Custom Data*", "Last Name", "Respondent ID"), _OWN)


SURVEYMONKEY = Known("a SurveyMonkey table of responses", _recognise)
