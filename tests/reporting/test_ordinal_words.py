"""What is said about ratings, and that the warnings come first."""

from dataclasses import replace

import numpy as np
import pytest

from panelcal import TimeLimitReached
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.ratings.report import build_ordinal_report
from panelcal.systems.ratings.results import compute_ordinal_results
from panelcal.systems.ratings.words import (
    cuts_answer,
    explain_objects,
    likely_placed,
    near_leader,
    ordinal_sentences,
    percent,
    winners_sentence,
)
from questions import questions_of
from reporting.ordinal_case import jury_rows, reading_of_rows, results_with_known_draws


@pytest.fixture(scope="module")
def results():
    with pytest.MonkeyPatch.context() as patching:
        return results_with_known_draws(patching, reading_of_rows(jury_rows()))


def test_the_terminal_hears_of_winners_leader_averages_and_sampling(results):
    said = ordinal_sentences(results)
    assert len(said) == 4
    assert said[0].startswith("With 89% probability (about 8 times in 9) the best talk is one of these ")
    assert all(label in said[0] for label in results.posterior.winner_set)
    leader = results.posterior.objects[int(np.argmin(results.posterior.rank_mean))]
    assert said[1].startswith(f"{leader} leads: expected rank ")
    assert "4,321 effective draws" in said[3]


def test_the_answers_on_the_summary_name_the_leader_the_likely_and_the_places_to_cut(results):
    posterior = results.posterior
    leader = posterior.objects[int(np.argmin(posterior.rank_mean))]
    near = set(posterior.not_reliably_below_leader) - {leader}
    assert near_leader(results) == f"{leader} and {len(near)} more"
    named = ordinal_sentences(results)[1].split("not reliably below it: ")[1].rstrip(".").split(", ")
    assert set(named) == near
    answer, words = likely_placed(results)
    likely = {label for label, chance in zip(posterior.objects, results.top, strict=True) if chance > 0.5}
    assert likely and set(answer.split(", ")) == likely
    assert words.startswith("Likely = with a chance above 50%.")


@pytest.mark.parametrize(
    ("cuts", "answer"), [((), "nowhere"), ((39,), "only after 39"), ((3, 39), "only after 3 and 39")]
)
def test_where_the_list_can_be_cut_is_answered_by_places_and_not_by_a_count(results, cuts, answer):
    assert cuts_answer(replace(results, posterior=replace(results.posterior, clean_cuts=cuts))) == answer


def test_who_is_at_the_edge_of_the_possible_winners_is_said_and_shown(results):
    posterior = results.posterior
    last, outsider = posterior.winner_set[-1], next(o for o in posterior.objects if o not in posterior.winner_set)
    edged = replace(results, posterior=replace(posterior, winner_set_edge=(last, outsider)))
    assert winners_sentence(edged).endswith(f" At its edge: other draws could leave out {last} or take in {outsider}.")
    settled = replace(results, posterior=replace(posterior, winner_set_edge=()))
    assert "edge" not in winners_sentence(settled)
    table = build_ordinal_report(edged, RunFacts(created="2026-01-01T00:00:00")).sheets[1].tables[0]
    cells = {column.heading: column.cells for column in table.columns}
    shown = dict(zip(cells["Talk"], cells["Winner set"], strict=True))
    assert shown[last] == "yes, edge"
    assert shown[outsider] == "no, edge"
    assert {shown[label] for label in posterior.winner_set[:-1]} == {"yes"}


def test_a_run_that_the_time_limit_stops_reports_nothing():
    reading = reading_of_rows(jury_rows())
    hurried = replace(reading, settings=replace(reading.settings, time_limit=1e-9))
    with pytest.raises(TimeLimitReached, match="nothing is reported"):
        compute_ordinal_results(hurried)


def test_what_is_not_converged_is_said_first_in_the_terminal_and_on_the_summary(monkeypatch):
    results = results_with_known_draws(monkeypatch, reading_of_rows(jury_rows()), converged=False)
    assert ordinal_sentences(results)[0].startswith("Not converged")
    assert (
        "allow more than 64,000 draws and calibrate again: write 256000 beside Most draws on the sheet"
        in ordinal_sentences(results)[1]
    )
    report = build_ordinal_report(results, RunFacts(created="2026-01-01T00:00:00"))
    summary = report.sheets[0]
    warnings = [note for note in summary.notes if note.style == "warning"]
    assert warnings[0].text.startswith("Not converged")
    assert summary.front.warnings == tuple(note.text for note in warnings if note.row < summary.tables[0].row)
    assert len(summary.front.warnings) == 2
    (check,) = (check for check in summary.front.checks if check.name == "Settled")
    assert not check.fine and questions_of(report)["Settled?"][0] == "NOT CONVERGED"


def _checks_of(results):
    report = build_ordinal_report(results, RunFacts(created="2026-01-01T00:00:00"))
    return {check.name: check for check in report.sheets[0].front.checks}


