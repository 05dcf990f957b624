//! Tests that every store keeps the reports about players, and that the databases keep operators' measures, such as warnings and mutes.

use std::sync::Arc;

use overmate_rules::{ByPlayer, Player};

use super::pair::{Pair, against_computer, create, entry, holder, id, info, seat, use_code};
use super::ratings::{leave, won};
use super::relations::make_account;
use crate::store::queries::{operator_reports, operators};
use crate::store::{
    Addition, Appended, CodeKind, CodeOffer, Holder, MOST_OF_NETWORK, MOST_REPORTS, MatchInfo,
    Measures, NewReport, Occupant, PersonChange, Quota, REPORT_PERIOD, Report, ReportChange,
    ReportReason, Store,
};

type Shared = Arc<dyn Store>;

/// Creates a finished match between two browser identities.
async fn meet(store: &Shared, number: u32, [a, b]: [u8; 2]) {
    let [a, b] = [a, b].map(holder).map(Occupant::Holder).map(seat);
    let met = MatchInfo { invitation: None, seats: ByPlayer { a, b }, ..info(number) };
    create(store, met).await;
    let ended = Addition { ends: true, ..Addition::of(&id(number), entry(1)) };
    assert_eq!(store.append(ended).await.expect("a write"), Appended::Stored);
}

fn new(number: u32, player: Player, reporter: u8, at: i64) -> NewReport {
    let report = Report {
        id: id(1_000 * u32::from(player == Player::B) + number),
        match_id: id(number),
        player,
        reason: ReportReason::Insults,
        text: Some(format!("words {number}")),
        at,
        network: reporter.into(),
        settled_at: None,
    };
    NewReport { report, reporter: holder(reporter) }
}

async fn report(store: &Shared, new: NewReport) -> Appended {
    store.change_report(ReportChange::Make(new)).await.expect("a write")
}

/// Returns the reports that a person has made, each with its match, its reason and its text.
async fn reports(store: &Shared, person: u8) -> Vec<(String, ReportReason, Option<String>)> {
    let reports = store.reports_of(holder(person)).await.expect("a read");
    reports.into_iter().map(|one| (one.match_id, one.reason, one.text)).collect()
}

async fn change_person(store: &Shared, change: PersonChange) {
    assert_eq!(store.change_person(change).await.expect("a write"), Appended::Stored);
}

