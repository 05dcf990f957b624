//! Lists the database tables with their columns, for operations on whole databases such as copies.

use sqlx::Error;

use super::connection::sql::{Row, Value};

/// SQL type of a database column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Text,
    Integer,
    Bytes,
    Real,
    Flag,
}

/// Database table, with the SQL statements that read and fill the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    /// Types of the table's columns, in the same order as the columns in the SQL statements.
    kinds: &'static [Kind],
    /// SQL query for all rows of a database table.
    pub(super) select: &'static str,
    /// SQL query for the number of rows of a database table.
    pub(super) count: &'static str,
    /// SQL query that tells whether a database table contains a row.
    pub(super) has_rows: &'static str,
    /// PostgreSQL statement that locks a database table against writes by other connections, until the end of the transaction. Reads remain
    /// possible.
    pub(super) lock: &'static str,
    /// SQLite statement that inserts a row into a database table.
    pub(super) insert: &'static str,
    /// PostgreSQL `COPY` statement that inserts a stream of rows in text format into a database table.
    pub(super) copy: &'static str,
}

macro_rules! parameter {
    ($column:ident) => {
        "?"
    };
}

/// Expands to a [`Table`] with the SQL statements for a table name and its columns.
macro_rules! table {
    ($name:ident: $first:ident $first_kind:ident $(, $column:ident $kind:ident)*) => {
        Table {
            name: stringify!($name),
            kinds: &[Kind::$first_kind $(, Kind::$kind)*],
            select: concat!("SELECT ", stringify!($first) $(, ", ", stringify!($column))*, " FROM ", stringify!($name)),
            count: concat!("SELECT count(*) FROM ", stringify!($name)),
            has_rows: concat!("SELECT EXISTS (SELECT 1 FROM ", stringify!($name), ")"),
            lock: concat!("LOCK TABLE ", stringify!($name), " IN SHARE ROW EXCLUSIVE MODE"),
            insert: concat!(
                "INSERT INTO ", stringify!($name), " (", stringify!($first) $(, ", ", stringify!($column))*,
                ") VALUES (", parameter!($first) $(, ", ", parameter!($column))*, ")"
            ),
            copy: concat!("COPY ", stringify!($name), " (", stringify!($first) $(, ", ", stringify!($column))*, ") FROM STDIN"),
        }
    };
}

/// Database tables of the server, except the tables of schema migrations, rate-limit counters and connected people. A table stands
/// after the tables to which its rows refer.
pub(super) const TABLES: [Table; 36] = [
    table!(secrets: name Text, value Bytes),
    table!(matches: id Text, rules Text, deals Text, watch Text, invitation Text, created_at Integer, ended_at Integer, asked_by Bytes,
        client_id Text, shared_deal Text, deal_chosen Flag, folded Flag, network Integer, clock Text, deadline Integer, rated Flag, public Flag,
        played_at Integer),
    table!(seats: match_id Text, player Text, name Text, holder Bytes, bot Text, seed Integer, deleted_at Integer, answers Text, note Text, program Flag),
    table!(log: match_id Text, sequence Integer, player Text, kind Text, detail Text, client_id Text, at Integer, at_ms Integer, given_ms Integer),
    table!(beats: name Text, at Integer),
    table!(puzzle_attempts: number Integer, holder Bytes, puzzle Text, rules Text, solved Flag, rating Real, at Integer, run Text),
    table!(puzzle_players: holder Bytes, rating Real, deviation Real, volatility Real),
    table!(puzzle_ratings: puzzle Text, rating Real, deviation Real, volatility Real),
    table!(leases: name Text, holder Text, until Integer),
    table!(browsers: browser Bytes, person Bytes, name Text, added_at Integer, changed_at Integer, revoked Flag),
    table!(codes: hash Bytes, person Bytes, kind Text, made_at Integer, until Integer, used_by Bytes),
    table!(accounts: person Bytes, handle Text, tag Bytes, password Text, made_at Integer, handle_at Integer, private Flag, bot Flag),
    table!(passkeys: id Bytes, person Bytes, user_handle Bytes, passkey Text, name Text, made_at Integer, used_at Integer),
    table!(passkey_challenges: id Text, person Bytes, state Text, until Integer),
    table!(bot_tokens: id Text, hash Bytes, person Bytes, name Text, made_at Integer),
    table!(former_handles: tag Bytes, person Bytes, until Integer),
    table!(mail_addresses: person Bytes, address Text, folded Text, language Text, recovery Flag, confirmed_at Integer, turns Flag,
        refusals Integer, retry_at Integer),
    table!(mail_messages: person Bytes, kind Text, address Text, language Text, recovery Flag, made_at Integer, hash Bytes, tries Integer,
        retry_at Integer, until Integer, sent Flag),
    table!(turn_mails: hash Bytes, person Bytes, match_id Text, turn Integer, tries Integer, failed Flag, at Integer, until Integer),
    table!(absences: person Bytes, began_at Integer, until Integer),
    table!(feeds: person Bytes, token Text),
    table!(push_subscriptions: browser Bytes, person Bytes, endpoint Text, key Bytes, secret Bytes, language Text, made_at Integer,
        failures Integer, retry_at Integer, told Text),
    table!(offers: id Text, holder Bytes, name Text, rules Text, clock Text, leads Flag, lasting Flag, network Integer, client_id Text,
        made_at Integer, until Integer, match_id Text, rated Flag, to_handle Text, to_tag Bytes, declined Flag, bots Flag),
    table!(versions: name Text, version Integer),
    table!(ratings: person Bytes, rules Text, pace Text, rating Real, deviation Real, volatility Real, wins Integer, draws Integer, losses Integer,
        at Integer),
    table!(rating_changes: match_id Text, player Text, person Bytes, rules Text, pace Text, result Text, margin Integer, rating_before Real,
        deviation_before Real, rating_after Real, deviation_after Real, at Integer),
    table!(relations: person Bytes, other Bytes, kind Text, at Integer),
    table!(talk: match_id Text, number Integer, player Text, text Text, client_id Text, at Integer),
    table!(visibility: person Bytes, watching Text, presence Text, at Integer),
    table!(reports: id Text, match_id Text, player Text, reporter Bytes, reported Bytes, reason Text, text Text, network Integer, at Integer,
        settled_at Integer),
    table!(measures: person Bytes, kind Text, text Text, at Integer, until Integer),
    table!(events: id Text, kind Text, size Integer, title Text, rules Text, clock Text, host Bytes, client_id Text, secret Bytes, made_at Integer,
        starts_at Integer, finished_at Integer, state Text, repeat_days Integer, round Integer, step Integer, version Integer,
        network Integer),
    table!(event_players: event_id Text, number Integer, person Bytes, present Flag, joined_at Integer),
    table!(event_deals: event_id Text, place Integer, number Integer, value Integer),
    table!(event_boards: event_id Text, number Integer, round Integer, place Integer, a Integer, b Integer, match_id Text, began_at Integer,
        ended_at Integer, points Integer, forfeit Text),
    table!(operator_acts: id Integer, at Integer, act Text, target Text, reason Text, matches Integer),
];

