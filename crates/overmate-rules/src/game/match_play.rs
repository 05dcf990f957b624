//! Defines matches of several deals, each played twice with exchanged hands.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cards::{ByPlayer, BySeat, Player, Seat};
use crate::game::action::Action;
use crate::game::deal::Dealt;
use crate::game::deal_source::DealSource;
use crate::game::game::Game;
use crate::game::illegal::Illegal;
use crate::game::play_error::PlayError;
use crate::rule_set::{RuleSet, RuleSetDraft};

/// Match between two players: the deals of all rounds, and the games so far.
///
/// Player A leads to game 1. In the second game of a round, the hands are exchanged and the opponent of the first leader leads. The same
/// player leads to the first game of the next round, which has a new deal. The leaders of the rounds are therefore A B, B A, A B, …
///
/// ```
/// use overmate_rules::{Match, Player, RuleSet, SeededDeals};
/// let rules = RuleSet::named("sackson")?.shared();
/// let mut play = Match::new(&rules, &mut SeededDeals::new(7));
/// while let Some(action) = play.current().legal_actions().next() {
///     play = play.play(action)?;
/// }
/// assert_eq!(play.games().len(), 4);
/// assert!(play.result().is_some());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Match {
    /// Number of games in the complete match, including future games.
    length: u8,
    /// Deals of all rounds of the match, including future rounds.
    deals: Vec<Dealt>,
    /// Started games of the match. Only the last game can be unfinished, and the last game is unfinished unless the match is over.
    games: Vec<Game>,
    resigned: Option<Player>,
}

/// Result of a finished match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchResult {
    /// Player who won the match, or `None` if the totals are equal.
    pub winner: Option<Player>,
    /// Absolute difference between the total points of the two players, at least 0.
    ///
    /// After a resignation, the margin is the difference at that time, regardless of the winner.
    pub margin: u32,
    /// Player who resigned the match, or `None` if the match was played to its end.
    pub resigned: Option<Player>,
}

/// Reason why a match cannot be created from a number of games and a list of deals.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchFault {
    /// The match has no game, or its list of deals is empty.
    #[error("the match has no game or no deal: give at least one game and one deal")]
    NoGames,
    /// The match has more games than the longest match of a rule set.
    #[error("a match has at most {} games, not {length}: play several matches", Match::MAX_GAMES)]
    TooManyGames {
        /// Rejected number of games of the match.
        length: u8,
    },
    /// The number of deals in the list differs from the number of rounds of the match.
    #[error(
        "a match needs one deal for each round, in total {expected}, but the list of deals has {found}: give one deal for each round"
    )]
    DealCount {
        /// Number of rounds of the match.
        expected: usize,
        /// Number of deals in the rejected list of deals.
        found: usize,
    },
    /// The deals in the list belong to different rule sets.
    #[error(
        "a match needs deals of a single rule set, but deals of `{first}` and of `{other}` were given: give deals of one rule set"
    )]
    MixedRules {
        /// Name of the rule set of the first deal that was given for the match.
        first: String,
        /// Name of the different rule set of a later deal that was given for the match.
        other: String,
    },
}

impl Match {
    /// Maximum number of games in a match: two for each round of the rule set with the most rounds.
    pub const MAX_GAMES: u8 = 2 * RuleSetDraft::MAX_ROUNDS;

    /// Creates a match of the length that a rule set prescribes, with all deals drawn from
    /// `source`. All deals are drawn now and stay secret until played.
    ///
    /// # Panics
    ///
    /// Panics if the source returns a deal of another rule set.
    pub fn new(rules: &Arc<RuleSet>, source: &mut impl DealSource) -> Self {
        let deals: Vec<Dealt> = (0..rules.rounds()).map(|_| source.next_deal(rules)).collect();
        assert_eq!(
            deals[0].rules(),
            rules,
            "a deal source must return deals of the requested rule set"
        );
        Self::with_deals(rules.rounds().saturating_mul(2), deals)
            .expect("the match has one deal for each round, all of one rule set")
    }

    /// Creates a match of a single game, for example to write the game as a record.
    #[must_use]
    pub fn of_one_game(dealt: Dealt) -> Self {
        let games = alloc::vec![Game::new(dealt.clone())];
        Self { length: 1, deals: alloc::vec![dealt], games, resigned: None }
    }

