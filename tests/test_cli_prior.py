"""Last year's biases as a prior: out of a result, into the next workbook, and what they change."""

import openpyxl
import pytest

from panelcal import calibrate_with_prior, simulate_panel, uncertainty
from panelcal.errors import InputRefused
from panelcal.files.load import load_source
from panelcal.reading.grid import Grid, Source
from panelcal.reading.prior import prior_grid, with_prior
from panelcal.reading.read import read_panel
from panelcal.run import understand
from panelcal.systems.calibration.prior import prior_in_words
from panelcal.systems.choices import Choices
from run_panelcal import run, sheet_rows


def _workbook(path, made, *, prior=None):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    book.active.append(["Talk", "Judge", "Score"])
    panel = made.panel
    for o, a, score in zip(panel.object_index, panel.assessor_index, panel.scores, strict=True):
        book.active.append([f"T{panel.objects[o]}", f"Judge {panel.assessors[a]}", round(float(score), 2)])
    if prior is not None:
        sheet = book.create_sheet("Prior")
        for row in prior:
            sheet.append(row)
    book.save(path)
    return path


@pytest.fixture(scope="module")
def last_year():
    return simulate_panel(40, 6, 3, seed=11)


@pytest.mark.slow
def test_the_biases_of_a_result_become_the_prior_of_the_next(tmp_path, last_year):
    assert run("calibrate", str(_workbook(tmp_path / "last.xlsx", last_year))).returncode == 0
    done = run("prior", str(tmp_path / "last-calibrated.xlsx"), "-o", str(tmp_path / "prior.xlsx"))
    assert done.returncode == 0, done.stderr
    assert "with the biases of 6" in done.stdout
    made = sheet_rows(tmp_path / "prior.xlsx", "Prior")
    rows = [(row["Assessor"], row["Bias"], row["Standard error"]) for row in made]
    result = sheet_rows(tmp_path / "last-calibrated.xlsx", "Cal assessors")
    assert sorted(rows) == sorted((row["Judge"], row["Bias"], row["Standard error"]) for row in result)
    given = [("Assessor", "Bias", "Standard error"), *rows]
    file = _workbook(tmp_path / "this.xlsx", simulate_panel(12, 6, 2, seed=11), prior=given)
    done = run("calibrate", str(file))
    assert done.returncode == 0, done.stderr
    assert "the earlier ones" in done.stdout
    shown = {row["Talk"]: row for row in sheet_rows(tmp_path / "this-calibrated.xlsx", "Cal prior")}
    panel = read_panel(load_source(file)).panel
    found = calibrate_with_prior(panel, {name: (bias, error) for name, bias, error in rows})
    for label, value, error in zip(panel.objects, found.values, found.value_errors, strict=True):
        assert shown[label]["With earlier biases"] == pytest.approx(value)
        assert shown[label]["Error with"] == pytest.approx(error)
    calibrated = sheet_rows(tmp_path / "this-calibrated.xlsx", "Cal values")
    values = {row["Talk"]: row["Calibrated value"] for row in calibrated}
    assert {name: row["Without"] for name, row in shown.items()} == pytest.approx(values)
    methods = openpyxl.load_workbook(tmp_path / "this-calibrated.xlsx", data_only=True)["Cal methods"]
    heads, *methods_rows = methods.iter_rows(min_row=4, max_row=4 + panel.n_objects, values_only=True)
    at = heads.index(
        "With earlier biases"
    )  # further right stand the tables behind the charts, with labels of their own
    beside = {row[0]: row[at] for row in methods_rows}
    assert beside == pytest.approx(dict(zip(panel.objects, found.values, strict=True)))
    once = run(
        "calibrate", str(_workbook(tmp_path / "bare.xlsx", simulate_panel(12, 6, 2, seed=11))), "--prior",
        str(tmp_path / "last-calibrated.xlsx"),
    )  # fmt: skip
    assert once.returncode == 0, once.stderr
    by_option = {row["Talk"]: row for row in sheet_rows(tmp_path / "bare-calibrated.xlsx", "Cal prior")}
    for talk, row in by_option.items():
        assert row["With earlier biases"] == pytest.approx(shown[talk]["With earlier biases"])
        assert row["Error with"] == pytest.approx(shown[talk]["Error with"])
    kept = sheet_rows(tmp_path / "bare-calibrated.xlsx", "Prior")
    assert [(row["Assessor"], row["Bias"], row["Standard error"]) for row in kept] == rows
    again = run("prior", str(tmp_path / "last-calibrated.xlsx"), "-o", str(tmp_path / "prior.xlsx"))
    assert again.returncode == 1 and "--force" in again.stderr


