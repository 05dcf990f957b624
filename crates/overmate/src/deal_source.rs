//! Supplies the deals of a match: first the deals that the user chose, then random deals.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use overmate_rules::{DealSource, Dealt, RuleSet, SeededDeals};

/// Source of the deals of a match. The source first returns the deals that the user chose, and then random deals.
pub(crate) struct DealSupplier {
    chosen: VecDeque<Dealt>,
    then: Generator,
}

enum Generator {
    System(UnwrapErr<SysRng>),
    // The variant `Seeded` is boxed, because its state is large and the variant `System` has no state.
    Seeded(Box<SeededDeals>),
}

impl DealSupplier {
    /// Returns a source of random deals, generated from a seed. Without a seed the deals come from the operating system's random numbers.
    pub(crate) fn of_seed(seed: Option<u64>) -> Result<Self> {
        let then = if let Some(seed) = seed {
            Generator::Seeded(Box::new(SeededDeals::new(seed)))
        } else {
            // The operating system is asked for a random number once in advance, so that a failure can be reported as an error.
            getrandom::u64()
                .context("the system gives no random numbers: choose the deals with --seed")?;
            Generator::System(UnwrapErr(SysRng))
        };
        Ok(Self { chosen: VecDeque::new(), then })
    }

    /// Returns this source of deals with the user's chosen deals before the random deals.
    pub(crate) fn after(self, chosen: VecDeque<Dealt>) -> Self {
        Self { chosen, ..self }
    }

    /// Returns the next deal that the user chose, or a random deal when no such deal remains.
    pub(crate) fn next(&mut self, rules: &Arc<RuleSet>) -> Dealt {
        self.next_deal(rules)
    }
}

impl DealSource for DealSupplier {
    fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt {
        self.chosen.pop_front().unwrap_or_else(|| match &mut self.then {
            Generator::System(system) => system.next_deal(rules),
            Generator::Seeded(seeded) => seeded.next_deal(rules),
        })
    }
}
