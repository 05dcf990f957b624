//! Where deals come from: chosen ones first, then a seed's or the system's.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use overmate_rules::{DealSource, Dealt, RuleSet, SeededDeals};

/// A source of deals.
pub(crate) struct Source {
    chosen: VecDeque<Dealt>,
    then: Generator,
}

enum Generator {
    System(UnwrapErr<SysRng>),
    // Boxed, because its state is large and the other has none.
    Seeded(Box<SeededDeals>),
}

impl Source {
    /// The deals of a seed, or without one those of the system's generator.
    pub(crate) fn of_seed(seed: Option<u64>) -> Result<Self> {
        let then = if let Some(seed) = seed {
            Generator::Seeded(Box::new(SeededDeals::new(seed)))
        } else {
            // Asked once where an error can be told: from then on it does not fail.
            getrandom::u64()
                .context("the system gives no random numbers: choose the deals with --seed")?;
            Generator::System(UnwrapErr(SysRng))
        };
        Ok(Self { chosen: VecDeque::new(), then })
    }

    /// The same, after these deals.
    pub(crate) fn after(self, chosen: VecDeque<Dealt>) -> Self {
        Self { chosen, ..self }
    }

    /// The next deal.
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
