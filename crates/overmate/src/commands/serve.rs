//! Implements the command `overmate serve`, which runs a web server for playing in the browser.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use anyhow::{Context as _, Result};
use overmate_server::{OfferedProgram, Server};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use super::programs;
use super::serve_settings::{self, ServeSettings};
use crate::cli::{LogForm, ServeArgs, ServedProgram};
use overmate_terminal::errors::{print_aside, write_error};
#[cfg(unix)]
use overmate_terminal::signals;

pub(crate) fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<()> {
    write_log(args.log)?;
    // The main thread asks the operating system for short time slices before it starts other threads. Each thread inherits the time slice
    // of the thread that starts it.
    overmate_server::prefer_short_waits();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the threads of the server")?;
    let served = runtime.block_on(serve(args, out));
    // The server has stopped its tasks. A task that has not ended by then must not keep the process alive.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Prints the OpenAPI document of the server's HTTP interface.
pub(crate) fn openapi(out: &mut dyn Write) -> Result<()> {
    out.write_all(overmate_server::openapi_json().as_bytes()).map_err(write_error)
}

async fn serve(args: &ServeArgs, out: &mut dyn Write) -> Result<()> {
    let ServeSettings { mut settings, programs, program_time } = serve_settings::collect(args)?;
    // The server accepts the host name of the option `--listen` in the header `Host` of requests.
    // Behind a reverse proxy, a server without the option `--host` answers for all host names.
    if !settings.behind_proxy || !settings.hosts.is_empty() {
        settings.hosts.extend(listened_name(&args.listen));
    }
    settings.programs = started(programs, program_time).await?;
    // The server opens its listening sockets once before it creates a new data folder, so that an unusable address is reported first. The
    // sockets are closed again until the server has opened the folder, so that clients go to another server meanwhile.
    drop(listen(args).await?);
    let server = Server::open(settings).await?;
    let (listener, metrics) = listen(args).await?;
    let address = listener
        .local_addr()
        .context("cannot determine the address at which the server listens")?;
    let stopped = stop_signal()?;
    announce(out, format_args!("http://{address}"))?;
    if let Some(listener) = metrics {
        let address = listener
            .local_addr()
            .context("cannot determine the address at which the metrics are served")?;
        announce(out, format_args!("http://{address}/metrics"))?;
        overmate_server::serve_metrics(listener, &server);
    }
    overmate_server::serve(listener, server, stopped).await;
    Ok(())
}

/// Prints an address of the server. If the reader of the standard output has closed its pipe, the server runs on, because it needs no
/// reader.
fn announce(out: &mut dyn Write, address: fmt::Arguments<'_>) -> Result<()> {
    // The line with an address of the server is flushed at once, because scripts wait for this line.
    match writeln!(out, "{address}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            print_aside(&format!("the standard output is closed: the server listens at {address}"));
            Ok(())
        }
        written => written.map_err(write_error),
    }
}

/// Opens the listening socket for requests and, if the operator wants metrics, the listening socket for metrics.
async fn listen(args: &ServeArgs) -> Result<(TcpListener, Option<TcpListener>)> {
    let listener = TcpListener::bind(&args.listen).await.with_context(|| {
        format!("cannot listen at {}: choose another address with --listen", args.listen)
    })?;
    let Some(wanted) = &args.metrics else { return Ok((listener, None)) };
    let metrics = TcpListener::bind(wanted).await.with_context(|| {
        format!("cannot serve the metrics at {wanted}: choose another address with --metrics")
    })?;
    Ok((listener, Some(metrics)))
}

/// Starts each opponent program once, and returns the programs that the server can offer.
async fn started(programs: Vec<ServedProgram>, time: Duration) -> Result<Vec<OfferedProgram>> {
    // The opponent programs are started in a blocking task, because the start of a program waits until the program answers.
    let offered = tokio::task::spawn_blocking(move || programs::offered(&programs, time));
    offered.await.context("the task that starts the programs of --program failed")?
}

/// Returns the host name in a listening address, or `None` if the address has an IP address in place of a name. Requests may always use an
/// IP address as the host.
fn listened_name(listen: &str) -> Option<String> {
    let (host, _) = listen.rsplit_once(':')?;
    let is_address = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
    (!is_address).then(|| host.to_ascii_lowercase())
}

/// Log levels of libraries that hold unless the variable `RUST_LOG` names the same module. The database library would warn of unknown
/// parameters of an address with their values, which may be passwords. The server itself logs faults of the other two libraries.
const QUIET: &str = "sqlx_postgres::options=error,async_nats=off,webauthn_rs_core=off";

/// Starts logging to the standard error. The standard output is reserved for results of the
/// command.
fn write_log(form: LogForm) -> Result<()> {
    let wanted = std::env::var(EnvFilter::DEFAULT_ENV).unwrap_or_default();
    let levels = if wanted.is_empty() { "info,sqlx=warn" } else { &wanted };
    let filter = EnvFilter::try_new(format!("{QUIET},{levels}")).with_context(|| {
        format!(
            "the variable RUST_LOG={wanted} is not valid: write levels such as info,overmate_server=debug"
        )
    })?;
    let coloured = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    // A failed write to the standard error is ignored. The library would report the failure on the standard error, and panic.
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(coloured)
        .log_internal_errors(false)
        .with_writer(io::stderr);
    match form {
        LogForm::Json => log.json().init(),
        LogForm::Text => log.init(),
    }
    Ok(())
}

/// Returns a future that waits for Ctrl-C, a termination signal or the closing of the terminal. A server under `nohup` goes on after its
/// terminal closes. The call itself installs the signal handlers, so that a signal before the first poll of the future is not lost and does
/// not kill the process.
#[cfg(unix)]
fn stop_signal() -> Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let wanted = |kind| signal(kind).context("cannot listen for Ctrl-C and termination signals");
    let (mut interrupted, mut terminated) =
        (wanted(SignalKind::interrupt())?, wanted(SignalKind::terminate())?);
    let heeds_hang_up = !signals::ignores_hang_up();
    let mut hung_up = heeds_hang_up.then(|| wanted(SignalKind::hangup())).transpose()?;
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
            Some(()) = async { hung_up.as_mut()?.recv().await } => {}
        }
    })
}

/// Returns a future that waits for Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a signal handler the server runs until the process is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
