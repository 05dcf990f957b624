"""Compares the results of matches between bots with the output of the command `overmate arena`.

Exact score probabilities are compared with a full search of the game tree.
"""

import functools

import overmate
import pytest
from overmate import Bot, Game, Match, Position, RuleSet
from support import SMALL, binary, generator


def test_the_names_of_bots_create_bots() -> None:
    assert {"level:1", "level:9", "perfect", "perfect:vs=3"} <= set(overmate.bots())
    for name in overmate.bots():
        assert Bot(name).name == name
    with pytest.raises(overmate.BotError, match="level:1"):
        Bot("level:10")


def test_bots_choose_legal_actions_and_the_perfect_one_loses_nothing() -> None:
    solver, cases = overmate.Solver(), 0
    for name in ["sackson", "pagat+free-move", "rael+double"]:
        for deal in RuleSet(name).deals(seed=5, count=3):
            game, players = Game(deal), {"first": Bot("perfect", 1), "second": Bot("level:4", 2)}
            value = int(solver.value(game))
            while game.to_act is not None:
                choice = players[game.to_act].choose(game.view(game.to_act))
                assert choice.action in game.legal_actions()
                if game.to_act == "first":
                    assert choice.guaranteed is not None
                    assert choice.guaranteed[0] >= value
                game = game.play(choice.action)
                cases += 1
            assert game.outcome is not None
            assert game.outcome.points_for_first >= value
    assert cases > 100
    with pytest.raises(overmate.BotError, match="is not to act"):
        Bot("perfect").choose(Game(RuleSet("bga").deal(0)).view("second"))


def test_a_bot_refuses_a_standing_that_no_match_has() -> None:
    view = Game(RuleSet("bga").deal(0)).view("first")
    most = 10**9
    faults: list[tuple[dict[str, int], str]] = [
        ({"game": 2**64 - 1}, "no game with the index 18446744073709551615 in a match of 1 games"),
        ({"game": 1}, "no game with the index 1 in a match of 1 games"),
        ({"games": 0}, "no game with the index 0 in a match of 0 games"),
        ({"games": 201}, "at most 200 games"),
        ({"own": 2**31 - 1, "other": -(2**31) + 1}, "must be from 0 to 1000000000"),
        ({"own": most + 1}, "must be from 0 to 1000000000"),
        ({"other": -1}, "must be from 0 to 1000000000"),
    ]
    cases = 0
    for name in ["level:4", "perfect", "perfect:vs=3"]:
        for standing, text in faults:
            with pytest.raises(overmate.BotError, match=text):
                Bot(name).choose(view, **standing)
            cases += 1
        for own, other in [(most, 0), (0, most)]:
            choice = Bot(name).choose(view, game=199, games=200, own=own, other=other)
            assert choice.action in view.legal_actions()
            cases += 1
    assert cases == 27


def test_a_hidden_card_does_not_change_the_choice_before_it_matters() -> None:
    cases = 0
    for deal in RuleSet("denexa").deals(seed=9, count=20):
        cards = deal.hand("first")[:4]
        choices = set()
        for card in cards:
            view = Game(deal).play(f"({card})").view("second")
            choices.add(Bot("level:3", seed=1).choose(view).action)
        assert len(choices) == 1
        cases += 1
    assert cases == 20


def test_arenas_equal_those_of_the_binary() -> None:
    players = ["level:1", "level:4", "level:7"]
    seen: list[tuple[int, int]] = []
    results = overmate.arena(
        RuleSet("bga"),
        players,
        4,
        seed=11,
        threads=2,
        progress=lambda done, total: seen.append((done, total)),
    )
    options = ["--rules", "bga", "--matches", "8", "--seed", "11", "--json"]
    lines = binary("arena", "--players", ",".join(players), *options)
    pairings = lines[-1]["pairings"]
    assert len(results) == len(pairings) == 3
    assert seen[-1] == (24, 24)
    for result, line in zip(results, pairings, strict=True):
        assert list(result.players) == line["players"]
        for field in ["matches", "wins", "draws", "losses"]:
            assert getattr(result, field) == line[field]
        assert result.score == pytest.approx(
            (line["score"]["low"], line["score"]["value"], line["score"]["high"])
        )
    with pytest.raises(overmate.MatchError, match="at least two players"):
        overmate.arena(RuleSet("bga"), ["perfect"], 1)


def test_a_match_between_bots_can_be_repeated() -> None:
    start = Match(RuleSet("sackson"), seed=3)
    played = overmate.play_match(start, "level:5", "perfect", seed=8)
    assert played.result is not None
    assert overmate.play_match(start, "level:5", "perfect", seed=8) == played
    assert played.deals == start.deals
    with pytest.raises(overmate.BotError):
        overmate.play_match(start, "nobody", "perfect")


def test_exact_scores_of_random_players_equal_a_naive_sum() -> None:
    @functools.cache
    def naive(position: Position) -> dict[int, float]:
        if position.outcome is not None:
            return {position.outcome.points_for_first: 1.0}
        total: dict[int, float] = {}
        actions = position.legal_actions()
        for action in actions:
            for points, chance in naive(position.play(action)).items():
                total[points] = total.get(points, 0.0) + chance / len(actions)
        return total

    rules = RuleSet.from_toml(SMALL)
    cases = 0
    for number in generator().sample(range(rules.deal_count), 10):
        expected = naive(Game(rules.deal(number)).position)
        found = overmate.exact_scores(rules.deal(number), "random", "random")
        assert found == pytest.approx(expected)
        cases += len(expected)
    assert cases > 20
