//! Tests that the engine for JavaScript follows the rules in whole matches, and that its computer opponents choose the
//! same actions as the bots of the crate `overmate-bots`.

use std::error::Error;

use overmate_bots::{BuiltIn, Standing, Turn};
use overmate_json::{ENTRIES_WITH_UNDOS, UNDOS_PER_GAME};
use overmate_rules::{Deal, Game, Match, Player, RuleSet, Viewer};
use overmate_solver::Budget;
use overmate_wasm::Engine;
use serde_json::{Value, json};
use test_sample::cases;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// Node limit for each action of the engine's computer opponents, equal to the node limit on the server.
const NODES: u64 = 3_000_000;

fn ask(engine: &mut Engine, request: &Value) -> Result<Value> {
    let answer = engine.answer(&request.to_string())?.ok_or("no answer")?;
    Ok(serde_json::from_str(&answer)?)
}

fn begin(rules: &str, opponent: &str, seed: u64, leads: bool) -> Value {
    json!({"begin": {
        "id": format!("{rules} {opponent} {seed}"), "created_at": "2026-11-22T12:00:00Z", "rules": rules,
        "opponent": opponent, "leads": leads, "deal": null, "name": "Anna",
        "deal_seed": seed.to_string(), "bot_seed": (seed + 1).to_string(),
    }})
}

fn step(engine: &mut Engine, played: &Value, step: &Value) -> Result<Value> {
    ask(engine, &json!({"play": {"match": played["match"], "step": step}}))
}

fn act(engine: &mut Engine, played: &Value, action: &str) -> Result<Value> {
    let sequence = &played["state"]["sequence"];
    step(engine, played, &json!({"act": {"sequence": sequence, "action": action}}))
}

/// Returns the legal actions of the human player, in notation.
fn legal(played: &Value) -> Vec<String> {
    let legal = played["state"]["current"]["legal"].as_array().into_iter().flatten();
    legal.filter_map(|action| action["action"].as_str().map(str::to_owned)).collect()
}

/// Plays a match to its end, and compares each action of the engine's computer opponent with the action that the same
/// bot chooses outside of the engine. Returns the number of compared actions.
fn compare(rules: &str, opponent: &str, seed: u64) -> Result<usize> {
    let mut engine = Engine::default();
    let person = if seed.is_multiple_of(2) { Player::A } else { Player::B };
    let mut played = ask(&mut engine, &begin(rules, opponent, seed, person == Player::A))?;
    let rules = RuleSet::named(rules)?.shared();
    let deals = played["match"]["deals"]
        .as_array()
        .ok_or("deals")?
        .iter()
        .map(|deal| Ok(Deal::numbered(&rules, deal.as_str().ok_or("a number")?.parse()?)?));
    let length = rules.rounds() * 2;
    let mut native = Match::with_deals(length, deals.collect::<Result<_>>()?)?;
    let mut bot = opponent.parse::<BuiltIn>()?.seeded(seed + 1);
    let budget = Budget::unlimited().with_nodes(NODES);
    let (mut compared, mut shown, mut turn) = (0, 0, seed);
    while native.result().is_none() {
        let index = native.current_index();
        if native.to_act() == Some(person) {
            let actions = legal(&played);
            let own: Vec<_> = native.current().legal_actions().collect();
            assert_eq!(actions.len(), own.len(), "{rules:?}");
            turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let chosen = &actions[usize::try_from(turn >> 33)? % actions.len()];
            played = act(&mut engine, &played, chosen)?;
            native = native.play(rules.read_action(chosen)?)?;
        } else {
            assert_eq!(played["due"], json!(true));
            let viewer = |index| Viewer::Seat(Match::seat(index, !person));
            for over in shown..index {
                bot.game_over(&native.games()[over].view(viewer(over)));
            }
            shown = index;
            let view = native.current().view(viewer(index));
            let choice = bot.choose(&Turn::new(&view, Standing::of(&native, !person), &budget))?;
            played = step(&mut engine, &played, &json!("answer"))?;
            let entries = played["match"]["entries"].as_array().ok_or("entries")?;
            let last = entries.last().ok_or("an entry")?;
            assert_eq!(last["act"], json!(overmate_json::action(&rules, choice.action)));
            native = native.play(choice.action)?;
            compared += 1;
        }
    }
    let result = native.result().ok_or("a result")?;
    assert_eq!(played["state"]["result"]["margin"], json!(result.margin));
    let totals = native.totals();
    assert_eq!(played["summary"]["totals"], json!({"a": totals.a, "b": totals.b}));
    assert_eq!(played["due"], json!(false));
    Ok(compared)
}

