"""Blackboard: the download of the full grade centre."""

from panelcal.reading.exports.known import known_gradebook

BLACKBOARD = known_gradebook(
    "a Blackboard gradebook",
    [["last name"], ["first name"], ["username"], ["* [Total Pts: *] |*"]],
    students=["student id", "username"],
    aside=["Last Access", "Availability"],
    left_out=["total [Total Pts: *", "weighted total [Total Pts: *", "running total [Total Pts: *"],
)
