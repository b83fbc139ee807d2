"""Schoology: the gradebook of a course, with the highest possible points in the headings."""

from panelcal.reading.exports.known import known_gradebook

_STUDENTS = ["Unique User ID", "School UID", "Email"]

SCHOOLOGY = known_gradebook(
    "a Schoology gradebook",
    [_STUDENTS, ["*Max Points:*"]],
    students=_STUDENTS,
    aside=["First Name", "Last Name", "Course", "Course Code", "Section", "Section Code", "Grading Period"],
    left_out=["Overall Grade*", "Letter", "* Overall", "*Final Grade*", "*- Exception", "*- Comment"],
)
