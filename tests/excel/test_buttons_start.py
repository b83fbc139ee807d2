"""No click waits for what another button needs: what each loads, in a process of its own over the test engine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from panelcal.excel.clicks import PRESSES

ROOT = Path(__file__).parents[2]
PROGRAM = f"""
import json, sys
sys.path.insert(0, {str(ROOT / "tests")!r})
from panelcal.excel.clicks import press
from excel import engine
book = engine.start().books.open({str(ROOT / "workbook_templates" / "exam_board_example.xlsx")!r})
before = set(sys.modules)
told = press(int(sys.argv[1]), book.name)
print(json.dumps([told, engine.alerts, sorted(set(sys.modules) - before)]))
"""
EVERY = {"buttons", "session"}
SHEETS = {"read_sheet", "cell_traits"}
OURS = {"ownership", "native"}
WRITING = {"write_sheets", "dress_sheet", "draw_charts", "highlights", "native_windows"}
READING = SHEETS | OURS | {"calibrate_sheet", "cell_block", "function_headings", "out_of_date"}
# For each button its modules of excel/, the other rooms that it enters, and whether it computes with scipy.
NEEDS = {
    "calibrate": (READING | WRITING, {"calibration", "planning", "reading", "reporting", "systems", "run"}, True),
    "check": (READING, {"reading", "reporting", "systems", "run"}, True),
    "explain": (SHEETS | OURS | {"explain_value"}, {"reading", "reporting"}, False),
    "settings": (SHEETS | {"settings_sheet"}, {"reading", "reporting"}, False),
    "remove_results": (SHEETS | OURS, {"reading", "reporting"}, False),
    "help": (set(), set(), False),
    "new_from_template": ({"new_template"}, set(), False),
}
ROOMS = {"anchors", "calibration", "ordinal", "planning", "reading", "reporting", "systems", "run", "files", "commands"}


@pytest.mark.slow
@pytest.mark.parametrize("action", NEEDS)
def test_a_click_loads_what_its_button_needs_and_no_more(action, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    number = next(number for number, press in PRESSES.items() if press[0] == action)
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(number)], capture_output=True, text=True, check=True)
    told, alerts, loaded = json.loads(done.stdout)
    assert not told and not any("fault in the program" in alert for alert in alerts)
    own, rooms, computing = NEEDS[action]
    parts = [module.split(".") for module in loaded if module.startswith("panelcal.")]
    assert {part[2] for part in parts if part[1] == "excel"} == EVERY | own
    assert {part[1] for part in parts} & ROOMS == rooms
    assert ("scipy" in loaded) == computing
