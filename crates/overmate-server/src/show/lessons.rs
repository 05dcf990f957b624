//! Converts tutorial lessons to their JSON type, with all positions that the learner can reach.

use overmate_json::Perspective;
use overmate_rules::{Action, Game, Seat, Viewer};

use crate::error::ApiError;
use crate::lessons::{self, LessonScript, Part, ScriptStep};
use crate::wire;

/// Converts a tutorial lesson to its JSON type.
pub(crate) fn lesson(lesson: &LessonScript) -> Result<wire::Lesson, ApiError> {
    let parts: Result<_, _> = lesson.parts.iter().map(|it| part(it, &lesson.rules)).collect();
    Ok(wire::Lesson { id: lesson.id.clone(), rules: lesson.rules.clone(), parts: parts? })
}

fn part(part: &Part, rules: &str) -> Result<wire::LessonPart, ApiError> {
    let game = part.game(rules)?;
    let learner = game.to_act().unwrap_or(Seat::First);
    // If the start position of a lesson part lies between a lead and its answer, the shown actions begin with this lead.
    let start = game.actions().len() - usize::from(game.position().lead().is_some());
    let mut states = States { learner, start, shown: Vec::new() };
    states.decision(&game, &part.steps)?;
    Ok(wire::LessonPart {
        position: part.position.clone(),
        learner: learner.into(),
        states: states.shown,
    })
}

/// Game states of one part of a tutorial lesson, already converted to their JSON type.
struct States {
    learner: Seat,
    /// Number of actions that precede the first shown move of the lesson part. These actions are invented to reach the
    /// start position, and are not shown.
    start: usize,
    shown: Vec<wire::LessonState>,
}

impl States {
    /// Adds the game state at a decision of the learner, and all later game states, to a part of a tutorial lesson. Returns the index of
    /// the state before the decision.
    fn decision(&mut self, game: &Game, steps: &[ScriptStep]) -> Result<usize, ApiError> {
        let index = self.add(game, !steps.is_empty());
        let Some((step, later)) = steps.split_first() else { return Ok(index) };
        let rules = game.rules();
        let mut choices = Vec::new();
        for action in game.legal_actions() {
            let text = overmate_json::action(rules, action);
            let (right, then) = step.after(&text);
            let then = lessons::actions(rules, then)?;
            let next = self.script(&played(game, action)?, &then, right.then_some(later))?;
            let value = step.values.get(&text).copied();
            choices.push(wire::LessonChoice { action: text, right, value, next });
        }
        self.shown[index].choices = choices;
        Ok(index)
    }

    /// Adds the game state before each action in `then`, and all game states after these actions, to a part of a tutorial lesson. Returns
    /// the index of the first state.
    fn script(
        &mut self,
        game: &Game,
        then: &[Action],
        steps: Option<&[ScriptStep]>,
    ) -> Result<usize, ApiError> {
        let Some((action, then)) = then.split_first() else {
            return self.decision(game, steps.unwrap_or_default());
        };
        let index = self.add(game, false);
        let next = self.script(&played(game, *action)?, then, steps)?;
        let action = overmate_json::action(game.rules(), *action);
        self.shown[index].choices =
            vec![wire::LessonChoice { action, right: true, value: None, next }];
        Ok(index)
    }

    /// Makes all of the opponent's cards candidates for the opponent's face-down card in a tutorial lesson. The earlier actions are
    /// invented, so that they exclude no card.
    fn widen_candidates(&self, state: &mut wire::GameState) {
        let (foreplaced, hand) = match self.learner {
            Seat::First => (&mut state.foreplaced.second, &state.hands.second),
            Seat::Second => (&mut state.foreplaced.first, &state.hands.first),
        };
        let has_played = state.steps.iter().any(|step| step.seat != self.learner.into());
        if foreplaced.kind == wire::ForeplacedKind::FaceDown && !has_played {
            foreplaced.candidates.clone_from(hand);
        }
    }

    /// Adds the state of a game to a part of a tutorial lesson. The state lists the legal actions only if the learner is to decide. Returns
    /// the index of the state.
    fn add(&mut self, game: &Game, decides: bool) -> usize {
        let perspective = Perspective::Of(Viewer::Seat(self.learner));
        let mut state = wire::GameState::of_game(game, 0, wire::PlayerWire::A, perspective);
        // A state of a lesson shows only the actions of the latest move. The actions before the start position are invented, and are not
        // shown.
        state.deal = None;
        state.dealt = None;
        state.steps.drain(..self.start);
        let present = state.steps.last().and_then(|step| step.move_number);
        state.steps.retain(|step| present.is_some() && step.move_number == present);
        self.widen_candidates(&mut state);
        if !decides {
            state.legal.clear();
            state.not_legal.clear();
        }
        self.shown.push(wire::LessonState { game: state, decides, choices: Vec::new() });
        self.shown.len() - 1
    }
}

fn played(game: &Game, action: Action) -> Result<Game, ApiError> {
    game.clone().play(action).map_err(|error| ApiError::internal(error.illegal))
}
