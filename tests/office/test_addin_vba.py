"""LibreOffice compiles our VBA and runs it, with stubs in the place of Python that record what they are asked."""

import re

import pytest
from addin.build.addin_package import addin_bytes
from addin.build.make import FOLDER, VBA_PROJECT_NAME, addin_modules
from addin.build.vba_project import module, vba_project

from office import office
from office.vba_for_platform import MAC, WINDOWS, for_platform
from panelcal.excel.clicks import PRESSES
from panelcal.excel.finished_addin import XLWINGS

pytestmark = pytest.mark.office

DRIVER = office.DRIVER.with_name("drive_addin.py")
EXCEL_CODE = "panelcal.excel.functions"
# Optional arguments that were left out are errors inside VBA, which xlwings turns into Python's defaults.
LEFT_OUT = "Error"
WRONG_VALUE, NOT_AVAILABLE = 2015, 2042  # the numbers behind #VALUE! and #N/A
KEPT = """
Option Explicit
Public Asked As String
Public Trouble As String
Public WhoCalls As Variant
"""
LINK = """
Option Explicit
Public Function Press(ByVal number As Long) As String
    Asked = number
    Application.ScreenUpdating = False
    Application.Calculation = xlCalculationManual
    If Trouble = "raised" Then Err.Raise 1004, , Trouble
    Press = Trouble
End Function
Public Function LastWords() As String
    Asked = "last words"
    LastWords = Trouble
End Function
Public Function Server() As Object
    If Trouble <> "" Then Err.Raise 1004, , Trouble
    Set Server = New PythonServer
End Function
"""
SERVER = """
Option Explicit
Public Function CallUDF(script As Variant, fname As Variant, args As Variant, _
                        this_workbook As Variant, caller As Variant) As Variant
    Dim k As Long
    Asked = script & " " & fname & " " & TypeName(this_workbook)
    For k = LBound(args) To UBound(args)
        If TypeName(args(k)) = "Range" Then
            Asked = Asked & " " & args(k).Address(False, False)
        ElseIf TypeName(args(k)) = "Error" Then
            Asked = Asked & " " & TypeName(args(k))
        Else
            Asked = Asked & " " & args(k)
        End If
    Next k
    CallUDF = 42
End Function
"""
TWICE = """
Public Function Twice(x As Variant) As Variant
    Twice = 2 * x
End Function
"""
PROBE = """
Option Explicit
Public Function Take() As Variant
    Take = Asked
    Asked = ""
End Function
Public Function TwoAreas() As Variant
    TwoAreas = CStr(CALIBRATE(Union(Range("A1:B2"), Range("D1:E2"))))
End Function
Public Sub Describe()
    Dim inner As New Workings
    inner.DescribeArguments
End Sub
Public Function Spoil(reason As Variant) As Variant
    Trouble = reason
End Function
Public Function Caller(kind As Variant) As Variant
    Select Case kind
        Case "ribbon": WhoCalls = CVErr(2023)
        Case "shape": WhoCalls = "Rounded Rectangle 1"
        Case "cell": Set WhoCalls = Range("A1")
        Case "control": WhoCalls = Array(1, "Button 1")
    End Select
End Function
Public Function Press(button As Variant) As Variant
    Dim control As Object
    Set control = New PressedControl
    control.Tag = button
    If IsEmpty(WhoCalls) Then Caller "ribbon"
    Application.ScreenUpdating = True
    Application.Calculation = xlCalculationAutomatic
    If button = "Finished" Then
        RibbonCalibrate.PanelcalFinished
    Else
        RibbonCalibrate.PanelcalPress control
    End If
    Press = Asked & "|" & Application.ScreenUpdating & "|" & (Application.Calculation = xlCalculationAutomatic)
    Asked = ""
End Function
"""
CONTROL = """
Option Explicit
Public Tag As String
"""


