//! Implements Mate slowly and plainly, from the text of the rules alone, as a test oracle.
//!
//! The implementation shares no code with the crates that it checks. Comments in quotation marks
//! cite the rules.
#![allow(dead_code, unreachable_pub, clippy::pedantic, reason = "plain words before neat code")]

use std::collections::HashMap;

/// Card of the deck, named by its suit and rank. Identical cards of a double deck are equal. The
/// derived order is the order of the deck: suit by suit, from high to low, so that a higher card
/// compares as less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card {
    /// Index of the suit in the deck's order, 0 for the highest suit.
    pub suit: u8,
    /// Index of the rank in the deck's order, 0 for the highest rank.
    pub rank: u8,
}

/// Seat in a game: *first* or *second*. The rules define these words: "**First** is the player who leads to the first move. **Second** is
/// the opponent."
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seat {
    First = 0,
    Second = 1,
}

impl Seat {
    pub fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

/// Base of a rule set: one of the five published sets of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    Sackson,
    Pagat,
    Denexa,
    Bga,
    Rael,
}

/// State of a player's choice to foreplace (set aside) a card: undecided, declined, or with a foreplaced card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Foreplacing {
    Undecided,
    Nothing,
    Card(Card),
}

/// Unanswered led card, and whether an answer in rank or an answer in suit takes precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Led {
    pub card: Card,
    /// Whether the follower must answer in rank if possible: by a privilege or, in the rule set `rael`, by a demand.
    pub rank_first: bool,
}

/// State of a game: both hands, the move number, the leader and the led card. Arrays have one entry
/// for *first* and one for *second*.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// Cards in each player's hand, in ascending order.
    pub hands: [Vec<Card>; 2],
    pub foreplacings: [Foreplacing; 2],
    /// Number of the current move, from 1. After a draw, the field holds the number of the last move plus one.
    pub move_number: usize,
    pub leader: Seat,
    pub led: Option<Led>,
    pub free_move_used: bool,
}

impl State {
    fn foreplaced(&self, seat: Seat) -> bool {
        matches!(self.foreplacings[seat as usize], Foreplacing::Card(_))
    }

    fn exactly_one_foreplaced(&self) -> bool {
        self.foreplaced(Seat::First) != self.foreplaced(Seat::Second)
    }
}

/// Action of a player, as the rules define the word: "An **action** is one decision of a player: foreplacing or declining, leading,
/// following."
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Foreplace(Option<Card>),
    Lead { card: Card, demand: bool },
    Follow { card: Card, free_move: bool },
}

/// Rule set of the naive reference implementation: published rules, variations and a deck.
#[derive(Debug, Clone)]
pub struct Rules {
    pub base: Base,
    pub foreplacing: bool,
    pub free_move: bool,
    pub kings_privilege: bool,
    pub figure_privilege: bool,
    /// Letters of the suits, from the highest suit to the lowest.
    pub suits: Vec<char>,
    /// Letters and values of the ranks, from the highest rank to the lowest.
    pub ranks: Vec<(char, i32)>,
    /// Cards of the deck, in the order that determines the deal numbers.
    pub deck: Vec<Card>,
}

const FRENCH_RANKS: [(char, i32); 5] = [('A', 11), ('T', 10), ('K', 4), ('Q', 3), ('7', 7)];
const CHESS_RANKS: [(char, i32); 5] = [('K', 11), ('Q', 10), ('R', 7), ('B', 4), ('N', 3)];
const PINOCHLE_RANKS: [(char, i32); 6] =
    [('A', 11), ('T', 10), ('K', 4), ('Q', 3), ('J', 2), ('9', 9)];

impl Rules {
    /// Returns the rule set with a name such as `sackson+double+free-move`. The variations in the
    /// name may have any order.
    pub fn named(name: &str) -> Option<Rules> {
        let has = |variation: &str| name.split('+').skip(1).any(|part| part == variation);
        let chess = name.split('+').next() == Some("rael");
        let (suits, ranks) = match (chess, has("pinochle")) {
            (_, true) => ("cshd", PINOCHLE_RANKS.as_slice()),
            (false, false) => ("cshd", FRENCH_RANKS.as_slice()),
            (true, false) => ("bgyr", CHESS_RANKS.as_slice()),
        };
        // Ranks of each suit in the deck, from the highest suit.
        let letters = match (chess, has("double"), has("pinochle")) {
            (_, true, true) => return None,
            (_, false, true) => ["AATTKKQQJJ99"; 4],
            (false, true, false) => ["ATK77", "ATKK7", "ATTK7", "AATK7"],
            (true, true, false) => ["KQRNN", "KQRRN", "KQQRN", "KKQRN"],
            (false, false, false) => ["ATKQ7"; 4],
            (true, false, false) => ["KQRBN"; 4],
        };
        let cards: Vec<String> = (suits.chars().zip(letters))
            .flat_map(|(suit, letters)| letters.chars().map(move |rank| format!("{rank}{suit}")))
            .collect();
        let cards: Vec<&str> = cards.iter().map(String::as_str).collect();
        Rules::custom(name, suits, ranks, &cards)
    }

