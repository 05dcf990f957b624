//! Measures the processor time and the resident memory of a process.

use crate::client::Fault;

/// Returns the processor time, in seconds, that a process has used since its start.
pub(crate) fn busy(process: u32) -> Result<f64, Fault> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The fields follow the name, which may hold any character: the state is field 3, the times are fields 14 and 15.
    let (_, fields) = text.rsplit_once(')').ok_or("no fields")?;
    let times: Vec<f64> =
        fields.split_whitespace().skip(11).take(2).filter_map(|time| time.parse().ok()).collect();
    // Linux gives both times in hundredths of a second.
    Ok(times.iter().sum::<f64>() / 100.0)
}

/// Returns the resident memory of a process, in bytes.
pub(crate) fn memory(process: u32) -> Result<f64, Fault> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: f64 =
        line.and_then(|line| line.split_whitespace().next()).ok_or("no VmRSS")?.parse()?;
    Ok(kilobytes * 1_024.0)
}
