//! The opponent that loses no point to best play.

use overmate_solver::Solver;

use crate::bot::{Bot, Choice, Forfeit, Thought, Turn};

/// Plays what the solver counsels.
pub(crate) struct Perfect {
    solver: Solver,
}

impl Perfect {
    pub(crate) fn new(_seed: u64) -> Self {
        Self { solver: Solver::new() }
    }
}

impl Bot for Perfect {
    fn name(&self) -> String {
        "perfect".to_owned()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let counsel = self
            .solver
            .counsel(turn.view, turn.budget)
            .ok_or_else(|| Forfeit { who: self.name(), why: "it is not its turn".to_owned() })?;
        Ok(Choice { action: counsel.choice, thought: Thought::default() })
    }
}
