"""Whether the rules of the table Policy are kept, against counts made here from the numbers themselves."""

import re

import numpy as np
import pytest

from panelcal import Panel, calibrate
from panelcal.reading.policy_rules import PolicyRule
from panelcal.reading.settings import Settings
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.policy import _beyond, _turns, policy_rows
from panelcal.systems.calibration.results import compute_results
from readings import BANDS, reading_of


@pytest.fixture(scope="module")
def panel():
    """Thirty students near the boundaries in six modules, one of them very generous and two of them small."""
    rng = np.random.default_rng(5)
    chosen = [(o, a) for o in range(30) for a in rng.choice(4, 3, replace=False)]
    chosen += [(0, 4), (1, 4), (2, 4), (3, 5), (4, 5)]
    ability = np.linspace(36, 72, 30)
    lean = np.array([14.0, -9.0, 0.0, -5.0, 3.0, -3.0])
    scores = [ability[o] + lean[a] + rng.normal(0, 1) for o, a in chosen]
    o, a = np.array(chosen).T
    objects, assessors = tuple(f"s{k:02d}" for k in range(30)), tuple("ABCDEF")
    return Panel(objects, assessors, o, a, np.array(scores), np.ones(len(scores)))


def held(panel, *rules, **settings):
    results = compute_results(reading_of(panel, policy=tuple(rules), **settings))
    return results, list(policy_rows(results, classify(results)))


def rule(kind, limit=True, label="the rule"):
    return PolicyRule(kind, label, limit)


def test_those_who_would_newly_fail_or_fall_are_named(panel):
    results, rows = held(panel, rule("lowest class"), rule("lower class"))
    raw, values = results.raw, calibrate(panel).values
    lowest = {panel.objects[k] for k in range(30) if raw[k] >= 40 > values[k]}
    bounds = [band.lowest for band in BANDS[:-1]]
    fallen = {panel.objects[k] for k in range(30) if any(raw[k] >= b > values[k] for b in bounds)}
    assert lowest and fallen > lowest  # else this proves nothing
    assert rows[0][1] == rows[1][1] == "not kept"
    assert {name for name in panel.objects if f"{name} (" in rows[0][2]} == lowest
    assert rows[1][2].startswith(f"{len(fallen)} students: ")
    _, none = held(panel, rule("lowest class"), bands=())
    assert none[0][1:] == ("cannot tell", "There are no classes on the sheet Settings.")


def test_changes_above_the_limit_are_counted(panel):
    results, _ = held(panel)
    change = np.abs(calibrate(panel).values - results.raw)
    limit = float(change.max()) - 1.0
    beyond = int((change > limit).sum())
    assert 0 < beyond < 30  # else this proves nothing
    _, rows = held(panel, rule("largest change", limit), rule("largest change", float(change.max())))
    assert [row[1] for row in rows] == ["not kept", "kept"]
    assert rows[0][2].startswith(f"{beyond} student")


def test_the_largest_changes_are_named_first_and_seen_to_be_above_the_limit(panel):
    results, _ = held(panel)
    size = np.sort(np.abs(results.change))[::-1]
    limit = float(size[size < size[0] - 0.2][0])
    _, rows = held(panel, rule("largest change", limit))
    printed = [abs(float(found)) for found in re.findall(r"\(([-+][\d.]+)\)", rows[0][2])]
    assert printed == pytest.approx(size[: len(printed)], abs=0.051) and len(printed) > 1
    assert _beyond(2.03, 2.0) == "+2.03" and _beyond(-2.6, 2.0) == "-2.6"


def test_small_modules_are_named_but_not_those_of_one_student(panel):
    _, rows = held(panel, rule("smallest assessor", 4))
    assert rows[0][1] == "not kept" and "E (3), F (2)" in rows[0][2]
    alone = Panel(
        panel.objects, (*panel.assessors, "G"), np.append(panel.object_index, 7), np.append(panel.assessor_index, 6),
        np.append(panel.scores, 50.0), np.append(panel.confidences, 1.0),
    )  # fmt: skip
    _, rows = held(alone, rule("smallest assessor", 2))
    assert rows[0][1] == "kept"


def test_the_order_within_a_module_is_kept_by_a_constant_and_open_for_other_methods(panel):
    _, rows = held(panel, rule("order kept"))
    assert rows[0][1] == "kept"
    _, rows = held(panel, rule("order kept"), method="hodge")
    assert rows[0][1] == "cannot tell"


def test_an_order_that_is_turned_round_is_seen():
    own = np.array([True, True, False])
    assert _turns(np.array([50.0, 60.0, 0.0]), np.array([61.0, 60.0, 0.0]), own)
    assert not _turns(np.array([50.0, 60.0, 70.0]), np.array([51.0, 61.0, 0.0]), own)


def test_the_external_examiner_must_be_named(panel):
    _, rows = held(panel, rule("person", ""), rule("person", "Prof. B"))
    assert [row[1] for row in rows] == ["not kept", "kept"] and "Prof. B" in rows[1][2]


def test_without_a_policy_nothing_is_said(panel):
    assert Settings().policy == () and held(panel)[1] == []
