//! Defines the built-in bots and their names.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::bot::Bot;
use crate::level::bot::LevelBot;
use crate::model::parameters::Level;
use crate::model::shared_tables::SharedTables;
use crate::perfect::bot::Perfect;

/// Built-in bot, one of `level:1` to `level:9` and `perfect`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BuiltIn {
    /// Bot of a strength level (1 to 9), which has a limited search horizon and errs like a person. A higher level errs less.
    Level(Level),
    /// Bot that loses no points against best play and exploits weaker opponents.
    Perfect,
}

impl BuiltIn {
    /// Iterates over all built-in bots, from the weakest to the strongest.
    pub fn all() -> impl Iterator<Item = Self> {
        Level::all().map(Self::Level).chain([Self::Perfect])
    }

    /// Returns a new bot for one match. The play of the bot depends only on the seed, and on the turns (views,
    /// standings and budgets) that the bot receives.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Box<dyn Bot> {
        self.seeded_with(seed, &Arc::default())
    }

    /// Returns a new bot that plays one match and shares tables of position values with other bots through `tables`. The tables do not
    /// change the bot's play.
    #[must_use]
    pub fn seeded_with(self, seed: u64, tables: &Arc<SharedTables>) -> Box<dyn Bot> {
        match self {
            Self::Level(level) => Box::new(LevelBot::new(level, seed, tables)),
            Self::Perfect => Box::new(Perfect::new(seed, tables)),
        }
    }
}

impl fmt::Display for BuiltIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Perfect => f.write_str(Perfect::NAME),
        }
    }
}

impl FromStr for BuiltIn {
    type Err = UnknownBot;

    /// Parses the name of a built-in bot such as `level:3`. A bare number such as `3` means a
    /// level.
    fn from_str(text: &str) -> Result<Self, UnknownBot> {
        if text == Perfect::NAME {
            return Ok(Self::Perfect);
        }
        let level = read_level(text.strip_prefix("level:").unwrap_or(text));
        let valid = "`level:1` to `level:9`, or `perfect`";
        level.map(Self::Level).ok_or_else(|| UnknownBot { name: text.to_owned(), valid })
    }
}

/// Specification of a bot: a built-in bot, or `perfect` with the assumed strength level of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BotSpec {
    /// Built-in bot that does not know the strength level of its opponent.
    BuiltIn(BuiltIn),
    /// Perfect player that assumes an opponent of the given strength level, such as `perfect:vs=3` for level 3.
    PerfectAgainst(Level),
}

impl BotSpec {
    /// Iterates over all bot specifications: the built-in bots, then `perfect` with each opponent level.
    pub fn all() -> impl Iterator<Item = Self> {
        BuiltIn::all().map(Self::BuiltIn).chain(Level::all().map(Self::PerfectAgainst))
    }

    /// Returns whether the bot is the perfect player, with or without an assumed level of the opponent.
    #[must_use]
    pub fn is_perfect(self) -> bool {
        !matches!(self, Self::BuiltIn(BuiltIn::Level(_)))
    }

    /// Returns a new bot for one match, as [`BuiltIn::seeded`] does.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Box<dyn Bot> {
        self.seeded_with(seed, &Arc::default())
    }

    /// Returns a new bot for one match that shares tables of position values, as [`BuiltIn::seeded_with`] does.
    #[must_use]
    pub fn seeded_with(self, seed: u64, tables: &Arc<SharedTables>) -> Box<dyn Bot> {
        match self {
            Self::BuiltIn(built_in) => built_in.seeded_with(seed, tables),
            Self::PerfectAgainst(level) => Box::new(Perfect::against(level, seed, tables)),
        }
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(built_in) => built_in.fmt(f),
            Self::PerfectAgainst(level) => f.write_str(&Perfect::name_against(*level)),
        }
    }
}

impl FromStr for BotSpec {
    type Err = UnknownBot;

    /// Parses the name of a bot such as `perfect:vs=3`. A bare number such as `3` means a level.
    fn from_str(text: &str) -> Result<Self, UnknownBot> {
        let spec = match text.split_once(":vs=") {
            Some((Perfect::NAME, number)) => read_level(number).map(Self::PerfectAgainst),
            _ => text.parse().map(Self::BuiltIn).ok(),
        };
        let valid = "`level:1` to `level:9`, `perfect`, or `perfect:vs=1` to `perfect:vs=9`";
        spec.ok_or_else(|| UnknownBot { name: text.to_owned(), valid })
    }
}

/// Parses the number of a strength level.
fn read_level(number: &str) -> Option<Level> {
    number.parse().ok().and_then(Level::new)
}

/// Parse error: the string is not the name of a bot.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no opponent `{name}`: use {valid}")]
pub struct UnknownBot {
    name: String,
    /// Names of the bots of the requested kind.
    valid: &'static str,
}
