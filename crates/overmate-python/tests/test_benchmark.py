"""Compares the benchmark's results with those of OpenSpiel and of naive searches, and with those in `docs/benchmark.md`."""

import functools
import pathlib
import random
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import overmate.spiel
import pytest
from open_spiel.python.algorithms.best_response import BestResponsePolicy
from open_spiel.python.policy import Policy
from overmate import Bot, Deal, Game, Position, RuleSet, Seat, View, benchmark
from support import REPOSITORY, SMALL

SEATS: tuple[Seat, Seat] = ("first", "second")


class Adapter(Policy):  # type: ignore[misc]
    """Agent of the benchmark as a policy of OpenSpiel."""

    def __init__(self, game: Any, agent: benchmark.Policy) -> None:
        super().__init__(game, [0, 1])
        self.agent = agent

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Returns the agent's probabilities of the legal actions; the keys are the numbers of the actions in OpenSpiel."""
        player = state.current_player() if player_id is None else player_id
        chances = self.agent(state.game.view(SEATS[player]))
        return {action: chances.get(state.texts[action], 0.0) for action in state.legal_actions()}


@pytest.mark.parametrize("name", ["uniform", "first-legal", "greedy", "level:2", "level:7"])
def test_best_responses_equal_those_of_openspiel(name: str) -> None:
    rules, agent, cases = benchmark.small_denexa(4, 2), benchmark.agent(name), 0
    points = []
    for deal in rules.deals(seed=3, count=3):
        parameters = {"rules": rules.to_toml(), "deal": deal.number}
        game = overmate.spiel.MateHiddenGame(parameters)
        for player, seat in enumerate(SEATS):
            response = BestResponsePolicy(game, player, Adapter(game, agent))
            expected = response.value(game.new_initial_state())
            found = benchmark.best_response(agent, deal, seat)
            assert found == pytest.approx(expected, abs=1e-9)
            points.append(found)
            cases += 1
    assert cases == 6
    result = benchmark.exploitability(agent, rules=rules, deals=3, seed=3)
    assert result.mean == pytest.approx(sum(points) / 6)
    assert (result.deals, result.mean > 0.5, result.margin > 0) == (3, True, True)


def naive_regret(agent: benchmark.Policy, deal: Deal, seat: Seat) -> float:
    """Returns the exact expected regret of an agent in a game, by an exhaustive search that draws no action at random."""

    @functools.cache
    def value(position: Position) -> int:
        if position.outcome is not None:
            return position.outcome.points_for_first
        values = [value(position.play(action)) for action in position.legal_actions()]
        return max(values) if position.to_act == "first" else min(values)

    def lost(game: Game) -> float:
        if game.to_act is None:
            return 0.0
        after = [game.play(action) for action in game.legal_actions()]
        if game.to_act != seat:
            best = [state for state in after if value(state.position) == value(game.position)]
            return sum(map(lost, best)) / len(best)
        total = 0.0
        for action, chance in agent(game.view(seat)).items():
            state = game.play(action)
            points = abs(value(game.position) - value(state.position))
            total += chance * (points + lost(state))
        return total

    return lost(Game(deal))


@pytest.mark.parametrize("name", ["uniform", "first-legal", "greedy"])
def test_regrets_equal_those_of_a_naive_search(name: str) -> None:
    rules, agent = RuleSet.from_toml(SMALL), benchmark.agent(name)
    chance, total, games = random.Random(5), 0.0, 300
    for deal in rules.deals(seed=2, count=4):
        for seat in SEATS:
            expected = naive_regret(agent, deal, seat)
            drawn = [benchmark.game_regret(agent, deal, seat, chance) for _ in range(games)]
            mean = sum(drawn) / games
            error = (sum((lost - mean) ** 2 for lost in drawn) / games / (games - 1)) ** 0.5
            assert abs(mean - expected) <= 4 * error + 1e-9
            total += expected
    assert total > 20


def test_the_regret_of_an_agent_is_the_difference_of_value_and_score() -> None:
    rules, solver, cases = RuleSet("bga"), overmate.Solver(), 0
    for deal in rules.deals(seed=4, count=10):
        for seat in SEATS:
            views: list[View] = []

            def agent(view: View, seen: list[View] = views) -> Mapping[str, float]:
                seen.append(view)
                return benchmark.first_legal(view)

            lost = benchmark.game_regret(agent, deal, seat, random.Random(1), solver)
            # The opponent loses no points. The value of the game for the agent therefore falls by exactly the points that
            # the agent loses. The fall is measured from the start to the agent's last action.
            last = views[-1]
            game = Game(deal, last.actions)
            sign = 1 if seat == "first" else -1
            after = game.play(last.legal_actions()[0])
            values = [int(solver.value(state)) for state in [Game(deal), after]]
            assert lost == sign * (values[0] - values[1])
            cases += lost > 0
    assert cases > 10


def test_regret_is_refused_for_a_card_face_down() -> None:
    text = "regret is not defined with a card face down, as in the rule set denexa"
    for rules in [RuleSet("denexa"), RuleSet("denexa+double"), benchmark.small_denexa()]:
        with pytest.raises(overmate.OvermateError, match=text):
            benchmark.regret(benchmark.uniform, rules=rules, deals=2)
        with pytest.raises(overmate.OvermateError, match=text):
            benchmark.game_regret(benchmark.uniform, rules.deal(0), "first", random.Random(1))
    for name in ["sackson", "rael"]:
        assert benchmark.regret(benchmark.uniform, rules=RuleSet(name), deals=2).mean > 0


