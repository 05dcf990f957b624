//! Why an action is not legal here, in words a player can act on.

use alloc::string::String;

/// Why an action is not legal in a game as it stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The card is not of this deck.
    #[error("that card is not in the deck of this rule set")]
    NotInDeck,
    /// A card was named that the player does not hold.
    #[error("you do not hold {card}")]
    NotHeld {
        /// The card, in notation.
        card: String,
    },
    /// A lead or an answer before both have foreplaced or declined.
    #[error("before the first lead, foreplace a card, written in parentheses, or decline with -")]
    ForeplacingFirst,
    /// Foreplacing in a rule set that has none.
    #[error("there is no foreplacing in this rule set: play a card")]
    NoForeplacing,
    /// Foreplacing once play has begun.
    #[error("foreplacing is over: play a card")]
    ForeplacingOver,
    /// *Second* wants to foreplace a card of the suit or rank that *first* took.
    #[error(
        "first foreplaced {card}: second may not take a card of the same suit or rank ({suit}, {rank})"
    )]
    ForeplacingRestricted {
        /// What *first* foreplaced, in notation.
        card: String,
        /// Its suit.
        suit: String,
        /// Its rank.
        rank: String,
    },
    /// The suit was led and is held.
    #[error("{suit} {} led and you hold {suit}", was(suit))]
    MustFollowSuit {
        /// The suit.
        suit: String,
    },
    /// The suit that was led is not held, the rank is.
    #[error(
        "{suit} {} led and you hold none, but you hold a card of the same rank: {rank}",
        was(suit)
    )]
    MustFollowRank {
        /// The suit that was led.
        suit: String,
        /// The rank that was led.
        rank: String,
    },
    /// A privileged rank was led, and is held.
    #[error("a {rank} was led with its privilege and you hold a {rank}: it must be played")]
    MustAnswerPrivilege {
        /// The rank.
        rank: String,
    },
    /// A privileged rank was led and is not held, the suit is.
    #[error(
        "a {rank} was led with its privilege and you hold none, but you hold a card of its suit: {suit}"
    )]
    MustFollowSuitOfPrivilege {
        /// The rank that was led.
        rank: String,
        /// The suit that was led.
        suit: String,
    },
    /// A demand where the rank has no privilege to demand.
    #[error("{card} cannot be led with a demand in this rule set: lead it without the !")]
    NothingToDemand {
        /// The card, in notation.
        card: String,
    },
    /// A demand while following.
    #[error("only a leader can demand: answer without the !")]
    DemandWhileFollowing,
    /// A free move while leading.
    #[error("only a follower can use the free move: lead without the *")]
    FreeWhileLeading,
    /// A free move in a rule set that has none.
    #[error("there is no free move in this rule set: answer without the *")]
    NoFreeMove,
    /// The game's only free move has been used.
    #[error("the free move of this game has been used")]
    FreeMoveUsed,
    /// The card is an ordinary answer, or the answer is not free to choose.
    #[error("{card} is an ordinary answer here: play it without the *")]
    FreeMoveNotNeeded {
        /// The card, in notation.
        card: String,
    },
    /// A free move with a card that could not answer at all.
    #[error("the free move answers in suit or rank, and {card} is of neither ({suit}, {rank})")]
    NeitherSuitNorRank {
        /// The card, in notation.
        card: String,
        /// The suit that was led.
        suit: String,
        /// The rank that was led.
        rank: String,
    },
}

/// The verb that a suit's name takes: hearts *were* led, blue *was* led.
fn was(suit: &str) -> &'static str {
    if suit.ends_with('s') { "were" } else { "was" }
}
