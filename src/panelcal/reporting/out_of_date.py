"""Which earlier results in a workbook are out of date once its scores have been read again, and how they are marked.

Every `Cal audit` holds the fingerprint of the cells that its run read. Where it differs from the fingerprint of the
present reading, that run's `Cal summary` says so (in A3), and so does each of its other sheets in the place of its
explanation (A2); a sheet renamed by hand is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from panelcal.reading.grid import Grid
from panelcal.reporting.audit_rows import FINGERPRINT_ITEM
from panelcal.reporting.model import Note
from panelcal.reporting.names import FURTHER_SHEETS, RESULT_SHEETS

_AUDIT, _SUMMARY = "cal audit", "Cal summary"
_ITEM_COLUMN, _VALUE_COLUMN = 2, 3


def summary_beside(audit: str) -> str:
    """Name of the summary of the run: "Cal audit 2" -> "Cal summary 2"; "" where the name is not that of an audit."""
    return _SUMMARY + audit[len(_AUDIT) :] if audit.casefold().startswith(_AUDIT) else ""


def outdated_notes(audits: Iterable[Grid], fingerprint: str, created: str) -> dict[str, Note]:
    """Say which sheets are out of date.

    Parameters
    ----------
    audits
        The `Cal audit` sheets of earlier runs.
    fingerprint
        Of the present reading, see `Reading.fingerprint`.
    created
        Date and time of the present run, ISO format.

    Returns
    -------
    dict
        Name of a sheet -> the note that takes the place of its line "Up to date", or of its explanation. Sheets that a
        run may have made are all there, whether it did or not.
    """
    notes: dict[str, Note] = {}
    for audit in audits:
        summary = summary_beside(audit.sheet)
        earlier = _fingerprint_in(audit)
        if summary and earlier and earlier != fingerprint:
            text = f"OUT OF DATE: the data had changed when they were calibrated again on {created[:10]}."
            suffix = summary[len(_SUMMARY) :]
            for base in (*RESULT_SHEETS, *FURTHER_SHEETS):
                row = 3 if base == _SUMMARY else 2
                notes[base + suffix] = Note(row=row, text=text, style="warning")
    return notes


def outdated_summaries(notes: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the summaries among the sheets that are out of date: one for each run."""
    return tuple(name for name in notes if name.casefold().startswith(_SUMMARY.casefold()))


def _fingerprint_in(audit: Grid) -> str:
    for row in range(1, audit.n_rows + 1):
        if audit.value(row, _ITEM_COLUMN) == FINGERPRINT_ITEM:
            return str(audit.value(row, _VALUE_COLUMN) or "")
    return ""
