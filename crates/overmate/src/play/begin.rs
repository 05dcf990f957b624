//! How a match begins: new by the command line, or as a file has it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use overmate_bots::{BuiltIn, HousePlayer, Level};
use overmate_rules::{ByPlayer, Deal, Match, Player, Record, RuleSet, Seat};

use super::course::Course;
use super::keep::Keeper;
use super::session::Session;
use crate::cli::PlayArgs;
use crate::report::Usage;
use crate::ruleset::RulesArg;
use crate::source::Source;
use crate::{files, words};

/// The header that says which player sits at the prompt.
const HUMAN: &str = "Human";

/// The header that says how strong the opponent is: `level:3`, `perfect`, `perfect:vs=3`.
const STRENGTH: &str = "Opponent";

/// What the opponent is called.
pub(super) const OPPONENT: &str = "Overmate";

/// Whom one plays against without a word: somebody who can be beaten on the first evening, but not asleep.
const DEFAULT_LEVEL: u8 = 3;

/// A new match, and where it will be kept.
pub(super) fn new_match(args: &PlayArgs) -> Result<Course> {
    let rules = match &args.rules {
        Some(rules) => rules.load()?,
        None => RulesArg::parse("sackson")?.load()?,
    };
    let deals = chosen_deals(&rules, &args.deals)?;
    let mut source = Source::of_seed(args.seed)?.after(deals.into());
    let contest = Match::new(&rules, &mut source);
    let seat = args.seat.map_or(Seat::First, Seat::from);
    let human = Match::player(0, seat);

    let today = jiff::Zoned::now().date().to_string();
    let mut record = Record::new(contest);
    let mut names = ByPlayer::new_with(|_| OPPONENT);
    names[human] = words::YOU;
    let human_letter = human.to_string();
    let default = Level::new(DEFAULT_LEVEL).map_or(BuiltIn::Perfect, BuiltIn::Level);
    let opponent = args.level.unwrap_or(HousePlayer::BuiltIn(default));
    let strength = opponent.to_string();
    for (key, value) in [
        ("A", names.a),
        ("B", names.b),
        ("Date", &today),
        (HUMAN, &human_letter),
        (STRENGTH, &strength),
    ] {
        record.set_header(key, value)?;
    }
    let keeper = match &args.record {
        Some(path) => Keeper::new_file(path)?,
        None => Keeper::in_data_folder(&today)?,
    };
    Ok(Course::new(Session::new(record, human), keeper, opponent))
}

fn chosen_deals(rules: &RuleSet, numbers: &[u64]) -> Result<Vec<overmate_rules::Dealt>> {
    let rounds = usize::from(rules.rounds());
    if numbers.len() > rounds {
        let message = format!(
            "--deal is there {}, and a match of {} has {}",
            words::counted(numbers.len() as u64, "time"),
            rules.name(),
            words::counted(rounds as u64, "round")
        );
        return Err(Usage(message).into());
    }
    let deal = |number: &u64| {
        Deal::numbered(rules, *number)
            .with_context(|| format!("`--deal {number}` is not a deal of {}", rules.name()))
    };
    numbers.iter().map(deal).collect()
}

/// The match in a file, which must have been begun here and not be over.
pub(super) fn resume(path: &Path) -> Result<Course> {
    let name = path.display();
    // What is written later takes the place of the file itself, not of a link to it.
    let real = fs::canonicalize(path).with_context(|| format!("cannot read {name}"))?;
    let text = files::read_text(&real)?;
    let record =
        Record::read(&text).with_context(|| format!("{name} is not the record of a match"))?;
    if record.contest().result().is_some() {
        bail!(
            "the match in {name} is over; to look at it: overmate replay {}",
            super::keep::quoted(path)
        );
    }
    let human = match record.header(HUMAN) {
        Some("A") => Player::A,
        Some("B") => Player::B,
        _ => bail!(
            "{name} does not say which player you are: add a header, [Human \"A\"] or [Human \"B\"]"
        ),
    };
    // Before there were levels, everybody played against the perfect player.
    let strength = record.header(STRENGTH).map_or("perfect".parse(), str::parse);
    let opponent = strength.with_context(|| {
        format!("{name} does not say whom you play against: its header [{STRENGTH} \"…\"] is wrong")
    })?;
    Ok(Course::new(Session::new(record, human), Keeper::of_file(path, real, text), opponent))
}
