//! Defines SQL queries that read matches and their logs.

use super::person_sql::owned;
use super::rows::{info_columns, last_sequence};
use crate::store::connection::sql::Sql;

/// Expands to an SQL query for the matches that a subquery selects, each with both seats and the sequence number of its last log
/// entry.
macro_rules! listed {
    ([$($matches:expr),+], $order:literal) => {
        concat!(
            "SELECT id, ",
            info_columns!(),
            ", ",
            last_sequence!("id"),
            " AS sequence FROM (",
            $($matches),+,
            ") AS chosen JOIN seats ON seats.match_id = id
             ORDER BY ",
            $order
        )
    };
}

/// SQL query for the matches in which a person holds a seat.
pub(crate) const HELD_BY: &str = listed!(
    [
        "SELECT * FROM matches WHERE id IN (SELECT match_id FROM seats WHERE holder IN ",
        owned!("$1"),
        ") ORDER BY ended_at IS NOT NULL, created_at DESC, id LIMIT $2"
    ],
    "ended_at IS NOT NULL, created_at DESC, id, player"
);

/// SQL query for a batch of the matches in which a person holds a seat, ordered by match id.
pub(crate) const BATCH_OF: &str = listed!(
    [
        "SELECT * FROM matches WHERE id IN (SELECT match_id FROM seats WHERE match_id > $3 AND holder IN ",
        owned!("$1"),
        ") ORDER BY id LIMIT $2"
    ],
    "id, player"
);

/// SQL query for the running matches in which help, such as hints, is forbidden to a person.
///
/// Such a match has clocks, plays a shared deal, or has a seat that is open or belongs to another person.
pub(crate) const WITHOUT_HELP: &str = listed!(
    [
        "SELECT * FROM matches AS m WHERE ended_at IS NULL AND id IN (SELECT match_id FROM seats WHERE holder IN ",
        owned!("$1"),
        ") AND (shared_deal != 'one-round' OR clock IS NOT NULL OR EXISTS (SELECT 1 FROM seats AS theirs WHERE theirs.match_id = m.id
             AND theirs.bot IS NULL AND (theirs.holder IS NULL OR theirs.holder NOT IN ",
        owned!("$1"),
        "))) LIMIT $2"
    ],
    "id, player"
);

/// SQL query for the latest finished matches in which a person holds exactly one seat.
pub(crate) const FINISHED: &str = listed!(
    [
        "SELECT * FROM matches AS m WHERE ended_at IS NOT NULL AND id IN (SELECT match_id FROM seats WHERE holder IN ",
        owned!("$1"),
        ") AND EXISTS (SELECT 1 FROM seats AS theirs WHERE theirs.match_id = m.id AND (theirs.holder IS NULL OR theirs.holder NOT IN ",
        owned!("$1"),
        ")) ORDER BY ended_at DESC, id LIMIT $2"
    ],
    "ended_at DESC, id, player"
);

/// SQL query for matches with given ids.
pub(crate) const BY_IDS: Sql = Sql::Each {
    sqlite: listed!(
        ["SELECT * FROM matches WHERE id IN (SELECT value FROM json_each($1))"],
        "id, player"
    ),
    postgres: listed!(["SELECT * FROM matches WHERE id = ANY($1)"], "id, player"),
};

/// SQL query for the log entries of several matches. The parameter is a JSON list. Each item of the list has the id of a match, and
/// the sequence number after which the entries of the match begin.
pub(crate) const ENTRIES_OF: Sql = Sql::Each {
    sqlite: "SELECT match_id, sequence, player, kind, detail, client_id, at, at_ms, given_ms
         FROM json_each($1) JOIN log ON match_id = value ->> 'id' AND sequence > value ->> 'after'
         ORDER BY match_id, sequence",
    postgres: "SELECT match_id, sequence, player, kind, detail, client_id, at, at_ms, given_ms
         FROM json_to_recordset($1::json) AS wanted (id TEXT, after BIGINT)
         JOIN log ON match_id = wanted.id AND sequence > wanted.after
         ORDER BY match_id, sequence",
};

/// SQL query for the sequence numbers of the last log entries of given matches.
pub(crate) const SEQUENCES: Sql = Sql::Each {
    sqlite: concat!(
        "SELECT id, ",
        last_sequence!("id"),
        " AS sequence FROM matches WHERE id IN (SELECT value FROM json_each($1))"
    ),
    postgres: concat!(
        "SELECT id, ",
        last_sequence!("id"),
        " AS sequence FROM matches WHERE id = ANY($1)"
    ),
};

/// SQL query for a batch of unfinished matches that were created before a Unix time in seconds, ordered by creation time.
pub(crate) const UNFINISHED: &str = concat!(
    "SELECT id, created_at, deadline, ",
    last_sequence!("id"),
    " AS sequence,
        coalesce((SELECT at FROM log WHERE match_id = id ORDER BY sequence DESC LIMIT 1), created_at) AS acted_at,
        EXISTS (SELECT 1 FROM seats WHERE match_id = id AND holder IS NULL AND bot IS NULL AND deleted_at IS NULL) AS is_open,
        coalesce(shared_deal, 'one-round') = 'one-round' AND NOT EXISTS (SELECT 1 FROM log JOIN seats ON seats.match_id = log.match_id AND seats.player = log.player
                    WHERE log.match_id = id AND seats.bot IS NULL AND kind != 'operator') AS is_empty
     FROM matches
     WHERE ended_at IS NULL AND created_at < $1 AND (created_at, id) > ($2, $3)
     ORDER BY created_at, id LIMIT $4"
);

/// SQL query for the rules, deals and seats of a match.
pub(crate) const INFO: &str =
    concat!("SELECT ", info_columns!(), " FROM matches JOIN seats ON match_id = id WHERE id = $1");

/// SQL query for the matches in which a person plays a deal of the day or week, newest first. Matches of events are left out.
pub(crate) const SHARED_DEALS_OF: &str = concat!(
    "SELECT DISTINCT id, shared_deal, rules, created_at, ended_at IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM log WHERE match_id = id
         AND (kind = 'resign' OR kind = 'fold' AND detail LIKE '% resign%')) AS is_finished
     FROM seats JOIN matches ON id = match_id
     WHERE shared_deal != 'one-round' AND shared_deal NOT LIKE 'event-%' AND holder IN ",
    owned!("$1"),
    " ORDER BY created_at DESC, id LIMIT $2"
);

