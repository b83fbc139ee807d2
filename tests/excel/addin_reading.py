"""Takes a built add-in apart again, with olefile and oletools and a reader of `dir` records of its own."""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from dataclasses import dataclass, field
from functools import cache

import olefile
from addin.build.make import build_addin

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # oletools is no code of ours
    from oletools.mraptor import MacroRaptor
    from oletools.olevba import VBA_Parser, decompress_stream


@dataclass
class Taken:
    """An add-in in pieces."""

    data: bytes
    package: zipfile.ZipFile = field(init=False)
    compound: olefile.OleFileIO = field(init=False)
    records: list[tuple[int, bytes]] = field(init=False)

    def __post_init__(self):
        """Open what is inside."""
        self.package = zipfile.ZipFile(io.BytesIO(self.data))
        binary = self.package.read("xl/vbaProject.bin")
        self.compound = olefile.OleFileIO(io.BytesIO(binary), raise_defects=olefile.DEFECT_INCORRECT)
        self.records = list(_records(decompressed(self.stream("VBA/dir"))))

    def stream(self, name: str) -> bytes:
        """One stream of the VBA project, as stored."""
        return self.compound.openstream(name).read()

    def source(self, name: str) -> str:
        """The text of a module."""
        return decompressed(self.stream(f"VBA/{name}")).decode("cp1252")

    @property
    def project(self) -> str:
        """The PROJECT stream."""
        return self.stream("PROJECT").decode("cp1252")

    @property
    def modules(self) -> dict[str, dict[int, bytes]]:
        """The records of each module of `dir`, by name."""
        found: dict[str, dict[int, bytes]] = {}
        current: dict[int, bytes] = {}
        for kind, content in self.records:
            if kind == 0x19:
                current = found.setdefault(content.decode("cp1252"), {})
            current[kind] = content
        return found

    def vba_seen_by_olevba(self) -> dict[str, str]:
        """What olevba finds, by module."""
        parser = VBA_Parser("panelcal.xlam", data=self.data)
        return {path.removesuffix(".bas").removesuffix(".cls"): text for _, _, path, text in parser.extract_macros()}


def decompressed(data: bytes) -> bytes:
    """Undo the compression of [MS-OVBA], by oletools."""
    return bytes(decompress_stream(bytearray(data)))


def raptor(text: str) -> MacroRaptor:
    """What mraptor thinks of a source text."""
    found = MacroRaptor(text)
    found.scan()
    return found


@cache
def taken() -> Taken:
    """The add-in of this release."""
    return Taken(build_addin())


def warnings_of_olevba() -> list[tuple[str, str]]:
    """What olevba says of the built file: kinds and words."""
    parser = VBA_Parser("panelcal.xlam", data=taken().data)
    return sorted({(kind, word) for kind, word, _ in parser.analyze_macros()})


def _records(data: bytes):
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<HI", data, at)
        size += 2 if kind == 0x09 else 0
        yield kind, data[at + 6 : at + 6 + size]
        at += 6 + size
    assert at == len(data)
