"""Mate as an environment of PettingZoo, with two agents that act in turn.

Install the extra `pettingzoo` of this package.
"""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._overmate import RuleSet, VectorGames
from .words import Seat

__all__ = ["MateEnv", "env", "raw_env"]

SEATS: tuple[Seat, Seat] = ("first", "second")


def env(rules: RuleSet | str = "sackson", *, deal: int | None = None) -> AECEnv:
    """Creates a PettingZoo environment for Mate that ends a game after an illegal action."""
    checked = wrappers.TerminateIllegalWrapper(raw_env(rules, deal=deal), illegal_reward=-1)
    checked = wrappers.AssertOutOfBoundsWrapper(checked)
    return wrappers.OrderEnforcingWrapper(checked)


def raw_env(
    rules: RuleSet | str = "sackson",
    *,
    deal: int | None = None,
    render_mode: str | None = None,
) -> "MateEnv":
    """Returns the environment without wrappers."""
    return MateEnv(rules, deal=deal, render_mode=render_mode)


class MateEnv(AECEnv):  # type: ignore[misc]
    """One game of Mate between the agents `first` and `second`.

    An observation is a dictionary of the cards and facts that the agent knows (`observation`) and the legal actions
    (`action_mask`). The reward at the end is the points of the game, positive for the agent that scored. With `deal`
    each game has this deal; otherwise each reset draws a deal.
    """

    metadata = {"name": "overmate_v0", "is_parallelizable": False, "render_modes": ["ansi"]}

    def __init__(
        self,
        rules: RuleSet | str = "sackson",
        *,
        deal: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules = RuleSet(rules) if isinstance(rules, str) else rules
        self.deal = deal
        self.render_mode = render_mode
        self.games = VectorGames(self.rules, 1)
        self.possible_agents = list(SEATS)
        self.np_random = np.random.default_rng()
        actions, size = self.games.action_count, self.games.observations.shape[1]
        space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 60, (size,), np.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in SEATS}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in SEATS}
        self.actions: list[str] = []

    def observation_space(self, agent: Seat) -> gymnasium.spaces.Space[Any]:
        """Returns the space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: Seat) -> gymnasium.spaces.Space[Any]:
        """Returns the space of the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. The option `deal` gives the deal number of the game."""
        if seed is not None:
            self.np_random = np.random.default_rng(seed)
        deal = (options or {}).get("deal", self.deal)
        if deal is None:
            deal = int(self.np_random.integers(self.rules.deal_count))
        self.games.start([deal])
        self.actions = []
        self.agents = list(SEATS)
        self.rewards = dict.fromkeys(SEATS, 0.0)
        self._cumulative_rewards = dict.fromkeys(SEATS, 0.0)
        self.terminations = dict.fromkeys(SEATS, False)
        self.truncations = dict.fromkeys(SEATS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in SEATS}
        self.agent_selection = SEATS[self.games.seats[0]]

    def observe(self, agent: Seat) -> dict[str, NDArray[Any]]:
        """Returns the observation of an agent; zeros after the end of the game."""
        size, actions = self.games.observations.shape[1], self.games.action_count
        if any(self.terminations.values()):
            zeros = np.zeros(size, dtype=np.uint8)
            return {"observation": zeros, "action_mask": np.zeros(actions, dtype=np.int8)}
        mask = np.zeros(actions, dtype=np.int8)
        if agent == self.agent_selection:
            mask = self.games.masks[0].astype(np.int8)
        return {"observation": self.games.observe(0, agent), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays an action for `agent_selection`, the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "an agent in a running game must act"
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.games.step(np.array([action], dtype=np.int64))
        self.actions.append(self.games.action(int(action)))
        if self.games.dones[0]:
            points = float(self.games.rewards[0])
            self.rewards = {"first": points, "second": -points}
            self.terminations = dict.fromkeys(SEATS, True)
            self.agent_selection = "second" if agent == "first" else "first"
        else:
            self.agent_selection = SEATS[self.games.seats[0]]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Returns the actions of the game so far, in notation; None unless the render mode is `ansi`."""
        return " ".join(self.actions) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing, because a PettingZoo environment for Mate opens no window and no file."""
