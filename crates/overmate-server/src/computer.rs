//! Defines the computer opponents of matches: built-in opponents, and opponent programs of the server's operator.

use std::fmt;
use std::str::FromStr;

use overmate_bots::BuiltIn;

use crate::programs::ProgramName;

/// Prefix of an opponent program's name in the text form of a computer opponent.
const PROGRAM: &str = "program:";

/// Computer opponent of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Computer {
    /// Computer opponent that is built into the server.
    BuiltIn(BuiltIn),
    /// Opponent program that the operator configured at the start of the server.
    Program(ProgramName),
}

/// Parse error: the string does not name a computer opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnknownComputer;

impl From<BuiltIn> for Computer {
    fn from(bot: BuiltIn) -> Self {
        Self::BuiltIn(bot)
    }
}

impl FromStr for Computer {
    type Err = UnknownComputer;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let computer = match text.strip_prefix(PROGRAM) {
            Some(name) => name.parse().map(Self::Program).ok(),
            None => text.parse().map(Self::BuiltIn).ok(),
        };
        computer.ok_or(UnknownComputer)
    }
}

impl fmt::Display for Computer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(bot) => write!(f, "{bot}"),
            Self::Program(name) => write!(f, "{PROGRAM}{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_an_opponent_reads_back() {
        for text in ["level:3", "perfect", "program:mine", "program:perfect"] {
            let computer: Computer = text.parse().expect("an opponent");
            assert_eq!(computer.to_string(), text);
            assert_eq!(matches!(computer, Computer::Program(_)), text.starts_with(PROGRAM));
        }
        for text in ["", "mine", "program:", "program:a b", "level:10"] {
            assert_eq!(text.parse::<Computer>(), Err(UnknownComputer), "{text}");
        }
    }
}
