//! Defines command-line options that several commands share, and parses their values.

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueHint};
use overmate_rules::{NameFault, RuleSet};
use overmate_solver::Budget;

use crate::rules_argument::RulesArg;

/// Command-line option that selects the rule set of a command about deals.
#[derive(Args, Debug)]
pub(crate) struct RulesOption {
    /// The rule set: a name such as sackson+double, or a TOML file
    #[arg(
        long,
        value_name = "R",
        value_parser = RulesArg::parse,
        value_hint = ValueHint::FilePath,
        default_value = "sackson"
    )]
    pub(crate) rules: RulesArg,
}

/// Parses the name of a rule set, and returns the name in its canonical form.
pub(super) fn read_rule_set_name(text: &str) -> Result<String, NameFault> {
    RuleSet::named(text).map(|rules| rules.name().to_owned())
}

/// Maximum number of threads that a command-line option accepts, as a signed integer for clap's range check.
pub(super) const MAX_THREADS: i64 = Budget::MAX_THREADS as i64;

/// Error for an invalid value of a setting on the command line, in an environment variable, or in the configuration file. The text says
/// which form the value needs.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Needed(String);

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Needed {}

/// Whole number from `MIN` to `MAX`, both included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within<const MIN: u32, const MAX: u32>(pub(crate) u32);

impl<const MIN: u32, const MAX: u32> FromStr for Within<MIN, MAX> {
    type Err = Needed;

    fn from_str(text: &str) -> Result<Self, Needed> {
        let number = text.parse().ok().filter(|number| (MIN..=MAX).contains(number));
        let needed = || Needed(format!("a whole number from {MIN} to {MAX} is needed"));
        number.map(Self).ok_or_else(needed)
    }
}

/// Duration that the operator of a server sets, given as a number of seconds with or without decimals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seconds(pub(crate) Duration);

impl FromStr for Seconds {
    type Err = Needed;

    fn from_str(text: &str) -> Result<Self, Needed> {
        read_seconds(text).map(Self).map_err(Needed)
    }
}

/// Time limit that the operator of a server sets, given as a number of seconds above 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimit(pub(crate) Duration);

impl FromStr for TimeLimit {
    type Err = Needed;

    fn from_str(text: &str) -> Result<Self, Needed> {
        read_time_limit(text).map(Self).map_err(Needed)
    }
}

/// Parses a number of seconds, with or without decimals.
pub(super) fn read_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds such as 10 or 0.5 is needed".to_owned())
}

/// Parses a time limit: a number of seconds above 0, with or without decimals.
pub(super) fn read_time_limit(text: &str) -> Result<Duration, String> {
    let time = read_seconds(text)?;
    if time.is_zero() {
        return Err("a number of seconds above 0 is needed, such as 10 or 0.5".to_owned());
    }
    Ok(time)
}

/// Validates a listening address, which must have a host and a port, such as `127.0.0.1:2420`.
pub(super) fn read_listen(text: &str) -> Result<String, String> {
    let advice =
        "an address and a port are needed, such as 127.0.0.1:2420, [::1]:2420 or localhost:0";
    let (host, port) = text.rsplit_once(':').ok_or(advice)?;
    let is_bare_ipv6 = host.contains(':') && !(host.starts_with('[') && host.ends_with(']'));
    if host.is_empty() || is_bare_ipv6 || port.parse::<u16>().is_err() {
        return Err(advice.to_owned());
    }
    Ok(text.to_owned())
}

/// Validates a host name, which must have no scheme, port or path. Returns the name in lower case.
pub(super) fn read_host(text: &str) -> Result<String, String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if text.is_empty() || !text.chars().all(is_part) {
        return Err(
            "a host name is needed, such as mate.example, without https:// and without a port"
                .to_owned(),
        );
    }
    Ok(text.trim_end_matches('.').to_ascii_lowercase())
}

/// Validates a web origin, which must have a scheme and a host but no path. Returns the origin in
/// the form that browsers send: in lower case, and without the default port of the scheme.
pub(super) fn read_origin(text: &str) -> Result<String, String> {
    let text = text.to_ascii_lowercase();
    let (host, port) = match text.strip_prefix("https://") {
        Some(host) => (Some(host), ":443"),
        None => (text.strip_prefix("http://"), ":80"),
    };
    match host.map(|host| host.strip_suffix(port).unwrap_or(host)) {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@', ' ']) => {
            Ok(text.strip_suffix(port).unwrap_or(&text).to_owned())
        }
        _ => Err(
            "an origin is needed, such as https://mate.example, without a path and a final slash"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_to_listen_at_has_a_host_and_a_port() {
        for text in ["127.0.0.1:2420", "[::1]:0", "localhost:0", "mate.example:80"] {
            assert_eq!(read_listen(text), Ok(text.to_owned()));
        }
        for text in ["", "localhost", ":80", "::1:80", "localhost:x", "localhost:65536"] {
            assert!(read_listen(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_host_has_no_port_and_an_origin_has_a_scheme() {
        assert_eq!(read_host("Mate.Example."), Ok("mate.example".to_owned()));
        for text in ["", "mate.example:80", "https://mate.example", "mate.example/", "a b"] {
            assert!(read_host(text).is_err(), "{text}");
        }
        assert_eq!(
            read_origin("https://Mate.example:8443"),
            Ok("https://mate.example:8443".to_owned())
        );
        for (text, origin) in [
            ("https://mate.example:443", "https://mate.example"),
            ("http://Mate.example:80", "http://mate.example"),
            ("https://[2001:db8::1]:443", "https://[2001:db8::1]"),
            ("https://mate.example:80", "https://mate.example:80"),
            ("http://mate.example:443", "http://mate.example:443"),
            ("https://mate.example:1443", "https://mate.example:1443"),
        ] {
            assert_eq!(read_origin(text).as_deref(), Ok(origin));
        }
        for text in [
            "",
            "mate.example",
            "https://",
            "https://:443",
            "https://mate.example/",
            "ftp://mate.example",
        ] {
            assert!(read_origin(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seconds_are_finite_and_not_negative() {
        assert_eq!(read_seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "x", "-1", "nan", "inf", "1e300"] {
            assert!(read_seconds(text).is_err(), "{text}");
        }
        assert_eq!(read_seconds("0"), Ok(Duration::ZERO));
    }

    #[test]
    fn a_number_within_limits_includes_both_limits() {
        let accepted = |text: &str| text.parse().map(|Within::<1, 3>(number)| number);
        assert_eq!(accepted("1"), Ok(1));
        assert_eq!(accepted("3"), Ok(3));
        for text in ["0", "4", "-1", "2.0", "", "x"] {
            let needed = Needed("a whole number from 1 to 3 is needed".to_owned());
            assert_eq!(accepted(text), Err(needed), "{text}");
        }
    }

    #[test]
    fn a_time_limit_is_above_zero() {
        assert_eq!(read_time_limit("0.001"), Ok(Duration::from_millis(1)));
        for text in ["0", "0.0", "-0", "1e-12", "x"] {
            assert!(read_time_limit(text).is_err(), "{text}");
        }
    }
}
