//! Sets the scheduling priorities and time slices of the server's threads.

/// Nice value (scheduling priority) of the threads for expensive searches and password hashes. If
/// other threads are busy, these threads get about a tenth of the processor time.
#[cfg(target_os = "linux")]
const LOW_PRIORITY: i32 = 10;

/// Time slice, in nanoseconds, of the threads that answer requests. Linux grants no shorter time slice.
#[cfg(target_os = "linux")]
const SHORT_SLICE: u64 = 100_000;

/// Time slice value that makes Linux choose the default time slice of a thread, typically some milliseconds.
#[cfg(target_os = "linux")]
const USUAL_SLICE: u64 = 0;

/// Asks the Linux scheduler for short time slices for the calling thread and for all threads that this thread starts. On a busy machine
/// these threads then run soon after they wake up.
///
/// The scheduler of Linux runs the thread next whose slice ends earliest, among the threads that have not used up their share (EEVDF,
/// Stoica and Abdel-Wahab 1995). The share of a thread does not depend on its slice. Linux before 6.12 and other systems
/// ignore the request.
///
/// Call this function before the threads of the server start.
pub fn prefer_short_waits() {
    #[cfg(target_os = "linux")]
    if let Err(error) = schedule(0, SHORT_SLICE) {
        tracing::debug!(%error, "the time slices of the server cannot be shortened");
    }
}

/// Lowers the scheduling priority of the calling thread on Linux, and restores the thread's default time slice.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = schedule(LOW_PRIORITY, USUAL_SLICE) {
        tracing::debug!(%error, "the priority and the time slice of a thread cannot be changed");
    }
}

/// Adds `increment` to the nice value (scheduling priority) of the calling thread, and sets the thread's time slice in nanoseconds.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "no crate offers this system call: the block states why it is sound")]
fn schedule(increment: i32, slice: u64) -> std::io::Result<()> {
    let attributes = libc::sched_attr {
        size: u32::try_from(size_of::<libc::sched_attr>()).expect("the size is below 100"),
        sched_policy: 0,
        sched_flags: u64::from(libc::SCHED_FLAG_KEEP_POLICY.unsigned_abs()),
        sched_nice: rustix::process::nice(increment)?,
        sched_priority: 0,
        sched_runtime: slice,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the kernel only reads the structure, whose first field holds its size. The number 0 names the calling thread.
    let result = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    if result == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::read_to_string;
    use std::thread;

    use super::*;

    /// Returns the nice value (scheduling priority) of the calling thread, and its time slice in nanoseconds if Linux reports it.
    fn scheduled() -> (i32, Option<u64>) {
        let report = read_to_string("/proc/thread-self/sched").unwrap_or_default();
        let slice = report.lines().find_map(|line| line.strip_prefix("se.slice"));
        let slice = slice.and_then(|rest| rest.trim_start_matches([' ', ':']).parse().ok());
        (rustix::process::nice(0).expect("a nice value"), slice)
    }

    /// Returns whether Linux lets a thread choose its time slice. Earlier versions of Linux ignore the choice, and some sandboxes
    /// refuse it.
    fn has_slices() -> bool {
        let release = read_to_string("/proc/sys/kernel/osrelease").expect("the release of Linux");
        let mut numbers = release.split('.').map(|number| number.parse().unwrap_or(0));
        let is_new = (numbers.next(), numbers.next()) >= (Some(6), Some(12));
        is_new && schedule(0, USUAL_SLICE).is_ok()
    }

    #[test]
    fn threads_inherit_short_slices_and_long_searches_give_them_up() {
        let (nice, usual) = scheduled();
        let short = if has_slices() { usual.map(|_| SHORT_SLICE) } else { usual };
        let search = move || {
            assert_eq!(scheduled(), (nice, short));
            lower_priority();
            assert_eq!(scheduled(), ((nice + LOW_PRIORITY).min(19), usual));
        };
        let server = move || {
            prefer_short_waits();
            assert_eq!(scheduled(), (nice, short));
            thread::spawn(search).join().unwrap();
        };

        thread::spawn(server).join().unwrap();

        assert_eq!(scheduled(), (nice, usual));
    }
}
