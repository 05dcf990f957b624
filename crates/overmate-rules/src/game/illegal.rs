//! Defines the reasons why an action is illegal, with error texts for the player.

use alloc::string::String;

/// Reason why an action is illegal in a position.
///
/// The enum is exhaustive on purpose: programs that show reasons must handle new reasons.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// No action is legal, because the game has ended.
    #[error("the game is over: no action can follow")]
    GameOver,
    /// The action names a card that is not in the deck of the rule set.
    #[error(
        "the card of the action is not in the deck of this rule set: choose a card from your hand"
    )]
    NotInDeck,
    /// The player does not hold the card of the action.
    #[error("you do not hold {card}: choose a card from your hand")]
    NotHeld {
        /// Card of the action, which the player does not hold, in notation such as `Tc`.
        card: String,
    },
    /// The player tried to play a card before the end of foreplacing.
    #[error(
        "no card can be played before foreplacing: foreplace a card, written in parentheses, or decline with -"
    )]
    ForeplacingFirst,
    /// The player tried to foreplace a card, but the rule set does not allow foreplacing.
    #[error("this rule set has no foreplacing: play a card")]
    NoForeplacing,
    /// The player tried to foreplace a card after the end of foreplacing.
    #[error("both players have already foreplaced a card or declined: play a card")]
    ForeplacingOver,
    /// The player in seat `Second` tried to foreplace a card of the same suit or rank as the
    /// opponent's foreplaced card.
    #[error(
        "the opponent foreplaced {card}, so you may not foreplace a card of the same suit ({suit}) or rank ({rank}): foreplace another card, or decline with -"
    )]
    ForeplacingRestricted {
        /// Opponent's foreplaced card, in notation such as `Tc`.
        card: String,
        /// Name of the suit of the opponent's foreplaced card.
        suit: String,
        /// Name of the rank of the opponent's foreplaced card.
        rank: String,
    },
    /// The player holds a card of the led suit, and must answer with such a card.
    #[error("{suit} {} led and you hold {suit}: answer in {suit}", was(suit))]
    MustFollowSuit {
        /// Name of the led suit.
        suit: String,
    },
    /// The player holds no card of the led suit, but holds a card of the led rank and must answer in rank.
    #[error("{suit} {} led and you hold no {suit}: answer in the led rank, {rank}", was(suit))]
    MustFollowRank {
        /// Name of the led suit.
        suit: String,
        /// Name of the led rank.
        rank: String,
    },
    /// The led rank is privileged, and the player must answer with a card of the led rank, because the player holds such a card.
    #[error(
        "a lead of the rank {rank} is privileged in this rule set, and you hold a card of this rank: answer in this rank"
    )]
    MustAnswerPrivilege {
        /// Name of the led, privileged rank.
        rank: String,
    },
    /// The led rank is privileged, but the player holds no card of the led rank and must follow suit.
    #[error(
        "a lead of the rank {rank} is privileged in this rule set, but you hold no card of this rank: answer in the led suit, {suit}"
    )]
    MustFollowSuitOfPrivilege {
        /// Name of the led, privileged rank.
        rank: String,
        /// Name of the led suit.
        suit: String,
    },
    /// The leader demanded an answer in rank, but the rule set allows no demand with the led card.
    #[error("{card} cannot be led with a demand in this rule set: lead {card} without the !")]
    NothingToDemand {
        /// Card led with the demand, in notation such as `Kc`.
        card: String,
    },
    /// The follower demanded an answer in rank, but only a leader can demand.
    #[error("only a leader can demand: leave out the ! after the card")]
    DemandWhileFollowing,
    /// The leader claimed the free move (the right to answer in rank while holding the suit), which only a follower
    /// has.
    #[error("only a follower can use the free move: lead without the *")]
    FreeWhileLeading,
    /// The follower claimed the free move (the right to answer in rank while holding the suit), which the rule set does
    /// not have.
    #[error("this rule set has no free move: leave out the * after the card")]
    NoFreeMove,
    /// The follower claimed the free move, although the only free move of the game had already been used.
    #[error("the free move of this game is used up: leave out the * after the card")]
    FreeMoveUsed,
    /// The follower claimed the free move for an answer that is legal without the free move.
    #[error("{card} needs no free move here: play {card} without the *")]
    FreeMoveNotNeeded {
        /// Card that is a legal answer without the free move, in notation such as `Tc`.
        card: String,
    },
    /// The follower claimed the free move for a card with neither the led suit nor the led rank.
    #[error(
        "{card} has neither the led suit nor the led rank ({suit}, {rank}): use the free move for a card of the led suit or rank"
    )]
    NeitherSuitNorRank {
        /// Card with neither the led suit nor the led rank, in notation such as `Tc`.
        card: String,
        /// Name of the led suit.
        suit: String,
        /// Name of the led rank.
        rank: String,
    },
}

/// Returns the verb that agrees with the name of a suit, as in "hearts were led" and "blue was
/// led".
fn was(suit: &str) -> &'static str {
    if suit.ends_with('s') { "were" } else { "was" }
}
