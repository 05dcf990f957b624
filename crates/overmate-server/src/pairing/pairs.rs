//! Chooses the pairs of players that play next in an arena or Swiss event, and the player who has a bye.

use std::collections::BTreeMap;

use super::matching::cheapest;

/// Player of an arena or Swiss event who needs an opponent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Contender {
    /// Player number in the arena or Swiss event.
    pub(crate) number: u32,
    /// Score of the player, in points.
    pub(crate) score: i32,
    /// Number of matches that the player has had against each earlier opponent, by the opponent's number. Each number is the same for both
    /// players.
    pub(crate) met: BTreeMap<u32, u32>,
    /// Number of byes that the player has had in the event.
    pub(crate) byes: u32,
}

/// Repetition that a pairing avoids first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Avoided {
    /// A bye of a player who had a bye before.
    Byes,
    /// A pair of players who have met before.
    Pairs,
}

/// Pairs of players that play next in an arena or Swiss event, and the player with a bye.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pairing {
    /// Pairs of players, given by the players' numbers in the arena or Swiss event. The pair with the highest score comes first.
    pub(crate) pairs: Vec<(u32, u32)>,
    /// Player without an opponent, given by their number in the event, or `None` for an even number of players.
    pub(crate) bye: Option<u32>,
}

/// Pairs all given players of an arena or Swiss event. With an odd number of players, one player has a bye.
///
/// The pairing is the best one by these criteria, in this order, but the second one comes first if `first` is [`Avoided::Pairs`]:
///
/// 1. as few byes as possible of players who had a bye before;
/// 2. as few repeated pairs as possible, where a pair counts once for each earlier match;
/// 3. the smallest sum of squared score differences. For a bye, the difference to the lowest score counts.
///
/// The criteria are combined into one cost. The pairs are a perfect matching of minimum cost, computed in O(n³) for n players.
/// Among equally good pairings, the order of the players decides.
pub(crate) fn pair(players: &[Contender], first: Avoided) -> Pairing {
    let lowest = players.iter().map(|player| player.score).min().unwrap_or(0);
    let highest = players.iter().map(|player| player.score).max().unwrap_or(0);
    let number = i64::try_from(players.len()).unwrap_or(i64::MAX);
    let largest = square(highest, lowest);
    // The weight of each pairing criterion exceeds the largest possible cost of all less important criteria together.
    let second = largest * number + 1;
    let above = |most: Option<u32>| (second * i64::from(most.unwrap_or(0)) + largest) * number + 1;
    let (of_bye, of_repeat) = match first {
        Avoided::Byes => {
            (above(players.iter().flat_map(|player| player.met.values().copied()).max()), second)
        }
        Avoided::Pairs => (second, above(players.iter().map(|player| player.byes).max())),
    };
    let with_bye = players.len() % 2;
    let mates = cheapest(players.len() + with_bye, |a, b| {
        let (Some(a), Some(b)) = (players.get(a), players.get(b)) else {
            // In the graph of the pairing, an additional vertex after the players stands for the bye. The player who is matched with this
            // vertex has the bye.
            return players.get(a.min(b)).map_or(0, |player| {
                of_bye * i64::from(player.byes) + square(player.score, lowest)
            });
        };
        let met = a.met.get(&b.number).copied().unwrap_or(0);
        of_repeat * i64::from(met) + square(a.score, b.score)
    });
    let mut pairing = Pairing::default();
    let mut places: Vec<(i32, usize, usize)> = Vec::new();
    for (a, &b) in mates.iter().enumerate().filter(|(a, b)| a < *b) {
        match (players.get(a), players.get(b)) {
            (Some(one), Some(other)) => places.push((-one.score.max(other.score), a, b)),
            (player, None) | (None, player) => pairing.bye = player.map(|player| player.number),
        }
    }
    places.sort_unstable();
    pairing.pairs =
        places.into_iter().map(|(_, a, b)| (players[a].number, players[b].number)).collect();
    pairing
}

