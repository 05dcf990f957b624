//! Plays games whose state fits into a few machine words, with lookup tables that are computed from the rules.
//!
//! The tables come from `RuleSet::answers_in_order`, `Card::wins_over` and `RuleSet::mate`. Tests play random games of all
//! rule sets beside `Game`, and compare legal actions, observations and points.

use std::sync::Arc;

use overmate_rules::{BySeat, Card, CardSet, Face, Lead, RuleSet, Seat};

/// Maximum number of cards in a deck: the lookup tables have room for no more cards.
const MAX_CARDS: usize = 60;

/// Sentinel slot number that stands for no card. A slot is the place of a card in the deck.
const NO_CARD: u8 = u8::MAX;

/// Sentinel slot number for a seat that has neither foreplaced a card nor declined to foreplace. A slot is the place of a card in the deck.
const UNDECIDED: u8 = u8::MAX - 1;

/// Number of scalar values, such as the number of completed moves, at the end of an observation of a game.
pub(crate) const SCALARS: usize = 12;

/// Number of planes (rows with one number for each distinct card) in an observation of a game.
pub(crate) const PLANES: usize = 5;

/// Size, in bytes, of a buffer for one observation or one mask of legal actions. Eight spare bytes permit writes of whole words.
pub(crate) const BUFFER: usize = 512;

/// Lookup table that expands each byte to eight bytes, one for each bit of the byte.
static SPREAD: [u64; 256] = spread();