    /// Creates a rule set with a custom deck and the rules of the catalogue rule set `name`.
    ///
    /// The parameters `suits` and `ranks` go from high to low; `cards` is a multiset of an even
    /// size of at least four.
    pub fn custom(name: &str, suits: &str, ranks: &[(char, i32)], cards: &[&str]) -> Option<Rules> {
        let mut parts = name.split('+');
        let base = match parts.next()? {
            "sackson" => Base::Sackson,
            "pagat" => Base::Pagat,
            "denexa" => Base::Denexa,
            "bga" => Base::Bga,
            "rael" => Base::Rael,
            _ => return None,
        };
        let mut rules = Rules {
            base,
            // "`bga` has no foreplacing."
            foreplacing: base != Base::Bga,
            free_move: false,
            kings_privilege: false,
            figure_privilege: false,
            suits: suits.chars().collect(),
            ranks: ranks.to_vec(),
            deck: Vec::new(),
        };
        for part in parts {
            match part {
                "double" | "pinochle" => {}
                "free-move" => rules.free_move = true,
                "kings-privilege" => rules.kings_privilege = true,
                "figure-privilege" => rules.figure_privilege = true,
                "no-foreplacing" => rules.foreplacing = false,
                _ => return None,
            }
        }
        rules.deck = rules.sorted_hand(cards);
        assert!(rules.deck.len() >= 4 && rules.deck.len().is_multiple_of(2));
        Some(rules)
    }

    /// Returns the number of cards in each dealt hand, called h in the rules: "With *h* cards a hand".
    pub fn hand_size(&self) -> usize {
        self.deck.len() / 2
    }

    /// Returns the deal with a given deal number, which is the colexicographic rank of the hand of
    /// seat *first*. The rules say: "the colexicographic rank of the slots s₁ < s₂ < … that *first* holds".
    pub fn deal(&self, number: u64) -> State {
        let choose = |n: u64, k: u64| (0..k).fold(1, |c, i| c * n.saturating_sub(i) / (i + 1));
        let mut rest = number;
        let mut hands = [Vec::new(), Vec::new()];
        let mut i = self.hand_size() as u64;
        for (slot, &card) in self.deck.iter().enumerate().rev() {
            // The deal number is "the sum of C(sᵢ, i)", where sᵢ is the deck index of the i-th card of *first*. From the highest index s
            // down, *first* holds the card at s exactly if C(s, i) is at most the rest of the number.
            let held = i > 0 && choose(slot as u64, i) <= rest;
            if held {
                rest -= choose(slot as u64, i);
                i -= 1;
            }
            hands[usize::from(!held)].push(card);
        }
        assert!(rest == 0 && i == 0, "there is no deal {number}");
        self.start(hands)
    }

    /// Returns a deal in which seat *first* and seat *second* get the given cards.
    pub fn deal_from(&self, first: &[&str], second: &[&str]) -> State {
        self.start([self.sorted_hand(first), self.sorted_hand(second)])
    }

    fn start(&self, mut hands: [Vec<Card>; 2]) -> State {
        hands.iter_mut().for_each(|hand| hand.sort());
        let mut all = hands.concat();
        all.sort();
        assert_eq!(all, self.deck, "the hands are not the deck");
        assert_eq!(hands[0].len(), hands[1].len());
        let undecided =
            if self.foreplacing { Foreplacing::Undecided } else { Foreplacing::Nothing };
        State {
            hands,
            foreplacings: [undecided; 2],
            move_number: 1,
            leader: Seat::First,
            led: None,
            free_move_used: false,
        }
    }

    /// Parses the name of a card, such as `Tc`.
    pub fn card(&self, name: &str) -> Card {
        let mut letters = name.chars();
        let (rank, suit) = (letters.next().unwrap(), letters.next().unwrap());
        assert_eq!(letters.next(), None, "{name} is no card");
        Card {
            suit: self.suits.iter().position(|&s| s == suit).unwrap() as u8,
            rank: self.ranks.iter().position(|&(r, _)| r == rank).unwrap() as u8,
        }
    }

