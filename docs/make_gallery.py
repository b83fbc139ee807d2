"""Make the pictures of the gallery from the lines that stand below them: `python docs/make_gallery.py`.

Needs pandas and matplotlib, which `pip install "panelcal[frames,plot]"` brings, and Pillow.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import matplotlib
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "gallery.md"
COLOURS = 128
_DOTS_PER_INCH = 100


def examples() -> dict[str, str]:
    """Return the lines below each picture by its path within `docs`."""
    found = re.findall(r"^!\[.+?\]\((.+?)\)$.*?^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    return dict(found)


def picture(lines: str) -> bytes:
    """Run the lines, in the folder of the repository, and return what they have drawn as a small PNG."""
    from matplotlib import pyplot  # noqa: PLC0415  once it is known that there is no screen

    known: dict[str, object] = {}
    exec(compile(lines, str(PAGE), "exec"), known)
    drawn = io.BytesIO()
    known["axes"].figure.savefig(drawn, dpi=_DOTS_PER_INCH)  # type: ignore[attr-defined]
    pyplot.close("all")
    small = io.BytesIO()
    Image.open(drawn).convert("RGB").quantize(COLOURS).save(small, "PNG", optimize=True)
    return small.getvalue()


if __name__ == "__main__":
    matplotlib.use("Agg")
    os.chdir(ROOT)
    for path, lines in examples().items():
        (ROOT / "docs" / path).write_bytes(picture(lines))
        print(path)