pub(super) async fn reports_of_players(Pair { a, b, .. }: &mut Pair) {
    meet(a, 1, [1, 2]).await;
    meet(a, 2, [1, 1]).await;
    create(a, against_computer(3, holder(1))).await;
    create(a, info(4)).await;
    // Only a player of a match can report the opponent, and only if another person holds the opponent's seat.
    for (number, player, reporter) in [
        (1, Player::A, 2),
        (1, Player::A, 3),
        (2, Player::A, 1),
        (3, Player::A, 1),
        (4, Player::A, 1),
        (9, Player::A, 1),
    ] {
        let refused = report(a, new(number, player, reporter, 100)).await;
        assert_eq!(refused, Appended::Conflict, "{number} {reporter}");
    }
    assert_eq!(report(a, new(1, Player::A, 1, 100)).await, Appended::Stored);
    assert_eq!(report(b, new(1, Player::B, 2, 110)).await, Appended::Stored);
    // An opponent who deletes the match can be reported only if the match was rated.
    for (person, handle) in [(201, "Anna"), (202, "Bert")] {
        make_account(a, person, handle).await;
    }
    won(a, 5, (201, 202)).await;
    meet(a, 6, [201, 202]).await;
    for (number, expected) in [(5, Appended::Stored), (6, Appended::Conflict)] {
        leave(b, number, Player::B).await;
        assert_eq!(report(a, new(number, Player::A, 201, 100)).await, expected, "{number}");
    }
    let opponent = a.rated_player(&id(5), Player::B).await.expect("a read");
    assert_eq!(opponent, Some(holder(202)));
    change_person(b, PersonChange::Forget { person: holder(202), at: 100 }).await;
    assert_eq!(a.rated_player(&id(5), Player::B).await.expect("a read"), None);
    assert_eq!(reports(a, 201).await, []);
    assert_eq!(report(a, new(5, Player::A, 201, 100)).await, Appended::Conflict);
    // A second report of a player in a match replaces the first report.
    let mut again = new(1, Player::A, 1, 120);
    (again.report.reason, again.report.text) = (ReportReason::Other, None);
    assert_eq!(report(b, again).await, Appended::Stored);
    assert_eq!(reports(a, 1).await, [(id(1), ReportReason::Other, None)]);
    let words = Some("words 1".to_owned());
    assert_eq!(reports(a, 2).await, [(id(1), ReportReason::Insults, words.clone())]);
    // After browser 2 is linked to person 8, the reports by browser 2 belong to person 8.
    let code = CodeOffer {
        hashes: vec![[8; 32]],
        kind: CodeKind::Link,
        person: holder(8),
        browser: holder(8),
        name: None,
        at: 140,
        until: Some(900),
    };
    change_person(a, PersonChange::Offer(code)).await;
    let join = use_code([8; 32], 2, 160);
    change_person(b, join).await;
    assert_eq!(reports(a, 2).await, []);
    assert_eq!(reports(a, 8).await, [(id(1), ReportReason::Insults, words)]);
    // An erasure removes the reports about the person, and the texts in the person's own reports.
    change_person(a, PersonChange::Forget { person: holder(1), at: 170 }).await;
    assert_eq!((reports(b, 1).await, reports(b, 8).await), (Vec::new(), Vec::new()));
    // The numbers of reports by a person and from a network are limited. A refusal tells when the oldest of the counted reports is a day
    // old.
    let day = 1_000_000;
    let full = |seconds: i64| Appended::Full(Quota::Reports { seconds: seconds.unsigned_abs() });
    let last = 10 + MOST_REPORTS;
    for number in 10..last {
        meet(b, number, [1, 3]).await;
        let made = report(a, new(number, Player::A, 1, day + 60 * i64::from(number))).await;
        assert_eq!(made, Appended::Stored, "{number}");
    }
    meet(b, last, [1, 3]).await;
    let first = day + 600;
    for (at, expected) in [
        (first + 1_000, full(REPORT_PERIOD - 1_000)),
        (first + REPORT_PERIOD - 1, full(1)),
        (first + REPORT_PERIOD, Appended::Stored),
    ] {
        assert_eq!(report(a, new(last, Player::A, 1, at)).await, expected, "{at}");
    }
    let of_network = |number: u32, reporter: u8, at: i64| {
        let mut new = new(number, Player::A, reporter, at);
        new.report.network = 7;
        new
    };
    for number in 0..=u8::try_from(MOST_OF_NETWORK).expect("a byte") {
        let id = 100 + u32::from(number);
        meet(b, id, [100 + number, 3]).await;
        let at = day + i64::from(number);
        let is_full = u32::from(number) == MOST_OF_NETWORK;
        let expected = if is_full { full(day + REPORT_PERIOD - at) } else { Appended::Stored };
        assert_eq!(report(a, of_network(id, 100 + number, at)).await, expected, "{number}");
    }
    // If both limits are reached, the later end counts.
    let second = first + 60;
    meet(b, last + 1, [1, 3]).await;
    let refused = report(a, of_network(last + 1, 1, day + REPORT_PERIOD - 1)).await;
    assert_eq!(refused, full(second - day + 1));
    // Old reports are removed.
    let forget = ReportChange::Forget { before: first + REPORT_PERIOD, at: day };
    assert_eq!(a.change_report(forget).await.expect("a write"), Appended::Stored);
    assert_eq!(reports(b, 1).await.len(), 1);
    assert_eq!(reports(b, 100).await, []);
}

async fn measures(store: &Shared, person: Holder) -> Measures {
    store.measures_against(person).await.expect("a read")
}

