//! What every opponent is: something that chooses an action from a view.

use overmate_rules::{Action, Match, Player, View};
use overmate_solver::Budget;

/// An opponent.
///
/// It may keep what it saw of the other between the games of a match; a new match wants a new bot.
pub trait Bot: Send {
    /// What it is called: `level:3`, `perfect`, or what an external program says of itself.
    fn name(&self) -> String;

    /// What it does now. Only asked when it is the viewer's turn, and answers with a legal action.
    ///
    /// # Errors
    ///
    /// If it cannot answer. Bots within the program always can; an external one may crash, hang, or answer with something
    /// that is not legal.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit>;

    /// A game of the match is over; the view shows all of it.
    fn game_over(&mut self, view: &View) {
        let _ = view;
    }
}

/// All that a bot is told when it is its turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game, as the bot's seat may know it.
    pub view: &'a View,
    /// The match around it.
    pub standing: Standing,
    /// What it may spend on this action in all. What a level sees of a deal with at most 20 cards is worked out before its first
    /// action in it, whatever the budget says: an action that knew only a part would be no level's. On one core that takes a
    /// level 20 to 40 ms and `perfect`, which has to know all levels, 50 to 70 ms; two to three times that with a free move.
    /// The exact values are a tenth of it; the rest is the judgement at each horizon.
    pub budget: &'a Budget,
}

/// How a match stands, from one player's side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// The index of the current game, from 0. Games with an even index bring a new deal.
    pub game: usize,
    /// How many games the match has, from 1.
    pub games: usize,
    /// The player's points in the games before this one.
    pub own: i32,
    /// The other's points in the games before this one.
    pub other: i32,
}

impl Standing {
    /// A game that stands alone.
    #[must_use]
    pub fn of_one_game() -> Self {
        Self { game: 0, games: 1, own: 0, other: 0 }
    }

    /// How a match stands for a player.
    #[must_use]
    pub fn of(contest: &Match, player: Player) -> Self {
        let totals = contest.totals();
        Self {
            game: contest.current_index(),
            games: usize::from(contest.length()),
            own: totals[player],
            other: totals[!player],
        }
    }

    /// By how much the player leads; negative when behind.
    #[must_use]
    pub fn lead(self) -> i32 {
        self.own - self.other
    }

    /// How many games come after this one.
    #[must_use]
    pub fn games_after(self) -> usize {
        self.games.saturating_sub(self.game + 1)
    }
}

/// An action, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// A legal action.
    pub action: Action,
    /// Why it was chosen.
    pub thought: Thought,
}

/// What a bot saw before it chose.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Thought {
    /// How many moves ahead it saw everything; `None` if to the end of the game.
    pub horizon: Option<u8>,
    /// The final points for the bot that it expects of its action: exact, or its own judgement.
    pub expected: Option<f64>,
    /// What best play of its own is sure of, where that was worked out: whatever lies face down, and whatever is played.
    pub sure: Option<Sure>,
    /// Whether no other action can be better in a game of two perfect players.
    pub is_proved: bool,
    /// In plain English, one sentence without a full stop.
    pub reason: String,
}

/// Bounds of the final points that a bot can be sure of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sure {
    /// So many are, by one way to play.
    pub at_least: i32,
    /// No more can be: with all cards shown, and in the worst case, best play by the other leaves no more.
    pub at_most: i32,
}

impl Sure {
    /// Where nothing is hidden that matters.
    #[must_use]
    pub fn exactly(points: i32) -> Self {
        Self { at_least: points, at_most: points }
    }

    /// The points, if the bounds meet.
    #[must_use]
    pub fn exact(self) -> Option<i32> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// A bot could not go on, and loses the match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{who} forfeits: {why}")]
pub struct Forfeit {
    /// The bot's name.
    pub who: String,
    /// What it did, or failed to do.
    pub why: String,
}
