//! Defines opponent programs: programs that the server's operator has configured as computer opponents.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use overmate_bots::{Bot, Forfeit};
use overmate_rules::{Player, RuleSet};
use thiserror::Error;

/// Name of an opponent program: 1 to 24 ASCII letters, digits and the signs `-`, `_` and `.`. Players choose the program by this name.
// Zero bytes fill the array after the end of a program's name. The text is stored inline, so that the occupant of a seat can be copied
// without an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProgramName([u8; ProgramName::LONGEST]);

/// Parse error: the string is not a valid name of an opponent program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "`{}` cannot name an opponent program: use 1 to {} ASCII letters, digits, `-`, `_` or `.`", .0, ProgramName::LONGEST
)]
pub struct ProgramNameFault(String);

impl ProgramName {
    /// Maximum length of an opponent program's name, in bytes.
    pub(crate) const LONGEST: usize = 24;

    /// Returns the name of the opponent program as a string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(Self::LONGEST);
        // The bytes of a program's name are always UTF-8, because `from_str` accepts ASCII only.
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

impl FromStr for ProgramName {
    type Err = ProgramNameFault;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let mut name = [0; Self::LONGEST];
        match name.get_mut(..text.len()) {
            Some(place) if !text.is_empty() && text.bytes().all(is_plain) => {
                place.copy_from_slice(text.as_bytes());
                Ok(Self(name))
            }
            _ => Err(ProgramNameFault(text.chars().take(2 * Self::LONGEST).collect())),
        }
    }
}

impl fmt::Display for ProgramName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for ProgramName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Opponent program, with the name under which this server offers the program.
#[derive(Clone, Debug)]
pub struct OfferedProgram {
    /// Name under which players choose the opponent program.
    pub name: ProgramName,
    /// Factory that creates the bots of the opponent program.
    pub source: Arc<dyn ProgramSource>,
}

/// Factory that creates the bots of an opponent program, with a separate bot for each match. A bot usually leaves its decisions to a child
/// process.
///
/// The server calls the bots on threads that may block. The server drops a bot at the end of its match, after an idle time, when
/// other matches need its place, and when the server stops. A match that goes on gets a new bot, which is shown the finished games.
pub trait ProgramSource: Send + Sync + fmt::Debug {
    /// Returns a bot that chooses the actions of the operator's opponent program in one match.
    ///
    /// # Errors
    ///
    /// Returns a forfeit if the program cannot be started. The server logs the reason and tries the turn again, so that the match is
    /// not lost.
    fn enter(&self, seat: &ProgramSeat<'_>) -> Result<Box<dyn Bot>, Forfeit>;
}

/// Match information that an opponent program gets before its first action.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProgramSeat<'a> {
    /// Rule set of the match that the opponent program plays.
    pub rules: &'a Arc<RuleSet>,
    /// Player (A or B) whose actions the opponent program chooses in the match.
    pub player: Player,
    /// Number of games in the match.
    pub games: u8,
    /// Random seed of the opponent program in the match, below 2^53.
    pub seed: u64,
    /// Flag that becomes `true` when the server stops. The bot must then end each wait, and the server discards the bot's action or
    /// forfeit.
    pub stop: &'a Arc<AtomicBool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_plain() {
        for name in ["a", "my-bot_2.1", &"x".repeat(24)] {
            let read: ProgramName = name.parse().expect("a name");
            assert_eq!((read.as_str(), read.to_string().as_str()), (name, name));
        }
        for name in ["", "my bot", "a/b", "a=b", "ä", "a:b", "a\0", &"x".repeat(25)] {
            assert!(name.parse::<ProgramName>().is_err(), "{name}");
        }
    }
}
