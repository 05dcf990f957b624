//! Why an action is not legal here, in words a player can act on.

use alloc::string::{String, ToString};

use crate::action::{Action, Lead};
use crate::card::{Card, CardSet};
use crate::position::{Phase, Position};
use crate::rules::RuleSet;
use crate::seat::Seat;
use crate::state::Foreplaced;

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

impl Position {
    /// Why the action is not legal here.
    ///
    /// # Errors
    ///
    /// The reason; `Ok` if the action is legal.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        let rules = self.rules();
        let deck = rules.deck();
        let phase = self.phase();
        let Some(seat) = phase.to_act() else {
            return Err(Illegal::GameOver);
        };
        if let Some(card) = action.card() {
            if deck.slots_of(card).is_empty() {
                return Err(Illegal::NotInDeck);
            }
            if self.hand(seat).and(deck.slots_of(card)).is_empty() {
                return Err(Illegal::NotHeld { card: deck.card_text(card).to_string() });
            }
        }
        match phase {
            Phase::Foreplacing(_) => self.check_foreplacing(seat, action),
            Phase::Lead(_) => check_lead(rules, action),
            Phase::Follow(_) => self.check_answer(action),
            Phase::Over => Err(Illegal::GameOver),
        }
    }

    fn check_foreplacing(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let deck = self.rules().deck();
        match action {
            Action::Decline => Ok(()),
            Action::Foreplace(card) => match self.foreplacing_bar(seat) {
                Some(bar) if bar.suit == card.suit || bar.rank == card.rank => {
                    Err(Illegal::ForeplacingRestricted {
                        card: deck.card_text(bar).to_string(),
                        suit: deck.suit_name(bar.suit).to_string(),
                        rank: deck.rank_name(bar.rank).to_string(),
                    })
                }
                _ => Ok(()),
            },
            _ => Err(Illegal::ForeplacingFirst),
        }
    }

    /// The card whose suit and rank the seat may not foreplace.
    pub(crate) fn foreplacing_bar(&self, seat: Seat) -> Option<Card> {
        let restricted = self.rules().foreplacing().is_some_and(|f| f.second_restricted);
        match self.foreplaced(Seat::First) {
            Foreplaced::Card(card) if restricted && seat == Seat::Second => Some(card),
            _ => None,
        }
    }

    fn check_answer(&self, action: Action) -> Result<(), Illegal> {
        let rules = self.rules();
        let deck = rules.deck();
        let (Some(lead), Some(answers)) = (self.lead(), self.answers()) else {
            return Err(Illegal::GameOver);
        };
        let card = match action {
            Action::Play(card) | Action::Free(card) => card,
            Action::Demand(_) => return Err(Illegal::DemandWhileFollowing),
            Action::Decline | Action::Foreplace(_) => return Err(no_more_foreplacing(rules)),
        };
        let is_in = |set: CardSet| !set.and(deck.slots_of(card)).is_empty();
        let is_free = matches!(action, Action::Free(_));
        if is_free && !rules.free_move() {
            Err(Illegal::NoFreeMove)
        } else if is_free && is_in(answers.forced) {
            Err(Illegal::FreeMoveNotNeeded { card: deck.card_text(card).to_string() })
        } else if is_free && self.free_move_used() {
            Err(Illegal::FreeMoveUsed)
        } else if is_in(if is_free { answers.free_move } else { answers.forced }) {
            Ok(())
        } else if is_free {
            Err(Illegal::NeitherSuitNorRank {
                card: deck.card_text(card).to_string(),
                suit: deck.suit_name(lead.card.suit).to_string(),
                rank: deck.rank_name(lead.card.rank).to_string(),
            })
        } else {
            Err(must_answer(rules, lead, answers.forced))
        }
    }
}

/// What the ordinary answers to a lead are, for one who played none of them.
fn must_answer(rules: &RuleSet, lead: Lead, plain: CardSet) -> Illegal {
    let deck = rules.deck();
    let suit = deck.suit_name(lead.card.suit).to_string();
    let rank = deck.rank_name(lead.card.rank).to_string();
    let in_suit = !plain.and(deck.of_suit(lead.card.suit)).is_empty();
    let in_rank = !plain.and(deck.of_rank(lead.card.rank)).is_empty();
    if rules.rank_comes_first(lead.card, lead.demanded) {
        if in_rank {
            Illegal::MustAnswerPrivilege { rank }
        } else {
            Illegal::MustFollowSuitOfPrivilege { rank, suit }
        }
    } else if in_suit {
        Illegal::MustFollowSuit { suit }
    } else {
        Illegal::MustFollowRank { suit, rank }
    }
}

fn check_lead(rules: &RuleSet, action: Action) -> Result<(), Illegal> {
    match action {
        Action::Play(_) => Ok(()),
        Action::Demand(card) if rules.may_demand(card) => Ok(()),
        Action::Demand(card) => {
            Err(Illegal::NothingToDemand { card: rules.deck().card_text(card).to_string() })
        }
        Action::Free(_) => Err(Illegal::FreeWhileLeading),
        Action::Decline | Action::Foreplace(_) => Err(no_more_foreplacing(rules)),
    }
}

fn no_more_foreplacing(rules: &RuleSet) -> Illegal {
    match rules.foreplacing() {
        Some(_) => Illegal::ForeplacingOver,
        None => Illegal::NoForeplacing,
    }
}
