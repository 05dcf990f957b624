//! Levels 1 to 9: opponents that see some moves ahead, and judge what lies behind.

use overmate_rules::{Action, BySeat, Card, CardSet, Game, Position, Seat, View, Viewer};
use overmate_solver::{Budget, LeadGraph, MAX_TABLE_HAND, Meter, possible_worlds};

use crate::bot::{Bot, Choice, Forfeit, Thought, Turn};
use crate::built_in::BuiltIn;
use crate::level::belief::Beliefs;
use crate::level::chance::Chance;
use crate::level::reason::reason;
use crate::model::depth_search::Look;
use crate::model::horizon_tables::{Manner, Odds, Sights, heed_sure_mate, temper};
use crate::public_game::belief::SoftmaxPlayer;
use crate::words::card_words;

/// How strong an opponent is, from 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const LOWEST: Self = Self(1);
    /// The strongest.
    pub const HIGHEST: Self = Self(9);
    /// Whom a stranger is taken for.
    pub(crate) const MIDDLE: Self = Self(5);

    /// The level of this number, from 1 to 9.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).contains(&number).then_some(Self(number))
    }

    /// All levels, from the weakest to the strongest.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// The number, from 1 to 9.
    #[must_use]
    pub fn get(self) -> u8 {
        self.0
    }

    /// Within how many moves it sees everything, the present one included: from 1.
    #[must_use]
    pub fn horizon(self) -> u8 {
        self.manner().horizon
    }

    /// How many positions it looks at for an action with more than 20 cards, and no more even if it sees less far for that; ten
    /// times as many where one of ten cards may lie face down, up to 150,000.
    #[must_use]
    pub fn nodes(self) -> u64 {
        self.manner().nodes
    }

    /// In points, with up to 20 open cards: a loss of so many that it sees is taken e times less often than none. Five times as
    /// much is never taken.
    #[must_use]
    pub fn temperature(self) -> f64 {
        self.manner().temperature
    }
}

/// An opponent of a level.
pub(crate) struct LevelBot {
    level: Level,
    seed: u64,
    sights: Option<Sights>,
    beliefs: Beliefs,
}

/// What one decision of any level may look at without a table, so that it answers within a fraction of a second whatever the
/// clock says.
const NODES: u64 = 200_000;

/// What a level sees of a game that may be the one.
pub(crate) struct Seen {
    pub(crate) points: Vec<(Action, i32)>,
    /// Moves within which it saw everything.
    pub(crate) horizon: u8,
    /// Whether a table of all positions was at hand.
    pub(crate) tabled: bool,
}

/// The same, searched without a table. Losses of more points than the margin are not told from one another.
pub(crate) fn look(game: &Game, seat: Seat, horizon: u8, margin: i32, meter: &mut Meter) -> Seen {
    let graph = LeadGraph::of_deal(&game.dealt());
    let look = Look::new(&graph, margin);
    let (points, horizon) = look.action_points(horizon, game.position(), seat, meter);
    Seen { points, horizon, tabled: false }
}

/// Losses of more points than this are not told from one another where several cases are weighed: what is bad in one may be
/// good in the others.
pub(crate) const MARGIN_OF_CASES: i32 = 100;

impl LevelBot {
    pub(crate) fn new(level: Level, seed: u64) -> Self {
        Self { level, seed, sights: None, beliefs: Beliefs::default() }
    }

    fn see(
        &mut self,
        game: &Game,
        seat: Seat,
        horizon: u8,
        margin: i32,
        meter: &mut Meter,
    ) -> Seen {
        let position = game.position();
        let known = self.sights.as_ref().filter(|s| s.graph().rules() == game.rules());
        if let Some(points) = known.and_then(|s| s.action_points(horizon, position, seat)) {
            return Seen { points, horizon, tabled: true };
        }
        let is_small = |hands: BySeat<CardSet>| {
            hands.first.len().max(hands.second.len()) <= u32::from(MAX_TABLE_HAND)
        };
        let dealt = game.dealt().hands();
        let hands = if is_small(dealt) { dealt } else { position.hands() };
        if is_small(hands) {
            let graph = LeadGraph::of_hands(game.rules(), hands);
            if graph.fits_table() {
                let sights = self.sights.insert(Sights::new(graph, &[horizon]));
                if let Some(points) = sights.action_points(horizon, position, seat) {
                    return Seen { points, horizon, tabled: true };
                }
            }
        }
        look(game, seat, horizon, margin, meter)
    }
}

/// What a level makes of its turn.
pub(crate) struct Weighed {
    cases: Vec<(Option<Card>, Game)>,
    seen: Vec<Seen>,
    candidates: Vec<Card>,
    believed: Vec<f64>,
    /// What the actions that come into question seem worth.
    points: Odds<Action>,
    /// How likely it takes each.
    pub(crate) odds: Odds<Action>,
}

