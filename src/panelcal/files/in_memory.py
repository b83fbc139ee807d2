"""A file that is on no disk here, only in memory: what is dropped on a page, or comes from another program."""

from __future__ import annotations

import io
from pathlib import Path, PurePath


class FileBytes(io.BytesIO):
    """The bytes of a file under its name, for whatever else takes a `Path`.

    Attributes
    ----------
    name
        Name of the file, without a folder.
    """

    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(content)
        self.name = PurePath(name.replace("\\", "/")).name or "scores"

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return PurePath(self.name).stem

    @property
    def suffix(self) -> str:
        """The ending, such as ".xlsx"."""
        return PurePath(self.name).suffix

    def read_bytes(self) -> bytes:
        """Return everything."""
        return self.getvalue()


File = Path | FileBytes
"""A file to read, on disk or in memory."""
