//! Implements the command `overmate rules`, which lists all rule sets, or shows one rule set in words, as TOML or as JSON.

use std::io::{self, Write};

use anyhow::Result;
use overmate_json::{RuleFacts, RuleSets};
use overmate_rules::{
    BASES, Face, Foreplacing, OvermateFor, Privilege, RuleSet, SoleReward, VARIATIONS,
};

use crate::cli::RulesArgs;
use crate::json;
use overmate_terminal::errors::write_error;
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::words::{capital, counted};
use overmate_terminal::text::{style, words};

pub(crate) fn run(args: &RulesArgs, out: &mut dyn Write) -> Result<()> {
    let Some(name) = &args.name else {
        return if args.json {
            json::print(out, &RuleSets::published())
        } else {
            write_list(out).map_err(write_error)
        };
    };
    let rules = name.load()?;
    if args.toml {
        out.write_all(rules.to_toml().as_bytes()).map_err(write_error)
    } else if args.json {
        json::print(out, &RuleFacts::new(&rules))
    } else {
        write(&rules, out).map_err(write_error)
    }
}

fn write_list(out: &mut dyn Write) -> io::Result<()> {
    let bold = style::HEADING;
    let mut bases = TextTable::new([("", Align::Left), ("", Align::Left)]);
    for base in BASES {
        bases.row([base.name.to_owned(), base.source.to_owned()]);
    }
    let mut variations = TextTable::new([("", Align::Left), ("", Align::Left)]);
    for variation in VARIATIONS {
        variations.row([variation.name.to_owned(), variation.english.summary.to_owned()]);
    }
    writeln!(out, "{bold}Rule sets{bold:#} (each is a published text; the first is the default)")?;
    bases.write(out)?;
    writeln!(out, "\n{bold}Variations{bold:#} (each goes with every rule set that has the cards)")?;
    variations.write(out)?;
    writeln!(
        out,
        "\nA rule set and its variations are joined with +, as in sackson+double+free-move."
    )?;
    writeln!(
        out,
        "The decks double and pinochle exclude each other; a figure privilege includes the king's."
    )?;
    writeln!(
        out,
        "To see one in full: overmate rules NAME. To make your own: overmate rules --toml NAME."
    )
}

fn write(rules: &RuleSet, out: &mut dyn Write) -> io::Result<()> {
    let bold = style::HEADING;
    writeln!(out, "{bold}{}{bold:#}", rules.name())?;
    if let Some(base) = rules.base() {
        writeln!(out, "{}", base.source)?;
    }
    write_deck(rules, out)?;
    writeln!(out, "\n{bold}Play{bold:#}")?;
    let own = |text: &str| rules.in_own_words(text);
    for line in PLAY {
        writeln!(out, "  {}", own(line))?;
    }
    writeln!(out, "\n{bold}{}{bold:#}", own("Foreplacing"))?;
    match rules.foreplacing() {
        None => writeln!(out, "  There is none.")?,
        Some(foreplacing) => {
            for line in foreplacing_words(rules, foreplacing) {
                writeln!(out, "  {}", own(&line))?;
            }
        }
    }
    writeln!(out, "\n{bold}Privilege{bold:#}")?;
    match rules.privilege() {
        None => writeln!(out, "  {}", own("None: suit is followed before rank, whatever is led."))?,
        Some(privilege) => writeln!(out, "  {}", own(&privilege_words(rules, privilege)))?,
    }
    writeln!(out, "\n{bold}Free move{bold:#}")?;
    let free = match (rules.free_move(), rules.privilege().is_some()) {
        (false, _) => "None.",
        (true, false) => {
            "Once in a game, for the player who uses it first, a follower who holds the suit may answer in rank."
        }
        (true, true) => {
            "Once in a game, for the player who uses it first, a follower may answer in rank although they hold the suit,\n  \
             or to a privileged lead in suit although they hold the rank."
        }
    };
    writeln!(out, "  {}", own(free))?;
    writeln!(out, "\n{bold}Match{bold:#}")?;
    let (each, next) = match rules.rounds() {
        1 => ("", ""),
        _ => (", each", "Then the player who led last deals again and leads. "),
    };
    writeln!(
        out,
        "  {}{each} of two games with one deal: in the second the hands are exchanged and the other\n  \
         player leads. {next}The higher total wins.",
        capital(&counted(rules.rounds().into(), "round"))
    )
}

