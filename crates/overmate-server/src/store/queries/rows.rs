//! Converts database rows to the types of the store.

use std::collections::HashMap;

use overmate_rules::{ByPlayer, Player};
use sqlx::Error;

use super::fold;
use crate::clocks::clock_setting::ClockSetting;
use crate::names;
use crate::store::connection::fault::{store_error, unreadable};
use crate::store::connection::sql::{Column, Row};
use crate::store::interface::entry::{Entry, EntryKind};
use crate::store::interface::holder::Holder;
use crate::store::interface::match_info::{MatchInfo, Occupant, SeatInfo};
use crate::store::interface::outcome::StoreError;
use crate::store::interface::store::Logs;

/// Expands to the SQL columns of a match and a seat that [`info_of`] reads, for a query that joins the tables `matches` and `seats`.
macro_rules! info_columns {
    () => {
        concat!(
            "rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, network, clock, rated, public, played_at, player, name, ",
            $crate::store::queries::person_sql::person!("seats"),
            ", bot, seed, program, deleted_at"
        )
    };
}

/// Expands to an SQL expression for the sequence number of the last log entry of a match; 0 for an empty log. The argument is an SQL
/// expression for the id of the match.
macro_rules! last_sequence {
    ($id:literal) => {
        concat!("(SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = ", $id, ")")
    };
}

pub(crate) use {info_columns, last_sequence};

/// Returns the text by which the database stores a player of a match (A or B).
pub(crate) fn player_text(player: Player) -> &'static str {
    match player {
        Player::A => "a",
        Player::B => "b",
    }
}

/// Returns the player (A or B) whom the database stores by a given text, or an error for any other text.
pub(crate) fn player_of(text: &str) -> Result<Player, Error> {
    let player = Player::BOTH.into_iter().find(|player| player_text(*player) == text);
    player.ok_or_else(|| Error::Decode("the database holds an unknown player".into()))
}

/// Reads the player (A or B) in the column `player` of a database row.
pub(crate) fn player_in(row: &Row) -> Result<Player, Error> {
    player_of(&row.get::<String>("player")?)
}

