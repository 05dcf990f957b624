//! Defines the errors of the operators' commands.

use std::path::PathBuf;

use crate::data_folder::NoDatabase;
use crate::database::PostgresAddress;
use crate::error::ApiError;
use crate::names::PlayerNameFault;
use crate::store::StoreError;
use crate::store::connection::inspect::Unsound;

/// Reason why an operator's command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdminError {
    /// The data folder has no database that this process can use.
    #[error(transparent)]
    NoDatabase(#[from] NoDatabase),
    /// A backup is being restored into the data folder.
    #[error("a backup is being restored into the data folder {}: try again after the restore", .0.display())]
    Restoring(PathBuf),
    /// The lock file of the data folder cannot be opened.
    #[error("cannot lock the data folder {}: make the folder writable for this user", folder.display())]
    Folder {
        /// Path of the data folder.
        folder: PathBuf,
        /// Error from the operating system.
        source: std::io::Error,
    },
    /// The database file is damaged, or this version of the server cannot read the file.
    #[error("the file {} cannot be used as a database of matches", file.display())]
    Unsound {
        /// Path of the database file.
        file: PathBuf,
        /// Reason why the database file is not usable.
        source: Unsound,
    },
    /// The PostgreSQL database is damaged, or this version of the server cannot read the database.
    #[error("the PostgreSQL database {address} cannot be used as a database of matches")]
    Postgres {
        /// Address of the database.
        address: PostgresAddress,
        /// Reason why the PostgreSQL database is not usable.
        source: Unsound,
    },
    /// The store contains no match, browser identity or open offer with the given id, handle, invitation or link.
    #[error("`{0}` is not in the database: search with `overmate admin find`")]
    Unknown(String),
    /// The target of the operator's command is a tournament event, which the command does not change.
    #[error(
        "`{0}` is the id of an event: change its title with `overmate admin rename` without --player, or remove it before its start with `overmate admin event remove`"
    )]
    Event(String),
    /// The target of the operator's command has the form of neither an id, an invitation, a link nor a handle.
    #[error(
        "`{0}` is neither the id of a match, a browser, an open offer or an event, nor a handle such as @anna: find the id with `overmate admin find`"
    )]
    NoTarget(String),
    /// The given text is neither the id nor the link of a match.
    #[error("`{0}` is not the id or link of a match: search with `overmate admin find`")]
    NoMatch(String),
    /// The given text is neither the id of a browser identity nor a handle.
    #[error(
        "`{0}` is neither the id of a browser nor a handle such as @anna: find the id with `overmate admin find`"
    )]
    NoBrowser(String),
    /// The operator must choose one of the two players, because both seats of the match belong to people.
    #[error("two persons play the match: choose one of them with --player a or --player b")]
    TwoSeats,
    /// There is no player name to change.
    #[error(
        "the name cannot be changed, because no person holds the seat, or the browser has no match and no open offer: choose another seat or browser"
    )]
    NoPerson,
    /// The open offers of a bot show its handle, which the command does not change.
    #[error(
        "the open offers of a bot show its handle, which this command does not change: withdraw an offer with `overmate admin revoke`, or close the account with `overmate admin close`"
    )]
    BotName,
    /// The match has ended already.
    #[error("the match {0} is over already: choose a running match")]
    Over(String),
    /// The match has no unused invitation.
    #[error(
        "the match {0} has no unused invitation: choose a match that waits for an invited person"
    )]
    NoInvitation(String),
    /// No open report has the given id.
    #[error("no open report has the id {0}: list the open reports with `overmate admin reports`")]
    NoReport(String),
    /// The open report with the given id is about another person than the target of the operator's command.
    #[error(
        "the report {0} is not about the target of the command: look up the reported person with `overmate admin reports`"
    )]
    OtherPerson(String),
    /// The person has no account.
    #[error("the person has no account: choose a person by a handle such as @anna")]
    NoAccount,
    /// The person's account cannot be reopened, because the account is open.
    #[error("the account cannot be reopened, because it is not closed: check the handle")]
    NotClosed,
    /// The mute of the person cannot be ended, because the person is not muted.
    #[error("the mute cannot be ended, because the person is not muted: check the target")]
    NotMuted,
    /// The operator's command names player A or B for an open offer, which has no such players.
    #[error("an open offer has no player a or b: leave out --player")]
    OfferWithPlayer,
    /// The new name of the player is refused.
    #[error(transparent)]
    Name(NameNotAllowed),
    /// An option of the operator's command has an invalid value.
    #[error("the command is not valid: {0}")]
    Refused(String),
    /// The database reported an error.
    #[error("the database reported an error")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Reason why a new player name is refused.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NameNotAllowed(pub(super) PlayerNameFault);

impl From<sqlx::Error> for AdminError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<StoreError> for AdminError {
    fn from(error: StoreError) -> Self {
        Self::Database(error.into())
    }
}

impl From<ApiError> for AdminError {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::BadRequest(reason) => Self::Refused(reason),
            ApiError::Internal(cause) => Self::Database(cause.into()),
            ApiError::Busy(cause) => Self::Database(cause.into_owned().into()),
            other => Self::Database(other.to_string().into()),
        }
    }
}
