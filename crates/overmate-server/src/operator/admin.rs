//! Implements the operators' commands that find and change stored matches, open offers and browser identities. The server may run
//! or be stopped. The operators' log records each change.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use overmate_rules::Player;

use super::admin_error::{AdminError, NameNotAllowed};
use crate::clock::now;
use crate::data_folder::{self, Use};
use crate::database::Database;
use crate::identity::handle::Handle;
use crate::names::{self, RefusedWords};
use crate::notices::events::InProcess;
use crate::services::{FairPlay, FairPlayService, MatchRepository, PersonalDataService};
use crate::settings::Settings;
use crate::show;
use crate::store::connection::inspect;
use crate::store::connection::sql::{Connection, statement};
use crate::store::queries::operator_offers::{self, FoundOffer};
use crate::store::queries::operators::{self, ActKind, FoundMatch, Seats};
use crate::store::queries::person_sql::person_of;
use crate::store::queries::{accounts, bot_tokens, offers, secrets};
use crate::store::{Holder, ListedEvent, SqlStore, Store, player_text};
use crate::wire::EventSummary;

/// SQLite busy timeout for the database writes of an operator's command, while the running server holds the write lock.
const PATIENCE: Duration = Duration::from_secs(30);

/// Operator's connection to the database of a server. The server may be running.
pub struct Admin {
    pub(crate) connection: Connection,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) repository: Arc<MatchRepository>,
    /// Shared lock on the folder of the SQLite database; `None` for PostgreSQL. The lock prevents the restore of a backup while the
    /// operator's connection is open.
    _lock: Option<File>,
}

/// Result of an operator's search for matches, open offers and tournament events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Browser identity whose id or handle is the search text; `None` if no browser identity has this id or handle.
    pub browser: Option<FoundBrowser>,
    /// Matches that the operator's search has found, the newest first.
    pub matches: Vec<FoundMatch>,
    /// Open offers that the operator's search has found, the oldest first.
    pub offers: Vec<FoundOffer>,
    /// Tournament events that the operator's search has found: unfinished events by start, then finished events from new to old.
    pub events: Vec<EventSummary>,
}

/// Object of an operator's revocation: an invitation, an open offer, or the identity cookie of a browser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Revoked {
    /// Unused invitation that the operator has revoked.
    Invitation,
    /// Offer that was open until the operator withdrew it.
    Offer,
    /// Browser whose identity cookie the operator has revoked. The field holds the new identity, which has taken over the browser's data.
    Browser(FoundBrowser),
}

/// Object of an operator's change of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Renamed {
    /// Display names of a player in matches and open offers. The field holds the number of changed matches.
    Player(u64),
    /// Arena or Swiss event. The field holds its new title, or `None` if the operator removed the title.
    Event(Option<String>),
}

/// Browser identity that an operator's command has found, with the counts of its matches and puzzle attempts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundBrowser {
    /// Id of the browser identity: the hash of its token in 64 hexadecimal digits.
    pub id: String,
    /// Handle of the person's account; `None` without an account.
    pub handle: Option<String>,
    /// Names of the access tokens of the account's bot, from old to new; a token without a name is listed by its id. `None` if
    /// the account is not a bot.
    pub tokens: Option<Vec<String>>,
    /// Number of matches in which the browser identity holds a seat, including finished matches.
    pub matches: u64,
    /// Number of puzzle attempts of the browser identity that count for ratings.
    pub puzzle_attempts: u64,
}

/// Target of an operator's command: a match, a browser identity or an open offer.
enum Target {
    Match(String),
    Browser(Holder),
    Offer(FoundOffer),
}

