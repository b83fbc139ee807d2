"""What `Cal anchors` and `Cal audit` say where the consensus comes from the sheet Reviews."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.anchors.reviewer_agreement import ReviewerAgreement
from panelcal.reporting.audit_rows import Row
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import CellValue, Column, Table
from panelcal.reporting.wording import number
from panelcal.systems.anchors.results import AnchorResults


def review_columns(results: AnchorResults, order: Sequence[int]) -> list[Column]:
    """Build the columns of each anchor's reviews; none where the consensus was typed."""
    reviews = results.reading.bank.reviews
    if reviews is None:
        return []
    places = {name: k for k, name in enumerate(reviews.anchors)}
    at = [places.get(results.reading.bank.ids[k]) for k in order]
    found = reviews.consensus

    def basis(k: int | None) -> str:
        if k is None:
            return "typed"
        return "adjudicator" if found.adjudicated[k] else reviews.rules.average

    return [
        Column("Reviews", [None if k is None else int(found.counts[k]) for k in at], "integer", 9),
        Column(
            "Points apart",
            numbers(np.array([np.nan if k is None else found.apart[k] for k in at])),
            "score",
            9,
            explanation="Highest less lowest review.",
        ),
        Column("Consensus by", [basis(k) for k in at], "text", 13),
    ]


def agreement_tables(results: AnchorResults, column: int) -> tuple[Table, ...]:
    """Build the table of how far reviewers agree; none where the consensus was typed."""
    found, reviews = results.reviewers, results.reading.bank.reviews
    if found is None or reviews is None:
        return ()
    classes = ", ".join(f"{boundary:g}" for boundary in sorted(results.boundaries))
    rows: list[tuple[str, float, float, str]] = [
        (
            "Fleiss' kappa",
            found.kappa,
            found.kappa_ceiling,
            f"Agreement beyond chance on classes that begin at {classes}: 1 is full agreement, 0 is chance.",
        ),
        (
            "Krippendorff's alpha",
            found.alpha,
            found.alpha_ceiling,
            "The same on the scores, by squared differences.",
        ),
        ("Reliability", found.reliability, np.nan, "Of the mean of an anchor's reviews (Spearman and Brown)."),
        (
            "Highest correlation possible",
            found.agent_ceiling,
            np.nan,
            "What an agent without any error would reach with that mean: nobody can be asked for more.",
        ),
        ("Points between two reviews", found.apart, np.nan, "Mean difference on the same anchor."),
        *(
            (
                f"{name} above the others",
                float(offset),
                np.nan,
                "Mean in points on the same anchors; below 0: under them.",
            )
            for name, offset in zip(reviews.reviewers, found.offsets, strict=True)
        ),
    ]
    names, values, ceilings, texts = zip(*rows, strict=True)
    return (
        Table(
            (
                Column(f"Agreement of reviewers on {found.n_anchors} anchors", names, "text", 34),
                Column("Found", numbers(np.array(values)), "fine", 9),
                Column(
                    "At most",
                    numbers(np.array(ceilings)),
                    "fine",
                    9,
                    explanation="If reviewers kept every score they gave and dealt them out to the anchors anew.",
                ),
                Column("What it says", texts, "wrapped", 70),
            ),
            column=column,
            name="reviewers",
        ),
    )


def agreement_rows(found: ReviewerAgreement | None) -> list[Row]:
    """Spell the agreement of reviewers for `Cal audit`."""
    if found is None:
        return []
    parts: list[tuple[str, CellValue, str]] = [
        ("Fleiss' kappa of the reviews", found.kappa, f"{number(found.kappa_ceiling, 2)} at most."),
        ("Krippendorff's alpha of the reviews", found.alpha, f"{number(found.alpha_ceiling, 2)} at most."),
        ("Highest correlation possible with the consensus", found.agent_ceiling, "By an agent without any error."),
    ]
    return [("Estimate", what, value, said, None) for what, value, said in parts]
