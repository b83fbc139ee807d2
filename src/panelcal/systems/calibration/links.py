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
from panelcal.reporting.model import CellValue, Column, Sheet, Table
from panelcal.reporting.paper import whole_on_pages
from panelcal.reporting.wording import counted, mu2_in_words, number, some_of
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results

_LEAST_SHOWN = 0.01  # a smaller chance would show as 0%, which is never true


def links_sheet(context: Context) -> Sheet:
    """Build the sheet: one table after the other, each with its own headings."""
    results = context.results
    tables = [_overview(results)]
    for build in (_weakest, _uncounted, _unchecked, _further):
        table = build(results, tables[-1].last_row + 3)
        if table.n_rows:
            tables.append(table)
    settling = _settling(context, tables[-1].last_row + 3)
    if settling.n_rows:
        tables.append(settling)
    sheet = Sheet(
        name=context.sheet("Cal links"),
        title="How firmly the panel hangs together",
        explanation=(
            f"Two {results.assessors_noun} can be compared when {results.objects_noun} lead from one to the other; the "
            "more confidence the links carry, the surer the calibration."
        ),
        tables=tuple(tables),
        frozen=None,
        column_widths=((1, 44), (2, 24), (3, 90)),
    )
    return replace(sheet, printed=whole_on_pages(sheet, 3))


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
    headings: tuple[Heading, ...] = (("What", "text", 44), ("Figure", "precise", 24), ("In words", "wrapped", 90))
    return table_of_rows(headings, rows, name="overview", styles=statistic_style)


def _weakest(results: Results, row: int) -> Table:
    links = results.network.weakest_links
    return Table(
        (
            Column(
                "Weakest links: this side",
                [some_of(link.assessors) for link in links],
                "wrapped",
                explanation=f"The {results.assessors_noun} on the smaller side of the link.",
            ),
            Column(
                "Confidence carried",
                [link.conductance for link in links],
                "score",
                explanation="Sum of (confidence from one side x from the other)/C_o over the objects that link them.",
            ),
            Column(
                f"Linked to the rest through these {results.objects_noun}",
                [f"{counted(len(link.through), results.object_noun)}: {some_of(link.through)}" for link in links],
                "wrapped",
            ),
        ),
        row=row,
        name="weakest links",
    )


def _uncounted(results: Results, row: int) -> Table:
    panel = results.panel
    rows = []
    for k in np.flatnonzero(results.single_object_assessors[panel.assessor_index]):
        at = panel.object_index[k]
        rows.append((panel.assessors[panel.assessor_index[k]], float(panel.scores[k]), panel.objects[at]))
    return Table(
        (
            wrapped_where_cut(
                Column(
                    f"{plural_of(results.reading.nouns.score)} that do not count: of", [row[0] for row in rows], "text"
                )
            ),
            Column("Score given", [row[1] for row in rows], "given"),
            Column(
                "To",
                [f"{row[2]} (assessed nobody else, so this only determines the bias)" for row in rows],
                "wrapped",
            ),
        ),
        row=row,
        name="marks that do not count",
    )


def _unchecked(results: Results, row: int) -> Table:
    panel = results.panel
    rows = []
    first = np.unique(panel.object_index, return_index=True)[1].tolist()
    place = {label: at for at, label in enumerate(panel.objects)}
    for label in results.network.single_assessor_objects:
        k = first[place[label]]
        rows.append((label, float(panel.scores[k]), panel.assessors[panel.assessor_index[k]]))
    return Table(
        (
            wrapped_where_cut(
                Column(f"No cross-check: one {results.score_noun} only", [row[0] for row in rows], "text")
            ),
            Column("Only score", [row[1] for row in rows], "given"),
            Column("By", [row[2] for row in rows], "wrapped"),
        ),
        row=row,
        name="no cross-check",
    )


def _further(results: Results, row: int) -> Table:
    pairs = further_assessments(results.calibration)
    noun = results.object_noun
    return Table(
        (
            wrapped_where_cut(
                Column("Further assessments that would help most: of", [pair.object for pair in pairs], "text")
            ),
            Column("Its error falls by", [pair.own_gain for pair in pairs], "percent"),
            Column(
                "By",
                [
                    f"{pair.assessor} (the variance of all comparisons between {plural_of(noun)} falls by "
                    f"{100 * pair.gain:.1f}%)"
                    for pair in pairs
                ],
                "wrapped",
            ),
        ),
        row=row,
        name="further assessments",
    )


def _settling(context: Context, row: int) -> Table:
    """Name the single assessment that would settle each open case best, the likeliest to be settled first."""
    results = context.results
    cases = () if context.classes is None or not results.is_calibration else context.classes.open_cases()
    found = settling_assessments(results.calibration, cases, level=results.reading.settings.level)
    found = tuple(sorted(found, key=lambda case: (case.assessor < 0, -case.chance)))
    level = f"{results.reading.settings.level:.0%}"
    return Table(
        (
            wrapped_where_cut(
                Column(
                    "To settle open cases: one more of", [results.panel.objects[case.object] for case in found], "text"
                )
            ),
            Column(
                "Chance that it settles it",
                [_chance(case) for case in found],
                "percent",
                explanation=(
                    f"Probability that the boundary then lies outside the {level} interval. Open: a class changes, or "
                    "is borderline, and the boundary lies inside it."
                ),
            ),
            Column("By", [_settling_words(results, case) for case in found], "wrapped"),
        ),
        row=row,
        name="to settle open cases",
    )


def _chance(case: OpenCase) -> CellValue:
    if case.assessor < 0:
        return None
    return case.chance if case.chance >= _LEAST_SHOWN else f"below {_LEAST_SHOWN:.0%}"


def _settling_words(results: Results, case: OpenCase) -> str:
    value = number(float(results.values[case.object]))
    stands = f"value {value}, boundary {case.boundary:g}"
    if case.assessor < 0:
        return (
            f"nobody: every {results.assessor_noun} has assessed it ({stands}, standard error {number(case.error_now)})"
        )
    return (
        f"{results.panel.assessors[case.assessor]} ({stands}; standard error {number(case.error_now, 2)} now, "
        f"{number(case.error_then, 2)} then)"
    )