impl Admin {
    /// Connects to a database, and checks that the database has the schema of this server version.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the database does not exist, or if this version cannot use it.
    pub async fn open(database: &Database) -> Result<Self, AdminError> {
        let lock = database.folder().map(lock).transpose()?;
        let unsound = |source| match database {
            Database::Sqlite(folder) => {
                AdminError::Unsound { file: data_folder::database(folder), source }
            }
            Database::Postgres(address) => {
                AdminError::Postgres { address: address.clone(), source }
            }
        };
        let mut connection =
            inspect::connect_to(database).await.map_err(|error| unsound(error.into()))?;
        inspect::check_schema(&mut connection).await.map_err(unsound)?;
        if let Connection::Sqlite(_) = &connection {
            // With `secure_delete`, SQLite overwrites a removed name in the file with zeros.
            statement("PRAGMA secure_delete = ON").execute(&mut connection).await?;
        }
        let settings = Settings { patience: PATIENCE, ..Settings::new(database.clone()) };
        let store: Arc<dyn Store> = Arc::new(SqlStore::open(&settings).await?);
        let events = Arc::new(InProcess::default());
        let (repository, _) = MatchRepository::new(Arc::clone(&store), events, &settings.limits);
        Ok(Self { connection, store, repository: Arc::new(repository), _lock: lock })
    }

    /// Closes the operator's connections to the database.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError::Database`] if the database fails.
    pub async fn close(self) -> Result<(), AdminError> {
        self.connection.close().await?;
        self.store.close().await;
        Ok(())
    }

    /// Finds up to `limit` each of matches, open offers and tournament events by a search text. The text is an id, an invitation or a link
    /// of a match, the id of an open offer, the id or link of an event, the id of a browser, a handle after the sign `@`, or a part of the
    /// name of a player or of an offer's maker, or of the title of an event. A browser or handle finds the events of its host (organiser).
    ///
    /// # Errors
    ///
    /// Returns [`AdminError::Database`] if the database fails.
    pub async fn find(&mut self, text: &str, limit: u32) -> Result<Found, AdminError> {
        let target = self.named(text).await?;
        let connection = &mut self.connection;
        let mut browser = None;
        let mut offers = operator_offers::open(connection, now()).await?;
        let mut events = self.store.events(u32::MAX).await?;
        let ids = match target {
            Some(Target::Match(id)) => {
                offers.clear();
                events.clear();
                vec![id]
            }
            Some(Target::Offer(found)) => {
                offers = vec![found];
                events.clear();
                Vec::new()
            }
            Some(Target::Browser(holder)) => {
                let own = found(connection, holder).await?;
                offers.retain(|offer| offer.browser == own.id);
                events.retain(|listed| listed.event.host == Some(holder));
                browser = Some(own);
                operators::ids_of(connection, holder, limit).await?
            }
            None => {
                let fits = |name: &String| names::contains(name, text);
                offers.retain(|offer| offer.name.as_ref().is_some_and(fits));
                events.retain(|ListedEvent { event, .. }| {
                    key_in(text) == Some(&event.id) || event.title.as_ref().is_some_and(fits)
                });
                operators::ids_by_name(connection, text, limit).await?
            }
        };
        offers.truncate(limit as usize);
        events.truncate(limit as usize);
        let events = events.iter().map(show::events::listed).collect();
        let matches = operators::matches(connection, &ids).await?;
        Ok(Found { browser, matches, offers, events })
    }

