"""Measures the speed of random games in `VectorGames` and in other libraries.

Run it with a wheel of `cargo xtask python` in an environment with the libraries:
`pip install pgx pettingzoo chess pygame open_spiel`, then `python crates/overmate-python/benches/compare.py`.

The actions are random legal actions, whose choice is not measured, and a game that is over begins again.
"""

import random
import time

import jax
import jax.numpy as jnp
import numpy as np
import overmate
import overmate.spiel  # Registers the games in OpenSpiel.
import pgx
import pyspiel
from pettingzoo.classic import chess_v6
from pgx.experimental import auto_reset

#: Games of the Python library pgx whose speed is measured. The chess of pgx is left out, because it takes minutes to
#: compile.
GAMES = ["tic_tac_toe", "connect_four", "kuhn_poker"]

#: Sizes of the measurements: the number of simultaneous games, and the number of measured steps, in each of which every
#: game gets one action.
SIZES = [(1_024, 400), (32_768, 100)]

#: Number of actions that are measured when `VectorGames` plays one game at a time.
ALONE = 20_000

#: Games of OpenSpiel with their numbers of measured steps: two in C++, and Mate, whose state is a Python object.
OPEN_SPIEL = {"tic_tac_toe": 200_000, "connect_four": 200_000, "python_overmate": 5_000}

#: Number of measured actions in PettingZoo, which plays one game at a time.
STEPS = 2_000


def report(name: str, count: int, seconds: list[float], ended: int) -> None:
    """Prints the median and the highest number of actions per second in `count` games that are played at the same time.

    A step plays one action in each game. Other programs on the machine interrupt steps with many games. The fastest
    step is the least disturbed.
    """
    median, fastest = (count / step / 1e6 for step in (np.median(seconds), np.min(seconds)))
    rates = f"median {median:9.5f}, fastest {fastest:9.5f} million steps a second"
    print(f"{name:26} {count:6} games: {rates}, {ended} games ended", flush=True)


def measure_vector_games(count: int, steps: int) -> None:
    """Measures the actions per second in `count` games of Mate that are played at the same time, on one thread."""
    games = overmate.VectorGames(overmate.RuleSet("bga"), count, seed=1)
    seconds: list[float] = []
    ended = 0
    for _ in range(steps):
        actions = games.sample()
        start = time.perf_counter()
        games.step(actions)
        seconds.append(time.perf_counter() - start)
        ended += int(np.count_nonzero(games.dones))
    report("VectorGames bga", count, seconds, ended)


def measure_pgx(name: str, count: int, steps: int) -> None:
    """Measures the actions per second in `count` games of pgx that are played at the same time."""
    env = pgx.make(name)
    keys = jax.random.split(jax.random.PRNGKey(1), count)
    state = jax.jit(jax.vmap(env.init))(keys)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    sample = jax.jit(
        lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1)
    )
    seconds: list[float] = []
    ended = 0
    for index in range(steps + 1):
        action = jax.block_until_ready(sample(jax.random.PRNGKey(index), state.legal_action_mask))
        start = time.perf_counter()
        state = jax.block_until_ready(step(state, action, keys))
        # The first call of `step` also compiles the environment of pgx, and is therefore not measured.
        if index > 0:
            seconds.append(time.perf_counter() - start)
            ended += int(state.terminated.sum() + state.truncated.sum())
    report(f"pgx {name}", count, seconds, ended)


def measure_open_spiel(name: str, steps: int) -> None:
    """Measures the speed of steps in one game of OpenSpiel.

    A step is an action, the legal actions after the action, and the observation of the player to act.
    """
    game = pyspiel.load_game(name)
    generator = random.Random(1)
    state = game.new_initial_state()
    legal = state.legal_actions()
    seconds: list[float] = []
    ended = 0
    for _ in range(steps):
        action = generator.choice(legal)
        start = time.perf_counter()
        state.apply_action(action)
        if state.is_terminal():
            state.returns()
            ended += 1
            state = game.new_initial_state()
        legal = state.legal_actions()
        state.observation_tensor()
        seconds.append(time.perf_counter() - start)
    report(f"OpenSpiel {name}", 1, seconds, ended)


def measure_pettingzoo() -> None:
    """Measures the speed of steps in one game of chess in PettingZoo."""
    env = chess_v6.env()
    env.reset(seed=1)
    generator = random.Random(1)
    seconds: list[float] = []
    ended = 0
    for _ in range(STEPS):
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            ended += 1
            env.reset(seed=ended + 1)
            observation, *_ = env.last()
        legal = observation["action_mask"].nonzero()[0]
        action = generator.choice(legal.tolist())
        start = time.perf_counter()
        env.step(action)
        seconds.append(time.perf_counter() - start)
    report("PettingZoo chess_v6", 1, seconds, ended)


for count, steps in [(1, ALONE), *SIZES]:
    measure_vector_games(count, steps)
for name in GAMES:
    for count, steps in SIZES:
        measure_pgx(name, count, steps)
for name, steps in OPEN_SPIEL.items():
    measure_open_spiel(name, steps)
measure_pettingzoo()
