//! Prints two hands suit by suit, with the playable cards in brackets.

use std::io::{self, Write};

use overmate_rules::{BySeat, Card, CardSet, RuleSet, Seat, Suit};

use crate::text::columns::{Align, TextTable};

/// Maximum width, in characters, of two hands printed side by side. Wider hands are printed one
/// below the other.
const WIDTH: usize = 76;

/// Two hands to be printed as text, with their titles.
pub struct PrintedHands<'a> {
    /// Rule set of the game.
    pub rules: &'a RuleSet,
    /// Title and cards of each hand, in the order in which the hands are printed.
    pub shown: [(String, CardSet); 2],
    /// Playable cards of the hand that is printed first. These cards are printed in brackets.
    pub playable: &'a [Card],
}

/// Returns both hands of a game for printing, titled `first` and `second` after their seats.
pub fn of_seats(rules: &RuleSet, hands: BySeat<CardSet>) -> PrintedHands<'_> {
    let shown = Seat::BOTH.map(|seat| (seat.to_string(), hands[seat]));
    PrintedHands { rules, shown, playable: &[] }
}

impl PrintedHands<'_> {
    /// Writes both hands to `out`, side by side if the line is wide enough.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let [(left, _), (right, _)] = &self.shown;
        let mut table =
            TextTable::new([("", Align::Left), (left, Align::Left), (right, Align::Left)]);
        for (suit, name) in self.suits() {
            table.row([name.to_owned(), self.cells(0, suit), self.cells(1, suit)]);
        }
        if table.width() <= WIDTH {
            return table.write(out);
        }
        for (index, (title, _)) in self.shown.iter().enumerate() {
            let mut table = TextTable::new([("", Align::Left), (title, Align::Left)]);
            for (suit, name) in self.suits() {
                table.row([name.to_owned(), self.cells(index, suit)]);
            }
            table.write(out)?;
        }
        Ok(())
    }

    fn suits(&self) -> impl Iterator<Item = (Suit, &str)> {
        (0u8..).map(Suit).zip(self.rules.deck().suits()).map(|(suit, face)| (suit, &*face.name))
    }

    /// Returns, as text, the cards of one suit in one of the two hands, from the highest rank to
    /// the lowest.
    fn cells(&self, index: usize, suit: Suit) -> String {
        let deck = self.rules.deck();
        let cards = deck.cards_of(self.shown[index].1 & deck.of_suit(suit));
        let marked = index == 0 && !self.playable.is_empty();
        let cells = cards.map(|card| {
            let text = deck.card_text(card);
            match (marked, self.playable.contains(&card)) {
                (true, true) => format!("[{text}]"),
                // In a hand in which playable cards have brackets, all other cards get blanks instead, so that the columns stay aligned.
                (true, false) => format!(" {text} "),
                (false, _) => text.to_string(),
            }
        });
        let line = cells.collect::<Vec<_>>().join(" ");
        if line.is_empty() { NONE.to_owned() } else { line.trim_end().to_owned() }
    }
}

/// Placeholder text for a suit of which a hand has no card. Unlike a blank, the placeholder is read aloud by screen readers and visible in
/// the suit's column.
const NONE: &str = "-";
