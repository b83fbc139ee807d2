"""`vbaProject.bin` as [MS-OVBA] and [MS-CFB] want it, read back by others."""

import random
import re
import struct

import olefile
import pytest
from addin.build.compound_file import compound_file
from addin.build.compression import compress
from addin.build.make import addin_modules
from addin.build.vba_project import LONGEST_LINE, encrypted, module, vba_project

from excel.addin_reading import decompressed, raptor, taken
from panelcal.excel.finished_addin import XLWINGS

NO_ENTRY = 0xFFFFFFFF
MODULES = ("ThisWorkbook", "Sheet1", "PythonLink", "Workings", "RibbonCalibrate", "CalibrateFunctions")
GUIDS = {
    "ThisWorkbook": "0{00020819-0000-0000-C000-000000000046}",
    "Sheet1": "0{00020820-0000-0000-C000-000000000046}",
    "PythonLink": "0{FCFB3D2A-A0FA-1068-A738-08002B3371B5}",
    "Workings": "0{FCFB3D2A-A0FA-1068-A738-08002B3371B5}",
}


@pytest.mark.parametrize("size", [0, 1, 2, 3, 15, 16, 17, 4095, 4096, 4097, 20000])
@pytest.mark.parametrize("letters", [1, 2, 8])
def test_what_is_compressed_comes_back(size, letters):
    draw = random.Random(size * letters)
    text = bytes(97 + draw.randrange(letters) for _ in range(size))
    assert decompressed(compress(text)) == text


def test_repeated_text_becomes_small():
    text = b"Attribute VB_Name\r\n" * 200
    assert len(compress(text)) < len(text) / 10


def test_noise_is_refused_rather_than_stored_wrongly():
    with pytest.raises(ValueError, match="no text"):
        compress(random.Random(1).randbytes(4096))


def test_streams_of_every_size_come_back_from_a_compound_file():
    sizes = (0, 1, 63, 64, 65, 4095, 4096, 4097, 200_000)
    tree = {f"stream {size}": random.Random(size).randbytes(size) for size in sizes}
    found = olefile.OleFileIO(compound_file({"inner": tree, "top": b"x"}), raise_defects=olefile.DEFECT_INCORRECT)
    assert {name: found.openstream(f"inner/{name}").read() for name in tree} == tree
    assert found.openstream("top").read() == b"x"
    assert not found.parsing_issues


@pytest.mark.parametrize("count", [1, 2, 3, 6, 7, 8, 20])
def test_the_directory_is_a_sorted_red_black_tree(count):
    names = [("M" * (k % 5 + 1)) + str(k) for k in range(count)]
    found = olefile.OleFileIO(compound_file({name: b"x" for name in names}))
    colours = set()

    def walk(number, blacks, parent_red):
        if number == NO_ENTRY:
            colours.add(blacks)
            return []
        entry = found.direntries[number]
        red = entry.color == 0
        assert not (red and parent_red)
        left = walk(entry.sid_left, blacks + (not red), red)
        return [*left, entry.name, *walk(entry.sid_right, blacks + (not red), red)]

    in_order = walk(found.direntries[0].sid_child, 0, False)
    assert in_order == sorted(names, key=lambda name: (len(name), name.upper()))
    assert len(colours) == 1


@pytest.mark.parametrize("data", [bytes(4), bytes(1), b"\xff"])
@pytest.mark.parametrize("seed", [0x5D, 0x5E, 0x5F, 0])
def test_the_protection_state_can_be_decrypted(data, seed):
    identity = "{4B1D5B0E-6C0F-4F0A-9A55-3F2A7C1E8D42}"
    raw = bytes.fromhex(encrypted(data, identity, seed))
    version, key = raw[0] ^ raw[1], raw[0] ^ raw[2]
    assert version == 2 and key == sum(identity.encode()) & 0xFF
    plain, before, last, last_but_one = b"", key, raw[2], raw[1]
    for byte in raw[3:]:
        value = byte ^ ((last_but_one + before) & 0xFF)
        plain += bytes([value])
        last_but_one, last, before = last, byte, value
    ignored = (raw[0] & 6) // 2
    assert struct.unpack_from("<I", plain, ignored)[0] == len(data)
    assert plain[ignored + 4 :] == data


def test_olevba_reads_every_module_back_byte_for_byte():
    built = {entry.name: entry for entry in addin_modules(XLWINGS)}
    assert tuple(built) == MODULES
    seen = taken().vba_seen_by_olevba()
    assert set(seen) == set(MODULES)
    for name, entry in built.items():
        assert taken().source(name).encode("cp1252") == entry.source
        assert seen[name].replace("\r\n", "\n") == entry.text.replace("\r\n", "\n")


