//! Runs the binary `overmate` for the generated documents, with output that is the same on every machine.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;
use xtask::repository::Repository;

use super::markers::OutputRequest;
use crate::command::build_overmate;

/// Binary `overmate` that was built from the workspace.
pub(super) struct Overmate {
    binary: PathBuf,
    root: PathBuf,
}

impl Overmate {
    /// Builds the binary `overmate` in the cargo profile of the tests.
    pub(super) fn build(repository: &Repository) -> Result<Self> {
        let binary = build_overmate(repository)?;
        Ok(Self { binary, root: repository.root().to_owned() })
    }

    /// Returns a new empty home folder in which the commands of one document run.
    pub(super) fn new_home(&self) -> Result<DocumentHome<'_>> {
        let folder = tempfile::tempdir()
            .context("cannot make a temporary home folder for the commands of a document")?;
        Ok(DocumentHome { overmate: self, folder })
    }
}

/// Temporary, initially empty home folder for the binary `overmate`, as on a new machine.
pub(super) struct DocumentHome<'a> {
    overmate: &'a Overmate,
    folder: TempDir,
}

impl DocumentHome<'_> {
    /// Runs a requested command of `overmate`, and returns the command and its output in the form of a terminal session.
    pub(super) fn transcript(&self, request: &OutputRequest) -> Result<String> {
        let words =
            shlex::split(&request.command).context("the command has an unclosed quotation mark")?;
        let Some(("overmate", args)) =
            words.split_first().map(|(name, rest)| (name.as_str(), rest))
        else {
            bail!("the command to run must start with `overmate`");
        };
        let output = self.run(args, request.stdin.as_deref().unwrap_or_default())?;
        let errors = self.portable(&output.stderr)?;
        if output.status.code() != Some(request.exit) {
            bail!(
                "expected exit code {}, but the command ended with {}:
{errors}",
                request.exit,
                output.status
            );
        }
        let mut transcript = format!("$ {}\n{}", request.command, self.portable(&output.stdout)?);
        // The standard error of a successful command is omitted, because its progress messages differ from run to run.
        if request.exit != 0 {
            transcript.push_str(&errors);
        }
        Ok(transcript)
    }

    /// Returns the help text of an `overmate` subcommand. `command` lists the words of the subcommand.
    pub(super) fn help(&self, command: &[String]) -> Result<String> {
        let args: Vec<_> = command.iter().map(String::as_str).chain(["--help"]).collect();
        self.output(&args)
    }

    /// Returns the standard output of an `overmate` command, or an error if the command fails.
    pub(super) fn output(&self, args: &[&str]) -> Result<String> {
        let args: Vec<_> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let output = self.run(&args, "")?;
        if !output.status.success() {
            bail!("the command `overmate {}` failed ({})", args.join(" "), output.status);
        }
        self.portable(&output.stdout)
    }

    fn run(&self, args: &[String], stdin: &str) -> Result<Output> {
        // The command gets its standard input from a file rather than a pipe, so that no thread has to write while the output is read.
        let mut input = tempfile::tempfile()
            .context("cannot make a temporary file for the input of a command")?;
        input.write_all(stdin.as_bytes())?;
        input.rewind()?;
        self.command(args, input)
            .output()
            .with_context(|| format!("cannot run the binary {}", self.overmate.binary.display()))
    }

    fn command(&self, args: &[String], stdin: File) -> Command {
        let home = self.folder.path();
        let expanded = args.iter().map(|arg| match arg.strip_prefix("~/") {
            Some(rest) => home.join(rest).into_os_string(),
            None => arg.into(),
        });
        let mut command = Command::new(&self.overmate.binary);
        command.args(expanded).current_dir(&self.overmate.root).stdin(stdin).env_clear();
        for folder in
            ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]
        {
            command.env(folder, home);
        }
        command.envs([("NO_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", "100"), ("LINES", "40")]);
        command.envs([("LANG", "C.UTF-8"), ("TZ", "UTC")]);
        command
    }

    /// Converts the output of a command to a string, and replaces the path of the temporary home folder by `~`.
    fn portable(&self, text: &[u8]) -> Result<String> {
        let text = std::str::from_utf8(text).context("the output of the binary is not UTF-8")?;
        Ok(text.replace(&self.folder.path().display().to_string(), "~"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Runs a requested command with the shell `/bin/sh` in place of the binary `overmate`, and returns the command and its output.
    fn with_shell(request: &OutputRequest) -> Result<String> {
        let overmate = Overmate { binary: "/bin/sh".into(), root: "/".into() };
        overmate.new_home()?.transcript(request)
    }

    #[test]
    fn a_transcript_has_the_command_and_its_output() {
        let request = OutputRequest {
            command: "overmate -c 'cat; echo \"$HOME $NO_COLOR $0\"; echo note >&2' ~/a".to_owned(),
            stdin: Some("one\n".to_owned()),
            exit: 0,
        };

        let expected = format!("$ {}\none\n~ 1 ~/a\n", request.command);
        assert_eq!(with_shell(&request).unwrap(), expected);
    }

    #[test]
    fn an_unexpected_exit_code_is_an_error() {
        let command = "overmate -c 'echo out; echo wrong >&2; exit 2'".to_owned();
        let expected = format!("$ {command}\nout\nwrong\n");
        let request = |exit| OutputRequest { command: command.clone(), stdin: None, exit };

        assert_eq!(with_shell(&request(2)).unwrap(), expected);
        assert!(with_shell(&request(0)).unwrap_err().to_string().contains("wrong"));
    }

    #[test]
    fn commands_other_than_the_binary_are_refused() {
        let request =
            |command: &str| OutputRequest { command: command.to_owned(), stdin: None, exit: 0 };

        assert!(with_shell(&request("ls /")).is_err());
        assert!(with_shell(&request("overmate 'open")).is_err());
    }
}
