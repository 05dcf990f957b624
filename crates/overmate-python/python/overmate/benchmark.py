"""Benchmark of agents: regret with open cards, and exploitability with a card face down.

The document docs/benchmark.md of the repository defines both tasks. `python -m overmate.benchmark` measures the simple agents and the
computer opponents.
"""

import argparse
import math
import random
import statistics
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ._overmate import Bot, BotError, Deal, Game, OvermateError, RuleSet, Solver, View
from .words import Seat

__all__ = [
    "AGENTS",
    "Policy",
    "Result",
    "agent",
    "best_response",
    "exploitability",
    "first_legal",
    "game_regret",
    "greedy",
    "of_bot",
    "regret",
    "small_denexa",
    "uniform",
]

#: Agent: a function that takes the view of the player whose turn it is, and returns the probability of each action.
#: Actions that are left out have probability 0.
Policy = Callable[[View], Mapping[str, float]]

SEATS: tuple[Seat, Seat] = ("first", "second")

#: Default number of deals for the measurement of an agent's regret, in games without face-down cards.
REGRET_DEALS = 1_000

#: Default number of deals for the measurement of an agent's exploitability, in games with a face-down card.
HIDDEN_DEALS = 24

#: Number of standard errors on each side of a mean in a confidence interval of 95 %.
NORMAL_95 = 1.96


class Result(NamedTuple):
    """Mean result of an agent over several deals, with its confidence interval, in points a game."""

    #: Number of measured deals.
    deals: int
    #: Mean regret or mean exploitability of the agent over the measured deals, in points a game.
    mean: float
    #: Half of the width of the confidence interval of 95 %, in points a game.
    margin: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.margin:.2f}"


def uniform(view: View) -> Mapping[str, float]:
    """Takes each legal action with equal probability."""
    legal = view.legal_actions()
    return dict.fromkeys(legal, 1 / len(legal))


def first_legal(view: View) -> Mapping[str, float]:
    """Takes the first legal action: no foreplacing, then the highest card of the first suit."""
    return {view.legal_actions()[0]: 1.0}


def greedy(view: View) -> Mapping[str, float]:
    """Leads the most valuable card that mates for certain. Without such a card, takes each legal action with equal probability."""
    legal = view.legal_actions()
    if view.phase == "lead":
        answers = set("".join(view.hand("second" if view.viewer == "first" else "first")))
        ranks = view.rules.facts()["deck"]["ranks"]
        values = {rank["letter"]: rank["points"] for rank in ranks}
        mates = [card for card in legal if not answers & set(card)]
        if mates:
            return {max(mates, key=lambda card: values[card[0]]): 1.0}
    return uniform(view)


def of_bot(name: str, seed: int = 1) -> Policy:
    """Returns the agent that plays like the bot with the given name.

    The probabilities of a level are exact. The action that any other bot chooses has probability 1.
    """
    bot = Bot(name, seed)

    def policy(view: View) -> Mapping[str, float]:
        try:
            return bot.chances(view)
        except BotError:
            return {bot.choose(view).action: 1.0}

    return policy


#: Simple agents by their names.
AGENTS: dict[str, Policy] = {"uniform": uniform, "first-legal": first_legal, "greedy": greedy}


def agent(name: str) -> Policy:
    """Returns the simple agent or the bot with the given name."""
    return AGENTS[name] if name in AGENTS else of_bot(name)


def small_denexa(suits: int = 4, ranks: int = 3) -> RuleSet:
    """Returns the rule set `denexa` with only the highest suits and ranks of its deck, small enough for a complete game tree."""
    letters = [("c", "clubs"), ("s", "spades"), ("h", "hearts"), ("d", "diamonds")][:suits]
    values = [("A", "ace", 11), ("T", "ten", 10), ("K", "king", 4), ("Q", "queen", 3)][:ranks]
    suit = ", ".join(f'{{ letter = "{letter}", name = "{name}" }}' for letter, name in letters)
    rank = ", ".join(
        f'{{ letter = "{letter}", name = "{name}", value = {value} }}'
        for letter, name, value in values
    )
    return RuleSet.from_toml(f"""
name = "denexa with {len(letters)} suits of {len(values)} ranks"
rounds = 2
[deck]
suits = [{suit}]
ranks = [{rank}]
[foreplacing]
face = "down"
second_restricted = false
sole = "one-move-more"
overmate = "foreplacer"
""")


