//! Defines the interface of a bot, which receives a view of the game and returns an action with an explanation.

use overmate_rules::{Action, Match, Player, View};
use overmate_solver::Budget;

/// Node limit of the search for one action in a game that is too large to be solved completely.
///
/// This limit applies to the perfect opponent if the caller sets no limit. The server and the web page set this limit for all
/// opponents, so that equal seeds give equal actions on the server and in the page.
pub const ACTION_NODES: u64 = 3_000_000;

/// Computer opponent that plays one match and chooses its actions from views of the games.
///
/// A bot may learn about its opponent over the games of a match. A new match needs a new bot.
pub trait Bot: Send {
    /// Returns the bot's name, such as `level:3` or `perfect`. An external program reports its own name.
    fn name(&self) -> String;

    /// Returns a legal action for the bot's turn, with an explanation of the action.
    ///
    /// # Errors
    ///
    /// Returns an error if the bot cannot answer, or if it is not the viewer's turn. An external
    /// bot may crash, time out, or answer with an illegal action.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit>;

    /// Returns each action that the bot may take on its turn, with the action's probability (above 0).
    ///
    /// Returns `None` if it is not the bot's turn, and for a bot that does not know the probabilities. Among the built-in bots,
    /// the bots of the levels know their probabilities.
    fn chances(&mut self, turn: &Turn<'_>) -> Option<Vec<(Action, f64)>> {
        let _ = turn;
        None
    }

    /// Shows the bot the complete view of a game that has just ended.
    fn game_over(&mut self, view: &View) {
        let _ = view;
    }
}

/// Information for a bot on its turn: the view, the standing of the match, and the budget.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Turn<'a> {
    /// View of the game from the seat at which the bot plays.
    pub view: &'a View,
    /// Standing of the match (points and number of games) from the bot's point of view.
    pub standing: Standing,
    /// Limits on the nodes and time of the bot's decision.
    ///
    /// While each hand has at most ten cards, the bot of a level decides by value tables. The tables are filled at first use. A
    /// decision by tables counts as 20,000 nodes, whether or not the tables are filled already. If the budget has fewer nodes or no
    /// time, or is stopped, the bot searches instead. The tables of the perfect player are outside of the budget, because its play is
    /// defined by complete tables. The time limit and the cancel flag end its comparison of the best actions, which spends no nodes; the
    /// perfect player then takes the first of the best actions. With [`SharedTables`](crate::SharedTables), several bots share the tables.
    pub budget: &'a Budget,
}

impl<'a> Turn<'a> {
    /// Creates the information for a bot's turn from the bot's view, the standing of the match and
    /// the limits of the search.
    #[must_use]
    pub fn new(view: &'a View, standing: Standing, budget: &'a Budget) -> Self {
        Self { view, standing, budget }
    }
}

/// Standing of a match (points and number of games), as seen by one of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// Index of the current game within the match, from 0. Games with an even index have a new deal.
    pub game: usize,
    /// Number of games in the match, 1 to [`MAX_GAMES`](Self::MAX_GAMES).
    pub games: usize,
    /// Points of the player in the games of the match before the current game, 0 to [`MAX_POINTS`](Self::MAX_POINTS).
    pub own: i32,
    /// Points of the opponent in the games of the match before the current game, 0 to [`MAX_POINTS`](Self::MAX_POINTS).
    pub other: i32,
}

/// Reason why a standing of a match is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StandingFault {
    /// The match does not have the game, or has more games than [`Standing::MAX_GAMES`].
    #[error(
        "there can be no game with the index {game} in a match of {games} games: count the games from 0, and play at most {} games in a match",
        Standing::MAX_GAMES
    )]
    Game {
        /// Rejected index, from 0, of the current game.
        game: usize,
        /// Number of games in the match, as stated by the caller.
        games: usize,
    },
    /// The points of a player are negative or above [`Standing::MAX_POINTS`].
    #[error(
        "{own} points for the player and {other} for the opponent are no standing: the points of each player must be from 0 to {}",
        Standing::MAX_POINTS
    )]
    Points {
        /// Points of the player, as stated by the caller.
        own: i32,
        /// Points of the opponent, as stated by the caller.
        other: i32,
    },
}

impl Standing {
    /// Maximum number of games in a match that a bot accepts.
    pub const MAX_GAMES: usize = Match::MAX_GAMES as usize;

    /// Maximum number of points of a player that a bot accepts. Sums of two such numbers do not overflow.
    pub const MAX_POINTS: i32 = 1_000_000_000;

