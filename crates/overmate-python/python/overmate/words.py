"""Defines the types of the strings for seats, players, viewers and phases, and of deal numbers."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: Seat in a game, *first* or *second*. The seat *first* leads to the first move.
Seat: TypeAlias = Literal["first", "second"]
#: Player of a match, A or B. Player A has the seat *first* in the first game.
Player: TypeAlias = Literal["A", "B"]
#: Viewer of a game: the player in a seat, or a spectator.
Viewer: TypeAlias = Literal["first", "second", "spectator"]
#: Phase of a game.
Phase: TypeAlias = Literal["foreplacing", "lead", "follow", "over"]
#: Deal numbers: a range, a list or an array.
Deals: TypeAlias = Sequence[int] | NDArray[np.integer[Any]]
