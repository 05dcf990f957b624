//! Finds the database of a server and its way of events: in the options, the environment, a file with settings, or the defaults.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy as _;
use overmate_server::{Database, NoticeChannel};
use serde::Deserialize;

use crate::cli::{DataOptions, DatabasePlace};

/// Environment variable with the address of the database.
const DATABASE_VARIABLE: &str = "OVERMATE_DATABASE";

/// Environment variable with the way on which servers tell each other of changes.
const EVENTS_VARIABLE: &str = "OVERMATE_EVENTS";

/// Environment variable with the path of the file with settings.
const CONFIG_VARIABLE: &str = "OVERMATE_CONFIG";

/// Settings of the server that its configuration file may hold.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Config {
    database: Option<String>,
    events: Option<String>,
    /// Days after the end of a match after which its log is folded; 0 for never.
    fold_after_days: Option<u32>,
}

/// Returns the database of the server that the user chose, or else SQLite in the default folder.
pub(crate) fn database(options: &DataOptions) -> Result<Database> {
    if let Some(folder) = &options.data {
        return Ok(folder.clone().into());
    }
    if let Some(database) = &options.database {
        return Ok(database.clone());
    }
    if let Some(database) = of_variable(DATABASE_VARIABLE)? {
        return Ok(database);
    }
    if let Some(file) = config_file(options)?
        && let Some(database) = of_file(&file)?
    {
        return Ok(database);
    }
    let strategy = etcetera::choose_base_strategy()
        .context("your data directory cannot be found: choose a folder with --data")?;
    Ok(strategy.data_dir().join("overmate").join("server").into())
}

/// Returns the number of days after the end of a match after which its log is folded, or `None` for never; `usual` without a setting.
pub(crate) fn fold_days(options: &DataOptions, usual: Option<u32>) -> Result<Option<u32>> {
    let days = match config_file(options)? {
        Some(file) => read(&file)?.fold_after_days,
        None => None,
    };
    Ok(days.map_or(usual, |days| (days > 0).then_some(days)))
}

/// Returns the way of events that the user chose, or `None` for the default.
pub(crate) fn events(
    chosen: Option<&NoticeChannel>,
    options: &DataOptions,
) -> Result<Option<NoticeChannel>> {
    if let Some(chosen) = chosen {
        return Ok(Some(chosen.clone()));
    }
    if let Some(way) = variable(EVENTS_VARIABLE)? {
        let way = way.parse();
        return way
            .map(Some)
            .with_context(|| format!("the variable {EVENTS_VARIABLE} is not valid"));
    }
    let Some(file) = config_file(options)? else { return Ok(None) };
    let way = read(&file)?.events.map(|way| way.parse()).transpose();
    way.with_context(|| format!("the key `events` in {} is not valid", file.display()))
}

/// Returns the path of the file with settings, if the user named one.
fn config_file(options: &DataOptions) -> Result<Option<PathBuf>> {
    Ok(match &options.config {
        Some(file) => Some(file.clone()),
        None => variable(CONFIG_VARIABLE)?.map(PathBuf::from),
    })
}

/// Returns the database whose address stands in a place.
pub(crate) fn place(place: &DatabasePlace) -> Result<Database> {
    match place {
        DatabasePlace::Address(database) => Ok(database.clone()),
        DatabasePlace::Variable(name) => {
            of_variable(name)?.with_context(|| format!("the variable {name} is not set"))
        }
        DatabasePlace::File(file) => {
            of_file(file)?.with_context(|| format!("{} has no key `database`", file.display()))
        }
    }
}

/// Returns the database whose address stands in an environment variable, or `None` if the variable is not set or empty.
fn of_variable(name: &str) -> Result<Option<Database>> {
    let database = variable(name)?.map(|address| address.parse());
    database.transpose().with_context(|| format!("the value of the variable {name} is not valid"))
}

/// Returns the database whose address stands in a file with settings, or `None` if the file has no such key.
fn of_file(file: &Path) -> Result<Option<Database>> {
    let database = read(file)?.database.map(|address| address.parse());
    database.transpose().with_context(|| {
        format!("the value of the key `database` in the file {} is not valid", file.display())
    })
}

/// Returns the data folder of SQLite, for a command that works with SQLite only.
pub(crate) fn folder(options: &DataOptions, instead: &str) -> Result<PathBuf> {
    match database(options)? {
        Database::Sqlite(folder) => Ok(folder),
        _ => bail!("the command works with SQLite only: use {instead} for PostgreSQL"),
    }
}

/// Returns the value of an environment variable, or `None` if it is not set or empty.
fn variable(name: &str) -> Result<Option<String>> {
    match std::env::var(name) {
        Ok(value) => Ok((!value.is_empty()).then_some(value)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(error) => {
            Err(error).with_context(|| format!("the value of the variable {name} is not UTF-8"))
        }
    }
}

fn read(file: &Path) -> Result<Config> {
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("cannot read the settings in the file {} as UTF-8 text", file.display())
    })?;
    toml::from_str(&text).map_err(|error| {
        // The full message would show the line, which may hold a password.
        anyhow::anyhow!(
            "the settings in the file {} are not valid: {}",
            file.display(),
            error.message()
        )
    })
}
