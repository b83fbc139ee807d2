"""The gallery: each picture is what the ten lines below it draw."""

import importlib.util
import io
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES, UNLIKE = 10, 12  # of 255: how far a picture may be off on average, fonts and versions apart


@pytest.fixture(scope="module")
def gallery():
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    where = importlib.util.spec_from_file_location("make_gallery", ROOT / "docs" / "make_gallery.py")
    module = importlib.util.module_from_spec(where)
    where.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_ten_pictures_each_with_ten_lines(gallery):
    found = gallery.examples()
    assert len(found) == 10 and {path.name for path in (ROOT / "docs/gallery").iterdir()} == {
        Path(path).name for path in found
    }
    for path, lines in found.items():
        assert len([line for line in lines.splitlines() if line]) <= MOST_LINES, path


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_the_lines_draw_the_picture(gallery, number, monkeypatch):
    from PIL import Image

    monkeypatch.chdir(ROOT)
    path, lines = list(gallery.examples().items())[number]
    drawn, kept = (
        np.asarray(Image.open(one).convert("RGB"), dtype=float)
        for one in (io.BytesIO(gallery.picture(lines)), ROOT / "docs" / path)
    )
    assert drawn.std() > 10
    assert drawn.shape == kept.shape and np.abs(drawn - kept).mean() < UNLIKE
