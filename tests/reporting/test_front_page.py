"""The first page of every Cal summary: large enough to read, in order, true to the figures, and never too much."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import run_panelcal
from panelcal import Panel, calibrate
from panelcal.files.load import load_source
from panelcal.reading.nouns import with_article
from panelcal.reporting.chart_data import tick_step
from panelcal.reporting.front_page import ACROSS, MOST_CHECKS, MOST_RANKED
from panelcal.reporting.layout import column_widths, row_heights, wrapped_where_cut
from panelcal.reporting.looks import NOTE_SIZES, ROW_HEIGHT, BaseFont
from panelcal.reporting.model import Column, Table
from panelcal.reporting.paper_size import MARGIN
from panelcal.reporting.run_facts import RunFacts
from panelcal.reporting.sorted_bars import names_on_axis
from panelcal.reporting.text_size import text_width, wrapped_lines
from panelcal.run import run
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.choices import Choices
from panels import connected_simulated_panel
from readings import reading_of

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"
EXAMPLES = (
    "exam_board_example",
    "grant_panel_example",
    pytest.param("ai_reviewers_example", marks=pytest.mark.slow),
    pytest.param("conference_prize_example", marks=pytest.mark.slow),  # sampled
)
_SMALLEST = 9.0
_PRINTABLE = 210.0 / 25.4 * 72.0 - 2 * 72.0 * MARGIN  # points across A4 upright, less its margins
_DIGIT = 7.0 * 0.75  # points that a character of a width takes, at 11 points
_WIDER = 1.06  # LibreOffice draws columns this much wider than Excel


@pytest.fixture(scope="module")
def summaries():
    made = {}

    def summary(name):
        if name not in made:
            source = load_source(TEMPLATES / f"{name}.xlsx")
            done = run(source, Choices(), created="2026-01-02T03:04:05", versions={}, carried=True)
            made[name] = done.report.sheets[0]
        return made[name]

    return summary


def sizes_on_paper(sheet):
    widths = column_widths(sheet)
    across = sum(widths[column] + 5 / 7 for column in range(1, ACROSS + 1)) * _DIGIT * _WIDER
    scale = min(1.0, _PRINTABLE / across)
    first = [note for note in sheet.notes if note.column <= ACROSS]
    return scale, [scale * size for size in (11.0, *(NOTE_SIZES.get(note.style, 11.0) for note in first))]


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_on_page_one_is_printed_below_nine_points_or_three_quarters(summaries, name):
    sheet = summaries(name)
    assert sheet.portrait and not sheet.one_page and sheet.printed[0].last_column == ACROSS
    scale, sizes = sizes_on_paper(sheet)
    assert scale >= 0.75 and min(sizes) >= _SMALLEST


@pytest.mark.parametrize("name", EXAMPLES)
def test_page_one_is_one_page_and_its_blocks_stand_in_order(summaries, name):
    sheet = summaries(name)
    heights = row_heights(sheet, BaseFont())
    last = sheet.printed[0].last_row
    assert sum(heights.get(row, 16.5) for row in range(1, last + 1)) <= 880  # points of rows that fit
    row_of = {note.text: note.row for note in sheet.notes if note.column == 1}
    tables = {table.name: table for table in sheet.tables}
    blocks = [row_of[sheet.front.sentence], row_of[sheet.front.tiles[0].figure]]
    blocks += [tables[one].row for one in ("cases", "agents", "ranked") if one in tables]
    blocks += [row_of["Checks"], row_of[sheet.front.checks[0].name]]
    assert blocks == sorted(blocks) and len(set(blocks)) == len(blocks)


@pytest.mark.parametrize("name", EXAMPLES)
def test_there_are_four_figures_and_at_most_six_checks_each_of_them_green_or_asking(summaries, name):
    sheet = summaries(name)
    front = sheet.front
    assert len(front.tiles) == 4 and 1 <= len(front.checks) <= MOST_CHECKS
    styles = {note.text: note.style for note in sheet.notes}
    assert all(styles[check.name] == ("good" if check.fine else "warning") for check in front.checks)
    for tile in front.tiles:
        assert tile.figure and tile.caption and styles[tile.caption] == "caption"
        assert styles[tile.figure].startswith("figure") and tile.asks == styles[tile.figure].endswith("asks")
    assert front.sentence.count(".") >= 1 and len(front.sentence.split()) <= 40


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_statistics_are_on_other_sheets(summaries, name):
    sheet = summaries(name)
    told = [note.text for note in sheet.notes] + [str(c) for t in sheet.tables for col in t.columns for c in col.cells]
    assert not any(re.search(r"mu_2|R/N|w =|eq\.|degrees of freedom|Proven error", text) for text in told)


def ranked(sheet) -> Table:
    return next(table for table in sheet.tables if table.name == "ranked")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_ranked_list_is_the_top_of_it_with_live_figures(summaries, name):
    table = ranked(summaries(name))
    assert list(table.columns[0].cells) == sorted(table.columns[0].cells) and table.columns[0].cells[0] == 1
    assert 3 <= table.n_rows <= MOST_RANKED
    assert all(formula.startswith("='Cal values'!") for formula in table.columns[0].formulas)
    assert all(link.startswith("#'Cal values'!A") for link in table.columns[1].links)


def test_cases_of_equal_change_stand_in_the_order_of_the_sheet(summaries):
    """The last digits of a change are those of the computer, and no order should hang on them."""
    cases = next(table for table in summaries("star_panel_example").tables if table.name == "cases")
    cells = {column.heading: list(column.cells) for column in cases.columns}
    crossed = [k for k, why in enumerate(cells["Why it is a case"]) if "likely" in why]
    sizes = [round(-abs(cells["Change"][k]), 9) for k in crossed]
    labels = [cells["Output"][k] for k in crossed]
    assert len(set(sizes)) < len(sizes)  # else this proves nothing
    assert [*zip(sizes, labels, strict=True)] == sorted(zip(sizes, labels, strict=True))


@pytest.mark.parametrize(("objects", "shown"), [(12, 12), (60, None)])
def test_small_panels_are_ranked_whole_and_of_large_ones_the_top(objects, shown):
    panel = connected_simulated_panel(objects, 5, 3, seed=4)
    sheet = build_report(compute_results(reading_of(panel, bands=())), RunFacts(created="2026-01-02T03:04:05")).sheets[
        0
    ]
    table = ranked(sheet)
    values = calibrate(panel).values
    best = [panel.objects[k] for k in np.argsort(-values, kind="stable")[: table.n_rows]]
    assert list(table.columns[1].cells) == best
    rest = any("The rest stands on Cal values" in note.text for note in sheet.notes)
    assert rest == (table.n_rows < objects)
    assert table.n_rows == shown if shown else 25 <= table.n_rows <= MOST_RANKED


def test_the_sentence_and_the_figures_are_those_counted_again(example_results):
    report = build_report(example_results, RunFacts(created="2026-01-02T03:04:05"))
    front = report.sheets[0].front
    panel = example_results.panel
    sums = np.bincount(panel.object_index, panel.confidences)
    raw = np.bincount(panel.object_index, panel.confidences * panel.scores) / sums
    values = calibrate(panel).values
    change = values - raw
    edges = np.array([70.0, 60.0, 50.0, 40.0])
    before, after = ((one[:, None] < edges - 1e-9).sum(axis=1) for one in (raw, values))
    crossed = int((before != after).sum())
    typical = f"{np.median(np.abs(change)):.1f}"
    assert front.sentence.startswith(
        f"Calibrating moves a typical student by {typical} marks, changes the class of {crossed} of {len(raw)} students"
    )
    changed, who, sure, look = front.tiles
    up, down = (change > 0.05).sum(), (change < -0.05).sum()
    most = panel.objects[np.argmax(np.abs(change))]
    assert changed.figure == typical and f"{up} up, {down} down; most of all {most}, " in changed.caption
    assert who.figure == f"{crossed} of {len(raw)}"
    assert f"{(after < before).sum()} to a better one, {(after > before).sum()} to a worse one" in who.caption
    half = np.diff(example_results.uncertainty.value_interval(0.95))[:, 0] / 2
    assert sure.figure == f"\N{PLUS-MINUS SIGN}{np.median(half):.1f}"
    assert look.asks and look.figure in example_results.reading.score_cells


def test_the_charts_say_what_they_show(example_results):
    report = build_report(example_results, RunFacts(created="2026-01-02T03:04:05"))
    changes, biases, order = report.sheets[0].charts
    change, labels = example_results.change, example_results.panel.objects
    up, down = int(np.argmax(change)), int(np.argmin(change))
    assert changes.title == (
        f"{labels[up]} gains most (+{change[up]:.1f}), {labels[down]} loses most ({change[down]:.1f})"
    )
    off = example_results.differences
    above = [k for k in np.flatnonzero(off.clearly_off) if off.biases[k] > 0]
    strongest = max(above, key=lambda k: off.biases[k])
    assert biases.title.startswith(example_results.panel.assessors[strongest])
    assert "above the rest" in biases.title
    assert "one of about" in order.title


@pytest.mark.parametrize(
    ("noun", "said"), [("Examiner", "an examiner"), ("Universe", "a universe"), ("MP", "an MP"), ("Honours unit", "an")]
)
def test_articles_fit_the_words_of_the_user(noun, said):
    assert with_article(noun).startswith(said)


@pytest.mark.parametrize("name", EXAMPLES[:2])
def test_the_table_below_the_charts_ends_on_their_page(summaries, name):
    sheet = summaries(name)
    heights = row_heights(sheet, BaseFont())
    page_two = sheet.printed[1]
    points = sum(heights.get(row, ROW_HEIGHT) for row in range(1, page_two.last_row + 1))
    assert points * sizes_on_paper(sheet)[0] <= (297.0 / 25.4 - 1.2) * 72.0
    counts = next(table for table in sheet.tables if table.name == "classes")
    assert counts.last_row <= page_two.last_row and counts.column > sheet.charts[0].column


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_table_of_classes_has_rows_of_one_height_and_covers_no_words(summaries, name):
    sheet = summaries(name)
    counts = next((table for table in sheet.tables if table.name == "classes"), None)
    if counts is None:
        pytest.skip("no classes")
    heights = row_heights(sheet, BaseFont())
    rows = range(counts.row + 1, counts.last_row + 1)
    assert max(heights.get(row, ROW_HEIGHT) for row in rows) <= 1.2 * ROW_HEIGHT
    beside = [note for note in sheet.notes if note.column == counts.column]
    assert beside and not {row for note in beside for row in range(note.row, note.row + note.down)} & {
        *rows,
        counts.row,
    }


# Of LibreOffice on 1600 pixels, measured: where its row numbers end and its scroll bar begins beside the side bar, and
# how wide a character of a column and a centimetre are.
_LEFT, _RIGHT, _CHARACTER, _CENTIMETRE = 37, 1538, 7.83, 39.3


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_charts_are_on_the_screen_and_how_to_read_them_stands_beside_them(summaries, name):
    sheet = summaries(name)
    widths = column_widths(sheet)
    before = sum(widths[k] + 5 / 7 for k in range(1, sheet.charts[0].column))
    room = sum(widths[k] + 5 / 7 for k in range(sheet.charts[0].column, sheet.printed[1].last_column - 2)) * 7.0
    for chart in sheet.charts:
        assert _LEFT + before * _CHARACTER + chart.width_cm * _CENTIMETRE <= _RIGHT
        assert chart.width_cm / 2.54 * 96 <= room
    beside = [note for note in sheet.notes if note.across == 3 and note.column == sheet.printed[1].last_column - 2]
    if not name.startswith("ai"):
        starts = [chart.row for chart in sheet.charts]
        assert len(beside) == len(starts)
        for note, first, following in zip(beside, starts, [*starts[1:], sheet.printed[1].last_row + 1], strict=True):
            assert first <= note.row and note.row + note.down <= following
    heights = row_heights(sheet, BaseFont())
    for note in beside:
        lines = wrapped_lines(note.text, sum(widths[note.column + k] for k in range(3)))
        assert lines * 15 <= sum(heights.get(note.row + k, ROW_HEIGHT) for k in range(note.down))


def test_names_on_an_axis_keep_their_ends_and_leave_room_for_the_bars():
    long = [f"Dr Maria Magdalena van der Lindenberg-Hohenzollern {k:02d}" for k in range(3)]
    shown = names_on_axis([*long, "R04"])
    assert shown[-1] == "R04" and len(set(shown)) == 4 and max(map(len, shown)) <= 26
    assert all(short.endswith(f"{k:02d}") for k, short in enumerate(shown[:3]))


def test_a_name_of_two_lines_is_no_link_since_libreoffice_would_cut_it():
    names = ["R04", "Transport of heat and moisture through porous walls, part 17"]
    column = wrapped_where_cut(Column("Proposal", names, "text", links=("#a", "#b")))
    assert column.style == "wrapped" and column.links == ("#a", None)
    assert wrapped_where_cut(Column("Proposal", names[:1], "text", links=("#a",))).links == ("#a",)


def test_titles_of_charts_leave_out_the_middle_of_long_names():
    panel = connected_simulated_panel(12, 5, 3, seed=4)
    objects = [f"Transport of heat and moisture through porous walls, part {k:02d}" for k in panel.object_index]
    named = Panel.from_records(objects, [f"J{k}" for k in panel.assessor_index], panel.scores)
    report = build_report(compute_results(reading_of(named, bands=())), RunFacts(created="2026-01-02T03:04:05"))
    titles = [chart.title for sheet in report.sheets[:6] for chart in sheet.charts]
    assert any("part" in title for title in titles)  # else this proves nothing
    assert not any("moisture" in title for title in titles)


def test_the_sentence_joins_what_it_says():
    panel = Panel.from_matrix([[62.0, 66.0, None], [None, 64.0, 67.0], [63.0, None, 66.0], [66.0, 64.0, 62.0]])
    report = build_report(compute_results(reading_of(panel)), RunFacts(created="2026-01-02T03:04:05"))
    sentence = report.sheets[0].front.sentence
    assert " and changes the class of none of 4" in sentence and "borderline" not in sentence


@pytest.mark.slow
def test_names_of_sixty_letters_are_told_apart_on_cal_summary_and_cal_values():
    panel = connected_simulated_panel(12, 5, 3, seed=4)
    same = "Transport of heat and moisture through porous walls, part"
    objects = [f"{same} {k:02d}" for k in panel.object_index]
    long = Panel.from_records(objects, [f"J{k}" for k in panel.assessor_index], panel.scores)
    summary, values, *_ = build_report(
        compute_results(reading_of(long, bands=())), RunFacts(created="2026-01-02T03:04:05")
    ).sheets
    for sheet, table, place in ((summary, ranked(summary), 1), (values, values.tables[0], 0)):
        names = table.columns[place]
        assert names.style == "wrapped"
        lines = wrapped_lines(names.cells[0], column_widths(sheet)[table.column + place] - 2.0)
        assert 1 < lines <= 4 and row_heights(sheet, BaseFont())[table.row + 1] >= lines * 15


@pytest.mark.slow
def test_names_of_sixty_letters_are_cut_on_no_sheet():
    panel = connected_simulated_panel(12, 5, 3, seed=4)
    long = Panel.from_records(
        [f"Transport of heat and moisture through porous walls, part {k:02d}" for k in panel.object_index],
        [f"Professor emerita of the theory and practice of building {k}" for k in panel.assessor_index],
        panel.scores,
    )
    report = build_report(compute_results(reading_of(long, bands=())), RunFacts(created="2026-01-02T03:04:05"))
    seen = set()
    for sheet in report.sheets:
        widths = column_widths(sheet)
        for table in (one for one in sheet.tables if not one.columns[0].heading.endswith("drawn")):
            for number, (column, beside) in enumerate(
                zip(table.columns, table.columns[1:], strict=False), table.column
            ):
                names = [cell for cell in column.cells if isinstance(cell, str) and len(cell) > 50]
                if names and any(cell is not None for cell in beside.cells):
                    seen.add(sheet.name)
                    cut = column.style == "text" and max(map(text_width, names)) > widths[number]
                    assert not cut, (sheet.name, column.heading)
    assert {"Cal summary", "Cal values", "Cal residuals", "Cal links", "Cal methods", "Cal proof"} <= seen


def test_where_no_rank_changes_it_is_not_said_that_it_is_worth_doing():
    results = compute_results(reading_of(connected_simulated_panel(20, 6, 3, seed=3), bands=()))
    front = (
        build_report(replace(results, raw=results.values - 0.001), RunFacts(created="2026-01-02T03:04:05"))
        .sheets[0]
        .front
    )
    first = results.panel.objects[int(np.argmax(results.values))]
    assert front.sentence.endswith(f"less than 0.1 marks, {first} stays first and nobody changes rank.")
    assert front.tiles[1].figure == "0 of 20"


@pytest.mark.parametrize(
    ("ends", "step"),
    [
        ((-0.5, 1.5), 0.5),
        ((-2.0, 10.0), 2.0),
        ((-0.2, 0.4), 0.1),
        ((0.0, 4.0), 1.0),
        ((0.0, 1.0), None),  # of shares two figures would be too few
        ((4.0, 10.0), None),
        ((0.0, None), None),
    ],
)
def test_zero_is_a_figure_of_an_axis_that_runs_through_it_and_few_whole_numbers_have_no_halves(ends, step):
    assert tick_step(*ends) == (None if step is None else pytest.approx(step))


def test_where_nobody_moves_nobody_is_named():
    scores = np.array([[60.0, 62.0], [50.0, 52.0], [70.0, 72.0]])
    panel = Panel.from_matrix(scores)
    front = build_report(compute_results(reading_of(panel)), RunFacts(created="2026-01-02T03:04:05")).sheets[0].front
    assert front.tiles[0].figure == "0.0" and front.tiles[0].caption.endswith("Nobody moves.")


@pytest.mark.parametrize("name", EXAMPLES)
def test_headings_of_the_lists_take_two_lines_at_most_and_short_ones_one(summaries, name):
    sheet = summaries(name)
    heights = row_heights(sheet, BaseFont())
    lists = [table for table in sheet.tables if table.column == 1]
    for table in lists:
        short = all(len(column.heading) <= 12 for column in table.columns)
        assert heights[table.row] <= (21.0 if short else 36.0), [column.heading for column in table.columns]
    assert lists


_THIN = """Project,Okafor,Lind,Novak,Guest
Solar oven,7.5,8,,6
Yeast race,6,,5.5,
Bridge,,7,6.5,8
Moon phases,9,,,7
Wind mill,5,6,4.5,
Mould,,8,7,6
"""


def test_it_is_not_called_worth_doing_where_plain_averages_err_less(tmp_path):
    (tmp_path / "fair.csv").write_text(_THIN)
    done = run_panelcal.run("calibrate", str(tmp_path / "fair.csv"), "--include", "Guest")
    assert done.returncode == 0 and "0.44 for plain averages, 0.48 for calibrated values" in done.stdout, done
    sentence = openpyxl.load_workbook(tmp_path / "fair-calibrated.xlsx")["Cal summary"]["A4"].value
    assert sentence.endswith(
        "plain averages are expected to err less, and whoever calibrates should take a gentler method."
    )
    assert "worth doing" not in sentence