    /// Creates a match of `length` games with one deal for each round.
    ///
    /// The match has the rule set of its deals.
    ///
    /// ```
    /// use overmate_rules::{Deal, Match, MatchFault, RuleSet};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let deals = vec![Deal::numbered(&rules, 20_010)?];
    /// assert_eq!(Match::with_deals(2, deals.clone())?.length(), 2);
    /// let fault = Match::with_deals(4, deals).unwrap_err();
    /// assert_eq!(fault, MatchFault::DealCount { expected: 2, found: 1 });
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `length` is 0 or above [`MAX_GAMES`](Self::MAX_GAMES), if there is not one deal for each round, or if the deals
    /// have different rule sets.
    pub fn with_deals(length: u8, deals: Vec<Dealt>) -> Result<Self, MatchFault> {
        let expected = usize::from(length.div_ceil(2));
        let Some(first) = deals.first().filter(|_| length > 0) else {
            return Err(MatchFault::NoGames);
        };
        if length > Self::MAX_GAMES {
            return Err(MatchFault::TooManyGames { length });
        }
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

    /// Returns the rule set of the match.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        self.deals[0].rules()
    }

    /// Returns the number of games in the complete match, including future games.
    #[must_use]
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Returns the deals of all rounds, including secret deals of future rounds.
    #[must_use]
    pub fn deals(&self) -> &[Dealt] {
        &self.deals
    }

    /// Returns the started games of the match, at least one. All games except the last game are over.
    #[must_use]
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// Returns the current game, or the last game of a finished match.
    #[must_use]
    pub fn current(&self) -> &Game {
        &self.games[self.games.len() - 1]
    }

    /// Returns the index of the current game in the match, from 0.
    #[must_use]
    pub fn current_index(&self) -> usize {
        self.games.len() - 1
    }

    /// Returns the player who has a given seat in a game, given the index of the game in the match, from 0.
    #[must_use]
    pub fn player(index: usize, seat: Seat) -> Player {
        let a_is_first = matches!(index % 4, 0 | 3);
        if a_is_first == (seat == Seat::First) { Player::A } else { Player::B }
    }

    /// Returns the seat that a given player has in a game, given the index of the game in the match, from 0.
    #[must_use]
    pub fn seat(index: usize, player: Player) -> Seat {
        if Self::player(index, Seat::First) == player { Seat::First } else { Seat::Second }
    }

    /// Returns the player to act, or `None` if the match is over.
    #[must_use]
    pub fn to_act(&self) -> Option<Player> {
        let seat = self.current().to_act()?;
        Some(Self::player(self.current_index(), seat))
    }

    /// Plays an action in the current game, and returns the match after the action.
    ///
    /// When an action ends a game, the next game begins.
    ///
    /// # Errors
    ///
    /// Returns the unchanged match, and the reason for the illegality of the action.
    pub fn play(mut self, action: Action) -> Result<Self, PlayError<Self>> {
        match self.play_here(action) {
            Ok(()) => Ok(self),
            Err(illegal) => Err(PlayError::new(self, illegal)),
        }
    }

    /// Plays an action in the current game by changing the match in place. An error leaves the match unchanged.
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

    /// Ends an unfinished match by the resignation of a player, who thereby loses the match.
    ///
    /// ```
    /// use overmate_rules::{Match, Player, RuleSet, SeededDeals};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let play = Match::new(&rules, &mut SeededDeals::new(7)).resign(Player::A)?;
    /// let result = play.result().expect("a resignation ends the match");
    /// assert_eq!((result.winner, result.margin), (Some(Player::B), 0));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the unchanged match if the match is over already.
    pub fn resign(mut self, player: Player) -> Result<Self, PlayError<Self>> {
        match self.resign_here(player) {
            Ok(()) => Ok(self),
            Err(illegal) => Err(PlayError::new(self, illegal)),
        }
    }

    /// Records that a player resigns the match, by changing the match in place. An error leaves the match unchanged.
    pub(crate) fn resign_here(&mut self, player: Player) -> Result<(), Illegal> {
        let last = self.current_index();
        self.games[last].resign_here(Self::seat(last, player))?;
        self.resigned = Some(player);
        Ok(())
    }

    /// Returns the points of each player in the game with a given index (from 0), or `None` for an unfinished game.
    #[must_use]
    pub fn game_points(&self, index: usize) -> Option<ByPlayer<i32>> {
        let outcome = self.games.get(index)?.outcome()?;
        let points = outcome.points_for_first();
        let scored = BySeat { first: points.max(0), second: (-points).max(0) };
        Some(ByPlayer::new_with(|player| scored[Self::seat(index, player)]))
    }

    /// Returns each player's total points in the finished games of the round with a given index (from 0).
    #[must_use]
    pub fn round_points(&self, round: usize) -> ByPlayer<i32> {
        let games = [2 * round, 2 * round + 1].into_iter();
        sum(games.filter_map(|index| self.game_points(index)))
    }

    /// Returns the total points of each player in all finished games.
    #[must_use]
    pub fn totals(&self) -> ByPlayer<i32> {
        sum((0..self.games.len()).filter_map(|index| self.game_points(index)))
    }

    /// Returns the result of the match, or `None` for an unfinished match.
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

    /// Returns the state of the match after the first `keep` actions of a game, without any resignation.
    ///
    /// Returns `None` if the game has fewer actions.
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
