//! Running the binary for a document, the same on every machine.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::markers::Request;
use crate::command::build_overmate;
use crate::files::Repository;

/// The binary as built from the workspace.
pub(super) struct Overmate {
    binary: PathBuf,
    root: PathBuf,
}

impl Overmate {
    /// Builds it, with the profile that the tests have already built.
    pub(super) fn build(repository: &Repository) -> Result<Self> {
        let binary = build_overmate(repository)?;
        Ok(Self { binary, root: repository.root().to_owned() })
    }

    /// An empty home, for one document.
    pub(super) fn new_home(&self) -> Result<Home<'_>> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        Ok(Home { overmate: self, folder })
    }
}

/// A home folder in which the binary runs, as on a machine that has never seen it.
pub(super) struct Home<'a> {
    overmate: &'a Overmate,
    folder: TempDir,
}

impl Home<'_> {
    /// What one would see in a terminal: the command and what it prints.
    pub(super) fn transcript(&self, request: &Request) -> Result<String> {
        let words = shlex::split(&request.command).context("the command has an open quote")?;
        let Some(("overmate", args)) =
            words.split_first().map(|(name, rest)| (name.as_str(), rest))
        else {
            bail!("the command to run starts with `overmate`");
        };
        let output = self.run(args, request.stdin.as_deref().unwrap_or_default())?;
        let errors = self.portable(&output.stderr)?;
        if output.status.code() != Some(request.exit) {
            bail!("expected exit code {}, found {}:\n{errors}", request.exit, output.status);
        }
        let mut transcript = format!("$ {}\n{}", request.command, self.portable(&output.stdout)?);
        // A command that succeeds may tell its progress there, which is never the same twice.
        if request.exit != 0 {
            transcript.push_str(&errors);
        }
        Ok(transcript)
    }

    /// The help text of a subcommand, given the words that lead to it.
    pub(super) fn help(&self, command: &[String]) -> Result<String> {
        let args: Vec<_> = command.iter().map(String::as_str).chain(["--help"]).collect();
        self.output(&args)
    }

    /// What a command prints that succeeds.
    pub(super) fn output(&self, args: &[&str]) -> Result<String> {
        let args: Vec<_> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let output = self.run(&args, "")?;
        if !output.status.success() {
            bail!("`overmate {}` failed ({})", args.join(" "), output.status);
        }
        self.portable(&output.stdout)
    }

    fn run(&self, args: &[String], stdin: &str) -> Result<Output> {
        // A file and not a pipe: nothing has to write while something else reads.
        let mut input = tempfile::tempfile().context("cannot make a temporary file")?;
        input.write_all(stdin.as_bytes())?;
        input.rewind()?;
        self.command(args, input)
            .output()
            .with_context(|| format!("cannot run {}", self.overmate.binary.display()))
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

    /// A text without the name of the temporary home.
    fn portable(&self, text: &[u8]) -> Result<String> {
        let text = std::str::from_utf8(text).context("the output is no text")?;
        Ok(text.replace(&self.folder.path().display().to_string(), "~"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Runs a request with the shell in the place of the binary.
    fn with_shell(request: &Request) -> Result<String> {
        let overmate = Overmate { binary: "/bin/sh".into(), root: "/".into() };
        overmate.new_home()?.transcript(request)
    }

    #[test]
    fn a_transcript_has_the_command_and_its_output() {
        let request = Request {
            command: "overmate -c 'cat; echo \"$HOME $NO_COLOR $0\"; echo note >&2' ~/a".to_owned(),
            stdin: Some("one\n".to_owned()),
            exit: 0,
        };

        let expected = format!("$ {}\none\n~ 1 ~/a\n", request.command);
        assert_eq!(with_shell(&request).unwrap(), expected);
    }

    #[test]
    fn an_exit_code_has_to_be_expected() {
        let command = "overmate -c 'echo out; echo wrong >&2; exit 2'".to_owned();
        let expected = format!("$ {command}\nout\nwrong\n");
        let request = |exit| Request { command: command.clone(), stdin: None, exit };

        assert_eq!(with_shell(&request(2)).unwrap(), expected);
        assert!(with_shell(&request(0)).unwrap_err().to_string().contains("wrong"));
    }

    #[test]
    fn only_the_binary_is_run() {
        let request = |command: &str| Request { command: command.to_owned(), stdin: None, exit: 0 };

        assert!(with_shell(&request("ls /")).is_err());
        assert!(with_shell(&request("overmate 'open")).is_err());
    }
}
