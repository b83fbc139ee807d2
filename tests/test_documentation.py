"""The documentation keeps to the facts: names, tests, links and pictures exist, and the proofs' own claims hold."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import linalg

from panelcal import Panel, calibrate, robustness
from panelcal.calibration.dense_factor import grounded_cholesky
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.classes import classify
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.why import explain_values
from panels import connected_simulated_panel

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TABLE = ROOT / "docs" / "equations.md"
NOT_YET = ("not in panelcal yet", "none")
NUMBERED_EQUATIONS = 38


def name_of(page):
    return str(page.relative_to(ROOT))


@cache
def names_in(path):
    return {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)}


def table_rows():
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if row[0] not in {"Equation", "Statement"} and set(row[0]) != {"-"}]


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("row", table_rows(), ids=lambda row: row[0])
def test_every_row_of_the_equation_table_is_filled_and_true(row):
    assert len(row) == 4
    assert all(row)
    function, test = row[2:]
    if NOT_YET[0] in function or NOT_YET[1] == test:
        assert (function, test) == NOT_YET
        return
    found = None
    parts = function.strip("`").split(".")
    for k in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        break
    for part in parts[k:]:
        found = getattr(found, part)
    assert callable(found)
    assert re.fullmatch(r"`tests/[\w/]+\.py::test_\w+`", test)


def test_every_equation_has_one_row():
    assert [row[0] for row in table_rows()][:NUMBERED_EQUATIONS] == [f"({k})" for k in range(1, NUMBERED_EQUATIONS + 1)]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_test_a_page_names_exists(page):
    for path, test in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text("utf-8")):
        assert test in names_in(ROOT / path), f"{path} has no {test}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_and_picture_leads_somewhere(page):
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        aim = (page.parent / path).resolve() if path else page
        assert aim.exists(), f"{name_of(page)} links to {target}"
        assert aim.is_relative_to(ROOT)
        if anchor:
            assert anchor in anchors(aim), f"{name_of(page)} links to {target}"


def test_every_picture_is_small_and_used():
    text = "".join(page.read_text("utf-8") for page in PAGES)
    for picture in (ROOT / "docs").rglob("*.png"):
        assert picture.stat().st_size < 150_000, picture.name
        assert picture.name in text, f"{picture.name} is on no page"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_page_names_a_machine_and_calibrating_is_never_called_normalising(page):
    text = page.read_text("utf-8")
    assert not re.search(r"/(home|root|work)/", text)
    assert "normalis" not in text.lower()


@pytest.fixture(scope="module")
def report(example_results):
    return build_report(example_results, RunFacts(created="2026-01-01T00:00:00"))


@pytest.mark.parametrize("name", ["values", "assessors", "residuals", "methods"])
def test_the_page_of_a_sheet_explains_every_column(report, name):
    page = (ROOT / "docs" / "guide" / f"{name}.md").read_text("utf-8")
    sheet = next(sheet for sheet in report.sheets if sheet.name == f"Cal {name}")
    for column in sheet.tables[0].columns:
        assert column.heading in page


def test_the_reasons_the_guide_quotes_are_those_of_the_example(example_results):
    reasons = explain_values(example_results, classify(example_results))
    quoted = re.findall(r"^> (Raw average .+)$", (ROOT / "docs/guide/values.md").read_text("utf-8"), flags=re.MULTILINE)
    assert quoted
    assert set(quoted) <= set(reasons)


def test_the_unexpected_mark_the_guide_tells_of_is_in_the_example(example_results):
    panel, worst = example_results.panel, int(np.abs(example_results.calibration.residuals).argmax())
    module = panel.assessors[panel.assessor_index[worst]]
    assert (panel.scores[worst], module) == (0, "MA3H0")
    assert round(example_results.calibration.fitted[worst]) == 55
    assert round(example_results.influence.largest_shift[worst]) == 10
    assert round(example_results.declared.assessor_factors[panel.assessors.index(module)]) == 14


# What docs/proofs.md claims and no other test holds.


def exact_norm(calibration):
    """Largest size of results, eq. (20), over all score changes of size 1, by the plain inverse."""
    equations = calibration.equations
    size = np.concatenate([equations.object_confidence, equations.assessor_confidence])
    n_objects = len(equations.object_confidence)
    columns = [equations.apply_inverse(e[:n_objects], e[n_objects:]) for e in np.eye(len(size))]
    inverse = np.array([np.concatenate(column) for column in columns])
    gauge = calibration.centred_gauge()
    u = np.concatenate([gauge.objects, gauge.assessors])
    null = np.concatenate([np.ones(n_objects), -np.ones(len(size) - n_objects)])
    projection = np.eye(len(size)) - np.outer(null, u) / (u @ null)
    in_gauge = projection @ inverse @ projection.T
    return np.sqrt(np.linalg.eigvalsh(np.sqrt(np.outer(size, size)) * in_gauge)[-1])


PANELS = {
    "more objects": connected_simulated_panel(12, 5, 2, 1),
    "more assessors": connected_simulated_panel(4, 9, 3, 2),
    "one object": Panel.from_matrix([[60.0, 50.0, 70.0]], [1.0, 4.0, 0.5]),
    "one assessor": Panel.from_matrix([[60.0], [50.0]]),
    "one by one": Panel.from_matrix([[60.0]]),
}


@pytest.mark.parametrize("panel", PANELS.values(), ids=PANELS)
def test_the_exact_norm_in_gauge_36_needs_no_square_root_of_two(panel):
    calibration = calibrate(panel)
    mu2 = robustness(calibration).mu2
    assert exact_norm(calibration) == pytest.approx(1 / np.sqrt(min(mu2, 1.0)), rel=1e-9)
    assert exact_norm(calibrate(panel, gauge="reference", reference=60.0)) == pytest.approx(1 / np.sqrt(mu2), rel=1e-9)


def test_in_gauge_equal_the_constant_is_needed_and_sqrt_2_is_not_enough():
    panel = Panel.from_matrix([[60.0, 50.0], [np.nan, 55.0], [np.nan, 40.0]], [0.01, 1.0])
    calibration = calibrate(panel, gauge="equal")
    found = robustness(calibration)
    constant = found.value_bounds * np.sqrt(calibration.equations.object_confidence * found.mu2)
    needed = exact_norm(calibration) * np.sqrt(found.mu2)
    assert needed > 2 * np.sqrt(2)
    assert needed <= constant[0] * (1 + 1e-9)


@pytest.mark.parametrize(
    ("gauge", "reference", "share"),
    [
        ("weighted", None, lambda total, _: 1 / total),
        ("equal", None, lambda _, n_assessors: 1 / n_assessors),
        ("reference", 60.0, lambda total, _: 0.5 / total),
    ],
)
def test_an_assessor_with_one_object_moves_all_values_alike_or_none(gauge, reference, share):
    panel = connected_simulated_panel(8, 4, 2, 3)
    objects = [panel.objects[k] for k in panel.object_index]
    assessors = [panel.assessors[k] for k in panel.assessor_index]

    def with_mark(mark):
        return Panel.from_records(
            [*objects, objects[0]], [*assessors, "alone"], [*panel.scores, mark], [*panel.confidences, 1.0]
        )

    low, high = (calibrate(with_mark(mark), gauge=gauge, reference=reference) for mark in (40.0, 50.0))
    total, n_assessors = low.equations.total_confidence, low.panel.n_assessors
    assert high.values - low.values == pytest.approx(10 * share(total, n_assessors), abs=1e-11)
    assert np.ptp(low.values - calibrate(panel, gauge=gauge, reference=reference).values) < 1e-11


def test_the_inverse_keeps_its_digits_over_weak_links():
    """Two nodes joined by g, one of them tied to the ground by e: the inverse is [[1/e, 1/e], [1/e, 1/e + 1/g]]."""
    for weak in (1e-8, 1e-16, 1e-24):
        factor = grounded_cholesky(np.array([[0.0, 3.0], [3.0, 0.0]]), np.array([weak, 0.0]))
        half = linalg.solve_triangular(factor, np.eye(2), lower=True)
        inverse = half.T @ half
        assert inverse == pytest.approx(np.array([[1 / weak, 1 / weak], [1 / weak, 1 / weak + 1 / 3]]), rel=1e-14)


def test_the_example_in_the_readme_prints_what_stands_below_it(capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code, printed = re.search(r"```python\n((?:(?!```).)*)```\n\n```text\n(.*?)```", text, re.DOTALL).groups()
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == printed


@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md", "docs/README.md"])
def test_five_lines_of_the_first_page_lead_from_a_frame_to_a_plot_of_calibrated_values(page, monkeypatch, tmp_path):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    text = (ROOT / page).read_text(encoding="utf-8")
    assert text[: text.index("import pandas")].count("\n") < 50  # on the first screens, not far below
    code = re.search(r"```python\n(import pandas.*?)```", text, re.DOTALL)[1]
    assert len([line for line in code.splitlines() if line]) == 5
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    monkeypatch.chdir(tmp_path)
    known = {}
    exec(compile(code, "README.md", "exec"), known)
    assert (tmp_path / "values.png").read_bytes().startswith(b"\x89PNG")
    rows = [line.split(",") for line in (ROOT / "docs/data/marks.csv").read_text("utf-8").splitlines()[1:]]
    panel = Panel.from_records(
        *zip(*((student, marker, float(mark)) for student, marker, mark, _ in rows), strict=True)
    )
    assert np.array_equal(calibrate(known["panel"]).values, calibrate(panel).values)
