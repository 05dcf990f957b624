//! Programs that the tests need: where one is missing and may be installed, it is.

use std::fs::File;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command::{output, run};

/// Makes sure that a command works, if need be by installing Debian packages.
///
/// `what` says what is needed and for what; `probe` succeeds where it is there already.
///
/// # Errors
///
/// If it is missing and cannot be installed: the error names the command that installs it.
pub(crate) fn ensure(what: &str, probe: &mut Command, packages: &[&str]) -> Result<()> {
    // Steps that run side by side must not call the package manager at the same time.
    let lock = File::create(std::env::temp_dir().join("overmate-xtask.lock"))?;
    lock.lock().context("cannot lock the package manager")?;
    if succeeds(probe) {
        return Ok(());
    }
    let manual = format!("needed: {what}; to install it: apt-get install {}", packages.join(" "));
    let is_root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let prefix: &[&str] = if is_root { &[] } else { &["sudo", "-n"] };
    if !is_root && !succeeds(Command::new("sudo").args(["-n", "true"])) {
        bail!(manual);
    }
    let apt = |args: &[&str]| {
        let words: Vec<_> = prefix.iter().chain(&["apt-get"]).chain(args).copied().collect();
        let (program, args) = words.split_first().context("never empty")?;
        run(Command::new(program).args(args))
    };
    // One list of packages that cannot be refreshed does not mean that another lacks this one.
    if let Err(error) = apt(&["update"]) {
        eprintln!("{error:#}");
    }
    let install: Vec<_> = ["install", "--yes"].iter().chain(packages).copied().collect();
    apt(&install).context(manual.clone())?;
    if succeeds(probe) { Ok(()) } else { bail!("{manual} (it was, and still does not work)") }
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_works_is_not_installed() {
        // The package does not exist: installing it would fail.
        ensure("a shell", Command::new("sh").args(["-c", "exit 0"]), &["no-such-package"]).unwrap();
    }
}
