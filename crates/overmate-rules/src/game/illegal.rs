//! Reasons why an action is not legal, in words that a player can act on.

use alloc::string::String;

/// Reason why an action is not legal in a position.
///
/// The enum is exhaustive on purpose: programs that show reasons must handle a new one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The card is not in the deck of the rule set.
    #[error("that card is not in the deck of this rule set")]
    NotInDeck,
    /// The player does not hold the card.
    #[error("you do not hold {card}")]
    NotHeld {
        /// Card in notation.
        card: String,
    },
    /// A card was played before both players had foreplaced or declined.
    #[error("before the first lead, foreplace a card, written in parentheses, or decline with -")]
    ForeplacingFirst,
    /// The rule set has no foreplacing.
    #[error("there is no foreplacing in this rule set: play a card")]
    NoForeplacing,
    /// A player tried to foreplace after the first lead.
    #[error("foreplacing is over: play a card")]
    ForeplacingOver,
    /// *Second* tried to foreplace a card of the suit or rank that *first* foreplaced.
    #[error(
        "first foreplaced {card}: second may not take a card of the same suit or rank ({suit}, {rank})"
    )]
    ForeplacingRestricted {
        /// Card that *first* foreplaced, in notation.
        card: String,
        /// Suit of that card.
        suit: String,
        /// Rank of that card.
        rank: String,
    },
    /// The player holds a card of the suit that was led and must play such a card.
    #[error("{suit} {} led and you hold {suit}", was(suit))]
    MustFollowSuit {
        /// Suit that was led.
        suit: String,
    },
    /// The player holds no card of the suit that was led, and must follow rank.
    #[error(
        "{suit} {} led and you hold none, but you hold a card of the same rank: {rank}",
        was(suit)
    )]
    MustFollowRank {
        /// Suit that was led.
        suit: String,
        /// Rank that was led.
        rank: String,
    },
    /// A privileged rank was led, and the player holds a card of the rank and must play such a card.
    #[error("a {rank} was led with its privilege and you hold a {rank}: it must be played")]
    MustAnswerPrivilege {
        /// Rank that was led.
        rank: String,
    },
    /// A privileged rank was led, and the player holds no card of the rank and must follow suit.
    #[error(
        "a {rank} was led with its privilege and you hold none, but you hold a card of its suit: {suit}"
    )]
    MustFollowSuitOfPrivilege {
        /// Rank that was led.
        rank: String,
        /// Suit that was led.
        suit: String,
    },
    /// The leader demanded a rank that has no privilege on demand.
    #[error("{card} cannot be led with a demand in this rule set: lead it without the !")]
    NothingToDemand {
        /// Card in notation.
        card: String,
    },
    /// A follower made a demand.
    #[error("only a leader can demand: answer without the !")]
    DemandWhileFollowing,
    /// A leader used the free move.
    #[error("only a follower can use the free move: lead without the *")]
    FreeWhileLeading,
    /// The rule set has no free move.
    #[error("there is no free move in this rule set: answer without the *")]
    NoFreeMove,
    /// The free move of the game has been used.
    #[error("the free move of this game has been used")]
    FreeMoveUsed,
    /// The card is a forced answer and needs no free move.
    #[error("{card} is an ordinary answer here: play it without the *")]
    FreeMoveNotNeeded {
        /// Card in notation.
        card: String,
    },
    /// The free move was used with a card that cannot answer the lead.
    #[error("the free move answers in suit or rank, and {card} is of neither ({suit}, {rank})")]
    NeitherSuitNorRank {
        /// Card in notation.
        card: String,
        /// Suit that was led.
        suit: String,
        /// Rank that was led.
        rank: String,
    },
}

/// Returns the verb for the name of a suit: hearts *were* led, blue *was* led.
fn was(suit: &str) -> &'static str {
    if suit.ends_with('s') { "were" } else { "was" }
}
