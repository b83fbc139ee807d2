"""The .xlam as a package: what Excel is strict about around the VBA, the ribbon and its pictures."""

import re
import zipfile
from pathlib import PurePosixPath
from xml.etree import ElementTree

import pytest
from addin.build.icons import COLOURS, ICONS, SIZE, draw
from addin.build.make import FOLDER, build_addin, release_versions
from PIL import Image

from excel.addin_reading import taken
from panelcal.excel.clicks import ACTIONS, FIRST_TEMPLATE, PRESSES
from panelcal.excel.finished_addin import XLWINGS, addin_content
from panelcal.shipped import TEMPLATE_NAMES

TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
UI = "{http://schemas.microsoft.com/office/2009/07/customui}"
EXTENSIBILITY = "http://schemas.microsoft.com/office/2007/relationships/ui/extensibility"
VBA = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
ADDIN = "application/vnd.ms-excel.addin.macroEnabled.main+xml"
BUTTONS = ["Calibrate", "Check data", "Explain this value", "Settings", "Earlier biases", "Remove results", "Help"]


def parts():
    return taken().package.namelist()


def xml(part):
    return ElementTree.fromstring(taken().package.read(part))


def ribbon():
    return xml("customUI/customUI14.xml")


def test_the_same_texts_give_the_same_bytes_and_they_are_the_ones_that_are_installed():
    assert build_addin() == taken().data == addin_content()
    assert {item.compress_type for item in taken().package.infolist()} == {zipfile.ZIP_STORED}


def test_nothing_in_it_belongs_to_one_computer():
    texts = [taken().source(name) for name in taken().modules]
    texts += [taken().package.read(part).decode() for part in parts() if part.endswith((".xml", ".rels"))]
    for text in texts:
        assert not re.search(r"[A-Z]:\\(?!Windows\\System32\\stdole2|Program Files\\Common)|/(?:home|Users)/", text)
    assert release_versions()[1] == XLWINGS


def test_the_package_is_whole_and_its_parts_are_xml():
    assert taken().package.testzip() is None
    assert parts()[0] == "[Content_Types].xml"
    assert len(set(parts())) == len(parts())
    for item in taken().package.infolist():
        assert "\\" not in item.filename and not item.flag_bits & 0x8
        assert item.date_time == (1980, 1, 1, 0, 0, 0) and item.create_system == 0
        if item.filename.endswith((".xml", ".rels")):
            xml(item.filename)


def test_each_part_has_its_content_type():
    types = xml("[Content_Types].xml")
    own = {entry.get("PartName"): entry.get("ContentType") for entry in types.iter(f"{TYPES}Override")}
    by_end = {entry.get("Extension") for entry in types.iter(f"{TYPES}Default")}
    assert own["/xl/workbook.xml"] == ADDIN
    assert own["/xl/vbaProject.bin"] == "application/vnd.ms-office.vbaProject"
    assert {name[1:] for name in own} <= set(parts())
    for part in set(parts()) - {"[Content_Types].xml"}:
        assert f"/{part}" in own or part.rsplit(".", 1)[1] in by_end


def test_each_relation_leads_to_a_part():
    targets = {}
    for part in parts():
        if part.endswith(".rels"):
            folder, names = PurePosixPath(part).parent.parent, set()
            for relation in xml(part):
                target = str(folder / relation.get("Target"))
                assert target in parts()
                assert relation.get("Id") not in names
                names.add(relation.get("Id"))
                targets[relation.get("Type")] = target
    assert targets[EXTENSIBILITY] == "customUI/customUI14.xml"
    assert targets[VBA] == "xl/vbaProject.bin"


def test_code_names_are_those_of_the_vba_documents():
    workbook = xml("xl/workbook.xml").find(f"{MAIN}workbookPr").get("codeName")
    sheet = xml("xl/worksheets/sheet1.xml").find(f"{MAIN}sheetPr").get("codeName")
    assert [workbook, sheet] == re.findall(r"^Document=(\w+)/&H00000000\r$", taken().project, re.MULTILINE)


def test_the_only_sheet_names_the_versions():
    names = [sheet.get("name") for sheet in xml("xl/workbook.xml").iter(f"{MAIN}sheet")]
    assert names == ["panelcal.conf"]
    texts = [text.text for text in xml("xl/worksheets/sheet1.xml").iter(f"{MAIN}t")]
    assert texts == ["PANELCAL_VERSION", release_versions()[0], "XLWINGS_VERSION", XLWINGS]


def test_the_tab_has_the_buttons_in_this_order():
    assert [tab.get("label") for tab in ribbon().iter(f"{UI}tab")] == ["Calibrate"]
    labels = [entry.get("label") for group in ribbon().iter(f"{UI}group") for entry in group]
    assert labels == [*BUTTONS[:2], "New from template", *BUTTONS[2:]]
    assert next(ribbon().iter(f"{UI}button")).get("size") == "large"


def test_the_menu_offers_each_template():
    menu = next(ribbon().iter(f"{UI}menu"))
    entries = list(menu.iter(f"{UI}button"))
    assert [int(entry.get("tag")) for entry in entries] == [FIRST_TEMPLATE + k for k in range(len(TEMPLATE_NAMES))]
    names = [re.sub(r"(?<=.)([A-Z])", r"_\1", entry.get("id").removeprefix("panelcal")).lower() for entry in entries]
    for name, template in zip(names, TEMPLATE_NAMES, strict=True):
        assert set(name.split("_")) <= set(template.split("_"))
        assert name.endswith("_example") == template.endswith("_example")


