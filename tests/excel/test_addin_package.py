"""The .xlam as a package: what Excel is strict about around the VBA, the ribbon and its pictures."""

import re
from pathlib import PurePosixPath
from xml.etree import ElementTree

import pytest
from PIL import Image

from excel.addin_reading import INTERPRETER, taken
from panelcal.excel.addin_build import addin_folder, build_addin
from panelcal.excel.addin_package import addin_settings
from panelcal.excel.icons import COLOURS, ICONS, SIZE, draw
from panelcal.excel.xlwings_source import xlwings_folder, xlwings_version
from panelcal.files.template_names import TEMPLATE_NAMES

TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
UI = "{http://schemas.microsoft.com/office/2009/07/customui}"
EXTENSIBILITY = "http://schemas.microsoft.com/office/2007/relationships/ui/extensibility"
VBA = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
ADDIN = "application/vnd.ms-excel.addin.macroEnabled.main+xml"
BUTTONS = {
    "Calibrate": "OnCalibrate",
    "Check data": "OnCheck",
    "Explain this value": "OnExplain",
    "Settings": "OnSettings",
    "Remove results": "OnRemoveResults",
    "Help": "OnHelp",
}


def parts():
    return taken().package.namelist()


def xml(part):
    return ElementTree.fromstring(taken().package.read(part))


def ribbon():
    return xml("customUI/customUI14.xml")


def test_the_same_arguments_give_the_same_bytes():
    assert build_addin(INTERPRETER, platform="win32") == taken().data


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


def test_the_settings_sheet_names_the_interpreter_and_has_no_blank():
    names = [sheet.get("name") for sheet in xml("xl/workbook.xml").iter(f"{MAIN}sheet")]
    assert names == ["panelcal.conf"]
    assert 'PROJECT_NAME As String = "panelcal"' in taken().source("xlwings")
    settings = addin_settings(taken().data)
    assert settings["INTERPRETER_WIN"] == INTERPRETER
    assert settings["ADD_WORKBOOK_TO_PYTHONPATH"] == "False"
    assert settings["XLWINGS_VERSION"] == xlwings_version(xlwings_folder())
    assert all(key == key.upper() and value for key, value in settings.items())


def test_each_platform_gets_its_own_key_and_special_signs_survive():
    path = "/Users/Ada & Björn/<python>"
    assert addin_settings(build_addin(path, platform="darwin"))["INTERPRETER_MAC"] == path
    assert "INTERPRETER_WIN" not in addin_settings(build_addin(path, platform="darwin"))
    settings = addin_settings(build_addin(INTERPRETER, platform="win32", library_folder=r"C:\somewhere"))
    assert settings["XLWINGS_DLL_FOLDER"] == r"C:\somewhere"


@pytest.mark.parametrize("data", [b"", b"no add-in", taken().package.read("xl/vbaProject.bin")])
def test_another_file_has_no_settings(data):
    with pytest.raises(ValueError, match="no add-in"):
        addin_settings(data)


def test_the_tab_has_the_buttons_in_this_order():
    assert [tab.get("label") for tab in ribbon().iter(f"{UI}tab")] == ["Calibrate"]
    labels = [entry.get("label") for group in ribbon().iter(f"{UI}group") for entry in group]
    wanted = list(BUTTONS)
    assert labels == [*wanted[:2], "New from template", *wanted[2:]]
    calls = {entry.get("label"): entry.get("onAction") for entry in ribbon().iter(f"{UI}button")}
    assert {label: calls[label] for label in BUTTONS} == BUTTONS
    assert next(ribbon().iter(f"{UI}button")).get("size") == "large"


def test_the_menu_offers_each_template():
    menu = next(ribbon().iter(f"{UI}menu"))
    assert [entry.get("tag") for entry in menu.iter(f"{UI}button")] == list(TEMPLATE_NAMES)
    assert {entry.get("onAction") for entry in menu.iter(f"{UI}button")} == {"OnNewFromTemplate"}


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


def test_each_callback_is_there_and_takes_one_control():
    code = taken().source("RibbonCalibrate")
    for entry in ribbon().iter():
        call = entry.get("onAction")
        if call:
            assert re.search(rf"^Public Sub {call}\(control As IRibbonControl\)\r$", code, re.MULTILINE)


def test_every_button_first_looks_for_an_open_workbook():
    code = taken().source("RibbonCalibrate")
    signature = r"^Public Sub On\w+\(control As IRibbonControl\)\r\n"
    callbacks = re.findall(signature + r"(.*?)End Sub", code, re.MULTILINE | re.DOTALL)
    assert len(callbacks) == len(BUTTONS) + 1
    assert all(re.fullmatch(r"    CallButton [^\n]*\n", body) for body in callbacks)
    first = code.split("Private Sub CallButton(ByVal button As String)\r\n")[1].split("\r\n")
    assert first[0].strip() == "If ActiveWorkbook Is Nothing Then" and first[2].strip() == "Exit Sub"


def test_commands_for_python_hold_no_double_quote():
    # xlwings puts them between double quotes on a command line
    code = taken().source("RibbonCalibrate")
    commands = re.findall(r'^    CallButton "(.*)"\r$', code, re.MULTILINE)
    assert len(commands) == len(BUTTONS) + 1
    assert all(re.fullmatch(r"\w+\((\)|'\" & control\.Tag & \"'\))", command) for command in commands)


def test_every_function_has_a_description_that_fits():
    code = taken().source("CalibrateFunctions")
    names = re.findall(r"^Public Function (\w+)", code, re.MULTILINE)
    ends = ("BIAS", "FIT", "BOUND", "COMPARE", "CONFIDENCE", "ANCHORED", "ORDINAL", "WHY")
    assert names == ["CALIBRATE", *(f"CALIBRATE_{end}" for end in ends)]
    for name in names:
        description = re.search(rf'^Attribute {name}\.VB_Description = "([^"]*)"\r$', code, re.MULTILINE)[1]
        assert 20 < len(description) <= 255
        assert f'Attribute {name}.VB_ProcData.VB_Invoke_Func = " \\n14"\r\n' in code
        assert f'{name} = AskPython("{name.lower()}", Array(' in code


def test_every_argument_has_words_that_fit():
    """Excel takes 255 characters for an argument, 255 for all their names together, and 20 of them."""
    code = taken().source("CalibrateFunctions")
    words = dict(re.findall(r'^Private Const (HELP_\w+) As String = "((?:[^"]|"")*)"\r$', code, re.MULTILINE))
    assert all(20 < len(text.replace('""', '"')) <= 255 for text in words.values())
    described = re.search(r"Public Sub DescribeArguments\(\)(.*?)End Sub", code, re.DOTALL)[1]
    group, given = re.findall(r"Array\(([^)]*)\)", described)[:2]
    counts = {name: given.split(", ") for name in re.findall(r'"(\w+)"', group)}
    counts |= {name: own.split(", ") for name, own in re.findall(r'Macro:="(\w+)", \w+:=Array\(([^)]*)\)', described)}
    functions = re.findall(r"^Public Function (\w+)\((.*)\) As Variant\r$", code, re.MULTILINE)
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
    for part in ("ThisWorkbook", "Sheet1", "RibbonCalibrate", "CalibrateFunctions"):
        assert not re.search(r"Workbook_|Auto_?Open|Worksheet_", taken().source(part), re.IGNORECASE)
    assert ribbon().get("onLoad") is None


@pytest.mark.parametrize("name", ICONS)
def test_the_kept_pictures_are_those_that_are_drawn(name):
    with (addin_folder() / "icons" / f"{name}.png").open("rb") as stream:
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
