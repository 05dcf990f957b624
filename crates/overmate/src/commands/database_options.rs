//! Determines the database and the settings of a server. The sources, in order of precedence, are the options, the
//! environment, a configuration file and the defaults.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy as _;
use overmate_server::{
    Database, Limits, MailSettings, NoticeChannel, PublicUrl, PushContact, Settings,
};
use serde::Deserialize;
use toml::de::DeTable;

use crate::cli::{
    DataOptions, DatabasePlace, MOST_DAYS_OFF, MOST_PROCESSES, ProgramOptions, ServeArgs,
    ServedProgram,
};

/// Name of the environment variable that holds the address of the database.
const DATABASE_VARIABLE: &str = "OVERMATE_DATABASE";

/// Name of the environment variable that holds the channel on which servers notify each other of changes.
const EVENTS_VARIABLE: &str = "OVERMATE_EVENTS";

/// Name of the environment variable that holds the public URL of the server.
const PUBLIC_URL_VARIABLE: &str = "OVERMATE_PUBLIC_URL";

/// Name of the environment variable that holds the operator's contact address for push services.
const PUSH_CONTACT_VARIABLE: &str = "OVERMATE_PUSH_CONTACT";

/// Name of the environment variable that holds the address of the SMTP server.
const SMTP_VARIABLE: &str = "OVERMATE_SMTP";

/// Name of the environment variable that holds the sender address of the server's e-mail.
const MAIL_FROM_VARIABLE: &str = "OVERMATE_MAIL_FROM";

/// Name of the environment variable that holds the number of days off that each person has in a calendar year.
const DAYS_OFF_VARIABLE: &str = "OVERMATE_DAYS_OFF";

/// Name of the environment variable that holds the maximum number of rated matches between two given persons within 24 hours.
const RATED_PAIR_VARIABLE: &str = "OVERMATE_RATED_MATCHES_OF_PAIR";

/// Name of the environment variable that holds the programs that play as opponents, one `NAME=COMMAND` a line.
const PROGRAMS_VARIABLE: &str = "OVERMATE_PROGRAMS";

/// Name of the environment variable that holds the maximum number of processes of opponent programs.
const PROGRAM_PROCESSES_VARIABLE: &str = "OVERMATE_PROGRAM_PROCESSES";

/// Name of the environment variable that holds the time limit for an action of an opponent program, in seconds.
const PROGRAM_TIME_VARIABLE: &str = "OVERMATE_PROGRAM_TIME";

/// Name of the environment variable that holds the idle timeout of opponent programs, in seconds.
const PROGRAM_IDLE_VARIABLE: &str = "OVERMATE_PROGRAM_IDLE";

/// Name of the environment variable that holds the path of the configuration file.
const CONFIG_VARIABLE: &str = "OVERMATE_CONFIG";

/// Contents of a server's configuration file, by key.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Config {
    database: Option<String>,
    events: Option<String>,
    public_url: Option<String>,
    push_contact: Option<String>,
    smtp: Option<String>,
    mail_from: Option<String>,
    days_off: Option<u32>,
    /// Maximum number of rated matches between two given persons within 24 hours; 0 for no limit.
    rated_matches_of_pair: Option<u32>,
    /// Number of days from the end of a match until the server folds (packs) the match log into one row; 0 turns
    /// folding off.
    fold_after_days: Option<u32>,
    /// Commands that start the opponent programs, keyed by program name.
    programs: Option<BTreeMap<String, String>>,
    program_processes: Option<u16>,
    /// Time limit for an action of an opponent program, in seconds.
    program_time: Option<f64>,
    /// Idle timeout of an opponent program, in seconds.
    program_idle: Option<f64>,
}

/// Programs that a server offers as opponents, with the limits that the operator has chosen for the programs.
pub(crate) struct ProgramChoice {
    pub(crate) programs: Vec<ServedProgram>,
    pub(crate) processes: Option<usize>,
    pub(crate) time: Option<Duration>,
    pub(crate) idle: Option<Duration>,
}

/// Configuration file of a server, with its path.
struct ConfigFile {
    path: PathBuf,
    config: Config,
}

/// Returns the database that the user has chosen, or by default SQLite in the default folder.
pub(crate) fn database(options: &DataOptions) -> Result<Database> {
    let Some(database) = named_database(options)? else {
        return configured_database(ConfigFile::chosen(options)?.as_ref());
    };
    // The file is not needed, but `overmate serve` would refuse an unreadable file and unknown keys, too.
    options.config.clone().map(ConfigFile::read).transpose()?;
    Ok(database)
}

