"""Calibration as names in a workbook: the formulas of `addin/formulas/source.txt`, in every form in which they travel.

``python -m panelcal.files.native_formulas FOLDER`` writes the two texts to paste; `formula_names` are those of a
workbook.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from panelcal.files.formula_source import NamedFormula, read_formulas
from panelcal.files.formula_storage import stored
from panelcal.reporting.forms import Name
from panelcal.version import __version__

MODULE = "CALIBRATE"
NAME_MANAGER_FILE, FORMULA_ENVIRONMENT_FILE = "paste_name_manager.txt", "paste_formula_environment.txt"


def comment_of(formula: NamedFormula) -> str:
    """Return what Excel shows beside the name, version included."""
    return f"{formula.comment} [panelcal {__version__}]"


def formula_names() -> tuple[Name, ...]:
    """Return all formulas as names for a workbook."""
    return tuple(Name(formula.name, stored(formula.tokens), comment_of(formula)) for formula in read_formulas())


def in_order_of_use(formulas: Sequence[NamedFormula]) -> tuple[NamedFormula, ...]:
    """Return the formulas so that each stands behind all that it calls, and can be typed in that order."""
    placed: list[NamedFormula] = []
    waiting = list(formulas)
    while waiting:
        names = {formula.name for formula in waiting}
        ready = [
            formula for formula in waiting if not names & ({token.text for token in formula.tokens} - {formula.name})
        ]
        if not ready:
            raise ValueError("formulas call each other in a circle")
        placed += ready
        waiting = [formula for formula in waiting if formula not in ready]
    return tuple(placed)


def name_manager_text() -> str:
    """Return the text from which the names can be typed into Excel's Name Manager one by one."""
    formulas = in_order_of_use(read_formulas())
    head = (
        f"Calibration with confidence in Excel formulas. Made by panelcal {__version__} from source.txt.\n\n"
        f"In Excel 365 or 2024: Formulas > Name Manager > New, once for each of the {len(formulas)} names, in this "
        "order.\nCopy the name, the comment and the whole line that begins with =LAMBDA into the boxes Name, Comment\n"
        "and Refers to; leave Scope at Workbook. Easier, where the workbook can be started afresh: begin with\n"
        "live_board.xlsx, which has them.\n"
    )
    blocks = (
        f"Name:      {formula.name}\nComment:   {comment_of(formula)}\nRefers to:\n={formula.one_line}\n"
        for formula in formulas
    )
    return head + "".join(f"\n{'-' * 40}\n{block}" for block in blocks)


def formula_environment_text() -> str:
    """Return the text of a module for the Advanced Formula Environment of Excel Labs."""
    head = (
        f"// Calibration with confidence in Excel formulas. Made by panelcal {__version__} from source.txt.\n"
        f"// In Excel Labs: Advanced Formula Environment > Modules > New module, named {MODULE}; paste all of this and "
        "save.\n// The module's name becomes the first half of each name: VALUES is called as "
        f"{MODULE}.VALUES.\n"
    )
    blocks = (
        formula.source.replace(f"\n{formula.name} =", f"\n{formula.name.removeprefix(f'{MODULE}.')} =").replace(
            " */", f" [panelcal {__version__}] */", 1
        )
        for formula in in_order_of_use(read_formulas())
    )
    return head + "".join(f"\n{block}\n" for block in blocks)


def write_texts(folder: Path) -> tuple[Path, ...]:
    """Write both texts into the folder, over what is there, and return their paths."""
    paths = []
    for name, text in (
        (NAME_MANAGER_FILE, name_manager_text()),
        (FORMULA_ENVIRONMENT_FILE, formula_environment_text()),
    ):
        path = folder / name
        path.write_bytes(text.encode("utf-8"))
        paths.append(path)
    return tuple(paths)


if __name__ == "__main__":
    for written in write_texts(Path(sys.argv[1] if len(sys.argv) > 1 else "addin/formulas")):
        print(written)
