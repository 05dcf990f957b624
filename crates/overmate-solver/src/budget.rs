//! Defines limits on the nodes, time, memory and threads of a search, and a meter that counts the used nodes and time.

use core::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Search budget: limits on nodes, time, memory and threads, with a cancel flag.
///
/// A search without a limit runs to its end, which for 48 cards may take practically forever.
/// Positions of at most 20 cards are solved in milliseconds under every budget.
///
/// ```
/// use overmate_solver::Budget;
/// let budget = Budget::unlimited().with_nodes(10_000);
/// assert!(budget.is_limited());
/// assert_eq!(budget.start().nodes_left(), Some(10_000));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Budget {
    nodes: Option<u64>,
    time: Option<Duration>,
    stop: Option<Arc<AtomicBool>>,
    tally: Option<Arc<AtomicU64>>,
    resources: Resources,
}

/// Limits on the memory and threads of a search, which stay constant during the search.
#[derive(Clone, Copy, Debug)]
struct Resources {
    memory: u64,
    threads: usize,
}

impl Default for Resources {
    fn default() -> Self {
        Self { memory: Budget::MEMORY, threads: 1 }
    }
}

impl Budget {
    /// Default memory limit of retrograde analysis, in bytes (512 MB). This memory is enough for nearly all Pinochle positions with 17
    /// cards in each hand.
    pub const MEMORY: u64 = 512_000_000;

    /// Maximum number of threads that the command line and the Python package accept. Usual machines have fewer processors.
    pub const MAX_THREADS: u16 = 1024;

    /// Returns a budget without limits on nodes and time, and with the default memory limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Limits the number of nodes of a search. Unlike a time limit, a node limit gives reproducible
    /// results.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Limits the time of a search, measured from [`start`](Self::start).
    ///
    /// WebAssembly has no clock, so a time limit panics there. A node limit works everywhere.
    ///
    /// ```
    /// use core::time::Duration;
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// use overmate_solver::{Budget, Solver};
    /// let rules = RuleSet::named("bga+pinochle")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 12_345_678)?);
    /// let budget = Budget::unlimited().with_time(Duration::from_millis(20));
    /// let value = Solver::new().value(game.position(), &budget);
    /// assert_eq!(value.exact(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Adds a cancel flag to the budget. Another thread can set the flag to stop the search soon.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use overmate_solver::Budget;
    /// let stop = Arc::new(AtomicBool::new(false));
    /// let mut meter = Budget::unlimited().with_stop(stop.clone()).start();
    /// assert!(meter.spend().is_ok());
    /// stop.store(true, Ordering::Relaxed);
    /// assert!((0..2_000).any(|_| meter.spend().is_err()));
    /// ```
    #[must_use]
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Returns the budget with the node counter `tally`, to which several searches may add their visited nodes. The counter is only for
    /// tests and measurements, because counting is slow.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use overmate_solver::Budget;
    /// let tally = Arc::new(AtomicU64::new(0));
    /// let budget = Budget::unlimited().with_tally(tally.clone());
    /// for mut meter in [budget.start(), budget.start()] {
    ///     meter.spend()?;
    /// }
    /// assert_eq!(tally.load(Ordering::Relaxed), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_tally(self, tally: Arc<AtomicU64>) -> Self {
        Self { tally: Some(tally), ..self }
    }

    /// Returns a copy of the budget without the shared node counter.
    #[must_use]
    pub fn untallied(&self) -> Self {
        Self { tally: None, ..self.clone() }
    }

    /// Sets the memory limit of retrograde analysis in bytes, in place of [`MEMORY`](Self::MEMORY). More memory solves
    /// earlier positions of large decks.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Self { resources: Resources { memory: bytes, ..self.resources }, ..self }
    }

    /// Sets the number of threads of retrograde analysis, where 0 counts as 1. An alpha-beta search always uses one
    /// thread. Without a time limit, no result depends on the number of threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { resources: Resources { threads: threads.max(1), ..self.resources }, ..self }
    }

    /// Returns whether the budget limits the nodes or the time. The cancel flag is not a limit, as it may never be
    /// set.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.time.is_some()
    }

    /// Returns whether the cancel flag is set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Starts the clock of a search, and returns a meter that counts nodes and time against the
    /// limits of the budget.
    #[must_use]
    pub fn start(&self) -> Meter {
        // A deadline beyond the range of the clock counts as no time limit.
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Meter {
            nodes_left: self.nodes,
            deadline,
            stop: self.stop.clone(),
            tally: self.tally.clone(),
            resources: self.resources,
            until_check: 0,
            spent: 0,
        }
    }
}