    pub fn sorted_hand(&self, names: &[&str]) -> Vec<Card> {
        let mut cards: Vec<Card> = names.iter().map(|name| self.card(name)).collect();
        cards.sort();
        cards
    }

    /// Returns the name of a card, with the letter of the rank before the letter of the suit.
    pub fn card_name(&self, card: Card) -> String {
        let (rank, _) = self.ranks[usize::from(card.rank)];
        format!("{rank}{}", self.suits[usize::from(card.suit)])
    }

    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Foreplace(None) => "-".to_string(),
            Action::Foreplace(Some(card)) => format!("({})", self.card_name(card)),
            Action::Lead { card, demand: true } => self.card_name(card) + "!",
            Action::Follow { card, free_move: true } => self.card_name(card) + "*",
            Action::Lead { card, .. } | Action::Follow { card, .. } => self.card_name(card),
        }
    }

    /// Returns whether the variations of the rule set give a led card a privilege. Such a card is a king or, in some variations, a queen.
    /// The rules say: "a follower must answer a king with a king" and "the king's privilege for kings and queens".
    fn privileged(&self, card: Card) -> bool {
        match self.ranks[usize::from(card.rank)].0 {
            'K' => self.kings_privilege || self.figure_privilege,
            'Q' => self.figure_privilege,
            _ => false,
        }
    }

    /// Returns the points of a mate with a given card in a given move. The points are positive
    /// whichever seat gives mate.
    pub fn score(
        &self,
        card: Card,
        move_number: usize,
        mater_foreplaced: bool,
        mated_foreplaced: bool,
    ) -> i32 {
        let value = self.ranks[usize::from(card.rank)].1;
        let number = move_number as i32;
        // "A mate scores the **points of the mating card × the number of the move**."
        let plain = value * number;
        // A mate by a player who foreplaced usually scores as if it were given one move later. The rules say that such a mate "counts one
        // move more".
        let one_move_more = value * (number + 1);
        // If only one player foreplaced, a mate in the last possible move can be an overmate. The rules describe "a mate in that extra move
        // *h*" as "an **overmate**", and say that "their card of move *h* − 1 is played again in move *h*".
        let overmate = mater_foreplaced != mated_foreplaced && move_number == self.hand_size();
        match (self.base, mater_foreplaced, mated_foreplaced) {
            (_, false, false) => plain,
            // In `rael`, a mate by the only player who foreplaced is "doubled". If both players foreplaced, a mate "counts one move more".
            (Base::Rael, true, false) => plain * 2,
            (Base::Rael, true, true) => one_move_more,
            (Base::Rael, false, true) => plain,
            // In `sackson`, an overmate is "doubled for either player". In `pagat` and `denexa`, a mate in the extra move is "an overmate
            // for the player who foreplaced; plain for the opponent".
            (_, true, _) if overmate => one_move_more * 2,
            (Base::Sackson, false, true) if overmate => plain * 2,
            (_, true, _) => one_move_more,
            (_, false, true) => plain,
        }
    }

    /// Returns two lists of legal answers to a led card: the answers without the free move, and the
    /// answers by the free move.
    fn answers(&self, state: &State, led: Led) -> (Vec<Card>, Vec<Card>) {
        let hand = &state.hands[state.leader.other() as usize];
        let suit = |card: &Card| card.suit == led.card.suit;
        let rank = |card: &Card| card.rank == led.card.rank;
        // Without a privilege, the follower must answer in the led suit if possible, and otherwise in the led rank. The rules say: "The
        // other must answer with a card of the same **suit**. A player without such a card must answer with a card of the same **rank**."
        // Under the privilege, "a follower must answer a king with a king; without a king, with the suit".
        let is_due = |card: &Card| {
            if led.rank_first { rank(card) } else { suit(card) }
        };
        let mut due: Vec<Card> = hand.iter().copied().filter(is_due).collect();
        // A card with the suit and the rank of the led card is legal without the free move. The card therefore does not count as an answer
        // "in rank instead".
        let is_instead = |card: &Card| (suit(card) || rank(card)) && !is_due(card);
        let mut instead: Vec<Card> = hand.iter().copied().filter(is_instead).collect();
        // "Identical cards in one hand give one action."
        due.dedup();
        instead.dedup();
        if due.is_empty() {
            // "A follower without a card of the suit follows in rank without using the free move."
            (instead, Vec::new())
        } else if self.free_move && !state.free_move_used {
            // "once in a game, a follower who holds the suit may answer in rank instead". Under a privilege, a follower may "answer in suit
            // although they hold the rank".
            (due, instead)
        } else {
            (due, Vec::new())
        }
    }

    /// Returns the number of moves in a game without a mate.
    fn last_move(&self, state: &State) -> usize {
        if state.foreplaced(Seat::First) && state.foreplaced(Seat::Second) {
            // If both players foreplaced, the game has "at most *h* − 1 moves", where *h* is the number of cards dealt to each hand.
            self.hand_size() - 1
        } else {
            // The rules say: "With *h* cards a hand there are at most *h* moves." If only one player foreplaced, the last move is possible
            // because "their card of move *h* − 1 is played again in move *h*".
            self.hand_size()
        }
    }

    /// Returns the final points for seat *first*, or `None` if the game is not over.
    pub fn outcome(&self, state: &State) -> Option<i32> {
        let Some(led) = state.led else {
            // "Without a mate the game is **drawn**, and nobody scores."
            return (state.move_number > self.last_move(state)).then_some(0);
        };
        // About a follower with no card of the led suit or rank: "A player with neither is **mated**: the game ends and the leader
        // scores."
        if !self.answers(state, led).0.is_empty() {
            return None;
        }
        let mater = state.leader;
        let (own, others) = (state.foreplaced(mater), state.foreplaced(mater.other()));
        let points = self.score(led.card, state.move_number, own, others);
        Some(if mater == Seat::First { points } else { -points })
    }

    /// Returns the seat whose turn it is, or `None` if the game is over.
    pub fn to_act(&self, state: &State) -> Option<Seat> {
        self.outcome(state).is_none().then(|| turn(state))
    }

    /// Returns the names of all distinct legal actions. The list is empty if the game is over.
    pub fn legal(&self, state: &State) -> Vec<String> {
        let actions = self.actions(state);
        actions.into_iter().map(|action| self.action_name(action)).collect()
    }

    fn actions(&self, state: &State) -> Vec<Action> {
        if self.outcome(state).is_some() {
            return Vec::new();
        }
        let seat = turn(state);
        // "Identical cards in one hand give one action."
        let mut hand = state.hands[seat as usize].clone();
        hand.dedup();
        let mut actions = Vec::new();
        if state.foreplacings[seat as usize] == Foreplacing::Undecided {
            // "Before the first lead, *first* may take one card out of their hand. *Second* sees whether *first* did, and may then do the
            // same."
            actions.push(Action::Foreplace(None));
            for card in hand {
                // In `sackson` and `pagat`, *second* may not "take the suit or rank of *first*'s card".
                let barred = match (self.base, seat, state.foreplacings[0]) {
                    (Base::Sackson | Base::Pagat, Seat::Second, Foreplacing::Card(firsts)) => {
                        card.suit == firsts.suit || card.rank == firsts.rank
                    }
                    _ => false,
                };
                if !barred {
                    actions.push(Action::Foreplace(Some(card)));
                }
            }
        } else if let Some(led) = state.led {
            let (plain, free) = self.answers(state, led);
            actions.extend(plain.into_iter().map(|card| Action::Follow { card, free_move: false }));
            actions.extend(free.into_iter().map(|card| Action::Follow { card, free_move: true }));
        } else {
            for card in hand {
                actions.push(Action::Lead { card, demand: false });
                // In `rael` "the privilege is the leader's choice: with the lead of a king", the leader "**may** demand a king".
                if self.base == Base::Rael && self.privileged(card) {
                    actions.push(Action::Lead { card, demand: true });
                }
            }
        }
        actions
    }

    /// Returns the game state after an action, or `None` if the action is illegal.
    pub fn play(&self, state: &State, action: &str) -> Option<State> {
        let mut actions = self.actions(state).into_iter();
        let action = actions.find(|&legal| self.action_name(legal) == action)?;
        Some(self.after(state, action))
    }

    fn after(&self, state: &State, action: Action) -> State {
        let mut next = state.clone();
        let seat = turn(state);
        match action {
            Action::Foreplace(None) => {
                next.foreplacings[seat as usize] = Foreplacing::Nothing;
            }
            Action::Foreplace(Some(card)) => {
                // "A foreplaced card takes no part in the play."
                take(&mut next.hands[seat as usize], card);
                next.foreplacings[seat as usize] = Foreplacing::Card(card);
            }
            Action::Lead { card, demand } => {
                take(&mut next.hands[seat as usize], card);
                let rank_first = match self.base {
                    // A follower in `rael` answers in rank first only after a demand: "Without the demand, suit comes before rank."
                    Base::Rael => demand,
                    _ => self.privileged(card),
                };
                next.led = Some(Led { card, rank_first });
            }
            Action::Follow { card, free_move } => {
                take(&mut next.hands[seat as usize], card);
                let led = next.led.take().expect("a card was led").card;
                next.free_move_used |= free_move;
                // "Of two cards of one suit the higher card wins the move. Of two cards of one rank the card of the higher suit wins. Of
                // two identical cards the card that was led wins." A lower index means a higher suit or rank.
                let follower_wins =
                    if card.suit == led.suit { card.rank < led.rank } else { card.suit < led.suit };
                // In the last move but one, the only player who foreplaced takes the played card back into their hand. The rules say:
                // "their card of move *h* − 1 is played again in move *h*".
                if state.exactly_one_foreplaced() && state.move_number == self.hand_size() - 1 {
                    if state.foreplaced(seat) {
                        next.hands[seat as usize].push(card);
                    } else {
                        next.hands[seat.other() as usize].push(led);
                    }
                }
                // "The winner leads to the next move."
                next.leader = if follower_wins { seat } else { seat.other() };
                next.move_number += 1;
            }
        }
        next
    }

    /// Returns the number of sequences of exactly `depth` legal actions from a game state on.
    pub fn count(&self, state: &State, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let actions = self.actions(state).into_iter();
        actions.map(|action| self.count(&self.after(state, action), depth - 1)).sum()
    }
}

