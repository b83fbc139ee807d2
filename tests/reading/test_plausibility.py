"""The gate: what is no assessor and no object is left out where name and numbers agree, and asked about otherwise."""

import numpy as np
import pytest

from panelcal.reading.plausibility.copies import rescaled_lines
from panelcal.reading.plausibility.doubts import doubts_about_columns, doubts_about_rows
from panelcal.reading.plausibility.explained import explained_lines
from panelcal.reading.plausibility.lines import lines_of_columns
from panelcal.reading.plausibility.recomputed import Statistic, recomputed_lines
from panelcal.reading.plausibility.scales import other_scales
from panelcal.reading.plausibility.selected import selected_lines
from panelcal.reading.plausibility.series import series_lines
from panelcal.reading.plausibility.statistics_by_name import Verdict, verdict_of
from panelcal.systems.choices import Choices

NOBODY_SAYS = np.full(99, np.nan)
MODULES = ("Anatomy", "Botany", "Cells", "Drugs")


def marks(rows=20, columns=4, seed=1):
    random = np.random.default_rng(seed)
    values = random.normal(60, 10, (rows, 1)) + random.normal(0, 4, columns) + random.normal(0, 5, (rows, columns))
    return np.rint(values)


def with_column(scores, column):
    return np.hstack([scores, np.reshape(column, (-1, 1))])


def board(column, heading):
    scores = marks(len(column))
    body = [[f"S{k}", *row, value] for k, (row, value) in enumerate(zip(scores.tolist(), column, strict=True))]
    return [["Student", *MODULES, heading], *body]


@pytest.mark.parametrize(
    ("statistic", "column"),
    [
        (Statistic.SUM, marks().sum(axis=1)),
        (Statistic.MEAN, marks().mean(axis=1).round(1)),
        (Statistic.TRIMMED_SUM, np.sort(marks(), axis=1)[:, 1:-1].sum(axis=1)),
        (Statistic.TRIMMED_MEAN, np.sort(marks(), axis=1)[:, 1:-1].mean(axis=1)),
    ],
)
def test_a_statistic_of_the_others_is_recomputed(statistic, column):
    found = recomputed_lines(with_column(marks(), column))
    assert [(one.line, one.statistic) for one in found] == [(4, statistic)]


def test_subtotals_and_a_grand_total_are_all_found():
    a, b = marks(12, 3, seed=2), marks(12, 3, seed=3)
    parts = [a, a.sum(axis=1, keepdims=True), b, b.sum(axis=1, keepdims=True)]
    assert [one.line for one in recomputed_lines(np.hstack(parts))] == [3, 7]


@pytest.mark.parametrize("blank", [0.0, 0.2])
def test_a_weighted_mean_is_found_without_its_weights(blank):
    scores, weights = marks(40), np.array([0.1, 0.2, 0.3, 0.4])
    scores[np.random.default_rng(4).random(scores.shape) < blank] = np.nan
    given = ~np.isnan(scores)
    mean = (np.nan_to_num(scores) @ weights) / (given @ weights)
    assert [one.line for one in explained_lines(with_column(scores, mean.round(1)))] == [4]


def test_a_weighted_mean_as_coarse_as_the_scores_is_found_and_no_assessor_is():
    scores = marks(40)
    mean = np.rint(scores @ [0.1, 0.2, 0.3, 0.4])
    assert [one.line for one in explained_lines(with_column(scores, mean))] == [4]
    assert explained_lines(scores) == ()


@pytest.mark.parametrize(
    ("what", "column"),
    [
        ("the mean of the best 3", np.sort(marks(columns=5))[:, 2:].mean(axis=1)),
        ("the sum of the best 2", np.sort(marks(columns=5))[:, 3:].sum(axis=1)),
        ("the mean of the best 4", np.sort(marks(columns=5))[:, 1:].mean(axis=1).round(1)),
        ("the sum without the highest", np.sort(marks(columns=5))[:, :-1].sum(axis=1)),
        ("the highest", marks(columns=5).max(axis=1)),
        ("the lowest", marks(columns=5).min(axis=1)),
    ],
)
def test_a_statistic_of_some_of_the_others_is_found(what, column):
    found = selected_lines(with_column(marks(columns=5), column))
    assert [one.line for one in found] == [5]
    # Of five, the best four are those without the lowest.
    assert found[0].what in {what, "the mean without the lowest"}


