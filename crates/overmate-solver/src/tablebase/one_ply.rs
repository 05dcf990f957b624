//! Verifies each stored value of a tablebase against the stored values of the positions after one move.
//!
//! The legal answers come from the rules crate. The code shares only the order of positions with
//! the kernels that solve values: no rows are shifted or mirrored here, and each answer of each
//! lead is looked up on its own.

use std::sync::Arc;

use overmate_rules::for_engines::AnswerTier;
use overmate_rules::{
    BySeat, Card, CardSet, Foreplaced, Lead, Position, PositionSetup, RuleSet, Seat,
};

use crate::deal::score_codes::ScoreCodes;
use crate::deal::subsets::{elements, elements_at};
use crate::whole::layer::{HandBalance, Layer};
use crate::whole::layers::Layers;

/// Key of a layer of positions: whether the free move is unused, the relation between the hand sizes, and the number of cards in both hands
/// together.
pub(super) type Key = (bool, HandBalance, usize);

/// Numbering of sets of cards: the index of each set among all sets of equal size, in ascending order of the bit masks.
pub(super) struct Numbered {
    /// Index of each set of cards in the list of all sets of its size. The entry of a set stands at the index that equals its bit mask.
    numbers: Vec<u32>,
    /// Sets of cards as bit masks in ascending order, grouped by size.
    of_size: Vec<Vec<u32>>,
}

impl Numbered {
    fn new(elements: usize) -> Self {
        let mut of_size = vec![Vec::new(); elements + 1];
        let numbers = (0u32..1 << elements).map(|set| {
            let same: &mut Vec<u32> = &mut of_size[set.count_ones() as usize];
            same.push(set);
            u32::try_from(same.len() - 1).unwrap_or_default()
        });
        let numbers = numbers.collect();
        Self { numbers, of_size }
    }

    fn number(&self, set: u32) -> usize {
        self.numbers[set as usize] as usize
    }

    /// Returns all sets of `size` cards as bit masks, in ascending order. For a smaller deck, only
    /// the first sets in the list are used.
    pub(super) fn of_size(&self, size: usize) -> &[u32] {
        &self.of_size[size]
    }
}

/// Kind of lead (a card, with or without a demand), with the tiers of answers to the lead and the points of a mate by the lead. The sets
/// hold indices in the list of the cards in both hands.
struct PlainLead {
    place: usize,
    /// Tiers of answers in order of priority, each as a set of cards and a flag that is true if the free move allows
    /// these cards.
    tiers: Vec<(u32, bool)>,
    beaten: u32,
    /// Points for the leader if the lead gives mate.
    mate: i32,
}

/// Verifier that compares the stored value of each position with the best stored value of the
/// positions after one move.
pub(super) struct OnePly<'a> {
    rules: &'a Arc<RuleSet>,
    points: [i32; 256],
    layers: &'a Layers<Layer>,
    pub(super) sets: Numbered,
}

/// Fault in a tablebase: the stored value of a position differs from the value that follows from the positions after one move.
pub(super) struct ValueFault {
    pub(super) live: u32,
    pub(super) own: u32,
    pub(super) stored: i32,
    pub(super) expected: i32,
}

impl<'a> OnePly<'a> {
    pub(super) fn new(
        rules: &'a Arc<RuleSet>,
        codes: &ScoreCodes,
        layers: &'a Layers<Layer>,
    ) -> Self {
        let mut points = [0; 256];
        for code in i8::MIN..=i8::MAX {
            points[usize::from(code.cast_unsigned())] = codes.points(code);
        }
        Self { rules, points, layers, sets: Numbered::new(rules.deck().cards().len()) }
    }

    fn points(&self, code: i8) -> i32 {
        self.points[usize::from(code.cast_unsigned())]
    }

