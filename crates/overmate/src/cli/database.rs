//! Defines the arguments of the command `database`, with which operators move a server to another database.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::bail;
use clap::{Args, Subcommand};
use overmate_server::{AddressFault, Database};

use super::examples;

/// Copies the database of a stopped server from SQLite to PostgreSQL or back
#[derive(Args, Debug)]
#[command(after_long_help = examples::DATABASE)]
pub(crate) struct DatabaseArgs {
    #[command(subcommand)]
    pub(crate) command: DatabaseCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum DatabaseCommand {
    Copy(CopyArgs),
}

/// Copies all data of a server into an empty database, and compares every row of both databases
#[derive(Args, Debug)]
#[command(after_long_help = examples::DATABASE)]
pub(crate) struct CopyArgs {
    /// Database to copy, as `sqlite:DIR`, `postgres://USER@HOST/DATABASE`, `env:VARIABLE`, or `config:FILE`
    ///
    /// `env:VARIABLE` takes the address from an environment variable, such as `OVERMATE_DATABASE`. `config:FILE` takes the
    /// address from the key `database` of a TOML file. Other users can read a command line: put a password into the variable, the
    /// file, PGPASSWORD, or ~/.pgpass.
    #[arg(value_name = "FROM", value_parser = DatabasePlace::from_str)]
    pub(crate) from: DatabasePlace,

    /// Empty database that receives the copy, as `sqlite:DIR`, `postgres://USER@HOST/DATABASE`, `env:VARIABLE`, or `config:FILE`
    #[arg(value_name = "TO", value_parser = DatabasePlace::from_str)]
    pub(crate) to: DatabasePlace,
}

/// Source of a database address: the command line, an environment variable, or a configuration file.
#[derive(Clone, Debug)]
pub(crate) enum DatabasePlace {
    /// Database address that was given on the command line.
    Address(Database),
    /// Name of the environment variable that holds the database address.
    Variable(String),
    /// Path of the TOML file whose key `database` holds the database address.
    File(PathBuf),
}

impl FromStr for DatabasePlace {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        if let Some(name) = text.strip_prefix("env:") {
            return Ok(Self::Variable(name.to_owned()));
        }
        if let Some(file) = text.strip_prefix("config:") {
            return Ok(Self::File(file.into()));
        }
        match text.parse() {
            Ok(database) => Ok(Self::Address(database)),
            Err(AddressFault::Scheme) => bail!(
                "the address of the database is not valid: write sqlite:DIR, postgres://USER@HOST/DATABASE, env:VARIABLE or config:FILE"
            ),
            Err(fault) => Err(fault.into()),
        }
    }
}
