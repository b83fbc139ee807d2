"""Ready-to-fill workbooks and filled examples: handing them out.

They are built by `build_templates` and committed in `workbook_templates/`. What an installed panelcal hands out is the
copy of that folder inside the package.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.files.saving import check_target, save_bytes
from panelcal.files.template_names import TEMPLATE_NAMES


def templates_folder() -> Traversable:
    """Return the folder of finished templates: inside an installed package, or at the top of a source checkout.

    Raises
    ------
    FileProblem
        If neither is there.
    """
    package = files("panelcal")
    installed = package / "workbook_templates"
    if installed.is_dir():
        return installed
    checkout = Path(str(package)).parents[1] / "workbook_templates"
    if checkout.is_dir():
        return checkout
    raise FileProblem("The templates are missing from this installation of panelcal: install it again.")


def write_template(name: str, target: Path, *, overwrite: bool = False) -> None:
    """Copy a template to `target`, wholly or not at all.

    Raises
    ------
    FileProblem
        If there is no template of that name, the target exists already (and `overwrite` is false) or cannot be written.
    """
    if name not in TEMPLATE_NAMES:
        raise FileProblem(f'There is no template "{name}". There are: {", ".join(TEMPLATE_NAMES)}.')
    check_target(target, overwrite=overwrite)
    content = (templates_folder() / f"{name}.xlsx").read_bytes()
    save_bytes(content, target, overwrite=overwrite)
