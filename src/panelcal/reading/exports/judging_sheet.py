"""Score sheets of gymnastics, diving and skating: numbered judges between difficulty, deductions, sums and ranks."""

from __future__ import annotations

import re

from panelcal.reading.exports.known import ASIDE, Gives, Headed, Known

_JUDGE = re.compile(r"([EJ]|Judge )(\d{1,2})")
_BESIDE = (
    "d", "d score", "dd", "difficulty", "difficulty score", "degree of difficulty", "base value", "e", "e score", "nd",
    "pen", "pen.", "penalty", "penalties", "deductions", "neutral deductions", "ded", "ded.", "goe", "tes", "pcs",
)  # fmt: skip
_WHO = ("name", "gymnast", "athlete", "diver", "skater", "competitor", "entry", "team", "bib", "start no*")
_LEAST_JUDGES = 3


def _recognise(headed: Headed) -> Gives | None:
    judges = [(heading, found[1]) for heading in headed.headings if (found := _JUDGE.fullmatch(heading))]
    kinds = {kind for _, kind in judges}
    names = headed.find(*_WHO)
    if len(judges) < _LEAST_JUDGES or len(kinds) > 1 or not headed.has(*_BESIDE) or not names:
        return None
    first = headed.headings.index(judges[0][0])
    before = [heading for heading in headed.headings[:first] if heading and heading != names[0]]
    return {
        "layout": "objects down",
        "object_column": names[0],
        "scores": tuple(heading for heading, _ in judges),
        ASIDE: tuple(before),
    }


JUDGING_SHEET = Known("a score sheet with numbered judges", _recognise)
