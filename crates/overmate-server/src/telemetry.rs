//! Records the metrics of the process in the Prometheus format.

use std::path::Path;
use std::sync::OnceLock;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use crate::{data_folder, system};

/// Returns the handle of the metrics recorder that the whole process shares. If another recorder is
/// installed, the handle gives no metrics.
pub(crate) fn metrics() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(install).clone()
}

/// Upper bounds of the histogram buckets for durations, in seconds.
const SECONDS: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

fn install() -> PrometheusHandle {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
        .expect("the list of bounds is not empty");
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    if metrics::set_global_recorder(recorder).is_err() {
        tracing::warn!(
            "another recorder of metrics is installed: the answer to /metrics stays empty"
        );
    }
    describe();
    // The counters of problem responses with the codes `internal` and `busy` start at 0, before the first fault. Otherwise an alert on
    // their increase would miss this fault.
    for code in ["internal", "busy"] {
        metrics::counter!("overmate_problems_total", "code" => code).increment(0);
    }
    handle
}

/// Records metrics of the disk: the sizes of the database files in a data folder, and the free space of their file system.
pub(crate) fn measure_disk(data: &Path) {
    let file = data_folder::database(data);
    let log = data_folder::beside(&file, "-wal");
    for (gauge, file) in [("overmate_database_bytes", file), ("overmate_wal_bytes", log)] {
        // A write-ahead log that does not exist counts as 0 bytes.
        let bytes = std::fs::metadata(file).map(|file| file.len()).unwrap_or_default();
        set(gauge, bytes);
    }
    if let Some(free) = system::free_bytes(data) {
        set("overmate_free_disk_bytes", free);
    }
}

/// Sets a metrics gauge to an integer.
#[allow(
    clippy::cast_precision_loss,
    reason = "the format of Prometheus has floating-point numbers only"
)]
pub(crate) fn set(gauge: &'static str, value: u64) {
    metrics::gauge!(gauge).set(value as f64);
}

fn describe() {
    use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
    describe_counter!("overmate_requests_total", "Requests answered, by route and status");
    describe_histogram!(
        "overmate_request_seconds",
        "Time to answer a request, by route, without requests that wait for a change"
    );
    describe_counter!("overmate_problems_total", "Requests and messages that failed, by code");
    describe_counter!(
        "overmate_refusals_total",
        "Requests, messages and connections refused, by kind"
    );
    describe_counter!("overmate_matches_total", "Matches created, by opponent");
    describe_counter!("overmate_actions_total", "Actions stored, by person or computer");
    describe_counter!("overmate_offers_total", "Changes of open offers, by act");
    describe_gauge!("overmate_open_offers", "Open offers on the database");
    describe_gauge!("overmate_connections", "Live connections open now");
    describe_counter!(
        "overmate_closed_connections_total",
        "Live connections that the server closed, by WebSocket close code"
    );
    describe_counter!("overmate_erasures_total", "Browsers that erased their data");
    describe_counter!(
        "overmate_expired_total",
        "Unfinished matches and unused invitations removed after their time, by kind"
    );
    describe_counter!("overmate_event_steps_total", "Steps that moved an event on");
    describe_counter!("overmate_reports_total", "Reports about players, by reason");
    describe_counter!("overmate_push_messages_total", "Push messages sent, by outcome");
    describe_counter!("overmate_mails_total", "Attempts to send an e-mail, by kind and outcome");
    describe_counter!("overmate_folded_total", "Logs of finished matches folded into one row");
    describe_gauge!("overmate_sockets", "Connections open now that are not live connections");
    describe_gauge!(
        "overmate_database_damaged",
        "1 if the check of the database at the start found damage, otherwise 0"
    );
    describe_gauge!("overmate_database_bytes", Unit::Bytes, "Size of the database file");
    describe_gauge!("overmate_wal_bytes", Unit::Bytes, "Size of the database's write-ahead log");
    describe_gauge!(
        "overmate_free_disk_bytes",
        Unit::Bytes,
        "Free space of the file system with the data folder"
    );
    describe_gauge!(
        "overmate_longest_log_rows",
        "Log rows of the longest match in the database, or 0 while no match has 128"
    );
    describe_gauge!("overmate_writes_waiting", "Writes that wait for the next transaction");
    describe_gauge!(
        "overmate_events_connected",
        "1 while the server hears the notices of other servers, otherwise 0"
    );
    describe_histogram!("overmate_commit_seconds", "Time of a transaction of the database");
    describe_counter!("overmate_commits_total", "Transactions of the database");
    describe_gauge!(
        "overmate_searches_waiting",
        "Searches that wait for their turn, by cost class and purpose"
    );
    describe_gauge!("overmate_searches_running", "Running searches, by cost class and purpose");
    describe_histogram!(
        "overmate_search_wait_seconds",
        "Time for which a search waited for its turn, by cost class and purpose"
    );
    describe_histogram!("overmate_solve_seconds", "Time of an analysis, review or hint");
    describe_histogram!("overmate_bot_seconds", "Time for a computer opponent to choose an action");
}
