//! The opponents that Overmate brings, by name.

use std::fmt;
use std::str::FromStr;

use crate::bot::Bot;
use crate::level::{Level, LevelBot};
use crate::perfect::Perfect;

/// An opponent within the program: `level:1` to `level:9`, or `perfect`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BuiltIn {
    /// Errs like a person, the less the higher.
    Level(Level),
    /// Loses no point to best play.
    Perfect,
}

impl BuiltIn {
    /// All of them, from the weakest to the strongest.
    pub fn all() -> impl Iterator<Item = Self> {
        Level::all().map(Self::Level).chain([Self::Perfect])
    }

    /// The opponent for one match. What it does depends on the seed and on what it is shown alone.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Box<dyn Bot> {
        match self {
            Self::Level(level) => Box::new(LevelBot::new(level, seed)),
            Self::Perfect => Box::new(Perfect::new(seed)),
        }
    }
}

impl fmt::Display for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "level:{}", level.get()),
            Self::Perfect => f.write_str("perfect"),
        }
    }
}

/// No opponent has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no opponent `{0}`: say `level:1` to `level:9`, or `perfect`")]
pub struct UnknownBot(pub String);

impl FromStr for BuiltIn {
    type Err = UnknownBot;

    /// Reads what [`Display`](fmt::Display) writes, and a bare number as a level.
    fn from_str(text: &str) -> Result<Self, UnknownBot> {
        let unknown = || UnknownBot(text.to_owned());
        if text == "perfect" {
            return Ok(Self::Perfect);
        }
        let number = text.strip_prefix("level:").unwrap_or(text);
        let level = number.parse().ok().and_then(Level::new).ok_or_else(unknown)?;
        Ok(Self::Level(level))
    }
}