/// Returns a server's settings for the database, the channel for notices between servers, the public address, and the
/// folding of match logs. Values that the user did not choose have their defaults.
pub(crate) fn settings(
    options: &DataOptions,
    events: Option<&NoticeChannel>,
    public_url: Option<&PublicUrl>,
) -> Result<Settings> {
    let file = ConfigFile::chosen(options)?;
    let database = match named_database(options)? {
        Some(database) => database,
        None => configured_database(file.as_ref())?,
    };
    let mut settings = Settings::new(database);
    settings.events = match events {
        Some(events) => Some(events.clone()),
        None => of_variable(EVENTS_VARIABLE)?,
    };
    settings.public_url = match public_url {
        Some(url) => Some(url.clone()),
        None => of_variable(PUBLIC_URL_VARIABLE)?,
    };
    if let Some(file) = file {
        if settings.public_url.is_none() {
            settings.public_url = file.value("public-url", file.config.public_url.as_deref())?;
        }
        if settings.events.is_none() {
            settings.events = file.value("events", file.config.events.as_deref())?;
        }
        if let Some(days) = file.config.fold_after_days {
            settings.limits.fold_days = (days > 0).then_some(days);
        }
    }
    Ok(settings)
}

/// Returns the operator's contact address for push services from the option, the environment variable or the configuration file.
pub(crate) fn push_contact(
    options: &DataOptions,
    chosen: Option<&PushContact>,
) -> Result<Option<PushContact>> {
    if let Some(contact) = chosen {
        return Ok(Some(contact.clone()));
    }
    match (of_variable(PUSH_CONTACT_VARIABLE)?, ConfigFile::chosen(options)?) {
        (None, Some(file)) => file.value("push-contact", file.config.push_contact.as_deref()),
        (contact, _) => Ok(contact),
    }
}

/// Returns the SMTP server and the sender of e-mail, or `None` if neither of the two is set. Both come from the options, the
/// environment or the configuration file.
pub(crate) fn mail(args: &ServeArgs) -> Result<Option<MailSettings>> {
    let file = ConfigFile::chosen(&args.data)?;
    let smtp = args.smtp.as_deref().map(str::parse).transpose();
    let mut smtp = smtp.context("the value of the option --smtp is not valid")?;
    let mut from = args.mail_from.clone();
    if smtp.is_none() {
        smtp = of_variable(SMTP_VARIABLE)?;
    }
    if from.is_none() {
        from = of_variable(MAIL_FROM_VARIABLE)?;
    }
    if let Some(file) = file {
        if smtp.is_none() {
            smtp = file.value("smtp", file.config.smtp.as_deref())?;
        }
        if from.is_none() {
            from = file.value("mail-from", file.config.mail_from.as_deref())?;
        }
    }
    match (smtp, from) {
        (Some(smtp), Some(from)) => Ok(Some(MailSettings { smtp, from })),
        (None, None) => Ok(None),
        (Some(_), None) => bail!("e-mail needs a sender: set --mail-from, too"),
        (None, Some(_)) => bail!("e-mail needs an SMTP server: set --smtp, too"),
    }
}

/// Sets the limits on play between people, such as the number of days off, to the operator's values. The values come from the options, the
/// environment, or the configuration file.
pub(crate) fn set_limits(args: &ServeArgs, limits: &mut Limits) -> Result<()> {
    let file = ConfigFile::chosen(&args.data)?;
    let config = file.as_ref().map(|file| &file.config);
    let of_file = config.and_then(|config| config.days_off);
    if let Some(days) = chosen(args.days_off, DAYS_OFF_VARIABLE, of_file)? {
        if days > MOST_DAYS_OFF {
            bail!(
                "the number of days off in a year is out of range: set the variable {DAYS_OFF_VARIABLE}, or the key `days-off` in the configuration file, to a number from 0 to {MOST_DAYS_OFF}"
            );
        }
        limits.days_off = days;
    }
    let of_file = config.and_then(|config| config.rated_matches_of_pair);
    if let Some(number) = chosen(args.rated_matches_of_pair, RATED_PAIR_VARIABLE, of_file)? {
        limits.rated_matches_of_pair = (number > 0).then_some(number);
    }
    Ok(())
}

