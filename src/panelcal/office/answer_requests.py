"""The process beside the office, in panelcal's own Python: a request a line, and answers a line, through its pipe.

Requests and answers are JSON. While it works it says what it is doing: ``{"telling": "reading"}``; the last line of a
request is ``{"answer": ...}``. It ends with the office, because its pipe ends then, in the middle of a calculation too.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Iterator
from typing import Any, TextIO

from panelcal.errors import InputRefused, PanelcalError


def main() -> None:
    """Answer until the pipe ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing but answers may reach the pipe, whatever a library prints
    sys.stdout = sys.stderr
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    def say(kind: str, content: Any) -> None:
        answers.write(json.dumps({kind: content}, allow_nan=False) + "\n")
        answers.flush()

    for line in _lines(sys.stdin):
        say("answer", answer(json.loads(line), lambda doing: say("telling", doing)))


def answer(request: dict[str, Any], telling: Any) -> dict[str, Any]:
    """Do what is asked; a refusal is an answer like any other, with the open questions in it."""
    from panelcal.office import deeds

    if request["do"] not in deeds.DEEDS:
        raise ValueError(f"nothing is called {request['do']}")
    try:
        found: dict[str, Any] = deeds.DEEDS[request["do"]](request, telling)
    except PanelcalError as problem:
        found = {"refused": _refusal(problem)}
    except MemoryError:
        found = {"refused": {"words": "There is not enough memory for a document of this size.", "questions": []}}
    except Exception as fault:
        from panelcal.files.unforeseen import unforeseen

        found = {"refused": {"words": unforeseen(fault, f"office {request['do']}"), "questions": []}}
    return found


def _refusal(problem: PanelcalError) -> dict[str, Any]:
    from panelcal.page.as_data import question_data

    questions = problem.questions if isinstance(problem, InputRefused) else ()
    return {"words": str(problem), "questions": [question_data(one) for one in questions]}


def _lines(stream: TextIO) -> Iterator[str]:
    """Hand out requests; end the process, busy or not, when no more can come."""
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in stream:
            waiting.put(line)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        yield waiting.get()


if __name__ == "__main__":
    main()