def ask(modules, folder, steps):
    """Open an add-in of these modules in LibreOffice and return its answers to the steps."""
    ribbon = (FOLDER / "ribbon.xml").read_text(encoding="utf-8")
    vba = vba_project(VBA_PROJECT_NAME, modules)
    path = folder / "panelcal.xlam"
    path.write_bytes(addin_bytes({"KEY": "x"}, project="panelcal", vba=vba, ribbon=ribbon, icons={}, about=""))
    return office.driven(DRIVER, path, steps=steps)


def seen_on(platform, entry):
    """A module as Excel sees it on one platform."""
    return module(entry.name, entry.kind, for_platform(entry.text, platform))


def staged(platform):
    """Our modules for one platform with stubs around them."""
    ours = [entry for entry in addin_modules(XLWINGS) if entry.name != "PythonLink"]
    return [
        *(
            seen_on(platform, module(entry.name, entry.kind, re.sub(r"Application\.Caller\b", "WhoCalls", entry.text)))
            for entry in ours
        ),
        module("Kept", "standard", KEPT),
        module("PythonLink", "class", LINK),
        module("PythonServer", "class", SERVER),
        module("PressedControl", "class", CONTROL),
        module("Probe", "standard", PROBE),
    ]


@pytest.fixture
def talk(tmp_path):
    """A function that carries out steps in our modules as Windows sees them."""
    office.need_office()
    return lambda steps: ask(staged(WINDOWS), tmp_path, steps)


@pytest.fixture
def talk_on_mac(tmp_path):
    """The same as a Mac sees them."""
    office.need_office()
    return lambda steps: ask(staged(MAC), tmp_path, steps)


TAKE = {"call": "Probe.Take"}


@pytest.mark.parametrize("platform", [WINDOWS, MAC], ids=["windows", "mac"])
def test_the_modules_compile_and_a_broken_one_would_show(tmp_path, platform):
    office.need_office()
    modules = [seen_on(platform, entry) for entry in addin_modules(XLWINGS)]
    probe = module("Probe", "standard", TWICE)
    steps = [{"call": "Probe.Twice", "arguments": [21]}]
    assert ask([*modules, probe], tmp_path, steps) == [42]
    for k, entry in enumerate(modules):
        if entry.kind != "document":
            broken = module(entry.name, entry.kind, entry.text + "Sub Broken()\n    If Then = 1 +\nEnd Sub\n")
            assert ask([*modules[:k], broken, *modules[k + 1 :], probe], tmp_path, steps) != [42], entry.name


@pytest.mark.parametrize(
    "name", ["calibrate", *(f"calibrate_{end}" for end in ("bias", "fit", "bound", "compare", "why"))]
)
def test_functions_hand_their_ranges_to_python(talk, name):
    formulas = {
        "A1:C5": f"A1:C5 {LEFT_OUT} {LEFT_OUT} {LEFT_OUT} {LEFT_OUT}",
        "A1:C5;E1:G5": f"A1:C5 E1:G5 {LEFT_OUT} {LEFT_OUT} {LEFT_OUT}",
        'A1:C5;E1:G5;1;"equal"': f"A1:C5 E1:G5 1 equal {LEFT_OUT}",
        'A1:C5;E1:G5;1;"equal";"value"': "A1:C5 E1:G5 1 equal value",
    }
    steps = []
    for given in formulas:
        steps += [{"cell": "J1", "formula": f"={name.upper()}({given})"}, TAKE]
    answers = talk(steps)
    assert answers[::2] == [["42", 0]] * 4
    assert answers[1::2] == [f"{EXCEL_CODE} {name} Nothing {arguments}" for arguments in formulas.values()]


def test_confidence_takes_one_argument(talk):
    assert talk([{"cell": "J1", "formula": "=CALIBRATE_CONFIDENCE(A1)"}, TAKE])[1].split()[1:] == [
        "calibrate_confidence",
        "Nothing",
        "A1",
    ]


