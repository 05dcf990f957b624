//! Defines the text form of positions, and the set-ups: descriptions of positions that are not yet checked against the rules.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::cards::{BySeat, Card, CardSet, Seat};
use crate::faults::{Fault, Faults};
use crate::game::{Foreplaced, Position, PositionState};
use crate::rule_set::{Lead, RuleSet};
use crate::text::{Cursor, ReadError, counted};

/// Set-up of a position: a description of the position before validation. [`validate`](Self::validate) converts the set-up to a valid
/// [`Position`].
///
/// ```
/// use overmate_rules::RuleSet;
/// let rules = RuleSet::named("sackson")?.shared();
/// let setup = rules.read_position("AcTc/AhKh7d first -/- Qs -")?;
/// let position = setup.validate(&rules)?;
/// assert_eq!(position.mate().unwrap().points(), 3 * 8);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PositionSetup {
    /// Cards in the hand of each seat, in any order. In the last move, the hand of a sole foreplacer holds the repeated
    /// card.
    pub hands: BySeat<Vec<Card>>,
    /// Seat of the leader of the current move.
    pub leader: Seat,
    /// State of each seat's foreplacing: undecided, declined, or with a foreplaced card.
    pub foreplaced: BySeat<Foreplaced>,
    /// Unanswered lead of the current move, or `None` if the next action is a lead.
    pub lead: Option<Lead>,
    /// Whether either player has used the free move (the right to answer once in rank while holding
    /// the suit).
    pub free_move_used: bool,
}

/// Fault that makes the set-up of a position invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PositionFault {
    /// The position contains a card that is not in the deck. The message names the suit and rank of the card by their
    /// indices.
    #[error("no card of the deck has suit index {} and rank index {} (both counted from 0): correct the card", card.suit.0, card.rank.0)]
    NotInDeck {
        /// Card of the position that is not in the deck.
        card: Card,
    },
    /// The position contains more copies of a card than the deck.
    #[error(
        "the position holds {card} {}, but the deck holds {card} {}",
        counted(*found, "time"),
        counted(*expected, "time")
    )]
    TooMany {
        /// Card with more copies in the position than in the deck, in notation such as `Tc`.
        card: String,
        /// Number of copies of the card in the whole position.
        found: usize,
        /// Number of copies of the card in the deck.
        expected: usize,
    },
    /// The hand sizes of the position cannot occur together in a game.
    #[error(
        "seat `first` holds {} and seat `second` {} (an unanswered lead counts as held), but no game with these foreplaced cards has hands of these sizes: correct the hands or the foreplaced cards",
        counted(*first, "card"),
        counted(*second, "card")
    )]
    Sizes {
        /// Number of cards in the hand of seat `First`, plus 1 if this seat has already led in the current move.
        first: usize,
        /// Number of cards in the hand of seat `Second`, plus 1 if this seat has already led in the current move.
        second: usize,
    },
    /// The position has a foreplaced card, but the rule set does not allow foreplacing.
    #[error("this rule set has no foreplacing: write -/- for the foreplaced cards")]
    NoForeplacing,
    /// In the position, seat `Second` has chosen whether to foreplace a card before seat `First` has chosen.
    #[error(
        "seat `second` cannot foreplace or decline before seat `first`: write ? for the foreplaced card of seat `second`"
    )]
    SecondBeforeFirst,
    /// In the position, a card is led before both players have chosen whether to foreplace a card.
    #[error("a card is led before foreplacing is over: write - in place of the led card")]
    LeadBeforeForeplacing,
    /// The position does not name the card that a player foreplaced. A position needs all cards. Unknown cards belong
    /// in a view.
    #[error(
        "the position hides the card that seat `{seat}` foreplaced: name this card, in parentheses"
    )]
    FaceDown {
        /// Seat of the player who foreplaced the unknown card.
        seat: Seat,
    },
    /// In the position, seat `Second` has foreplaced a card of the same suit or rank as the opponent, against the
    /// rules.
    #[error(
        "this rule set forbids seat `second` to foreplace a card of the same suit or rank as the foreplaced card of seat `first`: choose another card for seat `second`"
    )]
    Restricted,
    /// In the position, seat `Second` leads to the first move, but only seat `First` may do so.
    #[error("seat `second` cannot lead the first move: write `first` as the leader")]
    WrongLeader,
    /// In the position, the leader demands an answer in rank, but the rule set allows no demand for the led card.
    #[error("this rule set allows no demand for the card led: remove the !")]
    NothingToDemand,
    /// In the position, the free move counts as used, but the rule set has no free move.
    #[error(
        "the free move is marked as used, but this rule set has no free move: write `-` in place of `used`"
    )]
    NoFreeMove,
    /// In the position, the free move counts as used, although no lead has been answered yet.
    #[error(
        "the free move is marked as used, but no lead was answered yet: write `unused` in place of `used`"
    )]
    FreeMoveUsed,
}

