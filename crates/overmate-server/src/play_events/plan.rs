//! Decides which players of an arena or Swiss event play against each other next.

use std::collections::BTreeMap;

use hmac::Mac as _;
use overmate_rules::Player;

use super::standings::standings;
use crate::clocks::match_clock::MatchClock;
use crate::keyed_hash::keyed_hash;
use crate::matches::match_state::MatchState;
use crate::pairing::{Contender, pair};
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
    let paired = pair(&contenders);
    let place = record.event.round;
    let pairs = paired.pairs.into_iter().map(|(a, b)| seated(record, a, b, place)).collect();
    Pairs { pairs, bye: paired.bye }
}

/// Returns the new pairs of players in an arena. `now` and `pause` are in seconds.
///
/// A player is free again after a pause since their last match. If the number of free players is odd, one of the players who
/// became free last waits. Two players who have just met do not meet again, unless nobody else plays in the arena.
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
    let mut contenders: Vec<Contender> = ready
        .iter()
        .map(|(player, since)| {
            let own = found.iter().find(|standing| standing.number == player.number);
            let mut boards = record.boards.iter().rev();
            let last = boards.find_map(|board| opponent(board, player.number));
            Contender {
                number: player.number,
                score: own.map_or(0, |own| own.points),
                met: last.into_iter().map(|last| (last, 1)).collect(),
                byes: u32::from(Some(*since) < latest),
            }
        })
        .collect();
    contenders.sort_by_key(|one| (-one.score, order_of(&record.event, one.number)));
    let paired = pair(&contenders);
    let is_alone =
        paired.pairs.len() == 1 && record.boards.iter().all(|board| board.points.is_some());
    let has_met = |a: u32, b: u32| {
        let of = |one: u32, other: u32| {
            let own = contenders.iter().find(|contender| contender.number == one);
            own.is_some_and(|own| own.met.contains_key(&other))
        };
        of(a, b) && of(b, a)
    };
    let pairs = paired.pairs.into_iter().filter(|(a, b)| is_alone || !has_met(*a, *b));
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
