//! Builds the solution tree of a puzzle: the player's decisions, the right actions, and the
//! opponent's replies.

use overmate_bots::LevelPolicies;
use overmate_rules::{Action, Phase, Position, Seat};

use crate::judge::{action_values, most_tempting};

/// Minimum margin of a decision in a puzzle, in points: the difference between the value of the right actions and the
/// value of the best wrong action. A decision that changes the winner may have a smaller margin.
pub const MARGIN: i32 = 10;

/// Maximum number of decisions of the player in each line of play in a puzzle's solution.
pub const MAX_DECISIONS: usize = 5;

/// Maximum number of lines of play in a puzzle's solution. Each line is a sequence of right actions and replies, and is one of
/// the equally good ways to solve the puzzle.
pub const MAX_LINES: usize = 4;

/// Threshold (0 to 1) for the probability that random actions solve a puzzle; from this value on, the puzzle is refused as guessable.
pub const TOO_GUESSABLE: f64 = 0.5;

/// Decision of the player in a puzzle: the values of all legal actions, and a branch for each right action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Position in which the player who solves the puzzle decides.
    pub position: Position,
    /// Legal actions with their values in points for the player, in the order of
    /// [`Position::legal_actions`].
    pub values: Vec<(Action, i32)>,
    /// Branches of the puzzle's solution tree at this decision, one for each right action of the player.
    pub branches: Vec<Branch>,
}

/// Branch of a decision in a solution tree: a right action, with the play that follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Right action of the player who solves the puzzle.
    pub action: Action,
    /// Actions after the right action, up to the next decision or the end of the puzzle: the opponent's replies and the player's forced
    /// actions.
    pub follow_up: Vec<Action>,
    /// Next decision of the player, or `None` at the end of the puzzle.
    pub next: Option<Decision>,
}

/// Kind of a player's turn: forced, with clearly best actions, or without clearly best actions.
enum TurnKind {
    /// Only one action is legal in the position.
    Forced(Action),
    /// The best actions bring at least [`MARGIN`] points more than all other actions, or a better outcome, such as a draw instead of a
    /// loss.
    Clear(Vec<Action>),
    /// No actions are clearly best, or all legal actions play the same card.
    Unclear,
}

/// Reason why a position cannot be used as a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NoPuzzle {
    /// The best actions are not clearly better than all others, or all legal actions play the same card. An action is clearly
    /// better if it brings at least [`MARGIN`] points more, or a better outcome (loss, draw or win).
    Unclear,
    /// The player who should solve the puzzle loses the game even with best play.
    Lost,
    /// A line of play in the puzzle's solution has more than [`MAX_DECISIONS`] decisions of the player.
    TooLong,
    /// The puzzle's solution has more than [`MAX_LINES`] lines of play.
    TooManyLines,
    /// Random actions solve the puzzle with a probability of at least [`TOO_GUESSABLE`] (one half).
    Guessable,
    /// The bot of strength level 1 nearly always finds the solution, and the puzzle is not a mate in one.
    TooEasy,
    /// The puzzle requires only arithmetic: a wrong first action also wins the game, and no decision has a margin of more than eleven
    /// points. The player also holds at least seven cards and does not foreplace, and the solution ends before the mate.
    Arithmetic,
}

impl NoPuzzle {
    /// All reasons why a position cannot be used as a puzzle, in the order of the variants.
    pub const ALL: [Self; 7] = [
        Self::Unclear,
        Self::Lost,
        Self::TooLong,
        Self::TooManyLines,
        Self::Guessable,
        Self::TooEasy,
        Self::Arithmetic,
    ];
}

impl Decision {
    /// Builds the solution tree of the puzzle that starts at a position.
    ///
    /// # Errors
    ///
    /// Returns the reason why the position is not a puzzle.
    pub fn of_puzzle(position: &Position, policies: &LevelPolicies) -> Result<Self, NoPuzzle> {
        let values = action_values(policies, position);
        let TurnKind::Clear(right) = turn(&values) else { return Err(NoPuzzle::Unclear) };
        if values.iter().all(|(_, value)| *value < 0) {
            return Err(NoPuzzle::Lost);
        }
        let mut lines = 0;
        let solution = Self::build(position.clone(), values, right, 1, &mut lines, policies)?;
        if solution.chance_of_guessing() >= TOO_GUESSABLE {
            return Err(NoPuzzle::Guessable);
        }
        Ok(solution)
    }

