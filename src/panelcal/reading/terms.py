"""On what terms a sheet is read: the settings, the words of the trade, and where what is wrong is noted."""

from __future__ import annotations

from dataclasses import field

from panelcal.frozen import dataclass
from panelcal.reading.nouns import Nouns, plural
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What every step of reading one sheet goes by.

    Attributes
    ----------
    sheet
        Name of the sheet.
    settings
        The settings in force.
    nouns
        Words of the trade; before the headings are looked at, those that stand where no heading has a word.
    problems
        Receives everything that stops the reading.
    """

    sheet: str
    settings: Settings
    problems: Problems
    nouns: Nouns = field(default_factory=Nouns)

    @property
    def thing(self) -> str:
        """Word for one object within a sentence."""
        return plural(self.nouns.object, 1)

    @property
    def assessor(self) -> str:
        """Word for one assessor within a sentence."""
        return plural(self.nouns.assessor, 1)

    @property
    def score(self) -> str:
        """Word for one score within a sentence."""
        return plural(self.nouns.score, 1)
