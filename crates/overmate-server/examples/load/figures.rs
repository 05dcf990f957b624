//! Measures the processor time and the resident memory of a process, and summarises lists of durations.

use std::collections::HashMap;
use std::time::Duration;

use crate::client::Fault;

/// Returns the processor time, in seconds, that a process has used since its start.
pub(crate) fn busy(process: u32) -> Result<f64, Fault> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    Ok(Figures::read(&text).ok_or("the file /proc/PID/stat lacks fields")?.own)
}

/// Returns the processor time, in seconds, of a process and all its descendants. Ended descendants are included.
pub(crate) fn busy_with_descendants(process: u32) -> Result<f64, Fault> {
    let mut parents = HashMap::new();
    let mut times = HashMap::new();
    for entry in std::fs::read_dir("/proc")? {
        let Some(id) = entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        // The process may have ended since the list of processes was read.
        let Ok(text) = std::fs::read_to_string(format!("/proc/{id}/stat")) else { continue };
        let figures = Figures::read(&text).ok_or("the file /proc/PID/stat lacks fields")?;
        parents.insert(id, figures.parent);
        times.insert(id, figures.own + figures.of_children);
    }
    let is_descendant = |mut id: u32| {
        while id != process && id != 0 {
            id = parents.get(&id).copied().unwrap_or(0);
        }
        id == process
    };
    Ok(times.iter().filter(|(id, _)| is_descendant(**id)).map(|(_, time)| time).sum())
}

/// Values that the file `/proc/PID/stat` holds for a process.
struct Figures {
    /// Id of the parent process.
    parent: u32,
    /// Processor time of the process, in seconds.
    own: f64,
    /// Processor time of the terminated child processes, in seconds.
    of_children: f64,
}

impl Figures {
    fn read(text: &str) -> Option<Self> {
        // In the file `/proc/PID/stat`, the fields follow the name of the process, which may contain any character. The first
        // field after the name is field 3.
        let (_, fields) = text.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).copied();
        // The Linux file `/proc/PID/stat` gives processor times in hundredths of a second.
        let time = |number| Some(field(number)?.parse::<f64>().ok()? / 100.0);
        Some(Self {
            parent: field(4)?.parse().ok()?,
            own: time(14)? + time(15)?,
            of_children: time(16)? + time(17)?,
        })
    }
}

/// Returns the resident memory of a process, in bytes.
pub(crate) fn memory(process: u32) -> Result<f64, Fault> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: f64 = line
        .and_then(|line| line.split_whitespace().next())
        .ok_or("the file /proc/PID/status lacks the field VmRSS")?
        .parse()?;
    Ok(kilobytes * 1_024.0)
}

/// Returns a given percentile (0 to 100) of some durations, in milliseconds. The given times must be in ascending order.
pub(crate) fn percentile(times: &[Duration], percent: usize) -> f64 {
    let last = times.len().saturating_sub(1);
    times.get(last * percent / 100).copied().unwrap_or_default().as_secs_f64() * 1e3
}

/// Returns the median, the 99th percentile and the maximum of some durations, in milliseconds. The
/// given times must be in ascending order.
pub(crate) fn percentiles(times: &[Duration]) -> String {
    let [median, high, longest] = [50, 99, 100].map(|percent| percentile(times, percent));
    format!("{median:.1}, {high:.1}, {longest:.1} ms")
}
