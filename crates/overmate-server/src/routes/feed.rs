//! Serves the Atom feed of the deals of the day.

use std::sync::Arc;

use atom_syndication::{Content, Entry, Feed, FixedDateTime, Link, Text};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use crate::client::Client;
use crate::clock::{now, rfc3339};
use crate::error::ApiError;
use crate::limits::{Dear, Limiter};
use crate::services::{DealsOfDay, SharedDealService};

/// Serves the deals of today and of the seven days before as an Atom feed (RFC 4287). Only the deals of past days are told.
pub(super) async fn deals_of_the_day(
    State(shared_deals): State<Arc<SharedDealService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let days = shared_deals.recent_days(client, now()).await?;
    // The host, which has been checked before, makes the ids of the feed unique.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    let host = host.split(':').next().unwrap_or(host);
    let feed = Feed {
        title: Text::plain("Overmate: the deal of the day"),
        id: format!("tag:{host},2026:daily"),
        updated: days.first().map_or_else(Default::default, |day| atom_time(day.starts_at)),
        links: vec![link("self", "/daily.atom"), link("alternate", "/daily")],
        entries: days.iter().map(|day| entry(day, host)).collect(),
        ..Feed::default()
    };
    let media_type = [(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")];
    Ok((media_type, feed.to_string()).into_response())
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

fn link(relation: &str, path: &str) -> Link {
    Link { rel: relation.to_owned(), href: path.to_owned(), ..Link::default() }
}

/// Converts a time in seconds since 1970 to the date type of the feed library.
fn atom_time(seconds: i64) -> FixedDateTime {
    rfc3339(seconds).parse().unwrap_or_default()
}
