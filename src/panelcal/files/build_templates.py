"""Ready-to-fill workbooks and filled examples: building them.

They are committed in `workbook_templates/`; ``python -m panelcal.files.build_templates FOLDER`` builds them again, part
for part the same.
"""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from openpyxl.writer.excel import ExcelWriter

from panelcal.files.board_template import build_board, empty_board, filled_board
from panelcal.files.grant_template import empty_grant_panel, filled_grant_panel
from panelcal.files.judging_panels import JUDGING_PANELS
from panelcal.files.judging_template import JudgingPanel, empty_judging, filled_judging
from panelcal.files.live_template import LiveBook, empty_live_template, filled_live_template
from panelcal.files.made_up import exam_board_marks
from panelcal.files.package import package_bytes
from panelcal.files.prize_template import empty_prize, filled_prize
from panelcal.files.reviewers_template import empty_reviewers, filled_reviewers
from panelcal.files.template_data import Template
from panelcal.files.template_sheets import TemplateBook, build_book


def _judging(describe: Callable[[JudgingPanel], Template], panel: JudgingPanel) -> TemplateBook:
    return build_book(describe(panel))


BUILDERS: Mapping[str, Callable[[], TemplateBook]] = MappingProxyType(
    {
        "exam_board": lambda: build_board(empty_board()),
        "exam_board_example": lambda: build_board(filled_board(board := exam_board_marks()), board),
        "grant_panel": lambda: build_book(empty_grant_panel()),
        "grant_panel_example": lambda: build_book(filled_grant_panel()),
        "conference_prize": lambda: build_book(empty_prize()),
        "conference_prize_example": lambda: build_book(filled_prize()),
        "ai_reviewers": lambda: build_book(empty_reviewers()),
        "ai_reviewers_example": lambda: build_book(filled_reviewers()),
        "live_board": empty_live_template,
        "live_board_example": filled_live_template,
        **{
            f"{panel.name}{ending}": partial(_judging, describe, panel)
            for panel in JUDGING_PANELS
            for ending, describe in (("", empty_judging), ("_example", filled_judging))
        },
    }
)


def template_bytes(name: str) -> bytes:
    """Build one template and return its .xlsx file: the same bytes each time."""
    book = BUILDERS[name]()
    saved = io.BytesIO()
    # Workbook.save would stamp the time of saving over the date that was set.
    ExcelWriter(book.workbook, zipfile.ZipFile(saved, "w")).save()
    with zipfile.ZipFile(saved) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    for number, sheet in enumerate(book.workbook.worksheets, start=1):
        part = f"xl/worksheets/sheet{number}.xml"
        parts[part] = _with_formula_values(parts[part], sheet.title, book.formula_values)
    return package_bytes(book.finished(parts) if isinstance(book, LiveBook) else parts)


def build_templates(folder: Path) -> tuple[Path, ...]:
    """Build every template into the folder, over what is there, and return their paths."""
    paths = []
    for name in BUILDERS:
        path = folder / f"{name}.xlsx"
        path.write_bytes(template_bytes(name))
        paths.append(path)
    return tuple(paths)


def _with_formula_values(xml: bytes, sheet: str, values: Mapping[tuple[str, str], float]) -> bytes:
    """Store what the formulas come to beside them, as Excel does: a reader or previewer would see blanks otherwise."""

    def filled(match: re.Match[bytes]) -> bytes:
        return match[1] + b"<v>" + repr(values[sheet, match[2].decode()]).encode() + b"</v>"

    return re.sub(rb'(<c r="([A-Z]+[0-9]+)"[^>]*><f>[^<]*</f>)<v ?/?>(?:</v>)?', filled, xml)


if __name__ == "__main__":
    for built in build_templates(Path(sys.argv[1] if len(sys.argv) > 1 else "workbook_templates")):
        print(built)
