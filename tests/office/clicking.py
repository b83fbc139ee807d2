"""What tests that click share: a small sheet of scores, formats of files, and a click whose message is read."""

from __future__ import annotations

from office.screen import Screen

ODS, XLSX = "calc8", "Calc MS Excel 2007 XML"
SMALL = [["Student", "Maths", "Physics", "Law"], ["Ann", 60, 65, ""], ["Bo", 55, "", 70], ["Cy", 70, 72, 75],
         ["Di", "", 50, 58]]  # fmt: skip


def pressed(screen: Screen, button: str) -> str:
    """Click on a button, read the message that follows and put it away."""
    screen.click(button)
    words = "\n".join(screen.dialog()["words"])
    screen.leave("OK")
    return words
