"""`Cal summary` by anchors: what was found, agent by agent, with the curves and the table of ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.anchors.agent_curves import AgentCurve
from panelcal.anchors.ways import ComparedWay
from panelcal.reading.grid import address, block_address, corners_of
from panelcal.reading.nouns import with_article
from panelcal.reporting.columns import questions_table
from panelcal.reporting.layout import row_heights
from panelcal.reporting.looks import BaseFont
from panelcal.reporting.model import CellValue, Column, Highlight, Note, Sheet, Table
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.up_to_date import WatchedBlock, stale_literal, up_to_date_note, watched_block
from panelcal.reporting.wording import counted, headed, number, signed, some_of
from panelcal.systems.anchors.agents import alarming_change, drift_sentences, status_of
from panelcal.systems.anchors.curves import curves_chart
from panelcal.systems.anchors.results import AnchorResults
from panelcal.systems.anchors.ways import ways_chart, ways_table

_RIGHT = 5  # first column of what stands on the right
_WIDTHS = ((1, 30.0), (2, 19.0), (3, 84.0), (4, 2.0), (5, 17.0), *((column, 13.0) for column in range(6, 14)))

_BETTER = {"highest": "higher", "lowest": "lower"}
_CHART_HEIGHT, _LOWEST_CHART = 11.0, 7.0
_POINTS_PER_CM = 72.0 / 2.54
_ROW_HEIGHT, _SURELY = 15.0, 0.9  # points; some programs make wrapped rows lower

Row = tuple[str, CellValue, str]


def anchor_summary_sheet(context: RunContext[AnchorResults], curves: Table, ways: Table) -> Sheet:
    """Build the sheet; its charts draw on the tables of `Cal curves` and `Cal methods`."""
    results = context.results
    reading = results.reading
    main = _main_table(results)
    below = main.last_row + 4
    agents = _agent_table(results, below)
    compared = ways_table(results, row=below, column=_RIGHT, words=False)
    room = _room_for_chart(main, below - 1)
    bottom = max(agents.last_row, compared.last_row) + 2
    title, opening = headed(
        reading.settings.heading, f"Calibration of {reading.source_name}, sheet {reading.sheet}, by anchors"
    )
    return Sheet(
        name=context.sheet("Cal summary"),
        title=title,
        explanation=f"{opening}Read {reading.summary}.",
        tables=(main, agents, compared),
        notes=(
            _up_to_date(context),
            Note(
                row=main.last_row + 2,
                text="panelcal advises: scores are made comparable, not their reasons, and people decide.",
                style="strong",
            ),
        ),
        charts=(
            curves_chart(
                results,
                curves,
                sheet=context.sheet("Cal curves"),
                row=4,
                column=_RIGHT,
                width_cm=21.0,
                height_cm=min(_CHART_HEIGHT, max(_LOWEST_CHART, room)),
            ),
            ways_chart(
                results,
                ways,
                sheet=context.sheet("Cal methods"),
                row=bottom,
                column=1,
                width_cm=24.0,
                height_cm=8.0,
            ),
        ),
        frozen=None,
        column_widths=_WIDTHS,
        one_page=True,
    )


def _up_to_date(context: RunContext[AnchorResults]) -> Note:
    """Say whether scores and anchors are still those that were read, where both stand in blocks that can be watched."""
    reading, day = context.results.reading, context.run.created[:10]
    bank = reading.bank
    heading_row = corners_of(bank.agent_cells[0])[0]
    consensus = address(heading_row, corners_of(bank.consensus_cells[0])[1])
    scores = _watched(context, reading.sheet, reading.item_cells, reading.agent_cells)
    anchors = _watched(context, bank.sheet, bank.cells, (consensus, *bank.agent_cells))
    if scores is None or anchors is None:
        said = f"The scores and anchors are those read on {day}; calibrate again when they change."
        return Note(row=3, text=said, style="small")
    checks = [
        (scores.unchanged, stale_literal("scores have changed")),
        (anchors.unchanged, stale_literal("anchors have changed")),
    ]
    return up_to_date_note(f"Up to date: scores and anchors are those of {day}, as far as they are numbers.", checks)


def _watched(
    context: RunContext[AnchorResults], sheet: str, names: Sequence[str], headings: Sequence[str]
) -> WatchedBlock | None:
    """Watch the block below headings and beside names, to the last row of the sheet; None where it is no such block."""
    grid = context.run.grid(sheet)
    if grid is None:
        return None
    beside, above = [corners_of(cell)[:2] for cell in names], [corners_of(cell)[:2] for cell in headings]
    first, columns = min(row for row, _ in beside), [column for _, column in above]
    whole = len({column for _, column in beside}) == 1 and all(row < first for row, _ in above)
    if not whole or grid.n_rows < first:
        return None
    block = block_address(first, min(columns), grid.n_rows, max(columns))
    return watched_block(grid, block, with_texts=True)


def _main_table(results: AnchorResults) -> Table:
    rows = _agreement_rows(results) + _change_rows(results) + _agent_rows(results) + _anchor_rows(results)
    return questions_table(rows)


def _agreement_rows(results: AnchorResults) -> list[Row]:
    found, ways = results.agreement, results.ways
    rows: list[Row] = []
    if found is None:
        rows.append(
            (
                "Disagreement",
                "not known",
                f"No two {results.assessors_noun} that count scored the same {results.object_noun}; the anchors alone "
                "put them on one scale.",
            )
        )
    else:
        before, after = found.before.disagreement, found.after.disagreement
        rows.append(
            (
                "Disagreement D",
                f"{number(before.value)} to {number(after.value)}",
                f"{results.assessors_noun.capitalize()} that were {number(before.value)} points apart on average are "
                f"{number(after.value)} apart once calibrated ({number(after.low)} to {number(after.high)}): "
                f"{found.reduction.value:.0%} less. Their scores' standard deviation went from "
                f"{number(found.before.spread.value)} to {number(found.after.spread.value)}; in proportion to it they "
                f"are {found.relative_reduction.value:.0%} less apart.",
            )
        )
    raw, best = ways.way("raw"), _best_way(results)
    if raw.error is not None and best.error is not None:
        where = "known values" if ways.on_items else "anchors, each predicted without it"
        rows.append(
            (
                "Error to the consensus",
                f"{number(raw.error.value)} to {number(best.error.value)}",
                f"Root mean square distance of one {results.assessor_noun} from the consensus, on the {ways.n_known} "
                f"{where}.",
            )
        )
    if raw.with_consensus is not None and best.with_consensus is not None:
        one, mean = raw.with_consensus.best_correlation, best.with_consensus.mean_correlation
        if one is not None and mean is not None:
            rows.append(
                (
                    "Correlation with it",
                    f"{one.value:.2f} to {mean.value:.2f}",
                    f"From the best single {results.assessor_noun} to the mean of all, calibrated ({mean.low:.2f} to "
                    f"{mean.high:.2f}). Calibrating mends scales; it cannot show {results.assessors_noun} what they "
                    "miss.",
                )
            )
    return rows


def _best_way(results: AnchorResults) -> ComparedWay:
    """Return the way that most agents are calibrated in."""
    return max(results.ways.ways, key=lambda way: way.used_by)


def _change_rows(results: AnchorResults) -> list[Row]:
    change = results.change
    known = np.isfinite(change)
    up, down = int((change[known] > 0.05).sum()), int((change[known] < -0.05).sum())
    rows: list[Row] = []
    if known.any():
        largest = int(np.nanargmax(np.abs(change)))
        rows.append(
            (
                "What changed",
                f"{up} up, {down} down",
                f"Largest change {signed(float(change[largest]))}, for {results.reading.items[largest]}; typical "
                f"change {number(float(np.sqrt(np.mean(change[known] ** 2))))}.",
            )
        )
        error = float(np.nanmedian(results.errors))
        rows.append(
            (
                "How sure is a value?",
                f"+/- {number(error)}",
                f"Usual standard error as a statement about the consensus. About {number(results.shared_sd)} points "
                f"of it are what {results.assessors_noun} get wrong alike: more of them would not average it out.",
            )
        )
    better = "highest" if results.reading.settings.higher_is_better else "lowest"
    rows.append(
        ("Rank 1 is", f"the {better} value", f"Better scores are {_BETTER[better]}, as the sheet Settings says.")
    )
    missing = int((~known).sum())
    if missing:
        rows.append(
            ("Without a value", missing, f"{results.objects_noun.capitalize()} that no calibrated agent scored.")
        )
    return rows


def _agent_rows(results: AnchorResults) -> list[Row]:
    agents = results.agents
    checked = [agent for agent in agents if agent.checked]
    red = [agent.name for agent in checked if agent.alarm == "red"]
    amber = [agent.name for agent in checked if agent.alarm == "amber"]
    past = [
        agent.name
        for agent in checked
        if agent.alarm == "none" and agent.history is not None and agent.history.first_alarm is not None
    ]
    rows: list[Row] = []
    if not checked:
        rows.append(("Drift", "not checked", "The anchors were scored once; score them again, weekly at best."))
    else:
        answer = "red" if red else "amber" if amber else "no alarm"
        parts = [_changed(results, agent) for agent in checked if agent.alarm == "red"]
        parts += [f"Amber: {some_of(amber)}." if amber else ""]
        parts.append(f"Earlier alarms, since refitted: {some_of(past)}." if past else "")
        said = " ".join(part for part in parts if part)
        dates = results.reading.bank.dates
        rows.append(("Drift", answer, f"{said or 'Nobody has moved.'} Last check: {dates[-1]}; see Cal drift."))
    failing = [agent.name for agent in agents if agent.monotonicity is not None and agent.monotonicity.failed]
    rows.append(
        (
            "Contradicts the consensus?",
            some_of(failing, 3) if failing else "nobody",
            "Scores fall where the consensus rises, at least on some anchors; no curve mends that. See Cal assessors."
            if failing
            else f"Every {results.assessor_noun}'s scores rise with the consensus, in each part looked at.",
        )
    )
    out = [agent.name for agent in agents if not agent.usable]
    if out:
        rows.append((f"{results.assessors_noun.capitalize()} left out", some_of(out, 3), "See Cal assessors for why."))
    outside = int(results.outside.sum())
    if outside:
        rows.append(
            (
                "Outside the anchors",
                outside,
                f"Scores beyond those {with_article(results.assessor_noun)} gave to any anchor: the curve is only "
                "carried on there.",
            )
        )
    return rows


def _changed(results: AnchorResults, agent: AgentCurve) -> str:
    """Say since when an agent with a red alarm has been another, and what is to be done."""
    history, dates = agent.history, results.reading.bank.dates
    assert history is not None
    before, after = (dates[date] for date in history.dates[-2:])
    check = history.checks[-1]
    points = f"({signed(alarming_change(check))} points)"
    if check.shift_alarm == check.tilt_alarm == "none":
        text = f"Red: {agent.name} has drifted slowly until {after} {points}."
    else:
        text = f"Red: {agent.name} changed between {before} and {after} {points}."
    if history.checks[-1].refitted is None or agent.in_use[history.dates[-1]] is None:
        return f"{text} Its curve could not be refitted: do not use its later scores."
    return (
        f"{text} Its scores from {after} on are already mapped by its new curve; nothing to do here. Ask the vendor "
        "what changed."
    )


def _room_for_chart(main: Table, last_row: int) -> float:
    """Height in cm of the rows from the top of the table to `last_row`, a little less to be sure."""
    sheet = Sheet(name="", title="", explanation="", tables=(main,), frozen=None, column_widths=_WIDTHS)
    font = BaseFont()
    heights = row_heights(sheet, font)
    points = sum(heights.get(row, _ROW_HEIGHT) for row in range(main.row, last_row + 1))
    return _SURELY * points / _POINTS_PER_CM


def _anchor_rows(results: AnchorResults) -> list[Row]:
    review = results.review
    doubtful, leaked = int(review.unlike.sum()), int(review.leaked.any(axis=0).sum())
    decisions = results.reading.decisions
    excluded = sum(decision.excluded_scores for decision in decisions)
    warnings = sum(decision.weight == "warning" for decision in decisions)
    return [
        (
            "Anchors to look at",
            doubtful + leaked,
            f"{doubtful} with a doubtful consensus, {leaked} perhaps leaked; {len(results.rotation.retire)} are "
            "proposed for replacement this quarter, see Cal anchors.",
        ),
        (
            "Cost of the anchors",
            f"{results.cost.share:.1%}" if results.cost.share < 1 else f"{results.cost.share:.1f} for each review",
            f"{results.cost.sentence} Less where this sheet holds only a part of what they review.",
        ),
        (
            "Cells left out",
            excluded,
            f"Codes and the like, each with its address on Cal audit; {counted(warnings, 'warning')} there.",
        ),
    ]


def _agent_table(results: AnchorResults, row: int) -> Table:
    agents = results.agents
    return Table(
        (
            Column(results.reading.nouns.assessor, [agent.name for agent in agents], "text"),
            Column("Status", [status_of(agent) for agent in agents], "text", highlight=Highlight("text", starts="red")),
            Column("In short", [_in_short(results, agent) for agent in agents], "wrapped"),
        ),
        row=row,
        name="agents",
    )


def _in_short(results: AnchorResults, agent: AgentCurve) -> str:
    if agent.obstacle:
        return agent.obstacle
    lean = (
        "level with the consensus"
        if abs(agent.bias) < 0.5
        else f"{number(abs(agent.bias))} {'above' if agent.bias > 0 else 'below'} the consensus"
    )
    text = f"{lean[0].upper()}{lean[1:]} on average; error {number(agent.raw_error)} raw, "
    text += f"{number(agent.left_out_error)} calibrated."
    if agent.monotonicity is not None and agent.monotonicity.failed:
        text += " Contradicts the consensus in part."
    drift = drift_sentences(results, agent)
    return f"{text} {drift[0]}" if drift and "Alarms" in drift[0] else text
