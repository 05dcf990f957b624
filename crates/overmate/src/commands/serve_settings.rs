//! Collects the settings of a server. The sources, in order of precedence, are the options, the environment, a configuration file and the
//! defaults.

use std::error::Error;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use overmate_arena::protocol;
use overmate_server::{MailFrom, MailSettings, Settings, SmtpAddress, is_line_of_refused_words};

use super::config_file::Config;
use super::{database_options, environment};
use crate::cli::{ProgramOptions, Seconds, ServeArgs, ServedProgram, TimeLimit};

/// Name of the environment variable that holds the channel on which servers notify each other of changes.
const EVENTS_VARIABLE: &str = "OVERMATE_EVENTS";

/// Name of the environment variable that holds the public URL of the server.
const PUBLIC_URL_VARIABLE: &str = "OVERMATE_PUBLIC_URL";

/// Name of the environment variable that holds the operator's contact address for push services.
const PUSH_CONTACT_VARIABLE: &str = "OVERMATE_PUSH_CONTACT";

/// Name of the environment variable that holds the address of the SMTP server.
const SMTP_VARIABLE: &str = "OVERMATE_SMTP";

/// Name of the environment variable that holds the sender address of the server's e-mail.
const MAIL_FROM_VARIABLE: &str = "OVERMATE_MAIL_FROM";

/// Name of the environment variable that holds the number of days off that each person has in a calendar year.
const DAYS_OFF_VARIABLE: &str = "OVERMATE_DAYS_OFF";

/// Name of the environment variable that holds the maximum number of rated matches between two given persons within 24 hours.
const RATED_PAIR_VARIABLE: &str = "OVERMATE_RATED_MATCHES_OF_PAIR";

/// Name of the environment variable that holds the programs that play as opponents, one `NAME=COMMAND` a line.
const PROGRAMS_VARIABLE: &str = "OVERMATE_PROGRAMS";

/// Name of the environment variable that holds the maximum number of processes of opponent programs.
const PROGRAM_PROCESSES_VARIABLE: &str = "OVERMATE_PROGRAM_PROCESSES";

/// Name of the environment variable that holds the time limit for an action of an opponent program, in seconds.
const PROGRAM_TIME_VARIABLE: &str = "OVERMATE_PROGRAM_TIME";

/// Name of the environment variable that holds the idle timeout of opponent programs, in seconds.
const PROGRAM_IDLE_VARIABLE: &str = "OVERMATE_PROGRAM_IDLE";

/// Settings of a server whose opponent programs have not started yet.
pub(super) struct ServeSettings {
    /// Settings of the server, without the opponent programs.
    pub(super) settings: Settings,
    /// Programs that the server offers as opponents.
    pub(super) programs: Vec<ServedProgram>,
    /// Time limit for an action of an opponent program.
    pub(super) program_time: Duration,
}

/// Collects the settings of a server from all sources. The configuration file is read once, so that it may be a pipe.
pub(super) fn collect(args: &ServeArgs) -> Result<ServeSettings> {
    let config = Config::chosen(&args.data)?;
    let mut settings = Settings::new(database_options::chosen_database(&args.data, &config)?);
    let smtp = args.smtp.as_deref().map(str::parse).transpose();
    let smtp = smtp.context("the value of the option --smtp is not valid")?;
    let smtp = chosen(smtp, SMTP_VARIABLE, config.smtp)?;
    settings.mail =
        mail(smtp, chosen(args.mail_from.clone(), MAIL_FROM_VARIABLE, config.mail_from)?)?;
    settings.events = chosen(args.events.clone(), EVENTS_VARIABLE, config.events)?;
    settings.public_url = chosen(args.public_url.clone(), PUBLIC_URL_VARIABLE, config.public_url)?;
    settings.push_contact =
        chosen(args.push_contact.clone(), PUSH_CONTACT_VARIABLE, config.push_contact)?;
    settings.role = args.role.into();
    settings.origins.clone_from(&args.origins);
    settings.hosts.clone_from(&args.hosts);
    settings.behind_proxy = args.behind_proxy;
    settings.die_after_commits = args.die_after_commits;
    if let Some(file) = &args.refused_words {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read the list of refused words {}", file.display()))?;
        // Some editors put a byte order mark at the beginning of a file.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if let Some(index) = text.lines().position(|line| !is_line_of_refused_words(line)) {
            bail!(
                "line {} of the list of refused words {} has a `*` at one end only, or no word: write `word` or `*word*`",
                index + 1,
                file.display()
            );
        }
        settings.refused_words = text.lines().map(str::to_owned).collect();
    }
    if args.no_limits {
        settings.limits = settings.limits.lifted();
    }
    let limits = &mut settings.limits;
    if let Some(days) = config.fold_after_days {
        limits.fold_days = (days > 0).then_some(days);
    }
    if let Some(days) = chosen(args.days_off, DAYS_OFF_VARIABLE, config.days_off)? {
        limits.days_off = days.0;
    }
    let rated_matches =
        chosen(args.rated_matches_of_pair, RATED_PAIR_VARIABLE, config.rated_matches_of_pair)?;
    if let Some(number) = rated_matches {
        limits.rated_matches_of_pair = (number > 0).then_some(number);
    }
    let ProgramOptions { programs, program_processes, program_time, program_idle } = &args.programs;
    let processes =
        chosen(*program_processes, PROGRAM_PROCESSES_VARIABLE, config.program_processes)?;
    if let Some(number) = processes {
        limits.program_processes = number.0 as usize;
    }
    if let Some(Seconds(time)) = chosen(*program_idle, PROGRAM_IDLE_VARIABLE, config.program_idle)?
    {
        limits.program_idle_time = time;
    }
    let program_time = chosen(*program_time, PROGRAM_TIME_VARIABLE, config.program_time)?;
    Ok(ServeSettings {
        settings,
        programs: chosen_programs(programs, config.programs)?,
        program_time: program_time.map_or(protocol::ProgramOptions::TIME, |TimeLimit(time)| time),
    })
}

/// Returns the value of a setting: from the option, else from the environment variable, else from the configuration file.
fn chosen<T>(option: Option<T>, variable: &str, of_file: Option<T>) -> Result<Option<T>>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    match option {
        Some(value) => Ok(Some(value)),
        None => Ok(environment::parsed(variable)?.or(of_file)),
    }
}

/// Returns the settings of e-mail from the SMTP server and the sender, or `None` if both are missing.
fn mail(smtp: Option<SmtpAddress>, from: Option<MailFrom>) -> Result<Option<MailSettings>> {
    match (smtp, from) {
        (Some(smtp), Some(from)) => Ok(Some(MailSettings { smtp, from })),
        (None, None) => Ok(None),
        (Some(_), None) => bail!("e-mail needs a sender: set --mail-from, too"),
        (None, Some(_)) => bail!("e-mail needs an SMTP server: set --smtp, too"),
    }
}

/// Returns the opponent programs of the options, else of the environment variable, else of the configuration file.
fn chosen_programs(
    options: &[ServedProgram],
    of_file: Vec<ServedProgram>,
) -> Result<Vec<ServedProgram>> {
    if !options.is_empty() {
        return Ok(options.to_vec());
    }
    let Some(text) = environment::variable(PROGRAMS_VARIABLE)? else { return Ok(of_file) };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let programs = lines.map(|line| ServedProgram::parse(line).map_err(anyhow::Error::msg));
    programs.collect::<Result<_>>().with_context(|| {
        format!("the value of the environment variable {PROGRAMS_VARIABLE} is not valid")
    })
}
