//! Decides which players of an arena or Swiss event play against each other next.

use std::collections::BTreeMap;

use hmac::Mac as _;
use overmate_rules::Player;

use super::standings::standings;
use crate::clocks::match_clock::MatchClock;
use crate::keyed_hash::keyed_hash;
use crate::matches::match_state::MatchState;
use crate::pairing::{Avoided, Contender, pair};
use crate::store::{Event, EventBoard, EventPlayer, EventRecord};

/// New pairs of players in an arena or Swiss event, with the player who has a bye.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pairs {
    /// Numbers of the two players of each new pair, and the index of the deal that the pair plays. The player who leads in the first game
    /// comes first.
    pub(crate) pairs: Vec<(u32, u32, u32)>,
    /// Player with a bye, given by their number in the event, or `None` if no player has a bye.
    pub(crate) bye: Option<u32>,
}

/// Returns the number of rounds of a Swiss event: the requested number, limited to the number of rounds of a round-robin.
pub(crate) fn rounds_of(wanted: u32, players: u32) -> u32 {
    wanted.min(if players.is_multiple_of(2) { players.saturating_sub(1) } else { players })
}

/// Returns the players of an arena or Swiss event who can be paired: they are present and are not playing.
fn free(record: &EventRecord) -> impl Iterator<Item = &EventPlayer> {
    let plays = |number: u32| {
        let mut running = record.boards.iter().filter(|board| board.points.is_none());
        running.any(|board| board.a == number || board.b == Some(number))
    };
    let players = record.players.iter();
    players.filter(move |one| one.is_present && one.person.is_some() && !plays(one.number))
}

/// Returns a player's pseudorandom number, which decides the order of players with equal results in an arena or Swiss event. The number is
/// derived from the secret key of the arena or Swiss event.
fn order_of(event: &Event, number: u32) -> u64 {
    let mut hash = keyed_hash(&event.secret);
    hash.update(format!("order {} {number}", event.step).as_bytes());
    hash.finalize().into_bytes().first_chunk().copied().map_or(0, u64::from_be_bytes)
}

/// Returns the pairs of players who meet in the next round of a Swiss event, and the player with a bye, if any.
pub(crate) fn pairs_of_round(record: &EventRecord) -> Pairs {
    let found = standings(record);
    let mut contenders: Vec<Contender> = free(record)
        .map(|player| {
            let own = found.iter().find(|standing| standing.number == player.number);
            let mut met: BTreeMap<u32, u32> = BTreeMap::new();
            for other in record.boards.iter().filter_map(|board| opponent(board, player.number)) {
                *met.entry(other).or_default() += 1;
            }
            let score = own.map_or(0, |own| own.points);
            let byes = own.map_or(0, |own| own.byes);
            Contender { number: player.number, score, met, byes }
        })
        .collect();
    contenders.sort_by_key(|one| (-one.score, order_of(&record.event, one.number)));
    let paired = pair(&contenders, Avoided::Byes);
    let place = record.event.round;
    let pairs = paired.pairs.into_iter().map(|(a, b)| seated(record, a, b, place)).collect();
    Pairs { pairs, bye: paired.bye }
}

/// Returns the new pairs of players in an arena. `now` and `pause` are in seconds.
///
/// A player is free again after a pause since their last match. If the number of free players is odd, one of the players who
/// became free last waits, if the others can then be paired without repetition. Two players who have just met do not meet again, unless
/// nobody else plays in the arena. They have just met if the last match of both was against each other.
pub(crate) fn pairs_of_arena(record: &EventRecord, now: i64, pause: i64) -> Pairs {
    let found = standings(record);
    let free_since = |player: &EventPlayer| {
        let own = record.boards.iter().filter(|board| opponent(board, player.number).is_some());
        own.filter_map(|board| board.ended_at).max().map_or(player.joined_at, |at| at + pause)
    };
    let ready: Vec<(&EventPlayer, i64)> = free(record)
        .map(|player| (player, free_since(player)))
        .filter(|(_, since)| *since <= now)
        .collect();
    let latest = ready.iter().map(|(_, since)| *since).max();
    let last = |number: u32| record.boards.iter().rev().find_map(|board| opponent(board, number));
    let just_met = |number: u32| last(number).filter(|other| last(*other) == Some(number));
    let mut contenders: Vec<Contender> = ready
        .iter()
        .map(|(player, since)| {
            let own = found.iter().find(|standing| standing.number == player.number);
            Contender {
                number: player.number,
                score: own.map_or(0, |own| own.points),
                met: just_met(player.number).into_iter().map(|other| (other, 1)).collect(),
                byes: u32::from(Some(*since) < latest),
            }
        })
        .collect();
    contenders.sort_by_key(|one| (-one.score, order_of(&record.event, one.number)));
    let paired = pair(&contenders, Avoided::Pairs);
    // A player in the pause after a match plays, too, so that two others wait for this player.
    let is_alone =
        free(record).count() == 2 && record.boards.iter().all(|board| board.points.is_some());
    let pairs = paired.pairs.into_iter().filter(|(a, b)| is_alone || just_met(*a) != Some(*b));
    let pairs = pairs.map(|(a, b)| seated(record, a, b, first_new_deal(record, a, b))).collect();
    Pairs { pairs, bye: None }
}