/// Error: a search has exhausted its budget or was cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BudgetExhausted;

impl fmt::Display for BudgetExhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search ended without a result: its budget was used up, or the search was cancelled")
    }
}

impl core::error::Error for BudgetExhausted {}

/// Record of the nodes and the time that a search may still spend from its [`Budget`].
///
/// ```
/// use overmate_solver::Budget;
/// let mut meter = Budget::unlimited().with_nodes(2).start();
/// assert!(meter.spend().is_ok());
/// assert_eq!(meter.nodes_left(), Some(1));
/// assert!((0..2).any(|_| meter.spend().is_err()));
/// ```
#[derive(Clone, Debug)]
pub struct Meter {
    nodes_left: Option<u64>,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    tally: Option<Arc<AtomicU64>>,
    resources: Resources,
    /// Number of nodes that a search may visit before the next check of the clock and the cancel flag.
    until_check: u32,
    spent: u64,
}

impl Meter {
    /// Counts a visited node, and fails if the budget is exhausted or the search is cancelled.
    ///
    /// # Errors
    ///
    /// Returns [`BudgetExhausted`] if no node or no time is left, or the cancel flag is set.
    #[inline]
    pub fn spend(&mut self) -> Result<(), BudgetExhausted> {
        if let Some(left) = &mut self.nodes_left {
            *left = left.checked_sub(1).ok_or(BudgetExhausted)?;
        }
        self.spent += 1;
        if let Some(less) = self.until_check.checked_sub(1) {
            self.until_check = less;
            return Ok(());
        }
        // With a shared node counter, `check` sets `until_check` to 0, so that every node reaches this line. Without a counter, nodes
        // between two checks cost no test for a counter.
        if let Some(tally) = &self.tally {
            tally.fetch_add(1, Ordering::Relaxed);
        }
        self.check()
    }

    /// Counts `nodes` visited nodes, as equally many calls of [`spend`](Self::spend) would, up to the first that fails.
    ///
    /// # Errors
    ///
    /// Returns [`BudgetExhausted`] if the nodes or the time do not suffice, or the cancel flag is set.
    ///
    /// ```
    /// use overmate_solver::Budget;
    /// let mut meter = Budget::unlimited().with_nodes(3000).start();
    /// assert!(meter.spend_each(2999).is_ok());
    /// assert_eq!(meter.nodes_left(), Some(1));
    /// assert!(meter.spend_each(2).is_err());
    /// assert_eq!(meter.nodes_left(), Some(0));
    /// ```
    pub fn spend_each(&mut self, nodes: u64) -> Result<(), BudgetExhausted> {
        let mut left = nodes;
        while left > 0 {
            // These nodes need no check.
            let free = left.min(self.until_check.into()).min(self.nodes_left.unwrap_or(u64::MAX));
            self.take(free);
            self.until_check -= u32::try_from(free).unwrap_or(self.until_check);
            left -= free;
            if left > 0 {
                self.spend()?;
                left -= 1;
            }
        }
        Ok(())
    }

    /// Spends `nodes` nodes of the budget on work other than a search. Fails and spends nothing if the remaining budget is too small.
    ///
    /// # Errors
    ///
    /// Returns [`BudgetExhausted`] if fewer than `nodes` nodes or no time is left, or if the cancel flag is set.
    ///
    /// ```
    /// use overmate_solver::Budget;
    /// let mut meter = Budget::unlimited().with_nodes(100).start();
    /// assert!(meter.spend_all(101).is_err());
    /// assert!(meter.spend_all(40).is_ok());
    /// assert_eq!(meter.nodes_left(), Some(60));
    /// ```
    pub fn spend_all(&mut self, nodes: u64) -> Result<(), BudgetExhausted> {
        self.check()?;
        if self.nodes_left.is_some_and(|left| left < nodes) {
            return Err(BudgetExhausted);
        }
        self.pay(nodes);
        Ok(())
    }

