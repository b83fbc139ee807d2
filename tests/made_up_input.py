"""How many inputs a test makes up, and whether they are the same every time.

A plain run tries a share of them, PANELCAL_THOROUGH=1 all, as in `.ci/run`: the same ones each time, so that a failure
comes back. PANELCAL_SEARCH=20 tries twenty times as many, new ones in every run: a search for faults.
"""

import os

import pytest

_SHARE = 10

SEARCH = int(os.environ.get("PANELCAL_SEARCH", "0"))
"""How many times as many inputs to try, new ones in every run; 0 for the usual ones."""


def thorough(examples: int, *, share: int = _SHARE) -> int:
    """How many examples to try, where `examples` are to be tried before a release: one in `share` in a plain run."""
    if SEARCH:
        return examples * SEARCH
    return examples if os.environ.get("PANELCAL_THOROUGH") == "1" else max(1, examples // share)


more_when_thorough = pytest.mark.thorough
"""Marks the tests that are worth running again where there is more time; those by hypothesis are marked anyway."""
