"""Plays many games at once with `VectorGames`, and compares all results with games of the class `Game`."""

import re
import threading
import time
from collections.abc import Callable

import numpy as np
import overmate
import pytest
from overmate import Game, RuleSet, Solver, VectorGames
from support import interrupt_after, receive_interrupts

#: Rule sets of the tests; together, they have every kind of action, deck and score.
RULES = [
    "sackson",
    "pagat+free-move+kings-privilege",
    "pagat+double",
    "denexa",
    "denexa+double",
    "bga",
    "rael+kings-privilege",
    "rael+double",
    "rael+figure-privilege+free-move",
    "sackson+pinochle",
    "sackson+pinochle+free-move",
]


def expected_observation(game: Game) -> list[int]:
    """Returns the observation of the player to act, from their view of the game."""
    rules, own = game.rules, game.to_act
    assert own is not None
    other: overmate.Seat = "second" if own == "first" else "first"
    view = game.view(own)
    cards = list(dict.fromkeys(rules.cards))
    planes: list[int] = []
    for hand in [view.hand(own), view.hand(other)]:
        planes += [hand.count(card) for card in cards]
    for shown in [view.lead, view.foreplaced(own), view.foreplaced(other)]:
        planes += [int(card == shown) for card in cards]
    decided = [view.foreplaced(own), view.foreplaced(other)]
    has_card = [card not in (None, "-") for card in decided]
    scalars = [view.phase == phase for phase in ["foreplacing", "lead", "follow"]]
    scalars += [own == "first", decided[0] is not None, has_card[0]]
    scalars += [decided[1] is not None, has_card[1]]
    last_move = rules.hand_size - int(all(has_card))
    numbers = [view.moves, view.free_move_used, view.demanded, last_move]
    return planes + [int(number) for number in scalars + numbers]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("threads", [1, 3])
def test_games_follow_the_rules(name: str, threads: int) -> None:
    rules = RuleSet(name)
    games = VectorGames(rules, 40, seed=7, threads=threads)
    beside = [Game(rules.deal(int(number))) for number in games.deals]
    ended = mates = 0
    kinds = set()
    for _ in range(120):
        for index, game in enumerate(beside):
            numbers = map(int, np.flatnonzero(games.masks[index]))
            legal = {games.action(number) for number in numbers}
            assert legal == set(game.legal_actions())
            assert games.observations[index].tolist() == expected_observation(game)
            assert ["first", "second"][games.seats[index]] == game.to_act
        actions = games.sample()
        assert games.masks[np.arange(40), actions].all()
        beside = [
            game.play(games.action(int(action)))
            for game, action in zip(beside, actions, strict=True)
        ]
        kinds |= {re.sub("[A-Z79][a-z]", "", games.action(int(action))) for action in actions}
        games.step(actions)
        deals = games.deals
        for index, game in enumerate(beside):
            assert games.dones[index] == (game.outcome is not None)
            points = 0 if game.outcome is None else game.outcome.points_for_first
            assert games.rewards[index] == points
            mates += points != 0
            if game.outcome is not None:
                beside[index] = Game(rules.deal(int(deals[index])))
                ended += 1
    assert ended > 60
    assert mates > 30
    assert kinds == {
        "",
        *(["-", "()"] if "bga" not in name else []),
        *(["*"] if "free-move" in name else []),
        *(["!"] if "rael" in name and "privilege" in name else []),
    }


def test_the_number_of_threads_does_not_change_the_games() -> None:
    runs = []
    for threads in [1, 2, 5]:
        games = VectorGames(RuleSet("sackson"), 101, seed=3, threads=threads)
        total = np.zeros(101, dtype=np.int64)
        for _ in range(200):
            games.step(games.sample())
            total += games.rewards
        runs.append((total.tolist(), games.deals.tolist(), games.observations.tolist()))
    assert runs[0] == runs[1] == runs[2]
    assert len(set(runs[0][0])) > 50
    other = VectorGames(RuleSet("sackson"), 101, seed=4)
    assert other.deals.tolist() != VectorGames(RuleSet("sackson"), 101, seed=3).deals.tolist()


def test_all_deals_are_equally_likely() -> None:
    games = VectorGames(RuleSet("bga"), 60_000, seed=1)
    hands = games.observations[:, :20].astype(np.int64)
    assert (hands.sum(axis=1) == 10).all()
    # The seat *first* holds each card in half of all possible deals, and each pair of cards in 9 of 38 deals.
    means = hands.mean(axis=0)
    assert np.abs(means - 0.5).max() < 0.012
    pairs = (hands.T @ hands) / len(hands)
    pairs[np.arange(20), np.arange(20)] = 9 / 38
    assert np.abs(pairs - 9 / 38).max() < 0.012
    assert len(np.unique(games.deals)) > 40_000


