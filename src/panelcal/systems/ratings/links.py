"""`Cal links` for ratings: what holds them together, and what more ratings would buy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.calibration.robustness import robustness
from panelcal.planning.further import further_assessments
from panelcal.reporting.columns import Heading, table_of_rows
from panelcal.reporting.figures import statistic_style
from panelcal.reporting.model import Note, Sheet, Table
from panelcal.reporting.paper import whole_on_pages
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import counted, mu2_in_words, number, some_of
from panelcal.systems.ratings.results import OrdinalResults

_WIDTH = 12.0  # the sheet says how wide its columns are
_WORTH = "what more would buy"


def ordinal_links_sheet(context: RunContext[OrdinalResults]) -> Sheet:
    """Build the sheet: one table after the other, each with its own headings."""
    results = context.results
    tables = [_overview(results)]
    for build in (_groups, _worth, _weakest, _further):
        table = build(results, tables[-1].last_row + 3)
        if table.n_rows:
            tables.append(table)
    sheet = Sheet(
        name=context.sheet("Cal links"),
        title="How firmly the ratings hang together, and what more would buy",
        explanation=(
            f"Two {results.assessors_noun} can be compared when {results.objects_noun} lead from one to the other; "
            f"more ratings of each {results.object_noun} say more about it and about the {results.assessors_noun}."
        ),
        tables=tuple(tables),
        notes=tuple(
            Note(
                row=table.last_row + 1,
                text=f"From {results.worth[0].simulations} simulated panels each; so few leave the figures uneven.",
                style="small",
            )
            for table in tables
            if table.name == _WORTH
        ),
        frozen=None,
        column_widths=((1, 44), (2, 20), (3, 60), (4, 20), (5, 20)),
    )
    return replace(sheet, printed=whole_on_pages(sheet, 5))


def _overview(results: OrdinalResults) -> Table:
    ratings, network = results.posterior.ratings, results.network
    n, m = ratings.n_objects, ratings.n_assessors
    assessments = len(ratings.object_index)
    per_object, per_assessor = np.bincount(ratings.object_index), np.bincount(ratings.assessor_index)
    groups = len(results.posterior.components)
    rows: list[tuple[str, int | float, str]] = [
        (
            "Connected groups",
            groups,
            f"Every {results.object_noun} can be compared with every other."
            if groups == 1
            else "How the groups compare is assumed by the model, not known from the ratings.",
        ),
        (
            f"{results.assessors_noun.capitalize()} for each {results.object_noun}, K",
            assessments / n,
            f"From {per_object.min()} to {per_object.max()}; K = J M / N with M = {m} and N = {n}.",
        ),
        (
            f"{results.objects_noun.capitalize()} for each {results.assessor_noun}, J",
            assessments / m,
            f"From {per_assessor.min()} to {per_assessor.max()}.",
        ),
        (
            f"{results.objects_noun.capitalize()} with one {results.assessor_noun}",
            len(network.single_assessor_objects),
            f"No cross-check: {some_of(network.single_assessor_objects)}."
            if network.single_assessor_objects
            else "None.",
        ),
        (
            f"{results.assessors_noun.capitalize()} with one {results.object_noun}",
            len(network.single_object_assessors),
            f"Their use of the scale is hardly known: {some_of(network.single_object_assessors)}."
            if network.single_object_assessors
            else "None.",
        ),
    ]
    if results.additive is not None:
        mu2 = robustness(results.additive).mu2
        rows.insert(1, ("mu_2 = 1 - sqrt(lambda_2)", mu2, mu2_in_words(mu2)))
    headings: tuple[Heading, ...] = (
        ("What", "text", _WIDTH),
        ("Figure", "precise", _WIDTH),
        ("In words", "wrapped", _WIDTH),
    )
    return table_of_rows(headings, rows, name="overview", styles=statistic_style)


def _groups(results: OrdinalResults, row: int) -> Table:
    """List the groups that nothing links; empty where there is one."""
    groups = results.posterior.components if not results.linked else ()
    headings: tuple[Heading, ...] = (
        ("Group", "text", _WIDTH),
        (results.objects_noun.capitalize(), "integer", _WIDTH),
        ("Which", "wrapped", _WIDTH),
    )
    rows = (
        (f"{number} of {len(groups)}", len(objects), f"{some_of(objects)}; rated by {some_of(assessors)}")
        for number, (objects, assessors) in enumerate(groups, 1)
    )
    return table_of_rows(headings, rows, name="groups", row=row)


def _worth(results: OrdinalResults, row: int) -> Table:
    found, level = results.worth, f"{results.posterior.level:.0%}"
    simulated = f"Mean of {found[0].simulations if found else 0} simulated panels of this size."
    headings: tuple[Heading, ...] = (
        (f"{results.assessors_noun.capitalize()} for each {results.object_noun}", "text", _WIDTH),
        ("Rank correlation with the truth", "precise", _WIDTH, simulated),
        ("In words", "wrapped", _WIDTH),
        ("True best comes first", "percent", _WIDTH),
        ("Among the first three", "percent", _WIDTH),
    )
    rows = (
        (
            str(one.per_object),
            one.correlation,
            f"{level} of simulated panels: {number(one.interval[0], 2)} to {number(one.interval[1], 2)}. "
            f"Each {results.assessor_noun} has {counted(one.per_assessor, results.object_noun, results.objects_noun)}.",
            one.best_first,
            one.best_among_three,
        )
        for one in found
    )
    return table_of_rows(headings, rows, name=_WORTH, row=row)


def _weakest(results: OrdinalResults, row: int) -> Table:
    headings: tuple[Heading, ...] = (
        ("Weakest links: this side", "wrapped", _WIDTH),
        ("Ratings carried", "score", _WIDTH, "Conductance of the link, one rating counting 1."),
        (f"Linked to the rest through these {results.objects_noun}", "wrapped", _WIDTH),
    )
    rows = (
        (
            some_of(link.assessors),
            link.conductance,
            f"{counted(len(link.through), results.object_noun, results.objects_noun)}: {some_of(link.through)}",
        )
        for link in results.network.weakest_links
    )
    return table_of_rows(headings, rows, name="weakest links", row=row)


def _further(results: OrdinalResults, row: int) -> Table:
    headings: tuple[Heading, ...] = (
        ("Further ratings that would help most: of", "text", _WIDTH),
        ("Its error falls by", "percent", _WIDTH),
        ("By", "wrapped", _WIDTH),
    )
    fit = results.additive
    rows = (
        (
            pair.object,
            pair.own_gain,
            f"{pair.assessor} (the variance of all comparisons falls by {number(100 * pair.gain)}%)",
        )
        for pair in (() if fit is None else further_assessments(fit, barred=results.reading.barred))
    )
    return table_of_rows(headings, rows, name="further ratings", row=row)