def test_how_many_there_are_is_found_as_a_row_and_the_best_candidate_at_the_ceiling_is_no_highest():
    scores = marks(20, 6)
    assert [one.line for one in selected_lines(np.vstack([scores, np.full((1, 6), 20.0)]).T)] == [20]
    ceiling = np.minimum(np.vstack([scores, scores.max(axis=0)]), 70)
    assert selected_lines(ceiling.T) == ()


def test_points_and_percentages_of_the_same_paper_are_the_same_and_close_assessors_are_not():
    scores = marks(20, 3)
    both = np.hstack([scores * 0.4, np.rint(scores)])
    assert [(one.line, one.of) for one in rescaled_lines(both)] == [(3, 0), (4, 1), (5, 2)]
    close = scores[:, :1] + np.random.default_rng(3).normal(0, 1, (20, 4)).round()
    assert rescaled_lines(close) == ()


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        ("the same number throughout", np.full(20, 33.0)),
        ("a sequence", np.arange(1.0, 21.0)),
        ("ranks", np.random.default_rng(5).permutation(20) + 1.0),
        ("years", 1998.0 + np.arange(20) % 8),
        ("dates", 45_000.0 + np.arange(20) * 3 % 41),
        ("times", 1.7e9 + np.arange(20) * 7919.0),
        ("telephone, id or other long numbers", 7_700_900_000 + np.arange(20) * 977.0 % 5_000_000),
    ],
)
def test_series_and_long_numbers_are_found(kind, column):
    found = series_lines(lines_of_columns(with_column(marks(), column)))
    assert [(one.line, one.kind) for one in found] == [(4, kind)]


def test_four_scores_alike_are_too_few_and_a_ceiling_that_others_reach_is_honest():
    assert series_lines(lines_of_columns(with_column(marks(4), np.full(4, 33.0)))) == ()
    short = np.random.default_rng(6).choice([3.0, 4.0, 5.0], (12, 4))
    assert series_lines(lines_of_columns(with_column(short, np.full(12, 5.0)))) == ()


def test_marks_out_of_ten_are_another_scale_and_a_severe_assessor_is_not():
    tenth, severe = (marks(seed=7)[:, :1] / 10).round(1), marks(seed=7)[:, :1] - 40
    assert other_scales(lines_of_columns(with_column(marks(), tenth))).lines == (4,)
    assert other_scales(lines_of_columns(with_column(marks(), severe))) is None


def test_every_second_column_on_a_scale_of_its_own_is_called_so():
    both = np.empty((20, 8))
    both[:, ::2], both[:, 1::2] = marks(), np.random.default_rng(8).integers(1, 6, (20, 4))
    doubt = doubts_about_columns(both, NOBODY_SAYS[:8])[0]
    assert doubt.lines == (1, 3, 5, 7)
    assert "every second" in doubt.reason


def test_rows_of_means_and_of_maxima_are_doubted_and_the_weakest_object_is_not():
    scores = marks(20, 6)
    assert doubts_about_rows(np.vstack([scores, scores.mean(axis=0).round(1)]))[0].lines == (20,)
    assert doubts_about_rows(np.vstack([scores, np.full((1, 6), 500.0)]))[0].lines == (20,)
    assert doubts_about_rows(np.vstack([scores, scores[:1] - 50])) == ()


