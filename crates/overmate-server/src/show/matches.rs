//! Converts matches to JSON types, with only the data that one viewer may see.

use overmate_bots::BuiltIn;
use overmate_json::MatchFacts;
use overmate_rules::{ByPlayer, Player};

use crate::clock::rfc3339;
use crate::clocks::clock_setting::ClockSetting;
use crate::clocks::match_clock::MatchClock;
use crate::computer::Computer;
use crate::matches::match_state::{MatchState, Role};
use crate::store::{Occupant, SeatInfo, Watching};
use crate::wire;

/// Converts a match to its JSON type, with the data that a viewer with a given role (player or spectator) may see. The finished games
/// before the index `finished_from` are left out.
pub(crate) fn view(state: &MatchState, role: Role, finished_from: usize) -> wire::MatchView {
    let info = state.info();
    let is_player = role != Role::Spectator;
    let invitation = info.invitation.as_ref().filter(|_| is_player && state.open_seat().is_some());
    let facts = MatchFacts {
        id: info.id.clone(),
        sequence: state.sequence(),
        you: you(role),
        players: players(state, role),
        result: result(state),
        invitation: invitation.map(|token| format!("/join/{token}")),
        watch: match state.public() {
            // The address of a public match contains no spectators' token, because the token would show the match without a
            // delay.
            Some(_) => format!("/watch/{}/{PUBLIC}", info.id),
            None => format!("/watch/{}/{}", info.id, info.watch),
        },
        public_delay: state.public().map(delay),
        rematch: state.offered_by().map(|player| wire::Rematch {
            offered_by: wire::PlayerWire::from(player),
            match_id: state.rematch().filter(|_| is_player).map(str::to_owned),
        }),
        undo: state.may_undo(role),
        hint: state.may_hint(role),
        shared_deal: info.shared_deal.clone(),
        deal_chosen: info.deal_chosen,
        clocks: if is_delayed(state) {
            stopped_clocks(state)
        } else {
            clocks(state, state.now_ms())
        },
        rated: info.rated,
        offline: info.is_offline(),
        created_at: rfc3339(info.began_at()),
    };
    let viewer = |index| state.viewer(index, role);
    let reviewable = |index| state.may_review(index);
    let view = wire::MatchView::new(state.log(), viewer, reviewable, finished_from, facts);
    if !state.hides_deal() {
        return view;
    }
    wire::MatchView { current: view.current.without_deal(), ..view }
}

/// Converts a match to an item in a player's list of matches. Returns `None` for a spectator.
pub(crate) fn summary(state: &MatchState, role: Role) -> Option<wire::MatchSummary> {
    let play = state.play();
    let info = state.info();
    Some(wire::MatchSummary {
        id: info.id.clone(),
        rules: info.rules.clone(),
        rules_title: overmate_json::title(&info.rules),
        you: you(role)?,
        players: players(state, role),
        sequence: state.sequence(),
        games: play.length(),
        game: play.current_index(),
        totals: points(play.totals()),
        begun: state.is_begun(),
        your_turn: match role {
            _ if state.hides_deal() => false,
            Role::Player(player) => state.to_act() == Some(player),
            Role::Both => state.to_act().is_some(),
            Role::Spectator => false,
        },
        clock: info.clock.map(clock),
        rated: info.rated,
        deadline: state
            .clock()
            .and_then(MatchClock::deadline)
            .map(|deadline| rfc3339(deadline.div_euclid(1_000))),
        result: result(state),
        shared_deal: info.shared_deal.clone(),
        offline: info.is_offline(),
        created_at: rfc3339(info.began_at()),
    })
}

/// Converts a time control to its JSON type.
pub(crate) fn clock(setting: ClockSetting) -> wire::ClockWire {
    match setting {
        ClockSetting::Live { base, increment } => wire::ClockWire::Live { base, increment },
        ClockSetting::Days(days) => wire::ClockWire::Days { days },
    }
}

/// Placeholder for the spectator token in the URL of a public match.
pub(crate) const PUBLIC: &str = "public";

/// Number of latest actions that watchers of a delayed public match do not see yet.
pub(crate) const DELAY: u8 = 4;