    /// Changes a player's name in a match, in an open offer, or in all matches and open offers of a browser identity, or the title of an
    /// arena or Swiss event. If no name is given, the former name is removed.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the player does not exist, if the name is refused, if only open offers of a bot would change, or if the
    /// database fails.
    pub async fn rename(
        &mut self,
        text: &str,
        player: Option<Player>,
        name: Option<&str>,
        reason: &str,
    ) -> Result<Renamed, AdminError> {
        let name = RefusedWords::default().check(name);
        let name = name.map_err(|fault| AdminError::Name(NameNotAllowed(fault)))?;
        if player.is_none()
            && let Some(id) = key_in(text)
            && self.rename_event(id, name.as_deref(), reason).await?
        {
            return Ok(Renamed::Event(name));
        }
        let (mut offer, mut maker) = (None, None);
        let (id, holder, shown) = match self.target(text, AdminError::NoTarget).await? {
            Target::Match(id) => {
                let shown = player.map_or_else(|| id.clone(), |player| shown_player(&id, player));
                (Some(id), None, shown)
            }
            Target::Browser(holder) => {
                maker = player.is_none().then_some(holder);
                (None, Some(holder), holder.to_string())
            }
            Target::Offer(_) if player.is_some() => return Err(AdminError::OfferWithPlayer),
            Target::Offer(found) => {
                maker = Holder::parse(&found.browser);
                offer = Some(found.id);
                (None, None, found.browser)
            }
        };
        let player = player.map(player_text);
        let seats = Seats { id: id.as_deref(), holder, player };
        let write = &mut self.connection;
        write.begin().await?;
        let done = async {
            let is_one_seat = seats.id.is_none() || player.is_some();
            if !is_one_seat && operators::people(write, seats).await? > 1 {
                return Err(AdminError::TwoSeats);
            }
            // The open offers of a bot show its handle in place of the stored name.
            let is_bot = match maker {
                Some(maker) => accounts::is_bot(write, maker).await?,
                None => false,
            };
            let row = operators::begin_act(write, ActKind::Rename, &shown, reason).await?;
            let matches = operators::rename(write, seats, name.as_deref(), now()).await?;
            let offers = match maker.filter(|_| !is_bot) {
                Some(maker) => {
                    let (id, name) = (offer.as_deref(), name.as_deref());
                    operator_offers::rename(write, maker, id, name).await?
                }
                None => 0,
            };
            if matches + offers == 0 {
                let bot = maker.filter(|_| is_bot).map(|maker| maker.to_string());
                let open = operator_offers::open(write, now()).await?;
                let has_offer = open.into_iter().any(|offer| Some(offer.browser) == bot);
                return Err(if has_offer { AdminError::BotName } else { AdminError::NoPerson });
            }
            operators::finish_act(write, row, matches).await?;
            Ok(Renamed::Player(matches))
        };
        let done = done.await;
        self.connection.end(done).await
    }

    /// Ends a running match by the resignation of a player.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the match does not exist or is over, or if the database fails.
    pub async fn end(&mut self, text: &str, loser: Player, reason: &str) -> Result<(), AdminError> {
        let Target::Match(id) = self.target(text, AdminError::NoMatch).await? else {
            return Err(AdminError::NoMatch(text.to_owned()));
        };
        let state = self.repository.load(&id).await?;
        if state.result().is_some() {
            return Err(AdminError::Over(id));
        }
        let shown = shown_player(&id, loser);
        let connection = &mut self.connection;
        let row = operators::begin_act(connection, ActKind::End, &shown, reason).await?;
        if !self.repository.end(&id, loser).await? {
            return Err(AdminError::Over(id));
        }
        operators::finish_act(connection, row, 1).await?;
        Ok(())
    }

    /// Revokes the unused invitation of a match.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the match has no unused invitation, or if the database fails.
    async fn revoke_invitation(&mut self, id: String, reason: &str) -> Result<(), AdminError> {
        let write = &mut self.connection;
        write.begin().await?;
        let done = async {
            let row = operators::begin_act(write, ActKind::Revoke, &id, reason).await?;
            let matches = operators::revoke_invitation(write, &id, now()).await?;
            if matches == 0 {
                return Err(AdminError::NoInvitation(id));
            }
            operators::finish_act(write, row, matches).await?;
            Ok(())
        };
        let done = done.await;
        self.connection.end(done).await
    }

    /// Withdraws an open offer.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the offer is not open any more, or if the database fails.
    async fn withdraw_offer(&mut self, offer: FoundOffer, reason: &str) -> Result<(), AdminError> {
        let write = &mut self.connection;
        write.begin().await?;
        let done = async {
            // The operators' log names the maker of the offer, so that the data export of this person contains the log entry.
            let row = operators::begin_act(write, ActKind::Revoke, &offer.browser, reason).await?;
            if !operator_offers::withdraw(write, &offer.id).await? {
                return Err(AdminError::Unknown(offer.id));
            }
            operators::finish_act(write, row, 0).await?;
            Ok(())
        };
        let done = done.await;
        self.connection.end(done).await
    }

