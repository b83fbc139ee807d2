"""Every kind of JSON keeps to the schema that comes with the package, and the schema to its documentation."""

import json
import re
from pathlib import Path

import pytest

import panelcal
from programs.small_inputs import COLUMNS, HEADINGS, bank, board, table
from run_panelcal import run

SCHEMA = Path(panelcal.__file__).parent / "files" / "panelcal-1.schema.json"


def described(schema, document):
    """Every name of a document, those in its rows as table.name, that the schema says nothing of."""
    own = schema["properties"] | schema["$defs"][document["kind"]]["properties"]
    yield from (name for name in document if name not in own)
    for name, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield from (f"{name}.{key}" for key in value[0] if key not in own[name]["items"]["properties"])


def all_kinds(folder):
    """A command for each kind of result, each with what it reads."""
    csv_file = folder / "marks.csv"
    csv_file.write_text(table(), encoding="utf-8")
    tree = folder / "tree.csv"
    tree.write_text(table([("Ann", "Reed", 5), ("Ann", "Shah", 7), ("Bo", "Shah", 6)], HEADINGS[:3]), encoding="utf-8")
    strict = board(folder / "strict.xlsx", No_change_above=0.01)
    bank(folder / "bank.xlsx", 9.0)
    ratings = folder / "ratings.csv"
    rated = [(f"T{k}", f"J{j}", (k + j) % 5 + 1) for k in range(6) for j in range(3)]
    ratings.write_text(table(rated, ("Talk", "Judge", "Rating")), encoding="utf-8")
    lists = folder / "lists.csv"
    lists.write_text("Talk,Judge\nA,x\nB,y\nC,z\nD,\n", encoding="utf-8")
    yield "calibration", ("calibrate", csv_file, *COLUMNS)
    yield "calibration", ("calibrate", tree, *COLUMNS[:6])
    yield "calibration", ("calibrate", strict, "--gauge", "reference", "--reference", "60")
    yield "anchors", ("calibrate", folder / "bank.xlsx", "--method", "anchors")
    yield "ratings", ("calibrate", ratings, "--method", "ordinal", "--layout", "list")
    yield "plan", ("plan", lists, "--per-object", "2")
    yield "next", ("plan", ratings, "--next", "2")
    yield "check", ("check", csv_file, *COLUMNS)


@pytest.mark.slow
def test_every_kind_of_json_keeps_to_the_schema_that_comes_with_the_package(tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    seen = set()
    for kind, arguments in all_kinds(tmp_path):
        done = run(*map(str, arguments), "--json", "-", "--quiet")
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        assert document["kind"] == kind
        assert [error.message for error in validator.iter_errors(document)] == []
        assert list(described(schema, document)) == [], "add it to panelcal-1.schema.json and docs/programs.md"
        seen.add(kind)
        for wrong in ({"schema": "panelcal/2"}, {"kind": "other"}, {"n_objects": "many"}, {"alarms": {"rain": []}}):
            assert not validator.is_valid(document | wrong)
    assert seen == set(schema["$defs"])


def test_every_name_of_the_schema_is_in_the_documentation():
    schema = json.loads(SCHEMA.read_text("utf-8"))
    page = (
        (Path(__file__).parents[2] / "docs" / "programs.md").read_text("utf-8").partition("### Schema `panelcal/1`")[2]
    )
    for part in (schema, *schema["$defs"].values()):
        for name, told in part["properties"].items():
            names = told.get("items", {}).get("properties", {})
            for one in (name, *names):
                assert re.search(rf"\b{one}\b", page), one
