"""Ready-to-fill workbooks and filled examples: handing them out.

They are built by `build_templates` and committed in `workbook_templates/`. What an installed panelcal hands out is the
copy of that folder inside the package.
"""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

from panelcal.files.saving import check_target, save_bytes
from panelcal.shipped import TEMPLATES, shipped_folder, template_content


def templates_folder() -> Traversable:
    """Return the folder of finished templates.

    Raises
    ------
    FileProblem
        If it is missing.
    """
    return shipped_folder(TEMPLATES)


def write_template(name: str, target: Path, *, overwrite: bool = False) -> None:
    """Copy a template to `target`, wholly or not at all.

    Raises
    ------
    FileProblem
        If there is no template of that name, the target exists already (and `overwrite` is false) or cannot be written.
    """
    content = template_content(name)
    check_target(target, overwrite=overwrite)
    save_bytes(content, target, overwrite=overwrite)
