"""`panelcal` and `python -m panelcal`: listens to what may end a run before anything is loaded that takes time."""

import os


def main() -> None:
    """Run the command line; exit 0, 1 (cannot be done as it stands), 2 (wrong usage) or 130 (interrupted)."""
    try:
        from panelcal import interruption

        interruption.listen()
    except KeyboardInterrupt:  # as Python makes one of Ctrl-C until somebody listens
        os.write(2, b"Interrupted: nothing was written.\n")
        os._exit(130)
    try:
        from panelcal.cli import main as command_line

        command_line()
    finally:
        interruption.stop_listening()


if __name__ == "__main__":
    main()