    /// Revokes the target that `text` names: the unused invitation of a match, the identity of a browser, or an open offer. An offer is
    /// withdrawn. A new identity takes over the browser's seats and puzzle attempts. No cookie exists for the new identity.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the invitation, browser or offer does not exist, or if the database fails.
    pub async fn revoke(&mut self, text: &str, reason: &str) -> Result<Revoked, AdminError> {
        self.revoke_all(text, false, reason).await
    }

    /// Revokes an invitation, a browser identity or an open offer, and, if `passkeys` is set, the passkeys of the browser's account. `text`
    /// names what is revoked, as for [`revoke`](Self::revoke). Passkeys are revoked only with the identity of a browser. If the account has
    /// no password, nobody can then sign in to the account.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the invitation, browser or offer does not exist, or if the database fails.
    pub async fn revoke_all(
        &mut self,
        text: &str,
        passkeys: bool,
        reason: &str,
    ) -> Result<Revoked, AdminError> {
        let holder = match self.target(text, AdminError::NoTarget).await? {
            Target::Match(id) => {
                self.revoke_invitation(id, reason).await?;
                return Ok(Revoked::Invitation);
            }
            Target::Offer(offer) => {
                self.withdraw_offer(offer, reason).await?;
                return Ok(Revoked::Offer);
            }
            Target::Browser(holder) => holder,
        };
        let new = Holder(secrets::drawn()?);
        let shown = holder.to_string();
        let write = &mut self.connection;
        write.begin().await?;
        let done = async {
            let row = operators::begin_act(write, ActKind::Revoke, &shown, reason).await?;
            let matches = operators::revoke_browser(write, holder, new, now()).await?;
            if passkeys {
                operators::forget_passkeys(write, new).await?;
            }
            operators::finish_act(write, row, matches).await?;
            let puzzle_attempts = operators::attempts_of(write, new).await?;
            let handle = accounts::handle_of(write, new).await?;
            let tokens = bot_tokens(write, new).await?;
            let id = new.to_string();
            Ok(Revoked::Browser(FoundBrowser { id, handle, tokens, matches, puzzle_attempts }))
        };
        let done = done.await;
        self.connection.end(done).await
    }

    /// Erases all data of a browser identity. Returns the numbers of its matches and puzzle attempts before the erasure.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the browser does not exist, or if the database fails. A repeated
    /// call continues an interrupted erasure.
    pub async fn erase(&mut self, text: &str, reason: &str) -> Result<FoundBrowser, AdminError> {
        let holder = self.person(text).await?;
        let connection = &mut self.connection;
        let found = found(connection, holder).await?;
        let row = operators::begin_act(connection, ActKind::Erase, &found.id, reason).await?;
        PersonalDataService::new(Arc::clone(&self.repository)).erase(holder).await?;
        operators::finish_act(connection, row, found.matches).await?;
        Ok(found)
    }

    /// Measures the quality of a person's play in their latest finished live matches against other people. The decisions are grouped by
    /// thinking time.
    ///
    /// # Errors
    ///
    /// Returns [`AdminError`] if the browser does not exist, or if the database fails.
    pub async fn fair_play(&mut self, text: &str, limit: u32) -> Result<FairPlay, AdminError> {
        let holder = self.person(text).await?;
        Ok(FairPlayService::new(Arc::clone(&self.repository)).measure(holder, limit).await?)
    }

    /// Finds a person by the id of a browser identity or by a handle.
    pub(crate) async fn person(&mut self, text: &str) -> Result<Holder, AdminError> {
        match self.target(text, AdminError::NoBrowser).await? {
            Target::Browser(holder) => Ok(holder),
            Target::Match(_) | Target::Offer(_) => Err(AdminError::NoBrowser(text.to_owned())),
        }
    }