impl Fault for PositionFault {}

/// Non-empty list of all faults found in a position.
pub type PositionFaults = Faults<PositionFault>;

impl PositionSetup {
    /// Converts a valid position to a set-up: an editable description of the position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        Self {
            hands: BySeat::new_with(|seat| position.hand_cards(seat)),
            leader: position.leader(),
            foreplaced: BySeat::new_with(|seat| position.foreplaced(seat)),
            lead: position.lead(),
            free_move_used: position.free_move_used(),
        }
    }

    /// Validates the set-up of a position. Returns the position, or else a list of all faults.
    ///
    /// The check does not test whether a game can lead to the position.
    ///
    /// ```
    /// use overmate_rules::{PositionFault, RuleSet};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let setup = rules.read_position("Ac/KcQcTc first -/- - -")?;
    /// let faults = setup.validate(&rules).unwrap_err();
    /// assert_eq!(faults.0, [PositionFault::Sizes { first: 1, second: 3 }]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns all faults of the position.
    pub fn validate(&self, rules: &Arc<RuleSet>) -> Result<Position, PositionFaults> {
        let mut faults = Vec::new();
        self.check_cards(rules, &mut faults);
        self.check_foreplacing(rules, &mut faults);
        if self.lead.is_some_and(|lead| lead.demanded && !rules.may_demand(lead.card)) {
            faults.push(PositionFault::NothingToDemand);
        }
        let moves = self.moves(rules, &mut faults);
        if moves == Some(0) && self.leader == Seat::Second {
            faults.push(PositionFault::WrongLeader);
        }
        if self.free_move_used && !rules.free_move() {
            faults.push(PositionFault::NoFreeMove);
        } else if self.free_move_used && moves == Some(0) {
            faults.push(PositionFault::FreeMoveUsed);
        }
        let (true, Some(moves)) = (faults.is_empty(), moves) else {
            return Err(Faults(faults));
        };
        let deck = rules.deck();
        let mut taken = CardSet::EMPTY;
        let mut lay = |cards: &[Card]| {
            cards.iter().fold(CardSet::EMPTY, |hand, card| {
                let slot = (deck.slots_of(*card) - taken).first_slot();
                let slot = slot.map_or(CardSet::EMPTY, CardSet::of_slot);
                taken |= slot;
                hand | slot
            })
        };
        let (first, second) = (lay(&self.hands.first), lay(&self.hands.second));
        let (first, second) = deck.settle(first, second);
        let state = PositionState {
            hands: BySeat { first, second },
            foreplaced: self.foreplaced,
            leader: self.leader,
            lead: self.lead,
            free_move_used: self.free_move_used,
            moves,
        };
        Ok(Position::from_state(Arc::clone(rules), state))
    }

    fn check_cards(&self, rules: &RuleSet, faults: &mut Vec<PositionFault>) {
        let deck = rules.deck();
        let mut cards: Vec<Card> = self.hands.first.clone();
        cards.extend(&self.hands.second);
        cards.extend(self.lead.map(|lead| lead.card));
        for seat in Seat::BOTH {
            if let Foreplaced::Card(card) = self.foreplaced[seat] {
                cards.push(card);
            }
        }
        cards.sort_unstable();
        for copies in cards.chunk_by(|a, b| a == b) {
            let (card, found) = (copies[0], copies.len());
            let expected = deck.slots_of(card).len() as usize;
            if expected == 0 {
                faults.push(PositionFault::NotInDeck { card });
            } else if found > expected {
                let card = deck.card_text(card).to_string();
                faults.push(PositionFault::TooMany { card, found, expected });
            }
        }
    }

    fn check_foreplacing(&self, rules: &RuleSet, faults: &mut Vec<PositionFault>) {
        for seat in Seat::BOTH {
            if self.foreplaced[seat] == Foreplaced::FaceDown {
                faults.push(PositionFault::FaceDown { seat });
            }
        }
        let BySeat { first, second } = self.foreplaced;
        let Some(foreplacing) = rules.foreplacing() else {
            if first != Foreplaced::Nothing || second != Foreplaced::Nothing {
                faults.push(PositionFault::NoForeplacing);
            }
            return;
        };
        if first == Foreplaced::Undecided && second != Foreplaced::Undecided {
            faults.push(PositionFault::SecondBeforeFirst);
        }
        if second == Foreplaced::Undecided && self.lead.is_some() {
            faults.push(PositionFault::LeadBeforeForeplacing);
        }
        if let (Foreplaced::Card(a), Foreplaced::Card(b)) = (first, second)
            && foreplacing.second_restricted
            && (a.suit == b.suit || a.rank == b.rank)
        {
            faults.push(PositionFault::Restricted);
        }
    }

    /// Returns the number of completed moves of the position, derived from the hand sizes.
    fn moves(&self, rules: &RuleSet, faults: &mut Vec<PositionFault>) -> Option<u8> {
        let size = usize::from(rules.hand_size());
        let led = |seat| usize::from(self.lead.is_some() && self.leader == seat);
        let held = BySeat::new_with(|seat| self.hands[seat].len() + led(seat));
        let took = self.foreplaced.map(|what| usize::from(what.is_card()));
        let undecided =
            rules.foreplacing().is_some() && self.foreplaced.second == Foreplaced::Undecided;
        let last = if undecided { 0 } else { size - (took.first & took.second) };
        let fits = |seat: Seat, moves: usize| {
            let repeated = took[seat] == 1 && took[!seat] == 0 && moves + 1 == size;
            held[seat] == if repeated { 1 } else { (size - moves).saturating_sub(took[seat]) }
        };
        let moves = (0..=last).find(|&m| fits(Seat::First, m) && fits(Seat::Second, m));
        if moves.is_none() {
            faults.push(PositionFault::Sizes { first: held.first, second: held.second });
        }
        moves.and_then(|moves| u8::try_from(moves).ok())
    }
}

