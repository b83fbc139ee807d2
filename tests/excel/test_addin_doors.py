"""What a workbook without macros can reach in the built add-in: fixed numbers and the functions for cells, no more."""

import re
from pathlib import Path

from excel.addin_reading import taken, warnings_of_olevba
from panelcal.excel.finished_addin import XLWINGS

FUNCTIONS = ["", "_BIAS", "_FIT", "_BOUND", "_COMPARE", "_CONFIDENCE", "_ANCHORED", "_ORDINAL", "_WHY"]
# What a cell, a shape or a link can name at all, and what stands in classes, which none of them can.
DOORS = {
    "RibbonCalibrate": ["PanelcalPress", "PanelcalFinished"],
    "CalibrateFunctions": [f"CALIBRATE{end}" for end in FUNCTIONS],
}
BEHIND = {
    "PythonLink": ["Press", "LastWords", "Server"],
    "Workings": ["AskPython", "EndWithSheets", "DescribeArguments", "ShowProblem"],
}
PROCEDURES = DOORS | BEHIND
# What olevba warns of, and what needs it; the same list stands in docs/for-it.md.
WORDS = {
    "CreateObject": "Server reads the note of where Python is",
    "Lib": "Server reaches Python through xlwings' library",
    "call": "Press hands the number of the button to Python (python.Call)",
    "applescript": "Press starts Python on a Mac",
    "Hex Strings": "class identifiers that every VBA project has",
    "Base64 Strings": "long names that look so",
}
NEVER = (
    "Shell", "WScript", "cmd.exe", "VBProject", "VBComponents", "Kill", "FileCopy", "Environ", "MacScript", "Evaluate",
    "ExecuteExcel4Macro", "Application.Run", "OnTime", "CallByName", "RunPython", "GetSetting", "Workbook_Open",
)  # fmt: skip
DOC = Path(__file__).parents[2] / "docs" / "for-it.md"


def code(name):
    """The text of a module without what stands in comments and between quotes."""
    return re.sub(r"'.*", "", re.sub(r'"(?:[^"\r]|"")*"', '""', taken().source(name)))


def body(module, name):
    return re.search(
        rf"^(?:Public|Private) (?:Sub|Function) {name}\(.*?^End (?:Sub|Function)\r$",
        taken().source(module),
        re.M | re.S,
    )[0]


def test_there_are_these_procedures_and_no_others():
    assert set(taken().modules) == {"ThisWorkbook", "Sheet1", *PROCEDURES}
    for name, wanted in PROCEDURES.items():
        assert re.findall(r"^ *(?:\w+ )?(?:Sub|Function|Property \w+) (\w+)", code(name), re.M) == wanted
    for name in ("ThisWorkbook", "Sheet1"):
        assert not re.search(r"\b(?:Sub|Function)\b", code(name))


def test_libraries_are_called_from_the_class_alone_which_no_cell_and_no_shape_can_call():
    assert re.findall(r"^Class=(\w+)\r$", taken().project, re.M) == list(BEHIND)
    for name in BEHIND:
        seen = taken().source(name)
        assert "Attribute VB_Exposed = False" in seen and "Attribute VB_PredeclaredId = False" in seen
    declared = re.findall(r"^ +(\w+) Declare PtrSafe Function (\w+) Lib", taken().source("PythonLink"), re.M)
    assert {name for _, name in declared} == {"ActivateServer", "LoadLibrary"}
    assert {scope for scope, _ in declared} == {"Private"}
    for name in set(PROCEDURES) - {"PythonLink"}:
        assert not re.search(r"\b(?:Declare|Lib|CreateObject|AppleScriptTask)\b", code(name))


def test_nothing_else_that_starts_writes_or_changes_is_in_it():
    for name in taken().modules:
        for word in NEVER:
            assert not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code(name), re.I), (name, word)


def test_every_callback_first_asks_who_calls():
    """A shape is a String, a cell a Range and a sheet's control an array; the ribbon is an error value."""
    for name in DOORS["RibbonCalibrate"]:
        lines = [line.strip() for line in body("RibbonCalibrate", name).split("\r\n")]
        assert lines[1].startswith("Dim ")
        assert lines[2] == "If InStr(NOBODY, TypeName(Application.Caller)) = 0 Then Exit Sub"
    assert 'Private Const NOBODY As String = "Error Empty Null"\r\n' in taken().source("RibbonCalibrate")


def test_a_button_takes_a_control_that_only_a_ribbon_has_and_reads_nothing_but_a_number_from_it():
    text = body("RibbonCalibrate", "PanelcalPress")
    assert text.startswith("Public Sub PanelcalPress(control As IRibbonControl)\r\n")
    assert re.findall(r"control\.[^\r]*", text) == ["control.Tag)"] and "number = Val(control.Tag)\r\n" in text
    assert re.search(r"\bnumber As Long\b", text)


def test_a_shape_that_names_a_function_gets_nothing():
    text = body("Workings", "AskPython")
    assert text.index('If TypeName(Application.Caller) = "String" Then Exit Function') < text.index("Server()")


