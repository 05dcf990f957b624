//! Creates the game record of a match for a viewer.

use overmate_json::RecordFacts;
use overmate_rules::{ByPlayer, Player, Record};

use crate::clock::day;
use crate::computer::Computer;
use crate::matches::match_state::{MatchState, Role};
use crate::store::Occupant;

/// Returns the game record of a match as a browser in the given role may see it. The record of a running match holds no later deals, and no
/// game with a card that is hidden from the viewer. For a match with a hidden deal, the result is `None`.
pub(crate) fn record(state: &MatchState, role: Role) -> Option<Record> {
    if state.hides_deal() {
        return None;
    }
    let facts = RecordFacts {
        names: ByPlayer::new_with(|player| name(state, player)),
        date: day(state.info().began_at()),
        viewer: state.viewer(state.play().current_index(), role),
        out_of_time: state.out_of_time(),
        offline: state.info().is_offline(),
    };
    Some(overmate_json::record(state.log(), &facts, |text, error| {
        tracing::warn!(%error, text, "a record omits a header or note that the format does not allow");
    }))
}

fn name(state: &MatchState, player: Player) -> String {
    let seat = &state.seats()[player];
    match (seat.marked_name(), seat.occupant) {
        (Some(name), _) => name,
        (None, Occupant::Bot(Computer::BuiltIn(bot), _)) => format!("Overmate {bot}"),
        (None, Occupant::Bot(Computer::Program(program), _)) => format!("program {program}"),
        (None, _) => player.to_string(),
    }
}
