"""How many inputs a test makes up: a share of them in a plain run, all where PANELCAL_THOROUGH=1, as in `.ci/run`."""

import os

import pytest

_SHARE = 10


def thorough(examples: int, *, share: int = _SHARE) -> int:
    """How many examples to try, where `examples` are to be tried before a release: one in `share` in a plain run."""
    return examples if os.environ.get("PANELCAL_THOROUGH") == "1" else max(1, examples // share)


more_when_thorough = pytest.mark.thorough
"""Marks the tests that are worth running again where there is more time; those by hypothesis are marked anyway."""
