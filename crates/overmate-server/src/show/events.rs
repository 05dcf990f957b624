//! Converts tournament events to JSON types, with only public data.

use overmate_rules::Player;
use sha2::{Digest as _, Sha256};

use super::matches::clock;
use crate::clock::rfc3339;
use crate::play_events::standings;
use crate::random::hexadecimal;
use crate::store::{Event, EventBoard, EventKind, EventRecord, EventState, Holder, ListedEvent};
use crate::wire;

/// Converts an item of the list of tournament events to its JSON type.
pub(crate) fn listed(listed: &ListedEvent) -> wire::EventSummary {
    summary(&listed.event, listed.host_handle.as_deref(), listed.players)
}

fn summary(event: &Event, host: Option<&str>, players: u32) -> wire::EventSummary {
    wire::EventSummary {
        id: event.id.clone(),
        kind: match event.kind {
            EventKind::Arena { minutes } => wire::EventKindWire::Arena { minutes },
            EventKind::Swiss { rounds } => wire::EventKindWire::Swiss { rounds },
        },
        title: event.title.clone(),
        rules: event.rules.clone(),
        rules_title: overmate_json::title(&event.rules),
        clock: clock(event.clock),
        host: host.map(str::to_owned),
        state: match event.state {
            EventState::Coming => wire::EventStateWire::Coming,
            EventState::Running => wire::EventStateWire::Running,
            EventState::Finished => wire::EventStateWire::Finished,
        },
        players,
        starts_at: rfc3339(event.starts_at),
        ends_at: event.ends_at().map(rfc3339),
        finished_at: event.finished_at.map(rfc3339),
        round: event.round,
    }
}

/// Converts a tournament event to its JSON type. The deals and their key are shown after the end.
pub(crate) fn view(record: &EventRecord) -> wire::EventView {
    let EventRecord { event, players, deals, boards, .. } = record;
    let number = u32::try_from(players.len()).unwrap_or(u32::MAX);
    let standings = standings(record).into_iter().filter_map(|standing| {
        let player = players.iter().find(|player| player.number == standing.number)?;
        Some(wire::EventStandingWire {
            number: standing.number,
            handle: player.handle.clone(),
            profile: player.has_profile,
            present: player.is_present,
            playing: playing(record, player.number).is_some(),
            rank: standing.rank,
            points: standing.points,
            played: standing.played,
            won: standing.won,
            opponents: standing.opponents,
            byes: standing.byes,
        })
    });
    let is_over = event.state == EventState::Finished;
    let deals = deals.iter().filter(|_| is_over).map(|deal| wire::EventDealWire {
        place: deal.place,
        deal: deal.number.to_string(),
        value_for_first: deal.value,
    });
    let boards = boards.iter().map(|board| wire::EventBoardWire {
        number: board.number,
        round: board.round,
        place: board.place,
        a: board.a,
        b: board.b,
        points: board.points,
        forfeit: board.forfeit.map(|player| match player {
            Player::A => wire::PlayerWire::A,
            Player::B => wire::PlayerWire::B,
        }),
    });
    wire::EventView {
        version: event.version,
        event: summary(event, record.host_handle.as_deref(), number),
        standings: standings.collect(),
        boards: boards.collect(),
        deals: deals.collect(),
        commitment: hexadecimal(&Sha256::digest(event.secret)),
        key: is_over.then(|| hexadecimal(&event.secret)),
    }
}

/// Returns the board (pairing) of a player's running match in a tournament event, or `None` without such a match.
fn playing(record: &EventRecord, number: u32) -> Option<&EventBoard> {
    let mut running = record.boards.iter().filter(|board| board.points.is_none());
    running.find(|board| board.a == number || board.b == Some(number))
}

/// Converts a tournament event to its JSON type in the export of a person's data.
pub(crate) fn exported(record: &EventRecord, person: Holder) -> wire::ExportedEvent {
    let own = record.players.iter().find(|player| player.person == Some(person));
    let wire::EventView { event, standings, .. } = view(record);
    let standing = |number: u32| standings.iter().find(|one| one.number == number).cloned();
    wire::ExportedEvent {
        hosted: record.event.host == Some(person),
        client_id: record.event.client_id.clone().filter(|_| record.event.host == Some(person)),
        made_at: rfc3339(record.event.made_at),
        joined_at: own.map(|own| rfc3339(own.joined_at)),
        standing: own.and_then(|own| standing(own.number)),
        event,
    }
}

/// Returns the data of a tournament event that concern one person only, such as the person's running match.
pub(crate) fn you(record: &EventRecord, person: Option<Holder>) -> wire::EventYou {
    let own = record.players.iter().find(|player| person.is_some() && player.person == person);
    let board = own.and_then(|own| playing(record, own.number));
    wire::EventYou {
        number: own.map(|own| own.number),
        present: own.is_some_and(|own| own.is_present),
        match_id: board.and_then(|board| board.match_id.clone()),
        host: person.is_some() && record.event.host == person,
    }
}
