"""LibreOffice compiles our VBA and runs it, with stubs in the place of xlwings that record what they are asked."""

import pytest

from office import office
from office.vba_for_platform import MAC, WINDOWS, for_platform
from panelcal.excel.addin_build import VBA_PROJECT_NAME, addin_folder, addin_modules
from panelcal.excel.addin_package import addin_bytes
from panelcal.excel.vba_project import module, vba_project
from panelcal.excel.xlwings_source import PROJECT, xlwings_folder
from panelcal.files.template_names import TEMPLATE_NAMES

pytestmark = pytest.mark.office

DRIVER = office.DRIVER.with_name("drive_addin.py")
EXCEL_CODE = "panelcal.excel.functions"
# Optional arguments that were left out are errors inside VBA, which xlwings turns into Python's defaults.
LEFT_OUT = "Error"
WRONG_VALUE, NOT_AVAILABLE = 2015, 2042  # the numbers behind #VALUE! and #N/A
PYTHON = """
Option Explicit
Public Asked As String
Public Trouble As String
Public Function RunPython(PythonCommand As String)
    Asked = PythonCommand
    Application.ScreenUpdating = False
    Application.Calculation = xlCalculationManual
    If Trouble <> "" Then Err.Raise 1004, , Trouble
End Function
Public Function XLPy() As Object
    If Trouble <> "" Then Err.Raise 1004, , Trouble
    Set XLPy = New PythonServer
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
Public Function Spoil(reason As Variant) As Variant
    Trouble = reason
End Function
Public Function Press(button As Variant, template As Variant) As Variant
    Dim control As Object
    Set control = New PressedControl
    control.Tag = template
    Application.ScreenUpdating = True
    Application.Calculation = xlCalculationAutomatic
    Select Case button
        Case "OnCalibrate": RibbonCalibrate.OnCalibrate control
        Case "OnCheck": RibbonCalibrate.OnCheck control
        Case "OnNewFromTemplate": RibbonCalibrate.OnNewFromTemplate control
        Case "OnExplain": RibbonCalibrate.OnExplain control
        Case "OnSettings": RibbonCalibrate.OnSettings control
        Case "OnRemoveResults": RibbonCalibrate.OnRemoveResults control
        Case "OnHelp": RibbonCalibrate.OnHelp control
    End Select
    Press = Asked & "|" & Application.ScreenUpdating & "|" & (Application.Calculation = xlCalculationAutomatic)
    Asked = ""
End Function
"""
CONTROL = """
Option Explicit
Public Tag As String
"""


def ask(modules, folder, steps, name="panelcal.xlam"):
    """Open an add-in of these modules in LibreOffice and return its answers to the steps."""
    ribbon = (addin_folder() / "ribbon.xml").read_text(encoding="utf-8")
    vba = vba_project(VBA_PROJECT_NAME, modules)
    path = folder / name
    path.write_bytes(addin_bytes({"INTERPRETER_WIN": "x"}, project=PROJECT, vba=vba, ribbon=ribbon, icons={}, about=""))
    return office.driven(DRIVER, path, steps=steps)


def seen_on(platform, entry):
    """A module as Excel sees it on one platform."""
    return module(entry.name, entry.kind, for_platform(entry.text, platform))