    /// Spends `nodes` nodes of the budget, even if fewer nodes remain in the budget. The remaining number of nodes does not fall below
    /// zero.
    pub(crate) fn pay(&mut self, nodes: u64) {
        self.take(nodes);
        if let Some(tally) = &self.tally {
            tally.fetch_add(nodes, Ordering::Relaxed);
        }
    }

    /// Returns an error if the budget is exhausted or the search is cancelled. Unlike [`spend`](Self::spend), this function spends no node.
    pub(crate) fn check(&mut self) -> Result<(), BudgetExhausted> {
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let is_over = stopped || late || self.nodes_left == Some(0);
        // A meter that has failed once fails again at the next node.
        self.until_check = if is_over || self.tally.is_some() { 0 } else { 1023 };
        if is_over { Err(BudgetExhausted) } else { Ok(()) }
    }

    /// Returns the remaining number of nodes, or `None` without a node limit.
    #[must_use]
    pub fn nodes_left(&self) -> Option<u64> {
        self.nodes_left
    }

    /// Returns the remaining time, or `None` without a time limit.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Returns the memory limit of retrograde analysis in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.resources.memory
    }

    /// Returns the maximum number of threads for retrograde analysis.
    pub(crate) fn threads(&self) -> usize {
        self.resources.threads
    }

    /// Returns the number of nodes counted so far, including the nodes used inside [`with_part`](Self::with_part) and
    /// [`with_node_limit`](Self::with_node_limit).
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// Runs the function `attempt` with the fraction 1/`parts` of a meter's remaining nodes and time, and charges the used nodes to the
    /// meter.
    ///
    /// ```
    /// use overmate_solver::Budget;
    /// let mut meter = Budget::unlimited().with_nodes(100).start();
    /// let spent = meter.with_part(4, |part| (0..).take_while(|_| part.spend().is_ok()).count());
    /// assert!(spent <= 25);
    /// assert_eq!(meter.nodes_left(), Some(75));
    /// ```
    pub fn with_part<T>(&mut self, parts: usize, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let parts = parts.max(1);
        let nodes_left = self.nodes_left.map(|left| left / parts as u64);
        let deadline = self.deadline.map(|deadline| {
            let now = Instant::now();
            let left = deadline.saturating_duration_since(now);
            now + left / u32::try_from(parts).unwrap_or(u32::MAX)
        });
        self.charge(Self { nodes_left, deadline, ..self.clone() }, attempt)
    }

    /// Runs the function `attempt` with at most `nodes` of a meter's remaining nodes, and charges the used nodes to the meter.
    pub fn with_node_limit<T>(&mut self, nodes: u64, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let nodes_left = Some(self.nodes_left.map_or(nodes, |left| left.min(nodes)));
        self.charge(Self { nodes_left, ..self.clone() }, attempt)
    }

    /// Runs the function `attempt` with the meter `part`, and then charges `self` with the nodes that `attempt` used.
    fn charge<T>(&mut self, mut part: Self, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let before = part.spent;
        let result = attempt(&mut part);
        self.take(part.spent - before);
        result
    }

    fn take(&mut self, nodes: u64) {
        self.spent += nodes;
        if let Some(left) = &mut self.nodes_left {
            *left = left.saturating_sub(nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_nodes_are_spent_as_one_after_the_other() {
        let limits = [None, Some(0), Some(1), Some(1024), Some(1025), Some(2049), Some(5000)];
        for (limit, is_counted) in
            limits.into_iter().flat_map(|limit| [(limit, false), (limit, true)])
        {
            let start = || {
                let tally = is_counted.then(Arc::default);
                Meter { nodes_left: limit, tally, ..Budget::unlimited().start() }
            };
            for parts in [[1, 0, 3], [1023, 1, 1], [700, 700, 4000], [1024, 1025, 2]] {
                let (mut at_once, mut singly) = (start(), start());
                for nodes in parts {
                    let failed = (0..nodes).any(|_| singly.spend().is_err());
                    assert_eq!(at_once.spend_each(nodes).is_err(), failed, "{limit:?} {parts:?}");
                    let state = |meter: &Meter| {
                        let tally = meter.tally.as_ref().map(|tally| tally.load(Ordering::Relaxed));
                        (meter.nodes_left, meter.until_check, meter.spent, tally)
                    };
                    assert_eq!(state(&at_once), state(&singly), "{limit:?} {parts:?}");
                }
            }
        }
    }
}
