//! Starts the services of a server, and stops them in the right order.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock::{self, ClockFault};
use crate::computing::compute::Compute;
use crate::computing::program_pool::ProgramPool;
use crate::computing::solver_pool::SolverPool;
use crate::data_folder::{self, Use};
use crate::database::{Database, PostgresAddress};
use crate::http::public_url::PublicUrl;
use crate::identity::browser::Identities;
use crate::limits::Limiter;
use crate::mail::{MailSender, SmtpAddress};
use crate::names::RefusedWords;
use crate::notices::channel::{NatsAddress, NoticeChannel};
use crate::notices::events::{Events, InProcess};
use crate::notices::nats_events;
use crate::notices::postgres_events;
use crate::notices::sharing::REREAD_INTERVAL;
use crate::presence::Rooms;
use crate::present::PeopleConnected;
use crate::push::{PushClient, PushContact, PushKey};
use crate::services::{
    AbsenceWatch, AccountService, AnalysisService, BackgroundService, BotAccountService,
    BotService, ClockService, DaysOffService, EventService, ExpiryService, HandInService,
    HintService, InvitationService, LobbyService, MailService, MatchRepository, MatchService,
    OperatorActs, PasskeyService, PeopleHereService, PeopleService, PersonalDataService,
    PictureService, ProgressService, PushService, PuzzleService, RatingService, RelationService,
    ReportService, SeatTextService, SharedDealService, TalkService, TurnMailService, TurnService,
    WatchService,
};
use crate::settings::{ServerRole, Settings};
use crate::store::connection::inspect;
use crate::store::{SqlStore, Store};
use crate::telemetry;

/// Shutdown grace period: the maximum time for running requests and searches to end after the server begins to stop.
pub(crate) const DRAIN: Duration = Duration::from_secs(10);

/// Handle of a running server. All clones of the handle share the match store and the services.
#[derive(Clone)]
pub struct Server {
    pub(crate) settings: Arc<Settings>,
    pub(crate) limiter: Arc<Limiter>,
    pub(crate) metrics: PrometheusHandle,
    /// Cancellation token that stops the server. Live connections and waiting requests then end.
    pub(crate) stop: CancellationToken,
    /// Background tasks that must end before the server closes the match store.
    pub(crate) tasks: TaskTracker,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) identities: Arc<Identities>,
    /// Whether the check of the database at the start of the server found damage.
    pub(crate) damaged: Arc<AtomicBool>,
    /// Time at which this server last measured the length of the longest match log, or `None` before the first measurement.
    pub(crate) log_measured: Arc<tokio::sync::Mutex<Option<Instant>>>,
    /// Period, in milliseconds, over which the clients of a stopped server spread their reconnections. The field is empty until the stop.
    pub(crate) return_window: Arc<OnceLock<u64>>,
    /// File locks on the data folder, which holds the SQLite database. `close` releases the locks.
    locks: Arc<Mutex<Vec<File>>>,
    /// Rooms (channels for presence and chat phrases) of all matches with connected players.
    pub(crate) rooms: Rooms,
    /// People with an open live connection to this server.
    pub(crate) connected: PeopleConnected,
    /// Service that notifies live connections of operators' acts, such as the closing of an account.
    pub(crate) operator_acts: Arc<OperatorActs>,
    pub(crate) matches: Arc<MatchService>,
    pub(crate) invitations: Arc<InvitationService>,
    pub(crate) analysis: Arc<AnalysisService>,
    pub(crate) hand_ins: Arc<HandInService>,
    pub(crate) hints: Arc<HintService>,
    bots: BotService,
    expiry: Arc<ExpiryService>,
    pub(crate) background: Arc<BackgroundService>,
    pub(crate) clocks: Arc<ClockService>,
    pub(crate) absences: Arc<AbsenceWatch>,
    pub(crate) lobby: Arc<LobbyService>,
    pub(crate) events: Arc<EventService>,
    pub(crate) personal: Arc<PersonalDataService>,
    pub(crate) seat_texts: Arc<SeatTextService>,
    pub(crate) days_off: Arc<DaysOffService>,
    pub(crate) turns: Arc<TurnService>,
    pub(crate) people: Arc<PeopleService>,
    pub(crate) people_here: Arc<PeopleHereService>,
    pub(crate) watching: Arc<WatchService>,
    pub(crate) accounts: Arc<AccountService>,
    pub(crate) passkeys: Arc<PasskeyService>,
    pub(crate) bot_accounts: Arc<BotAccountService>,
    pub(crate) mail: MailService,
    pub(crate) turn_mails: TurnMailService,
    pub(crate) pictures: Arc<PictureService>,
    pub(crate) progress: Arc<ProgressService>,
    pub(crate) push: PushService,
    pub(crate) puzzles: Arc<PuzzleService>,
    pub(crate) ratings: Arc<RatingService>,
    pub(crate) relations: Arc<RelationService>,
    pub(crate) reports: Arc<ReportService>,
    pub(crate) shared_deals: Arc<SharedDealService>,
    pub(crate) talk: Arc<TalkService>,
    pub(crate) solvers: Arc<SolverPool>,
}

