"""Answers as a user without a command line gives them: writes into the cells that a refusal names, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import openpyxl

from panelcal.errors import Answer, InputRefused

_NEW_SHEET = " of a new sheet called Settings."
_PAIR = re.compile(r"(?P<label>.*) in cell (?P<first>A\d+) and (?P<text>.*) in cell (?P<second>B\d+)")
_CELL = re.compile(r"(?P<text>.*) in cell (?P<second>B\d+) \(.*\)")
_BESIDE = re.compile(r"(?P<text>.*) beside .*, in cell (?P<second>B\d+)")
_BELOW = re.compile(r"below .* and .*, from row (?P<row>\d+), (?P<pairs>.*)")
_AFTER = re.compile(r"add (?P<text>.*) to cell (?P<second>B\d+) \(.*\), after a semicolon")


def said_of(refusal: InputRefused, chosen: Sequence[Answer]) -> list[str]:
    """Return the line of a refusal for the answer chosen to each of its questions."""
    text, lines, place = str(refusal), [], 0
    for question, answer in zip(refusal.questions, chosen, strict=True):
        place = text.index(question.sentence, place)
        begin = text.index(f"- To {answer.meaning}, ", place)
        lines.append(text[begin:].partition("\n")[0].removeprefix(f"- To {answer.meaning}, "))
    return lines


def answered_in_cells(path: Path, copy: Path, refusal: InputRefused, chosen: Sequence[Answer]) -> Path:
    """Copy a workbook and do to the copy what the refusal says of its cells, one answer for each question."""
    book = openpyxl.load_workbook(path)
    for line in said_of(refusal, chosen):
        if line.endswith(_NEW_SHEET):
            deed = line.removesuffix(_NEW_SHEET).partition(" to the command, or ")[2]
            sheet = book["Settings"] if "Settings" in book.sheetnames else book.create_sheet("Settings")
        else:
            name, _, deed = line.removeprefix("on the sheet ").partition(", ")
            deed = deed.rpartition(" (or add ")[0]
            sheet = book[name]
        assert deed, f"no cells are named: {line}"
        for cell, value in cells_in(deed):
            held = sheet[cell].value
            sheet[cell] = f"{held}; {value[1:]}" if value[:1] == ";" and held else _typed(value.removeprefix(";"))
    book.save(copy)
    return copy


def cells_in(deed: str) -> Iterator[tuple[str, str]]:
    """Take a deed apart into cells and what is written there; ";" begins what is added to a cell."""
    for part in re.split(r" and (?=write |add )", deed):
        plain = part.removeprefix("write ")
        if (found := _AFTER.fullmatch(part)) is not None:
            yield found["second"], f";{found['text']}"
        elif (found := _BELOW.fullmatch(plain)) is not None:
            for row, pair in enumerate(found["pairs"].split(", "), int(found["row"])):
                yield from zip((f"A{row}", f"B{row}"), pair.rsplit(" and ", 1), strict=True)
        elif (found := _PAIR.fullmatch(plain)) is not None:
            yield found["first"], found["label"]
            yield found["second"], found["text"]
        else:
            found = _BESIDE.fullmatch(plain) or _CELL.fullmatch(plain)
            assert found is not None, f"not clear what to write: {part}"
            yield found["second"], found["text"]


def _typed(text: str) -> str | float:
    """Return what a spreadsheet makes of what is typed: numbers, and text without the apostrophe before it."""
    try:
        return float(text)
    except ValueError:
        return text.removeprefix("'")
