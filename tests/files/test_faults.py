"""Broken files, awkward names and ends from outside: nothing is lost, nothing is left behind, one sentence is said."""

import errno
import os
import re
import signal
import sys
import time
import zipfile
from pathlib import Path

import pytest

from files.carried_workbooks import foreign_package, rich_workbook
from files.package_checks import check_package
from panelcal import panel_size
from panelcal.errors import FileProblem
from panelcal.files import filled_in
from panelcal.files import load_text as load_text_here
from panelcal.files.filled_in import check_nothing_filled_in
from panelcal.files.graft import carries_whole
from panelcal.files.load import load_source
from panelcal.files.load_text import load_text
from panelcal.files.saving import check_target, is_open_elsewhere, remove_leftovers, save_bytes, save_file
from panelcal.files.xml_edits import outline
from panelcal.reading.read import read_panel
from run_panelcal import run, started

MARKS = "Student,Module,Mark\n" + "\n".join(
    f"S{k // 4:03d},M{(k * 7 + k // 4) % 10},{50 + (k * 13) % 37}" for k in range(80)
)
posix = pytest.mark.skipif(sys.platform == "win32", reason="links and signals as on POSIX")


@pytest.fixture
def marks(tmp_path) -> Path:
    path = tmp_path / "marks.csv"
    path.write_text(MARKS)
    return path


def _damaged(path: Path, part: str, *, inside: bool) -> Path:
    """Spoil the compressed bytes of a part (inside) or the sum that checks it."""
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo(part)
    data = path.read_bytes()
    if inside:
        start = entry.header_offset + 30 + len(part)
        data = data[:start] + b"\xff" * 8 + data[start + 8 :]
    else:
        data = data.replace(entry.CRC.to_bytes(4, "little"), (entry.CRC ^ 1).to_bytes(4, "little"))
    path.write_bytes(data)
    return path


def test_a_temporary_file_of_somebody_else_is_not_removed(tmp_path, monkeypatch):
    theirs = tmp_path / f".out.xlsx.{os.getpid()}.tmp"
    theirs.write_bytes(b"theirs")
    seen = []

    def write(stream):
        seen.extend(path.name for path in tmp_path.iterdir() if path != theirs)
        stream.write(b"ours")

    save_file(write, tmp_path / "out.xlsx")
    save_file(write, tmp_path / "out.xlsx", overwrite=True)
    assert theirs.read_bytes() == b"theirs"
    temporary = [name for name in seen if name != "out.xlsx"]
    assert len(set(temporary)) == 2, "the name can be guessed"


@posix
def test_a_new_file_may_be_read_by_whom_the_user_lets(tmp_path):
    before = os.umask(0o027)
    try:
        save_bytes(b"new", tmp_path / "out.xlsx")
    finally:
        os.umask(before)
    assert (tmp_path / "out.xlsx").stat().st_mode & 0o777 == 0o640


