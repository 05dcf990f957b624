"""Plays random games, many at once, and prints the mean points of the seat *first*."""

import overmate

games = overmate.VectorGames(overmate.RuleSet("bga"), 256, seed=1)
points = ended = 0
for _ in range(100):
    games.step(games.sample())
    points += int(games.rewards.sum())
    ended += int(games.dones.sum())
print(f"{ended} games, {points / ended:.2f} points for first on average")
