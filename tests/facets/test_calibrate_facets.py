"""Several criteria calibrated together, against R's lm on the same numbers and against dense algebra."""

import dataclasses

import numpy as np
import pytest

from panelcal import DisconnectedPanel, FacetPanel, InvalidPanel, Panel, calibrate, calibrate_facets, uncertainty
from panelcal.calibration.assessor_differences import assessor_differences

OBJECTS = "T1 T1 T1 T2 T2 T3 T3 T3 T4 T4 T5 T5 T6 T6 T6".split()
ASSESSORS = "Reed Shaw Tan Reed Ural Shaw Tan Ural Reed Shaw Tan Ural Reed Shaw Ural".split()
CONFIDENCES = [1, 2, 1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 2]
CONTENT = [61, 66, 64, 52, 58, 70, 68, 71, 47, 50, 59, 57, 66, 71, 69]
STYLE = [58, 60, 62, 50, 57, 63, 60, 66, 45, 44, 57, 60, 63, 62, 66]
PRESENTATION = [50, 64, 63, 41, 57, 69, 66, 70, 36, 49, 60, 56, 54, 68, 67]
SCORES = np.column_stack([CONTENT, STYLE, PRESENTATION]).astype(float)
CRITERIA = ("Content", "Style", "Presentation")
WEIGHTS = {"Content": 2.0}


def _panel(scores=SCORES, confidences=CONFIDENCES):
    return FacetPanel.from_table(OBJECTS, ASSESSORS, scores, confidences, criteria=CRITERIA)


def _some_missing():
    scores = SCORES.copy()
    scores[[2, 4, 0, 14], [0, 1, 2, 2]] = np.nan
    return _panel(scores)


def _made_up(seed, *, n_objects=14, n_assessors=6, missing=0.0, halo=2.0, noise=3.0):
    random = np.random.default_rng(seed)
    objects = np.repeat(np.arange(n_objects), 3)
    assessors = np.concatenate([random.choice(n_assessors, 3, replace=False) for _ in range(n_objects)])
    values, biases = random.normal(60, 8, (n_objects, 3)), random.normal(0, 4, (n_assessors, 3))
    scores = values[objects] + biases[assessors] + noise * random.standard_normal((len(objects), 3))
    scores += halo * random.standard_normal((len(objects), 1))
    scores[random.random(scores.shape) < missing] = np.nan
    keep = ~np.isnan(scores).all(axis=1)
    confidences = random.uniform(0.5, 2, len(objects))
    return FacetPanel.from_table(objects[keep], assessors[keep], scores[keep], confidences[keep], criteria=CRITERIA)


def test_values_errors_and_noise_are_what_r_says():
    # R 4: m <- lm(cbind(C, S, P) ~ 0 + o + a, weights = w); E <- residuals(m); t(E * w) %*% E / m$df.residual;
    # totals: lm(2 * C + S + P ~ 0 + o + a, weights = w), vcov()
    # carried over to the gauge in which biases times confidence add up to 0.
    found = calibrate_facets(_panel(), weights=WEIGHTS)
    noise = [
        [2.00363740395618, 1.14602746444335, 2.36562040215791],
        [1.14602746444335, 3.12179172797124, 1.76904528363577],
        [2.36562040215791, 1.76904528363577, 3.37367173451037],
    ]
    assert np.allclose(found.noise, noise, rtol=1e-11)
    totals = [249.332206189825, 217.093854056426, 265.058297411012]
    totals += [190.698071810227, 226.805722619447, 264.386154203557]
    assert np.allclose(found.totals, totals, rtol=1e-12)
    errors = [
        2.99956466151481,
        4.26183964781008,
        3.00680584600610,
        3.64906087337260,
        4.43959227119908,
        2.97745723100878,
    ]
    assert np.allclose(found.total_errors, errors, rtol=1e-11)
    biases = [-10.13567022018017, 3.94279961797578, 3.14780207015824, 3.51562943651429]
    assert np.allclose(found.biases[:, 2], biases, rtol=1e-11)
    bias_errors = [0.837480393742982, 0.684353743123913, 1.108331197649661, 0.818549711361432]
    assert np.allclose(found.bias_errors[:, 2], bias_errors, rtol=1e-11)