def test_mraptor_finds_nothing_suspicious():
    everything = raptor("\n".join(taken().source(name) for name in MODULES))
    assert not everything.suspicious and not everything.autoexec
    for name in MODULES:
        assert not raptor(taken().source(name)).suspicious


def test_records_of_dir_stand_in_the_order_of_the_specification():
    kinds = [kind for kind, _ in taken().records]
    head = [0x01, 0x02, 0x14, 0x03, 0x04, 0x05, 0x40, 0x06, 0x3D, 0x07, 0x08, 0x09, 0x0C, 0x3C]
    reference, one_module = [0x16, 0x3E, 0x0D], [0x19, 0x47, 0x1A, 0x32, 0x1C, 0x48, 0x31, 0x1E, 0x2C]
    wanted = [*head, *reference, *reference, 0x0F, 0x13]
    for name in MODULES:
        wanted += [*one_module, 0x22 if name in GUIDS else 0x21, 0x2B]
    assert kinds == [*wanted, 0x10]
    contents = dict(taken().records)
    assert contents[0x03] == struct.pack("<H", 1252)
    assert struct.unpack("<H", contents[0x0F])[0] == len(MODULES)
    assert all(records[0x31] == bytes(4) for records in taken().modules.values())  # the text begins at once


def test_project_dir_and_names_agree():
    listed = re.findall(r"^(?:Document=(\w+)/&H00000000|Class=(\w+)|Module=(\w+))\r$", taken().project, re.MULTILINE)
    assert ["".join(names) for names in listed] == list(MODULES) == list(taken().modules)
    documents = [document for document, _, _ in listed if document]
    assert documents == ["ThisWorkbook", "Sheet1"]
    workspace = taken().project.split("[Workspace]\r\n")[1]
    assert [line.split("=")[0] for line in workspace.split("\r\n") if line] == list(MODULES)
    names = b"".join(name.encode() + b"\0" + name.encode("utf-16-le") + b"\0\0" for name in MODULES)
    assert taken().stream("PROJECTwm") == names + b"\0\0"
    project = re.search(r'^Name="(\w+)"\r$', taken().project, re.MULTILINE)[1]
    assert dict(taken().records)[0x04].decode() == project
    assert project.lower() not in {name.lower() for name in MODULES}


@pytest.mark.parametrize(("name", "guid"), GUIDS.items())
def test_documents_and_classes_carry_their_guid(name, guid):
    text = taken().source(name)
    assert f'Attribute VB_Base = "{guid}"\r\n' in text
    document = name not in ("PythonLink", "Workings")
    assert f"Attribute VB_PredeclaredId = {document}\r\n" in text
    assert f"Attribute VB_Exposed = {document}\r\n" in text


def test_nothing_compiled_is_inside():
    assert taken().stream("VBA/_VBA_PROJECT") == bytes.fromhex("CC61FFFF000100")
    assert not [path for path in taken().compound.listdir() if path[-1].startswith("__SRP")]


@pytest.mark.parametrize("name", MODULES)
def test_each_module_is_text_that_excel_takes(name):
    text = taken().source(name)
    assert text.startswith(f'Attribute VB_Name = "{name}"\r\n') and text.endswith("\r\n")
    assert not re.search(r"(?<!\r)\n|\r(?!\n)", text)
    assert "VERSION 1.0 CLASS" not in text
    assert len(name) <= 31
    assert max(len(line) for line in text.split("\r\n")) <= LONGEST_LINE
    assert not re.search(r"(?: _\r\n[^\r]*){25}", text)
    text.encode("cp1252")


def test_no_public_name_stands_twice():
    places: dict[str, set[str]] = {}
    for name in MODULES:
        if name not in GUIDS:
            for found in re.findall(r"^(?:Public )?(?:Function|Sub) (\w+)", taken().source(name), re.MULTILINE):
                places.setdefault(found.lower(), set()).add(name)
    assert not {name for name, where in places.items() if len(where) > 1}
    assert not set(places) & {name.lower() for name in MODULES}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Long", "x = 1" + " " * 1024),
        ("Continued", "x = 1" + " + _\n1" * 25),
        ("1Name", ""),
        ("N" * 32, ""),
        ("Named", 'Attribute VB_Name = "Other"\n'),
        ("Greek", "' \N{GREEK SMALL LETTER MU}_2"),
    ],
)
def test_what_excel_would_not_take_is_refused(name, text):
    with pytest.raises(ValueError, match=r"."):
        module(name, "standard", text)


def test_two_modules_or_module_and_project_of_one_name_are_refused():
    one = module("Same", "standard", "")
    for project, modules in (("Project", [one, one]), ("SAME", [one])):
        with pytest.raises(ValueError, match="share a name"):
            vba_project(project, modules)
