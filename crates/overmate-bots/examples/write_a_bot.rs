//! Implements a bot that looks one action ahead for a mate, and plays a game between this bot and the bot of level 1.

use overmate_bots::{Bot, BuiltIn, Choice, Forfeit, Standing, Thought, Turn};
use overmate_rules::{Action, BySeat, Deal, Game, RuleSet, Seat, Viewer};
use overmate_solver::Budget;

/// Bot that gives mate if a lead gives mate, and otherwise takes its first legal action.
struct Hunter;

impl Bot for Hunter {
    fn name(&self) -> String {
        "hunter".to_owned()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let forfeit = |why: &str| Forfeit { who: "hunter".to_owned(), why: why.to_owned() };
        // This bot plays only games without a face-down card, in which the view shows the whole game.
        let game = turn.view.imagine(BySeat::default()).ok_or_else(|| {
            forfeit("a card lies face down, but this bot plays only with open cards")
        })?;
        let is_mate =
            |action: &Action| game.clone().play(*action).is_ok_and(|game| game.outcome().is_some());
        if let Some(action) = turn.view.legal_actions().find(is_mate) {
            return Ok(Choice { action, thought: Thought::because("it ends the game") });
        }
        let first = turn.view.legal_actions().next();
        let action = first.ok_or_else(|| forfeit("no action is legal"))?;
        Ok(Choice { action, thought: Thought::because("it is the first legal action") })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("bga")?.shared();
    let mut game = Game::new(Deal::numbered(&rules, 20_010)?);
    let mut bots: BySeat<Box<dyn Bot>> =
        BySeat { first: Box::new(Hunter), second: "level:1".parse::<BuiltIn>()?.seeded(1) };
    let budget = Budget::unlimited();
    while let Some(seat) = game.to_act() {
        let view = game.view(Viewer::Seat(seat));
        let choice = bots[seat].choose(&Turn::new(&view, Standing::of_one_game(), &budget))?;
        game = game.play(choice.action)?;
    }
    let points = game.outcome().map_or(0, |outcome| outcome.points_for_first());
    println!("{game}\n{} points for {}", points, bots[Seat::First].name());
    Ok(())
}