#[test]
fn the_opponents_act_as_the_native_bots_do() -> Result {
    let mut compared = 0;
    for opponent in BuiltIn::all() {
        for (at, rules) in ["bga", "sackson", "denexa", "rael"].into_iter().enumerate() {
            for game in 0..cases(1, 2) {
                // The perfect opponent needs much time if cards lie face down. The test skips `denexa` and the second match for this
                // opponent.
                if opponent == BuiltIn::Perfect && (rules == "denexa" || game > 0) {
                    continue;
                }
                // The computer opponent is player B in a match with an even random seed, and player A in a match with an odd one.
                compared += compare(rules, &opponent.to_string(), 101 * at as u64 + game)?;
            }
        }
    }
    assert!(compared > cases(1_000, 2_000), "{compared}");
    Ok(())
}

/// Plays a match to its end, and returns the log entries of the match. At each turn, the human player takes the legal
/// action with the index `choice`, modulo the number of legal actions.
fn entries(engine: &mut Engine, begun: &Value, choice: usize) -> Result<Value> {
    let mut played = ask(engine, begun)?;
    while played["state"]["result"].is_null() {
        if played["due"] == json!(true) {
            played = step(engine, &played, &json!("answer"))?;
        } else {
            let actions = legal(&played);
            played = act(engine, &played, &actions[choice % actions.len()])?;
        }
    }
    Ok(played["match"]["entries"].clone())
}

#[test]
fn the_opponent_of_an_earlier_match_with_the_same_id_has_no_influence() -> Result {
    let mut engine = Engine::default();
    let mut compared = 0;
    // The test plays five matches. The last two matches have the same settings, but the human player chooses different actions in them.
    for (opponent, seed, choice) in [
        ("perfect", 3, 0),
        ("level:1", 3, 0),
        ("level:1", 4, 0),
        ("perfect", 5, 0),
        ("perfect", 5, 1),
    ] {
        let mut begun = begin("bga", opponent, seed, true);
        begun["begin"]["id"] = json!("first");
        let expected = entries(&mut Engine::default(), &begun, choice)?;
        assert_eq!(entries(&mut engine, &begun, choice)?, expected, "{opponent} {seed} {choice}");
        compared += 1;
    }
    assert_eq!(compared, 5);
    Ok(())
}

#[test]
fn a_person_takes_back_an_action_gets_a_hint_and_resigns() -> Result {
    let mut engine = Engine::default();
    let begun = ask(&mut engine, &begin("bga", "level:3", 6, true))?;
    assert_eq!((&begun["state"]["undo"], &begun["state"]["hint"]), (&json!(false), &json!(true)));
    let hinted = step(&mut engine, &begun, &json!("hint"))?;
    assert_eq!(hinted["hint"]["actions"].as_array().map(Vec::len), Some(10));
    assert_eq!(hinted["state"]["marks"][0]["kind"], json!("hint"));
    // A second hint for the same position adds no entry to the match.
    let again = step(&mut engine, &hinted, &json!("hint"))?;
    assert_eq!(again["state"], hinted["state"]);
    let best = hinted["hint"]["actions"].as_array().into_iter().flatten();
    let best = best.filter(|action| action["best"] == json!(true)).count();
    assert!((1..10).contains(&best), "{best}");
    let led = act(&mut engine, &again, &legal(&again)[0])?;
    let answered = step(&mut engine, &led, &json!("answer"))?;
    let back = step(&mut engine, &answered, &json!("undo"))?;
    assert_eq!(back["state"]["current"]["steps"], json!([]));
    assert_eq!(back["state"]["marks"][1]["kind"], json!("undo"));
    let over = step(&mut engine, &back, &json!("resign"))?;
    assert_eq!(over["state"]["result"]["resigned"], json!("a"));
    assert_eq!(over["summary"]["result"]["winner"], json!("b"));
    let record = ask(&mut engine, &json!({"record": {"match": over["match"]}}))?;
    let record = record.as_str().ok_or("a text")?;
    assert!(record.contains("Anna") && record.contains("A had a hint"), "{record}");
    let review = ask(&mut engine, &json!({"review": {"record": record, "game": 0}}))?;
    assert_eq!(review["game"], json!(0));
    Ok(())
}

#[test]
fn a_hint_for_a_game_equals_that_of_the_match() -> Result {
    let mut engine = Engine::default();
    let mut compared = 0;
    for rules in ["bga", "sackson", "rael"] {
        let mut played = ask(&mut engine, &begin(rules, "level:2", 4, true))?;
        while played["state"]["result"].is_null() {
            if played["due"] == json!(true) {
                played = step(&mut engine, &played, &json!("answer"))?;
                continue;
            }
            played = step(&mut engine, &played, &json!("hint"))?;
            let current = &played["state"]["current"];
            let steps = current["steps"].as_array().into_iter().flatten();
            let actions: Vec<_> = steps.map(|step| &step["text"]).collect();
            let game = json!({"rules": rules, "deal": current["deal"], "actions": actions});
            let sequence = &played["state"]["sequence"];
            let hint = ask(&mut engine, &json!({"hint": {"game": game, "sequence": sequence}}))?;
            assert_eq!(hint, played["hint"]);
            compared += 1;
            played = act(&mut engine, &played, &legal(&played)[0])?;
        }
    }
    assert!(compared > 50, "{compared}");
    Ok(())
}

