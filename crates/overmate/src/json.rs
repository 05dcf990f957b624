//! Defines the types of the JSON output of all commands. The fields are in the order of the output.

use std::collections::BTreeMap;
use std::io::Write;

use crate::deal_arguments::Given;
use anyhow::Result;
use overmate_json::{Hands, MistakeWire, ProvedValue};
use overmate_puzzles::{Puzzle, Theme};
use overmate_rules::{Dealt, Match, Outcome, Player, RuleSet};
use overmate_server::wire::EventSummary;
use overmate_solver::whole::LayerFacts;
use overmate_terminal::errors::write_error;
use serde::Serialize;

/// Prints an object as one line of JSON.
pub(crate) fn print(out: &mut dyn Write, object: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string(object)?;
    writeln!(out, "{text}").map_err(write_error)
}

/// JSON object that describes a deal. Its fields are also the first fields in the output of the
/// command `solve`.
#[derive(Serialize, Debug)]
pub(crate) struct DealWire<'a> {
    rules: &'a str,
    deal: String,
    #[serde(flatten)]
    hands: Hands,
}

impl<'a> DealWire<'a> {
    pub(crate) fn new(rules: &'a RuleSet, dealt: &Dealt) -> Self {
        Self {
            rules: rules.name(),
            deal: overmate_json::deal_number(dealt),
            hands: Hands::dealt(rules, dealt),
        }
    }
}

/// JSON object that describes a position after at least one action of a game.
#[derive(Serialize, Debug)]
pub(crate) struct PositionWire<'a> {
    rules: &'a str,
    position: String,
    #[serde(flatten)]
    hands: Hands,
}

/// JSON object that describes a deal or a position.
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub(crate) enum GivenWire<'a> {
    Deal(DealWire<'a>),
    Position(PositionWire<'a>),
}

impl<'a> GivenWire<'a> {
    pub(crate) fn new(given: &'a Given) -> Self {
        match given {
            Given::Deal(dealt) => Self::Deal(DealWire::new(dealt.rules(), dealt)),
            Given::Position(position) => Self::Position(PositionWire {
                rules: position.rules().name(),
                position: position.to_string(),
                hands: Hands::new(position.rules(), position.hands()),
            }),
        }
    }
}

/// JSON object that the command `solve` prints for a deal or a position.
#[derive(Serialize, Debug)]
pub(crate) struct SolveJson<'a> {
    #[serde(flatten)]
    pub(crate) given: GivenWire<'a>,
    pub(crate) after: Vec<String>,
    pub(crate) to_act: Option<String>,
    pub(crate) value_for_first: ProvedValue,
    pub(crate) actions: Vec<ActionJson>,
    pub(crate) line: Vec<String>,
}

/// JSON object that describes one legal action and its value, in the output of `solve`.
#[derive(Serialize, Debug)]
pub(crate) struct ActionJson {
    pub(crate) action: String,
    pub(crate) value_for_first: ProvedValue,
}

/// JSON object with the statistics of all deals of a rule set, which the command `solved` prints.
#[derive(Serialize, Debug)]
pub(crate) struct SolvedWire<'a> {
    pub(crate) rules: &'a str,
    pub(crate) positions: u64,
    #[serde(flatten)]
    pub(crate) deals: DealsWire,
    pub(crate) histogram: &'a BTreeMap<i32, u64>,
    pub(crate) foreplacing: NeedsWire,
    pub(crate) layers: Vec<LayerWire>,
    pub(crate) seconds: f64,
    pub(crate) kernel: &'static str,
    pub(crate) threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) distinct: Option<DealsWire>,
}

/// JSON object that counts deals by their results under best play.
#[derive(Clone, Copy, Serialize, Debug)]
pub(crate) struct DealsWire {
    pub(crate) deals: u64,
    pub(crate) first_wins: u64,
    pub(crate) second_wins: u64,
    pub(crate) draws: u64,
    pub(crate) mean_value_for_first: f64,
}

/// JSON object that counts deals in which seat *first*, *second*, both or neither would lose points without the right to foreplace.
#[derive(Clone, Copy, Serialize, Debug, Default)]
pub(crate) struct NeedsWire {
    pub(crate) none: u64,
    pub(crate) first: u64,
    pub(crate) second: u64,
    pub(crate) both: u64,
}

