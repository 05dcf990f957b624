//! Searches backwards from a position for a deal and a game that lead to the position.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::cards::{BySeat, Card, Seat, Suit};
use crate::game::action::Action;
use crate::game::deal::{Deal, Dealt};
use crate::game::game::Game;
use crate::game::position::Position;
use crate::game::state::{Foreplaced, PositionState};
use crate::rule_set::Lead;

/// Maximum number of attempts of the backward search for a game that leads to a position. Each attempt tries equally promising earlier
/// moves in a different order.
const SEARCHES: usize = 60;

/// Maximum number of positions visited in each attempt of the backward search for a game that leads to a position.
const MAX_VISITED: usize = 5_000;

impl Position {
    /// Returns a deal that gives each seat the cards that the seat holds, leads or has foreplaced in the position.
    ///
    /// The cards played so far may go to either hand, because the position does not tell who played
    /// which card. The result is `None` if the hands cannot be filled to the size of a deal.
    ///
    /// ```
    /// use overmate_rules::{BySeat, RuleSet};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let position = rules.read_position("AcTc/AhKh second -/- - -")?.validate(&rules)?;
    /// let BySeat { first, second } = position.possible_deal().unwrap().hands();
    /// assert!(position.hands().first.is_subset(first) && position.hands().second.is_subset(second));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn possible_deal(&self) -> Option<Dealt> {
        let size = usize::from(self.rules().hand_size());
        let BySeat { mut first, mut second } = BySeat::new_with(|seat| self.owned_cards(seat));
        for card in self.played_cards() {
            if first.len() < size { &mut first } else { &mut second }.push(card);
        }
        Deal { first, second }.validate(self.rules()).ok()
    }

    /// Returns all cards of a seat in the position: held, led in the current move, and foreplaced.
    fn owned_cards(&self, seat: Seat) -> Vec<Card> {
        let mut cards = self.hand_cards(seat);
        cards.extend(self.lead().filter(|_| self.leader() == seat).map(|lead| lead.card));
        if let Foreplaced::Card(card) = self.foreplaced(seat) {
            cards.push(card);
        }
        cards
    }

    /// Returns the cards of completed moves in the position: all cards that are neither held, nor led, nor foreplaced.
    fn played_cards(&self) -> Vec<Card> {
        let deck = self.rules().deck();
        let mut cards: Vec<Card> = deck.cards_of(deck.all()).collect();
        for card in Seat::BOTH.into_iter().flat_map(|seat| self.owned_cards(seat)) {
            if let Some(at) = cards.iter().position(|played| *played == card) {
                cards.remove(at);
            }
        }
        cards
    }
}

impl Game {
    /// Searches backwards for a game that leads to a position.
    ///
    /// Many games lead to most positions. The search returns one of these games. The result is `None` if no such game
    /// exists, if the game is over in the position, or if the search visits too many positions.
    ///
    /// ```
    /// use overmate_rules::{Game, RuleSet};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let position = rules.read_position("AcTc/AhKh second -/- - -")?.validate(&rules)?;
    /// let game = Game::leading_to(&position).expect("eight moves in suit lead to this position");
    /// assert_eq!(*game.position(), position);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn leading_to(position: &Position) -> Option<Self> {
        position.to_act()?;
        (0..SEARCHES).find_map(|order| Self::leading_to_in_order(position, order))
    }

    fn leading_to_in_order(position: &Position, order: usize) -> Option<Self> {
        let mut search = PastSearch { order, visited: BTreeSet::new(), actions: Vec::new() };
        let start = match position.lead() {
            None => search.start(position)?,
            Some(lead) => {
                let before = without_lead(position, lead);
                let start = search.start(&before)?;
                search.actions.push(lead.into());
                start
            }
        };
        let game = Self::new(start).play_all(&search.actions).ok()?;
        (game.position() == position).then_some(game)
    }
}

