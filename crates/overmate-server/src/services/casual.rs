//! Lists the unrated matches that a profile shows.

use std::collections::HashMap;

use overmate_rules::Player;

use super::blocks::is_visible;
use super::repository::MatchRepository;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::{MatchState, Role};
use crate::rating::match_rating::MatchScore;
use crate::show::ratings::casual_match;
use crate::store::{Account, Holder, Occupant, Results, Selection};
use crate::wire::CasualMatchState;

/// Number of a person's latest finished matches that are searched for unrated matches.
const COUNTED: u32 = 100;

/// Maximum number of unrated matches in a profile.
const LISTED: usize = 20;

/// Unrated matches among a person's latest finished matches, with the numbers of wins, draws and losses.
pub(crate) struct CasualMatches {
    /// Numbers of wins, draws and losses of the person in the unrated matches.
    pub(crate) results: Results,
    /// Latest unrated matches, ordered by end time from new to old.
    pub(crate) latest: Vec<CasualMatchState>,
}

/// Returns the unrated matches of an account, as the person `viewer` may see them. The list leaves out matches in which not every person
/// has acted, matches on shared deals (which have their own pages), and matches that were played offline (which nobody can check). The
/// list also leaves out matches that began before the account was created, because their players had no known account at that time. The
/// replay of long logs counts for the share of the viewer's client in the processors.
pub(super) async fn casual_matches(
    repository: &MatchRepository,
    account: &Account,
    viewer: Option<Holder>,
    (solvers, client): (&SolverPool, Client),
) -> Result<CasualMatches, ApiError> {
    let person = account.person;
    let finished = Selection::Finished { holder: person, limit: COUNTED };
    let mut found = CasualMatches { results: Results::default(), latest: Vec::new() };
    let mut handles: HashMap<[u8; 32], Option<String>> = HashMap::new();
    for state in repository.list_for(finished, solvers, client).await? {
        if state.info().began_at() < account.made_at {
            continue;
        }
        let Some((player, score)) = casual(&state, person) else { continue };
        let one = Results::of(score);
        found.results.wins += one.wins;
        found.results.draws += one.draws;
        found.results.losses += one.losses;
        if found.latest.len() == LISTED {
            continue;
        }
        let totals = state.play().totals();
        let margin = totals[player].saturating_sub(totals[!player]);
        let opponent = match state.seats()[!player].occupant {
            Occupant::Bot(bot, _) => (None, Some(bot.to_string())),
            Occupant::Holder(other) => {
                let handle = match handles.get(&other.0) {
                    Some(known) => known.clone(),
                    None => public_handle(repository, other, viewer).await?,
                };
                handles.insert(other.0, handle.clone());
                (handle, None)
            }
            Occupant::Open | Occupant::Deleted => (None, None),
        };
        let info = state.info();
        let is_own = viewer == Some(person);
        found.latest.push(casual_match(info, (score, margin), opponent, is_own));
    }
    Ok(found)
}

/// Returns a person's role as player A or B in an unrated match, and the match result for that player. Returns `None` for a match that a
/// profile does not show.
fn casual(state: &MatchState, person: Holder) -> Option<(Player, MatchScore)> {
    let Some(Role::Player(player)) = state.role_of(Some(person)) else { return None };
    let info = state.info();
    let counts = !info.rated && !info.is_offline() && info.shared_deal.is_none();
    let result = state.result().filter(|_| counts && state.has_everybody_acted())?;
    Some((player, MatchScore::of(result.winner, player)))
}

/// Returns the handle of a person, or `None` if the viewer may not see a profile of the person.
async fn public_handle(
    repository: &MatchRepository,
    person: Holder,
    viewer: Option<Holder>,
) -> Result<Option<String>, ApiError> {
    let store = repository.store();
    let Some(account) = store.account(person).await? else { return Ok(None) };
    let is_known = account.is_bot || !store.ratings_of(person).await?.is_empty();
    let is_shown = is_known && is_visible(store, &account, viewer).await?;
    Ok(is_shown.then_some(account.handle))
}
