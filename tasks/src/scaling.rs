//! Implements `cargo xtask scaling`, which computes the servers, databases and memory that given numbers of players need.

use clap::Args;

/// Number of seconds in a day.
const DAY: f64 = 86_400.0;

/// Assumptions about the behaviour of players, and measured costs of their actions on servers and databases.
#[derive(Args)]
pub(crate) struct Scaling {
    /// Numbers of players for which the needed servers, databases and memory are computed
    #[arg(long, value_delimiter = ',', default_values_t = [1e4, 1e6, 1e8])]
    players: Vec<f64>,
    /// Share of the players who play on one day, 0 to 1
    #[arg(long, default_value_t = 0.1)]
    active: f64,
    /// Number of matches that an active player plays in a day
    #[arg(long, default_value_t = 3.0)]
    matches: f64,
    /// Share of the matches against another person, 0 to 1; all other matches are against a computer opponent
    #[arg(long, default_value_t = 0.5)]
    people: f64,
    /// Number of log entries (actions and other events) of a match
    #[arg(long, default_value_t = 80.0)]
    entries: f64,
    /// Duration of a match in minutes
    #[arg(long, default_value_t = 20.0)]
    minutes: f64,
    /// Load at the busiest moment of a day, as a multiple of the day's mean load
    #[arg(long, default_value_t = 3.0)]
    peak: f64,
    /// Processor time that a server needs for an action of a player, in milliseconds
    #[arg(long, default_value_t = 0.45)]
    action_ms: f64,
    /// Processor time that a server needs for an action of a computer opponent, in milliseconds
    #[arg(long, default_value_t = 10.0)]
    computer_ms: f64,
    /// Number of log entries that one PostgreSQL server can commit in a second
    #[arg(long, default_value_t = 1_000.0)]
    appends: f64,
    /// Size in bytes of a log entry in PostgreSQL with its indexes
    #[arg(long, default_value_t = 300.0)]
    entry_bytes: f64,
    /// Size in bytes of a finished match in PostgreSQL, with its log folded into one row and with indexes
    #[arg(long, default_value_t = 1_400.0)]
    folded_bytes: f64,
    /// Number of days after the end of a match until its log is folded into one row
    #[arg(long, default_value_t = 30.0)]
    fold_days: f64,
    /// Memory of a live connection in kilobytes
    #[arg(long, default_value_t = 6.5)]
    connection_kb: f64,
}

/// Servers, databases and memory that a given number of players needs.
#[derive(Debug, PartialEq)]
struct Demand {
    /// Number of matches that the players begin per day.
    matches: f64,
    /// Peak number of live connections.
    connections: f64,
    /// Peak memory of all live connections, in gigabytes.
    connection_gb: f64,
    /// Peak number of log entries that the servers write per second.
    appends: f64,
    /// Peak number of processors that all servers together need.
    processors: f64,
    /// Number of PostgreSQL servers that the peak rate of log entries requires.
    databases: f64,
    /// Total size, in gigabytes, of all match logs that still have a row for each entry.
    open_gb: f64,
    /// Growth of the match logs that are folded (packed) into one row each, in gigabytes per year.
    folded_gb: f64,
}

impl Scaling {
    fn demand(&self, players: f64) -> Demand {
        // A match between two people is among the daily matches of both players, so that the sum over all players counts the match twice.
        let matches = players * self.active * self.matches / (1.0 + self.people);
        let persons = 1.0 + self.people;
        // Little's law: the number of matches in progress is the rate at which matches begin, times the duration of a match.
        let running = matches / DAY * self.minutes * 60.0 * self.peak;
        let appends = matches * self.entries / DAY * self.peak;
        let by_computer = appends * (1.0 - self.people) / 2.0;
        let milliseconds = appends * self.action_ms + by_computer * self.computer_ms;
        let connections = running * persons;
        Demand {
            matches,
            connections,
            connection_gb: connections * self.connection_kb / 1e6,
            appends,
            processors: (milliseconds / 1e3).ceil(),
            databases: (appends / self.appends).ceil(),
            open_gb: matches * self.fold_days * self.entries * self.entry_bytes / 1e9,
            folded_gb: matches * 365.0 * self.folded_bytes / 1e9,
        }
    }

    /// Prints the servers, databases and memory that each number of players needs, as a table in Markdown.
    pub(crate) fn print(&self) {
        let demands: Vec<Demand> =
            self.players.iter().map(|players| self.demand(*players)).collect();
        let row = |what: &str, value: &dyn Fn(&Demand) -> f64| {
            let values = demands.iter().map(|demand| format!(" {} |", rounded(value(demand))));
            println!("| {what} |{}", values.collect::<String>());
        };
        let heads = self.players.iter().map(|players| format!(" {} |", rounded(*players)));
        println!("| players |{}", heads.collect::<String>());
        println!("|---|{}", "--:|".repeat(demands.len()));
        row("matches in a day", &|demand| demand.matches);
        row("live connections at the busiest moment", &|demand| demand.connections);
        row("memory of these connections, GB", &|demand| demand.connection_gb);
        row("appends a second at the busiest moment", &|demand| demand.appends);
        row("processors of all servers", &|demand| demand.processors);
        row("PostgreSQL servers for the appends", &|demand| demand.databases);
        row("logs that are not folded, GB", &|demand| demand.open_gb);
        row("folded logs of a year, GB", &|demand| demand.folded_gb);
    }
}

/// Formats a number with two significant digits, and separates groups of three digits.
fn rounded(number: f64) -> String {
    if number < 10.0 && number.fract() == 0.0 {
        return format!("{number:.0}");
    }
    // The exponent of the rounded number comes from the scientific notation of `number` with two digits.
    let scientific = format!("{number:.1e}");
    let exponent = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok());
    let exponent: i32 = exponent.unwrap_or_default();
    if let Ok(places @ 1..) = usize::try_from(1 - exponent) {
        return format!("{number:.places$}");
    }
    let unit = 10_f64.powi(exponent - 1);
    let digits = format!("{:.0}", (number / unit).round() * unit);
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        scaling: Scaling,
    }

    #[test]
    fn the_demand_follows_from_the_assumptions() {
        let arguments = "x --active 0.5 --matches 2 --people 0.25 --entries 100 --minutes 24 --peak 2 --action-ms 1 --computer-ms 8 --appends 10 \
            --entry-bytes 200 --folded-bytes 1000 --fold-days 10 --connection-kb 10";
        let command = Command::parse_from(arguments.split_whitespace());
        let found = command.scaling.demand(108_000.0);
        // The 108,000 players begin 86,400 matches in a day, which is one match in each second.
        let expected = Demand {
            matches: 86_400.0,
            connections: 3_600.0,
            connection_gb: 0.036,
            appends: 200.0,
            processors: 1.0,
            databases: 20.0,
            open_gb: 17.28,
            folded_gb: 31.536,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn numbers_have_two_significant_digits() {
        let numbers = [0.0, 0.0362, 1.0, 16.0, 463.0, 5_555.0, 1e8, 99.6].map(rounded);
        assert_eq!(numbers, ["0", "0.036", "1", "16", "460", "5,600", "100,000,000", "100"]);
    }
}