def test_the_first_page_has_no_figures_of_the_sampling_where_it_has_settled(results):
    check = _checks_of(results)["Settled"]
    assert check.fine and "R-hat" not in check.words and check.words.endswith("see Cal audit.")


@pytest.mark.parametrize(("clean", "said"), [((), "a line nowhere."), ((5,), "a line only after place 5.")])
def test_where_the_ratings_themselves_cut_the_list_is_said_in_words_for_a_jury(results, clean, said):
    check = _checks_of(replace(results, posterior=replace(results.posterior, clean_cuts=clean)))["Where to cut"]
    assert not check.fine and check.words.startswith("A line after place 2 is your decision: by the ratings, some ")
    assert check.words.endswith(said)


def test_groups_without_a_judge_in_common_are_said_first_and_listed(monkeypatch):
    rows = [*jury_rows(1, 6, 5), *([f"U{row[0]}", row[1], f"K{row[2]}", *row[3:]] for row in jury_rows(2, 6, 5)[1:])]
    results = results_with_known_draws(monkeypatch, reading_of_rows(rows))
    assert ordinal_sentences(results)[0] == "The ratings fall into 2 groups."
    assert results.additive is None
    report = build_ordinal_report(results, RunFacts(created="2026-01-01T00:00:00"))
    links = next(sheet for sheet in report.sheets if sheet.name == "Cal links")
    assert [table.name for table in links.tables][:2] == ["overview", "groups"]
    methods = next(sheet for sheet in report.sheets if sheet.name == "Cal methods")
    assert "Additive calibration" not in [column.heading for column in methods.tables[0].columns]


def test_the_reason_names_average_judges_rank_and_how_many_cannot_be_told_apart(results):
    posterior = results.posterior
    reasons = explain_objects(results)
    for k, reason in enumerate(reasons):
        assert f"Average {results.naive[k]:.2f} from 3 judges" in reason
        low, high = posterior.rank_interval[k]
        assert f"89% interval {low} to {high}" in reason
        beaten = np.delete((posterior.totals[:, [k]] > posterior.totals).mean(axis=0), k)
        unsure = int(((beaten < 0.89) & (beaten > 0.11)).sum())
        other = "other" if unsure == 1 else "others"
        assert (f"told from {unsure} {other}." in reason) == (unsure > 0)


def test_severe_judges_make_the_same_ratings_count_for_more(results):
    severity = results.posterior.severity
    lean = [
        np.mean([severity[results.posterior.assessors.index(row[2])] for row in jury_rows()[1:] if row[0] == label])
        for label in results.posterior.objects
    ]
    for shift, reason in zip(lean, explain_objects(results), strict=True):
        assert ("count for more" in reason) == (shift >= 0.1)
        assert ("count for less" in reason) == (shift <= -0.1)


def test_lone_judges_and_talks_are_named(monkeypatch):
    rows = [*jury_rows(), ["T10", "Open", "J1", 3, 3], ["T1", "Student", "J6", 4, 4]]
    results = results_with_known_draws(monkeypatch, reading_of_rows(rows))
    assert "no cross-check" in explain_objects(results)[9]
    report = build_ordinal_report(results, RunFacts(created="2026-01-01T00:00:00"))
    assessors = report.sheets[2].tables[0]
    told = next(column for column in assessors.columns if column.heading == "Note")
    notes = dict(zip(assessors.columns[0].cells, told.cells, strict=True))
    assert notes["J6"].endswith("One talk only: its use of the scale is hardly known.")


def test_probabilities_are_never_said_to_be_certain():
    assert [percent(share) for share in (0.0, 0.004, 0.31, 0.999, 1.0)] == [
        "under 1%",
        "under 1%",
        "31%",
        "over 99%",
        "over 99%",
    ]


@pytest.mark.slow
def test_a_real_fit_of_a_small_jury_goes_through_whole_and_reports_progress():
    """A talk that everybody puts on top must lead; two judges rate all, one severely."""
    rows = [["Talk", "Judge", "Rating"]]
    for k in range(6):
        rows += [
            [f"T{k}", "kind", min(5, 2 + k)],
            [f"T{k}", "severe", max(1, k - 1)],
            [f"T{k}", "plain", max(1, min(5, k))],
        ]
    told = []
    results = compute_ordinal_results(reading_of_rows(rows), progress=told.append)
    assert results.posterior.objects[results.order[0]] == "T5"
    assert "T5" in winners_sentence(results)
    by_name = dict(zip(results.posterior.assessors, results.posterior.severity, strict=True))
    assert by_name["severe"] > by_name["plain"] > by_name["kind"]
    assert told and "comparing with simpler methods" in told
    assert len(build_ordinal_report(results, RunFacts(created="2026-01-01T00:00:00")).sheets) == 6
