//! Defines the options of `serve` for external programs that play as opponents.

use clap::Args;
use overmate_server::ProgramName;

use super::arena_values::ProgramArg;
use super::values::{Seconds, TimeLimit, Within};

/// Command-line options for external programs that play as opponents.
#[derive(Args, Debug)]
pub(crate) struct ProgramOptions {
    /// Program that players can choose as their opponent, such as `mine="python3 bot.py"`; repeat the option for each program
    ///
    /// The command is split at blanks and quotes as a shell would, but no shell runs it. The program speaks the bot protocol on its
    /// standard input and output, and has the rights of the server: name only programs that you trust. The environment variable
    /// `OVERMATE_PROGRAMS`, with one NAME=COMMAND a line, and the table `programs` in the file of --config have the same meaning.
    #[arg(long = "program", value_name = "NAME=COMMAND", value_parser = ServedProgram::parse)]
    pub(crate) programs: Vec<ServedProgram>,

    /// Maximum number of processes of opponent programs that run at the same time [default: 4]
    ///
    /// The environment variable `OVERMATE_PROGRAM_PROCESSES` and the key `program-processes` in the file of --config have the same
    /// meaning.
    #[arg(long, value_name = "N")]
    pub(crate) program_processes: Option<ProcessCount>,

    /// Time limit for an action of an opponent program, in seconds [default: 10]
    ///
    /// The environment variable `OVERMATE_PROGRAM_TIME` and the key `program-time` in the file of --config have the same meaning.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) program_time: Option<TimeLimit>,

    /// Time without a turn after which the process of an opponent program ends, in seconds [default: 300]
    ///
    /// The environment variable `OVERMATE_PROGRAM_IDLE` and the key `program-idle` in the file of --config have the same meaning.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) program_idle: Option<Seconds>,
}

/// Maximum number of processes of opponent programs that a server may run at the same time.
pub(crate) type ProcessCount = Within<1, 256>;

/// External program that plays as an opponent, given as `NAME=COMMAND`.
#[derive(Clone, Debug)]
pub(crate) struct ServedProgram {
    /// Name under which players choose the program as their opponent.
    pub(crate) name: ProgramName,
    /// Path of the external program, followed by the program's arguments.
    pub(crate) command: Vec<String>,
}

impl ServedProgram {
    /// Parses a string of the form `NAME=COMMAND`, and splits the command by the quoting rules of a shell. No shell runs the command.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let read = |name: &str| name.parse::<ProgramName>().map_err(|fault| fault.to_string());
        // The name is checked first for the server, because the arena accepts other names.
        if let Some((name, _)) = text.split_once('=') {
            read(name)?;
        }
        let ProgramArg { name, command } = ProgramArg::parse(text)?;
        Ok(Self { name: read(&name)?, command })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_without_a_shell() {
        let ServedProgram { name, command } =
            ServedProgram::parse("mine=python3 'my bot.py' $HOME;x").expect("a program");
        assert_eq!(name.to_string(), "mine");
        assert_eq!(command, ["python3", "my bot.py", "$HOME;x"]);
        for text in ["mine", "=bot", "mine=", "a b=bot", "a:b=bot", "perfect=bot", "mine='bot"] {
            assert!(ServedProgram::parse(text).is_err(), "{text}");
        }
        for name in ["a b", "a:b", &"x".repeat(41)] {
            let refused = ServedProgram::parse(&format!("{name}=bot")).expect_err(name);
            assert!(refused.contains("1 to 24"), "{refused}");
        }
    }
}
