"""`Cal links`: what holds the panel together, which marks do not count, and what would make it firmer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.planning.further import further_assessments
from panelcal.planning.settling import OpenCase, settling_assessments
from panelcal.reading.nouns import plural_of
from panelcal.reporting.columns import Heading, table_of_rows
from panelcal.reporting.figures import statistic_style
from panelcal.reporting.layout import wrapped_where_cut
from panelcal.reporting.model import CellValue, Sheet, Table
from panelcal.reporting.paper import whole_on_pages
from panelcal.reporting.wording import counted, mu2_in_words, number, some_of
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results

_WIDTHS = ((1, 34.0), (2, 16.0), (3, 67.0))  # of A4 upright
_WIDTH = 12.0  # the sheet says how wide its columns are
_NAMED = 5  # objects of a link, so that they have one line
_LEAST_TENTH = 0.0005
_MOST_SETTLED = 20  # open cases, the likeliest to be settled: a list of hundreds helps nobody
_LEAST_SHOWN = 0.01  # a smaller chance would show as 0%, which is never true


def links_sheet(context: Context) -> Sheet:
    """Build the sheet: one table after the other, each with its own headings."""
    results = context.results
    tables = [_overview(results)]
    for build in (_weakest, _uncounted, _unchecked, _further):
        table = build(results, tables[-1].last_row + 2)
        if table.n_rows:
            tables.append(_with_whole_names(table))
    settling = _settling(context, tables[-1].last_row + 2)
    if settling.n_rows:
        tables.append(_with_whole_names(settling))
    sheet = Sheet(
        name=context.sheet("Cal links"),
        title="How firmly the panel hangs together",
        explanation=(
            f"Two {results.assessors_noun} can be compared when {results.objects_noun} lead from one to the other: the "
            "more confidence on the way, the surer."
        ),
        tables=tuple(tables),
        frozen=None,
        column_widths=_WIDTHS,
        portrait=True,
        across=len(_WIDTHS),
    )
    return replace(sheet, printed=whole_on_pages(sheet, 3))


def _with_whole_names(table: Table) -> Table:
    """Let long names in the first column go on in a second line."""
    return replace(table, columns=(wrapped_where_cut(table.columns[0]), *table.columns[1:]))


def _overview(results: Results) -> Table:
    network, bounds = results.network, results.robustness
    count = len(network.components)
    rows: list[tuple[str, CellValue, str]] = [
        (
            "Connected groups",
            count,
            "Everything is linked, directly or through others." if count == 1 else "The groups cannot be compared.",
        ),
        (
            "lambda_2 (second eigenvalue of D'D)",
            None if np.isnan(bounds.lambda2) else bounds.lambda2,
            "Near 1, some part of the panel is hardly compared with the rest.",
        ),
        ("mu_2 = 1 - sqrt(lambda_2)", bounds.mu2, mu2_in_words(bounds.mu2)),
        (
            f"{plural_of(results.reading.nouns.assessor)} with one {results.object_noun}",
            len(network.single_object_assessors),
            f"Their {results.scores_noun} do not count: each only determines its own bias."
            if network.single_object_assessors
            else f"None: every {results.score_noun} counts.",
        ),
        (
            f"{plural_of(results.reading.nouns.object)} with one {results.assessor_noun}",
            len(network.single_assessor_objects),
            "Kept, but nothing checks their value." if network.single_assessor_objects else "None.",
        ),
    ]
    headings: tuple[Heading, ...] = (
        ("What", "text", _WIDTH),
        ("Figure", "precise", _WIDTH),
        ("In words", "wrapped", _WIDTH),
    )
    return table_of_rows(headings, rows, name="overview", styles=statistic_style)


def _weakest(results: Results, row: int) -> Table:
    headings: tuple[Heading, ...] = (
        (
            "Weakest links: this side",
            "wrapped",
            _WIDTH,
            f"The {results.assessors_noun} on the smaller side of the link.",
        ),
        (
            "Confidence carried",
            "score",
            _WIDTH,
            "Sum of (confidence from one side x from the other)/C_o over the objects that link them.",
        ),
        (f"Linked to the rest through these {results.objects_noun}", "wrapped", _WIDTH),
    )
    rows = (
        (
            some_of(link.assessors),
            link.conductance,
            f"{counted(len(link.through), results.object_noun)}: {some_of(link.through, _NAMED)}",
        )
        for link in results.network.weakest_links
    )
    return table_of_rows(headings, rows, name="weakest links", row=row)


def _uncounted(results: Results, row: int) -> Table:
    panel, scores = results.panel, plural_of(results.reading.nouns.score)
    headings: tuple[Heading, ...] = (
        (f"{scores} that do not count: of", "text", _WIDTH),
        ("Score given", "given", _WIDTH),
        ("To", "wrapped", _WIDTH),
    )
    rows = (
        (
            panel.assessors[panel.assessor_index[k]],
            float(panel.scores[k]),
            f"{panel.objects[panel.object_index[k]]} (assessed nobody else, so this only determines the bias)",
        )
        for k in np.flatnonzero(results.single_object_assessors[panel.assessor_index])
    )
    return table_of_rows(headings, rows, name="marks that do not count", row=row)


def _unchecked(results: Results, row: int) -> Table:
    panel = results.panel
    headings: tuple[Heading, ...] = (
        (f"No cross-check: one {results.score_noun} only", "text", _WIDTH),
        ("Only score", "given", _WIDTH),
        ("By", "wrapped", _WIDTH),
    )
    first = np.unique(panel.object_index, return_index=True)[1].tolist()
    place = {label: at for at, label in enumerate(panel.objects)}
    only = {label: first[place[label]] for label in results.network.single_assessor_objects}
    rows = ((label, float(panel.scores[k]), panel.assessors[panel.assessor_index[k]]) for label, k in only.items())
    return table_of_rows(headings, rows, name="no cross-check", row=row)


def _further(results: Results, row: int) -> Table:
    headings: tuple[Heading, ...] = (
        ("Further assessments that would help most: of", "text", _WIDTH),
        ("Its error falls by", "percent", _WIDTH),
        ("By", "wrapped", _WIDTH),
    )
    objects = plural_of(results.object_noun)
    rows = (
        (
            pair.object,
            pair.own_gain,
            f"{pair.assessor} (the variance of all comparisons between {objects} falls by {_in_tenths(pair.gain)})",
        )
        for pair in further_assessments(results.calibration, barred=results.reading.barred)
    )
    return table_of_rows(headings, rows, name="further assessments", row=row)


def _in_tenths(share: float) -> str:
    """Spell a small share in tenths of a percent, never as none where there is some."""
    return f"{number(100 * share)}%" if share >= _LEAST_TENTH else "less than 0.1%"


def _settling(context: Context, row: int) -> Table:
    """Name the single assessment that would settle each open case best, the likeliest to be settled first."""
    results = context.results
    cases = () if context.classes is None or not results.is_calibration else context.classes.open_cases()
    found = settling_assessments(
        results.calibration, cases, level=results.reading.settings.level, barred=results.reading.barred
    )
    headings: tuple[Heading, ...] = (
        ("To settle open cases: one more of", "text", _WIDTH),
        (
            "Chance that it settles it",
            "percent",
            _WIDTH,
            f"Probability that the boundary then lies outside the {results.reading.settings.level:.0%} interval. Open: "
            "a class changes, or is borderline, and the boundary lies inside it.",
        ),
        ("By", "wrapped", _WIDTH),
    )
    likeliest = sorted(found, key=lambda case: (case.assessor < 0, -case.chance))
    rows: list[tuple[CellValue, ...]] = [
        (results.panel.objects[case.object], _chance(case), _settling_words(results, case))
        for case in likeliest[:_MOST_SETTLED]
    ]
    if len(likeliest) > _MOST_SETTLED:
        rows.append((f"and {len(likeliest) - _MOST_SETTLED} more", None, "none of them with a greater chance"))
    return table_of_rows(headings, rows, name="to settle open cases", row=row)


def _chance(case: OpenCase) -> CellValue:
    if case.assessor < 0:
        return None
    return case.chance if case.chance >= _LEAST_SHOWN else f"below {_LEAST_SHOWN:.0%}"


def _settling_words(results: Results, case: OpenCase) -> str:
    value = number(float(results.values[case.object]))
    stands = f"value {value}, boundary {case.boundary:g}"
    if case.assessor < 0:
        return (
            f"nobody is left: each {results.assessor_noun} has assessed it, or may not ({stands}, "
            f"standard error {number(case.error_now)})"
        )
    return (
        f"{results.panel.assessors[case.assessor]} ({stands}; standard error {number(case.error_now, 2)} now, "
        f"{number(case.error_then, 2)} then)"
    )