/// Returns a player's opponent in one match of an arena or Swiss event. Returns `None` for a bye, and for a match without the player.
fn opponent(board: &EventBoard, number: u32) -> Option<u32> {
    match (board.a, board.b?) {
        (a, b) if a == number => Some(b),
        (a, b) if b == number => Some(a),
        _ => None,
    }
}

/// Returns the index of the first deal of an arena that neither of two players has played.
fn first_new_deal(record: &EventRecord, a: u32, b: u32) -> u32 {
    let is_of = |board: &&EventBoard| opponent(board, a).is_some() || opponent(board, b).is_some();
    let played: Vec<Option<u32>> =
        record.boards.iter().filter(is_of).map(|board| board.place).collect();
    // The search for a new deal always succeeds, because the two players together have played at most as many deals as the event has
    // matches.
    let most = u32::try_from(record.boards.len()).unwrap_or(u32::MAX);
    (0..=most).find(|place| !played.contains(&Some(*place))).unwrap_or(most)
}

/// Orders the two players of a new match by how often each has had the first lead of a match in the event. The player with fewer first
/// leads comes first, and leads in the first game of the new match.
fn seated(record: &EventRecord, a: u32, b: u32, place: u32) -> (u32, u32, u32) {
    let led = |number: u32| {
        let led = record.boards.iter().filter(|board| board.a == number && board.b.is_some());
        (led.count(), order_of(&record.event, number))
    };
    if led(b) < led(a) { (b, a, place) } else { (a, b, place) }
}

