//! Serves the Atom feed of the deals of the day.

use std::sync::Arc;

use atom_syndication::{Content, Entry, Feed, FixedDateTime, Link, Person, Text};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use super::origin::own_origin;
use crate::clock::{now, rfc3339};
use crate::error::ApiError;
use crate::http::client::Client;
use crate::limits::{Dear, Limiter};
use crate::services::{DealsOfDay, SharedDealService};
use crate::settings::Settings;

/// Serves an Atom feed (RFC 4287) with the deals of today and of the previous seven days. The feed
/// gives the deal numbers of past days only.
pub(super) async fn deals_of_the_day(
    State(shared_deals): State<Arc<SharedDealService>>,
    State(limiter): State<Arc<Limiter>>,
    State(settings): State<Arc<Settings>>,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let days = shared_deals.recent_days(client, now()).await?;
    // The server's host name makes the ids of the Atom feed unique. An earlier layer has refused foreign hosts.
    let origin = own_origin(&headers, &settings).unwrap_or_else(|| "http://localhost".to_owned());
    let feed = feed(&days, &origin);
    let media_type = [(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")];
    Ok((media_type, feed.to_string()).into_response())
}

/// Returns the Atom feed with the deals of the given days. Relative links begin at `origin`, such as `https://mate.example`.
fn feed(days: &[DealsOfDay], origin: &str) -> Feed {
    let host = host_of(origin);
    Feed {
        title: Text::plain("Overmate: the deal of the day"),
        id: format!("tag:{host},2026:daily"),
        updated: days.first().map_or_else(Default::default, |day| atom_time(day.starts_at)),
        authors: vec![author()],
        links: vec![link("self", "/daily.atom"), link("alternate", "/daily")],
        entries: days.iter().map(|day| entry(day, host)).collect(),
        base: Some(format!("{origin}/")),
        ..Feed::default()
    }
}

/// Returns the author of the Atom feeds.
pub(super) fn author() -> Person {
    Person { name: "Overmate".to_owned(), ..Person::default() }
}

/// Returns the host of a web origin without its port. An IPv6 address keeps its brackets, and the colons inside the brackets
/// separate no port.
pub(super) fn host_of(origin: &str) -> &str {
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) | None => host,
    }
}

fn entry(day: &DealsOfDay, host: &str) -> Entry {
    let deals = day.deals.iter().map(|(rules, number)| {
        format!("<p><a href=\"/analysis?rules={rules}&amp;deal={number}\">{rules}: deal {number}, with its solution</a></p>")
    });
    let html: String = if day.deals.is_empty() {
        "<p><a href=\"/daily\">Play the deal</a></p>".to_owned()
    } else {
        deals.collect()
    };
    Entry {
        title: Text::plain(format!("Deal of the day, {}", day.name)),
        id: format!("tag:{host},2026:daily/{}", day.name),
        updated: atom_time(if day.deals.is_empty() { day.starts_at } else { day.ends_at }),
        links: vec![link("alternate", "/daily")],
        content: Some(Content {
            value: Some(html),
            content_type: Some("html".to_owned()),
            ..Content::default()
        }),
        ..Entry::default()
    }
}

/// Returns a link element of an Atom feed.
pub(super) fn link(relation: &str, path: &str) -> Link {
    Link { rel: relation.to_owned(), href: path.to_owned(), ..Link::default() }
}

/// Converts a Unix time in seconds to the date type of the feed library.
pub(super) fn atom_time(seconds: i64) -> FixedDateTime {
    rfc3339(seconds).parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_of_a_feed_hold_the_host_without_its_port() {
        for (origin, host) in [
            ("https://mate.example", "mate.example"),
            ("http://mate.example:2420", "mate.example"),
            ("http://127.0.0.1:2420", "127.0.0.1"),
            ("http://[::1]", "[::1]"),
            ("http://[2001:db8::1]:2420", "[2001:db8::1]"),
        ] {
            assert_eq!(host_of(origin), host);
            assert_eq!(feed(&[], origin).id, format!("tag:{host},2026:daily"));
        }
    }
}
