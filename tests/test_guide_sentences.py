"""Pages of the guide with sentences of at most twenty words, counted from full stop to full stop."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[1] / "docs" / "guide"
_MOST = 20
PAGES = sorted(page.stem for page in GUIDE.glob("*.md"))


def _sentences(page: str) -> list[str]:
    text = re.sub(r"```.*?```", "", page, flags=re.S)
    text = re.sub(r"^> Raw average .*$", "", text, flags=re.M)  # what the program prints: a sum with its terms
    blocks: list[list[str]] = [[]]
    for line in map(str.strip, text.split("\n")):
        if not line or line.startswith(("#", "![")):
            blocks.append([])
        elif line.startswith("|"):
            blocks += [[cell] for cell in line.strip("|").split("|")]
            blocks.append([])
        elif re.match(r"([-*]|\d+\.)\s", line):
            blocks.append([re.sub(r"^([-*]|\d+\.)\s", "", line)])
        else:
            blocks[-1].append(line.lstrip("> "))
    found: list[str] = []
    for block in blocks:
        plain = re.sub(r"`[^`]*`", "code", " ".join(block))
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", plain)
        found += re.split(r"(?<=[.!?])[\s*_)\"]+", plain)
    return found


@pytest.mark.parametrize("name", PAGES)
def test_no_sentence_is_longer_than_twenty_words(name):
    page = (GUIDE / f"{name}.md").read_text(encoding="utf-8")
    counts = {
        sentence: len([word for word in sentence.split() if re.search(r"\w", word)]) for sentence in _sentences(page)
    }
    assert not {sentence: count for sentence, count in counts.items() if count > _MOST}


def test_no_page_uses_the_words_of_those_who_made_the_program():
    odd = re.compile(r"rooms? of the house|file door|pass over that", re.IGNORECASE)
    for page in (*GUIDE.glob("*.md"), GUIDE.parents[1] / "README.md"):
        assert not odd.search(page.read_text(encoding="utf-8")), page.name
