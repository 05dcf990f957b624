"""Measures random games of other libraries, for a comparison with `vector.py` on the same machine.

Run it in an environment with both libraries: `pip install pgx pettingzoo chess pygame`, then
`python crates/overmate-python/benches/compare.py`.

As in `vector.py`, the actions are random legal actions, whose choice is not measured, and a game that is over begins again.
"""

import random
import time

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset
from pettingzoo.classic import chess_v6

#: Environments of pgx. Its chess takes minutes to compile.
GAMES = ["tic_tac_toe", "connect_four", "kuhn_poker"]

#: Numbers of games and of steps of each measurement.
SIZES = [(1_024, 200), (32_768, 20)]

#: Number of measured steps of PettingZoo, which plays one game.
STEPS = 2_000


def measure_pgx(name: str, count: int, steps: int) -> None:
    """Steps games of pgx together, and prints the steps in a second."""
    env = pgx.make(name)
    keys = jax.random.split(jax.random.PRNGKey(1), count)
    state = jax.jit(jax.vmap(env.init))(keys)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    sample = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf), axis=-1))
    stepping, ended = 0.0, 0
    for index in range(steps + 1):
        action = jax.block_until_ready(sample(jax.random.PRNGKey(index), state.legal_action_mask))
        start = time.perf_counter()
        state = jax.block_until_ready(step(state, action, keys))
        # The first step compiles.
        if index > 0:
            stepping += time.perf_counter() - start
            ended += int(state.terminated.sum() + state.truncated.sum())
    rate = count * steps / stepping / 1e6
    print(f"pgx {name:14} {count:6} games: {rate:8.3f} million steps a second, {ended} games ended", flush=True)


def measure_pettingzoo() -> None:
    """Steps one game of chess in PettingZoo, and prints the steps in a second."""
    env = chess_v6.env()
    env.reset(seed=1)
    generator = random.Random(1)
    stepping, ended = 0.0, 0
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
        stepping += time.perf_counter() - start
    rate = STEPS / stepping / 1e6
    print(f"PettingZoo chess_v6      1 game:  {rate:8.6f} million steps a second, {ended} games ended", flush=True)


measure_pettingzoo()
for game in GAMES:
    for size in SIZES:
        measure_pgx(game, *size)
