"""Measures the steps of `VectorGames` in a second, and checks the games that it measures.

Run it with a wheel of `cargo xtask python`: `python crates/overmate-python/benches/vector.py`.
"""

import sys
import time

import numpy as np
import overmate

GAMES = 1024
STEPS = 2_000

#: Finished games and total points for *first* of the seeds below, which no change of the kernel may change.
EXPECTED: dict[str, tuple[int, int]] = {}


def measure(name: str, threads: int) -> None:
    """Steps random games of a rule set, and prints the steps in a second."""
    games = overmate.VectorGames(overmate.RuleSet(name), GAMES, seed=1, threads=threads)
    stepping, ended, points = 0.0, 0, 0
    for _ in range(STEPS):
        actions = games.sample()
        start = time.perf_counter()
        games.step(actions)
        stepping += time.perf_counter() - start
        ended += int(np.count_nonzero(games.dones))
        points += int(games.rewards.sum())
    rate = GAMES * STEPS / stepping / 1e6
    print(f"{name:10} {threads} threads: {rate:5.1f} million steps a second", end="")
    print(f", {ended} games, {points} points for first")
    if EXPECTED.get(name, (ended, points)) != (ended, points):
        sys.exit(f"error: {name} gives {ended} games and {points} points: expected {EXPECTED[name]}")


for rules in ["bga", "sackson", "denexa"]:
    for threads in [1, 2]:
        measure(rules, threads)