#[test]
fn the_server_gives_hints_about_large_decks_and_cards_face_down() -> Result {
    let mut engine = Engine::default();
    let mut hint =
        |game| engine.answer(&json!({"hint": {"game": game, "sequence": 7}}).to_string());
    for rules in ["denexa", "bga+pinochle"] {
        assert_eq!(hint(json!({"rules": rules, "deal": "20010"}))?, None, "{rules}");
    }
    assert!(hint(json!({"rules": "bga", "deal": "20010"}))?.is_some());
    let position = ask(&mut Engine::default(), &json!({"analyse": {"rules": "bga", "deal": "1"}}))?;
    let faulty = json!({"rules": "bga", "position": position["position"]});
    assert!(hint(faulty).is_err_and(|fault| fault.contains("needs a game")));
    Ok(())
}

#[test]
fn an_unfinished_game_is_not_reviewed() -> Result {
    let mut engine = Engine::default();
    let mut refused = 0;
    for rules in ["bga", "bga+pinochle"] {
        let begun = ask(&mut engine, &begin(rules, "level:1", 2, true))?;
        let led = act(&mut engine, &begun, &legal(&begun)[0])?;
        let record = ask(&mut engine, &json!({"record": {"match": led["match"]}}))?;
        let review = json!({"review": {"record": record, "game": 0}});
        let fault = ask(&mut engine, &review).unwrap_err().to_string();
        assert_eq!(fault, "a game can be reviewed only after its end: finish the game first");
        refused += 1;
    }
    assert_eq!(refused, 2);
    Ok(())
}

#[test]
fn a_late_game_of_a_large_deck_is_analysed_like_its_position() -> Result {
    let mut engine = Engine::default();
    let rules = RuleSet::named("bga+pinochle")?.shared();
    let mut compared = 0;
    for number in [1, 20_010, 12_345_678] {
        let mut game = Game::new(Deal::numbered(&rules, number)?);
        let mut actions: Vec<String> = Vec::new();
        loop {
            let request =
                json!({"rules": rules.name(), "deal": number.to_string(), "actions": actions});
            let found = engine.answer(&json!({"analyse": request}).to_string())?;
            let hands = game.position().hands();
            assert_eq!(found.is_some(), hands.first.len().max(hands.second.len()) <= 10);
            if let Some(found) = found {
                let found: Value = serde_json::from_str(&found)?;
                let line = json!({"rules": rules.name(), "position": found["position"]});
                let expected = ask(&mut Engine::default(), &json!({"analyse": line}))?;
                for key in ["value_for_first", "actions", "line"] {
                    assert_eq!(found[key], expected[key], "{number} {actions:?}");
                }
                compared += 1;
            }
            // The game continues with the first legal action that does not end the game.
            let next = game.legal_actions().find_map(|action| {
                let after = game.clone().play(action).ok()?;
                after.outcome().is_none().then_some((action, after))
            });
            let Some((action, after)) = next else { break };
            actions.push(overmate_json::action(&rules, action));
            game = after;
        }
    }
    assert!(compared > 20, "{compared}");
    Ok(())
}

#[test]
fn a_match_with_many_undos_can_be_finished() -> Result {
    let mut engine = Engine::default();
    let begun = ask(&mut engine, &begin("bga", "level:1", 8, true))?;
    let led = act(&mut engine, &begun, &legal(&begun)[0])?;
    let answered = step(&mut engine, &led, &json!("answer"))?;
    let actions = answered["match"]["entries"].as_array().ok_or("a list")?.clone();
    let undone = [actions.clone(), vec![json!("undo")]].concat();
    let mut with = |entries: Vec<Vec<Value>>| {
        let mut long = answered.clone();
        long["match"]["entries"] = entries.concat().into();
        step(&mut engine, &long, &json!("read"))
    };
    let undos = with([vec![undone.clone(); UNDOS_PER_GAME], vec![actions.clone()]].concat())?;
    let hints = vec![vec![json!("hint")]; ENTRIES_WITH_UNDOS];
    let full = with([vec![actions.clone()], hints].concat())?;
    // An earlier version of the page has allowed more entries, so that a browser may hold a longer match.
    let longer = with([vec![undone; ENTRIES_WITH_UNDOS], vec![actions]].concat())?;
    assert_eq!((&undos["state"]["undo"], &undos["state"]["hint"]), (&json!(false), &json!(true)));
    assert_eq!(full["state"]["undo"], json!(false));
    for (long, wanted, words) in [
        (&undos, "undo", "100 undos, the limit: play on"),
        (&full, "undo", "2000 actions, undos and hints, the limit: play on"),
        (&longer, "undo", "2000 actions, undos and hints, the limit: play on"),
        (&longer, "hint", "2000 actions, undos and hints, the limit: play on"),
    ] {
        let fault = step(&mut engine, long, &json!(wanted)).unwrap_err().to_string();
        assert!(fault.contains(words), "{fault}");
    }
    for long in [&undos, &full, &longer] {
        let led = act(&mut engine, long, &legal(long)[0])?;
        assert!(step(&mut engine, &led, &json!("answer")).is_ok());
        let over = step(&mut engine, long, &json!("resign"))?;
        assert_eq!(over["state"]["result"]["resigned"], json!("a"));
    }
    Ok(())
}

