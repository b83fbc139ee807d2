"""Columns headed as others are with a word more, such as "Algebra weighted" beside "Algebra": doubted all together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from panelcal.reading.plausibility.lines import Doubt

_FEWEST = 3


def with_siblings(doubts: Sequence[Doubt], labels: Sequence[str]) -> tuple[Doubt, ...]:
    """Return the doubts with one for all columns with the same word more, where any of them is doubted.

    Parameters
    ----------
    labels
        Headings, in the order of the lines.
    """
    doubted = {line for doubt in doubts for line in doubt.lines}
    for added, pairs in _added(labels).items():
        lines = tuple(sorted(pairs))
        if len(lines) < _FEWEST or not doubted & set(lines):
            continue
        reason = f"headed as other columns are with {added} added, and not all of their numbers can be scores"
        left = [replace(one, lines=tuple(k for k in one.lines if k not in pairs)) for one in doubts]
        plain = tuple(sorted(set(pairs.values()) - doubted))
        return (
            *(one for one in left if one.lines),
            Doubt(lines, reason, None, plain if len(plain) == len(lines) else ()),
        )
    return tuple(doubts)


def _added(labels: Sequence[str]) -> dict[str, dict[int, int]]:
    """Return words -> line that has them more -> the line without them, the commonest words first."""
    places = {label: k for k, label in enumerate(labels)}
    found: dict[str, dict[int, int]] = {}
    for label, k in places.items():
        parts = label.split(" ")
        for cut in range(1, len(parts)):
            for stem, rest in ((parts[:cut], parts[cut:]), (parts[cut:], parts[:cut])):
                of = places.get(" ".join(stem))
                if of is not None:
                    found.setdefault(" ".join(rest), {})[k] = of
    order = Counter({added: len(pairs) for added, pairs in found.items()})
    return {added: found[added] for added, _ in order.most_common()}
