"""Plays a game by the rules, and prints its outcome."""

import overmate

rules = overmate.RuleSet("sackson")
game = overmate.Game(rules.deal(20_010))
game = game.play("(Tc)", "(Qh)", "As", "7s", "Ah", "7h", "Kh")
print(game.outcome)
