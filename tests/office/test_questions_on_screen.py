"""Every kind of question, in a window of a real LibreOffice: asked as the page asks it, and answered by a mouse."""

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from unittest import mock

import pytest

import panelcal.reading
from exports.test_every_question import _places
from office.clicking import XLSX
from office.kinds_of_questions import KINDS, NEVER_IN_AN_OFFICE, document
from panelcal.errors import Question
from panelcal.page import bridge
from panelcal.reading.problems import Problems

NAMES = [one.name for one in pkgutil.walk_packages(panelcal.reading.__path__, "panelcal.reading.")]
MODULES = [importlib.import_module(name) for name in NAMES if not name.endswith(".problems")]
MOST_ROUNDS = 5


@pytest.mark.slow
def test_there_is_a_document_for_every_function_that_asks():
    assert {".".join(place) for place in _places(MODULES)} == set(KINDS) | NEVER_IN_AN_OFFICE
    assert not set(KINDS) & NEVER_IN_AN_OFFICE


@pytest.fixture
def asked():
    """The functions that ask, as they do."""
    found, plainly = set(), Problems.ask

    def note(frame):
        found.add(f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_name}")

    def asking(self, *arguments):
        note(sys._getframe(1))
        plainly(self, *arguments)

    def made(*arguments):
        note(sys._getframe(1))
        return Question(*arguments)

    for module in MODULES:
        if getattr(module, "Question", None) is Question:
            mock.patch.object(module, "Question", made).start()
    mock.patch.object(Problems, "ask", asking).start()
    yield found
    mock.patch.stopall()


def on_the_page(file):
    """What the page asks about a file, round by round, the last answer given to each question; and what follows."""

    def ask(*contents, **what):
        return json.loads(bridge.request(json.dumps(what), list(contents))[0])

    ask(file.read_bytes(), do="open", names=[file.name])
    rounds, answers = [], []
    for _ in range(MOST_ROUNDS):
        reply = ask(do="understand", choices={"answers": answers})
        questions = reply.get("refused", {}).get("questions", [])
        if not questions:
            return rounds, reply
        rounds.append(questions)
        answers += [question["answers"][-1]["gives"] for question in questions]
    raise AssertionError(f"still asking: {questions}")


def what_follows(reply):
    """Sentences that a reply of the page and a message of the office share."""
    if "refused" in reply:
        return reply["refused"]["words"]
    if "each" in reply:
        return [f"{name}, by itself:" for name, _ in reply["each"]]
    return [reply["reading"]["counts"]]


@pytest.mark.office
@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_asked_as_on_the_page_and_its_answer_leads_on_as_there(kind, screen, home, asked):
    file = document(kind, home / kind)
    screen.open(file)
    shown = home / kind / "as shown" / file.name  # the page is given what the office shows, under the same name
    shown.parent.mkdir()
    screen.store(shown, XLSX)
    rounds, reply = on_the_page(shown)
    assert kind in asked
    screen.click("Check data")
    for questions in rounds:
        for number, question in enumerate(questions, 1):
            title = "Calibrate" if len(questions) == 1 else f"Calibrate: question {number} of {len(questions)}"
            answers = [answer["meaning"] for answer in question["answers"]]
            screen.wait_for_words(question["sentence"])
            seen = screen.dialog()
            assert (seen["title"], seen["words"], seen["answers"]) == (title, [question["sentence"]], answers)
            screen.choose(answers[-1])
            screen.leave("OK")
    words = "\n".join(screen.dialog()["words"])
    screen.leave("OK")
    cut = words.endswith("lines more.")  # a message is no taller than a screen
    missing = [one for one in what_follows(reply) if one not in words]
    assert len(missing) < len(what_follows(reply)) if cut else missing == [], words
    assert ("This can be calibrated" in words) == ("refused" not in reply)