def test_regrets_are_the_points_lost_against_best_play() -> None:
    solver, cases, lost = Solver(), 0, 0
    for name in ["sackson", "rael+double", "denexa"]:
        rules = RuleSet(name)
        games = VectorGames(rules, 5, seed=2, regret=True)
        beside = [Game(rules.deal(int(number))) for number in games.deals]
        for _ in range(40):
            actions = games.sample()
            before = [int(solver.value(game)) for game in beside]
            seats = games.seats.copy()
            games.step(actions)
            deals = games.deals
            for index, game in enumerate(beside):
                after = game.play(games.action(int(actions[index])))
                sign = 1 if seats[index] == 0 else -1
                regret = sign * (before[index] - int(solver.value(after)))
                assert games.regrets[index] == regret
                assert regret >= 0
                cases, lost = cases + 1, lost + (regret > 0)
                ended = after.outcome is not None
                beside[index] = Game(rules.deal(int(deals[index]))) if ended else after
    assert (cases, lost > 100) == (600, True)
    with pytest.raises(overmate.TooLarge, match="at most 10 cards a hand"):
        VectorGames(RuleSet("sackson+pinochle"), 1, regret=True)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_stops_games_with_regrets_between_two_games(
    request: pytest.FixtureRequest, threads: int
) -> None:
    receive_interrupts(request)
    rules, count = RuleSet("pagat+free-move"), 200
    games = VectorGames(rules, count, threads=threads, regret=True)

    def is_cut(call: Callable[[], None], changed: Callable[[], int]) -> bool:
        """Returns whether an interrupt stops a call after it has changed some of the games, but not all."""
        with pytest.raises(KeyboardInterrupt):
            interrupt_after(0.01)
            call()
            # On a slow machine, the call may end before the interrupt.
            while True:
                time.sleep(0.01)
        return 0 < changed() < count

    def start(deal: int) -> bool:
        return is_cut(lambda: games.start([deal] * count), lambda: (games.deals == deal).sum())

    assert any(start(deal) for deal in range(1, 11))
    # All games have the same deal and the same actions, so that a single step ends all games and solves all new deals.
    game = Game(rules.deal(20_010))
    actions = []
    while game.to_act is not None:
        actions.append(game.legal_actions()[0])
        game = game.play(actions[-1])
    *earlier, last = [np.full(count, games.action_number(action)) for action in actions]

    def end() -> bool:
        games.start([20_010] * count)
        for numbers in earlier:
            games.step(numbers)
        return is_cut(lambda: games.step(last), lambda: games.dones.sum())

    assert any(end() for _ in range(10))
    before = Game(rules.deal(20_010), actions[:-1])
    for index, deal in enumerate(games.deals):
        current = Game(rules.deal(int(deal))) if games.dones[index] else before
        assert games.observations[index].tolist() == expected_observation(current)
        legal = {games.action(int(number)) for number in np.flatnonzero(games.masks[index])}
        assert legal == set(current.legal_actions())
    games.step(np.where(games.dones, games.sample(), last))
    assert (games.regrets >= 0).all()


def test_action_numbers_read_and_write_the_notation() -> None:
    cases = 0
    for name in RULES:
        games = VectorGames(RuleSet(name), 1)
        assert games.masks.shape == (1, games.action_count)
        for number in range(games.action_count):
            assert games.action_number(games.action(number)) == number
            cases += 1
        with pytest.raises(overmate.OvermateError, match="give a number below"):
            games.action(games.action_count)
    assert cases > 500
    with pytest.raises(overmate.IllegalAction, match="never allows the action"):
        VectorGames(RuleSet("bga"), 1).action_number("-")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("regret", [False, True])
def test_a_refused_step_reports_no_results_of_an_earlier_step(threads: int, regret: bool) -> None:
    games = VectorGames(RuleSet("bga"), 2, seed=1, threads=threads, regret=regret)
    while not (games.dones.any() and games.rewards.any() and games.regrets.any() == regret):
        games.step(games.sample())
    with pytest.raises(overmate.IllegalAction, match="action 999 is not legal in game 0"):
        games.step(np.array([999, 999]))
    for results in [games.dones, games.rewards, games.regrets]:
        assert not results.any()


def test_a_call_beside_a_running_call_is_refused(request: pytest.FixtureRequest) -> None:
    receive_interrupts(request)
    count = 200
    games = VectorGames(RuleSet("pagat+free-move"), count, regret=True)
    calls: list[Callable[[], object]] = [
        lambda: games.deals,
        lambda: games.sample(),
        lambda: games.observe(0, "first"),
        lambda: games.start([0] * count),
        lambda: games.step(np.zeros(count, dtype=np.int64)),
    ]
    errors: list[str] = []

    def error(call: Callable[[], object]) -> str:
        try:
            call()
        except overmate.OvermateError as error:
            return str(error)
        return ""

    def call_all() -> None:
        while not error(calls[0]):
            pass
        errors.extend(map(error, calls))
        # These calls need only what never changes.
        assert (len(games), games.dones.shape) == (count, (count,))
        assert games.action(games.action_number("Ac")) == "Ac"
        errors.append("end")
        interrupt_after(0)

    other = threading.Thread(target=call_all)
    other.start()
    with pytest.raises(KeyboardInterrupt):
        games.start([20_010] * count)
        other.join()
        time.sleep(1)
    other.join()
    busy = "another call is using the games: wait for the end of that call"
    assert errors == [busy] * len(calls) + ["end"]


def test_wrong_calls_are_refused() -> None:
    games = VectorGames(RuleSet("sackson"), 4)
    games.start([20_010] * 4)
    assert games.deals.tolist() == [20_010] * 4
    number = games.action_number("(Ac)")
    with pytest.raises(overmate.IllegalAction, match=f"action {number} is not legal in game 2"):
        games.step(np.array([games.action_number("-")] * 2 + [number] * 2))
    # The refused call of `step` has played the actions in games 0 and 1, which precede the game with the illegal
    # action. The arrays show the positions after these actions.
    assert games.seats.tolist() == [1, 1, 0, 0]
    with pytest.raises(overmate.IllegalAction, match="action -1 is not legal in game 0"):
        games.step(np.array([-1] * 4))
    with pytest.raises(overmate.OvermateError, match="give as many as there are games"):
        games.step(np.array([0]))
    with pytest.raises(overmate.OvermateError, match="not contiguous: give a copy of the array"):
        games.step(np.zeros(8, dtype=np.int64)[::2])
    with pytest.raises(overmate.DealError, match="there is no deal 184756"):
        games.start([184_756] * 4)
    assert len(games) == 4
