"""Writes a file with the values of some deals with and without foreplacing, and compares the columns of the file.

The files of *Mate, solved* have the same columns, for all deals and all rule sets.
"""

import numpy as np
import overmate
from overmate import data

deals = range(20_000, 20_200)
names = ["sackson", "bga"]
data.write("some.parquet", deals, {name: overmate.solve_deals(overmate.RuleSet(name), deals) for name in names})

table = data.read("some.parquet")
gain = table.values["sackson"] - table.values["bga"]
row = int(np.argmax(gain))
print(f"foreplacing changes {np.count_nonzero(gain)} of {len(table)} values")
print(f"first gains most, {gain[row]} points, in deal {table.deal[row]}: {table.first[row]}")