/// Lines of the English text that explains the rules of play common to all rule sets.
const PLAY: [&str; 6] = [
    "Both hands are open. First leads any card; the other must answer in its suit, or else in its rank.",
    "A player who can do neither is mated: the game ends, and the leader scores the points of the mating",
    "card times the number of the move.",
    "In suit the higher card wins the move, in rank the higher suit, of identical cards the one led.",
    "The winner of a move leads to the next. If all cards are played without a mate, it is a draw, and",
    "nobody scores.",
];

fn write_deck(rules: &RuleSet, out: &mut dyn Write) -> io::Result<()> {
    let bold = style::HEADING;
    let deck = rules.deck();
    writeln!(
        out,
        "\n{bold}Deck{bold:#}\n  {} cards, {} a hand",
        deck.cards().len(),
        rules.hand_size()
    )?;
    let ranks: Vec<String> = deck
        .ranks()
        .iter()
        .map(|rank| format!("{} {} ({})", rank.letter, rank.name, rank.value))
        .collect();
    writeln!(out, "  ranks, high to low, with their points: {}", ranks.join(", "))?;
    writeln!(out, "  {}, high to low:", rules.in_own_words("suits"))?;
    let mut table = TextTable::new([("", Align::Left), ("", Align::Left)]);
    for (suit, face) in (0u8..).map(overmate_rules::Suit).zip(deck.suits()) {
        let symbol = face.symbol.map_or_else(String::new, |symbol| format!(" {symbol}"));
        let name = format!("  {}{symbol}", face.name);
        table.row([name, deck.cards_text(deck.of_suit(suit), " ")]);
    }
    table.write(out)
}

fn foreplacing_words(rules: &RuleSet, foreplacing: Foreplacing) -> Vec<String> {
    let hand = rules.hand_size();
    let face = match foreplacing.face {
        Face::Up => "Both see the card.",
        Face::Down => "The card lies face down: only its owner knows it until the game ends.",
    };
    let mut lines = vec![
        "Before the first move first may put one card out of play, then second.".to_owned(),
        face.to_owned(),
    ];
    if foreplacing.second_restricted {
        lines.push("Second may not take a card of the suit or rank that first took.".to_owned());
    }
    lines.push(
        match foreplacing.sole {
            SoleReward::OneMoveMore => "A mate by a player who foreplaced counts one move more.",
            SoleReward::Doubled => {
                "A mate by the only player who foreplaced is an overmate, doubled; if both did, it counts one move more."
            }
        }
        .to_owned(),
    );
    lines.push(format!(
        "If both foreplaced, the game has at most {}. If only one did, their card of move {} is used again",
        counted(u64::from(hand) - 1, "move"),
        hand - 1
    ));
    let overmate = match foreplacing.overmate {
        OvermateFor::Either => "a mate in it is an overmate, doubled for either player.",
        OvermateFor::Foreplacer => "a mate in it is an overmate, doubled, if that player gives it.",
        OvermateFor::Nobody => "a mate in it scores like a mate in any other move.",
    };
    lines.push(format!("in move {hand}: {overmate}"));
    lines
}

fn privilege_words(rules: &RuleSet, privilege: &Privilege) -> String {
    let without = if privilege.on_demand {
        "\n  Without the demand suit comes first, as always."
    } else {
        ""
    };
    format!("{}{without} A player who has neither is mated.", words::privilege(rules, privilege))
}
