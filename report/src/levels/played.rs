//! Plays matches between computer opponents in the arena, for rule sets without exact score distributions.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use overmate_arena::{Arena, ArenaOptions, Entrant, MatchId, Observer, PlayedMatch};
use overmate_bots::{BotSpec, ExactPlayer};
use overmate_rules::{Player, RuleSet};
use overmate_solver::Budget;

use super::pairing::{Pair, names, players_by_strength};
use super::random::Random;
use super::{NODES, SEED};

/// Plays match pairs (two matches on the same deals with exchanged seats) between two computer opponents on one thread. Returns, for each
/// match pair, the stronger opponent's margin as player A and as player B.
pub(super) fn play(rules: &Arc<RuleSet>, pair: Pair, pairs: u64) -> Result<Vec<[i32; 2]>> {
    let players_by_strength = players_by_strength();
    let players = [pair.0, pair.1].map(|place| entrant(players_by_strength[place]));
    let options = ArenaOptions::default()
        .with_pairs(pairs)
        .with_seed(SEED)
        .with_threads(1)
        .with_budget(Budget::unlimited().with_nodes(NODES));
    let arena = Arena::new(Arc::clone(rules), players.into(), options)?;
    let played: Mutex<BTreeMap<u64, [i32; 2]>> = Mutex::default();
    let keep = |id: MatchId, played_match: &PlayedMatch| {
        let stronger = if id.players.a == 0 { Player::A } else { Player::B };
        let totals = played_match.state.totals();
        let mut played = played.lock().unwrap_or_else(PoisonError::into_inner);
        let pair = played.entry(id.pair).or_default();
        pair[usize::from(stronger == Player::B)] = totals[stronger] - totals[!stronger];
        ControlFlow::Continue(())
    };
    let watch = Observer::default().on_played(&keep);
    let results = arena.run([], &watch)?;
    let [strong, weak] = names(pair);
    if let Some(forfeit) = results.iter().flat_map(|result| &result.reported_forfeits).next() {
        bail!("{} forfeited a match of {strong} and {weak}: {}", forfeit.by, forfeit.why);
    }
    eprintln!("{}: {} matches of {strong} and {weak}", rules.name(), 2 * pairs);
    let played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(played.into_values().collect())
}

fn entrant(player: ExactPlayer) -> Arc<dyn Entrant> {
    match player {
        ExactPlayer::Random => Arc::new(Random),
        ExactPlayer::BuiltIn(built_in) => Arc::new(BotSpec::BuiltIn(built_in)),
    }
}
