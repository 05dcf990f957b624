//! Plays one match between two bots, from the first action to the result.

use std::sync::atomic::{AtomicBool, Ordering};

use overmate_bots::{Bot, Choice, Forfeit, Standing, Turn};
use overmate_rules::{ByPlayer, Match, Player, View, Viewer};
use overmate_solver::Budget;

/// Finished match: the final state and, after a forfeit, the forfeiting player and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMatch {
    /// Final state of the match. A forfeit is stored as a resignation of the player who forfeited.
    pub state: Match,
    /// Player (A or B) whose bot forfeited the match, with the forfeit's reason, or `None` without a forfeit.
    pub forfeit: Option<(Player, Forfeit)>,
}

impl PlayedMatch {
    /// Returns the finished match after the player `by` has forfeited the unfinished match `state`.
    #[must_use]
    pub fn forfeited(state: Match, by: Player, forfeit: Forfeit) -> Self {
        let state = match state.resign(by) {
            Ok(resigned) => resigned,
            Err(error) => *error.unchanged,
        };
        Self { state, forfeit: Some((by, forfeit)) }
    }
}

/// Plays a match between two bots to its end. Returns `None` if another thread set the flag `stop`
/// before the end.
///
/// The budget applies to each action. A bot that fails or chooses an illegal action forfeits the
/// match.
#[must_use]
pub fn play_match(
    mut state: Match,
    bots: &mut ByPlayer<Box<dyn Bot>>,
    budget: &Budget,
    stop: &AtomicBool,
) -> Option<PlayedMatch> {
    while let Some(player) = state.to_act() {
        let index = state.current_index();
        let chosen = choose(&state, player, &mut *bots[player], budget);
        // The choice of a bot that was stopped during its search is discarded.
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let played = match chosen {
            Ok(choice) => state.play(choice.action).map_err(|error| {
                let action = error.unchanged.rules().action_text(choice.action).to_string();
                let who = bots[player].name();
                let why = format!("the bot's action `{action}` is not legal: {}", error.illegal);
                (error.unchanged, Forfeit { who, why })
            }),
            Err(forfeit) => Err((Box::new(state), forfeit)),
        };
        match played {
            Ok(next) => state = next,
            Err((unchanged, forfeit)) => {
                let played = PlayedMatch::forfeited(*unchanged, player, forfeit);
                tell_game_over(&played.state, index, bots);
                return Some(played);
            }
        }
        if state.current_index() > index || state.to_act().is_none() {
            tell_game_over(&state, index, bots);
        }
    }
    Some(PlayedMatch { state, forfeit: None })
}

/// Asks a bot for its action in the current game of the match.
fn choose(
    state: &Match,
    player: Player,
    bot: &mut dyn Bot,
    budget: &Budget,
) -> Result<Choice, Forfeit> {
    let view = view_of(state, state.current_index(), player);
    bot.choose(&Turn::new(&view, Standing::of(state, player), budget))
}

/// Returns a player's view of a game, given the index of the game from 0.
fn view_of(state: &Match, index: usize, player: Player) -> View {
    state.games()[index].view(Viewer::Seat(Match::seat(index, player)))
}

/// Shows each bot an ended game, as seen by the player (A or B) for whom the bot plays.
fn tell_game_over(state: &Match, index: usize, bots: &mut ByPlayer<Box<dyn Bot>>) {
    for player in Player::BOTH {
        bots[player].game_over(&view_of(state, index, player));
    }
}
