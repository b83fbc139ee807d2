"""The pictures on the ribbon, drawn here and kept in `addin/icons`.

``python -m addin.build.icons FOLDER`` draws them anew.
Excel shows the same picture on its light and its dark ribbon, so the colours keep their distance from both.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

SIZE = 32
BLUE, GREEN, ORANGE, RED, GREY = (47, 127, 214), (46, 139, 87), (208, 112, 16), (214, 69, 65), (120, 128, 136)
COLOURS = (BLUE, GREEN, ORANGE, RED, GREY)

Colour = tuple[int, int, int]
Inside = Callable[[float, float], bool]

_SAMPLES = 4


@dataclass(frozen=True, slots=True)
class Shape:
    """What covers a point of the 32 x 32 square, and its colour; None cuts out what lies below."""

    inside: Inside
    colour: Colour | None


def disc(x: float, y: float, radius: float, colour: Colour | None) -> Shape:
    """Return a filled circle."""
    return Shape(lambda u, v: math.hypot(u - x, v - y) <= radius, colour)


def box(left: float, top: float, right: float, bottom: float, colour: Colour | None, corner: float = 1.0) -> Shape:
    """Return a filled rectangle with round corners."""

    def inside(u: float, v: float) -> bool:
        across = max(left + corner - u, u - right + corner, 0.0)
        down = max(top + corner - v, v - bottom + corner, 0.0)
        return math.hypot(across, down) <= corner

    return Shape(inside, colour)


def stroke(points: Sequence[tuple[float, float]], width: float, colour: Colour | None) -> Shape:
    """Return a line through points, with round ends."""

    def inside(u: float, v: float) -> bool:
        return any(_distance(u, v, *start, *end) <= width / 2 for start, end in pairwise(points))

    return Shape(inside, colour)


def _distance(u: float, v: float, x1: float, y1: float, x2: float, y2: float) -> float:
    """Return how far a point is from a line between two others."""
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    along = min(1.0, max(0.0, ((u - x1) * (x2 - x1) + (v - y1) * (y2 - y1)) / length)) if length else 0.0
    return math.hypot(u - x1 - along * (x2 - x1), v - y1 - along * (y2 - y1))


def _arc(x: float, y: float, radius: float, start: float, end: float) -> list[tuple[float, float]]:
    """Return points on a circle between two angles in degrees, clockwise from the right."""
    turns = [math.radians(start + (end - start) * k / 16) for k in range(17)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def _page() -> list[Shape]:
    return [box(6, 2, 26, 30, GREY, 2), box(8.5, 4.5, 23.5, 27.5, None, 0.5)]


# Calibrate: columns of different height and the level they are brought to. The others show what their label says.
ICONS: Mapping[str, Sequence[Shape]] = MappingProxyType(
    {
        "calibrate": [
            box(3, 17, 9, 29, BLUE),
            box(13, 5, 19, 29, BLUE),
            box(23, 21, 29, 29, BLUE),
            stroke([(2, 13), (30, 13)], 5.5, None),
            stroke([(2, 13), (30, 13)], 3, ORANGE),
        ],
        "check": [disc(16, 16, 14, GREEN), stroke([(9, 16.5), (14, 21.5), (23, 11)], 4, (255, 255, 255))],
        "template": [
            *_page(),
            stroke([(12, 10), (20, 10)], 2, GREY),
            stroke([(12, 15), (20, 15)], 2, GREY),
            disc(24, 24, 9, None),
            disc(24, 24, 7.5, GREEN),
            stroke([(24, 20), (24, 28)], 2.5, (255, 255, 255)),
            stroke([(20, 24), (28, 24)], 2.5, (255, 255, 255)),
        ],
        "explain": [
            box(2, 4, 30, 23, BLUE, 4),
            stroke([(9.5, 21), (9, 28), (12, 24), (15, 21)], 3, BLUE),
            stroke([(9.5, 26), (12, 22)], 3, BLUE),
            stroke([(8, 10), (24, 10)], 2.5, (255, 255, 255)),
            stroke([(8, 16), (19, 16)], 2.5, (255, 255, 255)),
        ],
        "settings": [
            stroke([(4, 8), (28, 8)], 2.5, GREY),
            stroke([(4, 16), (28, 16)], 2.5, GREY),
            stroke([(4, 24), (28, 24)], 2.5, GREY),
            disc(20, 8, 4, BLUE),
            disc(10, 16, 4, BLUE),
            disc(22, 24, 4, BLUE),
        ],
        "earlier": [
            *_page(),
            stroke([(12, 10), (20, 10)], 2, GREY),
            stroke([(12, 15), (20, 15)], 2, GREY),
            disc(24, 24, 9, None),
            disc(24, 24, 7.5, BLUE),
            stroke([(24, 19.5), (24, 24), (27.5, 26)], 2.2, (255, 255, 255)),
        ],
        "remove": [
            *_page(),
            stroke([(12, 10), (20, 10)], 2, GREY),
            stroke([(12, 15), (20, 15)], 2, GREY),
            disc(24, 24, 9, None),
            disc(24, 24, 7.5, RED),
            stroke([(21, 21), (27, 27)], 2.5, (255, 255, 255)),
            stroke([(27, 21), (21, 27)], 2.5, (255, 255, 255)),
        ],
        "help": [
            disc(16, 16, 14, BLUE),
            stroke([*_arc(16, 12.5, 5, -180, 60), (16, 19)], 3.5, (255, 255, 255)),
            disc(16, 24.5, 2.2, (255, 255, 255)),
        ],
    }
)


def draw(shapes: Sequence[Shape]) -> bytes:
    """Return shapes, later ones on top, as rows of red, green, blue and opacity."""
    return b"".join(_pixel(shapes, x, y) for y in range(SIZE) for x in range(SIZE))


def png(pixels: bytes) -> bytes:
    """Return pixels as a .png file."""
    rows = b"".join(b"\0" + pixels[k : k + 4 * SIZE] for k in range(0, len(pixels), 4 * SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(kind, content) for kind, content in parts)


def _pixel(shapes: Sequence[Shape], x: int, y: int) -> bytes:
    """Return the mean over a grid of points inside one pixel."""
    steps = [(k + 0.5) / _SAMPLES for k in range(_SAMPLES)]
    hits: list[Colour] = []
    for down in steps:
        for across in steps:
            colour = next((shape.colour for shape in reversed(shapes) if shape.inside(x + across, y + down)), None)
            if colour is not None:
                hits.append(colour)
    if not hits:
        return bytes(4)
    mean = [round(sum(colour[k] for colour in hits) / len(hits)) for k in range(3)]
    return bytes([*mean, round(255 * len(hits) / _SAMPLES**2)])


def _part(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


if __name__ == "__main__":
    for name, shapes in ICONS.items():
        Path(sys.argv[1], f"{name}.png").write_bytes(png(draw(shapes)))
