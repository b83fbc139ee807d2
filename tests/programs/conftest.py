"""Marks in a file, and marks on standard input."""

import io
import sys

import pytest

from programs.small_inputs import table
from run_panelcal import run


@pytest.fixture
def piped(monkeypatch):
    def run_with(text, *arguments):
        given = io.TextIOWrapper(io.BytesIO(text if isinstance(text, bytes) else text.encode()))
        monkeypatch.setattr(sys, "stdin", given)
        return run(*arguments)

    return run_with


@pytest.fixture
def marks(tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text(table(), encoding="utf-8")
    return path
