"""Compares the exact values of the solver with the output of the command `overmate`, and with a naive search."""

import functools
import itertools
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import overmate
import pytest
from overmate import (
    Analysis,
    Game,
    Match,
    Position,
    Record,
    RuleSet,
    Solver,
    Tablebase,
    Value,
    WholeGame,
    data,
)
from support import (
    REPOSITORY,
    SMALL,
    binary,
    generator,
    interrupt_after,
    output,
    receive_interrupts,
    refusal,
)

RULES = ["sackson", "pagat+free-move+kings-privilege", "denexa", "rael+double"]

@functools.cache
def naive(position: Position) -> int:
    """Returns the value of a position in points for *first*, by trying all actions."""
    if position.outcome is not None:
        return position.outcome.points_for_first
    values = [naive(position.play(action)) for action in position.legal_actions()]
    return max(values) if position.to_act == "first" else min(values)


def as_json(analysis: Analysis) -> dict[str, object]:
    """Returns an analysis in the JSON form that the command `overmate solve --json` prints."""

    def form(value: Value) -> dict[str, int | None]:
        return {"exact": value.exact, "low": value.low, "high": value.high}

    actions = [{"action": a, "value_for_first": form(v)} for a, v in analysis.actions]
    return {"value_for_first": form(analysis.value), "actions": actions, "line": analysis.line}


def test_analyses_of_deals_equal_those_of_the_binary() -> None:
    solver, cases = Solver(), 0
    for name in RULES:
        for line in binary("solve", "--json", "--rules", name, "20000..20010"):
            game = Game(RuleSet(name).deal(int(line["deal"])))
            found = as_json(solver.analyse(game))
            assert found == {key: line[key] for key in found}
            assert int(solver.value(game)) == line["value_for_first"]["exact"]
            cases += 1
    assert cases == 40


def test_values_of_many_deals_equal_those_of_the_binary() -> None:
    for name in RULES:
        lines = binary("solve", "--json", "--rules", name, "500..530")
        expected = [line["value_for_first"]["exact"] for line in lines]
        array = np.arange(500, 530)
        choices: list[overmate.Deals] = [range(500, 530), array, array.astype(np.uint64)]
        for deals in choices:
            values = overmate.solve_deals(RuleSet(name), deals, threads=2)
            assert values.dtype == np.int32
            assert values.tolist() == expected
        assert len(expected) == 30


def test_deal_numbers_that_are_no_integers_or_negative_are_refused(tmp_path: pathlib.Path) -> None:
    rules, file = RuleSet.from_toml(SMALL), tmp_path / "small.tablebase"
    (tmp_path / "small.toml").write_text(SMALL)
    output("tablebase", "build", "--rules", tmp_path / "small.toml", file)
    games = overmate.VectorGames(rules, 2)
    calls: list[Callable[[Any], object]] = [
        lambda deals: overmate.solve_deals(rules, deals).tolist(),
        lambda deals: WholeGame.solve(rules).values(deals).tolist(),
        lambda deals: Tablebase(file).values(deals).tolist(),
        games.start,
        lambda deals: data.write(tmp_path / "new.parquet", deals, {"bga": [0] * 2}),
    ]
    wrong = [[1, 2.7], [1, -2], [1, 2**64], [1, "2"], [1, None]]
    arrays = [np.array([1, 2.7]), np.array([1, -2]), np.array([True, False]), np.array([[1], [2]])]
    cases = 0
    for call in calls:
        for deals in [*wrong, *arrays]:
            with pytest.raises(overmate.OvermateError, match="is not a deal number: give integers"):
                call(deals)
            cases += 1
        for dtype in (np.int8, np.int64, np.uint16, np.uint64):
            assert call(np.array([1, 2], dtype)) == call((1, 2))
    assert cases == 45
    with pytest.raises(overmate.OvermateError, match=r"`-2` is not a deal number"):
        games.start([1, -2])
    for call in calls[:3]:
        assert call([]) == call(np.array([])) == []
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        calls[0](5)


def test_values_equal_those_of_a_naive_search() -> None:
    rules = RuleSet.from_toml(SMALL)
    chance, cases, solver = generator(), 0, Solver()
    deals = overmate.solve_deals(rules, range(rules.deal_count))
    whole = WholeGame.solve(rules)
    assert (whole.values(range(rules.deal_count)) == deals).all()
    for number in range(rules.deal_count):
        game = Game(rules.deal(number))
        assert deals[number] == naive(game.position)
        while game.to_act is not None:
            game = game.play(chance.choice(game.legal_actions()))
            expected = naive(game.position)
            assert int(solver.value(game)) == expected
            assert whole.value(game) == whole.value(game.position) == expected
            assert int(solver.analyse(game.position).value) == expected
            cases += 1
    assert cases > 300


