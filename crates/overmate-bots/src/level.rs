//! Levels 1 to 9: opponents that see some moves ahead, and judge what lies behind.

use overmate_solver::Solver;

use crate::bot::{Bot, Choice, Forfeit, Thought, Turn};

/// How strong an opponent is, from 1 to 9.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The weakest.
    pub const LOWEST: Self = Self(1);
    /// The strongest.
    pub const HIGHEST: Self = Self(9);

    /// The level of this number, from 1 to 9.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).contains(&number).then_some(Self(number))
    }

    /// All levels, from the weakest to the strongest.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// The number, from 1 to 9.
    #[must_use]
    pub fn get(self) -> u8 {
        self.0
    }
}

/// An opponent of a level.
pub(crate) struct LevelBot {
    level: Level,
    solver: Solver,
}

impl LevelBot {
    pub(crate) fn new(level: Level, _seed: u64) -> Self {
        Self { level, solver: Solver::new() }
    }
}

impl Bot for LevelBot {
    fn name(&self) -> String {
        format!("level:{}", self.level.get())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let counsel = self.solver.counsel(turn.view, turn.budget);
        let action = counsel.map(|counsel| counsel.choice);
        let action = action.or_else(|| turn.view.legal_actions().first().copied());
        let action = action
            .ok_or_else(|| Forfeit { who: self.name(), why: "it is not its turn".to_owned() })?;
        Ok(Choice { action, thought: Thought::default() })
    }
}
