"""A `vbaProject.bin` from the text of its modules ([MS-OVBA]), without Excel and without compiled code inside.

The stream `_VBA_PROJECT` carries the version that tells Excel to compile the text itself when it loads the file.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from addin.build.compound_file import compound_file
from addin.build.compression import compress

ENCODING = "cp1252"
LONGEST_LINE = 1023
MOST_CONTINUATIONS = 24
LONGEST_NAME = 31

Kind = Literal["document", "class", "standard"]

_WORKBOOK = "0{00020819-0000-0000-C000-000000000046}"
_WORKSHEET = "0{00020820-0000-0000-C000-000000000046}"
_CLASS = "0{FCFB3D2A-A0FA-1068-A738-08002B3371B5}"
_PROJECT_ID = "{4B1D5B0E-6C0F-4F0A-9A55-3F2A7C1E8D42}"
_NO_COMPILED_CODE = b"\xcc\x61\xff\xff\x00\x01\x00"
_CODE_PAGE = 1252
# Excel adds these two libraries to every project; VBA itself and Excel come without being named.
_REFERENCES = (
    ("stdole", r"*\G{00020430-0000-0000-C000-000000000046}#2.0#0#C:\Windows\System32\stdole2.tlb#OLE Automation"),
    (
        "Office",
        r"*\G{2DF8D04C-5BFA-101B-BDE5-00AA0044DE52}#2.0#0"
        r"#C:\Program Files\Common Files\Microsoft Shared\OFFICE16\MSO.DLL#Microsoft Office 16.0 Object Library",
    ),
)
_WORD = {"document": "Document", "class": "Class", "standard": "Module"}


@dataclass(frozen=True, slots=True)
class Module:
    """One VBA module.

    Attributes
    ----------
    name
        Its name: a letter, then letters, digits and underscores, at most 31 in all.
    kind
        "document" (the workbook or a sheet), "class" or "standard".
    text
        Its whole source as the file holds it: attribute lines first, each line ended by CR LF.
    """

    name: str
    kind: Kind
    text: str

    @property
    def source(self) -> bytes:
        """The text in the code page of the project."""
        return self.text.encode(ENCODING)


def module(name: str, kind: Kind, text: str) -> Module:
    """Make a module of text as an editor or the VBA editor's export saves it.

    Raises
    ------
    ValueError
        If the name, a line or a character is none that VBA accepts.
    """
    text = re.sub(r"\r\n|\r|\n", "\r\n", text).rstrip("\r\n") + "\r\n"
    text = re.sub(r"\AVERSION 1\.0 CLASS\r\nBEGIN\r\n.*?\r\nEND\r\n", "", text, flags=re.DOTALL)
    match = re.match(r"(?:Attribute VB_\w+ = [^\r]*\r\n)*", text)
    head = match[0] if match else ""
    attributes = _default_attributes(name, kind) | dict(re.findall(r"Attribute (VB_\w+) = ([^\r]*)\r\n", head))
    lines = "".join(f"Attribute {key} = {value}\r\n" for key, value in attributes.items())
    made = Module(name, kind, lines + text[len(head) :].lstrip("\r\n"))
    if attributes["VB_Name"] != f'"{name}"':
        raise ValueError(f"The module {name} calls itself {attributes['VB_Name']}.")
    _check(made)
    return made


def vba_project(name: str, modules: Sequence[Module], description: str = "") -> bytes:
    """Return the bytes of `vbaProject.bin`: the same for the same modules.

    Raises
    ------
    ValueError
        If two modules, or a module and the project, share a name.
    """
    taken = [entry.name.lower() for entry in modules]
    if len(set(taken)) < len(taken) or name.lower() in taken:
        raise ValueError(f"Two modules of the project {name}, or one and the project itself, share a name.")
    storage: dict[str, bytes] = {
        "_VBA_PROJECT": _NO_COMPILED_CODE,
        "dir": compress(_dir_stream(name, modules, description)),
    }
    storage |= {entry.name: compress(entry.source) for entry in modules}
    names = b"".join(entry.name.encode(ENCODING) + b"\0" + _wide(entry.name) + b"\0\0" for entry in modules)
    return compound_file({"VBA": storage, "PROJECT": _project_stream(name, modules), "PROJECTwm": names + b"\0\0"})


def encrypted(data: bytes, project_id: str, seed: int) -> str:
    """Return `data` as the hexadecimal digits in which PROJECT hides its protection state ([MS-OVBA] 2.4.3)."""
    key = sum(project_id.encode("ascii")) & 0xFF
    out = [seed, seed ^ 2, seed ^ key]
    before, last, last_but_one = key, seed ^ key, seed ^ 2
    ignored = bytes([7] * ((seed & 6) // 2))
    for byte in ignored + struct.pack("<I", len(data)) + data:
        hidden = byte ^ ((last_but_one + before) & 0xFF)
        out.append(hidden)
        last_but_one, last, before = last, hidden, byte
    return bytes(out).hex().upper()


def _default_attributes(name: str, kind: Kind) -> dict[str, str]:
    """Attribute lines that a module must have, in the order in which Excel writes them."""
    attributes = {"VB_Name": f'"{name}"'}
    if kind == "standard":
        return attributes
    document = kind == "document"
    base = (_WORKBOOK if name == "ThisWorkbook" else _WORKSHEET) if document else _CLASS
    return attributes | {
        "VB_Base": f'"{base}"',
        "VB_GlobalNameSpace": "False",
        "VB_Creatable": "False",
        "VB_PredeclaredId": str(document),
        "VB_Exposed": str(document),
        "VB_TemplateDerived": "False",
        "VB_Customizable": str(document),
    }


def _check(made: Module) -> None:
    """Hold a module against the limits of VBA, which Excel reports only when it is too late."""
    if not re.fullmatch(rf"[A-Za-z]\w{{0,{LONGEST_NAME - 1}}}", made.name, re.ASCII):
        raise ValueError(f"{made.name} cannot be the name of a module.")
    made.source  # noqa: B018  raises on a character outside the code page
    continued = 0
    for number, line in enumerate(made.text.split("\r\n"), 1):
        continued = continued + 1 if line.endswith(" _") else 0
        if len(line) > LONGEST_LINE:
            raise ValueError(f"Line {number} of the module {made.name} is longer than {LONGEST_LINE} characters.")
        if continued > MOST_CONTINUATIONS:
            raise ValueError(f"Line {number} of the module {made.name} goes on for too many lines.")


def _dir_stream(name: str, modules: Sequence[Module], description: str) -> bytes:
    """Records of [MS-OVBA] 2.3.4.2; their order is part of the format."""
    out = _record(0x01, _u32(3)) + _record(0x02, _u32(0x409)) + _record(0x14, _u32(0x409))
    out += _record(0x03, struct.pack("<H", _CODE_PAGE)) + _record(0x04, name.encode(ENCODING))
    out += _twice(0x05, 0x40, description) + _record(0x06, b"") + _record(0x3D, b"")
    out += _record(0x07, _u32(0)) + _record(0x08, _u32(0))
    out += struct.pack("<HIIH", 0x09, 4, 1, 1)  # the version: by the specification its size says 4 where 6 bytes follow
    out += _twice(0x0C, 0x3C, "")
    for reference, library in _REFERENCES:
        path = library.encode(ENCODING)
        out += _twice(0x16, 0x3E, reference) + _record(0x0D, _u32(len(path)) + path + bytes(6))
    out += _record(0x0F, struct.pack("<H", len(modules))) + _record(0x13, b"\xff\xff")
    for entry in modules:
        out += _twice(0x19, 0x47, entry.name) + _twice(0x1A, 0x32, entry.name) + _twice(0x1C, 0x48, "")
        out += _record(0x31, _u32(0)) + _record(0x1E, _u32(0)) + _record(0x2C, b"\xff\xff")
        out += _record(0x21 if entry.kind == "standard" else 0x22, b"") + _record(0x2B, b"")
    return out + _record(0x10, b"")


def _project_stream(name: str, modules: Sequence[Module]) -> bytes:
    """The PROJECT stream ([MS-OVBA] 2.3.1), an old-fashioned settings file of a project neither locked nor hidden."""
    lines = [f'ID="{_PROJECT_ID}"']
    for entry in modules:
        lines.append(f"{_WORD[entry.kind]}={entry.name}" + ("/&H00000000" if entry.kind == "document" else ""))
    lines += [
        f'Name="{name}"',
        'HelpContextID="0"',
        'VersionCompatible32="393222000"',
        f'CMG="{encrypted(bytes(4), _PROJECT_ID, 0x5D)}"',
        f'DPB="{encrypted(bytes(1), _PROJECT_ID, 0x5E)}"',
        f'GC="{encrypted(bytes([255]), _PROJECT_ID, 0x5F)}"',
        "",
        "[Host Extender Info]",
        "&H00000001={3832D640-CF90-11CF-8E43-00A0C911005A};VBE;&H00000000",
        "",
        "[Workspace]",
    ]
    lines += [f"{entry.name}=0, 0, 0, 0, C" for entry in modules]
    return ("\r\n".join(lines) + "\r\n").encode(ENCODING)


def _record(identifier: int, data: bytes) -> bytes:
    return struct.pack("<HI", identifier, len(data)) + data


def _twice(narrow: int, wide: int, text: str) -> bytes:
    """A text once in the code page and once in UTF-16, as many records ask for it."""
    return _record(narrow, text.encode(ENCODING)) + _record(wide, _wide(text))


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le")


def _u32(value: int) -> bytes:
    return struct.pack("<I", value)
