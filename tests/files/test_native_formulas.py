"""The formulas as text: legal in Excel, stored as Excel stores them, up to date in all that is made from them."""

from __future__ import annotations

import io
import re
import zipfile
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from openpyxl import load_workbook

from files.formula_objections import LONGEST_COMMENT, LONGEST_FORMULA, objections
from files.package_checks import MAIN, check_package
from panelcal import __version__
from panelcal.files.formula_source import NamedFormula, formulas_folder, read_formulas, tokens
from panelcal.files.formula_storage import stored, variables
from panelcal.files.native_formulas import (
    FORMULA_ENVIRONMENT_FILE,
    NAME_MANAGER_FILE,
    comment_of,
    formula_environment_text,
    in_order_of_use,
    name_manager_text,
)
from panelcal.shipped import templates_folder
from panelcal.templates.live_results import FORMULAS, LIVE_SHEET

ALL = read_formulas()
NAMES = tuple(formula.name for formula in ALL)
LIVE = ("live_board", "live_board_example")
PUBLIC_NAMES = {"CALIBRATE.VALUES", "CALIBRATE.BIASES", "CALIBRATE.ERRORS", "CALIBRATE.FIT", "CALIBRATE.CONFIDENCE"}
METADATA = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sheetMetadata"


def named(name: str) -> NamedFormula:
    return next(formula for formula in ALL if formula.name == name)


