//! Parses the names of built-in players, and lists the names for shell completions.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use overmate_bots::{BotSpec, BuiltIn};

/// Returns a parser for command-line arguments that name a computer opponent. Shell completions offer levels as bare numbers, such as `3`.
pub(super) fn opponent() -> Name {
    let told = |player| match player {
        BotSpec::BuiltIn(BuiltIn::Level(level)) => level.get().to_string(),
        other => other.to_string(),
    };
    let advice = "use 1 to 9, perfect, or perfect:vs=1 to perfect:vs=9";
    Name { names: BotSpec::all().map(told).collect(), advice }
}

/// Returns a parser for command-line arguments that name a built-in player of an arena.
pub(super) fn player() -> Name {
    let advice = "use level:1 to level:9, perfect, or perfect:vs=1 to perfect:vs=9; a program of your own plays with \
                  --bot NAME=COMMAND";
    Name { names: BotSpec::all().map(|player| player.to_string()).collect(), advice }
}

/// Parser for the names of built-in players.
#[derive(Clone)]
pub(super) struct Name {
    /// Player names that shell completions offer.
    names: Vec<String>,
    /// End of the error message for an unknown player name, which lists the names that may be used.
    advice: &'static str,
}

impl TypedValueParser for Name {
    type Value = BotSpec;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<BotSpec, Error> {
        let advice = self.advice;
        let read = move |text: String| {
            text.trim()
                .parse::<BotSpec>()
                .map_err(|_| format!("there is no opponent `{text}`: {advice}"))
        };
        StringValueParser::new().try_map(read).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().cloned().map(PossibleValue::new)))
    }
}
