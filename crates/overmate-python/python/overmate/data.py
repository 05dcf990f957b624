"""Reads and writes the files of the data set *Mate, solved*: the values of deals, as Parquet files.

The columns are explained in the data card, docs/data.md. The files are read by the same code as in the command
``overmate data``, so that no other package is needed.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._overmate import DataError, read_data, write_data
from .words import Deals


@dataclasses.dataclass(frozen=True, eq=False)
class DealTable:
    """Table with one row for each deal, in ascending order of the deal numbers."""

    #: Number of the deal in each row of the table of deals.
    deal: NDArray[np.int32]
    #: Canonical number of the deal in each row of the table of deals: the smallest deal number with the same two hands.
    #: It differs from the number in `deal` only in decks with identical cards.
    same_as: NDArray[np.int32]
    #: Hand of *first* in each row of the table of deals, such as ``Ac Tc``.
    first: NDArray[np.str_]
    #: Hand of *second* in each row of the table of deals.
    second: NDArray[np.str_]
    #: Values by rule set: final points for *first* under best play by both, negative if *second* wins.
    values: dict[str, NDArray[np.int32]]
    #: Metadata of the file of deal values: format, version of the program that wrote the file, and checksum.
    metadata: dict[str, str]

    def __len__(self) -> int:
        """Returns the number of rows of the table."""
        return len(self.deal)

    def __repr__(self) -> str:
        return f"<DealTable: {len(self)} deals, {len(self.values)} rule sets>"

    def row(self, deal: int) -> int:
        """Returns the index of the row of a deal."""
        row = int(np.searchsorted(self.deal, deal))
        if row == len(self) or self.deal[row] != deal:
            raise DataError(
                f"the table has no deal {deal}: choose a deal that the table lists, "
                f"from {self.deal[0]} to {self.deal[-1]}"
            )
        return row

    def value(self, deal: int, rules: str) -> int:
        """Returns the value of a deal under a rule set, in points for *first*."""
        if rules not in self.values:
            raise DataError(f"the table has no column `{rules}`: choose one of {', '.join(self.values)}")
        return int(self.values[rules][self.row(deal)])


def read(path: str | PathLike[str], rules: Sequence[str] | None = None) -> DealTable:
    """Reads a file of deal values, with the columns of all or of the given rule sets.

    A file that is missing, damaged or of another kind raises a `DataError`.
    """
    deal, same_as, first, second, values, metadata = read_data(path, None if rules is None else list(rules))
    return DealTable(deal, same_as, np.array(first), np.array(second), values, metadata)


def write(
    path: str | PathLike[str],
    deals: Deals,
    values: Mapping[str, Sequence[int] | NDArray[np.integer[Any]]],
) -> None:
    """Writes a file of deal values, with a column for each rule set in `values`.

    There must be at least one deal, and the deal numbers must be in ascending order. All rule sets must be different and
    have the same deck.
    """
    columns = [(name, np.asarray(column).tolist()) for name, column in values.items()]
    write_data(path, deals, columns)