/// JSON object with statistics of one layer of a solved game. A layer consists of all positions before a lead that have
/// the same hand sizes and the same state of the free move (used or unused).
#[derive(Serialize, Debug)]
pub(crate) struct LayerWire {
    leader_cards: usize,
    other_cards: usize,
    free_move: bool,
    positions: u64,
    sum_for_leader: i64,
    sum_of_squares: u64,
}

impl From<LayerFacts> for LayerWire {
    fn from(facts: LayerFacts) -> Self {
        Self {
            leader_cards: facts.leader_cards,
            other_cards: facts.other_cards,
            free_move: facts.free_move,
            positions: facts.positions,
            sum_for_leader: facts.sum_for_leader,
            sum_of_squares: facts.sum_of_squares,
        }
    }
}

/// JSON object that describes a tablebase file, which `tablebase probe` prints if the user names no
/// deal.
#[derive(Serialize, Debug)]
pub(crate) struct TablebaseWire<'a> {
    pub(crate) rules: &'a str,
    pub(crate) positions: u64,
    pub(crate) bytes: u64,
    pub(crate) version: u32,
}

/// JSON object that the command `replay` prints for each game of a match.
#[derive(Serialize, Debug)]
pub(crate) struct GameJson {
    pub(crate) game: usize,
    pub(crate) deal: String,
    pub(crate) leader: String,
    #[serde(flatten)]
    pub(crate) hands: Hands,
    pub(crate) actions: Vec<String>,
    pub(crate) positions: Vec<String>,
    pub(crate) outcome: Option<OutcomeJson>,
    pub(crate) score: PairWire<i32>,
    /// Comments after the last action of a resigned game, such as the reason for a forfeit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) comments: Vec<String>,
}

/// JSON object with one value for player A and one for player B.
#[derive(Serialize, Debug)]
pub(crate) struct PairWire<T> {
    pub(crate) a: T,
    pub(crate) b: T,
}

/// JSON object that describes the outcome of a game.
#[derive(Serialize, Debug)]
pub(crate) struct OutcomeJson {
    kind: &'static str,
    by: Option<String>,
    card: Option<String>,
    value: Option<u16>,
    r#move: Option<u8>,
    factor: Option<u16>,
    points: i32,
}

impl OutcomeJson {
    /// Returns the JSON object for the outcome of the game with the given index in its match.
    pub(crate) fn new(rules: &RuleSet, index: usize, outcome: Outcome) -> Self {
        let player = |seat| Some(Match::player(index, seat).to_string());
        let none = Self {
            kind: "draw",
            by: None,
            card: None,
            value: None,
            r#move: None,
            factor: None,
            points: 0,
        };
        match outcome {
            Outcome::Mate(mate) => Self {
                kind: if mate.overmate { "overmate" } else { "mate" },
                by: player(mate.by),
                card: Some(overmate_json::card(rules, mate.card)),
                value: Some(mate.value),
                r#move: Some(mate.move_number),
                factor: Some(mate.factor()),
                points: mate.points(),
            },
            Outcome::Draw => none,
            Outcome::Resigned { by } => Self { kind: "resignation", by: player(by), ..none },
        }
    }
}

/// JSON object that the command `replay` prints last, for the whole match.
#[derive(Serialize, Debug)]
pub(crate) struct MatchJson<'a> {
    pub(crate) rules: &'a str,
    pub(crate) players: PairWire<&'a str>,
    pub(crate) games: u8,
    pub(crate) score: PairWire<i32>,
    pub(crate) result: Option<ResultJson>,
}

/// JSON object that describes the result of a match: the winner, the margin in points, and the player who resigned. The
/// field `winner` is `null` after a draw, and the field `resigned` is `null` without a resignation.
#[derive(Serialize, Debug)]
pub(crate) struct ResultJson {
    winner: Option<String>,
    margin: u32,
    resigned: Option<String>,
}

impl From<overmate_rules::MatchResult> for ResultJson {
    fn from(result: overmate_rules::MatchResult) -> Self {
        let name = |player: Player| player.to_string();
        Self {
            winner: result.winner.map(name),
            margin: result.margin,
            resigned: result.resigned.map(name),
        }
    }
}

