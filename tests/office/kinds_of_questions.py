"""A document for every kind of question: for each function that asks what a sheet means, sheets that make it ask."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import openpyxl

from exports.catalogue import make
from exports.test_every_question import CASES, CRITERIA
from panelcal.reading.settings import CRITERION_HEADINGS, SETTING_HEADINGS

Sheets = Mapping[str, Sequence[Sequence[Any]]]

_WEIGHTS = [[*SETTING_HEADINGS], [], [*CRITERION_HEADINGS], ["Depth", 1], ["Style", 1]]

KINDS: Mapping[str, str | tuple[str, int] | Sheets] = MappingProxyType(
    {
        "absence_codes.ask_about_absence": ("far_codes", 0),
        "absence_codes.ask_about_unlikely_zeros": ("zeros_for_nothing", 0),
        "better_end.ask_about_direction": ("german", 2),
        "cells_as_said.ask_about_blank_names": ("merged_down", 2),
        "cells_as_said.ask_about_commas": ("thousands_with_points", 0),
        "cells_as_said.ask_about_merged": ("merged_down", 0),
        "collecting.ask_whether_one_each": ("sheet_per_judge", 0),
        "confidence_sources._confidences_of": "confidences in other words",
        "confidence_sources.chosen_confidences": "confidences in two places",
        "criteria_across.question_about_criteria": ("criteria_across", 0),
        "criterion_rows.question": ("criteria_in_rows", 0),
        "crossing.question_about_assessors": ("boards", 2),
        "crossing.question_about_objects": ("debates", 0),
        "further_tables.question_about_tables": ("second_tables", 0),
        "gate._weigh": ("earlier_results", 2),
        "gate.ask_about": ("mixed_scales", 0),
        "gate.ask_about_parts": ("form_parts", 0),
        "gate.ask_about_versions": ("attempts", 0),
        "joined_scores.ask_which_counts": ("joined_scores", 0),
        "keys.ask_about_zeros": ("absent_as_zero", 0),
        "labels._ask": ("other_end", 1),
        "list_columns._ask": ("criteria", 2),
        "list_maxima.settled_maxima": ("maxima_by_row", 0),
        "list_scores._ask_about_repeats": "the same assessment twice",
        "list_scores.summed_scores": {"Marks": CRITERIA, "Settings": _WEIGHTS},
        "list_states._ask": ("never_handed_in", 0),
        "matrix_columns._ask_about_strays": ("rows_of_statistics", 0),
        "matrix_columns.refuse_by_layout": ("rows_without_names", 0),
        "matrix_columns.weigh_direction": ("turned", 0),
        "named_scores.question": ("scores_with_names", 0),
        "namesakes.ask_about_namesakes": "two of one name",
        "read._means_confidences": "a second block without a title",
        "score_questions.ask_about_dates": "a date",
        "score_questions.ask_about_errors": "an error",
        "score_questions.ask_about_truths": "true",
        "score_questions.ask_about_words": ("grades", 0),
        "score_values._judge_percentages": "some in percent",
        "score_values._judge_spreads": "some as ranges",
        "sheet_choice.chosen_sheet": "several sheets",
        "slots._score_by_criterion": "criteria of reviewers in places",
        "slots.question_about_numbers": "numbers that start again",
        "slots.question_about_slots": ("double_marking", 0),
        "twins.ask_about_twins": ("attempts", 2),
        "unnamed_list._asked": ("nobodys_headings", 0),
        "weights_row._ask_about_blanks": ("credits_of_all_but_one", 1),
        "weights_row._ask_whether_object": ("called_as_weights", 0),
    }
)
"""Who asks -> a case of `exports.test_every_question`, an export file (layout, variant), or the sheets themselves."""

NEVER_IN_AN_OFFICE = frozenset(
    {"score_questions.ask_about_formulas", "other_sheets.decision_about_other_sheets"},
)
"""LibreOffice calculates every formula when it opens a file; of sheets alike the one in front of the user is meant."""


def document(kind: str, folder: Path) -> Path:
    """Write the workbook that makes a kind of question come up."""
    source = KINDS[kind]
    if isinstance(source, tuple):
        folder.mkdir()
        (path,) = make(*source, folder).paths
        return path if path.suffix == ".xlsx" else _saved({"Marks": _rows(path)}, path.with_suffix(".xlsx"))
    if isinstance(source, str):
        rows, further, _ = CASES[source]
        source = {"Marks": rows, **further}
    folder.mkdir()
    return _saved(source, folder / "marks.xlsx")


def _rows(path: Path) -> list[list[Any]]:
    """Read a text file as a user does who pastes it into a sheet: what is plainly a number is one."""
    text = path.read_text("utf-8-sig")
    delimiter = csv.Sniffer().sniff(text.split("\n")[0], ",;\t").delimiter
    return [[_value(cell) for cell in row] for row in csv.reader(text.splitlines(), delimiter=delimiter)]


def _value(cell: str) -> Any:
    try:
        return float(cell) if cell.count(".") == 0 or len(cell.rpartition(".")[2]) != 3 else cell
    except ValueError:
        return cell or None


def _saved(sheets: Sheets, path: Path) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        for cells in sheet.iter_rows():
            for cell in cells:
                if isinstance(cell.value, datetime.datetime):
                    cell.number_format = "yyyy-mm-dd"
    book.save(path)
    return path