    /// Checks a standing whose numbers come from outside, and returns it. Other functions may overflow with unchecked numbers.
    ///
    /// ```
    /// use overmate_bots::{Standing, StandingFault};
    /// let standing = Standing { game: 4, games: 4, own: 0, other: 0 };
    /// assert_eq!(standing.checked(), Err(StandingFault::Game { game: 4, games: 4 }));
    /// assert!(Standing { game: 3, ..standing }.checked().is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the match does not have the current game, or if the number of games or of points is out of range.
    pub fn checked(self) -> Result<Self, StandingFault> {
        let Self { game, games, own, other } = self;
        if game >= games || games > Self::MAX_GAMES {
            return Err(StandingFault::Game { game, games });
        }
        if [own, other].iter().any(|points| !(0..=Self::MAX_POINTS).contains(points)) {
            return Err(StandingFault::Points { own, other });
        }
        Ok(self)
    }

    /// Returns the standing at the start of a match of one game, in which neither player has points.
    #[must_use]
    pub fn of_one_game() -> Self {
        Self { game: 0, games: 1, own: 0, other: 0 }
    }

    /// Returns the current standing of a match, as seen by a player.
    #[must_use]
    pub fn of(state: &Match, player: Player) -> Self {
        let totals = state.totals();
        Self {
            game: state.current_index(),
            games: usize::from(state.length()),
            own: totals[player],
            other: totals[!player],
        }
    }

    /// Returns the player's points minus the opponent's points in the games before the current game.
    #[must_use]
    pub fn lead(self) -> i32 {
        self.own - self.other
    }

    /// Returns whether the current game is played to win the match instead of for points. This holds as soon as the deal of the last game
    /// is known: in the last game, and in the first game of the last round, whose second game has the same deal. A match of a single game
    /// is played for points.
    pub(crate) fn is_for_the_match(self) -> bool {
        self.games > 1
            && match self.games_after() {
                0 => true,
                1 => self.game.is_multiple_of(2),
                _ => false,
            }
    }

    /// Returns the number of games of the match after the current game.
    #[must_use]
    pub fn games_after(self) -> usize {
        self.games.saturating_sub(self.game + 1)
    }
}

/// Action that a bot chooses, with an explanation.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// Legal action that the bot chooses.
    pub action: Action,
    /// Explanation of the chosen action.
    pub thought: Thought,
}

/// Explanation of a bot's action: search horizon, expected points, bounds and a reason in words.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Thought {
    /// Search horizon in complete moves, or `None` if the bot searched to the end of the game.
    pub horizon: Option<u8>,
    /// Final points that the bot expects to score in the current game; negative if the bot expects
    /// points for the opponent. The bot computes the number from exact values or from an evaluation
    /// function.
    pub expected: Option<f64>,
    /// Bounds of the bot's final points under its best play, or `None` if the bot computed no bounds.
    pub guaranteed: Option<PointBounds>,
    /// Whether the bot has proved that under best play no other action brings more points than the chosen action.
    pub is_proved: bool,
    /// Reason for the action in plain English, as one sentence without a full stop. *It* is the bot, as in `it is sure of a draw`.
    pub reason: String,
}

impl Thought {
    /// Returns an explanation that has a reason, but no search horizon, points or bounds.
    #[must_use]
    pub fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..Self::default() }
    }
}

/// Lower and upper bound on the final points that a bot scores in a game under its best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PointBounds {
    /// Number of points that the bot's best play guarantees in every possible world (for every possible face-down card).
    pub at_least: i32,
    /// Upper bound on the points that the bot can guarantee. For at least one possible face-down card, best play with all cards shown
    /// scores exactly this number of points.
    pub at_most: i32,
}

impl PointBounds {
    /// Returns the bounds of a result that is known exactly: both bounds are `points`.
    #[must_use]
    pub fn exactly(points: i32) -> Self {
        Self { at_least: points, at_most: points }
    }

    /// Returns the exact number of points if the lower and the upper bound are equal, otherwise `None`.
    #[must_use]
    pub fn exact(self) -> Option<i32> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }
}

/// Failure of a bot to return a legal action. The bot then loses the match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{who} forfeits: {why}")]
pub struct Forfeit {
    /// Name of the bot that returned no legal action.
    pub who: String,
    /// Reason, in words, why the bot returned no legal action.
    pub why: String,
}

impl Forfeit {
    /// Returns the failure of a bot that is asked for an action outside of its turn. `who` is the bot's name.
    #[must_use]
    pub fn outside_of_turn(who: impl Into<String>) -> Self {
        Self { who: who.into(), why: "the bot was asked for an action outside of its turn".into() }
    }
}
