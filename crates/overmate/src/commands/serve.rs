//! Implements the command `overmate serve`, which runs a web server for playing in the browser.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use anyhow::{Context as _, Result};
use overmate_server::{Server, Settings};
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use super::database_options::{self, ProgramChoice};
use super::programs;
use crate::cli::{LogForm, ServeArgs};
use overmate_terminal::errors::{print_aside, write_error};
#[cfg(unix)]
use overmate_terminal::signals;

/// Default time limit for an action of an opponent program.
const PROGRAM_TIME: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<()> {
    write_log(args.log)?;
    // The threads of the runtime and of the databases inherit the time slice of this thread.
    overmate_server::prefer_short_waits();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the threads of the server")?;
    runtime.block_on(serve(args, out))
}

/// Prints the OpenAPI document of the server's HTTP interface.
pub(crate) fn openapi(out: &mut dyn Write) -> Result<()> {
    out.write_all(overmate_server::openapi_json().as_bytes()).map_err(write_error)
}

async fn serve(args: &ServeArgs, out: &mut dyn Write) -> Result<()> {
    let mut settings =
        database_options::settings(&args.data, args.events.as_ref(), args.public_url.as_ref())?;
    settings.push_contact = database_options::push_contact(&args.data, args.push_contact.as_ref())?;
    settings.mail = database_options::mail(args)?;
    settings.role = args.role.into();
    settings.origins.clone_from(&args.origins);
    settings.hosts.clone_from(&args.hosts);
    // Browsers may use the host name of the option --listen in the header `Host`.
    settings.hosts.extend(listened_name(&args.listen));
    settings.behind_proxy = args.behind_proxy;
    if let Some(file) = &args.refused_words {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read the list of refused words {}", file.display()))?;
        settings.refused_words = text.lines().map(str::to_owned).collect();
    }
    if args.no_limits {
        settings.limits = settings.limits.lifted();
    }
    database_options::set_limits(args, &mut settings.limits)?;
    set_programs(args, &mut settings).await?;
    settings.die_after_commits = args.die_after_commits;
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
    // The output is flushed at once, because scripts wait for this line.
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

/// Starts the opponent programs, and puts the programs and their limits into the server's settings.
async fn set_programs(args: &ServeArgs, settings: &mut Settings) -> Result<()> {
    let ProgramChoice { programs, processes, time, idle } = database_options::programs(args)?;
    let limits = &mut settings.limits;
    limits.program_processes = processes.unwrap_or(limits.program_processes);
    limits.program_idle_time = idle.unwrap_or(limits.program_idle_time);
    let time = time.unwrap_or(PROGRAM_TIME);
    // The start of a program blocks until the program answers.
    let offered = tokio::task::spawn_blocking(move || programs::offered(&programs, time));
    settings.programs =
        offered.await.context("the task that starts the programs of --program failed")??;
    Ok(())
}

/// Returns the host name in a listening address, or `None` if the address has an IP address in place of a name. Requests may always use an
/// IP address as the host.
fn listened_name(listen: &str) -> Option<String> {
    let (host, _) = listen.rsplit_once(':')?;
    let is_address = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
    (!is_address).then(|| host.to_ascii_lowercase())
}

/// Starts logging to the standard error. The standard output is reserved for results of the
/// command.
fn write_log(form: LogForm) -> Result<()> {
    let wanted = std::env::var(EnvFilter::DEFAULT_ENV).unwrap_or_default();
    let filter = match wanted.as_str() {
        "" => EnvFilter::new("info,sqlx=warn,async_nats=off,webauthn_rs_core=off"),
        wanted => EnvFilter::try_new(wanted).with_context(|| {
            format!(
                "the variable RUST_LOG={wanted} is not valid: write levels such as info,overmate_server=debug"
            )
        })?,
    };
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
