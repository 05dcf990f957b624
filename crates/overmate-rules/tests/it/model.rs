//! Implements the game naively from the text of the rules, as a test oracle. The oracle shares no code and no data with the crate.

/// Card as a pair of rank letter and suit letter.
type Letters = (char, char);

/// Game in progress, in the naive implementation of the rules.
pub(crate) struct Model {
    base: String,
    variations: Vec<String>,
    ranks: &'static str,
    suits: &'static str,
    hands: [Vec<Letters>; 2],
    /// Card that each seat has foreplaced, in the order *first*, *second*; `None` after declining.
    foreplaced: Vec<Option<Letters>>,
    leader: usize,
    lead: Option<(Letters, bool)>,
    moves: usize,
    free_move_used: bool,
}

const DOUBLE: [&str; 4] = ["ATK77", "ATKK7", "ATTK7", "AATK7"];
const CHESS_DOUBLE: [&str; 4] = ["KQRNN", "KQRRN", "KQQRN", "KKQRN"];

impl Model {
    /// Creates a new game of the deal with the given deal number. The number is the sum of C(s, i) over the card indices s of the first
    /// hand.
    pub(crate) fn new(name: &str, number: u64) -> Self {
        let mut parts = name.split('+').map(str::to_owned);
        let base = parts.next().unwrap();
        let variations: Vec<String> = parts.collect();
        let has = |variation: &str| variations.iter().any(|known| known == variation);
        let chess = base == "rael" && !has("pinochle");
        let suits = if chess { "bgyr" } else { "cshd" };
        let ranks = match (chess, has("pinochle")) {
            (true, _) => "KQRBN",
            (_, true) => "ATKQJ9",
            _ => "ATKQ7",
        };
        let rows = match (chess, has("double"), has("pinochle")) {
            (true, true, _) => CHESS_DOUBLE,
            (false, true, _) => DOUBLE,
            (_, _, true) => ["AATTKKQQJJ99"; 4],
            _ => [ranks; 4],
        };
        let mut deck = Vec::new();
        for (suit, row) in suits.chars().zip(rows) {
            deck.extend(row.chars().map(|rank| (rank, suit)));
        }
        let size = deck.len() / 2;
        let mut rest = u128::from(number);
        let mut hands = [Vec::new(), Vec::new()];
        for slot in (0..deck.len()).rev() {
            let wanted = size - hands[0].len();
            let ways = choose(slot, wanted);
            if wanted > 0 && ways <= rest {
                rest -= ways;
                hands[0].push(deck[slot]);
            } else {
                hands[1].push(deck[slot]);
            }
        }
        assert_eq!(rest, 0, "the number is one of the deck's");
        let mut model = Self {
            base,
            variations,
            ranks,
            suits,
            hands,
            foreplaced: Vec::new(),
            leader: 0,
            lead: None,
            moves: 0,
            free_move_used: false,
        };
        if model.base == "bga" || model.has("no-foreplacing") {
            model.foreplaced = vec![None, None];
        }
        model
    }

    fn has(&self, variation: &str) -> bool {
        self.variations.iter().any(|known| known == variation)
    }

    pub(crate) fn hand_size(&self) -> usize {
        if self.has("pinochle") { 24 } else { 10 }
    }

    pub(crate) fn foreplacers(&self) -> usize {
        self.foreplaced.iter().flatten().count()
    }

    fn privileged(&self, (rank, _): Letters) -> bool {
        match rank {
            'K' => self.has("kings-privilege") || self.has("figure-privilege"),
            'Q' => self.has("figure-privilege"),
            _ => false,
        }
    }

    /// Returns two lists of legal answers to a lead: without the free move, and only by the free
    /// move.
    fn answers(&self, (led, demanded): (Letters, bool)) -> (Vec<Letters>, Vec<Letters>) {
        let hand = &self.hands[1 - self.leader];
        let of_suit: Vec<_> = hand.iter().copied().filter(|card| card.1 == led.1).collect();
        let of_rank: Vec<_> = hand.iter().copied().filter(|card| card.0 == led.0).collect();
        let privilege = self.privileged(led) && (self.base != "rael" || demanded);
        let [first, then] = if privilege { [of_rank, of_suit] } else { [of_suit, of_rank] };
        if first.is_empty() {
            return (then, Vec::new());
        }
        let free = if self.has("free-move") && !self.free_move_used { then } else { Vec::new() };
        let free = free.into_iter().filter(|card| !first.contains(card)).collect();
        (first, free)
    }