def test_what_python_is_told_to_do_is_written_here_and_holds_nothing_of_a_workbook():
    started = re.findall(r"ActivateServer\(([^\r]*)\) <> 0 Then\r", taken().source("PythonLink"))
    assert started == ['found, """" & places(0) & """ -P -B -c ""import xlwings; xlwings.serve(\'$(CLSID)\')""", 1']
    called = re.findall(r"python\.Module\(([^)]*)\), ([^,]*), python\.Tuple\(([^)]*)\)", taken().source("PythonLink"))
    assert called == [('"panelcal.excel.clicks"', '"press"', "number, ActiveWorkbook")]
    asked = re.findall(r"CallUDF\(([^)]*)\)", taken().source("Workings"))
    assert asked == ["FUNCTIONS_MODULE, functionName, arguments, Nothing, Application.Caller"]
    names = re.findall(r" = inner\.AskPython\(([^,]*),", taken().source("CalibrateFunctions"))
    assert names == [f'"calibrate{end.lower()}"' for end in FUNCTIONS]


def test_the_place_of_python_comes_from_the_users_own_folder_alone():
    text = body("PythonLink", "Server")
    assert re.findall(r"note = (.*)\r", text) == [
        "Application.StartupPath",
        r'Left(note, InStrRev(LCase(note), "\microsoft\")) & "panelcal\python.txt"',
    ]
    everything = "".join(map(code, PROCEDURES))
    assert "ThisWorkbook.Path" not in everything and not re.search(
        r"ActiveWorkbook\.(?:Path|FullName|Sheets)", everything
    )


def test_programs_and_libraries_are_named_by_their_full_path():
    """Windows looks for a bare name beside the workbook first."""
    text = taken().source("PythonLink")
    assert text.index(r'LoadLibrary(StrPtr(places(1) & "\" & LIBRARY)) = 0') < text.index("If ActivateServer(")
    script = (Path(__file__).parents[2] / "addin" / "panelcal.applescript").read_text(encoding="utf-8")
    run = re.search(r"set pythonWork to (.*)\n", script)[1]
    assert run == 'quoted form of pythonPath & " -P -B -m panelcal.excel.clicks " & buttonNumber & " " & workbookName'
    assert script.count("to quoted form of (text") == 2


def test_on_a_mac_a_missing_python_and_one_that_stopped_are_told():
    script = (Path(__file__).parents[2] / "addin" / "panelcal.applescript").read_text(encoding="utf-8")
    assert script.index('"test -x "') < script.index("set pythonWork to")
    assert "panelcal.xlam!RibbonCalibrate.PanelcalFinished" in script
    handlers = re.findall(r"^on (\w+)\(", script, re.M)
    asked = re.findall(r'AppleScriptTask\(SCRIPT, "(\w+)"', taken().source("PythonLink"))
    assert handlers == asked == ["startPython", "lastWords"]
    finished = body("RibbonCalibrate", "PanelcalFinished")
    assert "link.LastWords()" in finished and "ShowProblem reason" in finished and "StatusBar = False" in finished


def test_olevba_warns_of_what_the_buttons_need_and_it_is_explained():
    found = warnings_of_olevba()
    assert sorted(word for kind, word in found if kind == "Suspicious") == sorted(WORDS)
    told = DOC.read_text(encoding="utf-8").split("## What scanners say")[1].split("## ")[0]
    assert sorted(re.findall(r"^\| `([^`]+)` \|", told, re.M)) == sorted(WORDS)
    others = [word for kind, word in found if kind != "Suspicious"]
    assert others == ["8.dll"] and f"lists `{others[0]}`" in told and f"`xlwings64-{XLWINGS}.dll`" in told


def test_each_word_stands_where_it_is_said_to_stand():
    """Without the scanner: in code, outside comments and texts, and nowhere else than in the class that links."""
    for word, kinds in (("CreateObject", 1), ("Lib", 4), ("Call", 1)):
        where = {name: len(re.findall(rf"\b{word}\b", code(name))) for name in PROCEDURES}
        assert {name: times for name, times in where.items() if times} == {"PythonLink": kinds}, word
    for name in PROCEDURES:
        assert ("applescript" in taken().source(name).lower()) == (name == "PythonLink")


def test_what_a_workbook_can_name_is_told_to_administrators():
    told = DOC.read_text(encoding="utf-8").split("## What a workbook can reach")[1].split("## ")[0]
    numbers = dict(zip((2, 7, 9, 11), ("two", "seven", "nine", "eleven"), strict=True))
    functions, callbacks, behind = len(FUNCTIONS), len(DOORS["RibbonCalibrate"]), sum(map(len, BEHIND.values()))
    assert (
        f"can name {numbers[functions + callbacks]} of the add-in's procedures: {numbers[functions]} functions" in told
    )
    assert f"The other {numbers[behind]} stand in class modules" in told
    assert all(f"`{name}`" in told for name in DOORS["RibbonCalibrate"])