/// Reason why a server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The machine's clock shows a time outside the range of HTTP dates.
    #[error(transparent)]
    Clock(#[from] ClockFault),
    /// The data folder cannot be created, or its permissions cannot be set.
    #[error("cannot use {} as the data folder: choose a folder that belongs to this user alone", folder.display())]
    Folder {
        /// Path of the data folder, which holds the database file.
        folder: PathBuf,
        /// Error from the operating system.
        source: std::io::Error,
    },
    /// The path of the data folder is the path of a file.
    #[error("{} is a file: name a folder with --data", .0.display())]
    NoFolder(PathBuf),
    /// A backup is being restored into the data folder.
    #[error("a backup is being restored into the data folder {}: start the server after the restore", .0.display())]
    Restoring(PathBuf),
    /// The database file cannot be opened or migrated.
    #[error("cannot open the database {}: examine it with `overmate doctor --data {}`", file.display(), data_folder::folder_of(file).display())]
    Database {
        /// Path of the database file in the data folder.
        file: PathBuf,
        /// Error from the database library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The PostgreSQL database cannot be opened or migrated.
    #[error("cannot open the database {address}")]
    Postgres {
        /// Address of the PostgreSQL database.
        address: PostgresAddress,
        /// Error from the database library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// PostgreSQL has no database with the name in the address.
    #[error("the database {0} does not exist: create it with `createdb`")]
    NoDatabase(PostgresAddress),
    /// The settings choose an SQLite database together with a server role that only answers requests or only does background work. A server
    /// with SQLite must do all work itself.
    #[error(
        "a server with SQLite does all work itself: leave out the option --role, or choose a database in PostgreSQL"
    )]
    RoleWithoutPostgres,
    /// The settings name PostgreSQL as the channel for notices between servers, but the database is SQLite.
    #[error(
        "`--events postgres` needs a database in PostgreSQL: choose `--events local` or `--events nats://HOST:PORT`"
    )]
    EventsWithoutPostgres,
    /// The operator has set up e-mail, but has set no public address of the server.
    #[error(
        "e-mails need the public address of the server for their links: set --public-url, or leave out --smtp and --mail-from"
    )]
    MailWithoutPublicUrl,
    /// The encryption of connections to the SMTP server cannot be set up.
    #[error("cannot set up encrypted connections to the SMTP server {smtp}")]
    Mail {
        /// Address of the SMTP server.
        smtp: SmtpAddress,
        /// Error from the SMTP library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The server cannot use the NATS server at the address in the settings.
    #[error("cannot use the NATS server at {address} as the events channel")]
    Nats {
        /// Address of the NATS server.
        address: NatsAddress,
        /// Error from the NATS client library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Server {
    /// Returns the path of the SQLite database file in a data folder.
    #[must_use]
    pub fn database(data: &Path) -> PathBuf {
        data_folder::database(data)
    }

    /// Opens the match store, and starts the services of the server. [`serve`](crate::serve()) plays the turns of computer opponents that
    /// are due already. A read of their match also starts such a turn.
    ///
    /// # Errors
    ///
    /// Returns [`OpenError`] if the data folder cannot be created, or if the database in the folder
    /// cannot be opened.
    #[expect(
        clippy::too_many_lines,
        reason = "each service is made once, after those that it uses"
    )]
    pub async fn open(mut settings: Settings) -> Result<Self, OpenError> {
        settings.origins.extend(settings.public_url.as_ref().map(PublicUrl::origin));
        clock::checked()?;
        let mail_sender = mail_sender(&settings)?;
        // The recorder of metrics is installed first, because the tasks and services below record metrics.
        let metrics = telemetry::metrics();
        let locks = match &settings.database {
            Database::Sqlite(_) if settings.role != ServerRole::All => {
                return Err(OpenError::RoleWithoutPostgres);
            }
            Database::Sqlite(folder) => lock_folder(folder, &settings)?,
            Database::Postgres(_) => Vec::new(),
        };
        let store = open_store(&settings).await?;
        let stop = CancellationToken::new();
        let tasks = TaskTracker::new();
        let damaged = Arc::new(AtomicBool::new(false));
        if let Some(folder) = settings.database.folder() {
            let file = Self::database(folder);
            tasks.spawn(check_database(file, Arc::clone(&damaged), stop.clone()));
        }
        let rooms = Rooms::default();
        let notified = start_events(&settings, &store, &rooms, (&stop, &tasks)).await?;
        let (repository, notices) =
            MatchRepository::new(Arc::clone(&store), notified, &settings.limits);
        let repository = Arc::new(repository);
        let words = RefusedWords::from_lines(settings.refused_words.iter().map(String::as_str));
        let words = Arc::new(words);
        let limiter = Arc::new(Limiter::new(&settings.limits, Arc::clone(&store)));
        let compute = Arc::new(Compute::new());
        let accounts = Arc::new(AccountService::new(
            Arc::clone(&store),
            Arc::clone(&words),
            Arc::clone(&compute),
            Arc::clone(&limiter),
        ));
        let run = (stop.clone(), tasks.clone());
        let mail = MailService::new(
            Arc::clone(&store),
            Arc::clone(&accounts),
            Arc::clone(&limiter),
            mail_sender.clone(),
            run,
        );
        let turn_mails = TurnMailService::new(
            Arc::clone(&store),
            Arc::clone(&limiter),
            mail_sender,
            stop.clone(),
        );
        let passkeys = PasskeyService::new(Arc::clone(&store), Arc::clone(&words));
        let bot_accounts = BotAccountService::new(Arc::clone(&store), Arc::clone(&words));
        let solvers = Arc::new(SolverPool::new(Arc::clone(&compute)));
        let analysis =
            Arc::new(AnalysisService::new(Arc::clone(&repository), Arc::clone(&solvers)));
        let pictures = PictureService::new(Arc::clone(&solvers));
        let puzzles = Arc::new(PuzzleService::new(Arc::clone(&store), Arc::clone(&analysis)));
        let hints =
            HintService::new(Arc::clone(&repository), Arc::clone(&analysis), Arc::clone(&solvers));
        let hand_ins =
            HandInService::new(Arc::clone(&repository), Arc::clone(&solvers), Arc::clone(&words));
        let shared_deals = Arc::new(SharedDealService::new(
            Arc::clone(&repository),
            Arc::clone(&analysis),
            Arc::clone(&solvers),
            Arc::clone(&words),
        ));
        let progress = ProgressService::new(
            Arc::clone(&repository),
            Arc::clone(&analysis),
            Arc::clone(&puzzles),
            Arc::clone(&shared_deals),
            Arc::clone(&solvers),
        );
        let plays = settings.role != ServerRole::Web;
        let programs = Arc::new(ProgramPool::new(&settings));
        let shares = (compute, Arc::clone(&limiter), Arc::clone(&programs));
        let bots = BotService::start(
            Arc::clone(&repository),
            plays,
            notices,
            shares,
            stop.clone(),
            &tasks,
        );
        let personal = PersonalDataService::new(Arc::clone(&repository));
        let ratings = Arc::new(RatingService::new(Arc::clone(&repository), Arc::clone(&solvers)));
        let relations = RelationService::new(Arc::clone(&repository), Arc::clone(&ratings));
        let expiry = Arc::new(ExpiryService::new(Arc::clone(&repository), stop.clone()));
        let push = PushService::new(
            Arc::clone(&repository),
            rooms.clone(),
            push_client(&settings, &*store),
            Arc::clone(&limiter),
            turn_mails.clone(),
            (stop.clone(), tasks.clone()),
        );
        let background = BackgroundService::new(
            Arc::clone(&store),
            (bots.clone(), push.clone()),
            Arc::clone(&expiry),
            settings.role,
            stop.clone(),
            tasks.clone(),
        );
        let clocks =
            Arc::new(ClockService::new(Arc::clone(&repository), settings.role, stop.clone()));
        let people = PeopleService::new(Arc::clone(&repository), clocks.clone(), words.clone());
        let absences =
            AbsenceWatch::new(Arc::clone(&repository), Arc::clone(&clocks), plays, stop.clone());
        let watching = Arc::new(WatchService::new(
            Arc::clone(&repository),
            Arc::clone(&solvers),
            Arc::clone(&words),
        ));
        let shared = (Arc::clone(&repository), Arc::clone(&clocks), Arc::clone(&watching));
        let connected = PeopleConnected::default();
        let people_here =
            PeopleHereService::new(Arc::clone(&repository), connected.clone(), stop.clone());
        let lobby = LobbyService::new(Arc::clone(&repository), Arc::clone(&words), stop.clone());
        let events = EventService::new(
            Arc::clone(&repository),
            Arc::clone(&solvers),
            Arc::clone(&words),
            Arc::clone(&clocks),
            plays,
            stop.clone(),
        );
        let matches = MatchService::new(shared, Arc::clone(&words), programs, stop.clone());
        Ok(Self {
            limiter,
            settings: Arc::new(settings),
            rooms,
            metrics,
            matches: Arc::new(matches),
            turns: Arc::new(TurnService::new(Arc::clone(&repository), Arc::clone(&solvers))),
            days_off: Arc::new(DaysOffService::new(Arc::clone(&repository), clocks.clone())),
            seat_texts: Arc::new(SeatTextService::new(Arc::clone(&repository))),
            reports: Arc::new(ReportService::new(Arc::clone(&repository))),
            talk: Arc::new(TalkService::new(Arc::clone(&repository), Arc::clone(&words))),
            invitations: Arc::new(InvitationService::new(repository, words)),
            analysis,
            hand_ins: Arc::new(hand_ins),
            hints: Arc::new(hints),
            bots,
            expiry,
            background: Arc::new(background),
            clocks,
            absences: Arc::new(absences),
            lobby: Arc::new(lobby),
            events: Arc::new(events),
            personal: Arc::new(personal),
            people: Arc::new(people),
            people_here: Arc::new(people_here),
            watching,
            connected,
            ratings,
            relations: Arc::new(relations),
            accounts,
            mail,
            turn_mails,
            passkeys: Arc::new(passkeys),
            bot_accounts: Arc::new(bot_accounts),
            pictures: Arc::new(pictures),
            progress: Arc::new(progress),
            push,
            puzzles,
            shared_deals,
            solvers,
            identities: Arc::new(Identities::new(Arc::clone(&store))),
            operator_acts: Arc::new(OperatorActs::new(Arc::clone(&store))),
            store,
            locks: Arc::new(Mutex::new(locks)),
            damaged,
            log_measured: Arc::default(),
            return_window: Arc::default(),
            stop,
            tasks,
        })
    }

    /// Stops all work of the server within ten seconds, and closes the match store. Acknowledged writes are durable even without
    /// this call.
    pub async fn close(&self) {
        self.close_by(Instant::now() + DRAIN).await;
    }

    /// Signals all tasks of the server to stop. The method also chooses the period over which clients with a live connection reconnect.
    pub(crate) fn begin_stop(&self) {
        let window = (500 + 2 * self.tasks.len() as u64).min(30_000);
        // Only the first call of `begin_stop` sets the period over which clients reconnect. At a later call, connections may have closed
        // already, so that the number of tasks would be too small.
        let _ = self.return_window.set(window);
        self.stop.cancel();
    }

    /// Stops all work of the server by a deadline, and closes the match store.
    pub(crate) async fn close_by(&self, deadline: Instant) {
        self.begin_stop();
        self.bots.halt();
        self.tasks.close();
        if timeout_at(deadline, self.tasks.wait()).await.is_err() {
            tracing::warn!(
                running = self.tasks.len(),
                "some tasks did not end in time before the stop of the server"
            );
        }
        self.store.close().await;
        self.locks.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Removes the matches that have expired at the Unix time `now`, in seconds. Returns the number of removed matches.
    ///
    /// The call is idempotent, and may be interrupted. Servers that run [`serve`](crate::serve()) need no such call, because one of the
    /// servers of a database removes expired matches every hour.
    pub async fn remove_expired(&self, now: i64) -> u64 {
        match self.expiry.sweep(now).await {
            Ok(removed) => removed,
            Err(error) => {
                error.log();
                0
            }
        }
    }

    /// Frees the memory of idle clients and matches.
    pub(crate) fn remove_idle(&self) {
        self.limiter.remove_idle();
        self.bots.remove_idle();
        // The recorder keeps each measured duration until it is counted. Without this call, the memory of a server whose metrics nobody
        // reads would grow with each request.
        self.metrics.run_upkeep();
    }
}