def test_fewer_unknowns_are_what_r_says():
    # R 4 on the list of scores but those missing: lm(s ~ 0 + o + a + k, contrasts = list(k = contr.sum), weights = w)
    additive = calibrate_facets(_some_missing(), values_differ=False, biases_differ=False)
    objects = [58.21767064407042, 48.65785178329156, 61.40812144738864]
    objects += [42.47794340745325, 52.38241267241751, 60.87345374378722]
    assessors = np.array([0, 5.56616977764024, 4.97831052414830, 6.59019746435006])
    levels = [2.63342784074552, -1.10308168590341]  # contr.sum sorts them: Content, Presentation, and Style the rest
    given = np.bincount(_panel().assessor_index, CONFIDENCES)
    zero = given @ assessors / given.sum()
    assert np.allclose(additive.biases[:, 0], assessors - zero, atol=1e-11)
    means = additive.values.mean(axis=1)
    assert np.allclose(means, np.array(objects) + zero, atol=1e-11)
    assert np.allclose(additive.levels[[0, 2]], levels, atol=1e-11)
    # lm(s ~ 0 + o + a:k, weights = w): differences between assessors within a criterion
    by_bias = calibrate_facets(_some_missing(), values_differ=False)
    within = [-12.744874419846152, 1.362960136040802, 0.451059618191777, 1.294477040191935]
    assert np.allclose(np.diff(by_bias.biases[:, 2]), np.diff(within), atol=1e-11)
    objects = [63.088047120047804, 54.557794854047323, 66.787493518667603]
    objects += [48.350544919012854, 57.771280506709324, 66.720612987311554]
    assert np.allclose(np.diff(by_bias.values[:, 0]), np.diff(objects), atol=1e-11)


def test_a_leaning_is_the_bias_of_a_contrast_and_names_who_leans():
    # The scores in one criterion less the weighted mean of all are an ordinary panel, whose biases are the leanings.
    found = calibrate_facets(_panel(), weights=WEIGHTS)
    mean = SCORES @ [2, 1, 1] / 4
    for k in range(3):
        plain = assessor_differences(calibrate(_panel().with_scores(SCORES[:, k] - mean)), level=0.05 / 3)
        assert np.allclose(found.leanings[:, k], plain.biases, atol=1e-11)
        assert np.allclose(found.leaning_errors[:, k], plain.standard_errors, atol=1e-11)
    assert found.adjusted_p[0, 2] < 1e-3
    assert (np.delete(found.adjusted_p[:, 2], 0) > 0.05).all(), "Reed drags nobody else"


def test_totals_are_those_of_calibrating_the_weighted_sums():
    found = calibrate_facets(_panel(), weights=WEIGHTS)
    plain = calibrate(_panel().with_scores(SCORES @ [2, 1, 1]))
    assert np.allclose(found.totals, plain.values, atol=1e-10)
    assert np.allclose(found.total_errors, uncertainty(plain).value_errors, rtol=1e-10)
    assert np.allclose(found.severities * 4, plain.biases, atol=1e-10)
    assert np.allclose(found.severity_errors * 4, uncertainty(plain).bias_errors, rtol=1e-10)


def test_missing_scores_filled_as_expected_move_no_total():
    panel = _made_up(3, missing=0.15)
    found = calibrate_facets(panel, weights=WEIGHTS)
    assert np.allclose(calibrate(panel.with_scores(found.filled_totals)).values, found.totals, atol=1e-9)
    for k in range(3):  # each criterion is its own panel, in the gauge of all assessments
        alone = calibrate(panel.in_criterion(k))
        shift = found.values[:, k] - alone.values[[alone.panel.objects.index(o) for o in panel.objects]]
        assert np.ptp(shift) < 1e-10


@pytest.mark.parametrize("form", [(True, True), (False, True), (True, False), (False, False)])
@pytest.mark.parametrize("gauge", ["weighted", "equal"])
def test_errors_are_those_of_dense_algebra_with_correlated_noise(form, gauge):
    panel = _made_up(5, n_objects=9, n_assessors=4, missing=0.1)
    found = calibrate_facets(panel, weights=WEIGHTS, values_differ=form[0], biases_differ=form[1], gauge=gauge)
    values, biases, totals, levels = _dense(panel, found.noise, form, gauge)
    for given, wanted in (
        ((found.values, found.value_errors), values),
        ((found.biases, found.bias_errors), biases),
        ((found.totals, found.total_errors), totals),
        ((found.levels, found.level_errors), levels),
    ):
        assert np.allclose(given[0], wanted[0], atol=1e-8, equal_nan=True)
        assert np.allclose(given[1], wanted[1], atol=1e-8, equal_nan=True)


