"""Export files that are not yet read right, nor right after one answer; the list only ever shrinks."""

NOT_YET: frozenset[str] = frozenset()
