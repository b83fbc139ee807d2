"""Extracts hold their own data and nobody else's."""

import dataclasses
import re

import numpy as np
import pytest

from panelcal import InputRefused, Panel
from panelcal.reporting.model import Report
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.extracts import assessor_feedback, object_extract
from panelcal.systems.calibration.results import compute_results
from panelcal.systems.calibration.why import explain_value
from panels import connected_simulated_panel
from readings import reading_of
from run_panelcal import run

DATE = "2026-01-02T03:04:05"


@pytest.fixture(scope="module")
def results():
    panel = connected_simulated_panel(40, 10, 5, seed=3)
    named = Panel.from_records(
        [f"STU{k:03}" for k in panel.object_index],
        [f"MOD{k:02}" for k in panel.assessor_index],
        panel.scores.round(1),
        panel.confidences,
    )
    return compute_results(reading_of(named))


def _texts(report: Report) -> list[str]:
    found = []
    for sheet in report.sheets:
        found += [sheet.title, sheet.explanation, *(note.text for note in sheet.notes)]
        for table in sheet.tables:
            for column in table.columns:
                found += [column.heading, column.explanation, *(str(cell) for cell in column.cells)]
                assert not column.formulas and not column.links
    return [*found, report.footer]


def test_an_extract_names_no_other_object(results):
    texts = " ".join(_texts(object_extract(results, "STU007", created=DATE)))
    others = [label for label in results.panel.objects if label != "STU007"]
    assert "STU007" in texts
    assert not [label for label in others if label in texts]


def test_an_extract_has_the_objects_own_marks_and_value(results):
    table = object_extract(results, "STU007", created=DATE).sheets[0].tables[0]
    panel = results.panel
    own = panel.object_index == panel.objects.index("STU007")
    cells = {column.heading: list(column.cells) for column in table.columns}
    assert cells["Mark"] == panel.scores[own].tolist()
    assert cells["Credits"] == panel.confidences[own].tolist()
    raw = results.raw[panel.objects.index("STU007")]
    value = results.calibration.values[panel.objects.index("STU007")]
    effects = cells["Effect on the value"]
    assert raw + sum(effects) == pytest.approx(value, abs=0.05 * len(effects) + 1e-9)
    biases = cells["Scored high (+) or low (-) by"]
    assert all(round(number, 1) == number for number in effects + biases), "further digits tell of other students"


def _with_small_modules(small: dict[str, list[int]]):
    """A panel of 12 students and 3 modules that all took, with modules that only few took besides."""
    rng = np.random.default_rng(5)
    records = [(f"STU{o:03}", f"BIG{a}", 55.0 + rng.integers(0, 30)) for o in range(12) for a in range(3)]
    records += [
        (f"STU{o:03}", module, 55.0 + rng.integers(0, 30)) for module, objects in small.items() for o in objects
    ]
    panel = Panel.from_records(*zip(*records, strict=True))
    return compute_results(reading_of(panel))


@pytest.mark.parametrize(
    ("small", "together"),
    [({"TINY1": [0, 1]}, 2), ({"TINY1": [0, 1], "TINY2": [0, 1, 2]}, 2), ({"TINY1": [0]}, 2)],
    ids=["one small module joins the next", "two are summed", "a module of one's own"],
)
def test_the_bias_of_a_small_module_cannot_be_told_from_an_extract(small, together):
    results = _with_small_modules(small)
    report = object_extract(results, "STU000", created=DATE)
    table = report.sheets[0].tables[0]
    cells = {column.heading: list(column.cells) for column in table.columns}
    blank = [k for k, bias in enumerate(cells["Scored high (+) or low (-) by"]) if bias == ""]
    assert len(blank) == together + 1, "never exactly one, and a row for their sum"
    assert cells["Module"][-1] == "Other modules" and set(small) <= {cells["Module"][k] for k in blank}
    assert [cells["Adjusted mark"][k] for k in blank] == [""] * len(blank)
    assert [cells["Effect on the value"][k] for k in blank[:-1]] == [""] * together
    notes = " ".join(note.text for note in report.sheets[0].notes)
    hidden = {cells["Module"][k] for k in blank[:-1]}
    assert not [name for name in hidden if name in notes], "no sentence names what is kept back"
    assert "only the sum is given" in notes
    own = results.panel.object_index == 0
    changed = results.values[0] - results.raw[0]
    effects = [effect for effect in cells["Effect on the value"] if effect != ""]
    assert sum(effects) == pytest.approx(changed, abs=0.05 * own.sum() + 1e-9)


