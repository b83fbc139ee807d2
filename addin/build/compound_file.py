"""Compound files ([MS-CFB] version 3): the little file system in which Office keeps a VBA project.

Only what a VBA project needs: streams and one level of storages below the root, no dates, no class identifiers. Streams
below 4096 bytes go to the mini stream as the specification demands.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

Tree = Mapping[str, "bytes | Tree"]

_SECTOR, _MINI_SECTOR, _MINI_LIMIT = 512, 64, 4096
_ENTRIES_IN_SECTOR = _SECTOR // 4
_END, _FREE, _FAT_SECTOR, _NO_STREAM = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0xFFFFFFFF
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_RED, _BLACK = 0, 1
_FAT_SECTORS_IN_HEADER = 109


@dataclass(slots=True)
class _Entry:
    """One directory entry; `left`, `right` and `child` are numbers of other entries."""

    name: str
    kind: int
    data: bytes = b""
    left: int = _NO_STREAM
    right: int = _NO_STREAM
    child: int = _NO_STREAM
    colour: int = _BLACK
    start: int = 0
    size: int = 0

    def packed(self) -> bytes:
        name = self.name.encode("utf-16-le") + b"\0\0"
        if len(name) > 64:
            raise ValueError(f"The name {self.name} is too long for a compound file.")
        return name.ljust(64, b"\0") + struct.pack(
            "<HBBIII16sIQQIQ",
            *(len(name), self.kind, self.colour, self.left, self.right, self.child, bytes(16), 0, 0, 0),
            *(self.start, self.size),
        )


class _Sectors:
    """The sectors written so far and the table that chains them."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.table: list[int] = []

    def append(self, data: bytes) -> int:
        """Write `data` to new sectors and return the number of the first one."""
        first, count = len(self.table), -(-len(data) // _SECTOR)
        self.table += _chain(first, count)
        self.data += data.ljust(count * _SECTOR, b"\0")
        return first


def compound_file(tree: Tree) -> bytes:
    """Return a compound file with the given streams (bytes) and storages (mappings).

    Raises
    ------
    ValueError
        If a name is longer than 31 characters or the whole is larger than about 7 MB.
    """
    entries = [_Entry("Root Entry", _ROOT)]
    entries[0].child = _add_directory(tree, entries)
    sectors = _Sectors()
    mini, mini_table = _place_streams(entries, sectors)
    root = entries[0]
    root.size, root.start = len(mini), sectors.append(bytes(mini)) if mini else _END
    mini_sectors = -(-len(mini_table) // _ENTRIES_IN_SECTOR)
    mini_table += [_FREE] * (mini_sectors * _ENTRIES_IN_SECTOR - len(mini_table))
    mini_start = sectors.append(_numbers(mini_table)) if mini_table else _END
    directory_start = sectors.append(_directory(entries))
    table_start, table_sectors = _place_table(sectors)
    places = [table_start + k for k in range(table_sectors)]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<HHHHH6s", 0x3E, 3, 0xFFFE, 9, 6, bytes(6))
    header += _numbers([0, table_sectors, directory_start, 0, _MINI_LIMIT, mini_start, mini_sectors, _END, 0])
    header += _numbers(places + [_FREE] * (_FAT_SECTORS_IN_HEADER - table_sectors))
    return header + bytes(sectors.data)


def _add_directory(tree: Tree, entries: list[_Entry]) -> int:
    """Append the entries of one storage and of those inside it; return the number of the topmost."""
    numbers = []
    for name in sorted(tree, key=_order):
        content = tree[name]
        numbers.append(len(entries))
        is_stream = isinstance(content, bytes)
        entries.append(_Entry(name, _STREAM if is_stream else _STORAGE, content if isinstance(content, bytes) else b""))
    for number in numbers:
        content = tree[entries[number].name]
        if not isinstance(content, bytes):
            entries[number].child = _add_directory(content, entries)
    full_levels = (len(numbers) + 1).bit_length() - 1

    def balanced(low: int, high: int, depth: int) -> int:
        if low >= high:
            return _NO_STREAM
        middle = (low + high) // 2
        entry = entries[numbers[middle]]
        entry.left, entry.right = balanced(low, middle, depth + 1), balanced(middle + 1, high, depth + 1)
        # All levels black but an incomplete last one: every path then has as many black entries as the others.
        entry.colour = _RED if depth >= full_levels else _BLACK
        return numbers[middle]

    return balanced(0, len(numbers), 0)


def _order(name: str) -> tuple[int, bytes]:
    """Shorter names come first, then capital letters decide ([MS-CFB] 2.6.4)."""
    return len(name.encode("utf-16-le")), name.upper().encode("utf-16-be")


def _place_streams(entries: list[_Entry], sectors: _Sectors) -> tuple[bytearray, list[int]]:
    """Give each stream its sectors; return the mini stream and its table."""
    mini, mini_table = bytearray(), list[int]()
    for entry in entries:
        if entry.kind != _STREAM:
            continue
        entry.size = len(entry.data)
        if not entry.data:
            entry.start = _END
        elif entry.size >= _MINI_LIMIT:
            entry.start = sectors.append(entry.data)
        else:
            entry.start, count = len(mini_table), -(-entry.size // _MINI_SECTOR)
            mini_table += _chain(entry.start, count)
            mini += entry.data.ljust(count * _MINI_SECTOR, b"\0")
    return mini, mini_table


def _directory(entries: list[_Entry]) -> bytes:
    packed = b"".join(entry.packed() for entry in entries)
    unused = bytes(64) + struct.pack("<HBBIII", 0, 0, 0, _NO_STREAM, _NO_STREAM, _NO_STREAM) + bytes(48)
    return packed + unused * (-len(entries) % (_SECTOR // len(unused)))


def _place_table(sectors: _Sectors) -> tuple[int, int]:
    """Append the sector table itself, which also lists its own sectors; return where it starts and its length."""
    count = 1
    while count * _ENTRIES_IN_SECTOR < len(sectors.table) + count:
        count += 1
    if count > _FAT_SECTORS_IN_HEADER:
        raise ValueError("A VBA project of this size is not foreseen.")
    start = len(sectors.table)
    table = sectors.table + [_FAT_SECTOR] * count
    table += [_FREE] * (count * _ENTRIES_IN_SECTOR - len(table))
    sectors.data += _numbers(table)
    return start, count


def _chain(first: int, count: int) -> list[int]:
    """Table entries of `count` sectors in a row: each names the next one."""
    return [following for _, following in pairwise(range(first, first + count))] + [_END]


def _numbers(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)
