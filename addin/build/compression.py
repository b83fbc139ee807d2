"""The compression that VBA sources are stored in ([MS-OVBA] 2.4.1): a sliding window within chunks of 4096 bytes."""

from __future__ import annotations

import struct

_CHUNK = 4096
_SIGNATURE = b"\x01"
_COMPRESSED = 0xB000
_SHORTEST = 3


def compress(data: bytes) -> bytes:
    """Return `data` as a compressed container.

    Parameters
    ----------
    data
        Source text in the code page of the project, or a `dir` stream.

    Raises
    ------
    ValueError
        If a chunk does not become smaller, which text never does (only chunks that do are written here).
    """
    container = bytearray(_SIGNATURE)
    for start in range(0, len(data), _CHUNK):
        tokens = _tokens(data[start : start + _CHUNK])
        if len(tokens) > _CHUNK:
            raise ValueError("This is no text: it does not become smaller by compression.")
        container += struct.pack("<H", _COMPRESSED | (len(tokens) - 1)) + tokens
    return bytes(container)


def _tokens(chunk: bytes) -> bytes:
    """Write one chunk as groups of eight literals or copies, each group behind a byte that says which is which."""
    out = bytearray()
    seen: dict[bytes, list[int]] = {}
    at = 0
    while at < len(chunk):
        flags_at, flags = len(out), 0
        out.append(0)
        for bit in range(8):
            if at >= len(chunk):
                break
            offset_bits = max(4, (at - 1).bit_length()) if at else 4
            offset, length = _longest_match(chunk, at, seen, longest=(0xFFFF >> offset_bits) + _SHORTEST)
            if length:
                out += struct.pack("<H", (offset - 1) << (16 - offset_bits) | (length - _SHORTEST))
                flags |= 1 << bit
            else:
                out.append(chunk[at])
            for position in range(at, at + max(length, 1)):
                seen.setdefault(chunk[position : position + _SHORTEST], []).append(position)
            at += max(length, 1)
        out[flags_at] = flags
    return bytes(out)


def _longest_match(chunk: bytes, at: int, seen: dict[bytes, list[int]], longest: int) -> tuple[int, int]:
    """Return (distance back, length) of the longest earlier text equal to what follows, or (0, 0)."""
    offset, length = 0, 0
    beginning = chunk[at : at + _SHORTEST]
    if len(beginning) < _SHORTEST:
        return offset, length
    for candidate in reversed(seen.get(beginning, ())):
        same = _SHORTEST
        while same < longest and at + same < len(chunk) and chunk[candidate + same] == chunk[at + same]:
            same += 1
        if same > length:
            offset, length = at - candidate, same
        if length == longest:
            break
    return offset, length
