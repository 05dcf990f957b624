"""Measures how many steps `VectorGames` plays in a second, and checks the results of the measured games.

Run it with a wheel of `cargo xtask python`: `python crates/overmate-python/benches/vector.py`.
"""

import sys
import time

import numpy as np
import overmate

#: Number of games and number of steps, as a pair for each measurement.
SIZES = [(1_024, 2_000), (32_768, 200)]

#: Expected number of finished games and total points for *first*, for each rule set.
#: The numbers are those of the first measurement in `SIZES`. Changes of the kernel must keep these numbers.
EXPECTED = {"bga": (129_522, -26_095), "sackson": (126_489, 34_205), "denexa": (126_667, 42_424)}


def measure(name: str, size: tuple[int, int], threads: int) -> tuple[int, int]:
    """Plays random games, prints the speed, and returns the number of finished games and the total points for *first*."""
    count, steps = size
    games = overmate.VectorGames(overmate.RuleSet(name), count, seed=1, threads=threads)
    stepping, ended, points = 0.0, 0, 0
    for _ in range(steps):
        actions = games.sample()
        start = time.perf_counter()
        games.step(actions)
        stepping += time.perf_counter() - start
        ended += int(np.count_nonzero(games.dones))
        points += int(games.rewards.sum())
    rate = count * steps / stepping / 1e6
    print(f"{name:10} {count:6} games, {threads} threads: {rate:5.1f} million steps a second")
    return ended, points


for rules, expected in EXPECTED.items():
    for size in SIZES:
        found = [measure(rules, size, threads) for threads in (1, 2)]
        wanted = expected if size == SIZES[0] else found[0]
        if found != [wanted, wanted]:
            sys.exit(f"error: {rules} gives {found} games and points: expected {wanted}")