@pytest.mark.slow
def test_the_method_prior_puts_them_into_the_values(tmp_path):
    made = simulate_panel(12, 6, 2, seed=11)
    earlier = [
        (f"Judge {name}", float(bias), 0.5) for name, bias in zip(made.panel.assessors, made.biases, strict=True)
    ]
    file = _workbook(tmp_path / "this.xlsx", made, prior=[("Assessor", "Bias", "Standard error"), *earlier])
    done = run("calibrate", str(file), "--method", "prior")
    assert done.returncode == 0, done.stderr
    panel = read_panel(load_source(file)).panel
    found = calibrate_with_prior(panel, {name: (bias, error) for name, bias, error in earlier})
    values = {row["Talk"]: row for row in sheet_rows(tmp_path / "this-calibrated.xlsx", "Cal values")}
    for label, value, error in zip(panel.objects, found.values, found.value_errors, strict=True):
        assert values[label]["Calibrated value"] == pytest.approx(value)
        assert values[label]["Standard error"] == pytest.approx(error)
    refused = run("calibrate", str(_workbook(tmp_path / "bare.xlsx", made)), "--method", "prior")
    assert refused.returncode == 1
    assert "The method prior needs earlier biases" in refused.stderr and "panelcal prior RESULT" in refused.stderr


def test_two_years_that_disagree_are_a_warning(tmp_path, last_year):
    prior = [("Assessor", "Bias", "Standard error")]
    biases = dict(zip(last_year.panel.assessors, last_year.biases.tolist(), strict=True))
    prior += [(f"Judge {name}", bias + 15.0 * (name == "3"), 1.0) for name, bias in biases.items()]
    done = run("calibrate", str(_workbook(tmp_path / "a.xlsx", last_year, prior=[*prior, ("Judge 99", 1.0, 1.0)])))
    assert done.returncode == 0, done.stderr
    assert "Warning: the biases do not agree with the earlier ones" in done.stdout
    assert "least of all Judge 3 (-" in done.stdout, done.stdout
    assert "Not in this panel: Judge 99." in done.stdout


def test_a_prior_that_cannot_be_read_is_refused_with_its_cell(tmp_path, last_year):
    rows = [("Assessor", "Bias", "Standard error"), ("Judge 1", "high", 1.0), ("Judge 2", 1.0, 0), ("Judge 2", 1.0, 1)]
    refused = run("calibrate", str(_workbook(tmp_path / "a.xlsx", last_year, prior=rows)))
    assert refused.returncode == 1
    assert "Cell B2 on sheet Prior needs a bias for Judge 1" in refused.stderr
    assert "Cell C3 on sheet Prior needs a standard error above 0" in refused.stderr
    assert "Judge 2 is on sheet Prior more than once (A4)" in refused.stderr
    none = run("prior", str(_workbook(tmp_path / "b.xlsx", last_year)))
    assert none.returncode == 1 and "holds no biases" in none.stderr


def _grid(sheet, *rows):
    return Grid(sheet, tuple(rows))


def test_the_newest_result_in_a_workbook_gives_the_biases_else_its_own_sheet_prior():
    heads, wide = ("Assessor", "Bias", "Standard error"), ("Judge", "Severity", "Bias", "Standard error")
    own = _grid("Prior", heads, ("J1", 9.0, 1.0))
    old, new = (
        _grid(name, wide, ("J1", "mild", bias, 0.5))
        for name, bias in (("Cal assessors", 1.0), ("Cal assessors 2", 2.0))
    )
    made = prior_grid(Source("last.xlsx", (own, new, old), "Prior"))
    assert made.sheet == "Prior" and made.rows[3:] == (heads, ("J1", 2.0, 0.5))
    assert "last.xlsx, sheet Cal assessors 2" in made.value(2, 1)
    assert prior_grid(Source("p.xlsx", (own,), "Prior")).rows[4:] == (("J1", 9.0, 1.0),)
    with pytest.raises(InputRefused, match="holds no biases"):
        prior_grid(Source("marks.xlsx", (_grid("Marks", heads),), "Marks"))
    with pytest.raises(InputRefused, match="has a sheet Prior already"):
        with_prior(Source("this.xlsx", (own,), "Prior"), made)


def test_earlier_biases_beside_ratings_are_refused():
    marks = _grid("Ratings", ("Talk", "Judge", "Rating"), ("T1", "J1", 3), ("T1", "J2", 4))
    prior = _grid("Prior", ("Assessor", "Bias", "Standard error"), ("J1", 1.0, 1.0))
    with pytest.raises(InputRefused, match="the method ordinal takes none"):
        understand(Source("r.xlsx", (marks,), "Ratings"), Choices(method="ordinal", prior=prior))


def test_earlier_biases_that_are_those_of_now_move_nobody(example_results):
    """On a sheet with a column for each assessor, in another order than that in which a list would meet them."""
    plain = example_results.calibration
    errors = uncertainty(plain).bias_errors
    own = {
        name: (float(bias), float(error))
        for name, bias, error in zip(plain.panel.assessors, plain.biases, errors, strict=True)
    }
    found = calibrate_with_prior(plain.panel, own)
    assert found.biases == pytest.approx(plain.biases, abs=1e-6)
    assert found.values == pytest.approx(plain.values, abs=1e-6)
    assert prior_in_words(example_results, found).endswith("Used as a prior they move nobody.")