def test_each_control_has_its_own_name_a_picture_of_ours_and_says_what_it_does():
    names = [entry.get("id") for entry in ribbon().iter() if entry.get("id")]
    assert len(set(names)) == len(names) and all(name.startswith("panelcal") for name in names)
    pictures = {relation.get("Id") for relation in xml("customUI/_rels/customUI14.xml.rels")}
    assert pictures == set(ICONS)
    for group in ribbon().iter(f"{UI}group"):
        for entry in group:
            assert entry.get("image") in pictures
    for entry in (*ribbon().iter(f"{UI}button"), *ribbon().iter(f"{UI}menu")):
        assert 0 < len(entry.get("screentip")) < 1024 and 20 < len(entry.get("supertip")) < 1024


def test_the_callback_is_qualified_and_each_button_is_a_number():
    """Bare names collide with those of other add-ins, and text could become code."""
    calls = [entry for entry in ribbon().iter() if entry.get("onAction")]
    assert {entry.tag for entry in calls} == {f"{UI}button"}
    assert {entry.get("onAction") for entry in calls} == {"RibbonCalibrate.PanelcalPress"}
    numbers = {entry.get("label"): int(entry.get("tag")) for entry in calls}
    assert sorted(numbers.values()) == sorted(PRESSES)
    by_number = sorted(BUTTONS, key=numbers.get)
    assert [PRESSES[numbers[label]] for label in by_number] == [(action,) for action in ACTIONS]
    for label, action in zip(by_number, ACTIONS, strict=True):
        assert label.lower().replace(" ", "_").startswith(action)


def test_every_function_has_a_description_that_fits():
    code = taken().source("CalibrateFunctions")
    names = re.findall(r"^Public Function (\w+)", code, re.MULTILINE)
    ends = ("BIAS", "FIT", "BOUND", "COMPARE", "CONFIDENCE", "ANCHORED", "ORDINAL", "WHY")
    assert names == ["CALIBRATE", *(f"CALIBRATE_{end}" for end in ends)]
    for name in names:
        description = re.search(rf'^Attribute {name}\.VB_Description = "([^"]*)"\r$', code, re.MULTILINE)[1]
        assert 20 < len(description) <= 255
        assert f'Attribute {name}.VB_ProcData.VB_Invoke_Func = " \\n14"\r\n' in code
        assert f'{name} = inner.AskPython("{name.lower()}", Array(' in code


def test_every_argument_has_words_that_fit():
    """Excel takes 255 characters for an argument, 255 for all their names together, and 20 of them."""
    code = taken().source("Workings")
    words = dict(re.findall(r'^Private Const (HELP_\w+) As String = "((?:[^"]|"")*)"\r$', code, re.MULTILINE))
    assert all(20 < len(text.replace('""', '"')) <= 255 for text in words.values())
    described = re.search(r"Public Sub DescribeArguments\(\)(.*?)End Sub", code, re.DOTALL)[1]
    group, given = re.findall(r"Array\(([^)]*)\)", described)[:2]
    counts = {name: given.split(", ") for name in re.findall(r'"(\w+)"', group)}
    counts |= {name: own.split(", ") for name, own in re.findall(r'Macro:="(\w+)", \w+:=Array\(([^)]*)\)', described)}
    wrappers = taken().source("CalibrateFunctions")
    functions = re.findall(r"^Public Function (\w+)\((.*)\) As Variant\r$", wrappers, re.MULTILINE)
    for name, declared in functions:
        arguments = re.findall(r"(\w+) As Variant", declared)
        assert [f"HELP_{argument.upper()}" for argument in arguments] == counts.pop(name), name
        assert set(map(str.upper, arguments)) <= {key.removeprefix("HELP_") for key in words}
        assert len(arguments) <= 20 and len(",".join(arguments)) <= 255
    assert not counts


def test_names_of_functions_are_no_cells_and_not_of_excel_s_own():
    for name in re.findall(r"^Public Function (\w+)", taken().source("CalibrateFunctions"), re.MULTILINE):
        assert re.fullmatch(r"CALIBRATE(_[A-Z]+)?", name) and len(name) <= 31


def test_nothing_runs_by_itself_when_the_file_is_opened():
    for part in taken().modules:
        assert not re.search(r"Workbook_|Auto_?Open|Worksheet_", taken().source(part), re.IGNORECASE)
    assert ribbon().get("onLoad") is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ICONS)
def test_the_kept_pictures_are_those_that_are_drawn(name):
    with (FOLDER / "icons" / f"{name}.png").open("rb") as stream:
        picture = Image.open(stream)
        assert picture.size == (SIZE, SIZE) and picture.mode == "RGBA"
        assert picture.tobytes() == draw(ICONS[name])


@pytest.mark.parametrize("ribbon_colour", [(243, 243, 243), (255, 255, 255), (38, 38, 38), (10, 10, 10)])
@pytest.mark.parametrize("colour", COLOURS)
def test_colours_keep_their_distance_from_a_light_and_a_dark_ribbon(colour, ribbon_colour):
    def brightness(rgb):
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in rgb)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((brightness(colour), brightness(ribbon_colour)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) > 3