def test_a_review_equals_that_of_the_binary(tmp_path: pathlib.Path) -> None:
    cases = 0
    text = (REPOSITORY / "docs/example.mate").read_text()
    other = Match(RuleSet("sackson+double"), seed=4)
    chance = generator()
    while other.to_act is not None:
        other = other.play(chance.choice(other.current.legal_actions()))
    for record in [Record.read(text), Record(other)]:
        file = tmp_path / "match.mate"
        file.write_text(str(record))
        lines = binary("review", "--json", file)[:-1]
        solver = Solver()
        reviews = [action for game in record.match.games for action in solver.review(game)]
        assert len(reviews) == len(lines)
        for found, line in zip(reviews, lines, strict=True):
            assert (found.seat, found.action) == (line["seat"], line["action"])
            assert (found.before.exact, found.after.exact) == (
                line["before"]["exact"],
                line["after"]["exact"],
            )
            assert (found.lost, found.best) == (line["lost"], line["best"])
            mistake = line["mistake"] or {"kind": None, "cards": []}
            assert (found.mistake, found.mistake_cards) == (mistake["kind"], mistake["cards"])
            cases += 1
    assert cases > 80


def test_a_tablebase_holds_the_values_of_the_solver(tmp_path: pathlib.Path) -> None:
    rules = RuleSet.from_toml(SMALL)
    (tmp_path / "small.toml").write_text(SMALL)
    file = tmp_path / "small.tablebase"
    binary_rules = ["--rules", tmp_path / "small.toml"]
    output("tablebase", "build", *binary_rules, file)
    table = Tablebase(file)
    assert table.rules == rules
    assert table.bytes == file.stat().st_size
    assert table.positions == WholeGame.positions_of(rules)
    with pytest.raises(overmate.TooLarge, match="more than 20 cards"):
        WholeGame.positions_of(RuleSet("bga+pinochle"))
    deals = range(rules.deal_count)
    assert (table.values(deals) == overmate.solve_deals(rules, deals)).all()
    game, solver = Game(rules.deal(33)), Solver()
    while game.to_act is not None:
        assert table.value(game) == int(solver.value(game))
        assert table.analyse(game) == solver.analyse(game)
        game = game.play(game.legal_actions()[-1])
    other = Game(RuleSet("bga").deal(0))
    assert table.value(other) is None
    with pytest.raises(overmate.OvermateError, match="open another tablebase"):
        table.analyse(other)
    file.write_bytes(b"no tablebase" * 100)
    with pytest.raises(overmate.TablebaseError, match="the file is not a tablebase"):
        Tablebase(file)


def test_a_large_deck_gives_bounds_within_a_budget() -> None:
    game = Game(RuleSet("bga+pinochle").deal(12_345_678))
    value = Solver().value(game, nodes=2_000)
    assert value.exact is None
    assert value.low < value.high
    with pytest.raises(overmate.OvermateError, match="not proved exactly"):
        int(value)
    with pytest.raises(overmate.TooLarge, match="at most 10 cards a hand"):
        overmate.solve_deals(game.rules, [0])
    with pytest.raises(overmate.TooLarge, match="the deck has 48"):
        WholeGame.solve(game.rules)
    with pytest.raises(overmate.OvermateError, match="not a time limit"):
        Solver().value(game, seconds=-1.0)


def test_more_threads_than_the_command_line_allows_are_refused() -> None:
    rules = RuleSet.from_toml(SMALL)
    game, solver = Game(rules.deal(33)), Solver()
    calls: list[Callable[[int], object]] = [
        lambda threads: solver.value(game, threads=threads),
        lambda threads: solver.analyse(game, threads=threads),
        lambda threads: solver.review(game, threads=threads),
        lambda threads: overmate.solve_deals(rules, range(70), threads=threads),
        lambda threads: WholeGame.solve(rules, threads=threads),
        lambda threads: overmate.arena(rules, ["level:1", "level:2"], 1, threads=threads),
        lambda threads: overmate.VectorGames(rules, 2, threads=threads),
    ]
    cases = 0
    for call in calls:
        for threads in [1025, 10**6]:
            with pytest.raises(overmate.OvermateError, match=f"{threads} threads are too many"):
                call(threads)
            cases += 1
        call(0)
    assert cases == 14
    assert "1025 is not in 1..=1024" in refusal("solve", "--threads", 1025, 7)
    solver.value(game, threads=1024)


