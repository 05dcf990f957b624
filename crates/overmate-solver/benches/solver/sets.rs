//! Defines the sets of games that the benchmarks solve. Each set states the correct sum of its games' values.

use std::sync::Arc;

use overmate_rules::{Game, RuleSet};

use crate::chance::{Chance, most_held, rules};

/// Benchmark set of games, with the correct sum of the games' values, in points for seat *first*.
pub(crate) struct Set {
    pub(crate) games: Vec<Game>,
    pub(crate) sum: i32,
}

impl Set {
    /// Creates a benchmark set of `count` random deals before their first action, where `sum` is the correct sum of the deals' values.
    fn of_deals(rules: &Arc<RuleSet>, count: usize, sum: i32) -> Self {
        let mut chance = Chance(100);
        Self { games: (0..count).map(|_| chance.game(rules)).collect(), sum }
    }
}

/// Returns random deals before their first action, under a rule set without foreplacing.
pub(crate) fn plain_deals() -> Set {
    Set::of_deals(&rules("bga"), 200, 1_881)
}

/// Returns random deals before their first action, under a rule set with a free move but without
/// foreplacing.
pub(crate) fn plain_deals_with_free_move() -> Set {
    Set::of_deals(&rules("bga+free-move"), 200, 538)
}

/// Returns random deals before their first action, under a rule set with foreplacing.
pub(crate) fn deals_with_foreplacing() -> Set {
    Set::of_deals(&rules("sackson"), 20, 54)
}

/// Returns random deals before their first action, under a rule set with foreplacing and a free
/// move.
pub(crate) fn deals_with_free_move() -> Set {
    Set::of_deals(&rules("sackson+free-move"), 20, -195)
}

/// Returns random deals under a rule set with a 20-card deck and with more different scores than a byte can encode.
pub(crate) fn deals_with_many_scores() -> Set {
    const TOML: &str = r#"
        name = "many scores"
        [deck]
        suits = [
            { letter = "c", name = "clubs" }, { letter = "s", name = "spades" },
            { letter = "h", name = "hearts" },
        ]
        ranks = [
            { letter = "A", name = "A", value = 997 }, { letter = "K", name = "K", value = 991 },
            { letter = "Q", name = "Q", value = 983 }, { letter = "J", name = "J", value = 977 },
            { letter = "T", name = "T", value = 971 }, { letter = "9", name = "9", value = 967 },
            { letter = "8", name = "8", value = 953 }, { letter = "7", name = "7", value = 947 },
            { letter = "6", name = "6", value = 941 }, { letter = "5", name = "5", value = 937 },
            { letter = "4", name = "4", value = 929 }, { letter = "3", name = "3", value = 919 },
            { letter = "2", name = "2", value = 911 }, { letter = "B", name = "B", value = 907 },
        ]
        cards = ["Ac Qc Jc 9c 8c 5c 2c", "As Ks Js Ts 7s 4s Bs", "Kh Qh Th 9h 6h 3h"]
    "#;
    Set::of_deals(&RuleSet::from_toml(TOML).unwrap().shared(), 20, 49_360)
}

/// Returns ten random Pinochle games, each played until a card must be led from hands of `cards` cards.
pub(crate) fn pinochle_ends(cards: u32) -> Set {
    let rules = rules("bga+pinochle");
    let mut chance = Chance(101);
    let mut games = Vec::new();
    while games.len() < 10 {
        let game = chance.game(&rules);
        let game = chance.play_down(game, cards, 200);
        if game.outcome().is_none()
            && most_held(game.position()) == cards
            && game.position().lead().is_none()
        {
            games.push(game);
        }
    }
    let sum = PINOCHLE_SUMS.iter().find(|(known, _)| *known == cards);
    Set { games, sum: sum.map_or(i32::MIN, |(_, sum)| *sum) }
}

/// Correct sums of the values of the late Pinochle positions that [`pinochle_ends`] returns, for hands of 6, 8, 10 and 12 cards.
pub(crate) const PINOCHLE_SUMS: [(u32, i32); 4] = [(6, 1_466), (8, 1_143), (10, 102), (12, -417)];

/// Returns a finished game, with the sum of the points that both players lost against best play.
pub(crate) fn played_game() -> (Game, u32) {
    let mut chance = Chance(102);
    let game = chance.game(&rules("sackson"));
    (chance.play_down(game, 0, 200), 784)
}