def _dense(panel, noise, form, gauge):
    """Estimate everything with a column for every effect and the Moore-Penrose inverse; zeros are set afterwards."""
    pair, criterion = np.nonzero(~np.isnan(panel.scores))
    objects, assessors = panel.object_index[pair], panel.assessor_index[pair]
    n, m, count = len(panel.objects), len(panel.assessors), panel.n_criteria
    object_column = objects * count + criterion if form[0] else objects * count
    assessor_column = n * count + (assessors * count + criterion if form[1] else assessors * count)
    rows = np.zeros((len(pair), n * count + m * count + count))
    for column in (object_column, assessor_column, n * count + m * count + criterion):
        rows[np.arange(len(pair)), column] = 1
    roots = np.sqrt(panel.confidences[pair])[:, None]
    solving = np.linalg.pinv(roots * rows)
    unknowns = solving @ (roots[:, 0] * panel.scores[pair, criterion])
    same = pair[:, None] == pair
    covariance = solving @ (noise[np.ix_(criterion, criterion)] * same) @ solving.T
    cells = np.zeros((n * m * count, rows.shape[1]))  # the score of every object by every assessor in every criterion
    places = [(o, a, k) for o in range(n) for a in range(m) for k in range(count)]
    for row, (o, a, k) in enumerate(places):
        used = [o * count + k * form[0], n * count + a * count + k * form[1], n * count + m * count + k]
        cells[row, used] = 1
    cells = cells.reshape(n, m, count, -1)
    used = np.zeros((m, count))
    used[assessors, criterion] = 1
    share = np.ones(m) if gauge == "equal" else np.bincount(panel.assessor_index, panel.confidences)
    share = share[:, None] * (used if form[1] else 1)
    values = np.einsum("oakp,ak->okp", cells, share / share.sum(axis=0))
    biases = cells[0] - values[0]
    totals = np.einsum("okp,k->op", values, [2.0, 1, 1])
    mean = np.einsum("okp,o->kp", values, np.bincount(panel.object_index, panel.confidences)) / panel.confidences.sum()

    def estimate(combination):
        spread = np.einsum("...p,pq,...q->...", combination, covariance, combination)
        return combination @ unknowns, np.sqrt(spread)

    blank = np.where(used, 0.0, np.nan)
    of_biases = estimate(biases)
    return (
        estimate(values),
        (of_biases[0] + blank, of_biases[1] + blank),
        estimate(totals),
        estimate(mean - mean.mean(axis=0)),
    )


def test_noise_is_estimated_without_bias_whatever_is_missing():
    # A sum of products of residuals is quadratic in the noise: its expectation is the sum over a basis of the noise.
    from panelcal.facets.design import design
    from panelcal.facets.noise import noise_covariance

    panel = _made_up(7, n_objects=8, n_assessors=4, missing=0.2)
    truth = np.array([[4.0, 1.5, 2], [1.5, 9, 1], [2, 1, 3]])
    layout = design(panel, by_value=True, by_bias=True, assessor_weights=np.ones(4))
    weighted = np.sqrt(panel.confidences[layout.pair])[:, None] * layout.rows.toarray()
    left_over = np.eye(layout.n_scores) - weighted @ np.linalg.pinv(weighted)
    same = layout.pair[:, None] == layout.pair
    basis = np.linalg.cholesky(np.where(same, truth[np.ix_(layout.criterion, layout.criterion)], 0))
    found = sum(noise_covariance(layout, left_over, left_over @ one, 3) for one in basis.T)
    assert np.allclose(found, truth, atol=1e-9)