    /// Verifies the values of all positions whose hands together hold the cards `live`. Returns the
    /// number of successor values that were read.
    pub(super) fn check(&self, key: Key, live: u32) -> Result<u64, ValueFault> {
        let (free, hands, count) = key;
        let Some(layer) = self.layers.get(free, hands, count) else { return Ok(0) };
        let held = hands.held(count);
        let start = self.sets.number(live) * layer.row_len();
        let row = &layer.rows()[start..start + layer.row_len()];
        let slots: Vec<u32> = (0..u32::BITS).filter(|slot| live >> slot & 1 == 1).collect();
        let leads = self.leads(&slots, held);
        let next = SuccessorRows::new(self, key, &slots);
        let all = (1u32 << count) - 1;
        let mut answers = 0;
        for (&stored, &own) in row.iter().zip(self.sets.of_size(held)) {
            let expected = match (hands, count) {
                (_, 0) => 0,
                // Positions with three cards in both hands together are searched to the end of the game, because the tablebase stores none
                // of the later positions. The last move contains a repeated card.
                (HandBalance::LeaderFewer | HandBalance::LeaderMore, 3) => {
                    let position = self.position(key, live, elements_at(own, live));
                    // In very short games, some stored positions with a used free move cannot arise. They are skipped.
                    let Some(position) = position else { continue };
                    answers += 1;
                    by_playing(&position)
                }
                (HandBalance::Equal | HandBalance::LeaderFewer | HandBalance::LeaderMore, _) => {
                    best(&leads, &next, own, all & !own, &mut answers)
                }
            };
            let stored = self.points(stored);
            if stored != expected {
                return Err(ValueFault { live, own: elements_at(own, live), stored, expected });
            }
        }
        Ok(answers)
    }

    fn card(&self, slot: u32) -> Card {
        self.rules.deck().card_at(u8::try_from(slot).unwrap_or_default())
    }

    /// Returns all leads of the cards in `slots`, including leads with a demand. The list `slots` has the cards of both hands together, and
    /// `held` is the number of cards in the leader's hand.
    fn leads(&self, slots: &[u32], held: usize) -> Vec<PlainLead> {
        let other = slots.len() - held;
        let foreplaced = BySeat { first: held < other, second: other < held };
        let number = usize::from(self.rules.hand_size()) + 1 - held.max(other);
        let number = u8::try_from(number).unwrap_or_default();
        let mut leads = Vec::new();
        for (place, &slot) in slots.iter().enumerate() {
            let card = self.card(slot);
            let mate = self.rules.mate(Seat::First, card, number, foreplaced).points();
            let others = || slots.iter().enumerate().filter(|(other, _)| *other != place);
            let beaten = others().filter(|(_, slot)| card.wins_over(self.card(**slot)));
            let beaten = beaten.fold(0, |set, (other, _)| set | 1u32 << other);
            let demands: &[bool] =
                if self.rules.may_demand(card) { &[false, true] } else { &[false] };
            for &demanded in demands {
                let tiers = self.rules.answers_in_order(Lead { card, demanded });
                let places = |tier: &AnswerTier| {
                    let places = others().filter(|(_, slot)| tier.cards.0 >> **slot & 1 == 1);
                    places.fold(0, |set, (other, _)| set | 1u32 << other)
                };
                let tiers = tiers.as_slice().iter().map(|tier| (places(tier), tier.free_move));
                leads.push(PlainLead { place, tiers: tiers.collect(), beaten, mate });
            }
        }
        leads
    }

    /// Builds the position in which seat *first* leads and holds the cards `own`, or returns `None`
    /// if the position is impossible.
    pub(super) fn position(&self, key: Key, live: u32, own: u32) -> Option<Position> {
        let (free, hands, _) = key;
        let deck = self.rules.deck();
        let cards = |slots: u32| deck.cards_of(CardSet(slots.into())).collect::<Vec<Card>>();
        // Any card that no hand holds can serve as the foreplaced card, because the position's value does not depend on the identity of
        // this card.
        let away = deck.cards_of(deck.all() - CardSet(live.into())).next();
        let away = away.map_or(Foreplaced::Nothing, Foreplaced::Card);
        let (first, second) = match hands {
            HandBalance::Equal => (Foreplaced::Nothing, Foreplaced::Nothing),
            HandBalance::LeaderFewer => (away, Foreplaced::Nothing),
            HandBalance::LeaderMore => (Foreplaced::Nothing, away),
        };
        let setup = PositionSetup {
            hands: BySeat { first: cards(own), second: cards(live & !own) },
            leader: Seat::First,
            foreplaced: BySeat { first, second },
            lead: None,
            free_move_used: self.rules.free_move() && !free,
        };
        setup.validate(self.rules).ok()
    }
}

