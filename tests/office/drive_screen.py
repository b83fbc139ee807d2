"""An office on a screen of its own, driven as a user would: real clicks by xdotool, and looks at what is there.

Runs in a Python that has LibreOffice's bridge. Takes a JSON request a line, gives a JSON answer a line.
"""

import json
import os
import signal
import struct
import subprocess
import sys
import time
import traceback
import zlib
from pathlib import Path

from bridge import started
from clicks_on_screen import TOOLBAR, Clicks, click_on, pressed, until
from com.sun.star.uno import RuntimeException
from com.sun.star.util import CloseVetoException
from documents_on_screen import PATIENCE


class Screen(Clicks):
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

    def open(self, file=None):
        place = Path(file).as_uri() if file else "private:factory/scalc"
        self.document = self.desktop.loadComponentFromURL(place, "_blank", 0, ())
        window = self.document.CurrentController.Frame.ContainerWindow
        window.setPosSize(0, 0, 1400, 900, 15)
        window.setFocus()
        layout = self.document.CurrentController.Frame.LayoutManager
        until(lambda: layout.isElementVisible(TOOLBAR), "the toolbar")
        until(lambda: layout.getElement(TOOLBAR).getRealInterface() is not None, "the toolbar's window")

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

    def end(self):
        if self.process.poll() is not None:
            return []
        children = self.helpers()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        until(lambda: not any(Path(f"/proc/{one}").exists() for one in children), "the helpers to end with the office")
        return children


def _lowest_lines(picture, lines):
    """Take the last lines out of a screen in memory (an X window dump: a header, colours, then line after line)."""
    header = struct.unpack(">25I", picture[:100])
    size, height, width, colours = header[0], header[5], header[12], header[19]
    start = size + 12 * colours
    return picture[start + (height - lines) * width : start + height * width]


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