    fn build(
        position: Position,
        values: Vec<(Action, i32)>,
        right: Vec<Action>,
        depth: usize,
        lines: &mut usize,
        policies: &LevelPolicies,
    ) -> Result<Self, NoPuzzle> {
        if depth > MAX_DECISIONS {
            return Err(NoPuzzle::TooLong);
        }
        let solver = position.to_act();
        let mut branches = Vec::new();
        for action in right {
            let mut at = after(&position, action);
            let mut follow_up = Vec::new();
            let mut next = None;
            while let Some(seat) = at.to_act() {
                let values = action_values(policies, &at);
                let reply = if Some(seat) == solver {
                    match turn(&values) {
                        TurnKind::Forced(action) => action,
                        TurnKind::Clear(right) => {
                            let decision =
                                Self::build(at.clone(), values, right, depth + 1, lines, policies)?;
                            next = Some(decision);
                            break;
                        }
                        TurnKind::Unclear => break,
                    }
                } else {
                    reply(&at, &best_actions(&values), policies)
                };
                follow_up.push(reply);
                at = after(&at, reply);
            }
            // After the last decision, the remaining forced actions are kept only if they lead to a mate.
            if next.is_none() && at.mate().is_none() {
                follow_up.clear();
            }
            if next.is_none() {
                *lines += 1;
                if *lines > MAX_LINES {
                    return Err(NoPuzzle::TooManyLines);
                }
            }
            branches.push(Branch { action, follow_up, next });
        }
        Ok(Self { position, values, branches })
    }

    /// Returns the seat of the player who solves the puzzle.
    #[must_use]
    pub fn solver(&self) -> Seat {
        self.position.to_act().unwrap_or(Seat::First)
    }

    /// Returns whether the player decides whether to foreplace a card.
    pub(crate) fn foreplaces(&self) -> bool {
        matches!(self.position.phase(), Phase::Foreplacing(_))
    }

    /// Returns the position after an action at the decision, or `None` if the action is illegal.
    pub(crate) fn next_position(&self, action: Action) -> Option<Position> {
        self.position.clone().play(action).ok()
    }

    /// Returns whether, after an action of the player, the opponent can give mate with the opponent's next lead. The opponent may have to
    /// win the move in progress first.
    pub(crate) fn allows_mate(&self, action: Action) -> bool {
        let next = self.next_position(action);
        next.is_some_and(|next| next.mating_card(!self.solver()).is_some())
    }

    /// Returns whether an action is right at the decision: whether the action has the best value.
    #[must_use]
    pub fn is_right(&self, action: Action) -> bool {
        self.branches.iter().any(|branch| branch.action == action)
    }

    /// Returns the value of the decision's right actions, in points for the player.
    #[must_use]
    pub fn value(&self) -> i32 {
        self.values.iter().map(|(_, value)| *value).max().unwrap_or_default()
    }

    /// Returns the value of the decision's best wrong action, in points for the player.
    #[must_use]
    pub fn best_wrong_value(&self) -> i32 {
        let best = self.value();
        let wrong = self.values.iter().map(|(_, value)| *value).filter(|value| *value < best);
        wrong.max().unwrap_or(best)
    }