/// Returns the external programs that a server offers as opponents, with their limits. Each setting comes from the options, the
/// environment, or the configuration file.
pub(crate) fn programs(args: &ServeArgs) -> Result<ProgramChoice> {
    let ProgramOptions { programs, program_processes, program_time, program_idle } = &args.programs;
    let file = ConfigFile::chosen(&args.data)?;
    let config = file.as_ref().map(|file| &file.config);
    let seconds = |option: Option<Duration>,
                   name: &str,
                   key: fn(&Config) -> Option<f64>|
     -> Result<Option<Duration>> {
        if option.is_some() {
            return Ok(option);
        }
        let number: Option<f64> = chosen(None, name, config.and_then(key))?;
        let time = number.map(Duration::try_from_secs_f64).transpose();
        time.with_context(|| {
            format!("{name} or the key of this setting in the configuration file is not a number of seconds: give a number such as 10 or 0.5")
        })
    };
    let of_file = config.and_then(|config| config.program_processes);
    let processes = chosen(*program_processes, PROGRAM_PROCESSES_VARIABLE, of_file)?;
    if processes.is_some_and(|number| !(1..=MOST_PROCESSES).contains(&number.into())) {
        bail!(
            "the number of processes for opponent programs is out of range: set the variable {PROGRAM_PROCESSES_VARIABLE}, or the key `program-processes` in the configuration file, to a number from 1 to {MOST_PROCESSES}"
        );
    }
    let time = seconds(*program_time, PROGRAM_TIME_VARIABLE, |config| config.program_time)?;
    if time.is_some_and(|time| time.is_zero()) {
        bail!(
            "the time limit for an action of an opponent program is 0 seconds: set the variable {PROGRAM_TIME_VARIABLE}, or the key `program-time` in the configuration file, to a number of seconds above 0, such as 10 or 0.5"
        );
    }
    Ok(ProgramChoice {
        programs: if programs.is_empty() {
            other_programs(file.as_ref())?
        } else {
            programs.clone()
        },
        processes: processes.map(usize::from),
        time,
        idle: seconds(*program_idle, PROGRAM_IDLE_VARIABLE, |config| config.program_idle)?,
    })
}

/// Returns the opponent programs from the environment variable `OVERMATE_PROGRAMS` or, without the variable, from the
/// configuration file.
fn other_programs(file: Option<&ConfigFile>) -> Result<Vec<ServedProgram>> {
    let parse = |text: &str| ServedProgram::parse(text).map_err(anyhow::Error::msg);
    if let Some(text) = variable(PROGRAMS_VARIABLE)? {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        return lines.map(parse).collect::<Result<_>>().with_context(|| {
            format!("the value of the environment variable {PROGRAMS_VARIABLE} is not valid")
        });
    }
    let Some(file) = file else { return Ok(Vec::new()) };
    let table = file.config.programs.iter().flatten();
    let programs = table.map(|(name, command)| parse(&format!("{name}={command}")));
    programs.collect::<Result<_>>().with_context(|| {
        format!("the table `programs` in the file {} is not valid", file.path.display())
    })
}

/// Returns the database that is given by an address, an environment variable, or a configuration file.
pub(crate) fn place(place: &DatabasePlace) -> Result<Database> {
    match place {
        DatabasePlace::Address(database) => Ok(database.clone()),
        DatabasePlace::Variable(name) => of_variable(name)?
            .with_context(|| format!("the environment variable {name} is not set: set the variable to the address of a database")),
        DatabasePlace::File(path) => {
            let database = ConfigFile::read(path.clone())?.database()?;
            database.with_context(|| format!("the configuration file {} has no key `database`: add the key with the address of a database", path.display()))
        }
    }
}

/// Returns the database that is named by the command-line options or by an environment variable. Both override the configuration file.
fn named_database(options: &DataOptions) -> Result<Option<Database>> {
    if let Some(folder) = &options.data {
        return Ok(Some(folder.clone().into()));
    }
    match &options.database {
        Some(database) => Ok(Some(database.clone())),
        None => of_variable(DATABASE_VARIABLE),
    }
}

/// Returns the database that the configuration file names, or by default SQLite in the default folder.
fn configured_database(file: Option<&ConfigFile>) -> Result<Database> {
    if let Some(database) = file.map(ConfigFile::database).transpose()?.flatten() {
        return Ok(database);
    }
    let strategy = etcetera::choose_base_strategy()
        .context("your data directory cannot be found: choose a folder with --data")?;
    Ok(strategy.data_dir().join("overmate").join("server").into())
}

