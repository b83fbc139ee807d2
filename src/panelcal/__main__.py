"""`panelcal` and `python -m panelcal`: listens to what may end a run before anything is loaded that takes time."""

import os
import sys


def main() -> None:
    """Run the command line; exit 0, 1 (cannot be done as it stands), 2 (wrong usage) or 130 (interrupted)."""
    try:
        from panelcal import interruption

        interruption.listen()
    except KeyboardInterrupt:  # as Python makes one of Ctrl-C until somebody listens
        os.write(2, b"Interrupted: nothing was written.\n")
        os._exit(130)
    status: int | str | None = None
    try:
        from panelcal.cli import main as command_line

        command_line()
    except SystemExit as end:
        status = end.code
    finally:
        interruption.stop_listening()
    _leave(status)


def _leave(status: int | str | None) -> None:
    """End the process once all is said and tidied up, without taking every object apart (a tenth of a second)."""
    import atexit
    import threading

    if isinstance(status, str) or sys.gettrace() is not None or threading.active_count() > 1:
        raise SystemExit(status)  # what others still have to do here waits for the usual end
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError:  # a reader that went away: Python's own end says so
        raise SystemExit(status) from None
    os._exit(status or 0)


if __name__ == "__main__":
    main()
