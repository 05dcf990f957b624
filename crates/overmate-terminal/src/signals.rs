//! Ctrl-C, and a system that ends the program: what is done then, and the code that tells of it.

use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::{Context as _, Result};

/// What a program exits with that Ctrl-C ended, by custom: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

/// What to exit with when the program has been told to end.
static CODE: AtomicU8 = AtomicU8::new(INTERRUPTED);

const CANNOT: &str = "cannot prepare for Ctrl-C";

/// What to exit with when the program was told to end: by Ctrl-C, or by the last signal of the system.
pub fn exit_code() -> u8 {
    CODE.load(Ordering::SeqCst)
}

/// Ends the program as one that was told to.
pub fn exit() -> ! {
    std::process::exit(exit_code().into())
}

/// Has this done whenever the program is told to end, on a thread of its own. Nothing else happens then.
#[cfg(unix)]
pub fn when_told_to_end(mut act: impl FnMut() + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context(CANNOT)?;
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

/// Has this done whenever the program is told to end, on a thread of its own. Nothing else happens then.
#[cfg(not(unix))]
pub fn when_told_to_end(act: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(act).context(CANNOT)
}
