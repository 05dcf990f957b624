"""Counts how many of the first 200 deals the seat *first* wins under best play."""

import numpy as np
import overmate

rules = overmate.RuleSet("sackson")
values = overmate.solve_deals(rules, range(200))
wins, losses = int(np.count_nonzero(values > 0)), int(np.count_nonzero(values < 0))
print(f"first wins {wins} deals, second {losses}, mean value {values.mean():.1f}")
