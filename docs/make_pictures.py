"""Make the pictures of the guide from the example workbooks: `python docs/make_pictures.py`.

Calibrates the examples, prints them through LibreOffice, cuts the interesting part out of the pages and saves small
pictures under docs/guide/pictures. Needs `soffice`, `pdftoppm` and `pdftotext` on the path, and Pillow.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "workbook_templates"
TARGET = ROOT / "docs" / "guide" / "pictures"
DAY = "1767225600"  # the run is dated 1 January 2026, so that the pictures do not change from day to day
DOTS_PER_INCH = 220
WIDTH, MARGIN, COLOURS = 1200, 12, 128
MOST_HEIGHT = 1400
SNAP = 0.2  # how far up, as a share of its height, a part may be shortened to end on a line of the table

_INKED = 240  # darker than this (0-255) is not paper

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a printed page: the first page of the sheet that holds the text, and left, top, right, bottom (0-1)."""

    sheet: str
    box: Box
    holding: str = ""


Pictures = dict[str, tuple[Piece, ...]]

BOARD: Pictures = {
    "start": (Piece("Start here", (0.0, 0.0, 1.0, 0.92)),),
    "summary": (Piece("Cal summary", (0.0, 0.0, 1.0, 0.94)),),
    "values": (Piece("Cal values", (0.0, 0.0, 1.0, 0.55)),),
    "assessors": (Piece("Cal assessors", (0.0, 0.0, 1.0, 0.52)),),
    "residuals": (Piece("Cal residuals", (0.0, 0.0, 1.0, 0.43)),),
    "links": (Piece("Cal links", (0.0, 0.0, 1.0, 0.75)),),
    "methods": (
        Piece("Cal methods", (0.0, 0.0, 1.0, 0.45)),
        Piece("Cal methods", (0.0, 0.0, 1.0, 0.92), "Figure 4b"),
    ),
    "proof": (Piece("Cal proof", (0.0, 0.0, 1.0, 0.42)),),
    "audit": (Piece("Cal audit", (0.0, 0.0, 1.0, 0.92)),),
}
PRIZE: Pictures = {
    "prize_ratings": (Piece("Ratings", (0.0, 0.0, 1.0, 0.40)),),
    "prize_summary": (Piece("Cal summary", (0.0, 0.0, 1.0, 0.92)),),
    "prize_values": (Piece("Cal values", (0.0, 0.0, 1.0, 0.55)),),
    "prize_assessors": (Piece("Cal assessors", (0.0, 0.0, 1.0, 0.60)),),
    "prize_links": (Piece("Cal links", (0.0, 0.0, 1.0, 0.57)),),
}
REVIEWERS: Pictures = {
    "reviewers_anchors": (Piece("Anchors", (0.0, 0.0, 1.0, 0.40)),),
    "reviewers_reviews": (Piece("Reviews", (0.0, 0.0, 1.0, 0.40)),),
    "reviewers_summary": (Piece("Cal summary", (0.0, 0.0, 1.0, 0.92)),),
    "reviewers_values": (Piece("Cal values", (0.0, 0.0, 1.0, 0.50)),),
    "reviewers_assessors": (Piece("Cal assessors", (0.0, 0.0, 1.0, 0.60)),),
    "reviewers_curves": (Piece("Cal curves", (0.0, 0.0, 1.0, 0.92)),),
    "reviewers_drift": (Piece("Cal drift", (0.0, 0.0, 1.0, 0.92)),),
    "reviewers_bank": (Piece("Cal anchors", (0.0, 0.0, 1.0, 0.40)),),
    "reviewers_methods": (Piece("Cal methods", (0.0, 0.0, 1.0, 0.52)), Piece("Cal methods", (0.53, 0.57, 0.91, 0.88))),
}
PLAN: Pictures = {
    "prize_plan": (
        Piece("By talk", (0.0, 0.0, 1.0, 0.36)),
        Piece("By judge", (0.0, 0.0, 1.0, 0.36)),
    ),
}
PANELS = ("job_panel", "promotion_panel", "star_panel", "music_competition", "wine_competition", "rubric")
PICTURES: dict[str, Pictures] = {
    "exam_board_example": BOARD,
    "conference_prize_example": PRIZE,
    "ai_reviewers_example": REVIEWERS,
    **{f"{name}_example": {name: (Piece("Cal summary", (0.0, 0.0, 1.0, 0.62)),)} for name in PANELS},
}


