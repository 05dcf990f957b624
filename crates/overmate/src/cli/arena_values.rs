//! Parses argument values of the command `arena`, such as programs, numbers of matches, and Elo differences.

use std::time::Duration;

use overmate_arena::protocol::TimeControl;
use overmate_arena::{ArenaOptions, Sprt};
use overmate_bots::BotSpec;

use super::values::read_seconds;

/// External program that plays in an arena, given as `NAME=COMMAND`.
#[derive(Clone, Debug)]
pub(crate) struct ProgramArg {
    /// Name of the external program in the arena.
    pub(crate) name: String,
    /// Path of the external program, followed by the program's arguments.
    pub(crate) command: Vec<String>,
}

impl ProgramArg {
    /// Parses an argument of the form `NAME=COMMAND`, and splits the command by the quoting rules of a shell. No shell runs the command.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (name, command) = text
            .split_once('=')
            .ok_or("NAME=COMMAND is needed, such as mine=\"python3 bot.py\"")?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        if name.is_empty() || name.len() > 40 || !name.chars().all(is_plain) {
            return Err(format!(
                "`{name}` is not a player name: use 1 to 40 letters, digits and the signs -_.:"
            ));
        }
        if name.parse::<BotSpec>().is_ok() {
            return Err(format!(
                "`{name}` is the name of a built-in opponent: choose another name"
            ));
        }
        Ok(Self { name: name.to_owned(), command: CommandArg::parse(command)?.words })
    }
}

/// Command that starts an external program.
#[derive(Clone, Debug)]
pub(crate) struct CommandArg {
    /// Command as the user typed it.
    pub(crate) text: String,
    /// Path of the program, followed by its arguments.
    pub(crate) words: Vec<String>,
}

impl CommandArg {
    /// Splits the command of an external program by the quoting rules of a shell. No shell runs the command.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).ok_or("the command lacks a closing quotation mark")?;
        if words.is_empty() {
            return Err(
                "the command is empty: name a program, such as \"python3 bot.py\"".to_owned()
            );
        }
        Ok(Self { text: text.to_owned(), words })
    }
}

/// Parses the two Elo differences that a sequential probability ratio test compares.
pub(crate) fn read_sprt(text: &str) -> Result<Sprt, String> {
    let numbers =
        text.split_once(',').map(|(one, other)| (one.trim().parse(), other.trim().parse()));
    match numbers {
        Some((Ok(elo0), Ok(elo1))) => Sprt::new(elo0, elo1).map_err(|error| error.to_string()),
        _ => Err("two Elo differences are needed, such as 0,10".to_owned()),
    }
}

/// Parses a time control: the seconds for a match and, after a plus sign, the seconds that each action adds.
pub(crate) fn read_clock(text: &str) -> Result<TimeControl, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (read_seconds(base.trim()), read_seconds(increment.trim())) {
        (Ok(base), Ok(increment)) if base > Duration::ZERO => Ok(TimeControl { base, increment }),
        _ => Err("seconds for a match and seconds for each action are needed, such as 60+0.5: the first number must be above 0".to_owned()),
    }
}

/// Parses the number of matches between every two players. The number must be even.
pub(crate) fn read_matches(text: &str) -> Result<u64, String> {
    let matches: u64 = text.parse().map_err(|_| {
        format!("the number of matches is not a whole number: use an even number from 2 to {MOST_MATCHES}")
    })?;
    if matches == 0 || !matches.is_multiple_of(2) || matches > MOST_MATCHES {
        return Err(format!(
            "the number of matches must be an even number from 2 to {MOST_MATCHES}, because every deal is played twice, with exchanged seats"
        ));
    }
    Ok(matches)
}

/// Maximum number of matches between every two players of an arena.
const MOST_MATCHES: u64 = 2 * ArenaOptions::MAX_PAIRS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_a_name_and_a_command() {
        let program = ProgramArg::parse("mine=python3 'my bot.py' --list=1,2").unwrap();
        assert_eq!(program.name, "mine");
        assert_eq!(program.command, ["python3", "my bot.py", "--list=1,2"]);
        for text in ["mine", "=x", "mine=", "mine='open", "perfect=x", "level:3=x", "a b=x", "é=x"]
        {
            assert!(ProgramArg::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_number_of_matches_is_even() {
        assert_eq!(read_matches("2"), Ok(2));
        for text in ["0", "1", "7", "-2", "x", "", "100000002"] {
            assert!(read_matches(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_is_a_time_and_an_increment() {
        let control = |base, increment| {
            let [base, increment] = [base, increment].map(Duration::from_millis);
            Ok(TimeControl { base, increment })
        };
        assert_eq!(read_clock("60+0.5"), control(60_000, 500));
        assert_eq!(read_clock("0.2"), control(200, 0));
        for text in ["", "+", "0+1", "60+", "+1", "1+2+3", "-1+2", "x", "nan+1"] {
            assert!(read_clock(text).is_err(), "{text}");
        }
        assert_eq!(read_clock("60+0.5").unwrap().to_string(), "60+0.5");
    }

    #[test]
    fn an_sprt_is_two_elo_differences() {
        assert!(read_sprt("0,10").is_ok() && read_sprt(" -5 , 0.5").is_ok());
        for text in ["", "0", "0,", "5,5", "5,0", "0,nan", "0,1,2"] {
            assert!(read_sprt(text).is_err(), "{text}");
        }
    }
}
