//! Parses deals and positions in command-line arguments and in lines of the standard input.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use overmate_rules::{Deal, Dealt, Position, RuleSet};

use overmate_terminal::untrusted::{BadLine, read_line};

/// Deal or position for a command: given by the user, or generated at random.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// Deal in which no action has been played yet. The user gave the deal number, the hands, or a position line without an
    /// action, or the deal was generated at random.
    Deal(Dealt),
    /// Position after at least one action of a game. The user gave a position line.
    Position(Position),
}

impl Given {
    /// Returns the given position, or the initial position of the given deal.
    pub(crate) fn position(&self) -> Position {
        match self {
            Self::Deal(dealt) => Position::start(dealt),
            Self::Position(position) => position.clone(),
        }
    }

    /// Returns the given deal. A given position is an error, whose text contains `place` after the position.
    fn into_deal(self, place: &str) -> Result<Dealt> {
        match self {
            Self::Deal(dealt) => Ok(dealt),
            Self::Position(position) => bail!(
                "the position `{position}`{place} is not the start of a game: give a deal number or both hands"
            ),
        }
    }
}

/// Deals or positions that a command-line argument or an input line names.
#[derive(Clone, PartialEq, Eq, Debug)]
enum WantedDeals {
    One(Given),
    Numbers(Range<u64>),
    /// Deals and positions that the lines of the standard input name. The argument `-` stands for these lines.
    Lines,
}

/// Kinds of input that a command accepts: only deals, or deals and positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Forms {
    Deals,
    DealsAndPositions,
}

/// Result of reading one input line, or `None` at the end of the input.
type LineRead = io::Result<Option<Result<String, BadLine>>>;

/// Puts a blank before a position line that begins with `-/`, so that the command-line parser does not take the line for an option.
///
/// In such a line the first seat has no card, as in `-/7d first -/- Ts -`. No option begins with `-/`. The readers of positions ignore the
/// blank.
pub(crate) fn as_value(argument: OsString) -> OsString {
    let is_position =
        argument.to_str().is_some_and(|text| text.starts_with("-/") && is_position_line(text));
    if !is_position {
        return argument;
    }
    let mut value = OsString::from(" ");
    value.push(argument);
    value
}

/// Calls the function `act` for each deal or position in the command-line arguments, in order.
///
/// The function checks all arguments before the first call. Lines and numbers are processed one at
/// a time, without a list in memory.
pub(crate) fn for_each(
    rules: &Arc<RuleSet>,
    arguments: &[String],
    act: impl FnMut(Given) -> Result<()>,
) -> Result<()> {
    for_each_wanted(rules, Forms::DealsAndPositions, arguments, given(rules, act))
}

/// Calls the function `act` with the number of each deal that the command-line arguments name, in order. An argument
/// that names a position within a game is an error.
///
/// Numbers stay as the user wrote them, although several numbers may name one deal.
pub(crate) fn for_each_number(
    rules: &Arc<RuleSet>,
    arguments: &[String],
    mut act: impl FnMut(u64) -> Result<()>,
) -> Result<()> {
    for_each_wanted(rules, Forms::Deals, arguments, |wanted| match wanted {
        WantedDeals::One(given) => act(given.into_deal("")?.number()),
        WantedDeals::Numbers(mut numbers) => numbers.try_for_each(&mut act),
        WantedDeals::Lines => Ok(()),
    })
}

/// Calls the function `act` once for each deal, each range of deals and each position that the command-line arguments name. The argument
/// `-` stands for the lines of the standard input.
fn for_each_wanted(
    rules: &Arc<RuleSet>,
    forms: Forms,
    arguments: &[String],
    mut act: impl FnMut(WantedDeals) -> Result<()>,
) -> Result<()> {
    let wanted: Vec<WantedDeals> = arguments
        .iter()
        .map(|argument| match argument.trim() {
            "-" => Ok(WantedDeals::Lines),
            text => read(rules, forms, text),
        })
        .collect::<Result<_>>()?;
    for wanted in wanted {
        match wanted {
            WantedDeals::Lines => for_each_line(rules, forms, &mut act)?,
            wanted @ (WantedDeals::One(_) | WantedDeals::Numbers(_)) => act(wanted)?,
        }
    }
    Ok(())
}

