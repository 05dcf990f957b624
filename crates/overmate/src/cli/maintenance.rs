//! Defines the arguments of the commands `backup`, `restore`, `archive` and `doctor` for operators of a server.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use overmate_server::Database;

use super::examples;

/// Command-line options that select a server's database.
#[derive(Args, Debug)]
pub(crate) struct DataOptions {
    /// Folder of the SQLite database [default: the folder `server` in your data directory]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,

    /// Database, as `sqlite:DIR`, or as `postgres://USER@HOST/DATABASE`, which several servers may share
    ///
    /// The environment variable `OVERMATE_DATABASE` and the key `database` in the file of --config have the same meaning. Other
    /// users can read a command line: put a password into the variable, the file, PGPASSWORD, or ~/.pgpass.
    #[arg(long, global = true, value_name = "ADDRESS", conflicts_with = "data")]
    pub(crate) database: Option<Database>,

    /// File with settings in TOML, such as `database = "postgres://mate@db.example/mate"`
    ///
    /// Options and environment variables override the file. The environment variable `OVERMATE_CONFIG` can name the file. The key
    /// `fold-after-days = 30` sets after how many days a server folds the logs of finished matches; 0 means never.
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
}

/// Writes a consistent and verified copy of the server's database; the server may run meanwhile
#[derive(Args, Debug)]
#[command(after_long_help = examples::BACKUP)]
pub(crate) struct BackupArgs {
    #[command(flatten)]
    pub(crate) data: DataOptions,

    /// Replaces FILE if it exists
    #[arg(long)]
    pub(crate) force: bool,

    /// File for the backup, or an existing folder
    ///
    /// In a folder the backup gets an unused name with the day in UTC, such as overmate-2026-11-20-1.sqlite.
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) file: PathBuf,
}

/// Verifies a backup, and replaces the server's database by the backup; the server must be stopped
#[derive(Args, Debug)]
#[command(after_long_help = examples::RESTORE)]
pub(crate) struct RestoreArgs {
    #[command(flatten)]
    pub(crate) data: DataOptions,

    /// Replaces the database in the server's data folder if it exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Backup file to restore
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Writes all finished matches as Parquet files, without names and identities; the server may run meanwhile
#[derive(Args, Debug)]
#[command(after_long_help = examples::ARCHIVE)]
pub(crate) struct ArchiveArgs {
    #[command(flatten)]
    pub(crate) data: DataOptions,

    /// Folder for matches.parquet and entries.parquet, which is created if it is missing
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) parquet: PathBuf,

    /// Replaces matches.parquet and entries.parquet if they exist
    #[arg(long)]
    pub(crate) force: bool,
}

/// Checks a server's data, file permissions, limit of open files, free disk space and clock without changing anything
#[derive(Args, Debug)]
#[command(after_long_help = examples::DOCTOR)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) data: DataOptions,

    /// Prints JSON, one object per line
    #[arg(long)]
    pub(crate) json: bool,
}
