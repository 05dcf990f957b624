//! Installs programs that the tests need and that are missing on this machine.

use std::fs::File;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command::{output, run};

/// Checks with the command `probe` that a program works, and otherwise installs the program's Debian packages.
///
/// `what` names the program and its purpose for the error; `probe` is a command that succeeds if the program works.
///
/// # Errors
///
/// Returns an error with the command to run if the program is missing and cannot be installed.
pub(crate) fn ensure(what: &str, probe: &mut Command, packages: &[&str]) -> Result<()> {
    // Steps that run side by side must not call the package manager at the same time.
    let lock = File::create(std::env::temp_dir().join("overmate-xtask.lock"))?;
    lock.lock().context("cannot lock the package manager")?;
    if succeeds(probe) {
        return Ok(());
    }
    let manual = format!("this machine lacks {what}: run `apt-get install {}`", packages.join(" "));
    let is_root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let prefix: &[&str] = if is_root { &[] } else { &["sudo", "-n"] };
    if !is_root && !succeeds(Command::new("sudo").args(["-n", "true"])) {
        bail!(manual);
    }
    let apt = |args: &[&str]| {
        let words: Vec<_> = prefix.iter().chain(&["apt-get"]).chain(args).copied().collect();
        let (program, args) = words
            .split_first()
            .context("the command that installs packages has no program name")?;
        run(Command::new(program).args(args))
    };
    // If one package list cannot be refreshed, another list may still have the packages.
    if let Err(error) = apt(&["update"]) {
        eprintln!("{error:#}");
    }
    let install: Vec<_> = ["install", "--yes"].iter().chain(packages).copied().collect();
    apt(&install).context(manual)?;
    if !succeeds(probe) {
        let packages = packages.join(" ");
        bail!("this machine lacks {what}, although the packages {packages} are installed");
    }
    Ok(())
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_program_is_not_installed_again() {
        // The name of the package does not exist, so that an attempt to install the package would fail.
        ensure("a shell", Command::new("sh").args(["-c", "exit 0"]), &["no-such-package"]).unwrap();
    }
}
