//! The opponent that loses no point to best play, and sets traps to whoever plays less well.

use overmate_rules::{Dealt, Game, Position, Seat, View, Viewer};
use overmate_solver::{LeadGraph, MAX_TABLE_HAND, Solver};

use crate::bot::{Bot, Choice, Forfeit, Sure, Thought, Turn};
use crate::built_in::{BuiltIn, HousePlayer};
use crate::hidden::{HiddenSolver, MatchUtility, Strength};
use crate::level::bot::Level;
use crate::model::advised::counselled;
use crate::model::best_response::Reply;
use crate::model::game::Spread;
use crate::model::horizon_tables::Sights;
use crate::model::objective::{Aim, played_by_equals, played_for_points};
use crate::model::player::Model;
use crate::perfect::opinion::Opinion;
use crate::perfect::reason::Reason;

/// What is looked at of a deck too large for a table, if the budget has no limit.
const NODES: u64 = 3_000_000;

/// Values of the best actions that differ by less are the same.
const SAME: f64 = 1e-9;

/// Takes, among the actions that lose nothing against best play, the one that does best against the level that the other
/// seems to have.
pub(crate) struct Perfect {
    /// Plays where a card lies face down, or may be laid so.
    mind: HiddenSolver,
    solver: Solver,
    /// The deal that is played, seen by all levels.
    deal: Option<(Dealt, Sights)>,
    /// Of the other, after the games before this one.
    opinion: Opinion,
    /// Whom it was told to play against.
    told: Option<Level>,
    /// What was worked out last, and for what.
    worked_out: Option<(Plan, Vec<f64>)>,
    /// What the second game of a round brings when played for points, and in which seat against which level.
    second_game: Option<(Seat, Level, Spread)>,
    /// The same where cards may lie face down: what it brings *first* between equals of this level.
    later: Option<(Level, Spread)>,
}

/// What a best reply depends on, beside the deal.
#[derive(Clone, PartialEq, Debug)]
struct Plan {
    seat: Seat,
    level: Level,
    aim: Aim,
}

