//! Inserts new matches into the database, within the quotas of their players.

use overmate_rules::Player;
use sqlx::Error;

use super::leases;
use super::logs::insert_ended;
use super::person_sql::owned;
use super::rows::player_text;
use crate::settings::Limits;
use crate::store::connection::sql::{Connection, statement};
use crate::store::interface::entry::Entry;
use crate::store::interface::holder::Holder;
use crate::store::interface::match_info::{MatchInfo, Occupant};
use crate::store::interface::outcome::{Appended, Quota};
use crate::store::interface::store::NewMatchRequest;

/// Returns the identities of the persons who hold a seat in a match, without duplicates.
pub(crate) fn holders(info: &MatchInfo) -> impl Iterator<Item = Holder> {
    let holder = |player: Player| match info.seats[player].occupant {
        Occupant::Holder(holder) => Some(holder),
        Occupant::Open | Occupant::Deleted | Occupant::Bot(..) => None,
    };
    let (a, b) = (holder(Player::A), holder(Player::B));
    a.into_iter().chain(b.filter(|_| a != b))
}

/// Returns the match quota that a person has used up, or `None` if the person may begin another match. A person who has used up a
/// quota may take no further seat.
pub(crate) async fn full_quota(
    connection: &mut Connection,
    holder: Holder,
    limits: &Limits,
) -> Result<Option<Quota>, Error> {
    if (limits.unfinished_matches, limits.kept_matches) == (None, None) {
        return Ok(None);
    }
    let counts = statement(concat!(
        "SELECT count(DISTINCT id) FILTER (WHERE ended_at IS NULL) AS unfinished, count(DISTINCT id) AS kept
         FROM seats JOIN matches ON id = match_id WHERE holder IN ",
        owned!("$1")
    ))
    .bind(holder)
    .row(connection)
    .await?
    .ok_or(Error::RowNotFound)?;
    let is_reached = |count: i64, most: Option<u32>| most.is_some_and(|most| count >= most.into());
    Ok(if is_reached(counts.get("unfinished")?, limits.unfinished_matches) {
        Some(Quota::Unfinished)
    } else {
        is_reached(counts.get("kept")?, limits.kept_matches).then_some(Quota::Kept)
    })
}

/// New match to insert, with the request that creates the match.
#[derive(Debug)]
pub(crate) struct Creation {
    pub(crate) info: MatchInfo,
    pub(crate) request: Option<NewMatchRequest>,
    /// Complete log of a match that was played offline; empty for a match that has just begun.
    pub(crate) log: Vec<Entry>,
}

/// Inserts a match, unless a repeated request has already created the match or a player has used up a quota.
pub(crate) async fn create(
    connection: &mut Connection,
    Creation { info, request, log }: &Creation,
    limits: &Limits,
    server: Option<&str>,
) -> Result<Appended, Error> {
    if is_known(connection, request.as_ref()).await? {
        return Ok(Appended::Conflict);
    }
    // The quota of unfinished matches does not apply to a match with a complete log, because such a match has ended.
    let unfinished_matches = limits.unfinished_matches.filter(|_| log.is_empty());
    let limits = Limits { unfinished_matches, ..*limits };
    for holder in holders(info) {
        if let Some(quota) = full_quota(connection, holder, &limits).await? {
            return Ok(Appended::Full(quota));
        }
    }
    insert(connection, info, request.as_ref(), server).await?;
    if !log.is_empty() {
        // The log of the match becomes one database row, because thousands of new rows would delay the writes of all other players.
        insert_ended(connection, &info.id, log).await?;
        leases::end(connection, &info.id).await?;
    }
    Ok(Appended::Stored)
}

/// Returns whether a person's earlier request with a given client id has created a match.
pub(crate) async fn is_known(
    connection: &mut Connection,
    request: Option<&NewMatchRequest>,
) -> Result<bool, Error> {
    let Some(NewMatchRequest { holder, client_id }) = request else { return Ok(false) };
    statement(concat!(
        "SELECT EXISTS (SELECT 1 FROM matches WHERE asked_by IN ",
        owned!("$1"),
        " AND client_id = $2)"
    ))
    .bind(*holder)
    .bind(client_id)
    .scalar(connection)
    .await
}

/// Inserts a match without a check for repeated requests and used-up quotas.
pub(crate) async fn insert(
    connection: &mut Connection,
    info: &MatchInfo,
    request: Option<&NewMatchRequest>,
    server: Option<&str>,
) -> Result<(), Error> {
    let deals: Vec<String> = info.deals.iter().map(ToString::to_string).collect();
    statement(
        "INSERT INTO matches (id, rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, network, clock, rated, public, played_at, asked_by, client_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )
    .bind(&info.id)
    .bind(&info.rules)
    .bind(deals.join(" "))
    .bind(&info.watch)
    .bind(info.invitation.as_deref())
    .bind(info.created_at)
    .bind(info.shared_deal_column())
    .bind(info.deal_chosen)
    .bind(info.network.map(i64::from))
    .bind(info.clock.map(|clock| clock.to_string()))
    .bind(info.rated)
    .bind(info.public)
    .bind(info.played_at)
    .bind(request.map(|request| request.holder))
    .bind(request.map(|request| request.client_id.as_str()))
    .execute(&mut *connection)
    .await?;
    for player in Player::BOTH {
        let seat = &info.seats[player];
        let (holder, bot, seed) = match seat.occupant {
            Occupant::Open | Occupant::Deleted => (None, None, None),
            Occupant::Holder(holder) => (Some(holder), None, None),
            Occupant::Bot(bot, seed) => (None, Some(bot.to_string()), Some(seed.cast_signed())),
        };
        statement(
            "INSERT INTO seats (match_id, player, name, holder, bot, seed, program)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&info.id)
        .bind(player_text(player))
        .bind(seat.name.as_deref())
        .bind(holder)
        .bind(bot)
        .bind(seed)
        .bind(seat.is_program)
        .execute(&mut *connection)
        .await?;
    }
    if info.has_bot() {
        // The server takes a database lease for each new match with a computer opponent, because only a replay tells whether this opponent
        // acts first.
        leases::hold(connection, &info.id, server).await?;
    }
    Ok(())
}
