"""Templates are saved where the system says that documents are, OneDrive or not."""

import ctypes
import importlib.util
import sys
import types

import pytest

from panelcal.excel import new_template
from panelcal.excel.new_template import copy_template


def on_windows(monkeypatch, answer, status=0):
    """The module as Windows loads it, with a system that gives this answer, and what the system was asked."""
    asked, freed = [], []

    def known_folder(identity, flags, token, path):
        asked.append(bytes(identity._obj))
        path._obj.value = answer
        return status

    windll = types.SimpleNamespace(
        shell32=types.SimpleNamespace(SHGetKnownFolderPath=known_folder),
        ole32=types.SimpleNamespace(CoTaskMemFree=freed.append),
    )
    monkeypatch.setattr(ctypes, "windll", windll, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    spec = importlib.util.spec_from_file_location("new_template_on_windows", new_template.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.documents_folder(), asked, freed


def test_windows_is_asked_for_its_documents_by_their_number(monkeypatch):
    folder, asked, freed = on_windows(monkeypatch, "C:/Users/Ada/OneDrive - Uni/Dokumente")
    assert str(folder) == "C:/Users/Ada/OneDrive - Uni/Dokumente"
    assert asked == [bytes.fromhex("d09ad3fd8f23af46adb46c85480369c7")]  # FOLDERID_Documents as it lies in memory
    assert len(freed) == 1


@pytest.mark.parametrize(("answer", "status"), [("", 0), (None, -2147024894)])
def test_a_windows_without_such_a_folder(monkeypatch, answer, status):
    assert on_windows(monkeypatch, answer, status)[0] is None


def test_a_template_goes_there_even_if_another_folder_has_the_name(tmp_path, monkeypatch):
    (tmp_path / "Documents").mkdir()
    (tmp_path / "OneDrive").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("panelcal.excel.new_template.documents_folder", lambda: tmp_path / "OneDrive")
    assert copy_template("exam_board") == tmp_path / "OneDrive" / "exam_board.xlsx"
