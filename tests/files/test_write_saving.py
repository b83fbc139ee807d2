"""The file is put in place all at once or not at all."""

import errno
import os
import tempfile

import pytest

from files.sample_report import sample_report
from panelcal.errors import FileProblem
from panelcal.files.saving import check_workbook_target, save_bytes, save_file
from panelcal.files.write import write_report


def failing(error):
    def fail(*_args, **_options):
        raise error

    return fail


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "no room left on the disk for out.xlsx"),
        (PermissionError(errno.EACCES, "Permission denied"), "out.xlsx may not be written"),
        (OSError(errno.EIO, "Input/output error"), r"out.xlsx cannot be written \(Input/output error\)"),
    ],
)
def test_a_failure_leaves_nothing_behind(tmp_path, monkeypatch, step, error, words):
    monkeypatch.setattr(os, step, failing(error))
    with pytest.raises(FileProblem, match=words):
        write_report(sample_report(), tmp_path / "out.xlsx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_an_interruption_leaves_nothing_behind_and_an_old_file_alone(tmp_path, monkeypatch, step):
    target = tmp_path / "out.xlsx"
    target.write_bytes(b"old")
    monkeypatch.setattr(os, step, failing(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        write_report(sample_report(), target, overwrite=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out.xlsx"]
    assert target.read_bytes() == b"old"


def test_an_existing_file_is_replaced_only_when_asked(tmp_path):
    target = tmp_path / "out.xlsx"
    target.write_bytes(b"old")
    with pytest.raises(FileProblem, match=r"out\.xlsx exists already: choose another name with -o or add --force\."):
        write_report(sample_report(), target)
    assert target.read_bytes() == b"old"
    target.chmod(0o640)
    write_report(sample_report(), target, overwrite=True)
    assert target.read_bytes().startswith(b"PK")
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path, monkeypatch):
    target = tmp_path / "out.xlsx"
    monkeypatch.setattr(os, "fsync", lambda _number: target.write_bytes(b"somebody else's"))
    with pytest.raises(FileProblem, match="exists already"):
        save_bytes(b"ours", target)
    assert target.read_bytes() == b"somebody else's"
    assert len(list(tmp_path.iterdir())) == 1


def test_missing_folder_and_folder_as_target(tmp_path):
    with pytest.raises(FileProblem, match="does not exist"):
        write_report(sample_report(), tmp_path / "nowhere" / "out.xlsx")
    with pytest.raises(FileProblem, match="is a folder"):
        write_report(sample_report(), tmp_path)


@pytest.mark.parametrize("name", ["out.csv", "out.xls", "out.ods", "out.pdf", "out"])
def test_a_workbook_under_a_name_that_opens_no_workbook(tmp_path, name):
    with pytest.raises(FileProblem, match=r"give -o a name that ends in \.xlsx, such as out\.xlsx\.$"):
        check_workbook_target(tmp_path / name)
    check_workbook_target(tmp_path / "OUT.XLSX")


def test_the_input_is_never_the_target(tmp_path):
    source = tmp_path / "marks.xlsx"
    source.write_bytes(b"theirs")
    link = tmp_path / "link.xlsx"
    link.symlink_to(source)
    for target in (source, link, tmp_path / "." / "marks.xlsx"):
        with pytest.raises(FileProblem, match="is the input itself"):
            write_report(sample_report(), target, workbook=source, overwrite=True)
    assert source.read_bytes() == b"theirs"


def test_a_full_disk_is_said_even_where_a_library_trips_over_it(tmp_path):
    def write(_stream):
        try:
            raise OSError(errno.ENOSPC, "No space left on device")
        finally:
            raise ValueError("Can't close the file while there is an open handle")

    with pytest.raises(FileProblem, match=r"no room left on the disk for out\.xlsx"):
        save_file(write, tmp_path / "out.xlsx")
    assert not list(tmp_path.iterdir())


def test_nothing_goes_by_way_of_the_folder_for_temporary_files(tmp_path, monkeypatch):
    """A full disk there would be one fault more, and a run cut short would leave a file there."""

    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    monkeypatch.setattr("openpyxl.worksheet._writer.NamedTemporaryFile", refuse)
    monkeypatch.setattr(tempfile, "gettempdir", refuse)
    write_report(sample_report(), tmp_path / "out.xlsx")
    assert [path.name for path in tmp_path.iterdir()] == ["out.xlsx"]
