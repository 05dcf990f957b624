//! Tests the conversion between game views and protocol messages, and a bot that answers an arena over the bot protocol.

use std::sync::Arc;
use std::time::Duration;

use overmate_bots::{Bot, BuiltIn, Standing, Thought, Turn};
use overmate_json::RuleFacts;
use overmate_rules::{Action, Deal, Dealt, Game, RuleSet, Seat, Viewer, error_with_causes};
use overmate_solver::Budget;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};

use crate::protocol::MessageFault;
use crate::protocol::messages::{self, Allowance};
use crate::protocol::serve::{ServeError, serve, time_for};
use crate::protocol::wire::{
    ClockWire, FromBot, MatchWire, PlayerWire, PointsWire, ResultWire, SideWire, ThoughtWire,
    ToBot, VERSION, to_line,
};

const STANDING: Standing = Standing { game: 2, games: 4, own: 14, other: 240 };
const ALLOWANCE: Allowance = Allowance { time_ms: 5000, clock: None, nodes: Some(1000) };

/// Plays a random game, and calls `look` with the game before every action and at the end.
fn play_out(rules: &Arc<RuleSet>, seed: u64, mut look: impl FnMut(&Game)) {
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let dealt = Deal::numbered(rules, chance.next_u64() % Dealt::count(rules)).unwrap();
    let mut game = Game::new(dealt);
    loop {
        look(&game);
        let legal: Vec<_> = game.legal_actions().collect();
        if legal.is_empty() {
            return;
        }
        let chosen = usize::try_from(chance.next_u64() % legal.len() as u64).unwrap();
        game = game.play(legal[chosen]).unwrap();
    }
}

/// Returns a protocol message after conversion to JSON and back.
fn sent(message: &ToBot) -> ToBot {
    serde_json::from_str(&to_line(message)).unwrap()
}

#[test]
fn views_survive_the_conversion_into_messages_and_back() {
    let (mut turns, mut hidden, mut overs) = (0, 0, 0);
    for (seed, rules) in (0..).zip(RuleSet::catalogue()) {
        let shared = rules.clone().shared();
        play_out(&shared, seed, |game| {
            for seat in Seat::BOTH {
                let view = game.view(Viewer::Seat(seat));
                let turn = messages::turn(&view, STANDING, ALLOWANCE);
                assert_eq!(turn.is_none(), game.to_act().is_none());
                if let Some(turn) = turn {
                    let is_own = game.to_act() == Some(seat);
                    let legal: Vec<_> = game.legal_actions().filter(|_| is_own).collect();
                    assert_eq!(turn.legal.len(), legal.len());
                    let ToBot::Turn(read) = sent(&ToBot::Turn(Box::new(turn))) else {
                        panic!("a turn")
                    };
                    let back = messages::view(&shared, &read.game, None);
                    assert_eq!(back.unwrap(), view, "{view:?}");
                    assert_eq!(messages::standing(&read.game).unwrap(), STANDING);
                    turns += 1;
                    hidden += u32::from(view.hides_card(!seat));
                } else {
                    let over = messages::game_over(&view, STANDING).unwrap();
                    assert_eq!(messages::view(&shared, &over.game, None).unwrap(), view);
                    overs += 1;
                }
            }
        });
    }
    assert!(turns > 4000 && hidden > 400 && overs > 200, "{turns} {hidden} {overs}");
}