    /// Returns the probability, from 0 to 1, of solving the puzzle by random actions.
    ///
    /// All legal actions at a decision are equally likely. Identical cards count as one action, as
    /// in [`Position::legal_actions`].
    #[must_use]
    pub fn chance_of_guessing(&self) -> f64 {
        let next = self.branches.iter().map(|branch| branch.next.as_ref());
        let right: f64 = next.map(|next| next.map_or(1.0, Self::chance_of_guessing)).sum();
        #[allow(
            clippy::cast_precision_loss,
            reason = "a player has at most some dozens of actions"
        )]
        let actions = self.values.len() as f64;
        right / actions
    }

    /// Returns the decisions on the main line of the solution, which follows the first right action at each decision.
    #[must_use]
    pub fn main_line(&self) -> Vec<&Self> {
        let mut decisions = vec![self];
        let mut at = self;
        while let Some(next) = at.branches.first().and_then(|branch| branch.next.as_ref()) {
            decisions.push(next);
            at = next;
        }
        decisions
    }

    /// Returns the smallest margin among all decisions of the puzzle, in points. The margin of a decision is the value of the right actions
    /// minus the value of the best wrong action.
    #[must_use]
    pub fn margin(&self) -> i32 {
        let next = self.branches.iter().filter_map(|branch| branch.next.as_ref());
        let own = self.value() - self.best_wrong_value();
        next.map(Self::margin).fold(own, i32::min)
    }

    /// Returns every line of the solution as a list of the actions of both seats. The main line is the first.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<Action>> {
        let mut lines = Vec::new();
        for branch in &self.branches {
            let mut start = vec![branch.action];
            start.extend(&branch.follow_up);
            match &branch.next {
                None => lines.push(start),
                Some(next) => {
                    lines.extend(next.lines().into_iter().map(|rest| [&start[..], &rest].concat()));
                }
            }
        }
        lines
    }

    /// Returns all decisions of the solution tree, each before its descendants.
    #[must_use]
    pub fn decisions(&self) -> Vec<&Self> {
        let next = self.branches.iter().filter_map(|branch| branch.next.as_ref());
        std::iter::once(self).chain(next.flat_map(Self::decisions)).collect()
    }

    /// Returns the position at the end of the solution's main line.
    #[must_use]
    pub fn end(&self) -> Position {
        let line = self.lines().into_iter().next().unwrap_or_default();
        line.into_iter().fold(self.position.clone(), |at, action| after(&at, action))
    }

    /// Returns the ending of the puzzle: the best play of both players after the solution's main line, up to the solving player's mate. The
    /// list is empty if the main line ends with the mate, or if the player does not win.
    ///
    /// Of equally good actions, the player takes the first and the opponent takes the most
    /// tempting.
    #[must_use]
    pub fn ending(&self, policies: &LevelPolicies) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.value() <= 0 {
            return actions;
        }
        let mut at = self.end();
        while let Some(seat) = at.to_act() {
            let best = best_actions(&action_values(policies, &at));
            let action = if seat == self.solver() { best[0] } else { reply(&at, &best, policies) };
            actions.push(action);
            at = after(&at, action);
        }
        actions
    }
}

/// Returns the position that follows from a position by a legal action.
fn after(position: &Position, action: Action) -> Position {
    position.clone().play(action).expect("the action comes from the list of legal actions")
}

/// Determines the kind of a player's turn from the values of the legal actions: forced, with clearly best actions, or without clearly best
/// actions.
fn turn(values: &[(Action, i32)]) -> TurnKind {
    if let [(action, _)] = values {
        return TurnKind::Forced(*action);
    }
    let Some(best) = values.iter().map(|(_, value)| *value).max() else { return TurnKind::Unclear };
    let first_card = values.first().and_then(|(action, _)| action.card());
    if values.iter().all(|(action, _)| action.card() == first_card) {
        return TurnKind::Unclear;
    }
    let wrong = values.iter().map(|(_, value)| *value).filter(|value| *value < best).max();
    let Some(wrong) = wrong else { return TurnKind::Unclear };
    if best - wrong < MARGIN && best.signum() == wrong.signum() {
        return TurnKind::Unclear;
    }
    TurnKind::Clear(best_actions(values))
}

/// Returns the actions with the best value, in the order of the list `values`.
fn best_actions(values: &[(Action, i32)]) -> Vec<Action> {
    let best = values.iter().map(|(_, value)| *value).max();
    values.iter().filter(|(_, value)| Some(*value) == best).map(|(action, _)| *action).collect()
}

/// Returns the opponent's reply in a puzzle: the action of the list `best` that a player is most likely to choose.
fn reply(position: &Position, best: &[Action], policies: &LevelPolicies) -> Action {
    match best {
        [only] => *only,
        _ => most_tempting(policies, position, best),
    }
}
