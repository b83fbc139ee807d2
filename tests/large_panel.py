"""A made-up list of 100,000 marks, for trying what a browser can hold."""

import random
from pathlib import Path

PROPOSALS, REVIEWERS, EACH = 20_000, 1_000, 5


def write_large_panel(path: Path, proposals: int = PROPOSALS) -> None:
    """Write a list of scores: every proposal is assessed by five of a thousand reviewers, chosen by chance."""
    chance = random.Random(1)
    values = [chance.gauss(60, 8) for _ in range(proposals)]
    biases = [chance.gauss(0, 4) for _ in range(REVIEWERS)]
    lines = ["Proposal,Reviewer,Score"]
    for k, value in enumerate(values):
        for a in chance.sample(range(REVIEWERS), EACH):
            lines.append(f"P{k:05d},R{a:04d},{value + biases[a] + chance.gauss(0, 5):.1f}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
