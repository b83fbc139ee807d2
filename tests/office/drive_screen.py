"""An office on a screen of its own, driven as a user would: real clicks by xdotool, and looks at what is there.

Runs in a Python that has LibreOffice's bridge. Takes a JSON request a line, gives a JSON answer a line.
"""

import json
import math
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import traceback
import zlib
from pathlib import Path

import unohelper
from bridge import option, started
from com.sun.star.accessibility.AccessibleRole import ALERT, DIALOG, LABEL, PUSH_BUTTON, RADIO_BUTTON, STATIC, TEXT
from com.sun.star.accessibility.AccessibleStateType import CHECKED
from com.sun.star.awt import XCallback
from com.sun.star.lang import DisposedException
from com.sun.star.uno import RuntimeException
from com.sun.star.util import CloseVetoException

TOOLBAR = "private:resource/toolbar/addon_org.panelcal.office.toolbar"
PATIENCE = float(os.environ.get("PANELCAL_PATIENCE", "120"))
FORMULAS, VALUES, DATES, TEXTS = 16, 1, 2, 4
SAID = (LABEL, STATIC, TEXT)


def until(condition, what):
    """Wait until something holds, and return it."""
    start = time.monotonic()
    while time.monotonic() - start < PATIENCE:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f"waited in vain for {what}")


def pressed(*arguments):
    subprocess.run(["xdotool", *map(str, arguments)], check=True)


def walk(accessible, depth=0):
    context = accessible.getAccessibleContext()
    if context is None:  # it is just coming or going
        return
    yield context
    if depth < 12:
        for number in range(min(context.getAccessibleChildCount(), 200)):
            child = context.getAccessibleChild(number)
            if child is not None:
                yield from walk(child, depth + 1)