impl ConfigFile {
    /// Reads the configuration file that the user named, or returns `None` if the user named no file.
    fn chosen(options: &DataOptions) -> Result<Option<Self>> {
        let path = match &options.config {
            Some(path) => Some(path.clone()),
            None => variable(CONFIG_VARIABLE)?.map(PathBuf::from),
        };
        path.map(Self::read).transpose()
    }

    fn read(path: PathBuf) -> Result<Self> {
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read the settings in the file {}", path.display()))?;
        let config = toml::from_str(&text).map_err(|error| {
            anyhow::anyhow!(
                "the settings in the file {} are not valid: {}",
                path.display(),
                fault(&text, &error)
            )
        })?;
        Ok(Self { path, config })
    }

    /// Returns the database that the configuration file names, or `None` if the file names no database.
    fn database(&self) -> Result<Option<Database>> {
        self.value("database", self.config.database.as_deref())
    }

    /// Parses the value of a key in the configuration file. Returns `None` if the file does not
    /// have the key.
    fn value<T>(&self, key: &str, text: Option<&str>) -> Result<Option<T>>
    where
        T: FromStr<Err: Error + Send + Sync + 'static>,
    {
        text.map(str::parse).transpose().with_context(|| {
            format!("the value of the key `{key}` in the file {} is not valid", self.path.display())
        })
    }
}

/// Names of value types in the TOML parser's errors, each with the name of the type in messages to the operator.
const KINDS: [(&str, &str); 5] = [
    ("a string", "a text in quotes"),
    ("a map", "a table"),
    ("f64", "a number"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
];

/// Describes a fault in the text of a configuration file, with the line and the key of the fault. The value and the text of the
/// line are left out, because they may hold a password.
fn fault(text: &str, error: &toml::de::Error) -> String {
    let message = error.message();
    let is_wrong_value =
        message.starts_with("invalid type: ") || message.starts_with("invalid value: ");
    let message = match message.rsplit_once(", expected ") {
        Some((_, kind)) if is_wrong_value => {
            let known = KINDS.iter().find(|(name, _)| *name == kind);
            format!("{} is needed", known.map_or(kind, |(_, shown)| shown))
        }
        _ => message.to_owned(),
    };
    let Some(start) = error.span().map(|span| span.start) else { return message };
    let line = text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
    let table = DeTable::parse(text).ok();
    // The fault is in the value of the last key before the fault's position, because the syntax of the file is valid.
    let key = table.as_ref().and_then(|table| {
        let before = table.get_ref().keys().filter(|key| key.span().start <= start);
        before.max_by_key(|key| key.span().start)
    });
    match key {
        Some(key) => format!("line {line}, key `{}`: {message}", key.get_ref()),
        None => format!("line {line}: {message}"),
    }
}

/// Returns the value of a setting: from the option, else from the environment variable, else from the configuration file.
fn chosen<T>(option: Option<T>, variable: &str, of_file: Option<T>) -> Result<Option<T>>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    match option {
        Some(value) => Ok(Some(value)),
        None => Ok(of_variable(variable)?.or(of_file)),
    }
}

/// Parses the value of an environment variable. Returns `None` if the variable is not set or empty.
fn of_variable<T>(name: &str) -> Result<Option<T>>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    let value = variable(name)?.map(|text| text.parse()).transpose();
    value.with_context(|| format!("the value of the environment variable {name} is not valid"))
}

/// Returns the folder in which the server keeps its SQLite database. If the server uses PostgreSQL, returns an error that recommends
/// `instead`, a program of PostgreSQL.
pub(crate) fn folder(options: &DataOptions, instead: &str) -> Result<PathBuf> {
    match database(options)? {
        Database::Sqlite(folder) => Ok(folder),
        _ => bail!("the command works with SQLite only: use {instead} for PostgreSQL"),
    }
}

/// Returns the value of an environment variable, or `None` if the variable is unset or empty.
fn variable(name: &str) -> Result<Option<String>> {
    match std::env::var(name) {
        Ok(value) => Ok((!value.is_empty()).then_some(value)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(error) => Err(error)
            .with_context(|| format!("the value of the environment variable {name} is not UTF-8")),
    }
}