/// Returns the position before a given lead.
fn without_lead(position: &Position, lead: Lead) -> Position {
    let mut state = PositionState { lead: None, ..*position.state() };
    state.give(position.rules(), position.leader(), lead.card);
    Position::from_state(position.rules().clone(), state)
}

/// Depth-first search backwards from a position to the beginning of a game.
struct PastSearch {
    /// Number of the current search attempt, from 0. The number determines the order in which the search tries equally promising earlier
    /// moves.
    order: usize,
    /// Positions that the backward search has visited, each stored as an outline (a summary of the position) and the position's notation.
    /// An outline holds the facts that decide which earlier moves are possible. In every second search attempt, an empty text replaces the
    /// notation.
    ///
    /// Positions with the same outline nearly always have earlier moves of the same kind. Every second attempt therefore visits only the
    /// first position of each outline. The other attempts also store the notation of each position, and so visit every position once.
    visited: BTreeSet<(PastOutline, String)>,
    /// Actions of the game that the search has found, in the order of play; empty until the search succeeds.
    actions: Vec<Action>,
}

/// Possible last move before a position: the seat of the leader, the led card and the answer.
#[derive(Clone, Copy)]
struct LastMove {
    leader: Seat,
    led: Card,
    answer: Card,
}

/// Summary of a position for the backward search: the leader, whether the free move is used, and two facts about each suit. The facts about
/// a suit are the number of its played cards, and whether each seat holds no card of the suit. All these facts restrict the suits of the
/// cards in earlier moves.
type PastOutline = (Seat, bool, Vec<(usize, [bool; 2])>);

fn outline(position: &Position) -> PastOutline {
    let deck = position.rules().deck();
    let played = position.played_cards();
    let suits = (0u8..).map(Suit).take(deck.suits().len());
    let of_suit = |suit| {
        let count = played.iter().filter(|card| card.suit == suit).count();
        let is_void = |seat| (position.hand(seat) & deck.of_suit(suit)).is_empty();
        (count, Seat::BOTH.map(is_void))
    };
    (position.leader(), position.free_move_used(), suits.map(of_suit).collect())
}

impl PastSearch {
    /// Marks a position as visited, and returns whether the search had not visited the position before.
    fn is_new(&mut self, position: &Position) -> bool {
        let text = if self.order.is_multiple_of(2) { String::new() } else { position.to_string() };
        self.visited.insert((outline(position), text))
    }

    /// Searches backwards from a position without a led card, and returns the deal of a game that
    /// leads to the position.
    fn start(&mut self, position: &Position) -> Option<Dealt> {
        if position.moves() == 0 {
            return self.foreplacing(position);
        }
        if self.visited.len() >= MAX_VISITED || !self.is_new(position) {
            return None;
        }
        for last in last_moves(position, self.order) {
            for before in positions_before(position, last) {
                let Some(actions) = actions_between(&before, position, last) else { continue };
                if let Some(dealt) = self.start(&before) {
                    self.actions.extend(actions);
                    return Some(dealt);
                }
            }
        }
        None
    }

    /// Returns a deal that leads to `position`, which must be before the first move. Appends the players' foreplacing actions to the list
    /// `actions`.
    fn foreplacing(&mut self, position: &Position) -> Option<Dealt> {
        // A position before the first move comes from a deal only if *first* leads and the free move is unused.
        if position.leader() == Seat::Second || position.free_move_used() {
            return None;
        }
        if position.rules().foreplacing().is_some() {
            for seat in Seat::BOTH {
                match position.foreplaced(seat) {
                    Foreplaced::Nothing => self.actions.push(Action::Decline),
                    Foreplaced::Card(card) => self.actions.push(Action::Foreplace(card)),
                    Foreplaced::Undecided | Foreplaced::FaceDown => {}
                }
            }
        }
        position.possible_deal()
    }
}