/// Returns the seat whose turn it is in an unfinished game.
fn turn(state: &State) -> Seat {
    if state.foreplacings[0] == Foreplacing::Undecided {
        Seat::First
    } else if state.foreplacings[1] == Foreplacing::Undecided {
        Seat::Second
    } else if state.led.is_none() {
        state.leader
    } else {
        state.leader.other()
    }
}

fn take(hand: &mut Vec<Card>, card: Card) {
    let place = hand.iter().position(|&held| held == card).expect("the card is held");
    hand.remove(place);
}

/// Memoization key of a game state between two moves. The key holds everything that determines the rest of the game.
///
/// Of a foreplaced card only its existence is stored, because the card itself no longer matters.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    hands: [u64; 2],
    foreplaced: [bool; 2],
    move_number: usize,
    leader: Seat,
    free_move_used: bool,
}

/// Solver for best play by both seats, with every foreplaced card known to both players.
///
/// The solver keeps the value of each evaluated state between two moves, and reuses these values for further states and deals.
pub struct Solver<'a> {
    rules: &'a Rules,
    memo: HashMap<Key, i32>,
}

impl<'a> Solver<'a> {
    pub fn new(rules: &'a Rules) -> Self {
        let kinds = rules.suits.len() * rules.ranks.len();
        assert!(kinds <= 32, "a hand is a number of 32 digits");
        assert!(rules.deck.windows(4).all(|four| four[0] != four[3]), "a digit is below four");
        let memo = HashMap::new();
        Solver { rules, memo }
    }

