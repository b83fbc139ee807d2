"""Makes the pictures of docs/install-libreoffice.md: ``PYTHONPATH=tests python -m office.make_pictures``.

Needs LibreOffice, Xvfb, xdotool, ImageMagick's `import` and Pillow.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from PIL import Image

from office import screen as screens

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "docs" / "guide" / "pictures"
COLOURS = 64


def main() -> None:
    """Take the pictures of a calibrated example and of a question."""
    with screens.folder_of_a_user() as folder:
        home = screens.new_home(folder)
        assert screens.panelcal(home, "install", "--libreoffice").returncode == 0
        board = home / "exam_board_example.xlsx"
        board.write_bytes((ROOT / "workbook_templates" / board.name).read_bytes())
        with screens.on_screen(home) as screen:
            screen.open(board)
            screen.click("Calibrate")
            screen.wait_for_sheet("Cal audit")
            screen.dialog()
            screen.leave("OK")
            screen.active("Cal summary", "B2")
            _take(screen, "libreoffice_summary", (0, 0, 1400, 640))
            screen.close()
            screen.open(board)
            screen.active("Marks", "C6")
            screen.set("Marks", "C6", "pending")
            screen.click("Calibrate")
            screen.dialog("OK")
            _take(screen, "libreoffice_question", (0, 0, 1400, 640))
            screen.leave("Cancel")
            screen.close()


def _take(screen: screens.Screen, name: str, part: tuple[int, int, int, int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        taken = Path(folder) / "screen.png"
        screen.settle()
        screen.picture(taken)
        with Image.open(taken) as picture:
            picture.crop(part).quantize(COLOURS).save(TARGET / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
