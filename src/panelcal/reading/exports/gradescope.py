"""Gradescope: the scores of one assignment by question, or of a course with maxima beside each assignment."""

from panelcal.reading.exports.known import known_gradebook

_STUDENTS = ["SID", "Email"]
_ABOUT = [
    "First Name", "Last Name", "Name", "Sections", "Section Name", "Status", "Submission ID", "Submission Time",
    "Lateness (H:M:S)", "View Count", "Submission Count", "*- Submission Time", "*- Lateness (H:M:S)", "*- Max Points",
    "Total Score", "Max Points", "Total Lateness (H:M:S)",
]  # fmt: skip

GRADESCOPE = known_gradebook(
    "a Gradescope table of scores",
    [_STUDENTS, ["*Lateness (H:M:S)"]],
    students=_STUDENTS,
    left_out=_ABOUT,
)