/// Returns the possible last moves before a position, with the most promising moves for the backward search first.
///
/// A lead with an answer in its suit is nearly always legal. If an odd number of cards of a suit was played, at least one of these cards
/// was paired with a card of another suit and the same rank. The player who answered in rank was void of the led suit, which is likeliest
/// late in the game. The search goes backwards, so that moves with an answer in rank come first if the number of played cards of the led or
/// the answered suit is odd. A move that may have used the free move also comes first.
fn last_moves(position: &Position, order: usize) -> Vec<LastMove> {
    let played = position.played_cards();
    let repeats = position.sole_foreplacer();
    let repeats = repeats.filter(|_| position.moves() + 1 == position.rules().hand_size());
    let of_seat = |seat| match repeats {
        Some(sole) if sole == seat => position.hand_cards(seat),
        _ => {
            let mut cards = played.clone();
            cards.dedup();
            cards
        }
    };
    let is_odd =
        |card: Card| played.iter().filter(|other| other.suit == card.suit).count() % 2 == 1;
    let copies = |card: Card| played.iter().filter(|other| **other == card).count();
    let mut moves = Vec::new();
    for leader in Seat::BOTH {
        for led in of_seat(leader) {
            for answer in of_seat(!leader) {
                let fits = led.suit == answer.suit || led.rank == answer.rank;
                let has_both = led != answer || repeats.is_some() || copies(led) > 1;
                let leads_next = if led.wins_over(answer) { leader } else { !leader };
                if fits && has_both && leads_next == position.leader() {
                    let in_suit = led.suit == answer.suit;
                    let may_be_free = position.free_move_used()
                        && (!in_suit || position.rules().rank_comes_first(led, true));
                    let odd = usize::from(is_odd(led)) + usize::from(is_odd(answer));
                    let rank = match (in_suit, odd) {
                        _ if may_be_free => 0,
                        (false, 2) => 0,
                        (false, 1) => 1,
                        (true, _) => 2,
                        (false, _) => 3,
                    };
                    moves.push((rank, LastMove { leader, led, answer }));
                }
            }
        }
    }
    let by = order * 7 % moves.len().max(1);
    moves.rotate_left(by);
    moves.sort_by_key(|(rank, _)| *rank);
    moves.into_iter().map(|(_, last)| last).collect()
}

/// Returns the positions from which a given last move may have led to `position`. The legality of
/// the move is not checked. Where both states of the free move are possible, one candidate has the
/// free move unused and another has it used.
fn positions_before(position: &Position, last: LastMove) -> Vec<Position> {
    let rules = position.rules();
    let before = |free_move_used| {
        let mut state = PositionState { leader: last.leader, free_move_used, ..*position.state() };
        state.moves -= 1;
        for (seat, card) in [(last.leader, last.led), (!last.leader, last.answer)] {
            // The only player who foreplaced keeps the repeated card when they play it in the last move but one. Undoing this move
            // must therefore not add the card to their hand.
            let is_repeated = position.sole_foreplacer() == Some(seat)
                && position.moves() + 1 == rules.hand_size();
            if !is_repeated {
                state.give(rules, seat, card);
            }
        }
        Position::from_state(rules.clone(), state)
    };
    let used: &[bool] = if position.free_move_used() { &[false, true] } else { &[false] };
    used.iter().map(|used| before(*used)).collect()
}

/// Returns the lead and the answer that turn the position `before` into the position `after`, or `None` if one of these actions is illegal.
fn actions_between(before: &Position, after: &Position, last: LastMove) -> Option<[Action; 2]> {
    let LastMove { led, answer, .. } = last;
    let leads = [Action::Play(led), Action::Demand(led)];
    let both = leads.map(|lead| [Action::Play(answer), Action::Free(answer)].map(|a| [lead, a]));
    both.into_iter().flatten().find(|[lead, answer]| {
        let played = before.clone().play(*lead).and_then(|led| led.play(*answer));
        played.is_ok_and(|reached| reached == *after)
    })
}
