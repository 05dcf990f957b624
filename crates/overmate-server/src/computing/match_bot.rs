//! Shows the games of a match to the bot that plays as one of the players, and asks the bot for its actions.

use overmate_bots::{Bot, Choice, Forfeit, Standing, Turn};
use overmate_rules::{Match, Player, View, Viewer};
use overmate_solver::Budget;

/// Bot that plays as one player in one match.
pub(crate) struct MatchBot {
    player: Player,
    bot: Box<dyn Bot>,
    /// Number of finished games of the match that the bot has seen.
    shown: usize,
}

impl MatchBot {
    pub(crate) fn new(player: Player, bot: Box<dyn Bot>) -> Self {
        Self { player, bot, shown: 0 }
    }

    /// Makes the bot choose an action in the current position of the match, within a search budget.
    pub(crate) fn choose(&mut self, play: &Match, budget: &Budget) -> Result<Choice, Forfeit> {
        let current = play.current_index();
        self.show(play, current);
        let view = self.view(play, current);
        let standing = Standing::of(play, self.player);
        self.bot.choose(&Turn::new(&view, standing, budget))
    }

    /// Shows the bot the last game of a finished match.
    pub(crate) fn finish(&mut self, play: &Match) {
        if play.current().outcome().is_some() {
            self.show(play, play.current_index() + 1);
        }
    }

    /// Shows the bot the finished games with an index below `before` that the bot has not seen yet.
    fn show(&mut self, play: &Match, before: usize) {
        for index in self.shown..before {
            self.bot.game_over(&self.view(play, index));
        }
        self.shown = self.shown.max(before);
    }

    fn view(&self, play: &Match, index: usize) -> View {
        play.games()[index].view(Viewer::Seat(Match::seat(index, self.player)))
    }
}
