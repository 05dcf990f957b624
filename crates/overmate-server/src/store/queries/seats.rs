//! Reads and writes the conditional answers and private notes of players in a database.

use std::collections::HashMap;

use overmate_rules::{ByPlayer, Player};
use sqlx::Error;

use super::person_sql::owned;
use super::rows::{player_in, player_text, signed};
use crate::store::connection::sql::{Connection, Pool, Row, Sql, statement};
use crate::store::interface::outcome::Appended;
use crate::store::interface::seat::{AnswersRead, SeatText, SeatTextChange, SeatTextKind};

/// Returns the conditional answers and the notes of both players of a match.
pub(crate) async fn texts(readers: &Pool, id: &str) -> Result<ByPlayer<SeatText>, Error> {
    let query = "SELECT player, answers, note FROM seats WHERE match_id = $1";
    let mut texts = ByPlayer::new_with(|_| SeatText::default());
    for row in statement(query).bind(id).rows(readers).await? {
        let (player, text) = text_in(&row)?;
        texts[player] = text;
    }
    Ok(texts)
}

/// SQL query for the conditional answers and notes of both players of several matches.
const TEXTS_OF: Sql = Sql::Each {
    sqlite: "SELECT match_id, player, answers, note FROM seats WHERE match_id IN (SELECT value FROM json_each($1))",
    postgres: "SELECT match_id, player, answers, note FROM seats WHERE match_id = ANY($1)",
};

/// Returns the conditional answers and the notes of both players of several matches, by match id.
pub(crate) async fn texts_of(
    readers: &Pool,
    ids: Vec<String>,
) -> Result<HashMap<String, ByPlayer<SeatText>>, Error> {
    let mut found: HashMap<String, ByPlayer<SeatText>> = HashMap::with_capacity(ids.len());
    for row in statement(TEXTS_OF).bind(ids).rows(readers).await? {
        let (player, text) = text_in(&row)?;
        let texts = found.entry(row.get("match_id")?);
        texts.or_insert_with(|| ByPlayer::new_with(|_| SeatText::default()))[player] = text;
    }
    Ok(found)
}

fn text_in(row: &Row) -> Result<(Player, SeatText), Error> {
    let text = SeatText { answers: row.get("answers")?, note: row.get("note")? };
    Ok((player_in(row)?, text))
}

/// Replaces the conditional answers or the note of a player in a match.
pub(crate) async fn write(
    connection: &mut Connection,
    change: &SeatTextChange,
) -> Result<Appended, Error> {
    let SeatTextChange { id, player, person, kind, text } = change;
    let set = match kind {
        SeatTextKind::Answers { .. } => concat!(
            "UPDATE seats SET answers = $4 WHERE match_id = $1 AND player = $2 AND holder IN ",
            owned!("$3"),
            " AND $5 = (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = $1)"
        ),
        SeatTextKind::Note => concat!(
            "UPDATE seats SET note = $4 WHERE match_id = $1 AND player = $2 AND holder IN ",
            owned!("$3")
        ),
    };
    let set = statement(set).bind(id).bind(player_text(*player)).bind(*person).bind(text.clone());
    let set = match kind {
        SeatTextKind::Answers { sequence } => set.bind(signed(*sequence)),
        SeatTextKind::Note => set,
    };
    let changed = set.execute(connection).await?;
    Ok(Appended::stored_if(changed > 0))
}

/// Returns whether the stored conditional answers of both players still equal the answers that the server read earlier.
pub(crate) async fn are_unchanged(
    connection: &mut Connection,
    id: &str,
    read: &ByPlayer<AnswersRead>,
) -> Result<bool, Error> {
    let changed = statement(
        "SELECT EXISTS (SELECT 1 FROM seats WHERE match_id = $1
         AND answers IS DISTINCT FROM CASE player WHEN 'a' THEN $2 ELSE $3 END)",
    );
    let changed = changed.bind(id).bind(read.a.text.clone()).bind(read.b.text.clone());
    Ok(!changed.scalar::<bool>(connection).await?)
}

/// Deletes the conditional answers that a new action in a match makes invalid.
pub(crate) async fn forget_answers(
    connection: &mut Connection,
    id: &str,
    read: &ByPlayer<AnswersRead>,
) -> Result<(), Error> {
    for player in Player::BOTH {
        if read[player].text.is_none() || read[player].stay {
            continue;
        }
        statement("UPDATE seats SET answers = NULL WHERE match_id = $1 AND player = $2")
            .bind(id)
            .bind(player_text(player))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
