//! Serves the list of matches in which it is a person's turn, as an Atom feed and as a calendar at a secret URL.

use std::sync::Arc;

use atom_syndication::{Entry, Feed, Text};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Deserialize;

use super::extract::PathParameter;
use super::feed::{atom_time, author, host_of, link};
use super::origin::own_origin;
use crate::clock::now;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{Identity, OwnBrowser};
use crate::limits::{Dear, Limiter};
use crate::services::{DueTurn, TurnService};
use crate::settings::Settings;
use crate::turn_text::TurnText;
use crate::wire::TurnFeed;

/// Maximum number of octets in a line of a calendar (RFC 5545).
const LINE: usize = 75;

/// Query parameters of a request for a turn feed (the list of matches in which it is a person's turn).
#[derive(Debug, Deserialize)]
pub(super) struct FeedQuery {
    /// Language of the turn feed: German for the value `de`, otherwise English.
    lang: Option<String>,
}

/// Returns the URL path prefix of a person's turn feeds, given the secret token of the feeds. A turn feed lists the matches in which it is
/// the person's turn.
pub(super) fn path_of(token: &str) -> String {
    format!("/feeds/{token}")
}

/// Returns the secret URL of your turn feed (list of the matches in which it is your turn)
#[utoipa::path(get, path = "/me/feed", operation_id = "feed", tag = "personal data",
    responses(
        (status = 200, description = "The address, or null without one", body = TurnFeed),
        ApiError,
    ))]
pub(super) async fn read(
    State(turns): State<Arc<TurnService>>,
    Identity(person): Identity,
) -> Result<Json<TurnFeed>, ApiError> {
    let token = turns.token(person).await?;
    Ok(Json(TurnFeed { path: token.map(|token| path_of(&token)) }))
}

/// Creates a secret URL for your turn feed (list of the matches in which it is your turn)
///
/// The feed shows in which correspondence matches it is your turn, as an Atom feed (`/turns.atom`) and as a calendar of the deadlines
/// (`/turns.ics`), with `?lang=de` in German. Everybody who knows the URL can read the feed. A former URL becomes invalid.
#[utoipa::path(post, path = "/me/feed", operation_id = "make_feed", tag = "personal data",
    responses(
        (status = 201, description = "The address", body = TurnFeed),
        ApiError,
    ))]
pub(super) async fn make(
    State(turns): State<Arc<TurnService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    OwnBrowser(browser): OwnBrowser,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let (person, browser) = person.zip(browser).ok_or(ApiError::BROWSER_UNKNOWN)?;
    let token = turns.renew(person, browser).await?;
    let feed = TurnFeed { path: Some(path_of(&token)) };
    Ok((StatusCode::CREATED, Json(feed)).into_response())
}

/// Revokes the secret URL of your turn feed (list of the matches in which it is your turn)
#[utoipa::path(delete, path = "/me/feed", operation_id = "revoke_feed", tag = "personal data",
    responses(
        (status = 204, description = "There is no address any more"),
        ApiError,
    ))]
