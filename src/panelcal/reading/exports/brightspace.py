"""Brightspace (D2L): the grades of a course, with the highest possible points in the headings."""

from panelcal.reading.exports.known import known_gradebook

_STUDENTS = ["OrgDefinedId", "Username", "Email"]

BRIGHTSPACE = known_gradebook(
    "a Brightspace table of grades",
    [["OrgDefinedId", "Username"], ["End-of-Line Indicator"]],
    students=_STUDENTS,
    aside=["Last Name", "First Name", "Sections"],
    left_out=["*Subtotal Numerator", "*Subtotal Denominator", "*Final Grade Numerator", "*Final Grade Denominator",
              "*Final Grade <*", "*Subtotal <*", "End-of-Line Indicator"],
)  # fmt: skip
