//! Rule sets for a page.

use overmate_rules::{BASES, Base, Dealt, Face, OvermateFor, RuleSet, SoleReward, VARIATIONS};

use crate::wire;

/// What to call a base on a page.
fn base_title(name: &str) -> &str {
    match name {
        "sackson" => "Sackson",
        "pagat" => "Pagat",
        "denexa" => "Denexa",
        "bga" => "Board Game Arena",
        "rael" => "Rael",
        other => other,
    }
}

/// What to call a variation on a page.
fn variation_title(name: &str) -> &str {
    match name {
        "double" => "Double deck",
        "pinochle" => "Pinochle deck",
        "free-move" => "Free move",
        "kings-privilege" => "King’s privilege",
        "figure-privilege" => "Figure privilege",
        "no-foreplacing" => "No foreplacing",
        other => other,
    }
}

/// What to call a rule set on a page: `Sackson, double deck`.
pub(crate) fn title(name: &str) -> String {
    let mut parts = name.split('+');
    let mut title = base_title(parts.next().unwrap_or_default()).to_owned();
    for part in parts {
        let mut letters = variation_title(part).chars();
        title.push_str(", ");
        title.extend(letters.next().into_iter().flat_map(char::to_lowercase));
        title.push_str(letters.as_str());
    }
    title
}

/// All that there is.
pub(crate) fn sets() -> wire::RuleSets {
    let base = |base: &Base| wire::RuleSummary {
        id: base.name.to_owned(),
        title: base_title(base.name).to_owned(),
        source: base.source.to_owned(),
    };
    let variations = VARIATIONS.iter().map(|variation| wire::VariationSummary {
        id: variation.name.to_owned(),
        title: variation_title(variation.name).to_owned(),
        summary: variation.summary.to_owned(),
    });
    wire::RuleSets { rule_sets: BASES.iter().map(base).collect(), variations: variations.collect() }
}

/// A rule set in full.
pub(crate) fn facts(rules: &RuleSet) -> wire::RuleFacts {
    let mut parts = rules.name().split('+').map(str::to_owned);
    let base = parts.next().unwrap_or_default();
    let source = BASES.iter().find(|known| known.name == base).map_or("", |base| base.source);
    let foreplacing = rules.foreplacing().map(|foreplacing| wire::ForeplacingFacts {
        face_down: foreplacing.face == Face::Down,
        second_restricted: foreplacing.second_restricted,
        sole_doubled: foreplacing.sole == SoleReward::Doubled,
        overmate: match foreplacing.overmate {
            OvermateFor::Nobody => "nobody",
            OvermateFor::Foreplacer => "foreplacer",
            OvermateFor::Either => "either",
        }
        .to_owned(),
    });
    let privilege = rules.privilege().map(|privilege| {
        let faces = rules.deck().ranks();
        let letter = |rank: &overmate_rules::Rank| {
            faces.get(usize::from(rank.0)).map(|face| face.letter.to_string())
        };
        wire::PrivilegeFacts {
            ranks: privilege.ranks.iter().filter_map(letter).collect(),
            on_demand: privilege.on_demand,
        }
    });
    wire::RuleFacts {
        id: rules.name().to_owned(),
        title: title(rules.name()),
        base,
        variations: parts.collect(),
        source: source.to_owned(),
        deck: deck(rules),
        hand_size: rules.hand_size(),
        games: rules.rounds().saturating_mul(2),
        deals: Dealt::count(rules).to_string(),
        foreplacing,
        privilege,
        free_move: rules.free_move(),
    }
}

fn deck(rules: &RuleSet) -> wire::DeckFacts {
    let deck = rules.deck();
    wire::DeckFacts {
        suits: deck
            .suits()
            .iter()
            .map(|suit| wire::SuitFacts {
                letter: suit.letter.to_string(),
                name: suit.name.clone(),
                symbol: suit.symbol.map(|symbol| symbol.to_string()),
            })
            .collect(),
        ranks: deck
            .ranks()
            .iter()
            .map(|rank| wire::RankFacts {
                letter: rank.letter.to_string(),
                name: rank.name.clone(),
                points: rank.value,
            })
            .collect(),
        cards: deck.cards().iter().map(|card| deck.card_text(*card).to_string()).collect(),
    }
}
