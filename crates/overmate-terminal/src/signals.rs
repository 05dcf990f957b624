//! Handles Ctrl-C and termination signals, and terminates the program with the exit code of the signal.

use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::{Context as _, Result};

/// Exit code after Ctrl-C, by convention 128 plus the number 2 of the signal SIGINT.
const INTERRUPTED: u8 = 130;

/// Exit code for the termination signal that the program received last.
static CODE: AtomicU8 = AtomicU8::new(INTERRUPTED);

const CANNOT: &str = "cannot install the handler of Ctrl-C and of termination signals";

/// Returns the exit code for the termination signal that the process received last. Without such a signal, returns the exit code for
/// Ctrl-C.
pub fn exit_code() -> u8 {
    CODE.load(Ordering::SeqCst)
}

/// Terminates the process with the exit code for the termination signal that the process received last.
pub fn exit() -> ! {
    std::process::exit(exit_code().into())
}

/// Returns whether the process ignores SIGHUP, as under `nohup`. Such a process must go on after its terminal closes.
#[cfg(unix)]
#[allow(unsafe_code, reason = "no crate offers this query: the blocks state why they are sound")]
pub fn ignores_hang_up() -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: the null pointer sets no new signal action, so that the call only writes the present signal action to `action`.
    let result = unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: bytes of zeros are a valid signal action, so that `action` is initialised also after an error.
    let action = unsafe { action.assume_init() };
    result == 0 && action.sa_sigaction == libc::SIG_IGN
}

/// Runs the function `act` on a separate thread at each Ctrl-C and each termination signal. SIGHUP counts only if the process does not
/// ignore the signal.
///
/// The handler replaces the default effect of the signal, so that `act` has to end the program.
///
/// # Errors
///
/// Returns an error if the handler cannot be installed.
#[cfg(unix)]
pub fn when_told_to_end(mut act: impl FnMut() + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM]).context(CANNOT)?;
    if !ignores_hang_up() {
        signals.add_signal(SIGHUP).context(CANNOT)?;
    }
    let wait = move || {
        for signal in signals.forever() {
            let code = u8::try_from(128 + signal).unwrap_or(INTERRUPTED);
            CODE.store(code, Ordering::SeqCst);
            act();
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).context(CANNOT)?;
    Ok(())
}

/// Runs the function `act` on a separate thread at each Ctrl-C and each termination request of the operating system.
///
/// The handler replaces the default effect of the request, so that `act` has to end the program.
///
/// # Errors
///
/// Returns an error if the handler cannot be installed.
#[cfg(not(unix))]
pub fn when_told_to_end(act: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(act).context(CANNOT)
}