def main() -> None:
    """Make all pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for example, pictures in PICTURES.items():
            save_pictures(print_example(folder, example), pictures)
        save_pictures(print_plan(folder), PLAN)


def save_pictures(pdf: Path, pictures: Pictures) -> None:
    """Cut pictures out of a printed workbook."""
    pages = printed_pages(pdf)
    for picture, pieces in pictures.items():
        parts = [cut_out(pdf, find_page(pages, piece), piece.box) for piece in pieces]
        target = TARGET / f"{picture}.png"
        save_small(stack(parts), target)
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size // 1000} kB")


def print_example(folder: Path, name: str) -> Path:
    """Calibrate an example and print the result to a PDF."""
    workbook, example = folder / f"{name}.xlsx", TEMPLATES / f"{name}.xlsx"
    run(sys.executable, "-m", "panelcal", "calibrate", str(example), "-o", str(workbook), SOURCE_DATE_EPOCH=DAY)
    return print_workbook(folder, workbook)


def print_plan(folder: Path) -> Path:
    """Plan who of nine judges hears which of 24 talks, and print the plan to a PDF."""
    lists, workbook = folder / "jury.csv", folder / "jury-plan.xlsx"
    rows = [f"T{k + 1:02},{f'J{k + 1}' if k < 9 else ''}" for k in range(24)]
    lists.write_text("\n".join(["Talk,Judge", *rows]), encoding="utf-8")
    command = ("plan", str(lists), "--per-object", "4", "-o", str(workbook))
    run(sys.executable, "-m", "panelcal", *command, SOURCE_DATE_EPOCH=DAY)
    return print_workbook(folder, workbook)


def print_workbook(folder: Path, workbook: Path) -> Path:
    """Print a workbook to a PDF through LibreOffice."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    run("soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(workbook))
    return workbook.with_suffix(".pdf")


def printed_pages(pdf: Path) -> list[tuple[str, str]]:
    """Return the name of the sheet (from the footer) and the text of every page."""
    texts = run("pdftotext", "-layout", str(pdf), "-").split("\f")[:-1]
    footers = [re.search(r"(\S[\w ]*), page \d+ of \d+", text) for text in texts]
    return [(footer.group(1).strip() if footer else "", text) for footer, text in zip(footers, texts, strict=True)]


def find_page(pages: list[tuple[str, str]], piece: Piece) -> int:
    """Return the number of the page, counted from 1."""
    for number, (sheet, text) in enumerate(pages, start=1):
        if sheet.endswith(piece.sheet) and piece.holding in text:
            return number
    raise SystemExit(f"No page of {piece.sheet} holds {piece.holding!r}: has the sheet changed?")


def cut_out(pdf: Path, page: int, box: Box) -> Image.Image:
    """Return the part of the page, without white edges."""
    stem = pdf.with_name(f"{pdf.stem}-{page}")
    number, resolution = str(page), str(DOTS_PER_INCH)
    run("pdftoppm", "-r", resolution, "-f", number, "-l", number, "-singlefile", "-png", str(pdf), str(stem))
    with Image.open(stem.with_suffix(".png")) as opened:
        whole = opened.convert("RGB")
    left, top, right, bottom = box
    part = whole.crop(
        (int(left * whole.width), int(top * whole.height), int(right * whole.width), int(bottom * whole.height))
    )
    inked = ImageChops.difference(part, Image.new("RGB", part.size, "white")).getbbox()
    return end_on_line(part.crop(inked)) if inked else part


def end_on_line(part: Image.Image) -> Image.Image:
    """Shorten the part to its last horizontal line, so that no row of a table is cut through."""
    strip = part.crop((part.width // 60, 0, part.width // 8, part.height)).convert("L")
    for y in range(part.height - 1, int(part.height * (1 - SNAP)), -1):
        if max(strip.crop((0, y, strip.width, y + 1)).tobytes()) < _INKED:
            return part.crop((0, 0, part.width, y + 1))
    return part


def stack(parts: list[Image.Image]) -> Image.Image:
    """Put parts below one another on white, with a margin."""
    width = max(part.width for part in parts) + 2 * MARGIN
    height = sum(part.height for part in parts) + 2 * len(parts) * MARGIN
    picture = Image.new("RGB", (width, height), "white")
    top = MARGIN
    for part in parts:
        picture.paste(part, (MARGIN, top))
        top += part.height + 2 * MARGIN
    return picture


def save_small(picture: Image.Image, target: Path) -> None:
    """Save at the guide's width, or less where a page is upright, with few colours."""
    share = min(WIDTH / picture.width, MOST_HEIGHT / picture.height)
    size = (round(picture.width * share), round(picture.height * share))
    scaled = picture.resize(size, Image.Resampling.LANCZOS)
    scaled.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(target, optimize=True)


def run(*command: str, **environment: str) -> str:
    """Run a program and return what it prints; stop with its message where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    if done.returncode:
        raise SystemExit(f"{command[0]} failed: {done.stderr or done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()
