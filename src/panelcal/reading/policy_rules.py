"""The table Policy on the sheet Settings: rules of an institution that a calibration is held against.

A rule never changes a number. Whether each is kept is said on `Cal summary`, by name, for the Board.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from panelcal.frozen import dataclass
from panelcal.reading.cell_values import Kind, kind_of, label_text

POLICY_HEADINGS = ("Policy", "Limit")
POLICY_EXPLANATION = (
    "Rules that the result is held against on Cal summary; they change no number. Beside each rule write yes or its "
    "number; blank = not asked for. A row External examiner asks that somebody is named beside it. Empty: no rules."
)

PolicyKind = Literal["order kept", "lowest class", "lower class", "largest change", "smallest assessor", "person"]


@dataclass(frozen=True, slots=True)
class PolicyRule:
    """One rule.

    Attributes
    ----------
    kind
        Which rule it is.
    label
        As it stands on the sheet.
    limit
        True for a rule without a limit, a number of score units or of objects, or who was named.
    """

    kind: PolicyKind
    label: str
    limit: float | str | bool


_Takes = Literal["yes", "number", "name"]
_RULES: tuple[tuple[PolicyKind, str, str, _Takes], ...] = (
    ("order kept", "Rank within a module kept", r"(rank|order) within .* kept", "yes"),
    ("lowest class", "Nobody newly fails", r"(nobody|no .*) newly fails?", "yes"),
    ("lower class", "Nobody moves to a lower class", r"(nobody|no .*) moves? to a (lower|worse) class", "yes"),
    ("largest change", "No change above", r"no change (above|over|of more than|larger than)", "number"),
    ("smallest assessor", "Only modules with at least", r"only .* with at least", "number"),
    ("person", "External examiner", r"(external .*|chair|.* named)", "name"),
)
POLICY_LABELS = tuple(label for _, label, _, _ in _RULES)
"""The rules there are, in the words of an exam board; any other noun may stand for module."""

_YES, _NO = {"yes", "y", "true", "1"}, {"no", "n", "false", "0"}


def policy_rule(label: str, value: Any) -> PolicyRule | None:
    """Read one row of the table; None where the rule is not asked for.

    Raises
    ------
    ValueError
        If there is no such rule, or its limit is not what it takes; the text says what would be.
    """
    words = label_text(label).casefold().rstrip(" :")
    found = next(((kind, takes) for kind, _, pattern, takes in _RULES if re.fullmatch(pattern, words)), None)
    if found is None:
        raise ValueError("which is no rule: write one of " + "; ".join(POLICY_LABELS))
    kind, takes = found
    text = label_text(value)
    if takes == "name":
        return PolicyRule(kind, label_text(label), text)
    if not text or text.casefold() in _NO:
        return None
    if takes == "yes":
        if text.casefold() not in _YES:
            raise ValueError("which takes yes or no beside it")
        return PolicyRule(kind, label_text(label), limit=True)
    read, amount = kind_of(value)
    if read not in (Kind.NUMBER, Kind.TEXT_NUMBER) or amount < 0:
        raise ValueError("which takes a number, 0 or more, beside it")
    return PolicyRule(kind, label_text(label), amount)