#[test]
fn a_step_against_the_rules_is_refused_with_a_reason() -> Result {
    let mut engine = Engine::default();
    let begun = ask(&mut engine, &begin("bga", "perfect", 8, true))?;
    let held = legal(&begun);
    let other = begun["state"]["current"]["hands"]["second"][0].as_str().ok_or("a card")?;
    let mut refused = 0;
    for (from, wanted, words) in [
        (&begun, json!({"act": {"sequence": 0, "action": other}}), "do not hold"),
        (&begun, json!({"act": {"sequence": 0, "action": "Zz"}}), "cannot be read"),
        (&begun, json!({"act": {"sequence": 1, "action": held[0]}}), "has changed"),
        (&begun, json!("undo"), "no action"),
    ] {
        let fault = step(&mut engine, from, &wanted).unwrap_err().to_string();
        assert!(fault.contains(words), "{fault}");
        refused += 1;
    }
    let led = act(&mut engine, &begun, &held[0])?;
    for (wanted, words) in
        [(json!({"act": {"sequence": 1, "action": held[1]}}), "wait"), (json!("hint"), "your turn")]
    {
        let fault = step(&mut engine, &led, &wanted).unwrap_err().to_string();
        assert!(fault.contains(words), "{fault}");
        refused += 1;
    }
    // A match whose entries were changed outside of the engine is refused.
    let mut changed = led.clone();
    changed["match"]["entries"] = json!([{"act": other}]);
    assert!(step(&mut engine, &changed, &json!("read")).is_err());
    let over = step(&mut engine, &led, &json!("resign"))?;
    assert!(step(&mut engine, &over, &json!("resign")).is_err());
    for faulty in [begin("chess", "perfect", 1, true), begin("bga", "level:0", 1, true)] {
        assert!(ask(&mut engine, &faulty).is_err());
        refused += 1;
    }
    assert_eq!(refused, 8);
    Ok(())
}

#[test]
fn the_rules_are_those_of_the_catalogue() -> Result {
    let mut engine = Engine::default();
    let sets = ask(&mut engine, &json!({"rule_sets": {}}))?;
    assert_eq!(sets, serde_json::to_value(overmate_json::RuleSets::published())?);
    let facts = ask(&mut engine, &json!({"facts": {"rules": "sackson+double"}}))?;
    let rules = RuleSet::named("sackson+double")?;
    assert_eq!(facts, serde_json::to_value(overmate_json::RuleFacts::new(&rules))?);
    Ok(())
}

#[test]
fn an_unknown_field_of_a_request_is_refused() -> Result {
    let mut engine = Engine::default();
    let played = ask(&mut engine, &begin("bga", "level:1", 2, true))?;
    let over = step(&mut engine, &played, &json!("resign"))?;
    let record = ask(&mut engine, &json!({"record": {"match": over["match"]}}))?;
    let game = json!({"rules": "bga", "deal": "20010"});
    let act = json!({"sequence": 0, "action": legal(&played)[0]});
    let requests = [
        ("/analyse", json!({"analyse": game})),
        ("/review", json!({"review": {"record": record, "game": 0}})),
        ("/hint", json!({"hint": {"game": game, "sequence": 0}})),
        ("/rule_sets", json!({"rule_sets": {}})),
        ("/facts", json!({"facts": {"rules": "bga"}})),
        ("/begin", begin("bga", "level:1", 2, true)),
        ("/play", json!({"play": {"match": played["match"], "step": "read"}})),
        ("/play/step/act", json!({"play": {"match": played["match"], "step": {"act": act}}})),
        ("/record", json!({"record": {"match": played["match"]}})),
    ];
    for (place, request) in &requests {
        ask(&mut engine, request)?;
        let mut faulty = request.clone();
        faulty.pointer_mut(place).ok_or("an object")?["extra"] = json!(null);
        let fault = ask(&mut engine, &faulty).unwrap_err().to_string();
        assert!(fault.contains("unknown field `extra`"), "{place}: {fault}");
    }
    assert_eq!(requests.len(), 9);
    Ok(())
}
