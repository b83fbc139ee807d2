"""What the user is shown and asked: messages, questions with ready answers, a choice from a list, and waiting."""

from __future__ import annotations

import math
import textwrap
import threading

import uno
import unohelper
from com.sun.star.awt import XCallback
from com.sun.star.awt.MessageBoxButtons import BUTTONS_OK, BUTTONS_YES_NO
from com.sun.star.awt.MessageBoxResults import YES
from com.sun.star.awt.MessageBoxType import INFOBOX, QUERYBOX

TITLE = "Calibrate"
PATIENCE = 0.7
"""Seconds after which a dialog says what is being done and offers to stop."""

_WIDTH, _LINE, _MARGIN = 320, 9, 8
_LETTERS = 76  # a line of a dialog holds about so many
_MOST_LINES = 28


class Screen:
    """Where dialogs are shown: before the window of one document."""

    def __init__(self, context, frame):
        """Take the office's context and the frame of the document."""
        self._context = context
        self._frame = frame

    def say(self, words):
        """Show a message."""
        self._box(INFOBOX, BUTTONS_OK, _shortened(words))

    def ask(self, question):
        """Ask a question with the answers yes and no."""
        return self._box(QUERYBOX, BUTTONS_YES_NO, question) == YES

    def choose(self, title, words, answers):
        """Show words and answers to choose from; return the number of one, or None."""
        heights = [_LINE * len(_wrapped(answer)) + 3 for answer in answers]
        top = _LINE * len(_wrapped(words)) + 2 * _MARGIN
        height = top + sum(heights) + 14 + 2 * _MARGIN
        model = self._model(title, height)
        _add(model, "FixedText", "words", (_MARGIN, _MARGIN, _WIDTH - 2 * _MARGIN, top - _MARGIN), Label=words,
             MultiLine=True)  # fmt: skip
        names = [f"answer{number}" for number in range(len(answers))]
        for name, answer, tall in zip(names, answers, heights):
            place = (_MARGIN, top, _WIDTH - 2 * _MARGIN, tall)
            _add(model, "RadioButton", name, place, Label=answer, MultiLine=True, State=int(name == names[0]),
                 VerticalAlign=uno.Enum("com.sun.star.style.VerticalAlignment", "TOP"))  # fmt: skip
            top += tall
        self._buttons(model, height)
        dialog = self._dialog(model)
        try:
            accepted = dialog.execute()
            chosen = [number for number, name in enumerate(names) if dialog.getControl(name).getState()]
        finally:
            dialog.dispose()
        return chosen[0] if accepted and chosen else None

    def wait_for(self, work, stop):
        """Run `work(telling)` beside the office; after a moment show what is done, and a button that stops it.

        Parameters
        ----------
        work
            Told as its argument whom to tell what it is doing; may not touch the document.
        stop
            Called when the user wants no more of it; `work` then ends by itself, somehow.

        Returns
        -------
        Its result, or None if it was stopped.
        """
        waiting = _Waiting(self._context, work)
        indicator = self._frame.createStatusIndicator()
        indicator.start(waiting.words, 0)
        try:
            if not waiting.ended.wait(PATIENCE):
                self._show(waiting, indicator, stop)
            waiting.ended.wait()
        finally:
            indicator.end()
        if waiting.problem is not None and not waiting.stopped:
            raise waiting.problem
        return None if waiting.stopped else waiting.result

    def while_saying(self, doing, work):
        """Do the office's own part of the work, with words about it in the status bar."""
        indicator = self._frame.createStatusIndicator()
        indicator.start(_said(doing), 0)
        try:
            work()
        finally:
            indicator.end()

    def _show(self, waiting, indicator, stop):
        model = self._model(TITLE, 3 * _LINE + 14 + 3 * _MARGIN)
        place = (_MARGIN, _MARGIN, _WIDTH - 2 * _MARGIN, 3 * _LINE)
        _add(model, "FixedText", "words", place, Label=waiting.words, MultiLine=True)
        place = (_WIDTH - 60 - _MARGIN, model.Height - 14 - _MARGIN, 60, 14)
        _add(model, "Button", "stop", place, Label="Cancel", PushButtonType=2)
        dialog = self._dialog(model)
        try:
            waiting.shown_in(dialog, indicator)
            dialog.execute()
            if not waiting.ended.is_set():
                waiting.stopped = True
                stop()
        finally:
            waiting.shown_in(None, None)
            dialog.dispose()

    def _box(self, kind, buttons, words):
        toolkit = self._service("com.sun.star.awt.Toolkit")
        box = toolkit.createMessageBox(self._frame.getContainerWindow(), kind, buttons, TITLE, words)
        try:
            return box.execute()
        finally:
            box.dispose()

    def _model(self, title, height):
        model = self._service("com.sun.star.awt.UnoControlDialogModel")
        model.Width, model.Height, model.Title, model.Closeable, model.Moveable = _WIDTH, height, title, True, True
        return model

    def _buttons(self, model, height):
        top = height - 14 - _MARGIN
        _add(model, "Button", "ok", (_WIDTH - 2 * (50 + _MARGIN), top, 50, 14), Label="OK", PushButtonType=1,
             DefaultButton=True)  # fmt: skip
        _add(model, "Button", "cancel", (_WIDTH - 50 - _MARGIN, top, 50, 14), Label="Cancel", PushButtonType=2)

    def _dialog(self, model):
        dialog = self._service("com.sun.star.awt.UnoControlDialog")
        dialog.setModel(model)
        dialog.createPeer(self._service("com.sun.star.awt.Toolkit"), self._frame.getContainerWindow())
        return dialog

    def _service(self, name):
        return self._context.ServiceManager.createInstanceWithContext(name, self._context)


