"""Runs the checks of PettingZoo, Gymnasium and OpenSpiel on the environments of the package.

The tests also play games in these environments, and compare the games with the rules.
"""

import copy
import pathlib
import pickle
import warnings
from typing import Any

import numpy as np
import overmate.env
import overmate.gym
import overmate.spiel
import pyspiel
import pytest
from absl import flags
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import generate_playthrough
from overmate import Bot, Game, RuleSet
from overmate.spiel import MateState
from pettingzoo.test import api_test, seed_test

#: Folder of the playthroughs that OpenSpiel has written: one file for each game of `overmate.spiel`.
PLAYTHROUGHS = pathlib.Path(__file__).parent / "playthroughs"

RULES = ["sackson", "denexa", "rael+kings-privilege", "sackson+pinochle"]


@pytest.mark.parametrize("name", RULES)
def test_pettingzoo_accepts_the_environment(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(overmate.env.env(name), num_cycles=200)
        seed_test(lambda: overmate.env.env(name), num_cycles=50)


def test_agents_of_pettingzoo_play_by_the_rules() -> None:
    chance, games = np.random.default_rng(1), 0
    for name in RULES:
        environment = overmate.env.raw_env(name, render_mode="ansi")
        for number in range(5):
            environment.reset(seed=number)
            game = Game(RuleSet(name).deal(int(environment.games.deals[0])))
            rewards = {"first": 0.0, "second": 0.0}
            for agent in environment.agent_iter():
                observation, reward, terminated, _, _ = environment.last()
                rewards[agent] += reward
                if terminated:
                    environment.step(None)
                    continue
                assert agent == game.to_act
                action = int(chance.choice(np.flatnonzero(observation["action_mask"])))
                game = game.play(environment.games.action(action))
                environment.step(action)
                assert environment.render() == str(game)
            assert game.outcome is not None
            points = game.outcome.points_for_first
            assert rewards == {"first": points, "second": -points}
            games += 1
    assert games == 20


@pytest.mark.parametrize("name", RULES[:3])
def test_gymnasium_accepts_the_environment(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(overmate.gym.MateGym(name, "level:1"))


def test_the_agent_of_gymnasium_plays_against_the_bot() -> None:
    environment = overmate.gym.MateGym("sackson", "perfect", render_mode="ansi")
    chance, points, games = np.random.default_rng(1), 0.0, 0
    for number in range(10):
        observation, info = environment.reset(seed=number)
        terminated, reward = False, 0.0
        while not terminated:
            action = chance.choice(np.flatnonzero(observation["action_mask"]))
            observation, reward, terminated, truncated, info = environment.step(action)
            assert not truncated
        game = Game(RuleSet("sackson").deal(info["deal"]), info["actions"])
        assert environment.render() == str(game)
        assert game.outcome is not None
        sign = 1 if info["seat"] == "first" else -1
        assert reward == sign * game.outcome.points_for_first
        points += reward
        games += 1
    assert games == 10
    assert points < 0, "a random player loses to the perfect one"
    environment.reset(seed=1, options={"deal": 7, "seat": "first"})
    refused = int(np.flatnonzero(environment.games.masks[0] == 0)[0])
    # A negative number that NumPy would take for the number of a legal action.
    aliased = int(np.flatnonzero(environment.games.masks[0])[0]) - environment.games.action_count
    beyond = environment.games.action_count
    illegal = 0
    wrong: list[np.int64 | int] = [refused, aliased, np.int64(aliased), beyond, -beyond - 1]
    for unknown in [*wrong, 2**70, -(2**70)]:
        environment.reset(seed=1, options={"deal": 7, "seat": "first"})
        _, reward, terminated, _, info = environment.step(unknown)
        assert (reward, terminated, info["illegal"]) == (-242.0, True, True)
        assert info["actions"] == []
        illegal += 1
    assert illegal == 7
    with pytest.raises(overmate.BotError):
        overmate.gym.MateGym("sackson", "nobody")


def test_the_environment_of_gymnasium_refuses_an_unknown_seat() -> None:
    environment = overmate.gym.MateGym("sackson", "level:1", seat="second", deal=7)
    _, before = environment.reset(seed=1)
    assert before["seat"] == "second"
    seats: list[Any] = ["First", "A", "", 0, None]
    for seat in seats:
        refused = f"`{seat}` is not a seat: write `first`, `second` or `random`"
        with pytest.raises(overmate.OvermateError, match=refused):
            overmate.gym.MateGym("sackson", "level:1", seat=seat)
        with pytest.raises(overmate.OvermateError, match=refused):
            environment.reset(options={"seat": seat, "deal": 8})
    assert environment.game.deal.number == 7
    for seat in ["first", "second"]:
        assert environment.reset(options={"seat": seat})[1]["seat"] == seat


@pytest.mark.parametrize("name", ["python_overmate", "python_overmate_hidden"])
def test_openspiel_simulates_the_game(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=5, serialize=False, verbose=False)
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM


def test_openspiel_writes_its_playthroughs_again() -> None:
    # OpenSpiel's `generate_playthrough` reads a command-line flag, so that the flags must be parsed first. After an intended
    # change of a game, `generate_playthrough.update_path(str(PLAYTHROUGHS))` writes the files.
    flags.FLAGS(["pytest"])
    games = set()
    for file in sorted(PLAYTHROUGHS.iterdir()):
        expected, played = generate_playthrough.replay(file)
        assert played.splitlines() == expected.splitlines()
        assert expected.count("# Apply action") >= 20
        games.add(file.stem)
    assert games == {"python_overmate", "python_overmate_hidden"}


def test_states_of_openspiel_follow_the_rules() -> None:
    chance, cases = np.random.default_rng(1), 0
    for name, rules in [("python_overmate", "bga"), ("python_overmate_hidden", "denexa")]:
        for deal in [3, 20_010, 99_999]:
            loaded = pyspiel.load_game(name, {"rules": rules, "deal": deal})
            state, game = loaded.new_initial_state(), Game(RuleSet(rules).deal(deal))
            while not state.is_terminal():
                assert isinstance(state, MateState)
                legal = state.legal_actions()
                texts = [state.action_to_string(state.current_player(), a) for a in legal]
                assert sorted(texts) == sorted(game.legal_actions())
                for copied in [copy.deepcopy(state), pickle.loads(pickle.dumps(state))]:
                    assert str(copied) == str(game)
                    assert copied.legal_actions() == legal
                action = int(chance.choice(legal))
                game = game.play(state.action_to_string(state.current_player(), action))
                state.apply_action(action)
                cases += 1
            assert game.outcome is not None
            assert state.returns()[0] == game.outcome.points_for_first
    assert cases > 60
    with pytest.raises(overmate.OvermateError, match="belongs to the game python_overmate_hidden"):
        pyspiel.load_game("python_overmate", {"rules": "denexa"})


def test_openspiel_hides_the_card_face_down() -> None:
    loaded = pyspiel.load_game("python_overmate_hidden", {"deal": 20_010})
    seen = set()
    for action in loaded.new_initial_state().legal_actions():
        state = loaded.new_initial_state()
        text = state.action_to_string(0, action)
        state.apply_action(action)
        seen.add(state.information_state_string(1))
        assert text in state.information_state_string(0)
    assert seen == {"second: -", "second: (?)"}
    kinds = pyspiel.PrivateInfoType
    for public, private in [(True, kinds.NONE), (False, kinds.SINGLE_PLAYER)]:
        part = pyspiel.IIGObservationType(
            public_info=public, perfect_recall=False, private_info=private
        )
        assert loaded.make_py_observer(part) is None


def test_the_observer_of_openspiel_writes_the_observation_of_the_games() -> None:
    loaded = pyspiel.load_game("python_overmate_hidden", {"deal": 20_010})
    observer, cases = loaded.make_py_observer(), 0
    state, games = loaded.new_initial_state(), overmate.VectorGames(RuleSet("denexa"), 1)
    games.start([20_010])
    chance = np.random.default_rng(1)
    while not state.is_terminal():
        for player, seat in enumerate(overmate.spiel.SEATS):
            observer.set_from(state, player)
            assert observer.tensor.tolist() == games.observe(0, seat).tolist()
            assert observer.string_from(state, player).startswith(seat)
            cases += 1
        action = int(chance.choice(state.legal_actions()))
        state.apply_action(action)
        games.step(np.array([action]))
    observer.set_from(state, 0)
    assert not observer.tensor.any()
    assert cases > 10


def test_values_of_openspiel_equal_those_of_the_solver() -> None:
    loaded = pyspiel.load_game("python_overmate", {"rules": "bga", "deal": 20_010})
    state, solver = loaded.new_initial_state(), overmate.Solver()
    bots = [Bot("perfect"), Bot("perfect")]
    while not state.is_terminal():
        game = state.game
        if game.position.moves >= 6:
            break
        choice = bots[state.current_player()].choose(game.view(game.to_act))
        state.apply_action(loaded.actions.action_number(choice.action))

    def best(state: MateState) -> float:
        if state.is_terminal():
            return state.returns()[0]
        values = [best(state.child(action)) for action in state.legal_actions()]
        return max(values) if state.current_player() == 0 else min(values)

    assert best(state) == int(solver.value(state.game))
