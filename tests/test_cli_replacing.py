"""What `panelcal calibrate` does not replace: results that are open elsewhere, and decisions filled in."""

import openpyxl
import pytest

from run_panelcal import digest, run


@pytest.mark.parametrize("lock", ["~$out.xlsx", ".~lock.out.xlsx#"])
def test_a_result_that_is_open_elsewhere_is_not_replaced_behind_its_readers_back(lock, small_board, tmp_path):
    (tmp_path / "out.xlsx").write_bytes(b"old")
    (tmp_path / lock).write_bytes(b"")
    refused = run("calibrate", str(small_board), "--force", "-o", str(tmp_path / "out.xlsx"))
    assert refused.returncode == 1 and "out.xlsx is open in a spreadsheet program" in refused.stderr
    assert (tmp_path / "out.xlsx").read_bytes() == b"old"
    (tmp_path / lock).unlink()
    assert run("calibrate", str(small_board), "--force", "-o", str(tmp_path / "out.xlsx")).returncode == 0


@pytest.mark.parametrize("command", ["check", pytest.param("calibrate", marks=pytest.mark.slow)])
def test_an_input_that_is_open_elsewhere_is_read_as_it_was_saved_and_that_is_said(command, small_board, tmp_path):
    source = tmp_path / "board.xlsx"
    source.write_bytes(small_board.read_bytes())
    said = "board.xlsx is open in a spreadsheet program: what is not saved there was not read."
    assert said not in run(command, str(source)).stdout
    (tmp_path / ".~lock.board.xlsx#").write_bytes(b"")
    done = run(command, str(source), *(["--force"] if command == "calibrate" else []))
    assert done.returncode == 0 and said in done.stdout


@pytest.mark.parametrize("name", ["Cal values", pytest.param("Cal summary", marks=pytest.mark.slow)])
def test_force_does_not_replace_a_result_with_decisions_filled_in(name, calibrated_small_board, small_board, tmp_path):
    book = openpyxl.load_workbook(calibrated_small_board)
    sheet = book[name]
    heading = next(cell for row in sheet.iter_rows() for cell in row if cell.value == "Board decision")
    row, column = heading.row + 1, heading.column
    sheet.cell(row, column).value = "Upper second, agreed"
    filed = tmp_path / "filed.xlsx"
    book.save(filed)
    before = digest(filed)
    refused = run("calibrate", str(small_board), "--force", "-o", str(filed))
    assert refused.returncode == 1 and "holds 1 entry in the column Board decision" in refused.stderr
    assert digest(filed) == before
    sheet.cell(row, column).value = None
    book.save(filed)
    assert run("calibrate", str(small_board), "--force", "-o", str(filed)).returncode == 0
