"""Export files that are not yet read right, nor right after one answer; the list only ever shrinks."""

NOT_YET: frozenset[str] = frozenset(
    """
    sheet_per_judge-1 sheet_per_judge-2 sheet_per_judge-3 file_per_judge-1 file_per_judge-2 file_per_judge-3
    """.split()
)
