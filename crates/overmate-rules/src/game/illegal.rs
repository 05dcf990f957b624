//! Reasons why an action is not legal, worded for the player.

use alloc::string::String;

/// Reason why an action is not legal in a position.
///
/// The enum is exhaustive on purpose: programs that show reasons must handle a new one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game has ended, so no action is legal.
    #[error("the game is over")]
    GameOver,
    /// The card of the action is not in the deck of the rule set.
    #[error("that card is not in the deck of this rule set")]
    NotInDeck,
    /// The player does not hold the card of the action.
    #[error("you do not hold {card}")]
    NotHeld {
        /// Card that the player does not hold, in notation.
        card: String,
    },
    /// A card was played before both players had foreplaced a card or declined.
    #[error("before the first lead, foreplace a card, written in parentheses, or decline with -")]
    ForeplacingFirst,
    /// A player tried to foreplace, but the rule set has no foreplacing.
    #[error("there is no foreplacing in this rule set: play a card")]
    NoForeplacing,
    /// A player tried to foreplace a card after foreplacing had ended.
    #[error("foreplacing is over: play a card")]
    ForeplacingOver,
    /// *Second* tried to foreplace a card of the suit or rank that *first* foreplaced.
    #[error(
        "first foreplaced {card}: second may not take a card of the same suit or rank ({suit}, {rank})"
    )]
    ForeplacingRestricted {
        /// Card that *first* foreplaced, in notation.
        card: String,
        /// Suit of the card that *first* foreplaced.
        suit: String,
        /// Rank of the card that *first* foreplaced.
        rank: String,
    },
    /// The player holds a card of the suit that was led and must play such a card.
    #[error("{suit} {} led and you hold {suit}", was(suit))]
    MustFollowSuit {
        /// Name of the suit that was led.
        suit: String,
    },
    /// The player holds no card of the suit that was led, but a card of its rank, and must follow
    /// rank.
    #[error(
        "{suit} {} led and you hold none, but you hold a card of the same rank: {rank}",
        was(suit)
    )]
    MustFollowRank {
        /// Name of the suit that was led.
        suit: String,
        /// Name of the rank that was led.
        rank: String,
    },
    /// A privileged rank was led, and the player holds and must play a card of this rank.
    #[error("a {rank} was led with its privilege and you hold a {rank}: it must be played")]
    MustAnswerPrivilege {
        /// Name of the privileged rank that was led.
        rank: String,
    },
    /// A privileged rank was led, and the player holds no card of this rank and must follow suit.
    #[error(
        "a {rank} was led with its privilege and you hold none, but you hold a card of its suit: {suit}"
    )]
    MustFollowSuitOfPrivilege {
        /// Name of the privileged rank that was led.
        rank: String,
        /// Name of the suit that was led.
        suit: String,
    },
    /// The leader demanded a rank for which the rule set allows no demand.
    #[error("{card} cannot be led with a demand in this rule set: lead it without the !")]
    NothingToDemand {
        /// Card that was led with the demand, in notation.
        card: String,
    },
    /// A follower demanded a rank, but only a leader can demand.
    #[error("only a leader can demand: answer without the !")]
    DemandWhileFollowing,
    /// A leader used the free move, but only a follower can use it.
    #[error("only a follower can use the free move: lead without the *")]
    FreeWhileLeading,
    /// A follower used the free move, but the rule set has no free move.
    #[error("there is no free move in this rule set: answer without the *")]
    NoFreeMove,
    /// A follower used the free move, but the free move of the game had been used.
    #[error("the free move of this game has been used")]
    FreeMoveUsed,
    /// A follower used the free move for a card that is a forced answer and needs no free move.
    #[error("{card} is an ordinary answer here: play it without the *")]
    FreeMoveNotNeeded {
        /// Card that is a forced answer, in notation.
        card: String,
    },
    /// A follower used the free move with a card of neither the suit nor the rank that was led.
    #[error("the free move answers in suit or rank, and {card} is of neither ({suit}, {rank})")]
    NeitherSuitNorRank {
        /// Card that cannot answer the lead, in notation.
        card: String,
        /// Name of the suit that was led.
        suit: String,
        /// Name of the rank that was led.
        rank: String,
    },
}

/// Returns the verb for the name of a suit, as in "hearts were led" and "blue was led".
fn was(suit: &str) -> &'static str {
    if suit.ends_with('s') { "were" } else { "was" }
}
