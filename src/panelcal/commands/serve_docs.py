"""`panelcal docs`."""

from __future__ import annotations

import functools
import signal
import webbrowser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import as_file

import typer

from panelcal.errors import FileProblem
from panelcal.shipped import shipped_folder

_HERE_ONLY = "127.0.0.1"


class _Quiet(SimpleHTTPRequestHandler):
    """Hands out files and keeps no log of who reads what."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve_docs(port: int, *, browser: bool) -> None:
    """Show the documentation site until Ctrl-C; only this computer can reach it, and it needs no network.

    Raises
    ------
    FileProblem
        If the site is not in this installation, or the port is taken.
    """
    try:
        folder = shipped_folder("site")
    except FileProblem:
        raise FileProblem(
            "The documentation site is not in this installation of panelcal, because its tools could not be reached "
            "then. With a network, pip install --force-reinstall --no-deps . in the source folder brings it; the same "
            "pages stand as text in the folder docs there."
        ) from None
    with as_file(folder) as path:
        handler = functools.partial(_Quiet, directory=str(path))
        try:
            server = ThreadingHTTPServer((_HERE_ONLY, port), handler)
        except OSError as problem:
            raise FileProblem(
                f"The documentation cannot be shown at port {port} ({problem.strerror or problem}): give another "
                "number, or leave --port out."
            ) from None
        with server:
            address = f"http://{_HERE_ONLY}:{server.server_port}/"
            typer.echo(f"The documentation is at {address} on this computer, until you press Ctrl-C here.")
            if browser:
                webbrowser.open(address)
            signal.signal(signal.SIGINT, signal.default_int_handler)  # Ctrl-C is the end of it here, no interruption
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                typer.echo("")