def test_whole_columns_and_rows_end_where_the_sheet_ends(talk):
    steps = [{"cell": cell, "formula": "7"} for cell in ("A1", "C12", "B30")]
    for given in ("A:C;E:G", "A5:C1048576;E1:G5", "1:3", "A1:C3"):
        steps += [{"cell": "D40", "formula": f"=CALIBRATE({given})"}, TAKE]
    answers = talk(steps)[len(steps) - 8 :]
    asked = [" ".join(answer.split()[3:5]) for answer in answers[1::2]]
    assert asked == ["A1:C40 E1:G40", "A5:C40 E1:G5", f"A1:D3 {LEFT_OUT}", f"A1:C3 {LEFT_OUT}"]


def test_a_range_of_several_areas_or_trouble_in_python_is_an_error_value(talk):
    steps = [
        {"call": "Probe.TwoAreas"},
        {"call": "Probe.Spoil", "arguments": ["no server"]},
        {"cell": "J2", "formula": "=CALIBRATE(A1:B2)"},
        {"call": "Probe.Spoil", "arguments": [""]},
        {"cell": "J3", "formula": "=CALIBRATE(A1:B2)"},
    ]
    several, _, trouble, _, well = talk(steps)
    assert several == trouble[0] == f"Error {WRONG_VALUE}"
    assert well == ["42", 0]


def test_buttons_hand_their_number_to_python_and_put_everything_back(talk):
    pressed = [{"call": "Probe.Press", "arguments": [str(number)]} for number in PRESSES]
    assert talk(pressed) == [f"{number}|True|True" for number in PRESSES]


@pytest.mark.parametrize("caller", ["shape", "cell", "control"])
def test_a_shape_a_cell_or_a_control_on_a_sheet_reaches_nothing(talk, caller):
    steps = [{"call": "Probe.Caller", "arguments": [caller]}]
    steps += [{"call": "Probe.Press", "arguments": [name]} for name in (*map(str, PRESSES), "Finished")]
    answers = talk([{"call": "Probe.Press", "arguments": ["6"]}, *steps])
    assert answers[0] == "6|True|True"
    assert answers[2:] == ["|True|True"] * (len(PRESSES) + 1)


def test_a_shape_that_names_a_function_gets_nothing(talk):
    asked = [{"cell": "J1", "formula": "=CALIBRATE(A1:B3)"}, TAKE]
    shape, cell = ({"call": "Probe.Caller", "arguments": [caller]} for caller in ("shape", "cell"))
    answers = talk([shape, *asked, cell, {**asked[0], "cell": "J2"}, TAKE])
    assert answers[2] == "" and answers[1] != ["42", 0]
    assert answers[4] == ["42", 0] and answers[5].startswith(EXCEL_CODE)


def test_insert_function_is_told_about_the_arguments_without_ado(talk):
    """LibreOffice has no such place to tell; what it refuses must not be seen."""
    steps = [{"call": "Probe.Describe"}, {"call": "Probe.Press", "arguments": ["6"]}]
    assert talk(steps)[1] == "6|True|True"


@pytest.mark.parametrize("trouble", ["raised", "first line\nPython was stopped"])
def test_a_failing_button_puts_everything_back_too(talk, trouble):
    spoil = {"call": "Probe.Spoil", "arguments": [trouble]}
    press = {"call": "Probe.Press", "arguments": ["1"]}
    assert talk([spoil, press])[1] == "1|True|True"


def test_on_a_mac_functions_answer_na_without_python(talk_on_mac):
    shown, asked = talk_on_mac([{"cell": "J1", "formula": "=CALIBRATE(A1:B3)"}, TAKE])
    assert shown[0] == f"Error {NOT_AVAILABLE}"
    assert asked == ""


def test_on_a_mac_python_is_asked_and_what_it_left_behind_is_looked_for(talk_on_mac):
    steps = [{"call": "Probe.Press", "arguments": [name]} for name in ("1", "Finished")]
    assert [answer.split("|")[0] for answer in talk_on_mac(steps)] == ["1", "last words"]