@cache
def parts(template: str) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO((templates_folder() / f"{template}.xlsx").read_bytes())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def defined_names(template: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(parts(template)["xl/workbook.xml"])
    return {element.get("name", ""): element for element in root.iter(f"{MAIN}definedName")}


def live_part(template: str) -> str:
    titles = re.findall(r'<sheet [^>]*?name="([^"]*)"', parts(template)["xl/workbook.xml"].decode())
    return f"xl/worksheets/sheet{titles.index(LIVE_SHEET) + 1}.xml"


def test_the_five_names_are_there():
    assert set(NAMES) >= PUBLIC_NAMES
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_excel_has_nothing_to_object_to(name: str):
    assert objections(named(name), NAMES) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_legal_and_cannot_be_taken_for_a_cell_or_a_function_of_the_add_in(name: str):
    assert re.fullmatch(r"CALIBRATE\.[A-Z]+", name)


@pytest.mark.parametrize("name", NAMES)
def test_comments_fit_and_carry_the_version(name: str):
    comment = comment_of(named(name))
    assert len(comment) < LONGEST_COMMENT
    assert comment.endswith(f"[panelcal {__version__}]")


@pytest.mark.parametrize("name", NAMES)
def test_the_stored_text_is_short_enough_and_carries_every_prefix(name: str):
    text = stored(named(name).tokens)
    bare = re.sub(r'"(?:[^"]|"")*"', '""', text)
    assert len(text) < LONGEST_FORMULA
    assert "[" not in bare
    assert "=LAMBDA" not in bare
    assert not bare.startswith("=")
    assert bare.count("(") == bare.count(")")
    for function in ("LET", "LAMBDA", "ISOMITTED", "SEQUENCE", "REDUCE", "MUNIT", "HSTACK", "VSTACK", "TOCOL"):
        assert len(re.findall(rf"(?<![A-Z.]){function}\(", bare)) == 0, function
    assert len(re.findall(r"(?<!_xlws\.)\bFILTER\(", bare)) == 0
    for variable in variables(named(name).tokens):
        assert not re.search(rf"(?<![A-Za-z_.]){variable}(?![A-Za-z_.(])", bare), f"{variable} lacks its prefix"


@pytest.mark.parametrize("name", NAMES)
def test_optional_parameters_are_marked_in_the_list_only(name: str):
    text = stored(named(name).tokens)
    head = re.match(r"_xlfn\.LAMBDA\((?:_xl[po][mp]\.[a-z]+,)+", text)
    assert head is not None
    assert "_xlop." not in text[head.end() :]
    assert text.count("_xlop.") == named(name).one_line.split(",LET(")[0].count("[")


def test_prefixes_as_excel_for_mac_was_seen_to_write_them():
    assert stored("=LAMBDA(x,[y],IF(ISOMITTED(y),LET(total,x*2,total),x))") == (
        "_xlfn.LAMBDA(_xlpm.x,_xlop.y,IF(_xlfn.ISOMITTED(_xlpm.y),_xlfn.LET(_xlpm.total,_xlpm.x*2,_xlpm.total),_xlpm.x))"
    )
    assert stored('=FILTER(A1,B1="x""y")+ANCHORARRAY(D5)') == '_xlfn._xlws.FILTER(A1,B1="x""y")+_xlfn.ANCHORARRAY(D5)'


@pytest.mark.parametrize(
    ("formula", "complaint"),
    [
        ("LAMBDA(a1,a1)", "a1 is no legal name"),
        ("LAMBDA(r,r)", "r is no legal name"),
        ("LAMBDA(x,LET(error,x,error))", "error is no legal name"),
        ("LAMBDA(x,LET(count,x,count))", "count is no legal name"),
        ("LAMBDA(x,x+z)", "z is not defined"),
        ("LAMBDA(x,NOFUNCTION(x))", "NOFUNCTION is no function"),
        ("LAMBDA(x,(x)", "do not pair up"),
        (f'LAMBDA(x,"{"y" * 256}")', "a text of 258"),
        ("LAMBDA(x," + "(" * 65 + "x" + ")" * 65 + ")", "nested too deeply"),
        ("LAMBDA(x," + "+".join(["x"] * 2000) + ")", "characters"),
    ],
)
def test_what_excel_would_refuse_is_found(formula: str, complaint: str):
    found = objections(NamedFormula("CALIBRATE.X", "", tuple(tokens(formula)), formula), NAMES)
    assert complaint in " ".join(found)


def test_a_source_with_anything_else_in_it_is_refused():
    with pytest.raises(ValueError, match="neither a formula nor a comment"):
        read_formulas("/** x */\nCALIBRATE.X = LAMBDA(a,\n a\n);\nnonsense")
    with pytest.raises(ValueError, match="no formula from here on"):
        list(tokens("LAMBDA(x,x#)"))


def test_the_committed_texts_are_what_the_code_writes():
    folder = formulas_folder()
    rebuild = "rebuild with: python -m panelcal.files.native_formulas addin/formulas"
    assert (folder / NAME_MANAGER_FILE).read_text(encoding="utf-8") == name_manager_text(), rebuild
    assert (folder / FORMULA_ENVIRONMENT_FILE).read_text(encoding="utf-8") == formula_environment_text(), rebuild


def test_each_name_to_paste_follows_those_it_calls():
    seen: set[str] = set()
    for formula in in_order_of_use(ALL):
        called = {token.text for token in formula.tokens if token.text in NAMES}
        assert called <= seen
        seen.add(formula.name)
    assert seen == set(NAMES)


def test_the_name_manager_text_holds_every_formula_in_one_line():
    lines = name_manager_text().splitlines()
    for formula in ALL:
        assert f"={formula.one_line}" in lines
        assert f"Name:      {formula.name}" in lines


def test_the_formula_environment_text_is_a_module_of_short_names_that_call_by_full_names():
    text = formula_environment_text()
    for formula in ALL:
        short = formula.name.removeprefix("CALIBRATE.")
        assert len(re.findall(rf"^{short} = LAMBDA\(", text, re.M)) == 1
    assert not re.search(r"^CALIBRATE\.[A-Z]+ =", text, re.M)
    assert "CALIBRATE.SOLVE(" in text


@pytest.mark.parametrize("template", LIVE)
def test_a_live_template_is_a_sound_package(template: str, tmp_path: Path):
    path = tmp_path / "live.xlsx"
    path.write_bytes((templates_folder() / f"{template}.xlsx").read_bytes())
    check_package(path)


@pytest.mark.parametrize("template", LIVE)
def test_the_names_in_a_template_are_the_formulas_of_the_source(template: str):
    found = defined_names(template)
    for formula in ALL:
        element = found[formula.name]
        assert element.text == stored(formula.tokens)
        assert element.get("comment") == comment_of(formula)
        assert element.get("localSheetId") is None
        assert element.get("hidden") is None
    for name in ("board_marks", "board_credits", "board_candidates", "board_modules"):
        assert re.fullmatch(r"Marks!\$[A-Z]+\$\d+:\$[A-Z]+\$\d+", found[name].text or "")


@pytest.mark.parametrize("template", LIVE)
def test_the_dynamic_array_metadata_is_complete(template: str):
    held = parts(template)
    metadata = ElementTree.fromstring(held["xl/metadata.xml"])
    (kind,) = metadata.iter(f"{MAIN}metadataType")
    assert (kind.get("name"), kind.get("cellMeta")) == ("XLDAPR", "1")
    assert b'fDynamic="1"' in held["xl/metadata.xml"]
    (record,) = metadata.find(f"{MAIN}cellMetadata").iter(f"{MAIN}rc")
    assert (record.get("t"), record.get("v")) == ("1", "0")
    relations = [item.attrib for item in ElementTree.fromstring(held["xl/_rels/workbook.xml.rels"])]
    assert [item["Target"] for item in relations if item["Type"] == METADATA] == ["metadata.xml"]
    assert len({item["Id"] for item in relations}) == len(relations)
    assert held["[Content_Types].xml"].count(b"sheetMetadata+xml") == 1
    assert "xl/calcChain.xml" not in held


@pytest.mark.parametrize("template", LIVE)
def test_every_formula_of_live_results_may_spill_and_all_its_cells_hold_values(template: str):
    root = ElementTree.fromstring(parts(template)[live_part(template)])
    cells = {cell.get("r"): cell for cell in root.iter(f"{MAIN}c")}
    anchors = {at: cell for at, cell in cells.items() if cell.find(f"{MAIN}f") is not None}
    assert set(anchors) == set(FORMULAS)
    covered: set[str] = set()
    sheet = load_workbook(io.BytesIO((templates_folder() / f"{template}.xlsx").read_bytes()))[LIVE_SHEET]
    for at, cell in anchors.items():
        formula = cell.find(f"{MAIN}f")
        assert formula is not None
        assert formula.get("t") == "array"
        assert cell.get("cm") == "1"
        assert formula.text == stored(FORMULAS[at])
        block = sheet[formula.get("ref", "")]
        rows = block if isinstance(block, tuple) else ((block,),)
        within = {one.coordinate for row in rows for one in row}
        assert at in within
        assert not within & covered, "two spills overlap"
        covered |= within
    for at, cell in cells.items():
        if at in covered:
            assert cell.find(f"{MAIN}v") is not None, at
        assert (cell.get("cm") == "1") == (at in anchors)


def test_the_formulas_of_live_results_are_legal_too():
    known = (*NAMES, "TINV", "IFERROR")
    for formula in FORMULAS.values():
        pieces = tuple(tokens(formula))
        found = objections(NamedFormula("CELL", "", pieces, formula), known)
        # Cells and the four names of the board stand for themselves there.
        assert all(re.fullmatch(r"([A-Z][0-9]+|board_[a-z]+) is not defined", one) for one in found), found
        assert "{" not in formula
