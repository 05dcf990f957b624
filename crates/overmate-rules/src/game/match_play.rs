//! A match: several deals, each played from both sides.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cards::{ByPlayer, BySeat, Player, Seat};
use crate::game::action::Action;
use crate::game::deal::Dealt;
use crate::game::deal_source::DealSource;
use crate::game::game::Game;
use crate::game::illegal::Illegal;
use crate::rule_set::RuleSet;

/// A match of two players, from its first game to its result.
///
/// Game 1 is led by A. In the second game of a round the hands are exchanged and the other leads; he
/// then leads to the next round's first game too, with a new deal. So the leaders are A B, B A, A B, …
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Match {
    /// How many games the match has.
    length: u8,
    /// One deal for each round, including rounds not begun.
    deals: Vec<Dealt>,
    /// The games begun; all but the last are over. A match that is not over has a game that is not.
    games: Vec<Game>,
    resigned: Option<Player>,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchResult {
    /// Who won; nobody if the totals are equal.
    pub winner: Option<Player>,
    /// The difference of the totals, 0 and up: the measure of the victory. After a resignation it says
    /// how the points stood, not who won.
    pub margin: u32,
    /// Who gave up, if that ended the match.
    pub resigned: Option<Player>,
}

/// An action was not legal: the unchanged match, and why.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{illegal}")]
pub struct MatchPlayError {
    /// The match as it was.
    pub unchanged: Box<Match>,
    /// Why the action is not legal.
    pub illegal: Illegal,
}

/// Reason why deals do not make a match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchFault {
    /// The length is 0, or there is no deal.
    #[error("a match needs at least one game and one deal")]
    NoGames,
    /// The number of deals is not the number of rounds.
    #[error("a match needs one deal for each round: {expected}, not {found}")]
    DealCount {
        /// Number of rounds of the match.
        expected: usize,
        /// Number of deals given.
        found: usize,
    },
    /// The deals have different rule sets.
    #[error(
        "all deals of a match need the same rule set: one has `{first}`, another has `{other}`"
    )]
    MixedRules {
        /// Name of the rule set of the first deal.
        first: String,
        /// Name of the rule set of the first deal that differs.
        other: String,
    },
}

impl Match {
    /// A match of the rule set's length. All its deals are drawn now, and stay the match's secret.
    ///
    /// # Panics
    ///
    /// If the source returns a deal of another rule set.
    pub fn new(rules: &Arc<RuleSet>, source: &mut impl DealSource) -> Self {
        let deals: Vec<Dealt> = (0..rules.rounds()).map(|_| source.next_deal(rules)).collect();
        assert_eq!(deals[0].rules(), rules, "a source deals by the rule set that it is given");
        Self::with_deals(rules.rounds().saturating_mul(2), deals)
            .expect("one deal of one rule set for each round")
    }

    /// A match of one game: what a lone game is recorded as.
    #[must_use]
    pub fn of_one_game(dealt: Dealt) -> Self {
        let games = alloc::vec![Game::new(dealt.clone())];
        Self { length: 1, deals: alloc::vec![dealt], games, resigned: None }
    }

    /// Returns a match of `length` games with one deal for each round, before its first action.
    ///
    /// The match has the rule set of its deals.
    ///
    /// # Errors
    ///
    /// If `length` is 0, if there is not one deal for each round, or if the deals have different
    /// rule sets.
    pub fn with_deals(length: u8, deals: Vec<Dealt>) -> Result<Self, MatchFault> {
        let expected = usize::from(length.div_ceil(2));
        let Some(first) = deals.first().filter(|_| length > 0) else {
            return Err(MatchFault::NoGames);
        };
        if deals.len() != expected {
            return Err(MatchFault::DealCount { expected, found: deals.len() });
        }
        if let Some(other) = deals.iter().find(|dealt| dealt.rules() != first.rules()) {
            return Err(MatchFault::MixedRules {
                first: first.rules().name().to_owned(),
                other: other.rules().name().to_owned(),
            });
        }
        let games = alloc::vec![Game::new(first.clone())];
        Ok(Self { length, deals, games, resigned: None })
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        self.deals[0].rules()
    }

    /// How many games the match has in all.
    #[must_use]
    pub fn length(&self) -> u8 {
        self.length
    }

    /// The deal of every round, of those not begun too: not for a player's eyes.
    #[must_use]
    pub fn deals(&self) -> &[Dealt] {
        &self.deals
    }

    /// The games begun so far, at least one. All but the last are over.
    #[must_use]
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// The game that is being played; the last one, when the match is over.
    #[must_use]
    pub fn current(&self) -> &Game {
        &self.games[self.games.len() - 1]
    }