/// Returns a function that calls `act` for a given deal or position, or for each deal in a given range of deals.
fn given<'a>(
    rules: &'a Arc<RuleSet>,
    mut act: impl FnMut(Given) -> Result<()> + 'a,
) -> impl FnMut(WantedDeals) -> Result<()> + 'a {
    move |wanted| match wanted {
        WantedDeals::One(given) => act(given),
        WantedDeals::Numbers(mut numbers) => {
            numbers.try_for_each(|number| act(Given::Deal(Deal::numbered(rules, number)?)))
        }
        WantedDeals::Lines => Ok(()),
    }
}

fn for_each_line(
    rules: &Arc<RuleSet>,
    forms: Forms,
    act: &mut impl FnMut(WantedDeals) -> Result<()>,
) -> Result<()> {
    // The lock of the standard input is released before `act` is called, because `act` may take long.
    let next = || read_line(&mut io::stdin().lock());
    for_each_line_of((rules, forms), "the standard input", next, act)
}

/// Maximum number of deals that a file may list. The limit bounds the use of memory.
const MAX_LISTED: usize = 1_000_000;

/// Returns the deals that are listed in a file, with one deal or range of deals on each line.
pub(crate) fn deals_of_file(rules: &Arc<RuleSet>, path: &Path) -> Result<Vec<Dealt>> {
    let name = format!("the file {}", path.display());
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let mut file = BufReader::new(file);
    deals_of_lines(rules, &name, || read_line(&mut file))
}

fn deals_of_lines(
    rules: &Arc<RuleSet>,
    name: &str,
    next: impl FnMut() -> LineRead,
) -> Result<Vec<Dealt>> {
    let mut deals = Vec::new();
    let place = format!(" in {name}");
    let act = |given: Given| {
        let dealt = given.into_deal(&place)?;
        if deals.len() == MAX_LISTED {
            bail!("{name} lists more than {MAX_LISTED} deals, the limit: remove some deals");
        }
        deals.push(dealt);
        Ok(())
    };
    for_each_line_of((rules, Forms::Deals), name, next, &mut given(rules, act))?;
    if deals.is_empty() {
        bail!("{name} lists no deal: write one deal a line, such as 20010");
    }
    Ok(deals)
}

/// Calls the function `act` for each deal, range and position in the lines that the function `next` returns.
fn for_each_line_of(
    (rules, forms): (&Arc<RuleSet>, Forms),
    name: &str,
    mut next: impl FnMut() -> LineRead,
    act: &mut impl FnMut(WantedDeals) -> Result<()>,
) -> Result<()> {
    for number in 1u64.. {
        let line = next().with_context(|| format!("cannot read {name}"))?;
        let Some(line) = line else { break };
        let at = || format!("line {number} of {name} is not valid");
        let line = line.with_context(at)?;
        // Some editors put a byte order mark at the beginning of a file.
        let text = line.strip_prefix('\u{feff}').filter(|_| number == 1).unwrap_or(&line).trim();
        if text.is_empty() {
            continue;
        }
        let wanted = read(rules, forms, text).with_context(at)?;
        act(wanted)?;
    }
    Ok(())
}

/// Returns a text that lists the accepted forms of input, for use in error messages. Its examples have cards of the rule set.
fn forms_text(rules: &RuleSet, forms: Forms) -> String {
    let deck = rules.deck();
    let mut cards = deck.cards().iter().map(|card| deck.card_text(*card).to_string());
    let [a, b, c, d] = std::array::from_fn(|_| cards.next().unwrap_or_default());
    let numbers = "a deal is a number, a range such as 0..1000";
    let hands = format!("two hands such as \"{a} {b} … / {c} {d} …\"");
    match forms {
        Forms::Deals => format!("{numbers}, or {hands}"),
        Forms::DealsAndPositions => {
            let free_move = if rules.free_move() { "unused" } else { "-" };
            format!(
                "{numbers}, {hands}, or a position line such as \"{a}{b}/{c}{d} second -/- - {free_move}\""
            )
        }
    }
}

