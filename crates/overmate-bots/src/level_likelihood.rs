//! Computes, for each strength level, the likelihood of a player's observed actions.

use overmate_rules::{Action, Position};

use crate::level_policies::LevelPolicies;
use crate::model::parameters::Level;

/// Assumed probability that the bot of a strength level takes a random legal action instead of the action that it has chosen.
///
/// The bot of a level never chooses an action that seems to lose too many points. Without random actions in the model, a
/// single such action would rule out the level, however many other actions fit. All legal actions share the probability equally, so that
/// the likelihoods of the actions sum to 1. The perfect player judges its opponent with a higher minimum, see `perfect/level_belief.rs`.
const SLIP: f64 = 0.02;

/// Log-likelihood of a player's observed actions under each strength level.
///
/// The method [`merge`](Self::merge) adds the observations of several games.
///
/// ```
/// use overmate_bots::{LevelLikelihood, LevelPolicies};
/// use overmate_rules::{Deal, Position, RuleSet};
/// let rules = RuleSet::named("bga")?.shared();
/// let dealt = Deal::numbered(&rules, 20_010)?;
/// let policies = LevelPolicies::new(&dealt)?;
/// let start = Position::start(&dealt);
/// let action = start.legal_actions().next().expect("the deal starts so");
/// let mut likelihood = LevelLikelihood::default();
/// likelihood.observe(&policies, &start, action);
/// assert_eq!(likelihood.decisions(), 1);
/// let total: f64 = likelihood.posterior().iter().map(|(_, probability)| probability).sum();
/// assert!((total - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LevelLikelihood {
    decisions: u32,
    logarithms: [f64; Level::COUNT],
}

impl LevelLikelihood {
    /// Updates the likelihood of each strength level after an observed action.
    ///
    /// The only legal action of a position is no evidence, so that the function ignores it. The function also ignores an illegal action,
    /// and an action in a position that cannot follow from the deal of `policies`.
    pub fn observe(&mut self, policies: &LevelPolicies, position: &Position, action: Action) {
        let legal = position.legal_actions().count();
        if legal < 2 || position.check(action).is_err() {
            return;
        }
        let mut logarithms = self.logarithms;
        for (level, logarithm) in Level::all().zip(&mut logarithms) {
            let Some(likely) = policies.probabilities(level, position) else { return };
            let of_level = likely.probability_of(&action);
            #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
            let of_slip = 1.0 / legal as f64;
            *logarithm += ((1.0 - SLIP) * of_level + SLIP * of_slip).ln();
        }
        self.logarithms = logarithms;
        self.decisions += 1;
    }

    /// Adds the log-likelihood of each strength level in `other`, and the number of decisions in `other`. For example,
    /// `other` comes from another game of the same player.
    pub fn merge(&mut self, other: &Self) {
        self.decisions += other.decisions;
        for (logarithm, more) in self.logarithms.iter_mut().zip(other.logarithms) {
            *logarithm += more;
        }
    }

    /// Returns the number of observed actions in positions with more than one legal action.
    #[must_use]
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// Returns the posterior probability of each strength level, by Bayes' theorem with a uniform prior.
    #[must_use]
    pub fn posterior(&self) -> Vec<(Level, f64)> {
        let most = self.logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = self.logarithms.map(|logarithm| (logarithm - most).exp());
        let sum: f64 = weights.iter().sum();
        Level::all().zip(weights.map(|weight| weight / sum)).collect()
    }
}
