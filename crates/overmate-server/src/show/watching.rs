//! Converts public matches to JSON types, with only public data.

use overmate_rules::Player;

use super::matches::{PUBLIC, clock, delay, points, result};
use crate::clock::rfc3339;
use crate::matches::match_state::MatchState;
use crate::store::{PublicMatch, Watching, marked};
use crate::wire;

/// Converts a public match to its JSON type. The names of the players pass through `clean`.
pub(crate) fn public_match(
    state: &MatchState,
    found: &PublicMatch,
    clean: impl Fn(Option<&str>) -> Option<String>,
) -> wire::PublicMatch {
    let (info, play) = (state.info(), state.play());
    let name = |player: Player| {
        let seat = &state.seats()[player];
        let name = clean(seat.name.as_deref());
        if seat.is_program { name.map(|name| marked(&name)) } else { name }
    };
    // Watchers who see a running match with a delay do not get its points. The points would reveal actions that these watchers do not see
    // yet.
    let is_told = state.result().is_some() || found.watching == Watching::AtOnce;
    wire::PublicMatch {
        id: found.id.clone(),
        watch: format!("/watch/{}/{PUBLIC}", found.id),
        rules: info.rules.clone(),
        rules_title: overmate_json::title(&info.rules),
        players: wire::PublicPlayers { a: name(Player::A), b: name(Player::B) },
        games: play.length(),
        clock: info.clock.map(clock),
        rated: info.rated,
        delay: delay(found.watching),
        at: rfc3339(found.at),
        progress: is_told.then(|| wire::PublicProgress {
            game: play.current_index(),
            totals: points(play.totals()),
        }),
        result: result(state),
    }
}
