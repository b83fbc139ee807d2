"""The functions for cells: blocks of values go to the helper, rows come back; a refusal is a sentence in the cell."""

from __future__ import annotations

from panelcal_in_office.helper_process import FOR_CELLS, HelperProblem


def computed(name, arguments):
    """Return the rows of a function; Calc shows them where it was entered as an array formula."""
    given = [[list(row) for row in one] if isinstance(one, tuple) else one for one in arguments]
    try:
        rows = FOR_CELLS.ask({"do": "cells", "name": name, "arguments": given})
    except HelperProblem as problem:
        return ((str(problem),),)
    if "refused" in rows:
        return ((rows["refused"]["words"],),)
    return tuple(tuple("" if value is None else value for value in row) for row in rows["rows"])
