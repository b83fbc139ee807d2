"""Ready-to-fill workbooks and filled examples: building them.

They are committed in `workbook_templates/`; ``python -m panelcal.files.build_templates FOLDER`` builds them again, part
for part the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

from panelcal.files.native_formulas import formula_names
from panelcal.files.write import report_bytes
from panelcal.reporting.model import Report
from panelcal.templates.ai_reviewers import empty_reviewers, filled_reviewers
from panelcal.templates.as_report import as_report
from panelcal.templates.conference_prize import empty_prize, filled_prize
from panelcal.templates.exam_board import board_report, empty_board, filled_board
from panelcal.templates.grant_panel import empty_grant_panel, filled_grant_panel
from panelcal.templates.judging import JudgingPanel, empty_judging, filled_judging
from panelcal.templates.judging_panels import JUDGING_PANELS
from panelcal.templates.live_board import empty_live_template, filled_live_template
from panelcal.templates.made_up import exam_board_marks
from panelcal.templates.template import Template


def _judging(describe: Callable[[JudgingPanel], Template], panel: JudgingPanel) -> Report:
    return as_report(describe(panel))


BUILDERS: Mapping[str, Callable[[], Report]] = MappingProxyType(
    {
        "exam_board": lambda: board_report(empty_board()),
        "exam_board_example": lambda: board_report(filled_board(board := exam_board_marks()), board),
        "grant_panel": lambda: as_report(empty_grant_panel()),
        "grant_panel_example": lambda: as_report(filled_grant_panel()),
        "conference_prize": lambda: as_report(empty_prize()),
        "conference_prize_example": lambda: as_report(filled_prize()),
        "ai_reviewers": lambda: as_report(empty_reviewers()),
        "ai_reviewers_example": lambda: as_report(filled_reviewers()),
        "live_board": lambda: empty_live_template(formula_names()),
        "live_board_example": lambda: filled_live_template(formula_names()),
        **{
            f"{panel.name}{ending}": partial(_judging, describe, panel)
            for panel in JUDGING_PANELS
            for ending, describe in (("", empty_judging), ("_example", filled_judging))
        },
    }
)


def template_bytes(name: str) -> bytes:
    """Build one template and return its .xlsx file: the same bytes each time."""
    return report_bytes(BUILDERS[name]())[0]


def build_templates(folder: Path) -> tuple[Path, ...]:
    """Build every template into the folder, over what is there, and return their paths."""
    paths = []
    for name in BUILDERS:
        path = folder / f"{name}.xlsx"
        path.write_bytes(template_bytes(name))
        paths.append(path)
    return tuple(paths)


if __name__ == "__main__":
    for built in build_templates(Path(sys.argv[1] if len(sys.argv) > 1 else "workbook_templates")):
        print(built)
