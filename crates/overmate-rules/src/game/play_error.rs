//! Defines the error that reports an illegal action.

use alloc::boxed::Box;

use crate::game::illegal::Illegal;

/// Error that reports an illegal action or resignation, and holds the unchanged position, game or match.
///
/// The error returns the unchanged value, so that the caller can continue with it. The reason is
/// [`illegal`](Self::illegal), which is also the [`source`](core::error::Error::source) of the
/// error.
///
/// ```
/// use std::error::Error as _;
/// use overmate_rules::{Deal, Game, Illegal, RuleSet};
/// let rules = RuleSet::named("bga")?.shared();
/// let game = Game::new(Deal::numbered(&rules, 0)?);
/// let error = game.play(rules.read_action("-")?).unwrap_err();
/// assert_eq!(error.illegal, Illegal::NoForeplacing);
/// assert_eq!(error.source().unwrap().to_string(), error.illegal.to_string());
/// let game = *error.unchanged;
/// assert!(game.actions().is_empty());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the action is not legal, and was not played")]
pub struct PlayError<T> {
    /// Unchanged position, game or match from before the illegal action.
    pub unchanged: Box<T>,
    /// Reason why the action is illegal.
    #[source]
    pub illegal: Illegal,
}

impl<T> PlayError<T> {
    pub(crate) fn new(unchanged: T, illegal: Illegal) -> Self {
        Self { unchanged: Box::new(unchanged), illegal }
    }
}