const fn spread() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= 1 << (8 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Numbering of a rule set's actions: the first number of each kind of action, and the total count of actions.
///
/// An action of a card has the first number of its kind plus the number of the card among the distinct cards of the deck.
#[derive(Clone, Copy)]
pub(crate) struct Layout {
    pub(crate) cards: usize,
    pub(crate) foreplace: usize,
    pub(crate) decline: usize,
    pub(crate) demand: usize,
    pub(crate) free: usize,
    pub(crate) actions: usize,
}

impl Layout {
    fn new(rules: &RuleSet, cards: usize) -> Self {
        let has_foreplacing = rules.foreplacing().is_some();
        let has_demands = rules.privilege().is_some_and(|privilege| privilege.on_demand);
        let foreplace = cards;
        let decline = foreplace + if has_foreplacing { cards } else { 0 };
        let demand = decline + usize::from(has_foreplacing);
        let free = demand + if has_demands { cards } else { 0 };
        let actions = free + if rules.free_move() { cards } else { 0 };
        Self { cards, foreplace, decline, demand, free, actions }
    }
}

/// Cards that may answer a lead: a set of required answers, and a second set for a follower who holds no required answer.
/// The second set may also serve for the free move.
#[derive(Clone, Copy, Default)]
struct AnswerSets {
    tiers: [u64; 2],
    second_is_free_move: bool,
}

/// Lookup tables for playing games of one rule set.
pub(crate) struct Kernel {
    pub(crate) rules: Arc<RuleSet>,
    pub(crate) layout: Layout,
    /// Distinct cards of the deck, in the order of the deck; identical cards are listed once.
    pub(crate) distinct: Vec<Card>,
    all_distinct: bool,
    slots: u8,
    hand_size: u8,
    is_face_down: bool,
    /// For each distinct card of the deck, the bit set of the slots (places in the deck) with a copy of the card.
    copies: [u64; MAX_CARDS],
    /// For each slot (place in the deck), the index in `distinct` of the card in the slot.
    card_of: [u8; MAX_CARDS],
    /// Answers to the lead of each distinct card: the first list is for leads without a demand, the second list for leads with a demand.
    answers: [Vec<AnswerSets>; 2],
    /// For each distinct card as a lead, the bit set of the slots (places in the deck) whose cards lose the move as answers.
    beaten: [u64; MAX_CARDS],
    /// For each distinct card that the seat *first* foreplaces, the bit set of the slots (places in the deck) whose cards the seat
    /// *second* may not foreplace.
    barred: [u64; MAX_CARDS],
    may_demand: u64,
    /// Points of a mate, by the led card, the number of the move, and the players who foreplaced a card. The index in
    /// the inner array is the sum of 1 if the leader foreplaced a card, and 2 if the follower foreplaced a card.
    points: Vec<[i32; 4]>,
}

/// Legal actions of the player whose turn it is: a bit set of slots (places in the deck) for each kind of action.
#[derive(Clone, Copy, Default)]
pub(crate) struct Legal {
    play: u64,
    foreplace: u64,
    decline: bool,
    demand: u64,
    free: u64,
}

/// State of one game, as a few machine words.
#[derive(Clone, Copy)]
pub(crate) struct State {
    hands: [u64; 2],
    /// Bit set of the slots (places in the deck) of the cards that were dealt to the seat *first*.
    dealt: u64,
    legal: Legal,
    /// Slot (place in the deck) of the card that each seat foreplaced. The sentinel values are `NO_CARD` for no card and
    /// `UNDECIDED` for no choice yet.
    foreplaced: [u8; 2],
    leader: u8,
    lead: u8,
    pub(crate) to_act: u8,
    moves: u8,
    demanded: bool,
    free_used: bool,
}

/// Final points for the seat *first* in a finished game, or `None` for an unfinished game.
pub(crate) type Ended = Option<i32>;

impl Kernel {
    pub(crate) fn new(rules: &Arc<RuleSet>) -> Self {
        let deck = rules.deck();
        let distinct: Vec<Card> = deck.distinct(deck.all()).collect();
        let mut copies = [0; MAX_CARDS];
        let mut card_of = [0; MAX_CARDS];
        let mut beaten = [0; MAX_CARDS];
        let mut barred = [0; MAX_CARDS];
        let slots_where = |wanted: &dyn Fn(Card) -> bool| {
            deck.all().slots().filter(|slot| wanted(deck.card_at(*slot))).collect::<CardSet>().0
        };
        let is_restricted = rules.foreplacing().is_some_and(|rule| rule.second_restricted);
        for (number, &card) in (0u8..).zip(&distinct) {
            let at = usize::from(number);
            copies[at] = deck.slots_of(card).0;
            beaten[at] = slots_where(&|answer| card.wins_over(answer));
            for slot in deck.slots_of(card).slots() {
                card_of[usize::from(slot)] = number;
            }
            if is_restricted {
                barred[at] = (deck.of_suit(card.suit) | deck.of_rank(card.rank)).0;
            }
        }
        let answers = [false, true].map(|demanded| {
            let sets = |&card: &Card| {
                let tiers = rules.answers_in_order(Lead { card, demanded });
                let mut sets = AnswerSets::default();
                for (set, tier) in sets.tiers.iter_mut().zip(tiers.as_slice()) {
                    *set = tier.cards.0;
                }
                sets.second_is_free_move =
                    tiers.as_slice().last().is_some_and(|tier| tier.free_move);
                sets
            };
            distinct.iter().map(sets).collect()
        });
        let hand_size = rules.hand_size();
        let mut points = Vec::new();
        for &card in &distinct {
            for move_number in 0..=hand_size {
                points.push([0, 1, 2, 3].map(|who| {
                    let foreplaced = BySeat { first: who & 1 > 0, second: who & 2 > 0 };
                    rules.mate(Seat::First, card, move_number, foreplaced).points()
                }));
            }
        }
        Self {
            layout: Layout::new(rules, distinct.len()),
            all_distinct: deck.all_distinct(),
            slots: hand_size * 2,
            hand_size,
            is_face_down: rules.foreplacing().is_some_and(|rule| rule.face == Face::Down),
            copies,
            card_of,
            answers,
            beaten,
            barred,
            may_demand: slots_where(&|card| rules.may_demand(card)),
            points,
            rules: Arc::clone(rules),
            distinct,
        }
    }

    /// Draws a random hand for the seat *first*, as a bit set of slots (places in the deck). All hands are equally likely.
    pub(crate) fn random_hand(&self, mut random: impl FnMut() -> u64) -> u64 {
        let mut places = [0u8; MAX_CARDS];
        for (place, slot) in places.iter_mut().zip(0u8..) {
            *place = slot;
        }
        let mut hand = 0;
        for left in (self.hand_size + 1..=self.slots).rev() {
            let chosen = scaled(random(), left);
            hand |= 1 << places[chosen];
            places[chosen] = places[usize::from(left) - 1];
        }
        hand
    }

    /// Returns the state at the start of a game in which the bit set `first` is the hand of the seat *first*.
    pub(crate) fn start(&self, first: u64) -> State {
        let all = (1u64 << self.slots) - 1;
        let undecided = if self.rules.foreplacing().is_some() { UNDECIDED } else { NO_CARD };
        let mut state = State {
            hands: [first, all & !first],
            dealt: first,
            legal: Legal::default(),
            foreplaced: [undecided; 2],
            leader: 0,
            lead: NO_CARD,
            to_act: 0,
            moves: 0,
            demanded: false,
            free_used: false,
        };
        // No game ends before its first action.
        let _ = self.settle(&mut state);
        state
    }

    /// Plays the action with the given number. Returns `None`, without any change, if the action is not legal.
    pub(crate) fn step(&self, state: &mut State, action: usize) -> Option<Ended> {
        let Layout { cards, foreplace, decline, demand, free, actions } = self.layout;
        let seat = usize::from(state.to_act);
        let legal = state.legal;
        if action < cards {
            let slot = self.copy_in(legal.play, action)?;
            self.play(state, slot, false);
        } else if action < decline {
            let slot = self.copy_in(legal.foreplace, action - foreplace)?;
            state.hands[seat] &= !(1 << slot);
            state.foreplaced[seat] = slot;
        } else if action < demand {
            legal.decline.then_some(())?;
            state.foreplaced[seat] = NO_CARD;
        } else if action < free {
            let slot = self.copy_in(legal.demand, action - demand)?;
            self.play(state, slot, false);
            state.demanded = true;
        } else if action < actions {
            let slot = self.copy_in(legal.free, action - free)?;
            self.play(state, slot, true);
        } else {
            return None;
        }
        Some(self.settle(state))
    }

    /// Returns the lowest slot (place in the deck) in the bit set `set` that holds a copy of the distinct card with the
    /// number `card`, or `None` without such a slot.
    #[allow(clippy::cast_possible_truncation, reason = "slots are below 64")]
    fn copy_in(&self, set: u64, card: usize) -> Option<u8> {
        let held = set & self.copies[card];
        (held != 0).then(|| held.trailing_zeros() as u8)
    }

    /// Plays the card in a slot (place in the deck), as a lead or as an answer.
    fn play(&self, state: &mut State, slot: u8, is_free: bool) {
        let seat = usize::from(state.to_act);
        state.hands[seat] &= !(1 << slot);
        if state.lead == NO_CARD {
            state.lead = slot;
            state.demanded = false;
            return;
        }
        state.free_used |= is_free;
        let (lead, leader) = (state.lead, state.leader);
        state.lead = NO_CARD;
        if self.beaten[usize::from(self.card_of[usize::from(lead)])] >> slot & 1 == 0 {
            state.leader = 1 - leader;
        }
        state.moves += 1;
        // If only one player has foreplaced, the card that they play in the last move but one returns to their hand.
        let holds = state.foreplaced.map(|card| card < UNDECIDED);
        if holds[0] != holds[1] && state.moves + 1 == self.hand_size {
            let owner = u8::from(holds[1]);
            state.hands[usize::from(owner)] |= 1 << if owner == leader { lead } else { slot };
        }
    }

    /// Recomputes the player to act and their legal actions after a change of the game state. Returns the final points for the seat
    /// *first* if the game has ended.
    fn settle(&self, state: &mut State) -> Ended {
        let mut legal = Legal::default();
        if let Some(seat) = state.foreplaced.iter().position(|card| *card == UNDECIDED) {
            state.to_act = u8::from(seat == 1);
            let bar = match state.foreplaced[0] {
                card if seat == 1 && card < UNDECIDED => {
                    self.barred[usize::from(self.card_of[usize::from(card)])]
                }
                _ => 0,
            };
            legal.decline = true;
            legal.foreplace = state.hands[seat] & !bar;
            state.legal = legal;
            return None;
        }
        let holds = state.foreplaced.map(|card| card < UNDECIDED);
        if state.lead == NO_CARD {
            state.to_act = state.leader;
            if state.moves >= self.hand_size - u8::from(holds[0] && holds[1]) {
                return Some(0);
            }
            legal.play = state.hands[usize::from(state.leader)];
            legal.demand = legal.play & self.may_demand;
            state.legal = legal;
            return None;
        }
        let leader = usize::from(state.leader);
        state.to_act = 1 - state.leader;
        let hand = state.hands[1 - leader];
        let card = usize::from(self.card_of[usize::from(state.lead)]);
        let AnswerSets { tiers: [first, second], second_is_free_move } =
            self.answers[usize::from(state.demanded)][card];
        legal.play = hand & first;
        if legal.play == 0 {
            legal.play = hand & second;
        } else if second_is_free_move && !state.free_used {
            legal.free = hand & second;
        }
        state.legal = legal;
        if legal.play != 0 {
            return None;
        }
        let who = usize::from(holds[leader]) + 2 * usize::from(holds[1 - leader]);
        let row = card * (usize::from(self.hand_size) + 1) + usize::from(state.moves) + 1;
        let points = self.points[row][who];
        Some(if leader == 0 { points } else { -points })
    }

    /// Writes the mask of legal actions: 1 for each legal action, and 0 for all other actions.
    pub(crate) fn write_mask(&self, state: &State, row: &mut [u8; BUFFER]) {
        let Layout { cards, foreplace, decline, demand, free, actions } = self.layout;
        let legal = &state.legal;
        self.write_set(row, 0, legal.play);
        if foreplace < decline {
            self.write_set(row, foreplace, legal.foreplace);
            row[decline] = u8::from(legal.decline);
        }
        if demand < free {
            self.write_set(row, demand, legal.demand);
        }
        if free < actions {
            self.write_set(row, free, legal.free);
        }
        debug_assert!(actions >= cards, "every rule set has plain plays");
    }

    /// Writes one byte for each distinct card to a buffer: 1 if a set of slots (places in the deck) contains a copy of
    /// the card, otherwise 0. The bytes begin at the index `at`. Up to seven bytes after the written bytes are cleared.
    fn write_set(&self, row: &mut [u8; BUFFER], at: usize, set: u64) {
        let set = if self.all_distinct { set } else { self.distinct_bits(set) };
        for part in 0..self.layout.cards.div_ceil(8) {
            let bytes = SPREAD[(set >> (8 * part) & 0xff) as usize].to_le_bytes();
            row[at + 8 * part..at + 8 * part + 8].copy_from_slice(&bytes);
        }
    }

    /// Converts a bit set of slots (places in the deck) to a bit set of the distinct cards in these slots.
    fn distinct_bits(&self, set: u64) -> u64 {
        let bit = |card: usize| u64::from(set & self.copies[card] != 0) << card;
        (0..self.layout.cards).map(bit).fold(0, |bits, bit| bits | bit)
    }

    /// Writes one byte for each distinct card to a buffer: the number of copies of the card in a set of slots (places
    /// in the deck). The bytes begin at the index `at`.
    #[allow(clippy::cast_possible_truncation, reason = "a deck has at most 60 cards")]
    fn write_counts(&self, row: &mut [u8; BUFFER], at: usize, set: u64) {
        if self.all_distinct {
            return self.write_set(row, at, set);
        }
        for card in 0..self.layout.cards {
            row[at + card] = (set & self.copies[card]).count_ones() as u8;
        }
    }

    /// Returns the size of an observation of a game, in bytes.
    pub(crate) fn observation_size(&self) -> usize {
        PLANES * self.layout.cards + SCALARS
    }

    /// Writes the observation of a game, from the viewpoint of a seat, to a buffer. The observation omits a card that the opponent
    /// foreplaced face down.
    pub(crate) fn write_observation(&self, state: &State, seat: u8, row: &mut [u8; BUFFER]) {
        let (own, other) = (usize::from(seat), usize::from(1 - seat));
        let bit = |slot: u8| if slot < UNDECIDED { 1u64 << slot } else { 0 };
        let placed = state.foreplaced.map(bit);
        let hidden = if self.is_face_down { placed[other] } else { 0 };
        let cards = self.layout.cards;
        self.write_counts(row, 0, state.hands[own]);
        self.write_counts(row, cards, state.hands[other] | hidden);
        self.write_set(row, 2 * cards, bit(state.lead));
        self.write_set(row, 3 * cards, placed[own]);
        self.write_set(row, 4 * cards, placed[other] & !hidden);
        let is_foreplacing = state.foreplaced.contains(&UNDECIDED);
        let is_lead = !is_foreplacing && state.lead == NO_CARD;
        let scalars: [u8; SCALARS] = [
            u8::from(is_foreplacing),
            u8::from(is_lead),
            u8::from(!is_foreplacing && !is_lead),
            u8::from(own == 0),
            u8::from(state.foreplaced[own] != UNDECIDED),
            u8::from(state.foreplaced[own] < UNDECIDED),
            u8::from(state.foreplaced[other] != UNDECIDED),
            u8::from(state.foreplaced[other] < UNDECIDED),
            state.moves,
            u8::from(state.free_used),
            u8::from(state.demanded && state.lead != NO_CARD),
            self.hand_size - u8::from(placed[0] != 0 && placed[1] != 0),
        ];
        row[PLANES * cards..PLANES * cards + SCALARS].copy_from_slice(&scalars);
    }

    /// Returns the number of a random legal action; all legal actions are equally likely.
    #[allow(clippy::cast_possible_truncation, reason = "a game has at most 241 actions")]
    pub(crate) fn random_action(&self, state: &State, random: u64) -> usize {
        let Layout { foreplace, decline, demand, free, .. } = self.layout;
        let Legal {
            play,
            foreplace: placeable,
            decline: may_decline,
            demand: demands,
            free: frees,
        } = state.legal;
        let sets = [(play, 0), (placeable, foreplace), (demands, demand), (frees, free)];
        let sets = sets.map(|(set, at)| {
            let bits = if self.all_distinct { set } else { self.distinct_bits(set) };
            (bits, at)
        });
        let total = u64::from(may_decline)
            + sets.iter().map(|(bits, _)| u64::from(bits.count_ones())).sum::<u64>();
        let mut chosen = scaled(random, total as u8);
        for (mut bits, at) in sets {
            let count = bits.count_ones() as usize;
            if chosen < count {
                for _ in 0..chosen {
                    bits &= bits - 1;
                }
                return at + bits.trailing_zeros() as usize;
            }
            chosen -= count;
        }
        decline
    }
}

impl State {
    /// Returns the hand that was dealt to the seat *first*, as a set of slots (places in the deck).
    pub(crate) fn dealt(&self) -> CardSet {
        CardSet(self.dealt)
    }
}

/// Scales a 64-bit random number to a random number below `limit`. The bias is below 2⁻⁵⁶.
#[allow(clippy::cast_possible_truncation, reason = "the result is below the limit")]
fn scaled(random: u64, limit: u8) -> usize {
    ((u128::from(random) * u128::from(limit)) >> 64) as usize
}