pub(super) async fn operators_and_reports(Pair { a, b, operator }: &mut Pair) {
    let operator = operator.as_mut().expect("a database");
    make_account(a, 2, "Bert").await;
    meet(a, 1, [1, 2]).await;
    assert_eq!(report(a, new(1, Player::A, 1, 100)).await, Appended::Stored);
    let found = operator_reports::reports(operator, false).await.expect("a read");
    assert_eq!(found.len(), 1);
    let shown = &found[0];
    assert_eq!((&*shown.reason, shown.text.as_deref()), ("insults", Some("words 1")));
    assert_eq!((shown.rules.as_deref(), &*shown.match_id), (Some("bga"), &*id(1)));
    assert_eq!((shown.reporter.player, shown.reported.player), ("a", "b"));
    assert_eq!(shown.reported.handle.as_deref(), Some("Bert"));
    assert_eq!(shown.reporter.browser, Some(holder(1).to_string()));
    let settled = operator_reports::settle(operator, &shown.id, 200).await.expect("a write");
    let settled = settled.expect("an open report");
    assert_eq!((settled.match_id, settled.reported), (id(1), Player::B));
    assert_eq!(operator_reports::settle(operator, &shown.id, 201).await.expect("a write"), None);
    assert_eq!(operator_reports::reports(operator, false).await.expect("a read"), []);
    assert_eq!(operator_reports::reports(operator, true).await.expect("a read").len(), 1);
    assert_eq!(a.reports_of(holder(1)).await.expect("a read")[0].settled_at, Some(200));
    // A report that an operator has settled cannot be changed.
    assert_eq!(report(b, new(1, Player::A, 1, 210)).await, Appended::Conflict);
    // At most one measure of each kind, such as a warning, applies to a person. A new measure replaces the former measure of its kind.
    assert_eq!(measures(a, holder(2)).await, Measures::default());
    for (text, at) in [("first", 300), ("second", 301)] {
        let warning = (holder(2), "warning");
        operator_reports::take(operator, warning, (Some(text), None), at).await.expect("a write");
    }
    let mute = (holder(2), "mute");
    operator_reports::take(operator, mute, (None, Some(900)), 302).await.expect("a write");
    let closed = (holder(2), "closed");
    operator_reports::take(operator, closed, (None, None), 303).await.expect("a write");
    let all = Measures {
        warning: Some(("second".to_owned(), 301)),
        muted_until: Some(900),
        closed_at: Some(303),
    };
    assert_eq!(measures(b, holder(2)).await, all);
    // The operators' measures against a person stay when an operator revokes the person's browser.
    operators::revoke_browser(operator, holder(2), holder(5), 400).await.expect("a write");
    assert_eq!(measures(b, holder(2)).await, Measures::default());
    assert_eq!(measures(b, holder(5)).await, all);
    for (at, is_left) in [(300, true), (301, false)] {
        let confirm = ReportChange::Confirm { person: holder(5), at };
        assert_eq!(b.change_report(confirm).await.expect("a write"), Appended::Stored);
        assert_eq!(measures(a, holder(5)).await.warning.is_some(), is_left, "{at}");
    }
    for is_closed in [true, false] {
        let closed = (holder(5), "closed");
        let is_ended = operator_reports::end(operator, closed, 410).await.expect("a write");
        assert_eq!(is_ended, is_closed);
    }
    assert_eq!(measures(b, holder(5)).await.closed_at, None);
    // If an operator replaces a muted identity of a person by another muted identity, the later end of the two mutes applies.
    for (former, person, until, kept) in [(5, 6, 800, 900), (6, 8, 950, 950)] {
        let mute = (holder(person), "mute");
        operator_reports::take(operator, mute, (None, Some(until)), 450).await.expect("a write");
        operators::revoke_browser(operator, holder(former), holder(person), 460)
            .await
            .expect("a write");
        assert_eq!(measures(b, holder(person)).await.muted_until, Some(kept));
        assert_eq!(measures(b, holder(former)).await, Measures::default());
    }
    // A mute is removed when it has ended. An operator cannot end such a mute.
    for (at, left) in [(949, Some(950)), (950, None)] {
        let mute = (holder(7), "mute");
        operator_reports::take(operator, mute, (None, Some(950)), 470).await.expect("a write");
        let forget = ReportChange::Forget { before: 0, at };
        assert_eq!(a.change_report(forget).await.expect("a write"), Appended::Stored);
        assert_eq!(measures(b, holder(8)).await.muted_until, left);
        let is_ended = operator_reports::end(operator, mute, at).await.expect("a write");
        assert_eq!(is_ended, left.is_some());
    }
    let closed = (holder(8), "closed");
    operator_reports::take(operator, closed, (None, None), 480).await.expect("a write");
    change_person(a, PersonChange::Forget { person: holder(8), at: 500 }).await;
    assert_eq!(measures(b, holder(8)).await, Measures::default());
    assert_eq!(operator_reports::reports(operator, true).await.expect("a read"), []);
}