/// Converts a sequence number to a signed integer for the database. No stored sequence number exceeds the maximum of this integer
/// type.
pub(crate) fn signed(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

/// Reads the column with a given name from a database row.
pub(crate) fn column<T: Column>(row: &Row, name: &str) -> Result<T, StoreError> {
    row.get(name).map_err(store_error)
}

/// Returns the deal numbers in a database row of a match.
pub(crate) fn deals_of(row: &Row) -> Result<Vec<u64>, StoreError> {
    let deals: String = column(row, "deals")?;
    let deals: Result<_, _> = deals.split(' ').map(str::parse).collect();
    deals.map_err(|_| unreadable("a deal"))
}

/// Converts the two database rows of a match, one for each seat, to the rules, deals and seats of the match.
pub(crate) fn info_of(id: &str, rows: &[Row]) -> Result<MatchInfo, StoreError> {
    let [first, second] = rows else { return Err(unreadable("a match without two seats")) };
    let seat = |player: Player| {
        let row = [first, second]
            .into_iter()
            .find(|row| row.get("player").is_ok_and(|text: String| text == player_text(player)));
        row.ok_or_else(|| unreadable("a match without two seats")).and_then(seat_of)
    };
    Ok(MatchInfo {
        id: id.to_owned(),
        rules: column(first, "rules")?,
        deals: deals_of(first)?,
        watch: column(first, "watch")?,
        invitation: column(first, "invitation")?,
        created_at: column(first, "created_at")?,
        shared_deal: MatchInfo::shared_deal_of_column(column(first, "shared_deal")?),
        deal_chosen: column(first, "deal_chosen")?,
        network: column::<Option<i64>>(first, "network")?.and_then(|number| number.try_into().ok()),
        clock: clock_of(first)?,
        rated: column(first, "rated")?,
        public: column(first, "public")?,
        played_at: column(first, "played_at")?,
        seats: ByPlayer { a: seat(Player::A)?, b: seat(Player::B)? },
    })
}

fn clock_of(row: &Row) -> Result<Option<ClockSetting>, StoreError> {
    let clock: Option<String> = column(row, "clock")?;
    clock.map(|text| text.parse().map_err(|_| unreadable("a clock"))).transpose()
}

fn seat_of(row: &Row) -> Result<SeatInfo, StoreError> {
    let holder: Option<Vec<u8>> = column(row, "holder")?;
    let bot: Option<String> = column(row, "bot")?;
    let seed: Option<i64> = column(row, "seed")?;
    let occupant = match (holder, bot) {
        (Some(hash), _) => {
            let hash = hash.try_into().map_err(|_| unreadable("a holder"))?;
            Occupant::Holder(Holder(hash))
        }
        (None, Some(bot)) => {
            let bot = bot.parse().map_err(|_| unreadable("an opponent"))?;
            Occupant::Bot(bot, seed.unwrap_or_default().cast_unsigned())
        }
        (None, None) if column::<Option<i64>>(row, "deleted_at")?.is_some() => Occupant::Deleted,
        (None, None) => Occupant::Open,
    };
    let name: Option<String> = column(row, "name")?;
    Ok(SeatInfo {
        name: name.as_deref().and_then(names::shown),
        occupant,
        is_program: column(row, "program")?,
    })
}

/// Converts a database row to a log entry.
pub(crate) fn entry_of(row: &Row) -> Result<Entry, StoreError> {
    let kind: String = column(row, "kind")?;
    let detail: Option<String> = column(row, "detail")?;
    let kind = EntryKind::of_texts(&kind, detail).ok_or_else(|| unreadable("an entry of a log"))?;
    let at: i64 = column(row, "at")?;
    let at_ms: Option<i64> = column(row, "at_ms")?;
    Ok(Entry {
        sequence: sequence_of(row)?,
        player: player_in(row).map_err(store_error)?,
        kind,
        client_id: column(row, "client_id")?,
        // A log entry that an earlier version of the server stored has its time only in seconds.
        at_ms: at_ms.unwrap_or(at.saturating_mul(1_000)),
        given_ms: column(row, "given_ms")?,
    })
}

/// Converts a database row of a match log to log entries. The row of a folded log gives all entries of the log, and any other row
/// gives one entry.
pub(crate) fn entries_of(row: &Row) -> Result<Vec<Entry>, StoreError> {
    let kind: String = column(row, "kind")?;
    if kind != fold::KIND {
        return Ok(vec![entry_of(row)?]);
    }
    let text: Option<String> = column(row, "detail")?;
    fold::decode(&text.unwrap_or_default(), sequence_of(row)?)
}

/// Converts the database rows of several match logs to log entries, by match id. The entries of each match begin after the sequence number
/// in `after`. A row that cannot be read makes only the log of its match unreadable.
pub(crate) fn logs_of(rows: &[Row], after: &HashMap<String, u64>) -> Result<Logs, StoreError> {
    let mut logs = Logs::new();
    for row in rows {
        let id: String = column(row, "match_id")?;
        let after = after.get(&id).copied().unwrap_or_default();
        let log = logs.entry(id).or_insert_with(|| Ok(Vec::new()));
        match (entries_of(row), &mut *log) {
            (Ok(entries), Ok(log)) => {
                log.extend(entries.into_iter().filter(|entry| entry.sequence > after));
            }
            (Err(error), Ok(_)) => *log = Err(error),
            (Ok(_) | Err(_), Err(_)) => {}
        }
    }
    Ok(logs)
}

/// Reads the sequence number in the column `sequence` of a database row.
pub(crate) fn sequence_of(row: &Row) -> Result<u64, StoreError> {
    let sequence: i64 = column(row, "sequence")?;
    u64::try_from(sequence).map_err(|_| unreadable("a negative sequence"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_player_is_an_error() {
        for player in Player::BOTH {
            assert_eq!(player_of(player_text(player)).expect("a player"), player);
        }
        for text in ["", "c", "A"] {
            assert!(player_of(text).is_err(), "{text}");
        }
    }
}