impl fmt::Display for Position {
    /// Formats the position in one line: the hands, the leader, foreplaced cards, the lead and the
    /// free move.
    ///
    /// An example of the text form is `AcTc7s/KcQs7h first (Kh)/- Td unused`. `docs/notation.md`
    /// has the grammar.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deck = self.rules().deck();
        let hand = |seat| match self.hand(seat) {
            hand if hand.is_empty() => "-".to_string(),
            hand => deck.cards_text(hand, ""),
        };
        let foreplaced = |seat| match self.foreplaced(seat) {
            Foreplaced::Undecided => "?".to_string(),
            Foreplaced::Nothing => "-".to_string(),
            Foreplaced::Card(card) => alloc::format!("({})", deck.card_text(card)),
            Foreplaced::FaceDown => "(?)".to_string(),
        };
        write!(
            f,
            "{}/{} {} {}/{} ",
            hand(Seat::First),
            hand(Seat::Second),
            self.leader(),
            foreplaced(Seat::First),
            foreplaced(Seat::Second)
        )?;
        match self.lead() {
            None => f.write_str("-")?,
            Some(lead) => {
                write!(f, "{}{}", deck.card_text(lead.card), if lead.demanded { "!" } else { "" })?;
            }
        }
        f.write_str(match (self.rules().free_move(), self.free_move_used()) {
            (false, _) => " -",
            (true, false) => " unused",
            (true, true) => " used",
        })
    }
}

