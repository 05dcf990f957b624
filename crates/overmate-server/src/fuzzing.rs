//! Exposes private parsers of untrusted input to the fuzz targets. No other program may use this
//! module.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{FromRequest as _, Request};
use axum::http::header;
use futures_util::FutureExt as _;
use overmate_bots::BuiltIn;
use overmate_rules::{ByPlayer, Player};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::matches::match_state::{LogLimits, MatchState, Role};
use crate::names::RefusedWords;
use crate::routes::extract::Body;
use crate::services::plan;
use crate::settings::{Limits, Settings};
use crate::show;
use crate::show::records::record;
use crate::store::{Entry, EntryKind, Holder, MatchInfo, Occupant, SeatInfo};
use crate::wire;
use crate::wire::checks::Checked;

/// Maximum number of log rows in a fuzz input. Further rows are left out.
const ROWS: usize = 20_000;

/// Browser identities of player A and player B in the replayed matches of the fuzz targets.
const BROWSERS: [Holder; 2] = [Holder([1; 32]), Holder([2; 32])];

/// Parses and validates the body of an HTTP request as the server does, but does not execute the request. Returns the request as JSON, or
/// the error text of the refusal.
///
/// # Panics
///
/// Panics if the body makes the server panic.
pub fn read_body(request: BodyOf, body: &[u8]) -> Result<String, String> {
    let found = match request {
        BodyOf::NewMatch => extracted::<wire::NewMatch>(body).and_then(|new| {
            plan(&new, BROWSERS[0], &RefusedWords::from_lines(["badger", "*mushroom*"]))?;
            Ok(json(&new))
        }),
        BodyOf::Analysis => extracted::<wire::AnalysisRequest>(body).and_then(|request| {
            overmate_json::AnalysisSubject::read(&request)?;
            Ok(json(&request))
        }),
        BodyOf::Act => extracted::<wire::Act>(body).map(|body| json(&body)),
        BodyOf::Resign => extracted::<wire::Resign>(body).map(|body| json(&body)),
        BodyOf::ClientId => extracted::<wire::ClientId>(body).map(|body| json(&body)),
        BodyOf::Hint => extracted::<wire::HintRequest>(body).map(|body| json(&body)),
        BodyOf::Join => extracted::<wire::Join>(body).map(|body| json(&body)),
        BodyOf::SharedDeal => extracted::<wire::PlaySharedDeal>(body).map(|body| json(&body)),
        BodyOf::PuzzleAttempt => extracted::<wire::PuzzleAttempt>(body).map(|body| json(&body)),
    };
    found.map_err(|error| {
        assert!(!matches!(error, ApiError::Internal(_)), "the server fails: {error:?}");
        error.to_string()
    })
}

/// Kind of HTTP request body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyOf {
    /// Request for a new match.
    NewMatch,
    /// Request to take an action in a match.
    Act,
    /// Request to resign a match.
    Resign,
    /// Request, such as an undo, whose body holds only the client id (idempotency key).
    ClientId,
    /// Request to join a match by an invitation.
    Join,
    /// Request to play a shared deal.
    SharedDeal,
    /// Request for an analysis.
    Analysis,
    /// Attempt at a puzzle.
    PuzzleAttempt,
    /// Request for a hint.
    Hint,
}

impl BodyOf {
    /// All kinds of HTTP request body. A number in a fuzz input selects one kind by its index in this list.
    pub const ALL: [Self; 9] = [
        Self::NewMatch,
        Self::Act,
        Self::Resign,
        Self::ClientId,
        Self::Join,
        Self::SharedDeal,
        Self::Analysis,
        Self::PuzzleAttempt,
        Self::Hint,
    ];
}

fn extracted<T: DeserializeOwned + Checked>(body: &[u8]) -> Result<T, ApiError> {
    let request = Request::post("/")
        .header(header::CONTENT_TYPE, "application/json")
        .body(axum::body::Body::from(body.to_vec()))
        .expect("a request");
    let settings = Arc::new(Settings::new(PathBuf::new()));
    let read = Body::<T>::from_request(request, &settings).now_or_never();
    read.expect("the body is in memory").map(|Body(body)| body)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("requests can be written")
}