def test_a_file_system_that_turns_read_only_ends_in_a_sentence(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(FileProblem, match=r"out\.xlsx may not be written"):
        save_bytes(b"new", tmp_path / "out.xlsx")


def test_leftovers_of_killed_runs_are_removed_when_a_day_old(tmp_path, marks):
    old, young, other = (tmp_path / name for name in (".panelcal-abc.tmp", ".panelcal-def.tmp", ".marks.xlsx.77.tmp"))
    for path in (old, young, other):
        path.write_bytes(b"marks")
    for path in (old, other):
        os.utime(path, (time.time() - 90_000,) * 2)
    done = run("calibrate", str(marks))
    assert done.returncode == 0, done.stderr
    assert ".panelcal-abc.tmp, left behind by a run that was cut short, was removed." in done.stdout
    assert not old.exists() and young.exists() and other.exists()
    assert remove_leftovers(tmp_path) == () and remove_leftovers(tmp_path / "nowhere") == ()


@posix
def test_a_link_is_written_through_and_stays(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "real.xlsx", tmp_path / "link.xlsx"
    real.write_bytes(b"old")
    link.symlink_to(real)
    with pytest.raises(FileProblem, match="exists already"):
        save_bytes(b"new", link)
    save_bytes(b"new", link, overwrite=True)
    assert link.is_symlink() and real.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert [path.name for path in real.parent.iterdir()] == ["real.xlsx"]


@posix
def test_a_link_to_itself_is_refused(tmp_path):
    link = tmp_path / "link.xlsx"
    link.symlink_to(link)
    with pytest.raises(FileProblem, match=r"link\.xlsx is a link that leads back to itself"):
        save_bytes(b"new", link, overwrite=True)


@pytest.mark.slow
@posix
@pytest.mark.parametrize(
    "ending",
    [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)],
    ids=["terminated", "window closed"],
)
def test_a_run_ended_from_outside_leaves_nothing(tmp_path, ending):
    marks = tmp_path / "marks.csv"
    lines = [f"S{k // 4:05d},M{(k * 7 + k // 4) % 40:02d},{50 + k % 37}" for k in range(2_000)]
    marks.write_text("Student,Module,Mark\n" + "\n".join(lines))
    with started("calibrate", str(marks)) as process:
        while process.poll() is None and not list(tmp_path.glob(".panelcal-*.tmp")):
            time.sleep(0.002)
        assert process.poll() is None, "it ended before it could be ended"
        process.send_signal(ending)
        process.communicate(timeout=120)
    assert process.returncode == 130
    assert [path.name for path in tmp_path.iterdir()] == ["marks.csv"]


@pytest.mark.parametrize("inside", [True, False], ids=["compressed data", "check sum"])
def test_a_damaged_part_is_named(tmp_path, inside):
    sheet = "xl/worksheets/sheet1.xml"
    path = _damaged(rich_workbook(tmp_path / "marks.xlsx"), sheet, inside=inside)
    with pytest.raises(FileProblem, match=r"damaged or was cut off.*its part xl/worksheets/sheet1\.xml"):
        load_source(path)


@pytest.mark.parametrize("inside", [True, False], ids=["compressed data", "check sum"])
def test_damage_in_a_part_that_is_not_read_costs_the_copy_only(tmp_path, inside):
    path = rich_workbook(tmp_path / "marks.xlsx")
    _damaged(path, "xl/charts/chart1.xml", inside=inside)
    assert carries_whole(path) == ("the file is damaged, in its part xl/charts/chart1.xml",)


@pytest.mark.parametrize("inside", [True, False], ids=["compressed data", "check sum"])
def test_force_does_not_replace_a_damaged_result(tmp_path, inside, calibrated_small_board):
    result = tmp_path / "out.xlsx"
    result.write_bytes(calibrated_small_board.read_bytes())
    _damaged(result, "xl/workbook.xml", inside=inside)
    with pytest.raises(FileProblem, match=r"out\.xlsx is damaged, so nobody can tell whether decisions"):
        check_nothing_filled_in(result)


def test_what_is_filled_in_is_seen_at_a_glance(calibrated_small_board, tmp_path):
    """Nothing as it was written; and also what a program left in the spelling of panelcal's own writer."""
    assert filled_in._is_left_blank(calibrated_small_board, "Cal values")
    changed = tmp_path / "changed.xlsx"
    with zipfile.ZipFile(calibrated_small_board) as source, zipfile.ZipFile(changed, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            heading = re.search(rb'<c r="([A-Z]+)([0-9]+)"[^>]*><is><t>Board decision<', part)
            if heading and b"Rank from" in part:
                cell = rb'(<c r="%b%d"[^>]*)/>' % (heading[1], int(heading[2]) + 2)
                part, count = re.subn(cell, rb"\1><v>1</v></c>", part)
                assert count == 1
            target.writestr(name, part)
    with pytest.raises(FileProblem, match="holds 1 entry in the column Board decision"):
        check_nothing_filled_in(changed)


def test_force_replaces_what_is_no_workbook(tmp_path):
    path = tmp_path / "out.xlsx"
    path.write_bytes(b"a note")
    check_nothing_filled_in(path)


def test_names_too_long_for_a_file_are_said_to_be(tmp_path):
    long = tmp_path / ("a" * 245 + ".csv")
    long.write_text(MARKS)
    assert not is_open_elsewhere(long)
    done = run("check", str(long))
    assert done.returncode == 0, done.stderr
    done = run("calibrate", str(long))
    assert done.returncode == 1
    assert "is too long for a file: choose a shorter one with -o" in done.stderr
    done = run("calibrate", str(long), "-o", str(tmp_path / ("b" * 250 + ".xlsx")))
    assert done.returncode == 0, done.stderr
    with pytest.raises(FileProblem, match="too long"):
        check_target(tmp_path / ("c" * 251 + ".xlsx"))


@posix
def test_a_name_that_is_no_text_is_shown_as_far_as_it_goes(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/m\xffarks.csv"))
    try:
        path.write_text(MARKS)
    except OSError:
        pytest.skip("this file system takes text only")
    assert load_source(path).name == "m\ufffdarks.csv"
    done = run("calibrate", str(path), "-o", str(tmp_path / "out.xlsx"))
    assert done.returncode == 0, done.stderr
    check_package(tmp_path / "out.xlsx")


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/styles.xml"])
def test_a_tower_of_elements_is_refused_before_it_is_built(tmp_path, part):
    path = rich_workbook(tmp_path / "marks.xlsx")
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    end = parts[part].rindex(b"</")
    parts[part] = parts[part][:end] + b"<a>" * 200_000 + b"</a>" * 200_000 + parts[part][end:]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(FileProblem, match="nested deeper than a workbook can be"):
        load_source(path)


def test_an_outline_is_not_made_of_a_tower():
    with pytest.raises(ValueError, match="nested deeper"):
        outline(b"<a>" * 100_000 + b"</a>" * 100_000)


NORMALS = {
    "without its number": '<x:cellStyle name="Normal" xfId="0"/>',
    "in capitals": '<x:cellStyle name="NORMAL" xfId="0"/>',
    "in another language": '<x:cellStyle name="Standard" xfId="0" builtinId="0"/>',
}


def _as_cell(address: str, text: object) -> str:
    return f'<x:c r="{address}" t="inlineStr"><x:is><x:t>{text}</x:t></x:is></x:c>'


@pytest.mark.parametrize("style", NORMALS.values(), ids=NORMALS)
def test_no_second_default_style_is_added(tmp_path, style):
    path = foreign_package(tmp_path / "theirs.xlsx")
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    styles = parts["xl/styles.xml"].decode()
    named = f'<x:cellStyles count="1">{style}</x:cellStyles>'
    parts["xl/styles.xml"] = styles.replace('<x:dxfs count="0"/>', named + '<x:dxfs count="0"/>').encode()
    marks = [("Student", "MA1", "MA2"), *((f"S{n}", 50 + n * 7 % 31, 60 + n * 5 % 13) for n in range(8))]
    rows = "".join(
        f'<x:row r="{k}">' + "".join(_as_cell(f"{'ABC'[j]}{k}", text) for j, text in enumerate(row)) + "</x:row>"
        for k, row in enumerate(marks, 1)
    )
    sheet = parts["xl/worksheets/sheet1.xml"].decode()
    start, end = sheet.index("<x:sheetData>") + 13, sheet.index("</x:sheetData>")
    parts["xl/worksheets/sheet1.xml"] = (sheet[:start] + rows + sheet[end:]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    target = tmp_path / "out.xlsx"
    done = run("calibrate", str(path), "-o", str(target))
    assert done.returncode == 0, done.stderr
    carried = check_package(target)["xl/styles.xml"].decode()
    assert carried.lower().count('name="normal"') + carried.count('builtinId="0"') == 1


def test_a_panel_with_more_objects_than_a_sheet_has_rows_is_refused(tmp_path):
    from panelcal.errors import PanelTooLarge
    from panelcal.panel_size import MOST_ROWS, require_rows

    require_rows(MOST_ROWS, "students")
    with pytest.raises(
        PanelTooLarge, match="There are 1,048,573 students, and a sheet of results has room for 1,048,572"
    ):
        require_rows(MOST_ROWS + 1, "students")


def test_a_panel_that_needs_more_memory_than_is_free_is_refused(monkeypatch):
    import numpy as np

    from panelcal import Panel, panel_size

    wide = Panel.from_matrix(np.random.default_rng(1).normal(60, 10, (6, 8_000)))
    needed = panel_size.memory_needed(wide)
    assert needed.total > 3e9 and needed.links > needed.scores
    monkeypatch.setattr(panel_size, "_free_memory", lambda: 4e9)
    with pytest.raises(panel_size.PanelTooLarge, match=r"needs about 3\.\d GB of memory, most of it for the links"):
        panel_size.require_memory(wide, 0.5)
    panel_size.require_memory(wide, 1.0)
    monkeypatch.setattr(panel_size, "_free_memory", lambda: None)
    panel_size.require_memory(wide, 0.5)


def test_a_list_of_far_too_many_is_refused_before_its_labels_are_read(monkeypatch):
    from panelcal.errors import PanelTooLarge
    from panelcal.reading import layout, list_rows, read_list

    text = "Student,Module,Mark\n" + "".join(f"S{k // 2},M{k % 3},{50 + k % 40}\n" for k in range(400))
    source = load_text(text.encode(), "marks.csv")
    for module in (layout, list_rows):
        monkeypatch.setattr(module, "CLEARLY_TOO_MANY_ROWS", 150)
    monkeypatch.setattr(panel_size, "MOST_ROWS", 150)
    monkeypatch.setattr(read_list, "sort_rows", None)  # which comes later
    with pytest.raises(PanelTooLarge, match="There are 200 students, and a sheet of results has room for 150"):
        read_panel(source)


def test_a_sheet_of_far_too_many_rows_is_refused_before_each_is_looked_at(monkeypatch):
    from panelcal.errors import PanelTooLarge
    from panelcal.reading import layout

    text = "Student,A,B\n" + "".join(f"S{k},{50 + k % 40},{60 - k % 20}\n" for k in range(200))
    monkeypatch.setattr(layout, "CLEARLY_TOO_MANY_ROWS", 150)
    monkeypatch.setattr(panel_size, "MOST_ROWS", 150)
    monkeypatch.setattr(layout, "find_matrix", None)
    with pytest.raises(PanelTooLarge, match="There are 201 rows of scores, and a sheet of results has room for 150"):
        read_panel(load_text(text.encode(), "marks.csv"))


def test_a_text_of_far_too_many_cells_is_refused_before_it_is_taken_apart(monkeypatch):
    text = "Student;A;B\n" + "".join(f'"S;{k}";{k};1\n' for k in range(40))
    monkeypatch.setattr(load_text_here, "_rows", None)
    monkeypatch.setattr(load_text_here, "_MOST_CELLS", 100)
    with pytest.raises(FileProblem, match=r"marks\.csv has 123 cells, and scores are read from at most 100"):
        load_text(text.encode(), "marks.csv")
