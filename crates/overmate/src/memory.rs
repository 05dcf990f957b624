//! Checks that enough memory is free for a large computation.

use anyhow::{Result, bail};
use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};

/// Number of bytes in a megabyte.
pub(crate) const MB: u64 = 1_000_000;

/// Returns an error if less than `needed` bytes of memory are free. A system short of memory would kill the program without a
/// message.
pub(crate) fn check(needed: u64) -> Result<()> {
    compare(needed, free())
}

/// Returns the free memory in bytes, or `None` if the operating system does not report the free memory.
fn free() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    let machine = (system.total_memory() > 0).then(|| system.available_memory());
    machine.into_iter().chain(free_in_container(&mut system)).min()
}

/// Returns the remaining memory of this process's container in bytes, or `None` if the container
/// has no memory limit.
///
/// File caches count as free, because the operating system can release them.
fn free_in_container(system: &mut System) -> Option<u64> {
    let own = sysinfo::get_current_pid().ok()?;
    let update = ProcessesToUpdate::Some(&[own]);
    system.refresh_processes_specifics(update, false, ProcessRefreshKind::nothing());
    let limits = system.process(own).and_then(sysinfo::Process::cgroup_limits);
    let limits = limits.or_else(|| system.cgroup_limits())?;
    Some(limits.total_memory.saturating_sub(limits.rss))
}

fn compare(needed: u64, free: Option<u64>) -> Result<()> {
    if let Some(free) = free
        && free < needed
    {
        bail!(
            "the computation needs {} MB of memory, but only {} MB are free: close other programs, or use a machine with more memory",
            needed.div_ceil(MB),
            free / MB
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_free_memory_is_an_error() {
        assert!(compare(1_000, Some(1_000)).is_ok());
        assert!(compare(u64::MAX, None).is_ok());
        let error = compare(1_068_000_001, Some(1_067_999_999)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the computation needs 1069 MB of memory, but only 1067 MB are free: close other programs, or use a machine with more memory"
        );
    }

    #[test]
    fn free_memory_of_this_machine_is_positive() {
        // Other operating systems may withhold the number.
        assert!(free().map_or(!cfg!(target_os = "linux"), |free| free > 0));
    }
}