def test_how_small_is_a_setting():
    results = _with_small_modules({"TINY1": [0, 1]})
    reading = dataclasses.replace(
        results.reading, settings=dataclasses.replace(results.reading.settings, smallest_group=2.0)
    )
    report = object_extract(dataclasses.replace(results, reading=reading), "STU000", created=DATE)
    assert "" not in list(report.sheets[0].tables[0].columns[3].cells)


def test_feedback_names_no_other_assessor_and_only_own_objects(results):
    texts = " ".join(_texts(assessor_feedback(results, "MOD03", created=DATE)))
    panel = results.panel
    own = {panel.objects[k] for k in panel.object_index[panel.assessor_index == panel.assessors.index("MOD03")]}
    assert not [label for label in panel.assessors if label != "MOD03" and label in texts]
    assert not [label for label in panel.objects if label not in own and label in texts]
    assert all(label in texts for label in own)


def test_feedback_says_the_bias(results):
    lines = [note.text for note in assessor_feedback(results, "MOD03", created=DATE).sheets[0].notes]
    bias = results.calibration.biases[results.panel.assessors.index("MOD03")]
    assert f"You scored {abs(bias):.1f} {'higher' if bias > 0 else 'lower'} than the panel" in lines[0]


def test_how_many_marks_differ_is_said_in_grammatical_english(results):
    said = " ".join(
        note.text
        for label in results.panel.assessors
        for note in assessor_feedback(results, label, created=DATE).sheets[0].notes
    )
    counts = re.findall(r"(\d+) (marks?) of \d+ (differs?) by", said)
    assert len(counts) == results.panel.n_assessors
    assert {count for count, _, _ in counts} > {"1"}
    assert all((noun, verb) == (("mark", "differs") if n == "1" else ("marks", "differ")) for n, noun, verb in counts)


def test_both_say_by_which_run_and_method_they_were_made(results):
    made = {"created": DATE, "run_id": "0a1b2c3d", "calibrated": "2026-01-01"}
    for report in (object_extract(results, "STU007", **made), assessor_feedback(results, "MOD03", **made)):
        last = report.sheets[0].notes[-1].text
        assert last == "Made by Calibration with confidence (gauge: weighted), run 0a1b2c3d of 2026-01-01."
        assert report.run_id == "0a1b2c3d"


def test_a_student_is_not_told_to_be_borderline(example_results):
    classes = classify(example_results)
    at = next(k for k, phrase in enumerate(classes.borderline) if phrase)
    label = example_results.panel.objects[at]
    assert "Borderline: " in explain_value(example_results, classes, at)
    assert "orderline" not in " ".join(_texts(object_extract(example_results, label, created=DATE)))


def test_an_unknown_label_is_refused(results):
    with pytest.raises(InputRefused, match='no student "nobody"'):
        object_extract(results, "nobody", created=DATE)
    with pytest.raises(InputRefused, match='no module "nobody"'):
        assessor_feedback(results, "nobody", created=DATE)


def test_the_command_writes_one_sheet_and_no_other_students_number(example, example_results, tmp_path):
    import zipfile

    label = example_results.panel.objects[3]
    target = tmp_path / "extract.xlsx"
    assert run("extract", str(example), "--object", label, "-o", str(target)).returncode == 0
    with zipfile.ZipFile(target) as archive:
        everything = b"".join(archive.read(name) for name in archive.namelist())
    assert label.encode() in everything
    assert not [other for other in example_results.panel.objects if other != label and other.encode() in everything]
    assert run("extract", str(example)).returncode == 2
    assert run("extract", str(example), "--object", "nobody", "-o", str(tmp_path / "x.xlsx")).returncode == 1
