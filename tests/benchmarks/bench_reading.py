"""Words on the pages that a chair reads, and the minutes they take at 238 words a minute.

Run: python tests/benchmarks/bench_reading.py
"""

from pathlib import Path

from panelcal.files.load import load_source
from panelcal.run import run
from panelcal.systems.choices import Choices

_TEMPLATES = Path(__file__).parents[2] / "workbook_templates"
_WORDS_PER_MINUTE = 238.0  # M. Brysbaert, Journal of Memory and Language 109, 2019
_BOARDS = ("exam_board", "grant_panel", "conference_prize", "ai_reviewers")


def _words(values):
    return sum(len(str(value).split()) for value in values if value not in (None, ""))


def _page_one(sheet):
    page = sheet.printed[0]
    told = [sheet.title, sheet.explanation]
    told += [note.text for note in sheet.notes if note.column <= page.last_column and note.row <= page.last_row]
    for table in sheet.tables:
        if table.column <= page.last_column and table.row <= page.last_row:
            for column in table.columns:
                told += [column.heading, *column.cells]
    return _words(told)


def main():
    """Print a line for each example."""
    print("example, words on page one of Cal summary, minutes, words of all reasons on Cal values, minutes")
    for name in _BOARDS:
        source = load_source(_TEMPLATES / f"{name}_example.xlsx")
        report = run(source, Choices(), created="2026-01-01T00:00:00", versions={}, carried=True).report
        why = next(column for column in report.sheets[1].tables[0].columns if column.heading == "Why")
        counts = _page_one(report.sheets[0]), _words(why.cells)
        print(name, *(f"{count} {count / _WORDS_PER_MINUTE:.1f}" for count in counts), sep=", ")


if __name__ == "__main__":
    main()