fn square(one: i32, other: i32) -> i64 {
    let difference = i64::from(one) - i64::from(other);
    difference * difference
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// Cost of a pairing of players: repeated byes, repeated pairs, and the sum of squared score differences.
    type Cost = (u32, u32, i64);

    /// Returns the cost of a pairing with the repetition `first` in the first place.
    fn ordered((byes, pairs, scores): Cost, first: Avoided) -> Cost {
        match first {
            Avoided::Byes => (byes, pairs, scores),
            Avoided::Pairs => (pairs, byes, scores),
        }
    }

    fn cost(pairing: &Pairing, players: &[Contender]) -> Cost {
        let of = |number: u32| players.iter().find(|player| player.number == number).unwrap();
        let mut cost = (0, 0, 0);
        let lowest = players.iter().map(|player| i64::from(player.score)).min().unwrap_or(0);
        if let Some(bye) = pairing.bye {
            cost.0 += of(bye).byes;
            cost.2 += (i64::from(of(bye).score) - lowest).pow(2);
        }
        for (a, b) in &pairing.pairs {
            cost.1 += of(*a).met.get(b).copied().unwrap_or(0);
            cost.2 += (i64::from(of(*a).score) - i64::from(of(*b).score)).pow(2);
        }
        cost
    }

    /// Returns all possible pairings of the players whose numbers `free` holds.
    fn all(free: &[u32], bye: Option<u32>) -> Vec<Pairing> {
        let Some((first, rest)) = free.split_first() else {
            return vec![Pairing { pairs: Vec::new(), bye }];
        };
        let mut found = Vec::new();
        if free.len() % 2 == 1 && bye.is_none() {
            found.extend(all(rest, Some(*first)));
        }
        for index in 0..rest.len() {
            let mut left = rest.to_vec();
            let partner = left.remove(index);
            found.extend(all(&left, bye).into_iter().map(|mut pairing| {
                pairing.pairs.push((*first, partner));
                pairing
            }));
        }
        found
    }

    #[track_caller]
    fn check_complete(pairing: &Pairing, players: &[Contender]) {
        let mut seen: Vec<u32> = pairing.pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        seen.extend(pairing.bye);
        seen.sort_unstable();
        let mut numbers: Vec<u32> = players.iter().map(|player| player.number).collect();
        numbers.sort_unstable();
        assert_eq!(seen, numbers);
        assert_eq!(pairing.bye.is_some(), players.len() % 2 == 1);
    }

    #[test]
    fn no_other_pairing_of_few_players_is_better() {
        let mut random = Rng::with_seed(9);
        let (mut checked, mut with_repeats) = (0, 0);
        for _ in 0..800 {
            let count: u32 = random.u32(0..=8);
            let spread = *[1, 5, 400].get(random.usize(0..3)).unwrap();
            let mut players: Vec<Contender> = (0..count)
                .map(|index| Contender {
                    number: 3 * index + 1,
                    score: random.i32(-spread..=spread),
                    met: BTreeMap::new(),
                    byes: u32::from(random.u32(0..3) == 0),
                })
                .collect();
            for a in 0..players.len() {
                for b in 0..a {
                    if random.u32(0..10) < 6 {
                        let times = random.u32(1..=2);
                        let (one, other) = (players[a].number, players[b].number);
                        players[a].met.insert(other, times);
                        players[b].met.insert(one, times);
                    }
                }
            }
            let numbers: Vec<u32> = players.iter().map(|player| player.number).collect();
            let costs: Vec<Cost> =
                all(&numbers, None).iter().map(|pairing| cost(pairing, &players)).collect();
            for first in [Avoided::Byes, Avoided::Pairs] {
                let pairing = pair(&players, first);
                check_complete(&pairing, &players);
                let found = cost(&pairing, &players);
                let best = costs.iter().map(|cost| ordered(*cost, first)).min();
                assert_eq!(Some(ordered(found, first)), best, "{players:?}");
                with_repeats += u32::from(found.1 > 0);
                checked += 1;
            }
        }
        assert_eq!(checked, 1600);
        assert!(with_repeats > 20, "{with_repeats}");
    }

    /// Tests that the pairings of simulated Swiss events repeat no pair and no bye, as long as a pairing without repeats exists.
    #[test]
    fn an_event_of_many_players_repeats_neither_pairs_nor_byes() {
        let mut random = Rng::with_seed(64);
        let mut rounds = 0;
        for count in [2, 3, 4, 5, 9, 16, 33, 64] {
            let mut players: Vec<Contender> = (1..=count)
                .map(|number| Contender { number, score: 0, met: BTreeMap::new(), byes: 0 })
                .collect();
            // In the first half of the rounds of a round robin, a pairing without repeated pairs exists. In the graph of the unplayed
            // pairs, each vertex has at least half of all vertices as neighbours (Dirac, 1952).
            for _ in 0..count.div_ceil(2).min(7) {
                let pairing = pair(&players, Avoided::Byes);
                check_complete(&pairing, &players);
                assert_eq!(cost(&pairing, &players).0, 0);
                assert_eq!(cost(&pairing, &players).1, 0);
                let place = |number: u32| (number - 1) as usize;
                for (a, b) in pairing.pairs {
                    let points = random.i32(-60..=60);
                    players[place(a)].score += points;
                    players[place(b)].score -= points;
                    *players[place(a)].met.entry(b).or_default() += 1;
                    *players[place(b)].met.entry(a).or_default() += 1;
                }
                if let Some(bye) = pairing.bye {
                    players[place(bye)].byes += 1;
                }
                rounds += 1;
            }
        }
        assert_eq!(rounds, 1 + 2 + 2 + 3 + 5 + 7 + 7 + 7);
    }
}