impl Table {
    /// Reads the values of a database row that the query [`select`](Self::select) returned.
    pub(super) fn values(&self, row: &Row) -> Result<Vec<Value>, Error> {
        let value = |(index, kind): (usize, &Kind)| {
            Ok(match kind {
                Kind::Text => Value::Text(row.at(index)?),
                Kind::Integer => Value::Integer(row.at(index)?),
                Kind::Bytes => Value::Bytes(row.at(index)?),
                Kind::Real => Value::Real(row.at(index)?),
                Kind::Flag => Value::Flag(row.at(index)?),
            })
        };
        self.kinds.iter().enumerate().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::database::Database;
    use crate::settings::Settings;
    use crate::store::connection::inspect;
    use crate::store::connection::sql::{Sql, statement};
    use crate::store::{SqlStore, Store as _};

    /// Names of the database tables that are not in [`TABLES`], each followed by a dot.
    const OTHERS: [&str; 4] =
        ["_sqlx_migrations.", "counts.", "present_servers.", "present_persons."];

    fn compare(database: &Database) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let store = SqlStore::open(&Settings::new(database.clone())).await.expect("a store");
            let mut connection = inspect::connect_to(database).await.expect("a connection");
            let columns = Sql::Each {
                sqlite: "SELECT t.name || '.' || c.name FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table'",
                postgres: "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()",
            };
            let stored = statement(columns).scalars(&mut connection).await;
            let mut stored: BTreeSet<String> = stored.expect("a read").into_iter().collect();
            stored.retain(|column| !OTHERS.iter().any(|other| column.starts_with(other)));
            let listed = TABLES.iter().flat_map(|table| {
                let columns = table.select.strip_prefix("SELECT ").expect("a query");
                let (columns, _) = columns.split_once(" FROM ").expect("a query");
                columns.split(", ").map(|column| format!("{}.{column}", table.name))
            });
            assert_eq!(listed.collect::<BTreeSet<_>>(), stored);
            connection.close().await.expect("a connection");
            store.close().await;
        });
    }

    #[test]
    fn the_list_of_tables_and_columns_is_that_of_sqlite() {
        let folder = tempfile::tempdir().expect("a folder");
        compare(&Database::Sqlite(folder.path().to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn the_list_of_tables_and_columns_is_that_of_postgres() {
        let server = test_postgres::Postgres::start();
        compare(&server.database().parse().expect("an address"));
    }
}