/// JSON object that the command `review` prints for each reviewed action.
#[derive(Serialize, Debug)]
pub(crate) struct ReviewedWire {
    pub(crate) game: usize,
    /// Number of the reviewed action among all actions of the game, from 1.
    pub(crate) number: usize,
    /// Number of the move to which the reviewed action belongs, from 1, or `None` for a foreplacing action.
    pub(crate) r#move: Option<u8>,
    pub(crate) player: String,
    pub(crate) seat: String,
    pub(crate) action: String,
    pub(crate) before: ProvedValue,
    pub(crate) after: ProvedValue,
    pub(crate) lost: Option<u32>,
    pub(crate) best: Vec<String>,
    pub(crate) mistake: Option<MistakeWire>,
}

/// JSON object that the command `review` prints last, with the totals of the whole match.
#[derive(Serialize, Debug)]
pub(crate) struct ReviewSumWire {
    pub(crate) lost: PairWire<u32>,
    pub(crate) unproved: PairWire<u32>,
}

/// JSON object that the command `puzzles` prints for one puzzle.
#[derive(Serialize, Debug)]
pub(crate) struct PuzzleWire<'a> {
    id: String,
    rules: &'a str,
    position: String,
    to_act: String,
    solution: Vec<String>,
    alternatives: Vec<Vec<String>>,
    ending: Vec<String>,
    themes: Vec<&'static str>,
    difficulty: u16,
    margin: i32,
}

impl<'a> PuzzleWire<'a> {
    pub(crate) fn new(puzzle: &'a Puzzle) -> Self {
        let rules = puzzle.position().rules();
        let lines = puzzle.solution.lines();
        let mut lines = lines.iter().map(|line| overmate_json::actions(rules, line));
        Self {
            id: puzzle.id(),
            rules: rules.name(),
            position: puzzle.position().to_string(),
            to_act: puzzle.solver().to_string(),
            solution: lines.next().unwrap_or_default(),
            alternatives: lines.collect(),
            ending: overmate_json::actions(rules, &puzzle.ending),
            themes: puzzle.themes.iter().map(Theme::name).collect(),
            difficulty: puzzle.rating,
            margin: puzzle.solution.margin(),
        }
    }
}

/// JSON object that the command `doctor` prints for one check.
#[derive(Serialize, Debug)]
pub(crate) struct FindingWire<'a> {
    pub(crate) subject: &'a str,
    pub(crate) verdict: &'a str,
    pub(crate) text: &'a str,
}

/// JSON object with the browser identity, the matches, the open offers and the tournament events that the command `admin find` has found.
#[derive(Serialize, Debug)]
pub(crate) struct FoundWire<'a> {
    pub(crate) browser: Option<BrowserWire<'a>>,
    pub(crate) matches: Vec<FoundMatchWire<'a>>,
    pub(crate) offers: Vec<FoundOfferWire<'a>>,
    pub(crate) events: &'a [EventSummary],
}

/// JSON object that describes an open offer in the output of `admin find`.
#[derive(Serialize, Debug)]
pub(crate) struct FoundOfferWire<'a> {
    pub(crate) id: &'a str,
    pub(crate) browser: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) rules: &'a str,
    pub(crate) made_at: &'a str,
    pub(crate) until: &'a str,
}

/// JSON object that describes one browser identity in the output of the commands `overmate admin`.
#[derive(Serialize, Debug)]
pub(crate) struct BrowserWire<'a> {
    pub(crate) browser: &'a str,
    pub(crate) handle: Option<&'a str>,
    /// Names of the access tokens of a bot account; null for a person.
    pub(crate) bot_tokens: Option<&'a [String]>,
    pub(crate) matches: u64,
    pub(crate) puzzle_attempts: u64,
}

/// JSON object that describes a match in the output of `admin find`.
#[derive(Serialize, Debug)]
pub(crate) struct FoundMatchWire<'a> {
    pub(crate) id: &'a str,
    pub(crate) rules: &'a str,
    pub(crate) state: &'static str,
    pub(crate) created_at: &'a str,
    pub(crate) acted_at: Option<&'a str>,
    pub(crate) ended_at: Option<&'a str>,
    pub(crate) players: PairWire<FoundSeatWire<'a>>,
}