class _Waiting(unohelper.Base, XCallback):
    """Work in a thread of its own; what it says reaches the screen in the office's thread only."""

    def __init__(self, context, work):
        self.ended, self.stopped = threading.Event(), False
        self.result, self.problem = None, None
        self.words = _said("reading")
        self._dialog, self._indicator = None, None
        self._office = context.ServiceManager.createInstanceWithContext("com.sun.star.awt.AsyncCallback", context)
        threading.Thread(target=self._run, args=(work,), daemon=True).start()

    def shown_in(self, dialog, indicator):
        """Name the dialog and the status bar that show the words; both may be behind, or no longer needed, already."""
        self._dialog, self._indicator = dialog, indicator
        self._call_back()

    def notify(self, nothing):
        """Bring the dialog up to date, in the office's own thread."""
        if self._dialog is None:
            return
        self._dialog.getControl("words").setText(self.words)
        self._indicator.setText(self.words)
        if self.ended.is_set():
            self._dialog.endExecute()

    def _run(self, work):
        try:
            self.result = work(self._tell)
        except Exception as problem:
            self.problem = problem
        self.ended.set()
        self._call_back()

    def _tell(self, doing):
        self.words = _said(doing)
        self._call_back()

    def _call_back(self):
        if self._dialog is not None:
            self._office.addCallback(self, None)


def _add(model, kind, name, place, **properties):
    control = model.createInstance(f"com.sun.star.awt.UnoControl{kind}Model")
    control.PositionX, control.PositionY, control.Width, control.Height = place
    for key, value in properties.items():
        setattr(control, key, value)
    model.insertByName(name, control)


def _said(doing):
    return f"{TITLE}: {doing} ..."


def _wrapped(words):
    return [line for part in words.split("\n") for line in (textwrap.wrap(part, _LETTERS) or [""])]


def _shortened(words):
    """Keep a message as tall as a screen."""
    lines, kept = words.split("\n"), []
    for line in lines:
        tall = sum(max(1, math.ceil(len(one) / _LETTERS)) for one in [*kept, line])
        if tall > _MOST_LINES:
            return "\n".join([*kept, f"... and {len(lines) - len(kept)} lines more."])
        kept.append(line)
    return words