@pytest.mark.parametrize(
    ("kind", "column", "verdict"),
    [
        ("sum", marks().sum(axis=1), Verdict.BORNE_OUT),
        ("sum", marks() @ [0.1, 0.2, 0.3, 0.4] - 3, Verdict.BORNE_OUT),
        ("sum", marks(seed=9)[:, 0], Verdict.INDEPENDENT),
        ("mean", marks(seed=9)[:, 0], Verdict.INDEPENDENT),
        ("rank", np.argsort(np.argsort(-marks().sum(axis=1))) + 1.0, Verdict.BORNE_OUT),
        ("max", marks().max(axis=1), Verdict.BORNE_OUT),
        ("max", marks()[:, 0] - 1, Verdict.INDEPENDENT),
    ],
)
def test_numbers_bear_out_a_name_or_speak_against_it(kind, column, verdict):
    assert verdict_of(kind, with_column(marks(), column), 4) is verdict


@pytest.mark.parametrize("heading", ["Moyenne", "Durchschnitt", "Current Score", "Course total (Real)", "Średnia"])
def test_name_and_numbers_together_leave_a_column_out_with_a_warning(read, said, heading):
    reading = read(board(marks(12).mean(axis=1).round(1).tolist(), heading))
    assert reading.panel.assessors == MODULES
    assert said(reading, "total or statistic").weight == "warning"
    assert f"{heading} (the numbers say the same)" in said(reading, "total or statistic").sentence


def test_a_name_that_the_numbers_speak_against_is_asked_about(refused_by):
    refusal = refused_by(board(marks(12, 1, seed=10)[:, 0].tolist(), "Overall mark"))
    assert "headed Overall mark, but its numbers are not what that says" in str(refusal)
    assert [dict(answer.gives) for answer in refusal.answers] == [
        {"exclude": ("Overall mark",)},
        {"include": ("Overall mark",)},
    ]


@pytest.mark.parametrize("name", ["Total", "Sum", "Rank", "Mean", "Max", "SD"])
def test_somebody_called_like_a_statistic_is_an_assessor(read, said, name):
    reading = read(board(marks(12, 1, seed=10)[:, 0].tolist(), name))
    assert reading.panel.assessors == (*MODULES, name)
    assert said(reading, "called like a statistic").weight == "warning"


def test_columns_with_other_maxima_in_their_headings_are_asked_about(refused_by):
    rows = [["Student", "A (out of 100)", "B (out of 100)", "C (out of 100)", "Quiz (out of 10)"]]
    rows += [[f"S{k}", *row[:3], row[3] / 10] for k, row in enumerate(marks(10).tolist())]
    assert "Column E (Quiz (out of 10)) is out of 10 and not out of 100" in str(refused_by(rows))


def test_the_users_word_wins_over_the_gate(read):
    rows = board([45.0] * 12, "Ethics")
    assert read(rows, settings={"Count in": "Ethics"}).panel.n_assessors == 5
    assert read(rows, settings={"Leave out": "Ethics"}).panel.n_assessors == 4


def test_judges_down_the_side_are_read_as_judges(read, said):
    rows = [[None, "Project 1", "Project 2", "Project 3"]]
    rows += [[f"Judge {k}", *row] for k, row in enumerate(marks(3, 3).tolist(), 1)]
    reading = read(rows)
    assert reading.panel.assessors == ("Judge 1", "Judge 2", "Judge 3")
    assert said(reading, "direction by labels").weight == "warning"


def test_professors_down_the_side_are_asked_about(refused_by):
    rows = [[None, "Seas", "Stars", "Soil"]]
    rows += [[f"Prof. {name}", *row] for name, row in zip(("Ash", "Elm", "Oak"), marks(3, 3).tolist(), strict=True)]
    assert [dict(answer.gives) for answer in refused_by(rows).answers] == [
        {"layout": "objects across"},
        {"layout": "objects down"},
    ]


def test_a_total_among_the_assessors_of_a_list_is_asked_about(refused_by, read):
    scores = with_column(marks(12, 3), marks(12, 3).sum(axis=1))
    names = ("Ann", "Ben", "Cem", "Total")
    rows = [["Student", "Marker", "Mark"]]
    rows += [[f"S{i}", name, float(scores[i, j])] for i in range(12) for j, name in enumerate(names)]
    refusal = refused_by(rows)
    assert refusal.questions[0].answers[0].gives == {"exclude": ("Total",)}
    assert read(rows, settings={"Leave out": "Total"}).panel.assessors == names[:3]