def test_complete_panels_are_solved_alike_one_by_one_and_at_once():
    from panelcal.facets.solution import solve_at_once, solve_one_by_one

    panel = _made_up(11)
    shares = np.bincount(panel.object_index, panel.confidences) / panel.confidences.sum()
    weights = np.bincount(panel.assessor_index, panel.confidences)
    one = solve_one_by_one(panel, "weighted", shares)
    other = solve_at_once(panel, values_differ=True, biases_differ=True, assessor_weights=weights, object_shares=shares)
    assert np.allclose(one.values, other.values, atol=1e-10)
    assert np.allclose(one.noise, other.noise, atol=1e-9)
    factors = np.random.default_rng(0).normal(size=(6, 3))
    everybody = np.arange(6)
    assert np.allclose(
        one.errors.bias_covariance(factors, everybody), other.errors.bias_covariance(factors, everybody), atol=1e-9
    )
    assert np.isclose(one.errors.of_means(factors[0]), other.errors.of_means(factors[0]), atol=1e-10)


def test_criteria_on_other_scales_compare_severity_in_shares_of_their_spread():
    # Everybody is severe or generous by the same share of each criterion's spread: nobody leans.
    panel = _made_up(2, noise=0.0, halo=0.0)
    random = np.random.default_rng(1)
    values, severity = random.normal(0, 1, 14), random.normal(0, 0.4, 6)
    base = values[panel.object_index] + severity[panel.assessor_index]
    scores = np.column_stack([20 + 10 * base, 6 + 2 * base, 6 + 2 * base])
    found = calibrate_facets(dataclasses.replace(panel, scores=scores))
    assert np.allclose(found.units / found.units[0], [1, 0.2, 0.2])
    assert np.allclose(found.leanings, 0, atol=1e-9)
    alike = calibrate_facets(dataclasses.replace(panel, scores=10 + base[:, None] + np.zeros(3)))
    assert (alike.units == 1).all()


def test_parts_without_a_common_scale_are_named():
    scores = SCORES.copy()
    scores[3:5, 1] = np.nan
    with pytest.raises(InvalidPanel, match="Nobody scored T2 in Style"):
        calibrate_facets(_panel(scores))
    apart = SCORES.copy()
    apart[:, 2] = np.where(
        np.isin(ASSESSORS, ["Reed", "Ural"]) == np.isin(OBJECTS, ["T2", "T4", "T6"]), SCORES[:, 2], np.nan
    )
    apart[5, 2] = np.nan
    with pytest.raises((DisconnectedPanel, InvalidPanel), match="Presentation"):
        calibrate_facets(_panel(apart))
    # Two assessors use two criteria, the others the third: nothing tells who is severe from what is hard.
    split = np.full((8, 3), np.nan)
    split[:4, :2] = [[6, 7], [5, 5], [8, 7], [4, 6]]
    split[4:, 2] = [5, 6, 7, 4]
    panel = FacetPanel.from_table(list("ABAB" * 2), list("WWXXYYZZ"), split, criteria=CRITERIA)
    with pytest.raises(DisconnectedPanel) as caught:
        calibrate_facets(panel, values_differ=False, biases_differ=False)
    assert "W in Content and Style, X in Content and Style" in str(caught.value)
    assert "Y in Presentation, Z in Presentation" in str(caught.value)
    assert sorted(sorted(assessors) for _, assessors in caught.value.components) == [["W", "X"], ["Y", "Z"]]


def test_nothing_left_to_tell_the_noise_leaves_errors_blank():
    panel = FacetPanel.from_table(["A", "A", "B"], ["x", "y", "x"], [[1, 2], [3, 5], [2.0, 2]])
    found = calibrate_facets(panel)
    assert np.allclose(found.totals, calibrate(Panel.from_records(["A", "A", "B"], ["x", "y", "x"], [3, 8, 4])).values)
    assert np.isnan(found.total_errors).all()
    assert np.isnan(found.adjusted_leaning_p).all()


def test_lists_of_scores_make_the_same_panel():
    rows = [
        (o, a, c, SCORES[i, k])
        for k, c in enumerate(CRITERIA)
        for i, (o, a) in enumerate(zip(OBJECTS, ASSESSORS, strict=True))
    ]
    listed = FacetPanel.from_records(*(list(column) for column in zip(*rows, strict=True)))
    assert np.allclose(calibrate_facets(listed).totals, calibrate_facets(_panel(confidences=None)).totals)
    with pytest.raises(InvalidPanel, match="more than one score for T1 in Content"):
        FacetPanel.from_records(["T1", "T1"], ["Reed", "Reed"], ["Content", "Content"], [1, 2])
