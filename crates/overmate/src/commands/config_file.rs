//! Reads the configuration file of a server, and checks all of its values at once.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Result};
use overmate_server::{Database, MailFrom, NoticeChannel, PublicUrl, PushContact, SmtpAddress};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::de::DeTable;

use super::environment;
use crate::cli::{DataOptions, DaysOff, ProcessCount, Seconds, ServedProgram, TimeLimit};

/// Name of the environment variable that holds the path of the configuration file.
const CONFIG_VARIABLE: &str = "OVERMATE_CONFIG";

/// Contents of a server's configuration file, by key. A server without a configuration file has the default: no values.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    #[serde(deserialize_with = "parsed::<_, String, _>")]
    pub(super) database: Option<Database>,
    /// Channel on which servers notify each other of changes.
    #[serde(deserialize_with = "parsed::<_, String, _>")]
    pub(super) events: Option<NoticeChannel>,
    #[serde(deserialize_with = "parsed::<_, String, _>")]
    pub(super) public_url: Option<PublicUrl>,
    #[serde(deserialize_with = "parsed::<_, String, _>")]
    pub(super) push_contact: Option<PushContact>,
    #[serde(deserialize_with = "parsed::<_, String, _>")]
    pub(super) smtp: Option<SmtpAddress>,
    #[serde(deserialize_with = "parsed::<_, String, _>")]
    pub(super) mail_from: Option<MailFrom>,
    #[serde(deserialize_with = "parsed::<_, u32, _>")]
    pub(super) days_off: Option<DaysOff>,
    /// Maximum number of rated matches between two given persons within 24 hours; 0 for no limit.
    pub(super) rated_matches_of_pair: Option<u32>,
    /// Number of days from the end of a match until the server folds (packs) the match log into one row; 0 turns folding off.
    pub(super) fold_after_days: Option<u32>,
    #[serde(deserialize_with = "programs")]
    pub(super) programs: Vec<ServedProgram>,
    #[serde(deserialize_with = "parsed::<_, u16, _>")]
    pub(super) program_processes: Option<ProcessCount>,
    /// Time limit for an action of an opponent program.
    #[serde(deserialize_with = "parsed::<_, f64, _>")]
    pub(super) program_time: Option<TimeLimit>,
    /// Idle timeout of an opponent program.
    #[serde(deserialize_with = "parsed::<_, f64, _>")]
    pub(super) program_idle: Option<Seconds>,
}

impl Config {
    /// Reads the configuration file that the option --config or the environment names. Without a file, the configuration is empty.
    pub(super) fn chosen(options: &DataOptions) -> Result<Self> {
        let path = match &options.config {
            Some(path) => Some(path.clone()),
            None => environment::variable(CONFIG_VARIABLE)?.map(PathBuf::from),
        };
        path.map_or_else(|| Ok(Self::default()), |path| Self::read(&path))
    }

    /// Reads a configuration file. The error of a faulty file names the line and the key, but not the value, because the value may hold
    /// a password.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let file = path.display();
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the settings in the file {file}"))?;
        toml::from_str(&text).map_err(|error| {
            anyhow::anyhow!(
                "the settings in the file {file} are not valid: {}",
                fault(&text, &error)
            )
        })
    }
}

/// Deserializes a TOML value of type `V`, and then parses the value's text as if the text came from an option or an environment variable.
fn parsed<'de, D, V, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de> + ToString,
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    let value = V::deserialize(deserializer)?.to_string().parse();
    value.map(Some).map_err(|fault| D::Error::custom(overmate_rules::error_with_causes(&fault)))
}

/// Deserializes the table of the opponent programs, from the name of each program to its command.
fn programs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ServedProgram>, D::Error> {
    let table = BTreeMap::<String, String>::deserialize(deserializer)?;
    let programs = table.into_iter().map(|(name, command)| {
        let program = ServedProgram::parse(&format!("{name}={command}"));
        program.map_err(|fault| format!("the program `{name}` is not valid: {fault}"))
    });
    programs.collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// Names of value types in the TOML parser's errors, each with the words that replace the name in messages to the operator.
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
    let is_at_header = text.get(start..).is_some_and(|rest| rest.starts_with('['))
        && text.get(..start).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    // If the syntax of the configuration file is valid, the error concerns the value of the last key before the position of the error. An
    // error in a whole table has the position of the table's header, which contains the key.
    let key = table.as_ref().and_then(|table| {
        let mut keys: Vec<_> = table.get_ref().keys().collect();
        keys.sort_by_key(|key| key.span().start);
        let later = keys.partition_point(|key| key.span().start <= start);
        keys.get(if is_at_header { later } else { later.checked_sub(1)? }).copied()
    });
    match key {
        Some(key) => format!("line {line}, key `{}`: {message}", key.get_ref()),
        None => format!("line {line}: {message}"),
    }
}