pub(super) async fn revoke(
    State(turns): State<Arc<TurnService>>,
    Identity(person): Identity,
    OwnBrowser(browser): OwnBrowser,
) -> Result<StatusCode, ApiError> {
    if let Some((person, browser)) = person.zip(browser) {
        turns.revoke(person, browser).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Serves a person's turn feed (list of the matches in which it is the person's turn) at its secret URL, as an Atom feed or a calendar.
pub(super) async fn serve(
    State(turns): State<Arc<TurnService>>,
    State(limiter): State<Arc<Limiter>>,
    State(settings): State<Arc<Settings>>,
    client: Client,
    PathParameter((token, file)): PathParameter<(String, String)>,
    Query(query): Query<FeedQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let origin = own_origin(&headers, &settings).unwrap_or_else(|| "http://localhost".to_owned());
    let says = TurnText { german: query.lang.is_some_and(|lang| lang == "de") };
    let (media_type, text) = match &*file {
        "turns.atom" => {
            let feed = feed(&turns.turns(&token, client).await?, &origin, says);
            ("application/atom+xml; charset=utf-8", feed.to_string())
        }
        "turns.ics" => {
            let calendar = calendar(&turns.turns(&token, client).await?, &origin, says, now());
            ("text/calendar; charset=utf-8", calendar)
        }
        _ => return Err(ApiError::NotFound("feed")),
    };
    let headers = [(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, text).into_response())
}

/// Returns an Atom feed (RFC 4287) of the matches in which it is a person's turn.
fn feed(turns: &[DueTurn], origin: &str, says: TurnText) -> Feed {
    let host = host_of(origin);
    let entry = |turn: &DueTurn| Entry {
        title: Text::plain(says.turn(turn.opponent.as_deref())),
        id: format!("tag:{host},2026:turn/{}/{}", turn.id, turn.sequence),
        updated: atom_time(turn.since),
        links: vec![link("alternate", &format!("/match/{}", turn.id))],
        summary: turn.deadline.map(|deadline| Text::plain(says.until(deadline))),
        ..Entry::default()
    };
    Feed {
        title: Text::plain(says.title()),
        id: format!("tag:{host},2026:turns"),
        updated: atom_time(turns.iter().map(|turn| turn.since).max().unwrap_or_default()),
        authors: vec![author()],
        links: vec![link("alternate", "/")],
        entries: turns.iter().map(entry).collect(),
        base: Some(format!("{origin}/")),
        ..Feed::default()
    }
}

/// Returns a calendar (RFC 5545) with the deadlines of the matches in which it is a person's turn.
fn calendar(turns: &[DueTurn], origin: &str, says: TurnText, now: i64) -> String {
    let host = host_of(origin);
    let mut text = String::new();
    let mut line = |content: &str| {
        let mut length = 0;
        for character in content.chars() {
            // A calendar line of more than `LINE` octets is continued on the next line, which begins with a space.
            if length + character.len_utf8() > LINE {
                text.push_str("\r\n ");
                length = 1;
            }
            text.push(character);
            length += character.len_utf8();
        }
        text.push_str("\r\n");
    };
    line("BEGIN:VCALENDAR");
    line("VERSION:2.0");
    line("PRODID:-//Overmate//Turns//EN");
    line(&format!("X-WR-CALNAME:{}", escaped(says.title())));
    for (turn, deadline) in turns.iter().filter_map(|turn| Some((turn, turn.deadline?))) {
        line("BEGIN:VEVENT");
        line(&format!("UID:{}-{}@{host}", turn.id, turn.sequence));
        line(&format!("DTSTAMP:{}", utc(now)));
        line(&format!("DTSTART:{}", utc(deadline)));
        line(&format!("SUMMARY:{}", escaped(&says.turn(turn.opponent.as_deref()))));
        line(&format!("URL:{origin}/match/{}", turn.id));
        line("END:VEVENT");
    }
    line("END:VCALENDAR");
    text
}

/// Formats a Unix time in seconds as a date-time of a calendar (RFC 5545).
fn utc(seconds: i64) -> String {
    Timestamp::from_second(seconds).unwrap_or_default().strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Escapes a text for a property of a calendar (RFC 5545).
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | ';' | ',' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            _ if character.is_control() => {}
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calendar_has_short_lines_and_escaped_names() {
        let name =
            "Zo\u{eb}; \\ , the best and longest name of all players who have ever played it";
        let turn = DueTurn {
            id: "0".repeat(32),
            sequence: 7,
            opponent: Some(name.to_owned()),
            since: 0,
            deadline: Some(1_795_132_800),
        };
        let open = DueTurn { deadline: None, ..turn.clone() };
        let text =
            calendar(&[turn, open], "https://mate.example:8443", TurnText { german: false }, 60);
        assert!(
            text.split("\r\n").all(|line| line.len() <= LINE && !line.contains('\n')),
            "{text}"
        );
        let unfolded = text.replace("\r\n ", "");
        let lines: Vec<&str> = unfolded.split("\r\n").collect();
        assert_eq!(lines.len(), 13, "one event: {lines:?}");
        assert!(lines.contains(&"DTSTART:20261120T000000Z"), "{lines:?}");
        assert!(lines.contains(&"DTSTAMP:19700101T000100Z"), "{lines:?}");
        assert!(lines[5].ends_with("0-7@mate.example"), "{lines:?}");
        assert!(
            unfolded.contains("SUMMARY:Your turn against Zo\u{eb}\\; \\\\ \\, the best"),
            "{lines:?}"
        );
    }
}
