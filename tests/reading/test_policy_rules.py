"""The table Policy on the sheet Settings: what is asked for, what is not, and what is refused."""

import pytest

from panelcal.errors import InputRefused
from panelcal.reading.grid import Grid
from panelcal.reading.policy_rules import POLICY_HEADINGS, POLICY_LABELS
from panelcal.reading.settings import Settings
from panelcal.reading.settings_sheet import read_settings
from panelcal.reporting.settings_form import settings_form


def settings_with(*rules):
    rows = [("Setting", "Value"), ("Alert threshold", None), (None, None), POLICY_HEADINGS, *rules]
    return Grid("Settings", tuple(rows))


def test_rules_are_read_with_their_limits_and_any_noun():
    rules = (
        ("Rank within each exam kept", "Yes"),
        ("nobody newly fails", "yes"),
        ("No change above:", "4,5"),
        ("Only exams with at least", 6),
        ("External examiner", "Prof. B"),
    )
    settings, decisions = read_settings(settings_with(*rules))
    assert [(rule.kind, rule.limit) for rule in settings.policy] == [
        ("order kept", True),
        ("lowest class", True),
        ("largest change", 4.5),
        ("smallest assessor", 6.0),
        ("person", "Prof. B"),
    ]
    assert "policy: " in decisions[0].sentence


def test_a_rule_without_its_limit_is_not_asked_for_but_a_person_is():
    rules = [(label, None) for label in POLICY_LABELS]
    settings, _ = read_settings(settings_with(*rules))
    assert [(rule.kind, rule.limit) for rule in settings.policy] == [("person", "")]
    assert read_settings(settings_with(("Nobody newly fails", "no")))[0].policy == ()


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (("Everybody passes", "yes"), "which is no rule: write one of Rank within a module kept"),
        (("No change above", "a lot"), "which takes a number"),
        (("No change above", -1), "which takes a number"),
        (("Nobody newly fails", "perhaps"), "which takes yes or no"),
        ((None, "yes"), "which is no rule"),
    ],
)
def test_what_is_no_rule_is_refused_with_its_cell(rule, said):
    with pytest.raises(InputRefused) as refused:
        read_settings(settings_with(rule))
    assert said in str(refused.value)
    assert ("B5" if rule[0] is None else "A5") in str(refused.value)


def test_a_rule_given_twice_is_refused():
    with pytest.raises(InputRefused, match="keep one row for each"):
        read_settings(settings_with(("No change above", 5), ("No change over", 6)))


def test_the_sheet_that_is_written_is_read_back():
    rules = (("Nobody newly fails", "yes"), ("No change above", 3), ("External examiner", ""))
    settings, _ = read_settings(settings_with(*rules))
    form = settings_form(settings)
    table = next(table for table in form.tables if table.name == "policy")
    rows = [POLICY_HEADINGS, *zip(*(column.cells for column in table.columns), strict=True)]
    again, _ = read_settings(Grid("Settings", (("Setting", "Value"), (None, None), *rows)))
    assert again.policy == settings.policy
    fresh = next(table for table in settings_form(Settings()).tables if table.name == "policy")
    assert [cell for cell in fresh.columns[1].cells if cell is not None] == []
