//! Starts the programs that `overmate serve` offers as opponents.

use std::collections::HashSet;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use overmate_arena::protocol::{Program, ProgramOptions};
use overmate_arena::{Entrant as _, Seating};
use overmate_bots::{Bot, Forfeit, SharedTables};
use overmate_server::{OfferedProgram, ProgramSeat, ProgramSource};

use crate::cli::ServedProgram;

/// Name prefixes of environment variables that may hold passwords: settings of the server and of its PostgreSQL client. Opponent programs
/// do not receive these variables.
const SECRET: [&str; 2] = ["OVERMATE_", "PG"];

/// Factory that starts an opponent program and returns a bot for one match. Each bot has a separate process, which ends with the bot.
#[derive(Debug)]
struct ServedSource {
    options: ProgramOptions,
}

impl ProgramSource for ServedSource {
    fn enter(&self, seat: &ProgramSeat<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        let options = self.options.clone().with_stop(Arc::clone(seat.stop));
        let seating = Seating {
            rules: seat.rules,
            player: seat.player,
            games: seat.games,
            seed: seat.seed,
            tables: &Arc::new(SharedTables::default()),
        };
        // The returned bot owns the process of its external program. The process runs until the bot is dropped.
        Program::start(options)?.enter(&seating)
    }
}

/// Starts each opponent program once to check its command, and returns the programs for the server to offer. A program
/// that does not start is an error.
pub(crate) fn offered(programs: &[ServedProgram], time: Duration) -> Result<Vec<OfferedProgram>> {
    let is_secret =
        |name: &OsString| SECRET.iter().any(|prefix| name.to_string_lossy().starts_with(prefix));
    let secret: Vec<OsString> =
        std::env::vars_os().map(|(name, _)| name).filter(is_secret).collect();
    let mut names = HashSet::new();
    if let Some(ServedProgram { name, .. }) = programs.iter().find(|one| !names.insert(one.name)) {
        bail!("two programs have the name {name}: choose another name for one of them");
    }
    let start = |ServedProgram { name, command }: &ServedProgram| {
        // A shorter time limit for an action does not apply to the start, because programs that load a model need more time to start.
        let options = ProgramOptions::new(name.as_str(), command.clone())
            .with_time(time)
            .with_greeting(time.max(ProgramOptions::TIME))
            .with_secret_variables(secret.clone());
        Program::start(options.clone())
            .map_err(|forfeit| anyhow::Error::msg(forfeit.why))
            .with_context(|| format!("the program {name} cannot play: correct its command, or start the server without it"))?;
        Ok(OfferedProgram { name: *name, source: Arc::new(ServedSource { options }) })
    };
    programs.iter().map(start).collect()
}