def test_rankings_are_asked_about_and_a_scale_of_five_is_not(read, refused):
    random = np.random.default_rng(12)
    ranked = [["Design", "Ann", "Ben", "Cem"]]
    ranked += [[f"D{k}", *row] for k, row in enumerate(np.array([random.permutation(8) + 1 for _ in "abc"]).T.tolist())]
    assert "look like rankings" in refused(ranked)
    stars = [["Design", "Ann", "Ben", "Cem"], *[[f"D{k}", *random.integers(1, 6, 3).tolist()] for k in range(8)]]
    assert read(stars).panel.n_assessors == 3


def test_fewer_rows_than_columns_under_a_blank_corner_are_asked_about(read, refused):
    people, films = ["Ann Sato", "Ben Quist", "Cem Haddad"], ["Rivers", "Graphs", "Bridges", "Voices"]
    scores = marks(3, 4, seed=3).tolist()
    turned = [[None, *films], *[[name, *row] for name, row in zip(people, scores, strict=True)]]
    assert "nothing says which of them assess" in refused(turned)
    across = read(turned, choose={"over": Choices(settings={"layout": "objects across"}).over})
    assert across.panel.assessors == tuple(people)
    assert read([["Judge", *films], *turned[1:]]).panel.assessors == tuple(people)
    numbered = [[None, *films], *[[f"S{k}", *row] for k, row in enumerate(scores)]]
    assert read(numbered).panel.n_objects == 3


def drawn(rows, lines, seed=5):
    random = np.random.default_rng(seed)
    marks = random.normal(60, 10, (rows, 1)) + random.normal(0, 5, lines) + random.normal(0, 6, (rows, lines))
    return np.rint(marks.clip(0, 100))


def test_a_weighted_mean_in_whole_marks_is_found_in_twenty_rows_and_no_assessor_is():
    marks = drawn(20, 6)
    weighted = (marks @ [0.3, 0.1, 0.2, 0.15, 0.05, 0.2]).round()
    assert [one.line for one in explained_lines(np.column_stack([marks, weighted]))] == [6]
    assert not explained_lines(drawn(20, 7))


def test_a_median_is_found_and_of_two_columns_that_say_the_same_none_is_one():
    marks = drawn(20, 6)
    (found,) = selected_lines(np.column_stack([marks, np.median(marks, axis=1)]))
    assert (found.line, found.what) == (6, "the median")
    alike = np.column_stack([marks[:, :2], marks[:, 1]])
    assert not selected_lines(alike)


def test_somebody_called_rank_is_an_assessor_whose_marks_go_with_the_others():
    for seed in range(20):
        assert verdict_of("rank", drawn(20, 5, seed), 2) is Verdict.INDEPENDENT


def test_a_ranking_beside_the_marks_is_none(read):
    marks = drawn(20, 5)
    ranks = (-marks.sum(axis=1)).argsort().argsort() + 1
    rows = [[f"S{k}", *m, int(r)] for k, (m, r) in enumerate(zip(marks.tolist(), ranks, strict=True))]
    assert read([["Student", *"PQRST", "Rank"], *rows]).panel.assessors == tuple("PQRST")


def test_a_name_with_a_stroke_is_no_corner_of_headings(read):
    rows = [["", "Kim", "Lee", "May"], *[[f"Ann/Bob {k}" if k else "Ann/Bob", 5 + k, 6, 7] for k in range(6)]]
    assert read(rows).panel.assessors == ("Kim", "Lee", "May")


@pytest.mark.parametrize("label", ["Total", "Mean"])
def test_an_object_amid_the_others_that_is_called_so_is_never_left_out_unasked(refused, label):
    marks = np.rint(np.random.default_rng(3).normal(60, 10, (9, 4))).tolist()
    rows = [["Film", "Ann Abel", "Ben Beck", "Cleo Cole", "Dirk Dorn"]]
    rows += [[label if k == 4 else f"The {k}. film", *given] for k, given in enumerate(marks)]
    assert f"--include {label}" in refused(rows)
