"""Which sheets of a workbook are ours: each carries a hidden name, so that a renamed sheet is still known as ours."""

from __future__ import annotations

from panelcal.errors import FileProblem
from panelcal.files.in_memory import File
from panelcal.files.package import UNREADABLE, Parts, read_parts, sheet_elements, utf8, workbook_part
from panelcal.files.xml_edits import outline
from panelcal.reporting.names import MARK, marked_sheet


def own_sheets(path: File) -> list[str]:
    """Names of the sheets in a workbook that panelcal made, in the order of the tabs.

    Raises
    ------
    FileProblem
        If the file cannot be read as a workbook.
    """
    try:
        parts = read_parts(path)
        names = [element.attributes.get("name", "") for element in sheet_elements(parts)]
        marked = {
            marked_sheet(reference).casefold()
            for name, reference in defined_names(parts).items()
            if name.startswith(MARK)
        }
    except UNREADABLE as error:
        raise FileProblem(f"{path.name} cannot be read as a workbook.") from error
    return [name for name in names if name.casefold() in marked]


def defined_names(parts: Parts) -> dict[str, str]:
    """Workbook-wide defined names and what they refer to."""
    part = utf8(parts[workbook_part(parts)])
    names = outline(part).find("definedNames")
    if names is None:
        return {}
    return {
        element.attributes.get("name", ""): _unescape(part[element.inner_start : element.inner_end].decode())
        for element in names.all("definedName")
        if "localSheetId" not in element.attributes
    }


def _unescape(text: str) -> str:
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text