impl LevelBot {
    /// What it makes of the turn of a seat, the viewer's.
    pub(crate) fn weigh_up(&mut self, view: &View, seat: Seat, budget: &Budget) -> Weighed {
        let manner = self.level.manner_in(view.rules());
        let cases = possible_worlds(view, seat);
        let nodes = manner.nodes.saturating_mul(cases.len() as u64).min(NODES);
        let mut meter = budget.start();
        meter.limit_nodes(nodes);
        let margin = if cases.len() > 1 { MARGIN_OF_CASES } else { manner.never() };
        let mut seen: Vec<Seen> = Vec::new();
        for (at, (_, game)) in cases.iter().enumerate() {
            let see = |part: &mut Meter| self.see(game, seat, manner.horizon, margin, part);
            seen.push(meter.with_part(cases.len() - at, see));
        }
        let candidates: Vec<Card> = cases.iter().filter_map(|(card, _)| *card).collect();
        let model = SoftmaxPlayer { temperature: self.level.exact_temperature() };
        let believed = match candidates.len() {
            0 | 1 => vec![1.0],
            _ => self.beliefs.of(view, seat, &candidates, model),
        };
        let positions: Vec<&Position> = cases.iter().map(|(_, game)| game.position()).collect();
        let (points, odds) = decide(
            manner,
            &view.legal_actions(),
            &positions,
            &seen,
            &believed,
            self.sights.as_ref(),
        );
        Weighed { cases, seen, candidates, believed, points, odds }
    }
}

/// What each action seems worth to a level where any of these positions may be the one, each as likely as believed, and how likely
/// it takes each. The sights are those that what was seen came from, where it came from tables.
pub(crate) fn decide(
    manner: Manner,
    legal: &[Action],
    cases: &[&Position],
    seen: &[Seen],
    believed: &[f64],
    sights: Option<&Sights>,
) -> (Odds<Action>, Odds<Action>) {
    let mut odds = weigh(legal, seen, believed);
    // What certainly brings more does so in every case.
    heed_sure_mate(
        |action| sure_mate(cases.iter().copied(), action),
        &mut odds,
        |action, points| {
            cases.iter().zip(seen).all(|(position, seen)| {
                let next = position.play(action);
                if let Some(mate) = next.ok().and_then(|next| next.mate()) {
                    return mate.points() > points;
                }
                let sights = sights.filter(|_| seen.tabled);
                sights.is_some_and(|sights| {
                    sights.outdoes_mate(seen.horizon, position, action, points)
                })
            })
        },
    );
    let points = odds.clone();
    temper(manner.temperature_among(cases.len()), &mut odds);
    (points, odds)
}

impl Bot for LevelBot {
    fn name(&self) -> String {
        BuiltIn::Level(self.level).to_string()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let legal = turn.view.legal_actions();
        let (Viewer::Seat(seat), false) = (turn.view.viewer(), legal.is_empty()) else {
            return Err(Forfeit { who: self.name(), why: "it is not its turn".to_owned() });
        };
        let weighed = self.weigh_up(turn.view, seat, turn.budget);
        let Weighed { cases, seen, candidates, believed, points, odds } = weighed;
        let action = Chance::new(self.seed, turn).pick(&odds).unwrap_or(legal[0]);
        let expected = points.iter().find(|(other, _)| *other == action);
        let reason = match (&cases[..], &seen[..]) {
            ([(_, game)], [seen]) => {
                let sights = self.sights.as_ref().filter(|_| seen.tabled);
                reason(game.position(), seat, seen.horizon, sights, &points, action)
            }
            _ => reason_of_cases(turn.view, &candidates, &believed),
        };
        let thought = Thought {
            horizon: seen.iter().map(|seen| seen.horizon).min(),
            expected: expected.map(|(_, points)| *points),
            sure: None,
            is_proved: legal.len() == 1,
            reason,
        };
        Ok(Choice { action, thought })
    }
}

/// The points of an action that is mate in each of these positions.
pub(crate) fn sure_mate<'a>(
    cases: impl IntoIterator<Item = &'a Position>,
    action: Action,
) -> Option<i32> {
    let mates = cases.into_iter().map(|position| position.play(action).ok()?.mate());
    mates.map(|mate| mate.map(|mate| mate.points())).min().flatten()
}

/// How far a level doubts what it believes of a hidden card, and reckons with the worst one: as far as the perfect player.
const SUSPICION: f64 = 0.3;

/// What each action is worth when any of several games may be the one, each as likely as believed: mostly the mean, and partly the
/// worst case.
///
/// This is the one place where a level reckons with a card that lies face down before the other.
pub(crate) fn weigh(legal: &[Action], seen: &[Seen], believed: &[f64]) -> Odds<Action> {
    let points = |action: &Action| {
        let in_case = |(case, share): (&Seen, &f64)| {
            let found = case.points.iter().find(|(other, _)| other == action);
            found.map(|(_, points)| (f64::from(*points), *share))
        };
        let cases: Vec<(f64, f64)> = seen.iter().zip(believed).filter_map(in_case).collect();
        let total: f64 = cases.iter().map(|(_, share)| share).sum();
        let mean = cases.iter().map(|(points, share)| points * share).sum::<f64>() / total;
        let worst = cases.iter().map(|(points, _)| *points).fold(f64::INFINITY, f64::min);
        (*action, if cases.len() == 1 { mean } else { mean + SUSPICION * (worst - mean) })
    };
    legal.iter().map(points).collect()
}

/// Why an action was chosen where several cards may lie face down.
fn reason_of_cases(view: &View, cards: &[Card], believed: &[f64]) -> String {
    let count = cards.len();
    let likeliest = cards.iter().zip(believed).max_by(|a, b| a.1.total_cmp(b.1));
    match likeliest {
        // Where nothing is known none is the likeliest.
        Some((card, share)) if *share > 1.5 / f64::from(u8::try_from(count).unwrap_or(u8::MAX)) => {
            let card = card_words(view.rules(), *card);
            format!("reckons with {count} cards that may lie face down, most of all {card}")
        }
        _ => format!("reckons with {count} cards that may lie face down"),
    }
}
