"""Mate as an environment of Gymnasium: one agent against a computer opponent.

Install the extra `gymnasium` of this package.
"""

from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ._overmate import Bot, Game, OvermateError, RuleSet, VectorGames
from .words import Seat

__all__ = ["MateGym"]

Observation = dict[str, NDArray[Any]]


class MateGym(gymnasium.Env[Observation, np.int64]):
    """One game of Mate against a bot, such as `level:3` or `perfect`.

    The reward at the end is the points of the agent, negative if the bot scored. An action that is not legal, also a
    number that no action has, ends the game with the loss of the most points that any mate can score. The agent sits in
    `seat`; `random` draws the seat of each game.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        rules: RuleSet | str = "sackson",
        opponent: str = "level:3",
        *,
        seat: Seat | Literal["random"] = "random",
        deal: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        _check_seat(seat)
        self.rules = RuleSet(rules) if isinstance(rules, str) else rules
        self.opponent = Bot(opponent).name
        self.seat, self.deal, self.render_mode = seat, deal, render_mode
        self.games = VectorGames(self.rules, 1)
        values = [rank["points"] for rank in self.rules.facts()["deck"]["ranks"]]
        self.most_points = float(max(values) * (self.rules.hand_size + 1) * 2)
        actions, size = self.games.action_count, self.games.observations.shape[1]
        self.action_space = gymnasium.spaces.Discrete(actions)
        self.observation_space: gymnasium.spaces.Dict[Any] = gymnasium.spaces.Dict(  # type: ignore[assignment]
            {
                "observation": gymnasium.spaces.Box(0, 60, (size,), np.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a new game. The options `deal` and `seat` fix the deal of the game and the seat of the agent."""
        chosen = options or {}
        seat = chosen.get("seat", self.seat)
        _check_seat(seat)
        super().reset(seed=seed)
        deal = chosen.get("deal", self.deal)
        if deal is None:
            deal = int(self.np_random.integers(self.rules.deal_count))
        if seat == "random":
            seat = ("first", "second")[int(self.np_random.integers(2))]
        self.own: Seat = seat
        self.bot = Bot(self.opponent, int(self.np_random.integers(2**32)))
        self.games.start([deal])
        self.game = Game(self.rules.deal(deal))
        self._let_bot_act()
        return self._observation(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action of the agent and the actions of the bot up to the agent's next turn."""
        # NumPy would count a negative number from the end of the mask, and refuse a number beyond the end.
        if not (0 <= action < self.games.action_count and self.games.masks[0, action]):
            info = self._info() | {"illegal": True}
            return self._zeros(), -self.most_points, True, False, info
        self._play(int(action))
        self._let_bot_act()
        outcome = self.game.outcome
        if outcome is None:
            return self._observation(), 0.0, False, False, self._info()
        sign = 1 if self.own == "first" else -1
        return self._zeros(), float(sign * outcome.points_for_first), True, False, self._info()

    def render(self) -> str | None:
        """Returns the actions of the game so far, in notation; None unless the render mode is `ansi`."""
        return str(self.game) if self.render_mode == "ansi" else None

    def _play(self, number: int) -> None:
        self.game = self.game.play(self.games.action(number))
        self.games.step(np.array([number], dtype=np.int64))

    def _let_bot_act(self) -> None:
        while self.game.to_act is not None and self.game.to_act != self.own:
            choice = self.bot.choose(self.game.view(self.game.to_act))
            self._play(self.games.action_number(choice.action))

    def _info(self) -> dict[str, Any]:
        return {"deal": self.game.deal.number, "seat": self.own, "actions": self.game.actions}

    def _observation(self) -> Observation:
        mask = self.games.masks[0].astype(np.int8)
        return {"observation": self.games.observations[0].copy(), "action_mask": mask}

    def _zeros(self) -> Observation:
        size, actions = self.games.observations.shape[1], self.games.action_count
        zeros = np.zeros(size, dtype=np.uint8)
        return {"observation": zeros, "action_mask": np.zeros(actions, dtype=np.int8)}


def _check_seat(seat: object) -> None:
    """Raises an error unless `seat` is a seat or `random`."""
    if seat not in ("first", "second", "random"):
        raise OvermateError(f"`{seat}` is not a seat: write `first`, `second` or `random`")