fn read(rules: &Arc<RuleSet>, forms: Forms, text: &str) -> Result<WantedDeals> {
    let quoted = || format!("`{}` is not a deal of {}", shortened(text), rules.name());
    if is_number(text) {
        let Ok(number) = text.parse() else {
            let last = Dealt::count(rules) - 1;
            return Err(anyhow!("the number is too large: choose a number from 0 to {last}")
                .context(quoted()));
        };
        Deal::numbered(rules, number).with_context(quoted)?;
        return Ok(WantedDeals::Numbers(number..number + 1));
    }
    if let Some((start, end)) = text.split_once("..") {
        return read_range(rules, start.trim(), end.trim())
            .map(WantedDeals::Numbers)
            .with_context(quoted);
    }
    if is_position_line(text) {
        return read_position(rules, text).map(WantedDeals::One);
    }
    if resembles_position_line(text) {
        let fault =
            "after the hands, a position line names the leader's seat: write first or second";
        return Err(anyhow!(fault).context(quoted()));
    }
    if !text.contains('/') && rules.read_deal(text).is_err() && text.len() < 30 {
        return Err(anyhow!(forms_text(rules, forms)).context(quoted()));
    }
    let deal = rules.read_deal(text).with_context(quoted)?;
    let dealt = deal.validate(rules).with_context(quoted)?;
    Ok(WantedDeals::One(Given::Deal(dealt)))
}

/// Returns whether a text is a position line rather than a deal: only position lines contain the word `first` or
/// `second`.
fn is_position_line(text: &str) -> bool {
    text.split_whitespace().any(|word| matches!(word, "first" | "second"))
}

/// Returns whether the first and third words of a text contain a slash, like the hands and the foreplaced cards in a
/// position line.
fn resembles_position_line(text: &str) -> bool {
    let mut words = text.split_whitespace();
    [words.next(), words.nth(1)].iter().all(|word| word.is_some_and(|word| word.contains('/')))
}

/// Parses a position in one-line notation. A position before the first action is returned as a deal.
pub(crate) fn read_position(rules: &Arc<RuleSet>, text: &str) -> Result<Given> {
    let quoted = || format!("`{}` is not a position of {}", shortened(text), rules.name());
    let setup = rules.read_position(text).with_context(quoted)?;
    let position = setup.validate(rules).with_context(quoted)?;
    let start = position.possible_deal().filter(|dealt| Position::start(dealt) == position);
    Ok(start.map_or(Given::Position(position), Given::Deal))
}

/// Returns whether a text consists of decimal digits.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn read_range(rules: &RuleSet, start: &str, end: &str) -> Result<Range<u64>> {
    if !is_number(start) || !is_number(end) {
        bail!(
            "a range of deals needs two numbers such as 0..1000: the first deal, and the deal after the last deal"
        );
    }
    // A deal number of more than 64 bits becomes the largest 64-bit number, which is also above the last deal number of every rule set.
    let [start, end] = [start, end].map(|text| text.parse().unwrap_or(u64::MAX));
    if start > end {
        return Err(anyhow!(
            "the range of deals ends before its start: put the smaller number first"
        ));
    }
    let count = Dealt::count(rules);
    if end > count {
        return Err(anyhow!(
            "the range of deals ends too late: deals have numbers from 0 to {}, so the second number of a range may be at most {count} (the range 0..1000 holds the deals 0 to 999)",
            count - 1
        ));
    }
    Ok(start..end)
}

/// Shortens a text for an error message. Only the beginning of a long text remains.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
