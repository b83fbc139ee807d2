"""Export files that are not yet read right, nor right after one answer; the list only ever shrinks."""

NOT_YET: frozenset[str] = frozenset(
    """
    german-1 german-2 german-3 sheet_per_judge-1 sheet_per_judge-2 sheet_per_judge-3 file_per_judge-1
    file_per_judge-2 file_per_judge-3 grades-1 grades-2 grades-3
    """.split()
)
