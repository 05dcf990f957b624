"""Measures the regret and the exploitability of your own agent. The example uses only few deals."""

from collections.abc import Mapping

from overmate import View, benchmark


def frugal(view: View) -> Mapping[str, float]:
    """Takes the last legal action: plays or foreplaces the legal card that stands last in the order of the deck."""
    return {view.legal_actions()[-1]: 1.0}


print(f"regret in bga: {benchmark.regret(frugal, deals=20)} points a game")
print(f"exploitability in denexa: {benchmark.exploitability(frugal, deals=4)} points a game")
