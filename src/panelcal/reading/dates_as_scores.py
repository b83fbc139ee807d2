"""Dates that were scores: a spreadsheet that knows decimal commas takes 4.1 for the fourth of January."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from panelcal.reading.cell_values import Kind, kind_of
from panelcal.reading.grades import Proposal
from panelcal.reading.table import Table
from panelcal.reading.vocabulary import words

_MONTHS = tuple(
    words(spelt)
    for spelt in (
        "jan january januar jän jänner janv janvier ene enero gen gennaio januari janeiro sty styczeń",
        "feb february februar febr févr février febrero febbraio februari fev fevereiro lut luty",
        "mar march mär märz mrz mars marzo maart mrt março marzec",
        "apr april avr avril abr abril aprile kwi kwiecień",
        "may mai mayo mag maggio mei maio maj",
        "jun june juni juin junio giu giugno junho cze czerwiec",
        "jul july juli juil juillet julio lug luglio julho lip lipiec",
        "aug august août aoû ago agosto augustus sie sierpień",
        "sep sept september septembre septiembre set settembre setembro wrz wrzesień",
        "oct october okt oktober octobre octubre ott ottobre outubro out paź październik",
        "nov november novembre noviembre novembro lis listopad",
        "dec december dez dezember déc décembre dic diciembre dicembre dezembro gru grudzień",
    )
)
_DAY_FIRST = re.compile(r"(\d{1,2})[-. /]{1,2}([^\W\d_]{3,10})\.?")
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,10})\.?[-. /]{1,2}(\d{1,2})")
_TIME = re.compile(r"\d{1,2}:\d{2}.*|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b.*")
_FORMS = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y", "%d.%m.%y")
_THIS_YEAR, _LAST_DAY = 2000, 31


def dates_in(texts: Iterable[str]) -> dict[str, date]:
    """Read texts as dates, as "04-Jan", "Apr 15" and "2026-01-04"; those that are none are passed over.

    A day and a month alone are of one year, the same for all; a month and a number above 31 are of another.
    """
    found = {text: _date_in(text) for text in texts}
    return {text: one for text, one in found.items() if one is not None}


def decimals_of(dates: Mapping[str, Any]) -> list[Proposal]:
    """Propose the numbers that dates were before: 4 January as 4.1, and January 1975 as 1.75; or the other way round.

    Parameters
    ----------
    dates
        Text that stands for a date -> the date; anything else than dates gives no proposal.
    """
    if not dates or not all(isinstance(one, date) for one in dates.values()):
        return []
    usual = Counter(one.year for one in dates.values()).most_common(1)[0][0]
    apart = {text for text, one in dates.items() if one.year != usual and one.day == 1}
    example = next((one for text, one in dates.items() if text not in apart), next(iter(dates.values())))
    proposals = []
    for first, second in (("day", "month"), ("month", "day")):
        numbers = {
            text: float(
                f"{one.month}.{one.year % 100:02}" if text in apart else f"{getattr(one, first)}.{getattr(one, second)}"
            )
            for text, one in dates.items()
        }
        said = f"{example.day} {example:%b} as {getattr(example, first)}.{getattr(example, second)}"
        proposals.append(Proposal(f"the decimals that a spreadsheet made dates of, {said}", numbers))
    return proposals


def is_of_times(table: Table, row: int, j: int) -> bool:
    """Tell whether a column holds times or dates and nothing else, which are nobody's ids."""
    values = [value for i in range(row + 1, table.n_rows) if (value := table.cells[i][j]) is not None]
    return bool(values) and all(
        kind_of(value)[0] is Kind.DATE or (isinstance(value, str) and _TIME.fullmatch(value.strip()) is not None)
        for value in values
    )


def columns_like_the_others(
    table: Table, rows: Sequence[int], texts: Sequence[int], assessors: Sequence[int]
) -> set[int]:
    """Return the columns of nothing but dates where dates stand among the scores of others, too.

    Parameters
    ----------
    rows
        Those of the objects.
    texts, assessors
        Columns without a number, and those with some.
    """
    if not texts or not any(_is_date(table.cells[i][j]) for j in assessors for i in rows):
        return set()
    held = {j: [table.cells[i][j] for i in rows if table.cells[i][j] is not None] for j in texts}
    return {j for j, values in held.items() if values and all(map(_is_date, values))}


def _is_date(value: Any) -> bool:
    return isinstance(value, date) or (isinstance(value, str) and bool(dates_in([value])))


@lru_cache(maxsize=1 << 10)
def _date_in(text: str) -> date | None:
    if not any(character.isdigit() for character in text):
        return None
    plain = text.strip().casefold()
    for form in _FORMS:
        try:
            return datetime.strptime(plain.upper(), form).date()
        except ValueError:
            continue
    if (found := _DAY_FIRST.fullmatch(plain)) and (month := _month(found[2])):
        return _valid(_THIS_YEAR, month, int(found[1]))
    if (found := _MONTH_FIRST.fullmatch(plain)) and (month := _month(found[1])):
        number = int(found[2])
        return _valid(_THIS_YEAR, month, number) if number <= _LAST_DAY else date(1900 + number, month, 1)
    return None


def _month(word: str) -> int:
    return next((k for k, names in enumerate(_MONTHS, start=1) if word in names), 0)


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
