//! Determines the database of a server. The sources, in order of precedence, are the options, the environment, a configuration file and
//! the default.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy as _;
use overmate_server::Database;

use super::config_file::Config;
use super::environment;
use crate::cli::{DataOptions, DatabasePlace};

/// Name of the environment variable that holds the address of the database.
const DATABASE_VARIABLE: &str = "OVERMATE_DATABASE";

/// Returns the database that the user has chosen, or by default SQLite in the default folder.
pub(crate) fn database(options: &DataOptions) -> Result<Database> {
    // The file of the option --config is read even if another option names the database, so that a faulty file is always reported. A file
    // that only an environment variable names is then left alone, because the user of the command may not be able to read it.
    let config = match &options.config {
        None if named_database(options)?.is_some() => Config::default(),
        _ => Config::chosen(options)?,
    };
    chosen_database(options, &config)
}

/// Returns the database that an option or an environment variable names.
fn named_database(options: &DataOptions) -> Result<Option<Database>> {
    if let Some(folder) = &options.data {
        return Ok(Some(folder.clone().into()));
    }
    match &options.database {
        Some(database) => Ok(Some(database.clone())),
        None => environment::parsed(DATABASE_VARIABLE),
    }
}

/// Returns the database that an option, an environment variable or the given configuration names. The default is SQLite in the default
/// folder.
pub(super) fn chosen_database(options: &DataOptions, config: &Config) -> Result<Database> {
    if let Some(database) = named_database(options)?.or_else(|| config.database.clone()) {
        return Ok(database);
    }
    let strategy = etcetera::choose_base_strategy()
        .context("your data directory cannot be found: choose a folder with --data")?;
    Ok(strategy.data_dir().join("overmate").join("server").into())
}

/// Returns the folder in which the server keeps its SQLite database. If the server uses PostgreSQL, returns an error that recommends
/// `instead`, a program of PostgreSQL.
pub(crate) fn folder(options: &DataOptions, instead: &str) -> Result<PathBuf> {
    match database(options)? {
        Database::Sqlite(folder) => Ok(folder),
        _ => bail!("the command works with SQLite only: use {instead} for PostgreSQL"),
    }
}

/// Returns the database that is given by an address, an environment variable, or a configuration file.
pub(crate) fn place(place: &DatabasePlace) -> Result<Database> {
    match place {
        DatabasePlace::Address(database) => Ok(database.clone()),
        DatabasePlace::Variable(name) => environment::parsed(name)?.with_context(|| {
            format!("the environment variable {name} is not set: set the variable to the address of a database")
        }),
        DatabasePlace::File(path) => Config::read(path)?.database.with_context(|| {
            format!(
                "the configuration file {} has no key `database`: add the key with the address of a database",
                path.display()
            )
        }),
    }
}
