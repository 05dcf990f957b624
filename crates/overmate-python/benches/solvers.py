"""Measures the processor time of three solvers on the same deals, and compares their values.

Run it with a wheel of `cargo xtask python` in an environment with OpenSpiel: `pip install open_spiel`, then
`python crates/overmate-python/benches/solvers.py`.
"""

import signal
import statistics
import time
from collections.abc import Callable
from typing import Any

import overmate
import overmate.spiel  # Registers the games in OpenSpiel.
import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search
from overmate import Deal, Game, RuleSet

#: Number of measured deals for each number of ranks in the deck.
DECKS = {3: 20, 4: 20, 5: 3}

#: Processor time in seconds after which a solver gives up a deal.
LIMIT = 60

#: Minimum processor time, in seconds, of the measurement of one deal. A fast solver solves the deal many times.
LEAST = 0.1

#: Suits from high to low.
SUITS = ["clubs", "spades", "hearts", "diamonds"]

#: Letters of the ranks from high to low, with their names and points.
RANKS = {"A": ("ace", 11), "T": ("ten", 10), "K": ("king", 4), "Q": ("queen", 3), "7": ("seven", 7)}


def deck(ranks: int) -> RuleSet:
    """Returns the rules of `bga` with a deck of only the `ranks` highest ranks."""
    if ranks == len(RANKS):
        return RuleSet("bga")
    suits = [f'{{ letter = "{suit[0]}", name = "{suit}" }}' for suit in SUITS]
    rows = [
        f'{{ letter = "{letter}", name = "{name}", value = {value} }}'
        for letter, (name, value) in list(RANKS.items())[:ranks]
    ]
    lists = f"suits = [{', '.join(suits)}]\nranks = [{', '.join(rows)}]\n"
    return RuleSet.from_toml(f'name = "bga-{4 * ranks}"\nrounds = 2\n[deck]\n{lists}')


def overmate_solver(deal: Deal) -> int:
    """Solves a deal with a new solver, which remembers nothing of earlier deals."""
    return int(overmate.Solver().value(Game(deal)))


def python_memo(deal: Deal) -> int:
    """Solves a deal by the rules in plain Python, with a dictionary of positions."""
    names = [rank + suit[0] for rank in RANKS for suit in SUITS]
    cards = range(len(names))
    points = [RANKS[name[0]][1] for name in names]
    same_suit = [sum(1 << other for other in cards if names[other][1] == name[1]) for name in names]
    same_rank = [sum(1 << other for other in cards if names[other][0] == name[0]) for name in names]
    known: dict[tuple[int, int], int] = {}

    def value(leader: int, follower: int, move: int) -> int:
        """Returns the value of a position in points for the leader.

        The dictionary has no move numbers, because the hand sizes determine the move.
        """
        if not leader:
            return 0
        if (leader, follower) in known:
            return known[leader, follower]
        best = -1_000
        for lead in cards:
            if leader >> lead & 1:
                answers = follower & same_suit[lead] or follower & same_rank[lead]
                worst = 1_000 if answers else points[lead] * move
                for answer in cards:
                    if answers >> answer & 1:
                        after = leader ^ 1 << lead, follower ^ 1 << answer
                        # Of two cards of one suit the higher rank wins, and of two cards of one rank the higher suit.
                        if lead < answer:
                            result = value(after[0], after[1], move + 1)
                        else:
                            result = -value(after[1], after[0], move + 1)
                        worst = min(worst, result)
                best = max(best, worst)
        known[leader, follower] = best
        return best

    first, second = (
        sum(1 << names.index(card) for card in deal.hand(seat)) for seat in overmate.spiel.SEATS
    )
    return value(first, second, 1)


def open_spiel(deal: Deal) -> int:
    """Solves a deal with the alpha-beta search of OpenSpiel."""
    parameters = {"rules": deal.rules.to_toml(), "deal": deal.number}
    value, _ = alpha_beta_search(pyspiel.load_game("python_overmate", parameters))
    return int(value)


def stop(*_: Any) -> None:
    """Ends a solver that has reached its limit of processor time."""
    raise TimeoutError


def solve(solver: Callable[[Deal], int], deal: Deal) -> tuple[int | None, float]:
    """Returns the value of a deal and the processor time in seconds; None and the limit if the solver gave up.

    The clock of processor time is coarse, so that fast solvers solve the deal many times.
    """
    start, runs = time.process_time(), 0
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        while (seconds := time.process_time() - start) < LEAST or not runs:
            value = solver(deal)
            runs += 1
    except TimeoutError:
        return None, LIMIT
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return value, seconds / runs


def measure(solver: Callable[[Deal], int], deals: list[Deal]) -> list[int | None]:
    """Solves deals, prints their processor times, and returns the values."""
    values, seconds = zip(*(solve(solver, deal) for deal in deals), strict=True)
    solved = len(values) - values.count(None)
    times = f"median {1e3 * statistics.median(seconds):.3f} ms, most {1e3 * max(seconds):.3f} ms"
    print(f"  {solver.__name__:16} {solved} of {len(deals)} deals: {times}", flush=True)
    return list(values)


signal.signal(signal.SIGPROF, stop)
for ranks, count in DECKS.items():
    deals = deck(ranks).deals(seed=1, count=count)
    print(f"{4 * ranks} cards", flush=True)
    wanted, memo, searched = (
        measure(solver, deals) for solver in (overmate_solver, python_memo, open_spiel)
    )
    assert None not in wanted
    for other in (memo, searched):
        assert all(found in (None, value) for found, value in zip(other, wanted, strict=True))
