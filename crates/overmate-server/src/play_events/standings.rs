//! Computes the standings of an arena or Swiss event from its matches.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::store::EventRecord;

/// Row of a player in the standings of an arena or Swiss event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EventStanding {
    /// Player number in the arena or Swiss event.
    pub(crate) number: u32,
    /// Rank in the standings, from 1. Players with equal results share a rank.
    pub(crate) rank: u32,
    /// Sum of the player's points in all ended matches.
    pub(crate) points: i32,
    /// Number of the player's ended matches. A bye does not count.
    pub(crate) played: u32,
    /// Number of matches in which the player scored more points than the opponent.
    pub(crate) won: u32,
    /// Sum of the points that the player's opponents have in the standings. An opponent counts once for each match.
    pub(crate) opponents: i32,
    /// Number of byes that the player had in the event.
    pub(crate) byes: u32,
}

/// Returns the standings of an arena or Swiss event, the best player first.
///
/// Players are ordered by their points, then by the sum of the opponents' points, then by the matches won, each from high to
/// low. Players who are equal in all three share a rank, and stand in the order of their numbers.
pub(crate) fn standings(record: &EventRecord) -> Vec<EventStanding> {
    let mut found: BTreeMap<u32, EventStanding> = BTreeMap::new();
    for player in &record.players {
        let number = player.number;
        let (rank, points, played, won, opponents, byes) = (0, 0, 0, 0, 0, 0);
        let standing = EventStanding { number, rank, points, played, won, opponents, byes };
        found.insert(number, standing);
    }
    let ended = || {
        let ended = record.boards.iter().filter_map(|board| Some((board, board.points?)));
        ended.map(|(board, points)| (board.a, board.b, points))
    };
    for (a, b, points) in ended() {
        for (number, points) in [(Some(a), points), (b, -points)] {
            let standing = number.and_then(|number| found.get_mut(&number));
            let Some(standing) = standing else { continue };
            standing.points += points;
            standing.played += u32::from(b.is_some());
            standing.won += u32::from(points > 0);
            standing.byes += u32::from(b.is_none());
        }
    }
    let totals: BTreeMap<u32, i32> =
        found.values().map(|standing| (standing.number, standing.points)).collect();
    for (a, b, _) in ended() {
        let Some(b) = b else { continue };
        for (one, other) in [(a, b), (b, a)] {
            if let Some(standing) = found.get_mut(&one) {
                standing.opponents += totals.get(&other).copied().unwrap_or(0);
            }
        }
    }
    let key =
        |standing: &EventStanding| Reverse((standing.points, standing.opponents, standing.won));
    let mut ordered: Vec<EventStanding> = found.into_values().collect();
    ordered.sort_by_key(key);
    let mut last = None;
    for (place, standing) in (1..).zip(&mut ordered) {
        let is_equal = last.is_some_and(|(_, of_last)| of_last == key(standing));
        let rank = last.filter(|_| is_equal).map_or(place, |(rank, _)| rank);
        standing.rank = rank;
        last = Some((rank, key(standing)));
    }
    ordered
}
