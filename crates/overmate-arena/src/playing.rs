//! One match of two bots, from the first action to the result.

use std::sync::atomic::{AtomicBool, Ordering};

use overmate_rules::{ByPlayer, Match, Player, View, Viewer};
use overmate_solver::Budget;

use overmate_bots::{Bot, Choice, Forfeit, Standing, Turn};

/// A match that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMatch {
    /// The match. One that was forfeited is given up by who did.
    pub contest: Match,
    /// Who forfeited it, and why.
    pub forfeit: Option<(Player, Forfeit)>,
}

impl PlayedMatch {
    /// A match that a player could not go on with; it must not be over.
    #[must_use]
    pub fn forfeited(contest: Match, by: Player, forfeit: Forfeit) -> Self {
        let contest = match contest.resign(by) {
            Ok(resigned) => resigned,
            Err(error) => *error.unchanged,
        };
        Self { contest, forfeit: Some((by, forfeit)) }
    }
}

/// Has two bots play a match to its end; `None` if it was stopped before.
///
/// The budget is for each action. A bot that cannot go on, or whose action is not legal, forfeits the match.
#[must_use]
pub fn play_match(
    mut contest: Match,
    bots: &mut ByPlayer<Box<dyn Bot>>,
    budget: &Budget,
    stop: &AtomicBool,
) -> Option<PlayedMatch> {
    while let Some(player) = contest.to_act() {
        let index = contest.current_index();
        let chosen = choose(&contest, player, &mut *bots[player], budget);
        // What a bot says that was stopped in its thoughts is not its play.
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let played = match chosen {
            Ok(choice) => contest.play(choice.action).map_err(|error| {
                let action = error.unchanged.rules().action_text(choice.action).to_string();
                let who = bots[player].name();
                let why = format!("its action `{action}` is not legal: {}", error.illegal);
                (error.unchanged, Forfeit { who, why })
            }),
            Err(forfeit) => Err((Box::new(contest), forfeit)),
        };
        match played {
            Ok(next) => contest = next,
            Err((unchanged, forfeit)) => {
                let played = PlayedMatch::forfeited(*unchanged, player, forfeit);
                tell_game_over(&played.contest, index, bots);
                return Some(played);
            }
        }
        if contest.current_index() > index || contest.to_act().is_none() {
            tell_game_over(&contest, index, bots);
        }
    }
    Some(PlayedMatch { contest, forfeit: None })
}

fn choose(
    contest: &Match,
    player: Player,
    bot: &mut dyn Bot,
    budget: &Budget,
) -> Result<Choice, Forfeit> {
    let view = view_of(contest, contest.current_index(), player);
    bot.choose(&Turn { view: &view, standing: Standing::of(contest, player), budget })
}

/// The game of this index as a player may know it.
fn view_of(contest: &Match, index: usize, player: Player) -> View {
    contest.games()[index].view(Viewer::Seat(Match::seat(index, player)))
}

fn tell_game_over(contest: &Match, index: usize, bots: &mut ByPlayer<Box<dyn Bot>>) {
    for player in Player::BOTH {
        bots[player].game_over(&view_of(contest, index, player));
    }
}
