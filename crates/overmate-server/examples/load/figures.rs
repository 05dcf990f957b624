//! What a process takes.

use crate::client::Fault;

/// The memory of a process that is in use, in bytes.
pub(crate) fn memory(process: u32) -> Result<f64, Fault> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: f64 =
        line.and_then(|line| line.split_whitespace().next()).ok_or("no VmRSS")?.parse()?;
    Ok(kilobytes * 1_024.0)
}
