"""Two OpenSpiel games for the card game Mate: one with all cards open, and one with a foreplaced card face down.

Importing this module registers both games.

`python_overmate` has perfect information; `python_overmate_hidden` has a foreplaced card face down, which only its owner
knows. Each of these games has one given deal, so that no chance is involved. Install the extra `open-spiel` of this package.
"""

from typing import Any

import numpy as np
import pyspiel

from ._overmate import Game, OvermateError, RuleSet, VectorGames
from .words import Seat

__all__ = ["MateGame", "MateHiddenGame", "MateObserver", "MateState"]

SEATS: tuple[Seat, Seat] = ("first", "second")


def _game_type(name: str, text: str, rules: str, is_open: bool) -> Any:
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=name,
        long_name=text,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=(
            information.PERFECT_INFORMATION if is_open else information.IMPERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": rules, "deal": 20_010},
    )


OPEN = _game_type("python_overmate", "Mate", "sackson", True)
HIDDEN = _game_type("python_overmate_hidden", "Mate with a card face down", "denexa", False)


def _rules(text: str) -> RuleSet:
    # A text with several lines is a rule set in TOML, and a text with one line is the name of a published rule set.
    return RuleSet.from_toml(text) if "\n" in text else RuleSet(text)


class MateGame(pyspiel.Game):  # type: ignore[misc]
    """One deal of Mate with all cards open. Parameters: `rules` (a name, or a custom rule set in TOML), `deal`."""

    game_type = OPEN

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        specification = self.game_type.parameter_specification
        chosen = {**specification, **(params or {})}
        self.rules = _rules(str(chosen["rules"]))
        facts = self.rules.facts()
        foreplacing = facts["foreplacing"]
        is_open = foreplacing is None or not foreplacing["face_down"]
        if is_open != (self.game_type is OPEN):
            name = (OPEN if is_open else HIDDEN).short_name
            raise OvermateError(
                f"the rule set {self.rules.name} belongs to the game {name}: load that game"
            )
        self.deal = self.rules.deal(int(chosen["deal"]))
        self.actions = VectorGames(self.rules, 1)
        #: Texts of the actions, by their numbers.
        self.texts = tuple(map(self.actions.action, range(self.actions.action_count)))
        most = max(rank["points"] for rank in facts["deck"]["ranks"])
        most *= (self.rules.hand_size + 1) * 2
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.action_count,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=float(-most),
            max_utility=float(most),
            utility_sum=0.0,
            max_game_length=2 * self.rules.hand_size + 2,
        )
        super().__init__(self.game_type, info, params or {})

    def new_initial_state(self) -> "MateState":
        """Returns the state before the first action."""
        return MateState(self)

    def __deepcopy__(self, memo: Any) -> "MateGame":
        return self

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "MateObserver | None":
        """Returns an observer of all that one player knows; None if only public or only private information is requested."""
        if iig_obs_type is not None:
            private = pyspiel.PrivateInfoType.SINGLE_PLAYER
            if not iig_obs_type.public_info or iig_obs_type.private_info != private:
                return None
        return MateObserver(self)


class MateHiddenGame(MateGame):
    """One deal of Mate with a foreplaced card face down. Parameters: `rules`, `deal`."""

    game_type = HIDDEN


class MateState(pyspiel.State):  # type: ignore[misc]
    """State of a game of OpenSpiel, which holds a `Game` of this package."""

    def __init__(self, game: MateGame) -> None:
        super().__init__(game)
        # OpenSpiel copies each attribute of a state, so that each attribute must be copyable.
        self.mate_game = game
        self.texts = game.texts
        self.game = Game(game.deal)

    def current_player(self) -> int:
        """Returns the player to act: 0 for *first*, 1 for *second*."""
        seat = self.game.to_act
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else SEATS.index(seat)

    def _legal_actions(self, player: int) -> list[int]:
        number = self.texts.index
        return sorted(number(action) for action in self.game.legal_actions())

    def _apply_action(self, action: int) -> None:
        self.game = self.game.play(self.texts[action])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.texts[action]

    def is_terminal(self) -> bool:
        """Returns whether the game has ended."""
        return self.game.to_act is None

    def returns(self) -> list[float]:
        """Returns the points of both players; zeros before the end of the game."""
        outcome = self.game.outcome
        points = 0.0 if outcome is None else float(outcome.points_for_first)
        # For 0 points, `0.0 - points` gives 0.0, and `-points` would give -0.0.
        return [points, 0.0 - points]

    def information_state_string(self, player: int | None = None) -> str:
        """Returns a text with a player's seat and the actions of the game, with `(?)` for a card hidden from the player.

        The deal is public and left out.
        """
        seat = SEATS[self.current_player() if player is None else player]
        return f"{seat}: {self.game.view(seat)}"

    def observation_string(self, player: int | None = None) -> str:
        """Returns the same text as `information_state_string`."""
        return self.information_state_string(player)

    def __str__(self) -> str:
        return str(self.game)

    def __deepcopy__(self, memo: Any) -> "MateState":
        return _replayed(MateState(self.mate_game), self.history())

    def __reduce__(self) -> tuple[Any, ...]:
        parameters = self.mate_game.get_parameters()
        return (_restore, (type(self.mate_game), parameters, self.history()))


def _restore(kind: type[MateGame], parameters: dict[str, Any], history: list[int]) -> MateState:
    return _replayed(MateState(kind(parameters)), history)


def _replayed(state: MateState, history: list[int]) -> MateState:
    for action in history:
        state.apply_action(action)
    return state


class MateObserver:
    """Observer of a game: gives the cards and facts that a player knows, as numbers and as text."""

    def __init__(self, game: MateGame) -> None:
        self.games = VectorGames(game.rules, 1)
        self.deal = game.deal.number
        size = self.games.observations.shape[1]
        self.tensor = np.zeros(size, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: MateState, player: int) -> None:
        """Writes the observation of a player; zeros after the end of the game."""
        self.tensor.fill(0.0)
        if state.is_terminal():
            return
        self.games.start([self.deal])
        for action in state.game.actions:
            self.games.step(np.array([self.games.action_number(action)], dtype=np.int64))
        self.tensor[:] = self.games.observe(0, SEATS[player])

    def string_from(self, state: MateState, player: int) -> str:
        """Returns the information state of a player as text."""
        return state.information_state_string(player)


pyspiel.register_game(OPEN, MateGame)
pyspiel.register_game(HIDDEN, MateHiddenGame)