/// Returns the number of latest actions that watchers of a public match do not see yet.
pub(crate) fn delay(watching: Watching) -> u8 {
    match watching {
        Watching::AtOnce => 0,
        Watching::Delayed | Watching::Never => DELAY,
    }
}

/// Returns whether watchers see a running match with a delay, without the latest actions of the match.
fn is_delayed(state: &MatchState) -> bool {
    state.public() == Some(Watching::Delayed) && state.result().is_none()
}

/// Converts the clocks of an earlier match state to their JSON type, for watchers who see the match with a delay. No
/// clock runs, because the present time belongs to a later state. Returns `None` for a match without clocks.
fn stopped_clocks(state: &MatchState) -> Option<wire::Clocks> {
    let clock = state.clock()?;
    let then = clock.running().map_or(clock.last(), |running| running.from);
    Some(wire::Clocks {
        running: None,
        runs_in: 0,
        paused_for: None,
        a_asks: false,
        b_asks: false,
        ..clocks(state, then)?
    })
}

/// Converts the clocks of a match to their JSON type. `now` is in milliseconds since 1970. Returns `None` for a match without clocks.
fn clocks(state: &MatchState, now: i64) -> Option<wire::Clocks> {
    let clock = state.clock()?;
    let running = clock.running();
    Some(wire::Clocks {
        setting: self::clock(clock.setting()),
        a: clock.left(Player::A, now),
        b: clock.left(Player::B, now),
        running: running.map(|running| wire::PlayerWire::from(running.player)),
        runs_in: running.map_or(0, |running| running.from.saturating_sub(now).max(0)),
        paused_for: clock.paused_until(now).map(|until| until - now),
        a_asks: clock.has_asked(Player::A, now),
        b_asks: clock.has_asked(Player::B, now),
    })
}

fn you(role: Role) -> Option<wire::You> {
    match role {
        Role::Player(Player::A) => Some(wire::You::A),
        Role::Player(Player::B) => Some(wire::You::B),
        Role::Both => Some(wire::You::Both),
        Role::Spectator => None,
    }
}

/// Returns the kind and the strength level of a computer opponent. The level is `None` for the perfect opponent and for a program.
pub(super) fn of_computer(computer: Computer) -> (wire::PlayerKind, Option<u8>) {
    match computer {
        Computer::BuiltIn(BuiltIn::Level(level)) => (wire::PlayerKind::Level, Some(level.get())),
        Computer::BuiltIn(BuiltIn::Perfect) => (wire::PlayerKind::Perfect, None),
        Computer::Program(_) => (wire::PlayerKind::Program, None),
    }
}

fn players(state: &MatchState, role: Role) -> wire::Players {
    let player = |player: Player| {
        let SeatInfo { name, occupant, is_program } = &state.seats()[player];
        let is_you = role == Role::Both || role == Role::Player(player);
        let (kind, level) = match occupant {
            Occupant::Open => (wire::PlayerKind::Open, None),
            Occupant::Deleted => (wire::PlayerKind::Deleted, None),
            Occupant::Holder(_) if is_you => (wire::PlayerKind::You, None),
            Occupant::Holder(_) => (wire::PlayerKind::Friend, None),
            Occupant::Bot(computer, _) => of_computer(*computer),
        };
        let name = match occupant {
            Occupant::Bot(Computer::Program(program), _) => Some(program.to_string()),
            _ => name.clone(),
        };
        wire::PlayerState { name, kind, level, bot: *is_program }
    };
    wire::Players { a: player(Player::A), b: player(Player::B) }
}

pub(super) fn points(points: ByPlayer<i32>) -> wire::Points {
    wire::Points { a: points.a, b: points.b }
}

pub(super) fn result(state: &MatchState) -> Option<wire::MatchResultWire> {
    state.result().map(|result| wire::MatchResultWire {
        winner: result.winner.filter(|_| !state.is_abandoned()).map(wire::PlayerWire::from),
        margin: result.margin,
        resigned: result.resigned.map(wire::PlayerWire::from),
        out_of_time: state.out_of_time().map(wire::PlayerWire::from),
        abandoned: state.is_abandoned(),
    })
}
