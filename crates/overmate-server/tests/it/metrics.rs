//! Tests the server's metrics: their listener, their format and their documentation.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use overmate_server::wire::Hint;
use overmate_server::{Server, serve_metrics};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::sockets::{Socket, served};
use crate::support::{Browser, Table, run};

/// Text of `docs/server.md`, the documentation for operators of a server.
const DOCUMENT: &str = include_str!("../../../../docs/server.md");

/// Panic message for a missing program `promtool`, which tells how to install the program.
const NO_PROMTOOL: &str =
    "promtool is installed: run `cargo xtask test --only test`, or `apt-get install prometheus`";

/// Sends several kinds of requests to a server, and returns the metrics of the server and the identity cookie of the client.
async fn after_traffic(server: &Server, table: &Table) -> (String, String) {
    let mut browser = Browser::of(server);
    let state = browser.begin("bga", json!({"kind": "both"})).await;
    browser.begin("bga", json!({"kind": "level", "level": 3})).await;
    let served = served(table).await;
    let mut socket = Socket::open(&served, &browser, &format!("{}/live", state.id)).await;
    socket.hello().await;
    let _: Hint = browser.ask(&state.id, "hint").await.ok();
    let metrics = Browser::metrics(server).await;
    drop(served.stop);
    (metrics, browser.cookie.expect("a cookie"))
}

/// Returns the metric names that follow the prefix `start` (such as `# TYPE `) in the lines of a metrics text.
fn names<'a>(metrics: &'a str, start: &str) -> Vec<&'a str> {
    let lines = metrics.lines().filter_map(|line| line.strip_prefix(start));
    lines.filter_map(|rest| rest.split([' ', '{']).next()).collect()
}

#[test]
fn every_metric_has_a_help_text_a_type_and_a_line_in_the_documents() {
    run(async {
        let table = Table::new().await;
        let (metrics, cookie) = after_traffic(&table.server, &table).await;
        assert!(!metrics.contains(&cookie), "the metrics hold a cookie");
        let (kinds, helps) = (names(&metrics, "# TYPE "), names(&metrics, "# HELP "));
        for name in [
            "overmate_sockets",
            "overmate_wal_bytes",
            "overmate_database_bytes",
            "overmate_free_disk_bytes",
            "overmate_longest_log_rows",
            "overmate_writes_waiting",
            "overmate_searches_waiting",
            "overmate_commit_seconds",
        ] {
            assert!(kinds.contains(&name), "{name}: {metrics}");
        }
        for kind in &kinds {
            assert!(helps.contains(kind), "{kind} has no help text");
            assert!(DOCUMENT.contains(&format!("`{kind}`")), "docs/server.md lacks {kind}");
        }
        let samples = names(&metrics, "overmate_");
        assert!(samples.len() > kinds.len());
        for sample in samples {
            let name = format!("overmate_{sample}");
            let base = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
            assert!(kinds.contains(&base.unwrap_or(&name)), "{name} has no type");
        }
        // An alert on the increase of a counter of faults needs the counter's value before the first fault.
        for code in ["internal", "busy"] {
            let zero = format!("overmate_problems_total{{code=\"{code}\"}} ");
            assert!(metrics.lines().any(|line| line.starts_with(&zero)), "{metrics}");
        }
        check_with_promtool(&metrics);
    });
}

#[test]
fn the_check_of_the_database_at_the_start_has_a_metric() {
    run(async {
        let table = Table::new().await;
        let mut metrics = String::new();
        for _ in 0..500 {
            metrics = Browser::metrics(&table.server).await;
            if metrics.contains("\novermate_database_damaged 0\n") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the metric is missing: {metrics}");
    });
}

/// Checks the format of metrics with the program `promtool` of Prometheus.
fn check_with_promtool(metrics: &str) {
    let mut command = Command::new("promtool");
    command.args(["check", "metrics"]).stdin(Stdio::piped());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect(NO_PROMTOOL);
    child.stdin.take().expect("a pipe").write_all(metrics.as_bytes()).expect("promtool reads");
    let output = child.wait_with_output().expect("promtool ends");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.is_empty(), "{told}{metrics}");
}

#[test]
fn the_metrics_have_a_listener_of_their_own() {
    run(async {
        let table = Table::new().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        serve_metrics(listener, &table.server);
        for (path, status) in [("/metrics", "200"), ("/api/v1/rules", "404"), ("/", "404")] {
            let mut stream = TcpStream::connect(address).await.expect("a connection");
            let request =
                format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
            stream.write_all(request.as_bytes()).await.expect("a request");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("an answer");
            assert_eq!(answer.split(' ').nth(1), Some(status), "{path}");
            assert_eq!(answer.contains("# HELP overmate_"), path == "/metrics", "{answer}");
        }
        assert_eq!(table.browser().get("/metrics").await.status.as_u16(), 404);
        table.server.close().await;
        assert!(TcpStream::connect(address).await.is_err());
    });
}

/// JSON text of the Grafana dashboard.
const DASHBOARD: &str = include_str!("../../../../packaging/grafana/overmate.json");

#[test]
fn the_dashboard_shows_every_documented_metric_and_no_other() {
    // Each row of the table of metrics begins with metric names.
    let rows = DOCUMENT.lines().filter(|line| line.starts_with("| `overmate_"));
    let names = rows.filter_map(|line| line.split('|').nth(1)).flat_map(|names| names.split('`'));
    let documented: BTreeSet<&str> = names.filter(|name| name.starts_with("overmate_")).collect();
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("the dashboard is JSON");
    let mut shown = BTreeSet::new();
    let mut expressions = Vec::new();
    for panel in dashboard["panels"].as_array().expect("panels") {
        for target in panel["targets"].as_array().expect("targets") {
            let expression = target["expr"].as_str().expect("an expression");
            expressions.push(expression);
            let mut words = expression.split(|c: char| !c.is_ascii_lowercase() && c != '_');
            let name = words.find(|word| word.starts_with("overmate_")).expect("a metric");
            shown.insert(name.strip_suffix("_bucket").unwrap_or(name));
        }
    }
    assert!(expressions.len() > 20, "{}", expressions.len());
    assert_eq!(shown, documented);
    check_queries(&expressions);
}

/// Checks the Prometheus queries of a dashboard with the program `promtool`. The program reads the queries from
/// recording rules.
fn check_queries(expressions: &[&str]) {
    // The test replaces the variables in the queries of the dashboard, as Grafana does before it sends a query to Prometheus.
    let query =
        |text: &str| text.replace("$__rate_interval", "5m").replace("$instance", "server:2421");
    let rules: Vec<Value> = expressions
        .iter()
        .enumerate()
        .map(|(number, text)| json!({"record": format!("query:{number}"), "expr": query(text)}))
        .collect();
    let file = tempfile::NamedTempFile::new().expect("a file");
    // The test writes the recording rules as JSON, which is valid YAML.
    let groups = json!({"groups": [{"name": "dashboard", "rules": rules}]});
    std::fs::write(file.path(), groups.to_string()).expect("a file");
    let check = Command::new("promtool").args(["check", "rules"]).arg(file.path()).output();
    let output = check.expect(NO_PROMTOOL);
    let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(told.contains(&format!("{} rules found", expressions.len())), "{told}");
}
