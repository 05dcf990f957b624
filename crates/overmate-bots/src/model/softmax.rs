//! Implements softmax choice among options, which converts points to probabilities.
//!
//! Logit quantal response (McKelvey and Palfrey, "Quantal Response Equilibria for Normal Form Games", 1995): the
//! probability of an option is proportional to `exp(points / temperature)`. Losses above a cutoff get probability 0, so
//! that no level blunders beyond the cutoff.

use std::vec::IntoIter;

use rand_core::Rng;

/// Largest loss of points at which an option still has a positive softmax probability, as a multiple of the softmax temperature. The loss
/// is measured against the best option.
pub(crate) const CUTOFF: f64 = 5.0;

/// Returns whether an option has a positive softmax probability. `loss` is the number of points
/// that the option loses compared with the best option.
pub(crate) fn is_accepted(loss: f64, temperature: f64) -> bool {
    loss <= CUTOFF * temperature
}

/// Points of each option, such as an action, for the player who chooses an option.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OptionPoints<T>(Vec<(T, f64)>);

impl<T> OptionPoints<T> {
    /// Returns the points that an option, such as an action, brings to the player who chooses. Returns `None` for an option that is not in
    /// the list of options.
    pub(crate) fn of(&self, option: &T) -> Option<f64>
    where
        T: PartialEq,
    {
        self.0.iter().find(|(other, _)| other == option).map(|(_, points)| *points)
    }

    /// Returns the points of the best option, such as a player's best action, or negative infinity if there are no options.
    pub(crate) fn most(&self) -> f64 {
        self.0.iter().map(|(_, points)| *points).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Iterates over the options of a choice, such as a player's actions, each with its points.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &(T, f64)> {
        self.0.iter()
    }

    /// Keeps only the options that fulfil a condition.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&(T, f64)) -> bool) {
        self.0.retain(keep);
    }

    /// Returns the softmax probabilities of the options for a temperature in points. Options beyond the [`CUTOFF`] are removed.
    pub(crate) fn softmax(self, temperature: f64) -> Distribution<T> {
        let most = self.most();
        let Self(mut options) = self;
        options.retain(|(_, points)| is_accepted(most - points, temperature));
        let mut sum = 0.0;
        for (_, number) in &mut options {
            *number = ((*number - most) / temperature).exp();
            sum += *number;
        }
        for (_, number) in &mut options {
            *number /= sum;
        }
        Distribution(options)
    }
}

impl<T> FromIterator<(T, f64)> for OptionPoints<T> {
    fn from_iter<I: IntoIterator<Item = (T, f64)>>(options: I) -> Self {
        Self(options.into_iter().collect())
    }
}

/// Softmax over integer points, with a table of its exponential function.
pub(crate) struct IntegerSoftmax {
    /// Values of `exp(-loss / temperature)`, indexed by the loss in points up to the [`CUTOFF`].
    weights: Vec<f64>,
}

impl IntegerSoftmax {
    /// Creates the softmax for a temperature in points.
    pub(crate) fn new(temperature: f64) -> Self {
        let losses = (0..).map(f64::from).take_while(|loss| is_accepted(*loss, temperature));
        Self { weights: losses.map(|loss| (-loss / temperature).exp()).collect() }
    }

    /// Writes the softmax probabilities of options into the list `shares`, given the points of each option or `None` for an option without
    /// probability. The result is the same as that of [`OptionPoints::softmax`].
    pub(crate) fn write(
        &self,
        points: impl Iterator<Item = Option<i16>> + Clone,
        shares: &mut Vec<f64>,
    ) {
        let most = points.clone().flatten().max().unwrap_or_default();
        let weight = |points: i16| {
            let loss = usize::from(most.abs_diff(points));
            self.weights.get(loss).copied().unwrap_or_default()
        };
        shares.clear();
        shares.extend(points.map(|points| points.map_or(0.0, weight)));
        let sum: f64 = shares.iter().sum();
        for share in shares {
            *share /= sum;
        }
    }
}

/// Probability of each option of a random choice, such as the actions of a bot, 0 to 1. All probabilities sum to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution<T>(Vec<(T, f64)>);

impl<T> Distribution<T> {
    /// Returns the uniform distribution over the given options.
    pub(crate) fn uniform(options: impl IntoIterator<Item = T>) -> Self {
        let mut options: Vec<(T, f64)> = options.into_iter().map(|option| (option, 1.0)).collect();
        #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
        let probability = 1.0 / options.len() as f64;
        for (_, number) in &mut options {
            *number = probability;
        }
        Self(options)
    }

    /// Returns a distribution with probability 1 for the given option. The distribution is empty for `None`.
    pub(crate) fn certain(option: Option<T>) -> Self {
        Self(option.into_iter().map(|option| (option, 1.0)).collect())
    }

    /// Returns the probability of an option, or 0 if the distribution lacks the option.
    #[must_use]
    pub fn probability_of(&self, option: &T) -> f64
    where
        T: PartialEq,
    {
        let found = self.0.iter().find(|(other, _)| other == option);
        found.map_or(0.0, |(_, probability)| *probability)
    }

    /// Draws an option at random. Returns `None` if the distribution has no options.
    pub fn draw(&self, random: &mut impl Rng) -> Option<T>
    where
        T: Copy,
    {
        #[allow(clippy::cast_precision_loss, reason = "a float holds 53 bits exactly")]
        let fraction = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        self.at(fraction)
    }

    /// Returns the option at which the sum of the probabilities first exceeds `fraction`, or the last option if no sum does. Returns
    /// `None` if the distribution has no options.
    pub(crate) fn at(&self, fraction: f64) -> Option<T>
    where
        T: Copy,
    {
        let mut rest = fraction;
        let reaches = |(_, probability): &&(T, f64)| {
            rest -= probability;
            rest < 0.0
        };
        self.0.iter().find(reaches).or(self.0.last()).map(|(option, _)| *option)
    }

    /// Iterates over the options and their probabilities.
    pub fn iter(&self) -> impl Iterator<Item = &(T, f64)> {
        self.0.iter()
    }
}

impl<T> FromIterator<(T, f64)> for Distribution<T> {
    fn from_iter<I: IntoIterator<Item = (T, f64)>>(options: I) -> Self {
        Self(options.into_iter().collect())
    }
}

impl<T> IntoIterator for Distribution<T> {
    type Item = (T, f64);
    type IntoIter = IntoIter<(T, f64)>;

    fn into_iter(self) -> IntoIter<(T, f64)> {
        self.0.into_iter()
    }
}