/// JSON object that describes a seat in the output of `admin find`.
#[derive(Serialize, Debug)]
pub(crate) struct FoundSeatWire<'a> {
    pub(crate) name: Option<&'a str>,
    pub(crate) kind: &'static str,
    /// Id of the browser identity in the seat, or name of the computer opponent.
    pub(crate) id: Option<&'a str>,
}

/// JSON object with the id of a new tournament event, which `admin event make` prints.
#[derive(Serialize, Debug)]
pub(crate) struct EventIdWire<'a> {
    pub(crate) id: &'a str,
}

/// JSON object with the number of matches that an operator's command, such as `admin rename`, has changed.
#[derive(Serialize, Debug)]
pub(crate) struct ChangedWire {
    pub(crate) matches: u64,
}

/// JSON object that `admin fair-play` prints: decision statistics of a person, of their opponents, and of persons with
/// similar ratings.
#[derive(Serialize, Debug)]
pub(crate) struct FairPlayWire {
    pub(crate) matches: usize,
    pub(crate) person: Vec<TimedPlayWire>,
    pub(crate) opponents: Vec<TimedPlayWire>,
    pub(crate) peers: PeersWire,
}

/// JSON object that describes the play of persons with ratings near the examined person's rating, in the output of
/// `admin fair-play`.
#[derive(Serialize, Debug)]
pub(crate) struct PeersWire {
    pub(crate) bands: Vec<RatingBandWire>,
    pub(crate) matches: usize,
    pub(crate) play: Vec<TimedPlayWire>,
}

/// JSON object in the output of `admin fair-play`: a range of ratings under one rule set, and the number of persons
/// with a rating in this range. The ratings are those for live clocks. Only persons with a measured match are counted.
#[derive(Serialize, Debug)]
pub(crate) struct RatingBandWire {
    pub(crate) rules: String,
    pub(crate) from: i32,
    pub(crate) to: i32,
    pub(crate) players: usize,
}

/// JSON object in the output of `admin fair-play`: statistics of the decisions whose decision times lie in one range.
#[derive(Serialize, Debug)]
pub(crate) struct TimedPlayWire {
    /// Upper end of the range of decision times in seconds; `null` for the longest times.
    pub(crate) below: Option<u32>,
    pub(crate) choices: u32,
    pub(crate) best: u32,
    pub(crate) points_lost: u32,
}

/// JSON object that describes an operator's act, such as a mute, in the output of `admin log`.
#[derive(Serialize, Debug)]
pub(crate) struct ActWire<'a> {
    pub(crate) at: &'a str,
    pub(crate) act: &'a str,
    pub(crate) target: &'a str,
    pub(crate) reason: &'a str,
    pub(crate) matches: Option<u64>,
}

/// JSON object that describes a report about a player in the output of `admin reports`.
#[derive(Serialize, Debug)]
pub(crate) struct FoundReportWire<'a> {
    pub(crate) id: &'a str,
    pub(crate) at: &'a str,
    pub(crate) settled_at: Option<&'a str>,
    pub(crate) reason: &'a str,
    pub(crate) text: Option<&'a str>,
    #[serde(rename = "match")]
    pub(crate) match_id: &'a str,
    pub(crate) rules: Option<&'a str>,
    pub(crate) reporter: FoundPartyWire<'a>,
    pub(crate) reported: FoundPartyWire<'a>,
    pub(crate) messages: Vec<FoundMessageWire<'a>>,
    pub(crate) record: Option<&'a str>,
}

/// JSON object that describes the reporter or the reported player in the output of `admin reports`.
#[derive(Serialize, Debug)]
pub(crate) struct FoundPartyWire<'a> {
    pub(crate) player: &'a str,
    pub(crate) browser: Option<&'a str>,
    pub(crate) handle: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
}

/// JSON object that describes a text that a player sent in a match, in the output of `admin reports`.
#[derive(Serialize, Debug)]
pub(crate) struct FoundMessageWire<'a> {
    pub(crate) player: &'a str,
    pub(crate) text: &'a str,
    pub(crate) at: &'a str,
}
