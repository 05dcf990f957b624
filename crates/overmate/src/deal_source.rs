//! Source of the deals of a match: deals chosen by the user first, then random ones.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use overmate_rules::{DealSource, Dealt, RuleSet, SeededDeals};

/// Source of deals: a list, and a generator for the deals after it.
pub(crate) struct Source {
    chosen: VecDeque<Dealt>,
    then: Generator,
}

enum Generator {
    System(UnwrapErr<SysRng>),
    // Boxed, because its state is large and that of the other variant is empty.
    Seeded(Box<SeededDeals>),
}

impl Source {
    /// Returns the deals of a seed, or of the system's random numbers without one.
    pub(crate) fn of_seed(seed: Option<u64>) -> Result<Self> {
        let then = if let Some(seed) = seed {
            Generator::Seeded(Box::new(SeededDeals::new(seed)))
        } else {
            // The system's generator is tried here, where an error can be reported; later calls do not fail.
            getrandom::u64()
                .context("the system gives no random numbers: choose the deals with --seed")?;
            Generator::System(UnwrapErr(SysRng))
        };
        Ok(Self { chosen: VecDeque::new(), then })
    }

    /// Puts chosen deals before the generated ones.
    pub(crate) fn after(self, chosen: VecDeque<Dealt>) -> Self {
        Self { chosen, ..self }
    }

    /// Returns the next deal.
    pub(crate) fn next(&mut self, rules: &Arc<RuleSet>) -> Dealt {
        self.next_deal(rules)
    }
}

impl DealSource for Source {
    fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt {
        self.chosen.pop_front().unwrap_or_else(|| match &mut self.then {
            Generator::System(system) => system.next_deal(rules),
            Generator::Seeded(seeded) => seeded.next_deal(rules),
        })
    }
}