    /// The index of the current game, from 0.
    #[must_use]
    pub fn current_index(&self) -> usize {
        self.games.len() - 1
    }

    /// Who sits in a seat in the game of this index.
    #[must_use]
    pub fn player(index: usize, seat: Seat) -> Player {
        let a_is_first = matches!(index % 4, 0 | 3);
        if a_is_first == (seat == Seat::First) { Player::A } else { Player::B }
    }

    /// Where a player sits in the game of this index.
    #[must_use]
    pub fn seat(index: usize, player: Player) -> Seat {
        if Self::player(index, Seat::First) == player { Seat::First } else { Seat::Second }
    }

    /// Whose turn it is, if the match goes on.
    #[must_use]
    pub fn to_act(&self) -> Option<Player> {
        let seat = self.current().to_act()?;
        Some(Self::player(self.current_index(), seat))
    }

    /// The match after an action in its current game. When that ends the game, the next one begins.
    ///
    /// # Errors
    ///
    /// The unchanged match, and why the action is not legal.
    pub fn play(mut self, action: Action) -> Result<Self, MatchPlayError> {
        match self.play_here(action) {
            Ok(()) => Ok(self),
            Err(illegal) => Err(MatchPlayError { unchanged: Box::new(self), illegal }),
        }
    }

    /// Plays an action; on an error nothing has changed.
    pub(crate) fn play_here(&mut self, action: Action) -> Result<(), Illegal> {
        let last = self.current_index();
        self.games[last].play_here(action)?;
        self.begin_next_game();
        Ok(())
    }

    fn begin_next_game(&mut self) {
        let begun = self.games.len();
        if self.current().outcome().is_some() && begun < usize::from(self.length) {
            self.games.push(Game::new(self.deals[begun / 2].clone()));
        }
    }

    /// The match given up by a player. He loses it, whatever the points are.
    ///
    /// # Errors
    ///
    /// The unchanged match, if it is over already.
    pub fn resign(mut self, player: Player) -> Result<Self, MatchPlayError> {
        match self.resign_here(player) {
            Ok(()) => Ok(self),
            Err(illegal) => Err(MatchPlayError { unchanged: Box::new(self), illegal }),
        }
    }

    /// Gives the match up; on an error nothing has changed.
    pub(crate) fn resign_here(&mut self, player: Player) -> Result<(), Illegal> {
        let last = self.current_index();
        self.games[last].resign_here(Self::seat(last, player))?;
        self.resigned = Some(player);
        Ok(())
    }

    /// The points of the game of this index for each player; `None` if it is not over.
    #[must_use]
    pub fn game_points(&self, index: usize) -> Option<ByPlayer<i32>> {
        let outcome = self.games.get(index)?.outcome()?;
        let points = outcome.points_for_first();
        let scored = BySeat { first: points.max(0), second: (-points).max(0) };
        Some(ByPlayer::new_with(|player| scored[Self::seat(index, player)]))
    }

    /// The points of a round (from 0) for each player, as far as its games are over.
    #[must_use]
    pub fn round_points(&self, round: usize) -> ByPlayer<i32> {
        let games = [2 * round, 2 * round + 1].into_iter();
        sum(games.filter_map(|index| self.game_points(index)))
    }

    /// The points so far for each player.
    #[must_use]
    pub fn totals(&self) -> ByPlayer<i32> {
        sum((0..self.games.len()).filter_map(|index| self.game_points(index)))
    }

    /// How the match ended, if it is over.
    #[must_use]
    pub fn result(&self) -> Option<MatchResult> {
        self.current().outcome()?;
        let ByPlayer { a, b } = self.totals();
        let ahead = match a.cmp(&b) {
            core::cmp::Ordering::Less => Some(Player::B),
            core::cmp::Ordering::Equal => None,
            core::cmp::Ordering::Greater => Some(Player::A),
        };
        Some(MatchResult {
            winner: self.resigned.map_or(ahead, |player| Some(!player)),
            margin: a.abs_diff(b),
            resigned: self.resigned,
        })
    }

    /// The match as it stood after `keep` actions of the game of this index, or `None` if it has fewer. A resignation
    /// is taken back.
    #[must_use]
    pub fn after(&self, index: usize, keep: usize) -> Option<Self> {
        let game = self.games.get(index).filter(|game| keep <= game.actions().len())?;
        let mut earlier = self.clone();
        earlier.games.truncate(index);
        earlier.games.push(game.after(keep));
        earlier.resigned = None;
        earlier.begin_next_game();
        Some(earlier)
    }
}

fn sum(points: impl Iterator<Item = ByPlayer<i32>>) -> ByPlayer<i32> {
    points.fold(ByPlayer::default(), |total, game| ByPlayer {
        a: total.a + game.a,
        b: total.b + game.b,
    })
}
