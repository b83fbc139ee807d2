"""The fingerprint of the cells that were read, so that a later run can tell whether a result is out of date."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any


def fingerprint(cells: Iterable[tuple[str, str, Any]]) -> str:
    """Return the SHA-256, as hex, of (sheet, address, value) triples; their order does not matter.

    A whole number is the same whether a program stores it as 65 or as 65.0.
    """
    lines = sorted({f"{sheet}\x1f{cell}\x1f{_spelled(value)}" for sheet, cell, value in cells})
    return hashlib.sha256("\x1e".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _spelled(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return f"{type(value).__name__}:{value}"
