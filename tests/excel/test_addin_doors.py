"""What a workbook without macros can reach in the built add-in: fixed numbers and the functions for cells, no more."""

import re
from pathlib import Path

from excel.addin_reading import suspicious_words, taken

CALLBACKS = ["Calibrate", "Check", "Explain", "Settings", "RemoveResults", "Help", "NewFromTemplate", "Finished"]
FUNCTIONS = ["", "_BIAS", "_FIT", "_BOUND", "_COMPARE", "_CONFIDENCE", "_ANCHORED", "_ORDINAL", "_WHY"]
PROCEDURES = {
    "PythonLink": ["Press", "LastWords", "Server", "InstalledPlaces"],
    "RibbonCalibrate": [
        *(f"Panelcal{name}" for name in CALLBACKS),
        "PressButton",
        "CalledByRibbon",
        "ShowProblem",
        "LastLine",
    ],
    "CalibrateFunctions": [
        *(f"CALIBRATE{end}" for end in FUNCTIONS),
        "DescribeArguments",
        "AskPython",
        "InsertFunctionIsOpen",
        "EndWithSheets",
        "ToLastRow",
        "ToLastColumn",
        "Larger",
    ],
}
# What olevba warns of, and what needs it; the same list stands in docs/for-it.md.
WORDS = {
    "CreateObject": "InstalledPlaces reads the note of where Python is",
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
    assert "PythonLink" in taken().project.split("Class=")[1].split("\r\n")[0]
    declared = re.findall(r"^ +(\w+) Declare PtrSafe Function (\w+) Lib", taken().source("PythonLink"), re.M)
    assert {name for _, name in declared} == {"ActivateServer", "LoadLibrary"}
    assert {scope for scope, _ in declared} == {"Private"}
    for name in set(PROCEDURES) - {"PythonLink"}:
        assert not re.search(r"\b(?:Declare|Lib|CreateObject|AppleScriptTask)\b", code(name))


def test_nothing_else_that_starts_writes_or_changes_is_in_it():
    for name in taken().modules:
        for word in NEVER:
            assert not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code(name), re.I), (name, word)


def test_every_button_first_asks_who_calls():
    for name in ("PressButton", "PanelcalFinished"):
        first = [line.strip() for line in body("RibbonCalibrate", name).split("\r\n")[1:]]
        assert first[0].startswith("Dim ") and first[1] == "If Not CalledByRibbon() Then Exit Sub"
    kinds = re.findall(r'"(\w+)"', body("RibbonCalibrate", "CalledByRibbon"))
    assert kinds == ["Error", "Empty", "Null"]  # a shape is a String, a cell a Range, a sheet's control an array


def test_what_python_is_told_to_do_is_written_here_and_holds_nothing_of_a_workbook():
    started = re.findall(r"ActivateServer\(([^\r]*)\) <> 0 Then\r", taken().source("PythonLink"))
    assert started == ['found, """" & places(0) & """ -P -B -c ""import xlwings; xlwings.serve(\'$(CLSID)\')""", 1']
    called = re.findall(r"python\.Module\(([^)]*)\), ([^,]*), python\.Tuple\(([^)]*)\)", taken().source("PythonLink"))
    assert called == [('"panelcal.excel.clicks"', '"press"', "number, ActiveWorkbook")]
    asked = re.findall(r"CallUDF\(([^)]*)\)", taken().source("CalibrateFunctions"))
    assert asked == ["FUNCTIONS_MODULE, functionName, arguments, Nothing, Application.Caller"]
    names = re.findall(r" = AskPython\(([^,]*),", taken().source("CalibrateFunctions"))
    assert names == [f'"calibrate{end.lower()}"' for end in FUNCTIONS]


def test_the_place_of_python_comes_from_the_users_own_folder_alone():
    text = body("PythonLink", "InstalledPlaces")
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
    found = suspicious_words("\n".join(taken().source(name) for name in taken().modules))
    assert found == sorted(WORDS)
    listed = re.findall(r"^\| `([^`]+)` \|", DOC.read_text(encoding="utf-8").split("## What scanners say")[1], re.M)
    assert sorted(listed) == sorted(WORDS)
