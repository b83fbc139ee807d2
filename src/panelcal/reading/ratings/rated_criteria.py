"""Criteria of ratings: those that the settings name are the features, and asked for together they need two at least."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from panelcal.arrays import Array
from panelcal.reading.criteria_across import criteria_decision, criteria_of, list_of_criteria
from panelcal.reading.decisions import Decision
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.terms import Terms

_LEAST = 2


def criteria_as_features(settings: Settings) -> Settings:
    """Take the criteria that are named, and how much each counts, for the features of the ratings."""
    named = settings.criteria_named
    return replace(settings, feature_weights=named) if named else settings


def criteria_below_names(layout: Matrix, settings: Settings) -> tuple[LongList, Decision] | None:
    """See a matrix with criteria below the name of each assessor as a list of them; None where it is none."""
    if not settings.criteria or not (groups := criteria_of(layout, settings)):
        return None
    found = list_of_criteria(layout, groups, settings)
    return None if found is None else (found, criteria_decision(found, layout, groups))


def require_criteria(features: Sequence[str], weights: Array, terms: Terms) -> None:
    """Note as a problem that criteria are to be calibrated together where there are none, or one counts nothing."""
    if not terms.settings.criteria_together:
        return
    if len(features) < _LEAST:
        terms.problems.say(
            terms.sheet,
            f"On sheet {terms.sheet} only {listed(list(features))} is read as a rating, so that there are no criteria "
            "to calibrate together: name their columns, or do not ask for together.",
        )
    nothing = [feature for feature, weight in zip(features, weights.tolist(), strict=True) if not weight > 0]
    if nothing:
        terms.problems.say(
            terms.sheet,
            f"Criteria that are calibrated together must each count more than 0 in the total: {listed(nothing)} "
            f"{'does' if len(nothing) == 1 else 'do'} not. Leave it out, or give it a weight.",
        )
