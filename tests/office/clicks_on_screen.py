"""Clicks and keys as a user's, and what comes up on the screen; runs in a Python that has LibreOffice's bridge."""

import subprocess
import threading
import time

import unohelper
from com.sun.star.accessibility.AccessibleRole import ALERT, DIALOG, LABEL, PUSH_BUTTON, RADIO_BUTTON, STATIC, TEXT
from com.sun.star.accessibility.AccessibleStateType import CHECKED
from com.sun.star.awt import XCallback
from com.sun.star.lang import DisposedException
from com.sun.star.uno import RuntimeException
from documents_on_screen import PATIENCE, Documents, until

TOOLBAR = "private:resource/toolbar/addon_org.panelcal.office.toolbar"
SAID = (LABEL, STATIC, TEXT)


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


class Clicks(Documents):
    """The toolbar, dialogs and the keyboard."""

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

    def wait_for_words(self, words):
        """Wait for a dialog that says something."""
        until(lambda: words in "\n".join(self.dialog()["words"]), words)

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


class _Done(unohelper.Base, XCallback):
    def __init__(self):
        self.called = threading.Event()

    def notify(self, nothing):
        self.called.set()


def _is_dialog(window):
    try:
        context = window.getAccessibleContext() if window.isVisible() else None  # none while it is just coming
        return context is not None and context.getAccessibleRole() in (ALERT, DIALOG)
    except DisposedException:  # it is just going away
        return False
