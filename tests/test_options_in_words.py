"""What each option about reading takes is said alike by the guide, by --help and by what the option does."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from panelcal import cli

GUIDE = Path(__file__).parents[1] / "docs" / "guide" / "answers.md"

HEADING, BOTH, LABEL, OTHER = "heading", "heading or label", "label", "neither"
TAKES = {
    "--layout": (OTHER, False, False),
    "--object": (HEADING, True, False),
    "--assessor": (HEADING, True, False),
    "--score": (HEADING, True, False),
    "--confidence": (HEADING, True, False),
    "--scores": (BOTH, True, True),
    "--include": (BOTH, True, True),
    "--exclude": (BOTH, True, True),
    "--scale": (OTHER, False, False),
    "--lower-is-better": (OTHER, False, False),
    "--criteria": (HEADING, True, True),
    "--common": (LABEL, True, True),
    "--grades": (OTHER, False, True),
    "--codes": (OTHER, False, True),
    "--same": (LABEL, False, True),
    "--names": (OTHER, False, False),
    "--set": (OTHER, False, True),
}
"""Option -> what it takes, whether with wildcards, and whether it can be repeated."""

_NOT_ABOUT_READING = {"--sheet", "--confidence-sheet", "--gauge", "--reference", "--method", "--prior"}
_OF_PROGRAMS = {"--json", "--csv", "--quiet", "--fail-on"}


def _options(command):
    return {parameter.opts[0]: parameter for parameter in get_command(cli.app).commands[command].params}


def _said_in_the_guide():
    rows = [line.split("|")[1:-1] for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("| `--")]
    return {re.search(r"`(--[a-z-]+)`", row[0])[1]: " ".join(row[1].split()) for row in rows}


def test_the_table_has_every_option_of_check_and_calibrate():
    for command in ("check", "calibrate"):
        options = {name for name in _options(command) if name.startswith("--")}
        assert set(TAKES) <= options
    assert {n for n in _options("check") if n.startswith("--")} == set(TAKES) | _NOT_ABOUT_READING | _OF_PROGRAMS
    assert set(_said_in_the_guide()) == set(TAKES)


@pytest.mark.parametrize("name", TAKES)
def test_the_guide_and_the_help_say_the_same(name):
    takes, wild, repeated = TAKES[name]
    option, said = _options("check")[name], _said_in_the_guide()[name]
    words = {HEADING: ("heading",), BOTH: ("heading", "label"), LABEL: ("label",), OTHER: ()}[takes]
    for told in (said, f"{option.metavar or ''} {option.help}".lower()):
        for word in ("heading", "label"):
            plain = told.replace("LABEL=VALUE", "").replace("label=value", "")
            assert (word in plain) == (word in words), told
        assert ("wildcards" in told) == wild, told
        assert ("repeatable" in told) == repeated, told
    assert option.multiple == repeated


def test_extract_takes_labels():
    options = _options("extract")
    assert options["--object"].metavar == options["--assessor"].metavar == "LABEL"
    assert "`panelcal extract --object` and\n  `--assessor` take a *label*" in GUIDE.read_text("utf-8")