def click_on(context):
    where, size = context.getLocationOnScreen(), context.getSize()
    in_front = context.getAccessibleRole() == RADIO_BUTTON  # its words may end before the middle
    right = min(8, size.Width // 2) if in_front else size.Width // 2
    pressed("mousemove", where.X + right, where.Y + min(size.Height // 2, 12), "click", 1)


class Screen:
    def __init__(self, profile, picture):
        self._picture = Path(picture)
        self.process, self.context = started(profile, PATIENCE, ("--norestore", "--nologo", "--nodefault"))
        self.desktop = self.service("com.sun.star.frame.Desktop")
        self.document = None

    def is_free(self):
        """Whether the office runs and answers, and no dialog is left over."""
        try:
            return self.process.poll() is None and (self.windows() == 0 or not self._dialogs())
        except RuntimeException:  # its end of the bridge is gone
            return False

    def service(self, name):
        return self.context.ServiceManager.createInstanceWithContext(name, self.context)

    def open(self, file=None):
        place = Path(file).as_uri() if file else "private:factory/scalc"
        self.document = self.desktop.loadComponentFromURL(place, "_blank", 0, ())
        window = self.document.CurrentController.Frame.ContainerWindow
        window.setPosSize(0, 0, 1400, 900, 15)
        window.setFocus()
        layout = self.document.CurrentController.Frame.LayoutManager
        until(lambda: layout.isElementVisible(TOOLBAR), "the toolbar")
        until(lambda: layout.getElement(TOOLBAR).getRealInterface() is not None, "the toolbar's window")

    def buttons(self):
        layout = self.document.CurrentController.Frame.LayoutManager
        bar = layout.getElement(TOOLBAR).getRealInterface()
        return [one for one in walk(bar) if one.getAccessibleRole() == PUSH_BUTTON and one.getAccessibleName()]

    def button_names(self):
        return [one.getAccessibleName() for one in self.buttons()]

    def click(self, button):
        """Click on a button of the toolbar, and again if nothing comes of it: while a dialog closes it may be lost."""
        until(lambda: not self._dialogs(), "dialogs to close")
        before = self._state()
        for _ in range(3):
            click_on(next(one for one in self.buttons() if one.getAccessibleName() == button))
            start = time.monotonic()
            while time.monotonic() - start < 6.0:
                if self._dialogs() or self._state() != before:
                    return
                time.sleep(0.05)
        raise TimeoutError(f"clicked on {button} in vain")

    def _state(self):
        try:
            return self.sheets(), self.active(), self.windows()
        except RuntimeException:  # a window is just coming or going
            return None

    def _dialogs(self):
        frame = (
            self.desktop.getCurrentFrame() or self.document.CurrentController.Frame
        )  # none while no window is in front
        toolkit = frame.ContainerWindow.getToolkit()
        tops = [toolkit.getTopWindow(number) for number in range(toolkit.getTopWindowCount())]
        return [top for top in tops if top is not None and _is_dialog(top)]

    def _part(self, name):
        """Find what has a name on a dialog: (dialog, part), None where nothing has."""
        for top in self._dialogs():
            try:
                part = next((one for one in walk(top) if one.getAccessibleName() == name), None)
            except RuntimeException:  # it is just coming or going
                continue
            if part is not None:
                return top, part
        return None

    def dialog(self, button="OK"):
        """Wait for a dialog with a button and say what is on it."""
        top, _ = until(lambda: self._part(button), f"a dialog with the button {button}")
        parts = [(one.getAccessibleRole(), one.getAccessibleName()) for one in walk(top)]
        return {
            "title": top.getAccessibleContext().getAccessibleName(),
            "words": [name for role, name in parts if role in SAID],
            "buttons": [name for role, name in parts if role == PUSH_BUTTON],
            "answers": [name for role, name in parts if role == RADIO_BUTTON],
        }

    def choose(self, name):
        """Click on an answer of a dialog until it is chosen: a click on a window that just comes up may be lost."""
        _, answer = until(lambda: self._part(name), name)
        start = time.monotonic()
        while time.monotonic() - start < PATIENCE:
            click_on(answer)
            pause = time.monotonic()
            while time.monotonic() - pause < 1.0:
                if answer.getAccessibleStateSet().contains(CHECKED):
                    return
                time.sleep(0.02)
        raise TimeoutError(f"clicked on {name} in vain")

    def leave(self, name):
        """Click on a button of a dialog until that is gone: a click on a window that just comes up may be lost."""
        top, _ = until(lambda: self._part(name), name)
        start = time.monotonic()
        while _is_dialog(top):
            if time.monotonic() - start > PATIENCE:
                raise TimeoutError(f"clicked on {name} in vain")
            found = self._part(name)
            if found is not None and found[0] == top:
                try:
                    click_on(found[1])
                except RuntimeException:
                    return
            pause = time.monotonic()
            while _is_dialog(top) and time.monotonic() - pause < 2.0:
                time.sleep(0.05)

    def sheets(self):
        return list(self.document.Sheets.ElementNames)

    def wait_for_sheet(self, name):
        until(lambda: self.document.Sheets.hasByName(name), name)

    def wait_until_in_front(self, name):
        until(lambda: self.document.CurrentController.ActiveSheet.Name == name, f"{name} in front")

    def wait_until_gone(self, name):
        until(lambda: not self.document.Sheets.hasByName(name), f"{name} to go")

    def wait_for_words(self, words):
        """Wait for a dialog that says something."""
        until(lambda: words in "\n".join(self.dialog()["words"]), words)

    def set(self, sheet, cell, value):
        target = self.document.Sheets.getByName(sheet).getCellRangeByName(cell)
        if isinstance(value, str):
            target.setFormula(value)
        else:
            target.setValue(value)

    def rename(self, sheet, name):
        self.document.Sheets.getByName(sheet).setName(name)

    def array(self, sheet, cells, formula):
        self.document.Sheets.getByName(sheet).getCellRangeByName(cells).setArrayFormula(formula)
        return self.values(sheet, cells)

    def fill(self, sheet, cells, rows):
        block = self.document.Sheets.getByName(sheet).getCellRangeByName(cells)
        block.setDataArray(tuple(map(tuple, rows)))

    def values(self, sheet, cells):
        return [list(row) for row in self.document.Sheets.getByName(sheet).getCellRangeByName(cells).getDataArray()]

    def formula(self, sheet, cell):
        return self.document.Sheets.getByName(sheet).getCellRangeByName(cell).getFormula()

    def used(self, sheet):
        """All values of a sheet, and how many formulas it has, how many of them fail or look elsewhere."""
        found = self.document.Sheets.getByName(sheet)
        cursor = found.createCursor()
        cursor.gotoEndOfUsedArea(False)
        end = cursor.getRangeAddress()
        block = found.getCellRangeByPosition(0, 0, end.EndColumn, end.EndRow)
        formulas = [
            text
            for one in found.queryContentCells(FORMULAS).getRangeAddresses()
            for row in found.getCellRangeByPosition(
                one.StartColumn, one.StartRow, one.EndColumn, one.EndRow
            ).getFormulaArray()
            for text in row
        ]
        return {
            "values": [list(row) for row in block.getDataArray()],
            "formulas": len(formulas),
            "elsewhere": sum("file:" in text for text in formulas),
            "errors": len(found.queryFormulaCells(4).getRangeAddresses()),
        }

    def charts(self):
        """For each chart: its sheet, and (range, name, how many numbers) of each of its series."""
        found = []
        for sheet in self.sheets():
            charts = self.document.Sheets.getByName(sheet).Charts
            for name in charts.ElementNames:
                chart = charts.getByName(name).EmbeddedObject
                series = []
                for system in chart.getFirstDiagram().getCoordinateSystems():
                    for kind in system.getChartTypes():
                        for one in kind.getDataSeries():
                            for sequence in one.getDataSequences():
                                values, label = sequence.getValues(), sequence.getLabel()
                                numbers = sum(
                                    isinstance(value, float) and not math.isnan(value) for value in values.getData()
                                )
                                words = label.getSourceRangeRepresentation() if label is not None else ""
                                series.append([values.getSourceRangeRepresentation(), words, numbers])
                found.append([sheet, chart.hasInternalDataProvider(), sorted(series)])
        return found

    def looks(self):
        """Name, page style, footer, frozen panes and grid of each sheet."""
        controller, found = self.document.CurrentController, {}
        for name in self.sheets():
            sheet = self.document.Sheets.getByName(name)
            style = self.document.StyleFamilies.getByName("PageStyles").getByName(sheet.PageStyle)
            controller.setActiveSheet(sheet)
            footer = style.RightPageFooterContent
            found[name] = {
                "landscape": style.IsLandscape,
                "footer": [part.getString() for part in (footer.LeftText, footer.CenterText, footer.RightText)],
                "pages across": style.ScaleToPagesX,
                "frozen": [controller.getSplitColumn(), controller.getSplitRow()] * controller.hasFrozenPanes(),
                "grid": controller.ShowGrid,
                "printed": [[one.StartColumn, one.StartRow, one.EndColumn, one.EndRow] for one in sheet.PrintAreas],
                "titles": [sheet.TitleRows.StartRow, sheet.TitleRows.EndRow] * sheet.PrintTitleRows,
                "widths": [sheet.Columns.getByIndex(k).Width for k in range(12)],
                "heights": [sheet.Rows.getByIndex(k).Height for k in range(12)],
                "hidden": [k for k in range(60) if not sheet.Columns.getByIndex(k).IsVisible],
                "notes": sheet.Annotations.getCount(),
                "conditions": len(sheet.ConditionalFormats.getConditionalFormats()),
            }
        return found

    def names(self):
        return list(self.document.NamedRanges.ElementNames)

    def links(self):
        return list(self.document.ExternalDocLinks.ElementNames)

    def active(self, sheet=None, cell="A1"):
        controller = self.document.CurrentController
        if sheet is not None:
            found = self.document.Sheets.getByName(sheet)
            controller.setActiveSheet(found)
            controller.select(found.getCellRangeByName(cell))
        return controller.ActiveSheet.Name

    def select(self, sheet, *blocks):
        """Select cells of a sheet."""
        self.active(sheet)
        chosen = self.document.createInstance("com.sun.star.sheet.SheetCellRanges")
        for block in blocks:
            cells = self.document.Sheets.getByName(sheet).getCellRangeByName(block)
            chosen.addRangeAddress(cells.RangeAddress, False)
        self.document.CurrentController.select(chosen)

    def close_window(self):
        """Ask the window to close, and then the office; returns whether either agrees."""
        try:
            self.document.close(True)
        except CloseVetoException:
            return self.desktop.terminate()
        return True

    def leave_office(self, helper):
        """Leave the office by the keyboard, saving nothing, and wait until it and its helper are gone."""
        pressed("key", "--clearmodifiers", "ctrl+q")
        click_on(until(lambda: self._part("Don\u2019t Save"), "the question whether to save")[1])
        until(lambda: self.process.poll() is not None, "the office to end")
        until(lambda: not Path(f"/proc/{helper}").exists(), "the helper to end with the office")
        return self.process.returncode

    def steps(self):
        manager = self.document.UndoManager
        return [list(manager.getAllUndoActionTitles()), list(manager.getAllRedoActionTitles())]

    def keys(self, *names):
        """Press keys of a real keyboard, one after the other."""
        for name in names:
            pressed("key", "--clearmodifiers", name)

    def mouse(self, right, down):
        """Click at a place on the screen."""
        pressed("mousemove", right, down, "click", 1)

    def select_chart(self, sheet, number):
        """Select a chart; where it is on the sheet."""
        self.active(sheet)
        page = self.document.Sheets.getByName(sheet).DrawPage
        shapes = [page.getByIndex(k) for k in range(page.getCount())]
        chart = [shape for shape in shapes if shape.supportsService("com.sun.star.drawing.OLE2Shape")][number]
        self.document.CurrentController.select(chart)
        return [chart.Position.X, chart.Position.Y]

    def undo(self):
        """Undo by the keyboard."""
        self._step("ctrl+z")

    def redo(self):
        """Redo by the keyboard."""
        self._step("ctrl+y")

    def _step(self, key):
        before = self.steps()
        for _ in range(3):
            until(lambda: not self._dialogs(), "dialogs to close")
            pressed("key", "--clearmodifiers", key)
            start = time.monotonic()
            while time.monotonic() - start < 10.0:  # an office at work answers when it is done
                if self.steps() != before:
                    self.idle()
                    until(lambda: not self.document.hasControllersLocked(), "the sheets to be complete")
                    self.idle()
                    return
                time.sleep(0.05)
        raise TimeoutError(f"pressed {key} in vain")

    def pause(self, seconds):
        time.sleep(seconds)

    def idle(self):
        """Wait until the office has done what it is at."""
        done = _Done()
        self.service("com.sun.star.awt.AsyncCallback").addCallback(done, None)
        if not done.called.wait(PATIENCE):
            raise TimeoutError("waited in vain for the office to be idle")

    def store(self, file, kind):
        self.document.storeToURL(Path(file).as_uri(), (option("FilterName", kind),))

    def modified(self):
        return self.document.isModified()

    def helpers(self):
        """Numbers of the processes that are helpers of this office."""
        found = subprocess.run(
            ["pgrep", "-f", "panelcal[.]office[.]answer_requests"], capture_output=True, text=True, check=False
        )
        return [int(line) for line in found.stdout.split() if _descends(int(line), self.process.pid)]

    def kill(self, number):
        os.kill(number, signal.SIGKILL)

    def halt(self, number):
        os.kill(number, signal.SIGSTOP)

    def go_on(self, number):
        os.kill(number, signal.SIGCONT)

    def status_bar(self):
        """What the status bar looks like: a sum over the lowest lines of the screen, on which two looks agree."""
        before = None
        for _ in range(100):
            now = zlib.crc32(_lowest_lines(self._picture.read_bytes(), 20))
            if now == before:
                return now
            before = now
            time.sleep(0.1)
        raise TimeoutError("the status bar does not come to rest")

    def status_bar_saying(self, words):
        """What it looks like where it says something."""
        indicator = self.document.CurrentController.Frame.createStatusIndicator()
        indicator.start(words, 0)
        try:
            self.idle()
            return self.status_bar()
        finally:
            indicator.end()

    def settle(self):
        """Wait until the screen stays as it is for a second."""
        seen, since = b"", time.monotonic()
        while time.monotonic() - since < 1.0:
            now = subprocess.run(["import", "-window", "root", "rgb:-"], check=True, capture_output=True).stdout
            if now != seen:
                seen, since = now, time.monotonic()

    def picture(self, file):
        subprocess.run(["import", "-window", "root", file], check=True)

    def close(self):
        self.document.setModified(False)
        self.document.close(True)
        self.document = None

    def close_others(self):
        """Close every document but the one that is looked at, saving nothing."""
        for frame in _all(self.desktop.getFrames()):
            other = frame.Controller.Model
            if other != self.document:
                other.setModified(False)
                other.close(True)

    def windows(self):
        return len(list(_all(self.desktop.getFrames())))

    def last_window(self):
        """Look at the document of the window that was opened last from here on."""
        self.document = list(_all(self.desktop.getFrames()))[-1].Controller.Model
        self.document.CurrentController.Frame.ContainerWindow.setFocus()
        return self.document.Title

    def title(self):
        return self.document.Title

    def frames(self):
        return [frame.Controller.Model.Title for frame in _all(self.desktop.getFrames()) if frame.Controller]

    def end(self):
        if self.process.poll() is not None:
            return []
        children = self.helpers()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        until(lambda: not any(Path(f"/proc/{one}").exists() for one in children), "the helpers to end with the office")
        return children


class _Done(unohelper.Base, XCallback):
    def __init__(self):
        self.called = threading.Event()

    def notify(self, nothing):
        self.called.set()


def _all(holder):
    return [holder.getByIndex(number) for number in range(holder.getCount())]


def _lowest_lines(picture, lines):
    """Take the last lines out of a screen in memory (an X window dump: a header, colours, then line after line)."""
    header = struct.unpack(">25I", picture[:100])
    size, height, width, colours = header[0], header[5], header[12], header[19]
    start = size + 12 * colours
    return picture[start + (height - lines) * width : start + height * width]


def _is_dialog(window):
    try:
        return window.isVisible() and window.getAccessibleContext().getAccessibleRole() in (ALERT, DIALOG)
    except DisposedException:  # it is just going away
        return False


def _descends(number, ancestor):
    while number > 1:
        if number == ancestor:
            return True
        try:
            number = int(Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False


def main():
    screen = Screen(*sys.argv[1:])
    for line in sys.stdin:
        job = json.loads(line)
        try:
            said = {"answer": getattr(screen, job["do"])(*job["with"])}
        except Exception:
            said = {"fault": traceback.format_exc()}
        sys.stdout.write(json.dumps(said, default=str) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
