//! Plays matches between computer opponents in the arena, for rule sets without exact score distributions.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail};
use overmate_arena::{Arena, ArenaOptions, Entrant, MatchId, Observer, Pairings, PlayedMatch};
use overmate_bots::{BotSpec, ExactPlayer};
use overmate_rules::{Player, RuleSet};
use overmate_solver::Budget;

use super::pairing::{Pair, names, players_by_strength};
use super::random::Random;
use super::{NODES, SEED};

/// Margins of the stronger opponent in all match pairs (two matches on the same deals with exchanged seats) of each pair of computer
/// opponents. Each entry has the margin in points as player A and as player B.
pub(super) type Leads = BTreeMap<Pair, Vec<[i32; 2]>>;

/// Plays `count` match pairs between each of the given pairs of computer opponents. All pairs of opponents play a deal at the same time, so
/// that they share the tables of the deal.
pub(super) fn play(rules: &Arc<RuleSet>, pairs: &[Pair], count: u64) -> Result<Leads> {
    let players = players_by_strength().into_iter().map(entrant).collect();
    // The indices of the entrants are those of the opponents, in which the weaker opponent of a pair comes second.
    let pairings = pairs.iter().map(|(strong, weak)| [*weak, *strong]).collect();
    let options = ArenaOptions::default()
        .with_pairs(count)
        .with_pairings(Pairings::Listed(pairings))
        .with_seed(SEED)
        .with_budget(Budget::unlimited().with_nodes(NODES));
    let arena = Arena::new(Arc::clone(rules), players, options)?;
    let played: Mutex<BTreeMap<Pair, BTreeMap<u64, [i32; 2]>>> = Mutex::default();
    let keep = |id: MatchId, played_match: &PlayedMatch| {
        let (a, b) = (id.players.a, id.players.b);
        let stronger = if a > b { Player::A } else { Player::B };
        let totals = played_match.state.totals();
        let mut played = played.lock().unwrap_or_else(PoisonError::into_inner);
        let leads = played.entry((a.max(b), a.min(b))).or_default().entry(id.pair).or_default();
        leads[usize::from(stronger == Player::B)] = totals[stronger] - totals[!stronger];
        ControlFlow::Continue(())
    };
    let progress = |done, total| {
        if done > 0 && (done % 100 == 0 || done == total) {
            eprintln!("{}: {done} of {total} matches", rules.name());
        }
    };
    let results = arena.run([], &Observer::default().on_played(&keep).on_progress(&progress))?;
    for result in results {
        if let Some(forfeit) = result.reported_forfeits.first() {
            let [weak, strong] = result.players;
            let [strong, weak] = names((strong, weak));
            bail!("a player forfeited a match of {strong} and {weak}: {}", forfeit.why);
        }
    }
    let played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(played.into_iter().map(|(pair, leads)| (pair, leads.into_values().collect())).collect())
}

fn entrant(player: ExactPlayer) -> Arc<dyn Entrant> {
    match player {
        ExactPlayer::Random => Arc::new(Random),
        ExactPlayer::BuiltIn(built_in) => Arc::new(BotSpec::BuiltIn(built_in)),
    }
}