    /// Returns the points of a finished game from the view of seat `First`, or `None` for an unfinished game. Points of
    /// seat `Second` are negative.
    pub(crate) fn points(&self) -> Option<i32> {
        let both = self.foreplacers() == 2;
        let sole = self.foreplacers() == 1;
        let Some(lead) = self.lead else {
            let last = if both { self.hand_size() - 1 } else { self.hand_size() };
            return (self.foreplaced.len() == 2 && self.moves == last).then_some(0);
        };
        if !self.answers(lead).0.is_empty() {
            return None;
        }
        let mine = self.foreplaced[self.leader].is_some();
        let number = self.moves + 1;
        let extra = sole && number == self.hand_size();
        let (counts_as, doubled) = match self.base.as_str() {
            "rael" if mine && sole => (number, true),
            "rael" => (number + usize::from(mine), false),
            "sackson" => (number + usize::from(mine), extra),
            _ => (number + usize::from(mine), extra && mine),
        };
        let value = match (self.base.as_str(), self.has("pinochle"), lead.0.0) {
            ("rael", false, 'K') | (_, _, 'A') => 11,
            ("rael", false, 'Q') | (_, _, 'T') => 10,
            ("rael", false, 'B') | (_, _, 'K') => 4,
            (_, _, 'Q' | 'N') => 3,
            (_, _, 'R' | '7') => 7,
            (_, _, 'J') => 2,
            (_, _, '9') => 9,
            other => panic!("{other:?} has no value"),
        };
        let points = value * i32::try_from(counts_as).unwrap() * if doubled { 2 } else { 1 };
        Some(if self.leader == 0 { points } else { -points })
    }

    /// Returns the sorted legal actions as text, such as `Tc` or `(Tc)`. The list is empty if the game is over.
    pub(crate) fn legal(&self) -> Vec<String> {
        let mut actions = Vec::new();
        let mut add = |(rank, suit): Letters, form: &str| {
            actions.push(form.replace('x', &format!("{rank}{suit}")));
        };
        if self.points().is_some() {
        } else if self.foreplaced.len() < 2 {
            let restricted = matches!(self.base.as_str(), "sackson" | "pagat");
            let first = self.foreplaced.first().copied().flatten().filter(|_| restricted);
            for &card in &self.hands[self.foreplaced.len()] {
                if first.is_none_or(|first| first.0 != card.0 && first.1 != card.1) {
                    add(card, "(x)");
                }
            }
            actions.push("-".to_owned());
        } else if let Some(lead) = self.lead {
            let (plain, free) = self.answers(lead);
            for (cards, form) in [(plain, "x"), (free, "x*")] {
                for card in cards {
                    add(card, form);
                }
            }
        } else {
            for &card in &self.hands[self.leader] {
                add(card, "x");
                if self.base == "rael" && self.privileged(card) {
                    add(card, "x!");
                }
            }
        }
        actions.sort();
        actions.dedup();
        actions
    }

    /// Plays a legal action that is given as text, such as `Tc` or `(Tc)`.
    pub(crate) fn play(&mut self, action: &str) {
        let mut letters = action.chars().filter(char::is_ascii_alphanumeric);
        let card = letters.next().zip(letters.next());
        if self.foreplaced.len() < 2 {
            let seat = self.foreplaced.len();
            self.foreplaced.push(card);
            if let Some(card) = card {
                self.remove(seat, card);
            }
            return;
        }
        let card = card.expect("a card is played");
        let Some((led, _)) = self.lead.take() else {
            self.remove(self.leader, card);
            self.lead = Some((card, action.ends_with('!')));
            return;
        };
        let (leader, follower) = (self.leader, 1 - self.leader);
        self.remove(follower, card);
        self.free_move_used |= action.ends_with('*');
        let height = |all: &str, one: char| all.find(one).expect("the deck has it");
        // The function `height` returns the index of a rank or suit in a list from high to low, so the lower index wins. Of two identical
        // cards the led card wins.
        let follower_wins = if card.1 == led.1 {
            height(self.ranks, card.0) < height(self.ranks, led.0)
        } else {
            height(self.suits, card.1) < height(self.suits, led.1)
        };
        if follower_wins {
            self.leader = follower;
        }
        self.moves += 1;
        if self.foreplacers() == 1 && self.moves == self.hand_size() - 1 {
            let sole = usize::from(self.foreplaced[0].is_none());
            self.hands[sole].push(if sole == leader { led } else { card });
        }
    }

    fn remove(&mut self, seat: usize, card: Letters) {
        let place = self.hands[seat].iter().position(|held| *held == card);
        self.hands[seat].swap_remove(place.expect("the card is held"));
    }
}

fn choose(n: usize, k: usize) -> u128 {
    (0..k).fold(1, |ways, i| ways * (n.saturating_sub(i) as u128) / (i as u128 + 1))
}
