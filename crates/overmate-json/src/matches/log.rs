//! Maintains the log of a match: its actions, undos and hints.

use overmate_rules::{Action, Illegal, Match, Player, ReadError, RuleSet};

/// Match with its log of actions, undos and hints.
///
/// ```
/// use overmate_json::MatchLog;
/// use overmate_rules::{Match, Player, RuleSet, SeededDeals};
/// let rules = RuleSet::named("bga")?.shared();
/// let log = MatchLog::new(Match::new(&rules, &mut SeededDeals::new(7)));
/// let lead = log.play().current().legal_actions().next().expect("a legal lead");
/// let text = overmate_json::action(&rules, lead);
/// let log = log.act(Player::A, &text)?.undo(2, Player::A)?;
/// assert_eq!((log.play().current().actions().len(), log.marks().len()), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MatchLog {
    play: Match,
    /// Actions of the match, in order of play. Actions that were taken back are left out.
    actions: Vec<PlacedAction>,
    marks: Vec<LoggedMark>,
}

/// Action in a match, with its player, its game, and the number of earlier actions in the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PlacedAction {
    player: Player,
    /// Index of the game in which the action was taken, from 0.
    game: usize,
    /// Number of actions that precede the action in its game.
    before: usize,
}

/// Undo or hint in the log of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoggedMark {
    /// Sequence number of the match after the undo or hint: the number of entries in its log.
    pub sequence: u64,
    /// Player who took back an action or got a hint.
    pub player: Player,
    /// Whether the log entry is an undo; otherwise the entry is a hint.
    pub is_undo: bool,
    /// Index, from 0, of the game that is current right after the undo or hint.
    pub game: usize,
    /// Number of actions of the current game right after the undo or hint.
    pub after: usize,
}

/// Reason why a match refuses an action, undo or resignation.
#[derive(Debug, thiserror::Error)]
pub enum LogFault {
    /// The match has ended, and accepts no further changes.
    #[error("the match is over: begin a new match")]
    MatchOver,
    /// It is not the player's turn.
    #[error("the other player is to act: wait for their action")]
    NotYourTurn,
    /// The text of the player's action is not valid notation.
    #[error("the notation of the action cannot be read")]
    UnreadableAction(#[source] ReadError),
    /// The action is illegal under the rules of the game.
    #[error("the action is not legal")]
    IllegalAction(#[source] Illegal),
    /// The player has taken no action that an undo could take back.
    #[error(
        "the player has no action in the current game that an undo could take back: play an action first"
    )]
    NothingToUndo,
}

impl MatchLog {
    /// Creates the empty log of a match that has no actions yet.
    #[must_use]
    pub fn new(play: Match) -> Self {
        Self { play, actions: Vec::new(), marks: Vec::new() }
    }

    /// Returns the match in its current state.
    #[must_use]
    pub fn play(&self) -> &Match {
        &self.play
    }

    /// Returns the undos and hints of the match, from the oldest to the newest.
    #[must_use]
    pub fn marks(&self) -> &[LoggedMark] {
        &self.marks
    }

    fn rules(&self) -> &RuleSet {
        self.play.rules()
    }

    /// Plays an action of a player. The action is a string in notation.
    ///
    /// # Errors
    ///
    /// Returns a fault if the match is over, if it is not the player's turn, or if the action is not legal.
    pub fn act(mut self, player: Player, text: &str) -> Result<Self, LogFault> {
        if self.play.to_act().ok_or(LogFault::MatchOver)? != player {
            return Err(LogFault::NotYourTurn);
        }
        let action: Action = self.rules().read_action(text).map_err(LogFault::UnreadableAction)?;
        self.actions.push(PlacedAction {
            player,
            game: self.play.current_index(),
            before: self.play.current().actions().len(),
        });
        let played = self.play.play(action);
        self.play = played.map_err(|error| LogFault::IllegalAction(error.illegal))?;
        Ok(self)
    }

    /// Ends the match by the resignation of a player, who loses regardless of the points.
    ///
    /// # Errors
    ///
    /// Returns a fault if the match is over.
    pub fn resign(mut self, player: Player) -> Result<Self, LogFault> {
        self.play = self.play.resign(player).map_err(|_| LogFault::MatchOver)?;
        Ok(self)
    }