#[test]
fn messages_do_not_depend_on_a_hidden_card() {
    let rules = RuleSet::named("denexa").unwrap();
    let mut compared = 0;
    for seed in 0..40 {
        play_out(&rules.clone().shared(), seed, |game| {
            let view = game.view(Viewer::Seat(Seat::Second));
            let hides = view.hides_card(Seat::First) && game.outcome().is_none();
            let candidates = view.candidates(Seat::First);
            let Some(card) = candidates.first().filter(|_| hides) else { return };
            // Two games that differ only in the opponent's face-down card must give the bot equal messages.
            let other =
                view.imagine(overmate_rules::BySeat { first: Some(*card), second: None }).unwrap();
            let other = other.view(Viewer::Seat(Seat::Second));
            let message = |view| to_line(&messages::turn(view, STANDING, ALLOWANCE).unwrap());
            assert_eq!(message(&view), message(&other));
            compared += 1;
        });
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_forfeited_game_survives_the_conversion() {
    let rules = RuleSet::named("denexa").unwrap().shared();
    let game = Game::new(Deal::numbered(&rules, 20_010).unwrap());
    let game = game.play(rules.read_action("-").unwrap()).unwrap().resign(Seat::First).unwrap();
    let view = game.view(Viewer::Seat(Seat::Second));
    let over = messages::game_over(&view, STANDING).unwrap();
    assert_eq!(over.outcome.by, Some(SideWire::Other));
    assert_eq!(messages::view(&rules, &over.game, Some(SideWire::Other)).unwrap(), view);
}

#[test]
fn a_forfeited_game_that_hides_a_card_is_refused() {
    let rules = RuleSet::named("denexa").unwrap().shared();
    let game = Game::new(Deal::numbered(&rules, 20_010).unwrap());
    let card = game.legal_actions().find(|action| matches!(action, Action::Foreplace(_)));
    let game = game.play(card.unwrap()).unwrap().resign(Seat::First).unwrap();
    let view = game.view(Viewer::Seat(Seat::Second));
    let shown = messages::game_over(&view, STANDING).unwrap().game;
    let mut hiding = shown.clone();
    hiding.actions[0] = "(?)".to_owned();
    let read = |game| messages::view(&rules, game, Some(SideWire::Other));
    assert_eq!(read(&shown).unwrap(), view);
    assert!(matches!(read(&hiding), Err(MessageFault::FaceDown)), "{:?}", read(&hiding));
}

/// Returns the lines that an arena sends to a bot during one match. The list `turns` holds the requests for actions
/// among these lines.
fn conversation(rules: &RuleSet, turns: &[String]) -> String {
    let begin =
        MatchWire { rules: RuleFacts::new(rules), games: 4, player: PlayerWire::A, seed: 5 };
    let over =
        ToBot::MatchOver { result: ResultWire::Draw, points: PointsWire { you: 0, other: 0 } };
    let mut lines = vec![
        to_line(&ToBot::Hello { protocol: VERSION, arena: "a test".to_owned() }),
        to_line(&ToBot::Match(Box::new(begin))),
    ];
    lines.extend_from_slice(turns);
    lines.extend([
        to_line(&over),
        r#"{"type":"weather","sunny":true}"#.to_owned(),
        to_line(&ToBot::Quit),
    ]);
    lines.join("\n")
}

#[test]
fn a_served_bot_plays_like_the_same_bot_in_process() {
    let built_in: BuiltIn = "level:5".parse().unwrap();
    let mut answered = 0;
    for name in ["sackson+free-move", "denexa+double", "rael+kings-privilege"] {
        let rules = RuleSet::named(name).unwrap();
        let mut here = built_in.seeded(5);
        let (mut turns, mut expected) = (Vec::new(), Vec::new());
        play_out(&rules.clone().shared(), 3, |game| {
            let Some(seat) = game.to_act() else { return };
            let view = game.view(Viewer::Seat(seat));
            let allowance = Allowance { nodes: None, ..ALLOWANCE };
            let turn = messages::turn(&view, STANDING, allowance).unwrap();
            turns.push(to_line(&ToBot::Turn(Box::new(turn))));
            let budget = Budget::unlimited();
            let choice = here.choose(&Turn::new(&view, STANDING, &budget));
            expected.push(rules.action_text(choice.unwrap().action).to_string());
        });
        let mut output = Vec::new();
        let enter = |seed| built_in.seeded(seed);
        serve("level:5", enter, conversation(&rules, &turns).as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let mut answers = output.lines().map(|text| serde_json::from_str(text).unwrap());
        assert_eq!(
            answers.next(),
            Some(FromBot::Ready { protocol: 1, name: "level:5".to_owned() })
        );
        let actions: Vec<String> = answers
            .map(|answer| match answer {
                FromBot::Action { action, .. } => action,
                FromBot::Ready { .. } => panic!("an action"),
            })
            .collect();
        assert_eq!(actions, expected);
        answered += actions.len();
    }
    assert!(answered > 20, "{answered}");
}

#[test]
fn a_served_bot_divides_its_clock_among_the_actions_to_come() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let mut shares = Vec::new();
    play_out(&rules, 4, |game| {
        let Some(seat) = game.to_act() else { return };
        let of = |clock| {
            let allowance = Allowance { time_ms: 5000, clock, nodes: None };
            let turn = messages::turn(&game.view(Viewer::Seat(seat)), STANDING, allowance);
            time_for(&turn.unwrap(), STANDING)
        };
        let clock = |left_ms, increment_ms| of(Some(ClockWire { left_ms, increment_ms }));
        assert_eq!(of(None), Duration::from_secs(5));
        assert_eq!(clock(u64::MAX, u64::MAX), Duration::from_secs(5));
        assert_eq!(clock(0, 300), Duration::from_millis(300));
        // After the current game, one whole game with ten cards in each hand is still to be played.
        let cards = u64::from(game.view(Viewer::Seat(seat)).hand(seat).len());
        assert_eq!(clock(60_000, 0), Duration::from_millis(60_000 / (cards + 12)));
        shares.push(clock(60_000, 0));
    });
    assert!(shares.len() > 5 && shares.is_sorted(), "{shares:?}");
}

#[test]
fn the_reason_of_a_program_is_short_and_printable() {
    let reason = |reason: String| {
        let wire = ThoughtWire { horizon: None, expected: None, proved: false, reason };
        Thought::from(wire).reason
    };
    assert_eq!(reason("it ends the game".to_owned()), "it ends the game");
    assert_eq!(reason("\u{1b}]0;x\u{7}\n".to_owned()), "\u{fffd}]0;x\u{fffd}\u{fffd}");
    assert_eq!(reason("x".repeat(161)), format!("{}…", "x".repeat(160)));
}

#[test]
fn invalid_messages_are_reported_with_their_line() {
    let rules = RuleSet::named("bga").unwrap();
    let (mut turns, mut over) = (Vec::new(), String::new());
    play_out(&rules.clone().shared(), 1, |game| {
        if let Some(seat) = game.to_act() {
            let view = game.view(Viewer::Seat(seat));
            turns.push(to_line(&ToBot::Turn(Box::new(
                messages::turn(&view, STANDING, ALLOWANCE).unwrap(),
            ))));
        } else {
            let view = game.view(Viewer::Seat(Seat::First));
            let message = messages::game_over(&view, STANDING).unwrap();
            over = to_line(&ToBot::GameOver(Box::new(message)));
        }
    });
    let whole = conversation(&rules, &turns[..1]);
    let fails = |text: &str, number: u64, saying: &str| {
        let enter = |seed| -> Box<dyn Bot> { BuiltIn::Perfect.seeded(seed) };
        let error = serve("perfect", enter, text.as_bytes(), &mut Vec::new()).unwrap_err();
        let ServeError::Message { line, fault } = error else { panic!("{error}") };
        let what = error_with_causes(&fault);
        assert!(line == number && what.contains(saying), "{line}: {what}");
    };
    let lines: Vec<&str> = whole.lines().collect();
    fails(
        "hello",
        1,
        "the line is not JSON, at column 1: send one JSON object on each line, first {\"type\":\"hello\",",
    );
    fails(
        &[lines[0], lines[0]].concat(),
        1,
        &format!("further text after a JSON value, at column {}", lines[0].len() + 1),
    );
    fails(r#"{"type":"hello"}"#, 1, "not a message of the bot protocol: missing field `protocol`");
    fails(r#"{"type":"hello","protocol":2,"arena":"x"}"#, 1, "speaks version 2");
    fails(lines[2], 1, "no match has begun");
    fails(&format!("\n{}\n{}", lines[0], lines[2]), 3, "no match has begun");
    let with = |turn: String| format!("{}\n{turn}", lines[1]);
    fails(&with(lines[2].replace("\"first\"", "\"second\"")), 2, "but the opponent is to act");
    fails(
        &with(lines[2].replace("\"actions\":[]", "\"actions\":[\"x\"]")),
        2,
        "`x` cannot be read: ",
    );
    fails(&with(lines[2].replace("\"actions\":[]", "\"actions\":[\"-\"]")), 2, "`-` is not legal");
    fails(&with(lines[2].replace("\"actions\":[]", "\"actions\":[\"(?)\"]")), 2, "is not legal");
    fails(&lines[1].replacen("\"games\":4", "\"games\":0", 1), 1, "rule set in the message");
    // The bot reads a line of exactly 4 MiB, but refuses a line that is one byte longer.
    fails(&format!("{}\n", "x".repeat(4 << 20)), 1, "is not JSON");
    fails(&format!("{}\n", "x".repeat((4 << 20) + 1)), 1, "more than");
    let ahead = |points: &str| lines[2].replace("\"you\":14", &format!("\"you\":{points}"));
    fails(&with(ahead("-1")), 2, "must be from 0 to 1000000000");
    fails(&with(ahead("2147483647")), 2, "must be from 0 to 1000000000");
    fails(&with(lines[2].replace("\"game\":3", "\"game\":5")), 2, "no game 5 of 4");
    fails(&with(lines[2].replace("\"game\":3", "\"game\":0")), 2, "no game 0 of 4");
    // Only the number of games of the match changes. The number in the rule set stays 4.
    for games in ["0", "201"] {
        let begin =
            lines[1].replace("\"games\":4,\"player\"", &format!("\"games\":{games},\"player\""));
        fails(&begin, 1, &format!("a match has 1 to 200 games, not {games}"));
    }
    fails(&with(lines[2].replace("\"games\":4", "\"games\":201")), 2, "play at most 200 games");
    fails(&with(over.replace("\"game\":3", "\"game\":5")), 2, "no game 5 of 4");
    fails(&with(over.replace("\"games\":4", "\"games\":201")), 2, "play at most 200 games");
    let endless = lines[2].replace("\"games\":4", "\"games\":9223372036854775808");
    let clock = r#","clock":{"left_ms":1000,"increment_ms":0}}"#;
    let endless = format!("{}{clock}", endless.strip_suffix('}').unwrap());
    fails(&with(endless), 2, "no game 3 of 9223372036854775808");
    let mut cut = lines[2].to_owned();
    cut.truncate(200);
    cut.push('\n');
    fails(&with(cut), 2, "the line is not JSON, at column 200");
}
