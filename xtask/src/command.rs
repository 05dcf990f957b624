//! Runs external programs, and the tasks of `cargo xtask` that the package `tasks` implements. Reports a failed
//! command in the form of a shell command line.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::repository::Repository;

/// Name prefixes of the environment variables in which cargo describes the package of the running program.
const OF_THIS_PACKAGE: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];

/// Returns a cargo command that runs in the repository's top folder. Its environment lacks the variables in which cargo describes the
/// package of the running program.
pub fn cargo<S: AsRef<OsStr>>(
    repository: &Repository,
    args: impl IntoIterator<Item = S>,
) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).current_dir(repository.root());
    // Removes the environment variables that describe this program's package. A cargo command from a shell does not have these variables.
    // A build script that reads one of the variables, such as the build script of `ring`, would run again at each change between the two
    // kinds of commands, and cargo would build all dependent packages again.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if OF_THIS_PACKAGE.iter().any(|beginning| name.starts_with(beginning)) {
            command.env_remove(&*name);
        }
    }
    command
}

/// Prints a command, and runs the command with its output on the terminal.
///
/// # Errors
///
/// Returns an error with the command if the command fails.
pub fn run(command: &mut Command) -> Result<()> {
    eprintln!("$ {}", shown(command));
    let status =
        command.status().with_context(|| format!("cannot run the command `{}`", shown(command)))?;
    if !status.success() {
        bail!("the command `{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Returns a command that runs a task of the package `tasks` in the current folder. `args` are arguments of `cargo xtask`.
pub fn task<S: AsRef<OsStr>>(
    repository: &Repository,
    args: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = cargo(repository, ["run", "--quiet", "--manifest-path"]);
    command.arg(repository.path("tasks/Cargo.toml")).arg("--");
    // The task of the package `tasks` runs in the current folder, because relative paths in the task's arguments start there.
    command.args(args).current_dir(".");
    command
}

/// Returns a command that runs another command at the lowest scheduling priority on Unix systems.
#[must_use]
pub fn at_low_priority(command: &Command) -> Command {
    let program = command.get_program();
    let mut low = Command::new(if cfg!(unix) { OsStr::new("nice") } else { program });
    if cfg!(unix) {
        low.args(["-n", "19"]).arg(program);
    }
    low.args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        low.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => low.env(name, value),
            None => low.env_remove(name),
        };
    }
    low
}

/// Replaces this process by a program. The program then handles Ctrl-C, the terminal and the exit code itself.
///
/// # Errors
///
/// Returns an error if the program does not start.
#[cfg(unix)]
pub fn hand_over(mut program: Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    let error = program.exec();
    Err(error).with_context(|| format!("cannot run the command `{}`", shown(&program)))
}

/// Runs a program to its end, and returns its exit code.
///
/// # Errors
///
/// Returns an error if the program does not start.
#[cfg(not(unix))]
pub fn hand_over(mut program: Command) -> Result<ExitCode> {
    let code = program.status()?.code().unwrap_or(1);
    Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)))
}

/// Formats a command as a shell command line: environment variables, program name without its folder, and arguments.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let variables = command
        .get_envs()
        .filter_map(|(key, value)| Some((key.to_string_lossy(), value?.to_string_lossy())))
        .map(|(key, value)| format!("{key}={}", quoted(&value)));
    let words =
        std::iter::once(name).chain(command.get_args()).map(|word| quoted(&word.to_string_lossy()));
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    #[test]
    fn a_command_is_shown_as_text_for_a_shell() {
        let mut command = Command::new("/anywhere/cargo");
        command.args(["test", "--bench", "*"]).env("RUSTDOCFLAGS", "-D warnings");

        assert_eq!(shown(&command), "RUSTDOCFLAGS='-D warnings' cargo test --bench '*'");
    }

    #[test]
    fn a_task_runs_in_the_current_folder_with_the_manifest_of_the_repository() {
        let repository = Repository::at(Path::new("/overmate"));
        let task = task(&repository, ["solved", "--data", "here"]);

        let command =
            "cargo run --quiet --manifest-path /overmate/tasks/Cargo.toml -- solved --data here";
        assert!(shown(&task).ends_with(command), "{}", shown(&task));
        assert_eq!(task.get_current_dir(), Some(Path::new(".")));
    }

    #[cfg(unix)]
    #[test]
    fn a_command_of_low_priority_keeps_its_arguments_folder_and_environment() {
        let mut command = Command::new("npm");
        command.args(["run", "build"]).current_dir("web").env("A", "1").env_remove("B");

        let low = at_low_priority(&command);

        assert_eq!(shown(&low), "A=1 nice -n 19 npm run build");
        assert_eq!(low.get_current_dir(), Some(Path::new("web")));
        assert!(low.get_envs().eq(command.get_envs()));
    }

    #[test]
    fn the_error_of_a_failing_command_names_the_command() {
        let repository = Repository::at(Path::new("."));

        let mut command = cargo(&repository, ["no-such-command"]);
        let error = run(command.stderr(Stdio::null())).unwrap_err().to_string();

        assert!(error.contains("cargo no-such-command` failed"), "{error}");
    }
}