def staged(platform):
    """Our modules for one platform with stubs around them."""
    ours = [entry for entry in addin_modules(xlwings_folder()) if entry.name not in ("xlwings", "Dictionary")]
    return [
        *(seen_on(platform, entry) for entry in ours),
        module("xlwings", "standard", PYTHON),
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
    """The same as a Mac sees them, with a name for the workbook."""
    office.need_office()
    return lambda steps, name="panelcal.xlam": ask(staged(MAC), tmp_path, steps, name)


TAKE = {"call": "Probe.Take"}


@pytest.mark.parametrize("platform", [WINDOWS, MAC], ids=["windows", "mac"])
def test_the_modules_compile_and_a_broken_one_would_show(tmp_path, platform):
    office.need_office()
    # Dictionary is left out: LibreOffice does not know the constants of the library VBA by which it names its own.
    modules = [seen_on(platform, entry) for entry in addin_modules(xlwings_folder()) if entry.name != "Dictionary"]
    probe = module("Probe", "standard", TWICE)
    steps = [{"call": "Probe.Twice", "arguments": [21]}]
    assert ask([*modules, probe], tmp_path, steps) == [42]
    for k, entry in enumerate(modules):
        if entry.kind == "standard":
            broken = module(entry.name, entry.kind, entry.text + "Sub Broken()\n    If Then = 1 +\nEnd Sub\n")
            assert ask([*modules[:k], broken, *modules[k + 1 :], probe], tmp_path, steps) != [42], entry.name


@pytest.mark.parametrize(
    "name", ["calibrate", *(f"calibrate_{end}" for end in ("bias", "fit", "bound", "compare", "why"))]
)
def test_functions_hand_their_ranges_to_python(talk, name):
    formulas = {
        "A1:C5": f"A1:C5 {LEFT_OUT} {LEFT_OUT} {LEFT_OUT}",
        "A1:C5;E1:G5": f"A1:C5 E1:G5 {LEFT_OUT} {LEFT_OUT}",
        'A1:C5;E1:G5;1;"equal"': "A1:C5 E1:G5 1 equal",
    }
    steps = []
    for given in formulas:
        steps += [{"cell": "J1", "formula": f"={name.upper()}({given})"}, TAKE]
    answers = talk(steps)
    assert answers[::2] == [["42", 0]] * 3
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


def test_buttons_call_python_and_put_everything_back(talk):
    buttons = {
        "OnCalibrate": "calibrate()",
        "OnCheck": "check()",
        "OnExplain": "explain()",
        "OnSettings": "settings()",
        "OnRemoveResults": "remove_results()",
        "OnHelp": "help()",
    }
    pressed = [{"call": "Probe.Press", "arguments": [button, ""]} for button in buttons]
    pressed += [{"call": "Probe.Press", "arguments": ["OnNewFromTemplate", name]} for name in TEMPLATE_NAMES]
    wanted = [*buttons.values(), *(f"new_from_template('{name}')" for name in TEMPLATE_NAMES)]
    command = "from panelcal.excel import buttons; buttons."
    assert talk(pressed) == [f"{command}{call}|True|True" for call in wanted]


def test_insert_function_is_told_about_the_arguments_without_ado(talk):
    """LibreOffice has no such place to tell; what it refuses must not be seen."""
    steps = [{"call": "CalibrateFunctions.DescribeArguments"}, {"call": "Probe.Press", "arguments": ["OnHelp", ""]}]
    assert talk(steps)[1].endswith("buttons.help()|True|True")


def test_a_failing_button_puts_everything_back_too(talk):
    spoil = {"call": "Probe.Spoil", "arguments": ["Python was stopped"]}
    press = {"call": "Probe.Press", "arguments": ["OnCalibrate", ""]}
    assert talk([spoil, press])[1].endswith("buttons.calibrate()|True|True")


def test_on_a_mac_functions_answer_na_without_python(talk_on_mac):
    shown, asked = talk_on_mac([{"cell": "J1", "formula": "=CALIBRATE(A1:B3)"}, TAKE])
    assert shown[0] == f"Error {NOT_AVAILABLE}"
    assert asked == ""


@pytest.mark.parametrize("name", ["marks $(open).xlam", "marks `open`.xlam", "a|b.xlam", 'a"b.xlam', "marks.xlam"])
def test_on_a_mac_a_file_name_that_a_shell_would_read_is_refused(talk_on_mac, name):
    asked = talk_on_mac([{"call": "Probe.Press", "arguments": ["OnCalibrate", ""]}], name)[0].split("|")[0]
    assert bool(asked) == (name == "marks.xlam")