impl RuleSet {
    /// Parses the one-line text of a position, without validation. [`PositionSetup::validate`]
    /// checks the set-up.
    ///
    /// # Errors
    ///
    /// Returns the first syntax error, with its place and the expected text.
    pub fn read_position(&self, text: &str) -> Result<PositionSetup, ReadError> {
        let mut cursor = Cursor::new(text.trim_end());
        cursor.skip_blanks();
        let first = self.held(&mut cursor)?;
        slash(&mut cursor)?;
        let second = self.held(&mut cursor)?;
        blank(&mut cursor, LEADER)?;
        let leader = match () {
            () if cursor.eat("first") => Seat::First,
            () if cursor.eat("second") => Seat::Second,
            () => return Err(cursor.expected(LEADER)),
        };
        blank(&mut cursor, "the foreplaced cards, such as `-/-` for none")?;
        let foreplaced_first = self.foreplaced(&mut cursor)?;
        slash(&mut cursor)?;
        let foreplaced = BySeat { first: foreplaced_first, second: self.foreplaced(&mut cursor)? };
        blank(&mut cursor, "the card led, or `-` for none")?;
        let lead = if cursor.eat("-") {
            None
        } else {
            let card = self.deck().card(&mut cursor).map_err(|error| or_dash(&error))?;
            Some(Lead { card, demanded: cursor.eat("!") })
        };
        blank(&mut cursor, self.free_move_words())?;
        let free_move_used = self.free_move_word(&mut cursor)?;
        cursor.expect_end("the position")?;
        Ok(PositionSetup {
            hands: BySeat { first, second },
            leader,
            foreplaced,
            lead,
            free_move_used,
        })
    }

    fn held(&self, cursor: &mut Cursor<'_>) -> Result<Vec<Card>, ReadError> {
        let mut cards = Vec::new();
        if cursor.eat("-") {
            return Ok(cards);
        }
        loop {
            cards.push(self.deck().card(cursor).map_err(|error| or_dash(&error))?);
            if cursor.peek().is_none_or(|c| c == '/' || c.is_whitespace()) {
                return Ok(cards);
            }
        }
    }

    fn foreplaced(&self, cursor: &mut Cursor<'_>) -> Result<Foreplaced, ReadError> {
        if cursor.eat("(?)") {
            Ok(Foreplaced::FaceDown)
        } else if cursor.eat("?") {
            Ok(Foreplaced::Undecided)
        } else if cursor.eat("-") {
            Ok(Foreplaced::Nothing)
        } else if cursor.eat("(") {
            let card = self.deck().card(cursor)?;
            if cursor.eat(")") { Ok(Foreplaced::Card(card)) } else { Err(cursor.expected("`)`")) }
        } else {
            Err(cursor
                .expected("a foreplaced card such as (Kc), `-` for none or `?` for undecided"))
        }
    }

    fn free_move_word(&self, cursor: &mut Cursor<'_>) -> Result<bool, ReadError> {
        match self.free_move() {
            true if cursor.eat("unused") => Ok(false),
            true if cursor.eat("used") => Ok(true),
            false if cursor.eat("-") => Ok(false),
            _ => Err(cursor.expected(self.free_move_words())),
        }
    }

    /// Describes the free-move field in the text form of a position, for error messages.
    fn free_move_words(&self) -> &'static str {
        if self.free_move() {
            "the state of the free move, `unused` or `used`"
        } else {
            "`-`, because this rule set has no free move"
        }
    }
}

fn slash(cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
    if cursor.eat("/") { Ok(()) } else { Err(cursor.expected("`/`")) }
}

/// Description of the leader field in the text form of a position, for error messages.
const LEADER: &str = "the leader, `first` or `second`";

/// Skips the blanks before a field in the text form of a position. `next` describes this field in the error text for a missing blank.
fn blank(cursor: &mut Cursor<'_>, next: &str) -> Result<(), ReadError> {
    if cursor.peek().is_some_and(char::is_whitespace) {
        cursor.skip_blanks();
        Ok(())
    } else {
        Err(cursor.expected(alloc::format!("a blank and {next}")))
    }
}

fn or_dash(error: &ReadError) -> ReadError {
    ReadError { expected: alloc::format!("`-` or {}", error.expected), ..error.clone() }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({}: {self})", self.rules().name())
    }
}
