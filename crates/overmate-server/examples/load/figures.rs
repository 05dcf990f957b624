//! Measures the processor time and the resident memory of a process, and summarises times.

use std::collections::HashMap;
use std::time::Duration;

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

/// Returns the processor time, in seconds, that a process and all of its descendants have used, also those that have ended.
pub(crate) fn busy_with_descendants(process: u32) -> Result<f64, Fault> {
    let mut parents = HashMap::new();
    let mut times = HashMap::new();
    for entry in std::fs::read_dir("/proc")? {
        let Some(id) = entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        // A process may have ended meanwhile.
        let Ok(text) = std::fs::read_to_string(format!("/proc/{id}/stat")) else { continue };
        let (_, fields) = text.rsplit_once(')').ok_or("no fields")?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let number = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok());
        parents.insert(id, fields.get(1).and_then(|field| field.parse::<u32>().ok()).unwrap_or(0));
        // Fields 14 to 17: the times of the process, and those of its children that have ended.
        times.insert(id, (11..15).filter_map(number).sum::<f64>() / 100.0);
    }
    let is_descendant = |mut id: u32| {
        while id != process && id != 0 {
            id = parents.get(&id).copied().unwrap_or(0);
        }
        id == process
    };
    Ok(times.iter().filter(|(id, _)| is_descendant(**id)).map(|(_, time)| time).sum())
}

/// Returns the resident memory of a process, in bytes.
pub(crate) fn memory(process: u32) -> Result<f64, Fault> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: f64 =
        line.and_then(|line| line.split_whitespace().next()).ok_or("no VmRSS")?.parse()?;
    Ok(kilobytes * 1_024.0)
}

/// Returns the median, the 99th percentile and the maximum of times in ascending order, in milliseconds.
pub(crate) fn percentiles(times: &[Duration]) -> String {
    let last = times.len().saturating_sub(1);
    let text = |percent: usize| {
        let time = times.get(last * percent / 100).copied().unwrap_or_default();
        format!("{:.1}", time.as_secs_f64() * 1_000.0)
    };
    format!("{}, {}, {} ms", text(50), text(99), text(100))
}