/// Replays a match log as the server does, and renders the match state and the game record for each role of a browser in the match. Returns
/// the number of log rows, or the error text.
///
/// The first line of the text gives the seats (`both`, `friend`, `open`, `bot` or `shared`), the
/// rule set, and the deal numbers. Each other line is a row: the player (`a` or `b`), the kind of
/// the entry, and its detail. A line `again ROWS TIMES` repeats the last rows. Blanks separate the
/// parts of a line.
///
/// # Panics
///
/// Panics if the replay panics, or if a replay in two parts has another result.
pub fn replay(text: &str) -> Result<usize, String> {
    let mut lines = text.lines();
    let info = info_of(lines.next().unwrap_or_default()).ok_or("the match cannot be read")?;
    let log = log_of(lines).ok_or("a row cannot be read")?;
    let info = Arc::new(info);
    let limits = LogLimits::of(&Limits::default());
    let start = MatchState::new(Arc::clone(&info), limits).map_err(|fault| fault.to_string())?;
    let whole = start.clone().replay(&log);
    let (earlier, later) = log.split_at(log.len() / 2);
    let in_parts = start.replay(earlier).and_then(|state| state.replay(later));
    match (whole, in_parts) {
        (Ok(whole), Ok(in_parts)) => {
            for role in
                [Role::Player(Player::A), Role::Player(Player::B), Role::Both, Role::Spectator]
            {
                let shown = [&whole, &in_parts].map(|state| shown(state, role));
                assert_eq!(shown[0], shown[1], "a replay in two parts has another result");
            }
            Ok(log.len())
        }
        (Err(whole), Err(in_parts)) => {
            assert_eq!(whole.to_string(), in_parts.to_string());
            Err(whole.to_string())
        }
        (whole, in_parts) => panic!("two replays of the log differ: {whole:?} and {in_parts:?}"),
    }
}

/// Returns the JSON texts of the match state and of the match summary, and the game record, for a viewer in the given role.
fn shown(state: &MatchState, role: Role) -> [String; 3] {
    [
        json(&show::matches::view(state, role, state.finished_at(state.sequence() / 2))),
        json(&show::matches::summary(state, role)),
        record(state, role).map(|record| record.to_string()).unwrap_or_default(),
    ]
}

fn info_of(line: &str) -> Option<MatchInfo> {
    let mut parts = line.split(' ');
    let [a, b] = BROWSERS.map(Occupant::Holder);
    let bot = Occupant::Bot(BuiltIn::Perfect.into(), 7);
    let (a, b, shared_deal) = match parts.next()? {
        "both" => (a, a, None),
        "friend" => (a, b, None),
        "open" => (a, Occupant::Open, None),
        "bot" => (a, bot, None),
        "shared" => (a, bot, Some("2026-11-21".to_owned())),
        _ => return None,
    };
    let rules = parts.next()?.to_owned();
    let deals: Result<Vec<u64>, _> = parts.map(str::parse).collect();
    let seat = |occupant| SeatInfo::new(None, occupant);
    Some(MatchInfo {
        id: "0".repeat(32),
        rules,
        deals: deals.ok()?,
        watch: String::new(),
        invitation: None,
        created_at: 0,
        shared_deal,
        deal_chosen: false,
        network: None,
        clock: None,
        rated: false,
        public: false,
        played_at: None,
        seats: ByPlayer { a: seat(a), b: seat(b) },
    })
}

fn log_of<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Vec<Entry>> {
    let mut rows: Vec<(Player, EntryKind)> = Vec::new();
    for line in lines {
        let mut parts = line.splitn(3, ' ');
        let player = match parts.next()? {
            "a" => Player::A,
            "b" => Player::B,
            "again" => {
                let length: usize = parts.next()?.parse().ok()?;
                let times: usize = parts.next()?.parse().ok()?;
                let from = rows.len().checked_sub(length)?;
                let last = rows.get(from..)?.to_vec();
                let room = ROWS.saturating_sub(rows.len());
                rows.extend(
                    last.iter().cycle().take(last.len().saturating_mul(times).min(room)).cloned(),
                );
                continue;
            }
            _ => return None,
        };
        let kind = EntryKind::of_texts(parts.next()?, parts.next().map(str::to_owned))?;
        rows.push((player, kind));
    }
    let entry = |(sequence, (player, kind))| Entry {
        sequence,
        player,
        kind,
        client_id: format!("request-{sequence}"),
        at_ms: 0,
        given_ms: 0,
    };
    Some((1..).zip(rows.into_iter().take(ROWS)).map(entry).collect())
}
