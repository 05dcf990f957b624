//! Tests the JSON forms of rule sets, deals and values.

use overmate_json::{
    AnalysisRequest, FactsError, GameState, Hands, Perspective, PlayerWire, ProvedValue, RuleFacts,
    RuleSets, SeatWire, action, cards, deal_number, title,
};
use overmate_rules::{Action, Deal, Game, Phase, RuleSet, Seat};
use overmate_solver::{Budget, Solver};
use serde_json::{Value, json};

fn facts_of(name: &str) -> RuleFacts {
    RuleFacts::new(&RuleSet::named(name).expect("a rule set of the catalogue"))
}

#[test]
fn every_rule_set_of_the_catalogue_is_read_back_from_its_facts() {
    let catalogue = RuleSet::catalogue();
    assert!(!catalogue.is_empty());
    for rules in catalogue {
        let text = serde_json::to_string(&RuleFacts::new(&rules)).unwrap();
        let facts: RuleFacts = serde_json::from_str(&text).unwrap();
        assert_eq!(facts.rule_set().as_ref(), Ok(&rules), "{text}");
    }
}

#[test]
fn facts_keep_their_fields_and_the_order_of_the_fields() {
    let text = serde_json::to_string(&facts_of("rael+kings-privilege")).unwrap();
    let keys = [
        "id",
        "title",
        "base",
        "variations",
        "source",
        "deck",
        "hand_size",
        "games",
        "deals",
        "foreplacing",
        "privilege",
        "free_move",
    ];
    let places: Vec<_> = keys.iter().map(|key| text.rfind(&format!("\"{key}\":"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["title"], "Rael, king’s privilege");
    assert_eq!(value["deck"]["suits"][0], json!({"letter": "b", "name": "blue", "symbol": null}));
    assert_eq!(value["deck"]["ranks"][2], json!({"letter": "R", "name": "rook", "points": 7}));
    assert_eq!((&value["games"], &value["deals"]), (&json!(6), &json!("184756")));
    assert_eq!(value["privilege"], json!({"ranks": ["K"], "on_demand": true}));
    assert_eq!(
        value["foreplacing"],
        json!({"face_down": false, "second_restricted": false, "sole_doubled": true, "overmate": "nobody"})
    );
}

#[test]
fn facts_with_faults_are_refused() {
    let mut facts = facts_of("sackson+kings-privilege");
    facts.games = 3;
    assert_eq!(facts.rule_set(), Err(FactsError::OddGames(3)));
    let mut facts = facts_of("sackson");
    facts.deck.cards[0] = "Xx".to_owned();
    assert_eq!(facts.rule_set(), Err(FactsError::UnknownCard("Xx".to_owned())));
    let mut facts = facts_of("sackson+kings-privilege");
    facts.privilege.as_mut().unwrap().ranks.push('J');
    assert_eq!(facts.rule_set(), Err(FactsError::UnknownRank('J')));
    let mut facts = facts_of("sackson");
    facts.deck.cards.pop();
    assert!(matches!(facts.rule_set(), Err(FactsError::Invalid(_))));
}

#[test]
fn the_catalogue_lists_every_base_and_variation_with_a_title() {
    let sets = RuleSets::published();
    assert_eq!(sets.rule_sets.len(), overmate_rules::BASES.len());
    assert_eq!(sets.variations.len(), overmate_rules::VARIATIONS.len());
    assert!(sets.rule_sets.iter().all(|base| base.title != base.id));
    assert!(sets.variations.iter().all(|variation| variation.title != variation.id));
    assert_eq!(title("sackson+double+free-move"), "Sackson, double deck, free move");
}

#[test]
fn titles_are_capitalised_at_the_beginning_of_a_line_only() {
    let sets = RuleSets::published();
    let free = sets.variations.iter().find(|variation| variation.id == "free-move").unwrap();
    assert_eq!((free.title.as_str(), free.texts.en.short.as_str()), ("Free move", "free move"));
    assert_eq!(
        (free.texts.de.title.as_str(), free.texts.de.short.as_str()),
        ("Freier Zug", "freier Zug")
    );
    assert_eq!(free.summary, free.texts.en.summary);
}

#[test]
fn the_conflicts_of_a_base_say_exactly_which_variations_combine() {
    let sets = RuleSets::published();
    let mut valid = 0;
    for base in &sets.rule_sets {
        for chosen in 0_u32..1 << sets.variations.len() {
            let picked: Vec<&str> = (0..)
                .zip(&sets.variations)
                .filter(|(index, _)| chosen >> index & 1 == 1)
                .map(|(_, variation)| variation.id.as_str())
                .collect();
            let conflicts = base
                .conflicts
                .iter()
                .any(|pair| picked.contains(&pair.a.as_str()) && picked.contains(&pair.b.as_str()));
            let name = [&[base.id.as_str()], picked.as_slice()].concat().join("+");
            assert_eq!(RuleSet::named(&name).is_err(), conflicts, "{name}");
            valid += usize::from(!conflicts);
        }
    }
    assert!(valid >= RuleSet::catalogue().len());
    let idle: Vec<_> = sets.rule_sets.iter().filter(|base| !base.idle.is_empty()).collect();
    assert_eq!((idle.len(), idle[0].id.as_str(), idle[0].idle.len()), (1, "bga", 1));
}

#[test]
fn deals_cards_actions_and_values_have_their_json_forms() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let dealt = Deal::numbered(&rules, 20_010).unwrap();
    assert_eq!(deal_number(&dealt), "20010");
    let hands = Hands::dealt(&rules, &dealt);
    assert_eq!(hands.first, cards(&rules, dealt.hands()[Seat::First]));
    assert_eq!(serde_json::to_value(&hands).unwrap()["first"][0], "Tc");
    let game = Game::new(dealt);
    let first = game.legal_actions().next().unwrap();
    assert_eq!(action(&rules, first), "Tc");
    let value = Solver::new().value(game.position(), &Budget::unlimited());
    let form = ProvedValue::from(value);
    assert_eq!(form, ProvedValue::between(form.low, form.high));
    assert_eq!(
        serde_json::to_string(&ProvedValue::between(-3, 4)).unwrap(),
        r#"{"exact":null,"low":-3,"high":4}"#
    );
}

#[test]
fn the_factor_with_a_foreplaced_card_is_that_of_the_game_after_foreplacing() {
    let mut compared = 0;
    for rules in RuleSet::catalogue() {
        let rules = rules.shared();
        let mut game = Game::new(Deal::numbered(&rules, 20_010).unwrap());
        let state = |game: &Game| GameState::of_game(game, 0, PlayerWire::A, Perspective::Open);
        while let Phase::Foreplacing(seat) = game.phase() {
            let announced = state(&game).multiplier_foreplaced.expect("factors while foreplacing");
            let is_out = |action: &Action| matches!(action, Action::Foreplace(_));
            let action = game.legal_actions().find(is_out).expect("a card to foreplace");
            game = game.play(action).expect("a legal action");
            let after = state(&game).multipliers;
            let of_seat = match SeatWire::from(seat) {
                SeatWire::First => after.first,
                SeatWire::Second => after.second,
            };
            assert_eq!(of_seat.first(), Some(&announced), "{}", rules.name());
            compared += 1;
        }
        assert_eq!(state(&game).multiplier_foreplaced, None);
    }
    assert!(compared >= 6, "{compared} factors");
}

#[test]
fn an_object_is_read_from_no_array_and_with_no_repeated_field() {
    let read = |json: &str| serde_json::from_str::<AnalysisRequest>(json);
    let hands = |json: &str| read(&format!(r#"{{"rules": "bga", "hands": {json}}}"#));
    let both = hands(r#"{"first": ["Ac"], "second": ["Kc"]}"#).expect("an object");
    assert!(both.hands.is_some());
    assert!(hands("null").expect("null stands for no hands").hands.is_none());
    let array = hands(r#"[["Ac"], ["Kc"]]"#).expect_err("an array").to_string();
    assert!(array.contains("invalid type: sequence, expected an object"), "{array}");
    let repeated = r#"{"first": ["Ac"], "first": ["Ks"], "second": ["Kc"]}"#;
    let repeated = hands(repeated).expect_err("a repeated field").to_string();
    assert!(repeated.contains("duplicate field `first`"), "{repeated}");
}
