"""What an engine can do, so that the same statements run on DuckDB and on Spark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from numpy.typing import NDArray

from panelcal.frozen import dataclass
from panelcal.large.source import Kind

if TYPE_CHECKING:
    import pyarrow as pa

Arrays = Mapping[str, NDArray[Any]]
Columns = Mapping[str, Any]
ColumnKind = Literal["whole", "number", "text"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The few places where engines spell the same thing differently.

    Attributes
    ----------
    quote
        What stands around a name of a column.
    part_of
        A whole number from 0 to n - 1 for the value of an expression, ``part_of.format(value="o", n=4)``.
    """

    quote: str
    part_of: str

    def name(self, column: str) -> str:
        """Spell the name of a column."""
        return self.quote + column.replace(self.quote, 2 * self.quote) + self.quote


class CannotRead(Exception):
    """A file is damaged or not what its name says; the text is the engine's own."""


class Engine(Protocol):
    """Runs statements; tables and views live as long as it does, in a folder of its own."""

    dialect: Dialect
    streams: bool
    """Whether rows come here at little cost, so that sums over pairs are made here and not by statements."""
    parts_of: int
    """Rows that a join of a table with itself takes at a time; 0 = all."""

    def open(self, name: str, kind: Kind, paths: Sequence[Path], *, table: str = "", rows: bool = False) -> None:
        """Make files, or a table of a DuckDB file, a view of that name.

        With `rows` it has a column panelcal_row, 1 for the first row. CSV and JSON lines give text in every column.

        Raises
        ------
        CannotRead
            If a file is damaged.
        """

    def columns(self, name: str) -> dict[str, ColumnKind]:
        """Return the columns of a view or table."""

    def make(self, name: str, *statements: str) -> None:
        """Make a table of what the statements return, one after the other; it takes the place of an older one."""

    def view(self, name: str, statement: str) -> None:
        """Give a statement a name."""

    def drop(self, *names: str) -> None:
        """Remove tables."""

    def fetch(self, statement: str) -> Arrays:
        """Return what a statement finds, a column each; numbers as float64 or int64, text as objects."""

    def batches(self, statement: str) -> Iterator[pa.RecordBatch]:
        """Return the same in pieces that fit into memory, in the statement's order, as Arrow batches; at least one."""

    def give(self, name: str, arrays: Columns | Iterator[Columns]) -> None:
        """Make a table of columns of equal length, arrays of numpy or Arrow, given at once or in pieces."""

    def write(self, statement: str, path: Path) -> None:
        """Write what a statement finds to a Parquet file (or folder of files)."""

    def close(self) -> None:
        """End it."""
