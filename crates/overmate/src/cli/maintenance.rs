//! Defines the arguments of the commands `backup`, `restore` and `doctor` for operators of a server.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::examples;

/// Option for the data folder of a server.
#[derive(Args, Debug)]
pub(crate) struct DataOption {
    /// Folder of the database [default: server in your data directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<PathBuf>,
}

/// Writes a consistent and verified copy of the server's database, also while the server runs
#[derive(Args, Debug)]
#[command(after_long_help = examples::BACKUP)]
pub(crate) struct BackupArgs {
    #[command(flatten)]
    pub(crate) data: DataOption,

    /// Replaces FILE if it exists
    #[arg(long)]
    pub(crate) force: bool,

    /// File for the backup, or an existing folder
    ///
    /// In a folder the backup gets an unused name with the day in UTC, such as overmate-2026-11-20-1.sqlite.
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) file: PathBuf,
}

/// Puts a backup in the place of the server's database, after a verification; the server must be stopped
#[derive(Args, Debug)]
#[command(after_long_help = examples::RESTORE)]
pub(crate) struct RestoreArgs {
    #[command(flatten)]
    pub(crate) data: DataOption,

    /// Replaces the database if the folder has one
    #[arg(long)]
    pub(crate) force: bool,

    /// Backup file to restore
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
}

/// Checks a server's data, permissions, limits, free disk space and clock, and changes nothing
#[derive(Args, Debug)]
#[command(after_long_help = examples::DOCTOR)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) data: DataOption,

    /// Prints one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}