def regret(
    policy: Policy,
    *,
    rules: RuleSet | None = None,
    deals: int = REGRET_DEALS,
    seed: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> Result:
    """Returns the regret of an agent in games without face-down cards, in points a game.

    The agent plays each deal once in each seat, against an opponent that takes a random action among those that lose
    nothing. The rule set is `bga`, unless another rule set with open cards is given. A rule set with a card face down is refused.
    """
    rules = rules or RuleSet("bga")
    solver = Solver()

    def of_deal(deal: Deal) -> float:
        games = []
        for seat in SEATS:
            chance = random.Random(f"{seed} {deal.number} {seat}")
            games.append(game_regret(policy, deal, seat, chance, solver))
        return sum(games) / 2

    return _over_deals(of_deal, rules.deals(seed, deals), progress)


def game_regret(
    policy: Policy, deal: Deal, seat: Seat, chance: random.Random, solver: Solver | None = None
) -> float:
    """Returns the points that an agent in a seat loses in one game against an opponent that loses nothing.

    At each turn of the agent, the losses of all its actions count, weighted by their probabilities. One of the actions is then
    drawn and played. A deal of a rule set with a card face down is refused.
    """
    # The solver assumes that both players see all cards. Its values are not the values of a game with a card face down.
    foreplacing = deal.rules.facts()["foreplacing"]
    if foreplacing is not None and foreplacing["face_down"]:
        raise OvermateError(
            f"regret is not defined with a card face down, as in the rule set {deal.rules.name}: "
            "measure the exploitability, or choose a rule set with open cards"
        )
    solver = solver or Solver()
    game, lost = Game(deal), 0.0
    while game.to_act is not None:
        sign = 1 if game.to_act == "first" else -1
        # The solver gives values in points for *first*; `sign` converts the values to points for the player to act.
        values = {action: sign * int(value) for action, value in solver.analyse(game).actions}
        best = max(values.values())
        if game.to_act == seat:
            chances = _checked(policy, game.view(seat))
            lost += sum(chances[action] * (best - values[action]) for action in chances)
            [action] = chance.choices(list(chances), list(chances.values()))
        else:
            action = chance.choice([action for action in values if values[action] == best])
        game = game.play(action)
    return lost


def exploitability(
    policy: Policy,
    *,
    rules: RuleSet | None = None,
    deals: int = HIDDEN_DEALS,
    seed: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> Result:
    """Returns the exploitability of an agent with a card face down, in points a game.

    The exploitability is half of the sum of the points that the best responses to the agent gain in both seats of a deal. The value of the
    deal cancels out of the sum, so that this value need not be known. The rule set is `small_denexa()`, unless
    another rule set with a small deck is given.
    """
    rules = rules or small_denexa()

    def of_deal(deal: Deal) -> float:
        return sum(best_response(policy, deal, seat) for seat in SEATS) / 2

    return _over_deals(of_deal, rules.deals(seed, deals), progress)


def best_response(policy: Policy, deal: Deal, seat: Seat) -> float:
    """Returns the points that a player in a seat gains on average by the best response to an agent in the other seat."""
    other: Seat = "second" if seat == "first" else "first"
    sign = 1 if seat == "first" else -1
    known: dict[str, dict[str, float]] = {}

    def chances(game: Game) -> dict[str, float]:
        view = game.view(other)
        text = str(view)
        if text not in known:
            known[text] = _checked(policy, view)
        return known[text]

    def after(games: list[tuple[Game, float]]) -> float:
        # The player of the best response cannot tell games with equal views apart.
        groups: dict[str, list[tuple[Game, float]]] = {}
        for game, weight in games:
            groups.setdefault(str(game.view(seat)), []).append((game, weight))
        return sum(map(best, groups.values()))

    def best(games: list[tuple[Game, float]]) -> float:
        # The weight of a game is the probability of the agent's actions that lead to it.
        points = 0.0
        later: list[tuple[Game, float]] = []
        own: list[tuple[Game, float]] = []
        for game, weight in games:
            if game.outcome is not None:
                points += weight * sign * game.outcome.points_for_first
            elif game.to_act == seat:
                own.append((game, weight))
            else:
                later += [(game.play(a), weight * p) for a, p in chances(game).items()]
        if own:
            # The games in `own` have equal views for the player, so that their legal actions are the same.
            legal = own[0][0].legal_actions()
            points += max(after([(game.play(a), weight) for game, weight in own]) for a in legal)
        return points + after(later)

    return best([(Game(deal), 1.0)])


def _checked(policy: Policy, view: View) -> dict[str, float]:
    """Returns the positive probabilities of an agent's actions. Raises an error if they do not sum to 1, or for an illegal action."""
    chances = {action: float(chance) for action, chance in policy(view).items() if chance != 0}
    if min(chances.values(), default=-1.0) < 0 or not math.isclose(
        sum(chances.values()), 1.0, abs_tol=1e-6
    ):
        raise OvermateError(
            f"the probabilities of an agent must be positive and sum to 1, but are {chances}"
        )
    legal = view.legal_actions()
    for action in chances:
        if action not in legal:
            raise OvermateError(
                f"the agent chose {action}, which is not legal: choose one of {' '.join(legal)}"
            )
    return chances


def _over_deals(
    measure: Callable[[Deal], float],
    deals: list[Deal],
    progress: Callable[[int, int], object] | None,
) -> Result:
    if len(deals) < 2:
        raise OvermateError("a confidence interval needs at least two deals: give more deals")
    numbers = []
    for deal in deals:
        numbers.append(measure(deal))
        if progress is not None:
            progress(len(numbers), len(deals))
    error = statistics.stdev(numbers) / math.sqrt(len(numbers))
    return Result(len(numbers), statistics.fmean(numbers), NORMAL_95 * error)


def _main() -> None:
    text = "Measures agents by a task of docs/benchmark.md, and prints a row of a table for each."
    parser = argparse.ArgumentParser(prog="python -m overmate.benchmark", description=text)
    parser.add_argument("task", choices=["regret", "exploitability"])
    names = ", ".join(AGENTS)
    parser.add_argument("agents", nargs="+", help=f"{names}, or a bot such as level:3")
    what = f"number of deals; default {REGRET_DEALS}, for exploitability {HIDDEN_DEALS}"
    parser.add_argument("--deals", type=int, help=what)
    parser.add_argument("--seed", type=int, default=1, help="seed of deals and chance; default 1")
    options = parser.parse_args()
    measure, default = regret, REGRET_DEALS
    if options.task == "exploitability":
        measure, default = exploitability, HIDDEN_DEALS
    deals = default if options.deals is None else options.deals
    if deals < 2:
        parser.error("a confidence interval needs at least two deals: give --deals 2 or more")
    if options.seed < 0:
        parser.error("a seed is not negative: give --seed 0 or more")
    try:
        # All agents are made before the first is measured, so that an unknown name is found at once.
        for name, policy in [(name, agent(name)) for name in options.agents]:
            print(f"| {name} | {measure(policy, deals=deals, seed=options.seed)} |", flush=True)
    except OvermateError as error:
        parser.error(str(error))


if __name__ == "__main__":
    _main()