def test_perfect_play_has_no_regret_and_levels_have_less_than_chance() -> None:
    assert benchmark.regret(benchmark.agent("perfect"), deals=5) == (5, 0.0, 0.0)
    weak, strong = (
        benchmark.regret(benchmark.agent(name), deals=20).mean for name in ["uniform", "level:8"]
    )
    assert 0 < 3 * strong < weak


def test_the_probabilities_of_levels_are_those_of_their_choices() -> None:
    cases, drawn = 0, 300
    for name, actions in [("bga", []), ("bga", ["Ac"]), ("denexa", []), ("denexa", ["-", "-"])]:
        game = Game(RuleSet(name).deal(20_010))
        for action in actions:
            game = game.play(action if action in game.legal_actions() else game.legal_actions()[0])
        assert game.to_act is not None
        view = game.view(game.to_act)
        for level in ["level:1", "level:4"]:
            chances = Bot(level).chances(view)
            assert sum(chances.values()) == pytest.approx(1)
            chosen = [Bot(level, seed).choose(view).action for seed in range(drawn)]
            for action in view.legal_actions():
                chance = chances.get(action, 0.0)
                spread = (chance * (1 - chance) / drawn) ** 0.5
                assert abs(chosen.count(action) / drawn - chance) <= 4.5 * spread + 1e-9
                cases += 0.01 < chance < 0.99
    assert cases > 20
    with pytest.raises(overmate.BotError, match="cannot tell the probabilities"):
        Bot("perfect").chances(Game(RuleSet("bga").deal(0)).view("first"))
    with pytest.raises(overmate.BotError, match="is not to act"):
        Bot("level:1").chances(Game(RuleSet("bga").deal(0)).view("second"))


def test_wrong_agents_are_refused() -> None:
    wrong: list[tuple[benchmark.Policy, str]] = [
        (lambda view: {}, "sum to 1"),
        (lambda view: {view.legal_actions()[0]: 0.5}, "sum to 1"),
        (lambda view: {view.legal_actions()[0]: 1.5, view.legal_actions()[1]: -0.5}, "positive"),
        (lambda view: {"-": 1.0}, "chose -, which is not legal"),
    ]
    for agent, text in wrong:
        with pytest.raises(overmate.OvermateError, match=text):
            benchmark.regret(agent, deals=2)
    with pytest.raises(overmate.OvermateError, match="at least two deals"):
        benchmark.regret(benchmark.uniform, deals=1)


def rows(task: str) -> dict[str, str]:
    """Returns the results in the document on the benchmark, by the names of the agents."""
    text = pathlib.Path(REPOSITORY / "docs/benchmark.md").read_text()
    block = text.split(f"<!-- {task} -->")[1].split("\n\n")[0]
    found = dict(re.findall(r"^\| `?([^|`]+)`? \| ([^|]+) \|$", block, re.MULTILINE))
    return {name: result for name, result in found.items() if "±" in result}


def command(*arguments: str) -> list[str]:
    """Returns the lines that the benchmark prints."""
    run = [sys.executable, "-m", "overmate.benchmark", *arguments]
    printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    return printed.splitlines()


def test_the_command_refuses_wrong_arguments_without_a_traceback() -> None:
    few = "a confidence interval needs at least two deals: give --deals 2 or more"
    wrong = [
        (["regret", "uniform", "--deals", "0"], few),
        (["exploitability", "uniform", "--deals", "1"], few),
        (["regret", "uniform", "--deals", "-3"], few),
        (["regret", "uniform", "--seed", "-1"], "a seed is not negative: give --seed 0 or more"),
        (["regret", "uniform", "nobody"], "there is no opponent `nobody`"),
    ]
    for arguments, text in wrong:
        run = [sys.executable, "-m", "overmate.benchmark", *arguments]
        refused = subprocess.run(run, check=False, capture_output=True, text=True)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"benchmark: error: {text}" in refused.stderr
    assert command("regret", "perfect", "--deals", "2") == ["| perfect | 0.00 ± 0.00 |"]


def test_the_document_has_the_results_of_the_command() -> None:
    names = list(benchmark.AGENTS)
    regrets, exploited = rows("regret"), rows("exploitability")
    assert command("regret", *names) == [f"| {name} | {regrets[name]} |" for name in names]
    found = command("exploitability", "first-legal")
    assert found == [f"| first-legal | {exploited['first-legal']} |"]
    assert set(names) < set(regrets) & set(exploited)
    assert {f"level:{number}" for number in range(1, 10)} | {"perfect"} < set(regrets)


def test_the_document_agrees_with_the_exploitability_that_rust_computes() -> None:
    lines = pathlib.Path(REPOSITORY / "docs/levels/hidden.tsv").read_text().splitlines()
    cases, results = 0, rows("exploitability")
    for line in lines[1:]:
        player, first, second = line.split("\t")[:3]
        name = player.replace("level ", "level:")
        if name in results:
            mean = float(results[name].split(" ± ")[0])
            assert mean == pytest.approx((float(first) + float(second)) / 2, abs=0.0055)
            cases += 1
    assert cases == 3