/// Returns the player who has missed the time limit for their first action in a running match, or `None` if no player has. All times are in
/// seconds.
///
/// The player who leads must act within `show_time` from the start, and the other player within twice that time.
pub(crate) fn absent_player(
    state: &MatchState,
    began_at: i64,
    show_time: i64,
    now: i64,
) -> Option<Player> {
    let have_acted = state.clock().is_some_and(MatchClock::have_both_acted);
    let player = state.to_act().filter(|_| !have_acted)?;
    let is_begun = !state.play().games()[0].actions().is_empty();
    let time = if is_begun { 2 * show_time } else { show_time };
    (now > began_at + time).then_some(player)
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::clocks::clock_setting::ClockSetting;
    use crate::store::{EventKind, EventState, Holder};

    const PAUSE: i64 = 5;

    /// Returns an arena without boards, whose players have the numbers from 1 on.
    fn arena(players: u32) -> EventRecord {
        let event = Event {
            id: "arena".to_owned(),
            kind: EventKind::Arena { minutes: 60 },
            title: None,
            rules: "bga".to_owned(),
            clock: ClockSetting::Live { base: 180, increment: 2 },
            host: None,
            client_id: None,
            network: None,
            secret: [7; 32],
            made_at: 0,
            starts_at: 0,
            finished_at: None,
            state: EventState::Running,
            repeat_days: 0,
            round: 0,
            step: 0,
            version: 0,
        };
        let player = |number: u32| EventPlayer {
            number,
            person: Some(Holder([u8::try_from(number).expect("few players"); 32])),
            handle: None,
            has_profile: false,
            is_present: true,
            joined_at: 0,
        };
        let players = (1..=players).map(player).collect();
        EventRecord { event, host_handle: None, players, deals: Vec::new(), boards: Vec::new() }
    }

    /// Adds the match of a pair, which runs from `began_at` on.
    fn begin(record: &mut EventRecord, (a, b, place): (u32, u32, u32), began_at: i64) {
        record.boards.push(EventBoard {
            number: u32::try_from(record.boards.len()).expect("few boards") + 1,
            round: 0,
            place: Some(place),
            a,
            b: Some(b),
            match_id: None,
            began_at,
            ended_at: None,
            points: None,
            forfeit: None,
        });
    }

    /// Adds a match that has ended at the time `at`.
    fn finish(record: &mut EventRecord, (a, b): (u32, u32), at: i64) {
        let place = first_new_deal(record, a, b);
        begin(record, (a, b, place), at - 1);
        let board = record.boards.last_mut().expect("a board");
        (board.ended_at, board.points) = (Some(at), Some(3));
    }

    /// Returns the new pairs, each with the lower number first, in ascending order.
    fn numbers(pairs: &Pairs) -> Vec<(u32, u32)> {
        let mut numbers: Vec<_> =
            pairs.pairs.iter().map(|(a, b, _)| (*a.min(b), *a.max(b))).collect();
        numbers.sort_unstable();
        numbers
    }

    #[test]
    fn a_player_who_became_free_last_plays_if_the_others_have_just_met() {
        let mut record = arena(5);
        finish(&mut record, (1, 2), 100);
        begin(&mut record, (4, 5, 0), 100);
        record.players[2].joined_at = 150;
        let pairs = numbers(&pairs_of_arena(&record, 150, PAUSE));
        assert!(matches!(pairs.as_slice(), [(1 | 2, 3)]), "{pairs:?}");
        record.players[2].is_present = false;
        assert_eq!(numbers(&pairs_of_arena(&record, 150, PAUSE)), []);
        finish(&mut record, (1, 3), 160);
        // The last match of the first player was against the third player, so that the first and the second player have not just met.
        assert_eq!(numbers(&pairs_of_arena(&record, 170, PAUSE)), [(1, 2)]);
    }

    #[test]
    fn two_pairs_of_an_arena_mix_although_their_matches_end_at_different_times() {
        let mut record = arena(4);
        finish(&mut record, (1, 2), 100);
        finish(&mut record, (3, 4), 150);
        assert_eq!(numbers(&pairs_of_arena(&record, 150, PAUSE)), []);
        let pairs = numbers(&pairs_of_arena(&record, 150 + PAUSE, PAUSE));
        assert!(matches!(pairs.as_slice(), [(1, 3), (2, 4)] | [(1, 4), (2, 3)]), "{pairs:?}");
    }

    /// Tests arenas in which many players become free at the same time, because they leave and come back. The last opponent of a player
    /// has then often played against somebody else.
    #[test]
    fn players_of_an_arena_are_paired_once_at_a_time() {
        let mut random = Rng::with_seed(15);
        let (mut steps, mut one_sided) = (0, 0);
        for _ in 0..300 {
            let mut record = arena(random.u32(4..=9));
            for now in (0..200).step_by(10) {
                for board in record.boards.iter_mut().filter(|board| board.points.is_none()) {
                    if random.bool() {
                        (board.ended_at, board.points) =
                            (Some(now - PAUSE), Some(random.i32(-60..=60)));
                    }
                }
                let all_come = random.u32(0..4) == 0;
                for player in &mut record.players {
                    player.is_present = all_come || random.bool();
                }
                let ready: Vec<u32> = free(&record).map(|player| player.number).collect();
                let last = |number: u32| {
                    record.boards.iter().rev().find_map(|board| opponent(board, number))
                };
                let meets_again =
                    |a: u32| last(a).is_some_and(|b| ready.contains(&b) && last(b) != Some(a));
                one_sided += u32::from(ready.iter().any(|number| meets_again(*number)));
                let is_quiet = record.boards.iter().all(|board| board.points.is_some());
                let pairs = pairs_of_arena(&record, now, PAUSE);
                let mut paired: Vec<u32> =
                    pairs.pairs.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
                let repeated = pairs.pairs.iter().any(|(a, b, _)| {
                    last(*a) == Some(*b) && last(*b) == Some(*a) && !(is_quiet && ready.len() == 2)
                });
                assert!(!repeated, "{pairs:?} {record:?}");
                assert!(paired.iter().all(|number| ready.contains(number)), "{pairs:?}");
                paired.sort_unstable();
                let count = paired.len();
                paired.dedup();
                assert_eq!(paired.len(), count, "{pairs:?}");
                assert!(ready.len() < 3 || count + 1 >= ready.len(), "{pairs:?} {ready:?}");
                for pair in pairs.pairs {
                    begin(&mut record, pair, now);
                }
                steps += 1;
            }
        }
        assert_eq!(steps, 6000);
        assert!(one_sided > 1000, "{one_sided}");
    }
}