/// SQL query for the matches on a given shared deal and rule set that ended at or after a given Unix time in seconds.
/// If a person has played the deal several times, only the match that began first counts.
pub(crate) const ENDED_ON: &str =
    "SELECT id FROM matches AS own WHERE shared_deal = $1 AND rules = $2 AND ended_at >= $3 AND NOT EXISTS (
         SELECT 1 FROM seats AS seat JOIN browsers AS mine ON mine.browser = seat.holder
         JOIN browsers AS other ON other.person = mine.person
         JOIN seats AS taken ON taken.holder = other.browser
         JOIN matches AS earlier ON earlier.id = taken.match_id
         WHERE seat.match_id = own.id AND earlier.shared_deal = $1 AND earlier.rules = $2
         AND (earlier.created_at < own.created_at OR earlier.created_at = own.created_at AND earlier.id < own.id))";

/// SQL query that tells whether a person had a match or a puzzle attempt before a given Unix time in seconds. A match
/// counts from its creation.
pub(crate) const HAS_PLAYED: &str = concat!(
    "SELECT EXISTS (SELECT 1 FROM seats JOIN matches ON id = match_id WHERE created_at < $2 AND holder IN ",
    owned!("$1"),
    ") OR EXISTS (SELECT 1 FROM puzzle_attempts WHERE at < $2 AND holder IN ",
    owned!("$1"),
    ")"
);

/// SQL query for the sequence number of the last entry in the longest match log, or 0 if each log has fewer than 128 entries. The
/// condition equals that of the index `log_of_long_matches`, which contains only long logs.
pub(crate) const LONGEST_LOG: &str =
    "SELECT coalesce(max(sequence), 0) FROM log WHERE sequence >= 128";
