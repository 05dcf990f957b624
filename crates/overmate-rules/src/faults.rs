//! Defines the error type that lists all faults found in a deal, a position or a rule set.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// Trait for error types that describe a single fault. The trait defines the separator for a list of such faults.
pub trait Fault: Error {
    /// Separator between the faults in the message of a [`Faults`] list.
    const SEPARATOR: &'static str = "; ";
}

/// Non-empty list of all faults found in a deal, a position or a rule set.
///
/// ```
/// use overmate_rules::{DealFault, RuleSet};
/// let rules = RuleSet::named("sackson")?.shared();
/// let faults = rules.read_deal("Ac / Tc")?.validate(&rules).unwrap_err();
/// assert!(matches!(faults.0[0], DealFault::WrongCount { .. }));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults<F>(pub Vec<F>);

impl<F: Fault> fmt::Display for Faults<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { F::SEPARATOR })?;
        }
        Ok(())
    }
}

impl<F: Fault> Error for Faults<F> {}