    /// Returns the final points for seat *first* under best play from a game state on.
    pub fn value(&mut self, state: &State) -> i32 {
        if let Some(points) = self.rules.outcome(state) {
            return points;
        }
        // Only states between two moves are memoised, as such states recur in other orders of play.
        let between = state.led.is_none() && !state.foreplacings.contains(&Foreplacing::Undecided);
        if between && let Some(&value) = self.memo.get(&self.key(state)) {
            return value;
        }
        let actions = self.rules.actions(state).into_iter();
        let values = actions.map(|action| self.value(&self.rules.after(state, action)));
        let best = match turn(state) {
            Seat::First => values.max(),
            Seat::Second => values.min(),
        };
        let value = best.expect("a game that goes on has an action");
        if between {
            self.memo.insert(self.key(state), value);
        }
        value
    }

    fn key(&self, state: &State) -> Key {
        // Each hand is converted to a number to base four, in which each digit counts the held cards of one suit and rank.
        let number = |hand: &Vec<Card>| {
            let kind = |card: &Card| {
                u32::from(card.suit) * self.rules.ranks.len() as u32 + u32::from(card.rank)
            };
            hand.iter().map(|card| 4u64.pow(kind(card))).sum()
        };
        Key {
            hands: [number(&state.hands[0]), number(&state.hands[1])],
            foreplaced: [state.foreplaced(Seat::First), state.foreplaced(Seat::Second)],
            move_number: state.move_number,
            leader: state.leader,
            free_move_used: state.free_move_used,
        }
    }
}
