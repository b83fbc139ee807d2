"""Labels that differ only in capitals, spaces, punctuation, leading zeros or letters that look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_CYRILLIC = "АВЕЅІЈКМНОРСТУХаеіјорсухѕԁһӏ", "ABESIJKMHOPCTYXaeijopcyxsdhl"
_GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανι", "ABEZHIKMNOPTYXoavi"
_SPARED, _LEADING_ZEROS = re.compile(r"[\s\u00a0._-]+"), re.compile(r"(?<![0-9])0+(?=[0-9])")
_LOOK_ALIKE = str.maketrans("".join((_CYRILLIC[0], _GREEK[0])), "".join((_CYRILLIC[1], _GREEK[1])))
"""Letters of other alphabets that nobody can tell from Latin ones."""


def spelt_alike(labels: Sequence[str]) -> list[list[str]]:
    """Return the labels that are spelt almost alike, group by group, each in the order given."""
    all_bare = _all_bare(labels)
    if len(set(all_bare)) == len(all_bare):
        return []
    alike: dict[str, list[str]] = {}
    for label, bare in zip(labels, all_bare, strict=True):
        alike.setdefault(bare, []).append(label)
    return [group for key, group in alike.items() if len(group) > 1 and key]


def other_spellings(groups: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return each label of such groups but the usual one -> the usual one.

    That is one in plain letters, neither in capitals nor in small letters alone, with single spaces; else the first.
    """
    found: dict[str, str] = {}
    for group in groups:
        usual = min(group, key=lambda label: (not label.isascii(), label.islower() or label.isupper(), "  " in label))
        found |= {label: usual for label in group if label != usual}
    return found


def _all_bare(labels: Sequence[str]) -> list[str]:
    """Take off from labels what they may differ in; many at once, as one text with marks between that none holds."""
    alike = [
        label if label.isascii() else unicodedata.normalize("NFKC", label).translate(_LOOK_ALIKE) for label in labels
    ]
    bare = _LEADING_ZEROS.sub("", _SPARED.sub("", "\0".join(alike).casefold())).split("\0")
    return bare if len(bare) == len(labels) else [text for label in labels for text in _all_bare([label])]