    /// Takes back the latest action of a player in the current game, and all later actions of both players. `sequence` is the sequence
    /// number of the match after the undo.
    ///
    /// # Errors
    ///
    /// Returns a fault if the match is over, or if the player has not acted in the current game.
    pub fn undo(mut self, sequence: u64, player: Player) -> Result<Self, LogFault> {
        if self.play.result().is_some() {
            return Err(LogFault::MatchOver);
        }
        let last = self.last_here(|by| by == player).ok_or(LogFault::NothingToUndo)?;
        let PlacedAction { game, before, .. } = self.actions[last];
        self.play = self.play.after(game, before).ok_or(LogFault::NothingToUndo)?;
        self.actions.truncate(last);
        self.mark(sequence, player, true);
        Ok(self)
    }

    /// Adds a hint for a player to the log. `sequence` is the sequence number of the match after the hint.
    #[must_use]
    pub fn hint(mut self, sequence: u64, player: Player) -> Self {
        self.mark(sequence, player, false);
        self
    }

    fn mark(&mut self, sequence: u64, player: Player, is_undo: bool) {
        self.marks.push(LoggedMark {
            sequence,
            player,
            is_undo,
            game: self.play.current_index(),
            after: self.play.current().actions().len(),
        });
    }

    /// Returns whether any player who satisfies the predicate `of` has acted in the match. Actions that were taken back do not count.
    #[must_use]
    pub fn has_acted(&self, of: impl Fn(Player) -> bool) -> bool {
        self.actions.iter().any(|placed| of(placed.player))
    }

    /// Returns the player who acted most recently in the current game, among the players who satisfy the predicate `of`. Returns `None`
    /// without such an action.
    #[must_use]
    pub fn last_to_act(&self, of: impl Fn(Player) -> bool) -> Option<Player> {
        self.last_here(of).map(|last| self.actions[last].player)
    }

    /// Finds the latest action in the current game by a player who satisfies the predicate `of`, and returns its index in `actions`.
    /// Returns `None` without such an action.
    ///
    /// An action of a finished game cannot be undone, because the score sheet already has the points of the game, and
    /// a hidden card of the game has been shown.
    fn last_here(&self, of: impl Fn(Player) -> bool) -> Option<usize> {
        let current = self.play.current_index();
        self.actions.iter().rposition(|placed| placed.game == current && of(placed.player))
    }

    /// Returns the number of undos in the current game of the match.
    #[must_use]
    pub fn undos_here(&self) -> usize {
        let current = self.play.current_index();
        self.marks.iter().filter(|mark| mark.is_undo && mark.game == current).count()
    }

    /// Returns whether the hint with the sequence number `sequence` was given for the current position. A later undo or hint makes the
    /// result false.
    #[must_use]
    pub fn is_hinted(&self, sequence: u64) -> bool {
        let here = (self.play.current_index(), self.play.current().actions().len());
        let last = self.marks.last();
        last.is_some_and(|mark| {
            !mark.is_undo && mark.sequence == sequence && (mark.game, mark.after) == here
        })
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::SeededDeals;

    use super::*;

    #[test]
    fn an_action_of_a_finished_game_cannot_be_taken_back() {
        let rules = RuleSet::named("bga").expect("a rule set").shared();
        let mut log = MatchLog::new(Match::new(&rules, &mut SeededDeals::new(7)));
        let act = |log: MatchLog| {
            let action = log.play().current().legal_actions().next().expect("a legal action");
            let player = log.play().to_act().expect("a player");
            (log.act(player, &crate::action(&rules, action)).expect("a legal action"), player)
        };
        while log.play().current_index() == 0 {
            (log, _) = act(log);
        }
        assert!(log.has_acted(|player| player == Player::A));
        assert!(log.has_acted(|player| player == Player::B));
        for player in [Player::A, Player::B] {
            let undone = log.clone().undo(1, player);
            assert!(matches!(undone, Err(LogFault::NothingToUndo)), "{player:?}");
        }
        let (log, player) = act(log);
        assert!(matches!(log.clone().undo(1, !player), Err(LogFault::NothingToUndo)));
        let resigned = log.clone().resign(!player).expect("a running match");
        assert!(matches!(resigned.undo(1, player), Err(LogFault::MatchOver)));
        let undone = log.undo(1, player).expect("an undo");
        assert_eq!(
            (undone.play().current_index(), undone.play().current().actions().len()),
            (1, 0)
        );
    }
}