def test_counts_that_do_not_fit_in_memory_are_refused(tmp_path: pathlib.Path) -> None:
    rules = RuleSet("bga")
    whole = WholeGame.solve(RuleSet.from_toml(SMALL))
    games = overmate.VectorGames(rules, 1)
    calls: list[Callable[[int], object]] = [
        lambda count: rules.deals(1, count),
        lambda count: overmate.VectorGames(rules, count),
        lambda count: overmate.VectorGames(rules, count, regret=True),
        lambda count: overmate.arena(rules, ["level:1", "level:2"], count),
        lambda count: overmate.solve_deals(rules, range(count)),
        lambda count: whole.values(range(count)),
        lambda count: games.start(range(count)),
        lambda count: data.write(tmp_path / "none.parquet", range(count), {"bga": [1]}),
    ]
    cases = 0
    for call in calls:
        for count in [10**12, 2**62, 2**63 - 1]:
            with pytest.raises(overmate.OvermateError, match="are too many.* at most [0-9]+"):
                call(count)
            cases += 1
    assert cases == 24
    for most, regret in [(1_048_576, False), (4_096, True)]:
        with pytest.raises(overmate.OvermateError, match=f"at most {most}$"):
            overmate.VectorGames(rules, most + 1, regret=regret)
    with pytest.raises(overmate.OvermateError, match="at most 10000000$"):
        rules.deals(1, 10_000_001)
    endless: Any = itertools.repeat(0)
    with pytest.raises(overmate.OvermateError, match="give at most 10000000"):
        overmate.solve_deals(rules, endless)
    # Ranges of numbers in place of texts and deals are refused by their first item, and all that is no sequence at once.
    wrong: list[Callable[[Any], object]] = [
        lambda items: Game(rules.deal(1), items),
        lambda items: Match.with_deals(2, items),
        lambda items: overmate.arena(rules, items, 1),
    ]
    for call in wrong:
        for items in [range(10**12), "Tc", itertools.repeat("level:1"), {"level:1", "level:2"}]:
            with pytest.raises(TypeError):
                call(items)


def test_long_calls_report_their_progress() -> None:
    seen: list[tuple[int, int]] = []
    rules = RuleSet("bga")
    values = overmate.solve_deals(
        rules, range(400), progress=lambda done, total: seen.append((done, total))
    )
    assert len(values) == 400
    assert seen[-1] == (400, 400)
    assert seen == sorted(seen)

    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        overmate.solve_deals(rules, range(rules.deal_count), progress=stop)
    with pytest.raises(Enough):
        WholeGame.solve(RuleSet("sackson"), progress=stop)


def test_an_interrupt_stops_long_calls(request: pytest.FixtureRequest) -> None:
    # If a call does not stop, the time limit in `pyproject.toml` ends the test run.
    receive_interrupts(request)
    game = Game(RuleSet("bga+pinochle").deal(12_345_678))
    rules, endless = RuleSet("sackson"), 10**12
    calls: list[Callable[[], object]] = [
        lambda: Solver().value(game),
        lambda: Solver().analyse(game),
        lambda: overmate.solve_deals(rules, range(rules.deal_count)),
        lambda: WholeGame.solve(rules),
        lambda: overmate.arena(rules, ["level:9", "perfect"], 1_000_000),
        lambda: overmate.play_match(Match(game.rules, seed=1), "perfect", "perfect", nodes=endless),
        lambda: overmate.Bot("perfect").choose(game.view("first"), nodes=endless),
        lambda: rules.deals(1, 10_000_000),
        lambda: overmate.VectorGames(rules, 4_096, regret=True),
    ]
    stopped = 0
    for call in calls:
        with pytest.raises(KeyboardInterrupt):
            interrupt_after(0.3)
            call()
        stopped += 1
    assert stopped == 9


def test_an_interrupt_stops_the_values_of_many_deals(
    request: pytest.FixtureRequest, tmp_path: pathlib.Path
) -> None:
    receive_interrupts(request)
    rules, file = tmp_path / "small.toml", tmp_path / "small.tablebase"
    rules.write_text(SMALL)
    output("tablebase", "build", "--rules", rules, file)
    whole, cases = WholeGame.solve(RuleSet.from_toml(SMALL)), 0
    tables: list[tuple[WholeGame | Tablebase, int]] = [(whole, 1_000_000), (Tablebase(file), 250_000)]
    for table, many in tables:
        # Processor time, which a pause of the machine does not change.
        start = time.process_time()
        table.values([1] * (many // 4))
        quarter = time.process_time() - start
        start = time.process_time()
        with pytest.raises(KeyboardInterrupt):
            interrupt_after(0.01)
            table.values([1] * many)
        assert time.process_time() - start < 2 * quarter
        cases += 1
    assert cases == 2


def test_an_interrupt_during_the_import_leaves_no_panic() -> None:
    # A function of NumPy that the import calls stands for any Python code at which Ctrl-C may arrive.
    interrupt = """
import numpy
def interrupted(*arguments):
    raise KeyboardInterrupt
numpy.lib.NumpyVersion = interrupted
"""
    use = "print(overmate.solve_deals(overmate.RuleSet('bga'), range(3)).tolist())"
    values = overmate.solve_deals(RuleSet("bga"), range(3)).tolist()
    cases = 0
    for code, printed, error in [
        (f"import overmate{interrupt}{use}", f"{values}\n", ""),
        (f"{interrupt}import overmate", "", "KeyboardInterrupt\n"),
    ]:
        command = [sys.executable, "-c", code]
        result = subprocess.run(command, check=False, capture_output=True, text=True)
        assert result.stdout == printed
        assert result.stderr.endswith(error)
        assert "Panic" not in result.stderr
        cases += 1
    assert cases == 2


def test_other_threads_run_during_a_long_call() -> None:
    done = threading.Event()
    turns = 0

    def work() -> None:
        overmate.solve_deals(RuleSet("sackson"), range(300))
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert turns > 10
