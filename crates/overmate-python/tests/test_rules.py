"""Tests rules, games, matches, views, records and notation of the package, mostly against the output of `overmate`."""

import copy
import pathlib
import pickle

import overmate
import pytest
from overmate import Deal, Game, Match, Record, RuleSet
from support import REPOSITORY, binary, generator, refusal

RULES = ["sackson", "pagat+free-move+kings-privilege", "denexa", "bga", "rael+kings-privilege"]
RULES += ["sackson+double", "sackson+pinochle", "pagat+figure-privilege"]


def play_out(match: Match, seed: int) -> Match:
    """Plays random legal actions to the end of a match."""
    chance = generator(seed)
    while match.to_act is not None:
        match = match.play(chance.choice(match.current.legal_actions()))
    return match


def test_facts_of_all_rule_sets_equal_those_of_the_binary() -> None:
    [listed] = binary("rules", "--json")
    names = [rules["id"] for rules in listed["rule_sets"]]
    assert set(names) <= set(overmate.catalogue())
    assert len(overmate.catalogue()) > 60
    for name in overmate.catalogue():
        [facts] = binary("rules", name, "--json")
        assert RuleSet(name).facts() == facts


def test_deals_equal_those_of_the_binary() -> None:
    for name in RULES:
        rules = RuleSet(name)
        last = rules.deal_count - 1
        for number in [0, 1, 20_010, 184_755, last]:
            [line] = binary("deal", number, "--rules", name, "--json")
            deal = rules.deal(number)
            assert str(deal.number) == line["deal"]
            assert deal.hand("first") == line["first"]
            assert deal.hand("second") == line["second"]
            assert rules.read_deal(str(deal)) == deal


def test_random_matches_replay_alike_in_the_binary(tmp_path: pathlib.Path) -> None:
    actions = 0
    for index, name in enumerate(RULES * 3):
        match = play_out(Match(RuleSet(name), seed=index), index)
        file = tmp_path / f"{index}.mate"
        file.write_text(str(Record(match)))
        *games, total = binary("replay", file, "--json")
        totals = (0, 0)
        assert len(games) == len(match.games) == match.length
        for number, (game, line) in enumerate(zip(match.games, games, strict=True)):
            assert game.actions == line["actions"]
            assert [str(game.after(n).position) for n in range(len(game.actions) + 1)] == line[
                "positions"
            ]
            points = match.game_points(number)
            assert points is not None
            totals = (totals[0] + points[0], totals[1] + points[1])
            assert totals == (line["score"]["a"], line["score"]["b"])
            outcome, expected = game.outcome, line["outcome"]
            assert outcome is not None
            assert (outcome.kind, outcome.points) == (expected["kind"], expected["points"])
            assert (outcome.card, outcome.factor) == (expected["card"], expected["factor"])
            assert (outcome.value, outcome.move) == (expected["value"], expected["move"])
            by = None if outcome.by is None else Match.player(number, outcome.by)
            assert by == expected["by"]
            actions += len(game.actions)
        assert match.totals == (total["score"]["a"], total["score"]["b"])
        result = match.result
        assert result is not None
        assert result.winner == total["result"]["winner"]
        assert result.margin == total["result"]["margin"]
    assert actions > 1_000


def test_a_record_keeps_headers_and_notes() -> None:
    text = (REPOSITORY / "docs/example.mate").read_text()
    record = Record.read(text)
    assert str(record) == text
    assert ("A", "Anna") in record.headers
    changed = record.with_header("A", "Ada").with_note(0, 1, "a note").with_note(0, 2, 4)
    assert (0, 1, "a note") in changed.notes
    assert (0, 2, 4) in changed.notes
    assert Record.read(str(changed)) == changed
    assert Record.read_all(text + "\n" + str(changed)) == [record, changed]
    assert changed != record