/// Stored values of all positions that can be reached by one move from the positions with a given set of cards in both hands together.
struct SuccessorRows<'a> {
    check: &'a OnePly<'a>,
    /// Layers of the tablebase with the values of all positions that can arise by one move from the positions to verify. The first index
    /// states whether the move uses the free move, and the second index whether the follower wins the move.
    layers: [[Option<&'a Layer>; 2]; 2],
    /// Index of the row of stored values after a move, for each pair of a led card and an answering card. The index is the number of the
    /// remaining set of cards among all sets of equal size.
    rest: Vec<usize>,
    count: usize,
    /// Whether the free move is unused before the move.
    free: bool,
}

impl<'a> SuccessorRows<'a> {
    fn new(check: &'a OnePly<'a>, (free, hands, count): Key, slots: &[u32]) -> Self {
        let live = slots.iter().fold(0, |set, slot| set | 1u32 << slot);
        let turned = match hands {
            HandBalance::Equal => HandBalance::Equal,
            HandBalance::LeaderFewer => HandBalance::LeaderMore,
            HandBalance::LeaderMore => HandBalance::LeaderFewer,
        };
        let layer =
            |free: bool, hands: HandBalance| check.layers.get(free, hands, count.checked_sub(2)?);
        let layers = [free, false].map(|free| [layer(free, hands), layer(free, turned)]);
        let pairs = slots.iter().flat_map(|a| slots.iter().map(move |b| 1u32 << a | 1 << b));
        let rest = pairs.map(|pair| check.sets.number(live & !pair)).collect();
        Self { check, layers, rest, count, free }
    }

    /// Returns the stored value after a lead and its answer, in points for the player who led.
    /// `holds` is the set of cards that the next leader held before the move.
    fn points(&self, lead: usize, answer: usize, wins: bool, holds: u32, used: bool) -> i32 {
        let layer = self.layers[usize::from(used)][usize::from(!wins)];
        let Some(layer) = layer else { return 0 };
        let (low, high) = (lead.min(answer), lead.max(answer));
        let places = without_place(without_place(holds, high), low);
        let row = self.rest[lead * self.count + answer];
        let at = row * layer.row_len() + self.check.sets.number(places);
        let points = self.check.points(layer.rows()[at]);
        if wins { points } else { -points }
    }
}

/// Returns the leader's points under best play, computed from the stored values of the positions after one move.
fn best(
    leads: &[PlainLead],
    next: &SuccessorRows<'_>,
    own: u32,
    other: u32,
    answers: &mut u64,
) -> i32 {
    let mut best = i32::MIN;
    for lead in leads.iter().filter(|lead| own >> lead.place & 1 == 1) {
        // The follower must answer from the first tier of which they hold a card. The free move allows answers of later tiers.
        let (mut forced, mut opened) = (0, 0);
        for &(tier, is_opened) in &lead.tiers {
            if forced == 0 {
                forced = tier & other;
            } else if is_opened && next.free {
                opened |= tier & other;
            }
        }
        let mut worst = if forced == 0 { lead.mate } else { i32::MAX };
        for (set, used) in [(forced, false), (opened, true)] {
            for answer in elements(set) {
                let wins = lead.beaten >> answer & 1 == 1;
                let holds = if wins { own } else { other };
                worst = worst.min(next.points(lead.place, answer, wins, holds, used));
                *answers += 1;
            }
        }
        best = best.max(worst);
    }
    best
}

/// Removes an index from a set of indices, and subtracts 1 from all higher indices.
fn without_place(set: u32, place: usize) -> u32 {
    let low = (1u32 << place) - 1;
    set & low | set >> 1 & !low
}

/// Returns the points for seat *first* under best play from a position, by a full search to the end of the game.
fn by_playing(position: &Position) -> i32 {
    if let Some(outcome) = position.outcome() {
        return outcome.points_for_first();
    }
    let values = position.successors().map(|(_, next)| by_playing(&next));
    let best = match position.to_act() {
        Some(Seat::Second) => values.min(),
        Some(Seat::First) | None => values.max(),
    };
    best.unwrap_or_default()
}
