//! The opponents that Overmate brings, by name.

use std::fmt;
use std::str::FromStr;

use crate::bot::Bot;
use crate::level::bot::{Level, LevelBot};
use crate::perfect::bot::Perfect;

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

/// Whom a user can name: an opponent, or `perfect` that is told whom it plays against.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HousePlayer {
    /// An opponent as anybody meets it.
    BuiltIn(BuiltIn),
    /// `perfect:vs=3`: it takes the other for this level from the beginning, whatever he does.
    PerfectAgainst(Level),
}

impl HousePlayer {
    /// All of them: the opponents from the weakest to the strongest, then `perfect` told each level.
    pub fn all() -> impl Iterator<Item = Self> {
        BuiltIn::all().map(Self::BuiltIn).chain(Level::all().map(Self::PerfectAgainst))
    }

    /// Whether it should lose no point to best play.
    #[must_use]
    pub fn is_perfect(self) -> bool {
        !matches!(self, Self::BuiltIn(BuiltIn::Level(_)))
    }

    /// The opponent for one match. What it does depends on the seed and on what it is shown alone.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Box<dyn Bot> {
        match self {
            Self::BuiltIn(built_in) => built_in.seeded(seed),
            Self::PerfectAgainst(level) => Box::new(Perfect::against(level, seed)),
        }
    }
}

impl fmt::Display for HousePlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(built_in) => built_in.fmt(f),
            Self::PerfectAgainst(level) => write!(f, "perfect:vs={}", level.get()),
        }
    }
}

/// No opponent has this name, not even one that is told whom it plays against.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there is no opponent `{0}`: say `level:1` to `level:9`, `perfect`, or `perfect:vs=1` to `perfect:vs=9`"
)]
pub struct UnknownPlayer(pub String);

impl FromStr for HousePlayer {
    type Err = UnknownPlayer;

    /// Reads what [`Display`](fmt::Display) writes, and a bare number as a level.
    fn from_str(text: &str) -> Result<Self, UnknownPlayer> {
        let unknown = || UnknownPlayer(text.to_owned());
        match text.strip_prefix("perfect:vs=") {
            Some(number) => {
                let level = number.parse().ok().and_then(Level::new);
                level.map(Self::PerfectAgainst).ok_or_else(unknown)
            }
            None => text.parse().map(Self::BuiltIn).map_err(|_| unknown()),
        }
    }
}
