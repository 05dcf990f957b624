"""Compares two computer opponents in match pairs on the same deals."""

import overmate

[result] = overmate.arena(overmate.RuleSet("bga"), ["level:2", "level:5"], pairs=10, seed=1)
low, value, high = result.score
print(f"{result.players[0]} scores {value:.2f} ({low:.2f} to {high:.2f}) in {result.matches} matches")
