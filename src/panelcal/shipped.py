"""The files that an installed panelcal carries, and the ready-made workbooks among them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from panelcal.errors import FileProblem

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

TEMPLATES = "workbook_templates"
TEMPLATE_NAMES = (
    "exam_board",
    "exam_board_example",
    "grant_panel",
    "grant_panel_example",
    "conference_prize",
    "conference_prize_example",
    "ai_reviewers",
    "ai_reviewers_example",
    "live_board",
    "live_board_example",
    "job_panel",
    "job_panel_example",
    "promotion_panel",
    "promotion_panel_example",
    "star_panel",
    "star_panel_example",
    "music_competition",
    "music_competition_example",
    "wine_competition",
    "wine_competition_example",
    "rubric",
    "rubric_example",
)
"""Ready-made workbooks, in the order in which they are offered; Excel knows them by number, so new ones come last."""


def shipped_folder(name: str) -> Traversable:
    """Return a folder that is inside an installed package, or at the top of a source checkout.

    Raises
    ------
    FileProblem
        If it is in neither.
    """
    from importlib.resources import files  # here, because a command that needs the names only does not wait for these
    from pathlib import Path

    package = files("panelcal")
    for place in (package / name, Path(str(package)).parents[1] / name):
        if place.is_dir():
            return place
    raise FileProblem(f"The folder {name} is missing from this installation of panelcal: install it again.")


def templates_folder() -> Traversable:
    """Return the folder of ready-made workbooks.

    Raises
    ------
    FileProblem
        If it is missing.
    """
    return shipped_folder(TEMPLATES)


def template_content(name: str) -> bytes:
    """Return a ready-made workbook.

    Raises
    ------
    FileProblem
        If there is none of that name, or the folder of them is missing.
    """
    if name not in TEMPLATE_NAMES:
        raise FileProblem(f'There is no template "{name}". There are: {", ".join(TEMPLATE_NAMES)}.')
    return (templates_folder() / f"{name}.xlsx").read_bytes()
