"""What the refusals of a plan call its objects and assessors: the words of the trade, and names where there are any."""

from __future__ import annotations

from collections.abc import Iterable

from panelcal.errors import first_few
from panelcal.frozen import dataclass

_NAMED = 6


@dataclass(frozen=True, slots=True)
class PlanWords:
    """Nouns in small letters, and the names of objects and assessors in the order the plan counts them.

    Without names they are numbered from 1.
    """

    object: str = "object"
    objects: str = "objects"
    assessor: str = "assessor"
    assessors: str = "assessors"
    object_names: tuple[str, ...] = ()
    assessor_names: tuple[str, ...] = ()

    def object_called(self, o: int) -> str:
        """Spell one object: "talk T7"."""
        return f"{self.object} {_name(self.object_names, o)}"

    def objects_called(self, places: Iterable[int]) -> str:
        """Spell some objects: "talks T7, T8 and 3 more"."""
        return _listed(self.object, self.objects, self.object_names, list(places))

    def assessors_called(self, places: Iterable[int]) -> str:
        """Spell some assessors."""
        return _listed(self.assessor, self.assessors, self.assessor_names, list(places))


def _name(names: tuple[str, ...], place: int) -> str:
    return names[place] if names else str(place + 1)


def _listed(singular: str, plural: str, names: tuple[str, ...], places: list[int]) -> str:
    shown = first_few([_name(names, place) for place in places], _NAMED)
    return f"{plural if len(places) > 1 else singular} {shown}"