/// Opens the match store that the settings describe.
async fn open_store(settings: &Settings) -> Result<Arc<dyn Store>, OpenError> {
    let store = SqlStore::open(settings).await.map_err(|source| match &settings.database {
        Database::Sqlite(folder) => {
            OpenError::Database { file: Server::database(folder), source: source.into() }
        }
        Database::Postgres(address) if is_missing(&source) => {
            OpenError::NoDatabase(address.clone())
        }
        Database::Postgres(address) => {
            OpenError::Postgres { address: address.clone(), source: source.into() }
        }
    })?;
    Ok(Arc::new(store))
}

/// Returns whether PostgreSQL reports that the database named in the address does not exist.
fn is_missing(error: &(dyn std::error::Error + 'static)) -> bool {
    /// PostgreSQL error code for a database name that does not exist (`invalid_catalog_name`).
    const INVALID_CATALOG_NAME: &str = "3D000";
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes.filter_map(|cause| cause.downcast_ref::<sqlx::Error>()).any(|cause| {
        cause.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref()
            == Some(INVALID_CATALOG_NAME)
    })
}

/// Returns the client that sends messages to push services. Without a contact of the operator, the result is `None`, and the server sends
/// no push messages.
fn push_client(settings: &Settings, store: &dyn Store) -> Option<PushClient> {
    let public = || settings.public_url.as_ref().and_then(PushContact::of_public_url);
    let contact = settings.push_contact.clone().or_else(public)?;
    Some(PushClient::new(PushKey::of_secret(store.push_key()), contact, settings.push_test.clone()))
}

/// Returns the client of the SMTP server, or `None` if the operator has set up no SMTP server.
fn mail_sender(settings: &Settings) -> Result<Option<Arc<MailSender>>, OpenError> {
    let Some(mail) = settings.mail.clone() else { return Ok(None) };
    let url = settings.public_url.clone().ok_or(OpenError::MailWithoutPublicUrl)?;
    let smtp = mail.smtp.clone();
    let sender = MailSender::new(mail, url);
    sender
        .map(|sender| Some(Arc::new(sender)))
        .map_err(|source| OpenError::Mail { smtp, source: source.into() })
}

/// Opens the channel, chosen in the settings, by which this server exchanges notices with other servers. The notices report changes and
/// carry messages of match rooms.
async fn start_events(
    settings: &Settings,
    store: &Arc<dyn Store>,
    rooms: &Rooms,
    run: (&CancellationToken, &TaskTracker),
) -> Result<Arc<dyn Events>, OpenError> {
    let store = Arc::clone(store);
    Ok(match (&settings.events, &settings.database) {
        (Some(NoticeChannel::Nats(address)), _) => {
            let events = nats_events::start(address, store, rooms, run, REREAD_INTERVAL).await;
            Arc::new(events.map_err(|source| OpenError::Nats {
                address: address.clone(),
                source: source.into(),
            })?)
        }
        (Some(NoticeChannel::Local), _) | (None, Database::Sqlite(_)) => {
            Arc::new(InProcess::default())
        }
        (Some(NoticeChannel::Postgres) | None, Database::Postgres(address)) => {
            let events = postgres_events::start(address, store, rooms, run, REREAD_INTERVAL).await;
            Arc::new(events.map_err(|source| OpenError::Postgres {
                address: address.clone(),
                source: source.into(),
            })?)
        }
        (Some(NoticeChannel::Postgres), Database::Sqlite(_)) => {
            return Err(OpenError::EventsWithoutPostgres);
        }
    })
}

/// Creates the folder of the SQLite database if the folder is missing, and locks the folder while this server runs. A second server of the
/// folder logs a warning, unless the servers tell each other of changes over NATS.
fn lock_folder(folder: &Path, settings: &Settings) -> Result<Vec<File>, OpenError> {
    let failed = |source| OpenError::Folder { folder: folder.to_owned(), source };
    if folder.is_file() {
        return Err(OpenError::NoFolder(folder.to_owned()));
    }
    data_folder::create(folder).map_err(failed)?;
    let lock = data_folder::lock(folder, Use::Serve).map_err(failed)?;
    let lock = lock.ok_or_else(|| OpenError::Restoring(folder.to_owned()))?;
    let first = data_folder::lock(folder, Use::FirstServer).map_err(failed)?;
    if first.is_none() && !matches!(settings.events, Some(NoticeChannel::Nats(_))) {
        tracing::warn!(
            folder = %folder.display(),
            "another server uses this data folder, and the two show each other's actions late: \
             stop one of them, or use PostgreSQL for several servers"
        );
    }
    Ok([Some(lock), first].into_iter().flatten().collect())
}

/// Checks the integrity of the database in the background at startup. Damage is reported in the
/// log, in the metrics and by `/readyz`. The server continues, because undamaged matches can still
/// be read.
async fn check_database(file: PathBuf, damaged: Arc<AtomicBool>, stop: CancellationToken) {
    match inspect::quick_check(&file, stop.clone()).await {
        // After the stop of the server, an error of the database check is expected, because the stop interrupts the check.
        _ if stop.is_cancelled() => {}
        Ok(()) => telemetry::set("overmate_database_damaged", 0),
        Err(fault) => {
            damaged.store(true, Ordering::Relaxed);
            telemetry::set("overmate_database_damaged", 1);
            let cause = std::error::Error::source(&fault).map(ToString::to_string);
            tracing::error!(
                file = %file.display(),
                cause,
                "{fault}: stop the server and restore a backup with `overmate restore`"
            );
        }
    }
}