    /// Returns the match, browser identity or open offer that a text names, or an error. `fault` makes the error for a text in
    /// the form of neither an id nor a handle.
    async fn target(
        &mut self,
        text: &str,
        fault: fn(String) -> AdminError,
    ) -> Result<Target, AdminError> {
        if key_in(text).is_none() && !text.starts_with('@') {
            return Err(fault(text.to_owned()));
        }
        if let Some(found) = self.named(text).await? {
            return Ok(found);
        }
        match key_in(text) {
            Some(id) if self.store.event_version(id).await?.is_some() => {
                Err(AdminError::Event(id.to_owned()))
            }
            _ => Err(AdminError::Unknown(text.to_owned())),
        }
    }

    /// Returns the match, browser identity or open offer that a text names, or `None` if the store does not contain the named object. The
    /// text is an id, an invitation, a link, or a handle after the sign `@`.
    async fn named(&mut self, text: &str) -> Result<Option<Target>, AdminError> {
        let Some(handle) = text.strip_prefix('@') else {
            return target(&mut self.connection, text).await;
        };
        let Ok(handle) = Handle::read(handle) else { return Ok(None) };
        let found = self.store.account_by_tag(handle.tag(&self.store.identity_key())).await?;
        Ok(found.map(|account| Target::Browser(account.person)))
    }
}

/// Locks the folder in which a server keeps its SQLite database. Returns an error if the folder has no database.
fn lock(folder: &Path) -> Result<File, AdminError> {
    data_folder::existing_database(folder)?;
    let lock = data_folder::lock(folder, Use::Serve)
        .map_err(|source| AdminError::Folder { folder: folder.to_owned(), source })?;
    lock.ok_or_else(|| AdminError::Restoring(folder.to_owned()))
}

/// Finds an id or token in a text: 32 or 64 hexadecimal digits, alone or in a link.
fn key_in(text: &str) -> Option<&str> {
    let is_key = |part: &&str| {
        matches!(part.len(), 32 | 64) && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    text.split(['/', '?', '#']).find(is_key)
}

/// Finds a match, browser identity or open offer in the store by an id, an invitation or a link in a text.
async fn target(connection: &mut Connection, text: &str) -> Result<Option<Target>, AdminError> {
    let Some(key) = key_in(text) else { return Ok(None) };
    let Some(browser) = Holder::parse(key) else {
        let ids = [key.to_owned()];
        let is_known = !operators::matches(connection, &ids).await?.is_empty();
        let [id] = ids;
        if is_known {
            return Ok(Some(Target::Match(id)));
        }
        let mut offers = operator_offers::open(connection, now()).await?.into_iter();
        return Ok(offers.find(|offer| offer.id == id).map(Target::Offer));
    };
    let holder = person_of(connection, browser).await?;
    if operators::count_of(connection, holder).await? > 0
        || operators::attempts_of(connection, holder).await? > 0
        || operators::has_browsers(connection, holder).await?
        || offers::has_offers(connection, holder).await?
    {
        return Ok(Some(Target::Browser(holder)));
    }
    Ok(operators::id_by_invitation(connection, key).await?.map(Target::Match))
}

/// Returns a browser identity with the counts of its matches and puzzle attempts.
async fn found(connection: &mut Connection, holder: Holder) -> Result<FoundBrowser, AdminError> {
    Ok(FoundBrowser {
        id: holder.to_string(),
        handle: accounts::handle_of(connection, holder).await?,
        tokens: bot_tokens(connection, holder).await?,
        matches: operators::count_of(connection, holder).await?,
        puzzle_attempts: operators::attempts_of(connection, holder).await?,
    })
}

/// Returns the names of the access tokens of a person's bot, or `None` if the person's account is not a bot.
async fn bot_tokens(
    connection: &mut Connection,
    person: Holder,
) -> Result<Option<Vec<String>>, sqlx::Error> {
    if !accounts::is_bot(connection, person).await? {
        return Ok(None);
    }
    bot_tokens::token_names(connection, person).await.map(Some)
}

/// Formats a player of a match for the operators' log.
fn shown_player(id: &str, player: Player) -> String {
    format!("{id} player {}", player_text(player))
}
