"""Names of the result sheets."""

from panelcal.reporting.names import RESULT_SHEETS, result_suffix


def test_a_first_run_needs_no_suffix():
    assert result_suffix(["Marks", "Settings", "Calibration"]) == ""


def test_all_sheets_of_a_run_share_the_first_suffix_that_is_free_for_all():
    assert result_suffix(["Marks", "CAL VALUES"]) == " 2"
    assert result_suffix([*RESULT_SHEETS, "cal audit 2", "Cal proof 4"]) == " 3"
