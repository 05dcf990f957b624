//! Tests that the values and percentages in the document "A guide to Mate" agree with the solver and with the document "Mate, solved".

use std::fs;
use std::path::Path;

use overmate_rules::{Deal, Game, RuleSet};
use overmate_solver::{Budget, Solver};

/// Deal in the document "A guide to Mate", with the values that the guide states.
struct ClaimedDeal {
    rules: String,
    after: Vec<String>,
    number: u64,
    /// Actions of a deal with the values that the document "A guide to Mate" states, in points for the acting player.
    values: Vec<(String, i32)>,
}

/// Piece of advice in the document "A guide to Mate": its prose, its deals, and the sources of its numbers. The sources are passages of
/// the document "Mate, solved".
#[derive(Default)]
struct GuideAdvice {
    title: String,
    prose: String,
    deals: Vec<ClaimedDeal>,
    /// Numbers in a piece of advice of the document "A guide to Mate", each with its source passage in the document "Mate, solved".
    shares: Vec<(String, String)>,
}

fn document(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(file);
    fs::read_to_string(path).expect("the document is committed")
}

/// Splits the text of the document "A guide to Mate" into its pieces of advice. Each piece has a heading of level 3 and at least one deal.
fn advice(guide: &str) -> Vec<GuideAdvice> {
    let mut all: Vec<GuideAdvice> = Vec::new();
    for line in guide.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            all.push(GuideAdvice { title: title.to_owned(), ..GuideAdvice::default() });
        }
        let Some(advice) = all.last_mut() else { continue };
        if let Some(command) = line.strip_prefix("`overmate solve ") {
            advice.deals.push(deal(command.trim_end_matches('`')));
        } else if let Some(claims) = comment(line, "claims") {
            let deal = advice.deals.last_mut().expect("claims follow a deal");
            deal.values = claims.split(", ").map(claim).collect();
        } else if let Some(share) = comment(line, "solved") {
            let (number, fragment) = share.split_once(" in \"").expect("a number and a fragment");
            let fragment = fragment.strip_suffix('"').expect("the fragment is quoted");
            advice.shares.push((number.to_owned(), fragment.to_owned()));
        } else {
            advice.prose.push_str(line);
            advice.prose.push('\n');
        }
    }
    all.retain(|advice| !advice.deals.is_empty());
    all
}

fn comment<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.strip_prefix(key)?.strip_prefix(": ")
}

fn claim(text: &str) -> (String, i32) {
    let (action, points) = text.split_once(' ').expect("an action and its points");
    (action.to_owned(), points.parse().expect("points"))
}

/// Parses the deal in the arguments of a command `overmate solve`.
fn deal(arguments: &str) -> ClaimedDeal {
    let (arguments, after) = match arguments.split_once("--after \"") {
        Some((before, rest)) => {
            let (actions, rest) = rest.split_once('"').expect("the actions are quoted");
            (format!("{before}{rest}"), actions.split(' ').map(str::to_owned).collect())
        }
        None => (arguments.to_owned(), Vec::new()),
    };
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let (rules, number) = match words[..] {
        [number] => ("sackson", number),
        ["--rules", rules, number] => (rules, number),
        _ => panic!("unknown arguments: {arguments}"),
    };
    let number = number.parse().expect("a deal number");
    ClaimedDeal { rules: rules.to_owned(), after, number, values: Vec::new() }
}

/// Returns the possible numbers in a text: the words with digits, without punctuation and without plus and minus signs.
fn numbers(text: &str) -> Vec<&str> {
    let is_edge = |c: char| !c.is_ascii_digit() && c != '%';
    text.split(|c: char| c.is_whitespace() || c == '\u{a0}')
        .map(|word| word.trim_matches(is_edge))
        .filter(|word| !word.is_empty())
        .collect()
}

#[test]
fn the_claimed_values_of_each_deal_are_those_of_the_solver() {
    let mut compared = 0;
    for advice in advice(&document("guide.md")) {
        for deal in &advice.deals {
            let rules = RuleSet::named(&deal.rules).expect("a rule set").shared();
            let after = deal.after.iter().map(|text| rules.read_action(text).expect("an action"));
            let after: Vec<_> = after.collect();
            let dealt = Deal::numbered(&rules, deal.number).expect("a deal");
            let game = Game::new(dealt).play_all(&after).expect("legal actions");
            let analysis = Solver::new().analyse(&game, &Budget::unlimited());
            let seat = game.to_act().expect("the game goes on");
            assert!(!deal.values.is_empty(), "{}: a deal without a claim", advice.title);
            for (text, points) in &deal.values {
                let found = analysis.actions.iter();
                let mut found =
                    found.filter(|found| rules.action_text(found.action).to_string() == *text);
                let found = found.next().unwrap_or_else(|| panic!("{}: {text}", advice.title));
                let value = found.value.exact().expect("20 cards are solved").for_seat(seat);
                assert_eq!(value, *points, "{}: {text}", advice.title);
                compared += 1;
            }
            // The best value that the document "A guide to Mate" states for the actions in a position must equal the solver's value of the
            // position.
            let best = analysis.value.exact().expect("20 cards are solved").for_seat(seat);
            let claimed = deal.values.iter().map(|(_, points)| *points).max();
            assert_eq!(claimed, Some(best), "{}: the best value", advice.title);
        }
    }
    assert!(compared > 60, "{compared} values");
}

#[test]
fn the_stated_shares_stand_in_the_document_mate_solved() {
    let solved = document("solved.md");
    let mut compared = 0;
    for advice in advice(&document("guide.md")) {
        // Each piece of advice in the document "A guide to Mate" must state a share of all deals: a percentage or a number of deals. A mean
        // value is not a share.
        let is_share = |(number, fragment): &(String, String)| {
            number.ends_with('%')
                || fragment.contains(&format!("{number} deals"))
                || fragment.contains(&format!("{number} of"))
        };
        assert!(advice.shares.iter().any(is_share), "{}: no share of all deals", advice.title);
        for (number, fragment) in &advice.shares {
            assert!(solved.contains(fragment), "{}: {fragment}", advice.title);
            assert!(numbers(fragment).contains(&number.as_str()), "{number} in {fragment}");
            assert!(
                numbers(&advice.prose).contains(&number.as_str()),
                "{}: the prose does not state {number}",
                advice.title
            );
            compared += 1;
        }
    }
    assert!(compared > 25, "{compared} shares");
}

#[test]
fn the_german_guide_states_the_same_claims_and_numbers() {
    let (english, german) = (advice(&document("guide.md")), advice(&document("guide.de.md")));
    assert!(english.len() > 12 && english.len() == german.len());
    for (english, german) in english.iter().zip(&german) {
        assert_eq!(english.shares, german.shares, "{}", german.title);
        assert_eq!(english.deals.len(), german.deals.len(), "{}", german.title);
        for (one, other) in english.deals.iter().zip(&german.deals) {
            let facts = |deal: &ClaimedDeal| {
                (deal.rules.clone(), deal.after.clone(), deal.number, deal.values.clone())
            };
            assert_eq!(facts(one), facts(other), "{}", german.title);
        }
        // German numbers have a decimal comma, points between thousands, and a space before the percent sign.
        let prose = german.prose.replace("\u{a0}%", "%").replace(" %", "%");
        for (number, _) in &german.shares {
            let written: String = number
                .chars()
                .map(|c| match c {
                    '.' => ',',
                    ',' => '.',
                    c => c,
                })
                .collect();
            assert!(numbers(&prose).contains(&written.as_str()), "{}: {written}", german.title);
        }
    }
}