impl Perfect {
    /// Chance has a part in it only where a card lies face down.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            mind: HiddenSolver::new(Strength::FULL, seed),
            solver: Solver::new(),
            deal: None,
            opinion: Opinion::new(),
            told: None,
            worked_out: None,
            second_game: None,
            later: None,
        }
    }

    /// One that takes the other for this level from the beginning.
    pub(crate) fn against(level: Level, seed: u64) -> Self {
        Self { opinion: Opinion::sure_of(level), told: Some(level), ..Self::new(seed) }
    }

    /// Makes sure of the tables for a game, if it is small enough for them.
    fn prepare(&mut self, game: &Game) -> Option<&Sights> {
        let position = game.position();
        let fits = |(dealt, sights): &(Dealt, Sights)| {
            dealt == game.dealt() && sights.graph().value_for_first(position, &mut |_| 0).is_some()
        };
        if !self.deal.as_ref().is_some_and(fits) {
            (self.deal, self.worked_out) = (None, None);
            (self.second_game, self.later) = (None, None);
            let hands = [game.dealt().hands(), position.hands()];
            let small = hands.into_iter().find(|hands| {
                hands.first.len().max(hands.second.len()) <= u32::from(MAX_TABLE_HAND)
            });
            let graph = LeadGraph::of_hands(game.rules(), small?);
            if graph.fits_table() {
                let horizons: Vec<u8> = Level::all().map(|level| level.manner().horizon).collect();
                self.deal = Some((game.dealt().clone(), Sights::new(graph, &horizons)));
            }
        }
        self.deal.as_ref().map(|(_, sights)| sights)
    }

    /// What is best in a game of which everything is known.
    fn open(&mut self, game: &Game, seat: Seat, turn: &Turn<'_>) -> Option<Choice> {
        self.prepare(game)?;
        let (_, sights) = self.deal.as_ref()?;
        let position = game.position();
        let level = self.opinion.with(game, !seat, sights).level();
        let model = Model::Level(level.manner_in(game.rules()));
        let start = Position::start(game.dealt());
        let known = self.second_game.take().filter(|known| (known.0, known.1) == (!seat, level));
        let mut known = known.map(|(_, _, spread)| spread);
        let aim = Aim::of(turn.standing, sights, position, &start, seat, || {
            let work_out = || played_for_points(sights, &start, !seat, model);
            known.get_or_insert_with(work_out).clone()
        });
        self.second_game = known.map(|spread| (!seat, level, spread));
        let plan = Plan { seat, level, aim };
        let mut reply = Reply::new(sights, seat, model, plan.aim.clone());
        if let Some((_, known)) = self.worked_out.take().filter(|(known, _)| *known == plan) {
            reply = reply.with_known(known);
        }
        let actions = reply.actions(position);
        self.worked_out = Some((plan.clone(), reply.into_known()));
        let aim = &plan.aim;
        let most = actions.iter().map(|(_, worth)| *worth).fold(f64::NEG_INFINITY, f64::max);
        let (action, worth) = *actions.iter().find(|(_, worth)| *worth >= most - SAME)?;
        let reason = Reason { sights, position, seat, level, aim };
        let value = reason.value_after(action)?;
        let thought = Thought {
            horizon: None,
            expected: Some(value.into()),
            sure: reason.value(position).map(Sure::exactly),
            is_proved: !aim.may_give(),
            reason: reason.sentence(action, actions.len(), worth),
        };
        Some(Choice { action, thought })
    }

    /// What another game of the deal is likely to bring *first*; `None` with a large deck.
    fn later(&mut self, view: &View) -> Option<Spread> {
        let game = Game::new(view.dealt().clone());
        let level = self.opinion.level();
        self.prepare(&game)?;
        if self.later.as_ref().is_none_or(|(of, _)| *of != level) {
            let (_, sights) = self.deal.as_ref()?;
            let start = Position::start(game.dealt());
            let spread = played_by_equals(sights, &start, Model::Level(level.manner()));
            self.later = Some((level, spread));
        }
        self.later.as_ref().map(|(_, spread)| spread.clone())
    }

    /// What is best when not everything is known, or there is too much to know.
    fn counselled(&mut self, turn: &Turn<'_>) -> Option<Choice> {
        let counselled = if turn.budget.is_limited() {
            counselled(&mut self.solver, turn.view, &mut turn.budget.start())?
        } else {
            let budget = turn.budget.clone().with_nodes(NODES);
            counselled(&mut self.solver, turn.view, &mut budget.start())?
        };
        let found = counselled.actions.iter().find(|(action, _)| *action == counselled.choice);
        let thought = Thought {
            horizon: counselled.horizon,
            expected: found.and_then(|(_, expected)| *expected),
            sure: None,
            is_proved: counselled.is_proved,
            reason: counselled.reason,
        };
        Some(Choice { action: counselled.choice, thought })
    }
}

impl Bot for Perfect {
    fn name(&self) -> String {
        let told = self.told.map(HousePlayer::PerfectAgainst);
        told.unwrap_or(HousePlayer::BuiltIn(BuiltIn::Perfect)).to_string()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let name = self.name();
        let not_its_turn = || Forfeit { who: name.clone(), why: "it is not its turn".to_owned() };
        let Viewer::Seat(seat) = turn.view.viewer() else { return Err(not_its_turn()) };
        if turn.view.to_act() != Some(seat) {
            return Err(not_its_turn());
        }
        // There the open values do not say what is best, not even to who knows all cards.
        self.mind.expect(self.opinion.level().exact_temperature());
        if HiddenSolver::is_needed(turn.view) {
            let aim = MatchUtility::of(turn.standing, seat, || self.later(turn.view));
            self.mind.play_for(aim);
            if let Some(choice) = self.mind.choose(turn.view, turn.budget) {
                return Ok(choice);
            }
        }
        let open = Opinion::game(turn.view).and_then(|game| self.open(&game, seat, turn));
        open.or_else(|| self.counselled(turn)).ok_or_else(not_its_turn)
    }

    fn game_over(&mut self, view: &View) {
        let Viewer::Seat(seat) = view.viewer() else { return };
        if let Some(game) = Opinion::game(view) {
            let opinion = self.opinion.clone();
            if let Some(sights) = self.prepare(&game) {
                self.opinion = opinion.with(&game, !seat, sights);
            }
        }
    }
}