def test_errors_have_the_texts_of_the_binary(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "damaged.mate"
    text = (REPOSITORY / "docs/example.mate").read_text()
    cases = 0
    for old, new in [("Td", "Xd"), ("Qd", "Qx"), ("sackson", "saxon"), ("[Games", "(Games")]:
        file.write_text(text.replace(old, new))
        with pytest.raises(overmate.RecordError) as error:
            Record.read(file.read_text())
        # The command `overmate` prints each cause of an error on a separate line. Before the test compares the error
        # texts, it therefore joins the printed lines.
        printed = " ".join(refusal("replay", file).split())
        for part in str(error.value).split(": "):
            assert " ".join(part.split()) in printed
            cases += 1
    for name in ["saxon", "bga+double+pinochle", "sackson+"]:
        with pytest.raises(overmate.RulesError) as unknown:
            RuleSet(name)
        assert str(unknown.value) in refusal("rules", name)
        cases += 1
    with pytest.raises(overmate.DealError) as missing:
        RuleSet("bga").deal(184_756)
    assert str(missing.value) in refusal("deal", "184756", "--rules", "bga")
    assert cases > 8


def test_illegal_actions_name_the_reason_and_change_nothing() -> None:
    game = Game(RuleSet("sackson").deal(20_010)).play("(Tc)")
    reason = (
        "the opponent foreplaced Tc, so you may not foreplace a card of the same suit (clubs) or rank (ten): "
        "foreplace another card, or decline with -"
    )
    assert game.why_illegal("(Ac)") == reason
    with pytest.raises(overmate.IllegalAction, match="you hold spades: answer in spades"):
        game.play("-", "As", "Ac")
    assert str(game) == "(Tc)"
    with pytest.raises(overmate.IllegalAction) as error:
        game.play("(Ac)")
    assert str(error.value) == reason
    assert isinstance(error.value, ValueError)
    with pytest.raises(overmate.NotationError, match="line 1, column 1: expected an action"):
        game.play("Jc")
    with pytest.raises(overmate.OvermateError, match="`third` is not a seat"):
        game.resign("third")  # type: ignore[arg-type]


def test_resignations_end_games_and_matches() -> None:
    rules = RuleSet("sackson")
    game = Game(rules.deal(7)).play("-").resign("second")
    assert game.outcome is not None
    assert (game.outcome.kind, game.outcome.by) == ("resignation", "second")
    assert (game.outcome.winner, game.outcome.points) == ("first", 0)
    match = Match(rules, seed=3).resign("B")
    assert match.result is not None
    assert (match.result.winner, match.result.resigned) == ("A", "B")


def test_a_view_hides_the_face_down_card() -> None:
    rules = RuleSet("denexa")
    hidden = 0
    for number in range(0, 184_756, 4_001):
        game = Game(rules.deal(number)).play("(" + rules.deal(number).hand("first")[3] + ")", "-")
        own, other = game.view("first"), game.view("second")
        assert own.actions[0] == game.actions[0]
        assert other.actions[0] == "(?)"
        assert other.foreplaced("first") == "(?)"
        assert sorted(other.candidates("first")) == sorted(rules.deal(number).hand("first"))
        assert other.hand("first") == rules.deal(number).hand("first")
        assert len(own.hand("first")) == 9
        assert own.legal_actions() == game.legal_actions()
        assert other.legal_actions() == []
        hidden += 1
    assert hidden == 47


def test_copies_are_equal() -> None:
    copies = 0
    toml = RuleSet("bga").to_toml().replace('name = "bga"', 'name = "mine"')
    for rules in [*map(RuleSet, RULES), RuleSet.from_toml(toml)]:
        match = play_out(Match(rules, seed=1), 1)
        resigned = Game(match.deals[0]).resign("first")
        objects = [rules, match.deals[0], match.games[0], match, Record(match), resigned]
        for item in [*objects, match.games[0].after(5).position, Match(rules, seed=2)]:
            for copied in [pickle.loads(pickle.dumps(item)), copy.deepcopy(item)]:
                assert copied == item
                assert type(copied) is type(item)
                copies += 1
    assert copies == 144
    assert RuleSet.from_toml(toml) != RuleSet("bga")
    assert len({RuleSet("bga"), RuleSet("bga"), RuleSet("rael")}) == 2


def test_rules_with_the_name_of_other_published_rules_can_be_copied() -> None:
    toml = RuleSet("bga").to_toml().replace('name = "bga"', 'name = "mine"')
    rules = RuleSet.from_toml(toml.replace("rounds = 2", "rounds = 1"))
    text = str(Record(play_out(Match(rules, seed=1), 1)))
    record = Record.read(text.replace("mine", "bga"))
    match, game = record.match, record.match.games[0]
    rules = match.rules
    assert rules.name == "bga"
    assert rules != RuleSet("bga")
    with pytest.raises(overmate.RulesError, match="already has the name"):
        RuleSet.from_toml(rules.to_toml())
    assert copy.deepcopy(rules) == pickle.loads(pickle.dumps(rules)) == rules
    copies = 0
    for item in [match.deals[0], game, game.after(5).position, match]:
        for copied in [pickle.loads(pickle.dumps(item)), copy.deepcopy(item)]:
            assert copied == item
            assert copied.rules == rules
            copies += 1
    assert copies == 8
    assert copy.deepcopy(record) == pickle.loads(pickle.dumps(record)) == record


def test_a_position_leads_back_to_a_game() -> None:
    rules = RuleSet("sackson")
    position = rules.read_position("AcTc/AhKh second -/- - -")
    game = Game.leading_to(position)
    assert game is not None
    assert game.position == position
    deal = position.possible_deal()
    assert isinstance(deal, Deal)
    assert set(position.hand("first")) <= set(deal.hand("first"))
    assert (position.phase, position.leader, position.lead) == ("lead", "second", None)
    [first, *_] = position.legal_actions()
    assert position.play(first) == game.play(first).position
