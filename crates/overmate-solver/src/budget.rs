//! How long a search may take, and the flag that stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend. Without a limit it goes on until it is done, which 48 cards may never be.
///
/// Positions of at most 20 cards are solved in milliseconds, whatever the budget is.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    nodes: Option<u64>,
    time: Option<Duration>,
    stop: Option<Arc<AtomicBool>>,
    tally: Option<Arc<AtomicU64>>,
    means: Means,
}

/// What may be used at a time, and is free again afterwards.
#[derive(Clone, Copy, Debug)]
struct Means {
    memory: u64,
    threads: usize,
}

impl Default for Means {
    fn default() -> Self {
        Self { memory: Budget::MEMORY, threads: 1 }
    }
}

impl Budget {
    /// The bytes that may be used if nothing else is said: 512 MB, enough for nearly all positions of a Pinochle deck with 17 cards in each
    /// hand.
    pub const MEMORY: u64 = 512_000_000;

    /// No limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// At most so many positions looked at. Reproducible, unlike a limit of time.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// At most so much time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// A flag that stops the search soon after it is set.
    #[must_use]
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// A number to which every position is added that is looked at on this budget, by whomever and however often it is begun
    /// to be spent. Counting takes its time: it is for tests, and for measuring.
    #[must_use]
    pub fn with_tally(self, tally: Arc<AtomicU64>) -> Self {
        Self { tally: Some(tally), ..self }
    }

    /// The same, for something that the number is not to tell of.
    #[must_use]
    pub fn untallied(&self) -> Self {
        Self { tally: None, ..self.clone() }
    }

    /// At most so many bytes for what is worked out from the end of the game, in place of [`MEMORY`](Self::MEMORY). With more of
    /// them, earlier positions of large decks are solved.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Self { means: Means { memory: bytes, ..self.means }, ..self }
    }

    /// So many threads, and at least one, for what is worked out from the end of the game; a search uses one. No answer depends on it.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { means: Means { threads: threads.max(1), ..self.means }, ..self }
    }

    /// Whether there is a limit of positions or time. The flag is none: nobody may ever set it.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.time.is_some()
    }

    /// An equal part for each of several tasks.
    pub(crate) fn split(&self, tasks: usize) -> Self {
        let tasks = tasks.max(1);
        Self {
            nodes: self.nodes.map(|nodes| nodes / tasks as u64),
            time: self.time.map(|time| time / u32::try_from(tasks).unwrap_or(u32::MAX)),
            stop: self.stop.clone(),
            tally: self.tally.clone(),
            means: self.means,
        }
    }

    /// Begins to spend it.
    #[must_use]
    pub fn start(&self) -> Meter {
        // A time beyond the clock's range is no limit.
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        let (stop, tally) = (self.stop.clone(), self.tally.clone());
        let means = self.means;
        Meter { nodes_left: self.nodes, deadline, stop, tally, means, until_look: 0, spent: 0 }
    }
}

/// A search was stopped, or its budget is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spent;

/// A budget being spent.
#[derive(Clone, Debug)]
pub struct Meter {
    nodes_left: Option<u64>,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    tally: Option<Arc<AtomicU64>>,
    means: Means,
    /// Nodes until the clock and the flag are looked at again: they cost more than a node. None where nodes are counted.
    until_look: u32,
    spent: u64,
}

impl Meter {
    /// Spends one node.
    ///
    /// # Errors
    ///
    /// If nothing is left, or the search is to stop.
    #[inline]
    pub fn spend(&mut self) -> Result<(), Spent> {
        if let Some(left) = &mut self.nodes_left {
            *left = left.checked_sub(1).ok_or(Spent)?;
        }
        self.spent += 1;
        if let Some(less) = self.until_look.checked_sub(1) {
            self.until_look = less;
            return Ok(());
        }
        if let Some(tally) = &self.tally {
            tally.fetch_add(1, Ordering::Relaxed);
        }
        self.look()
    }

    /// Spends so many nodes at once, or what is left.
    pub(crate) fn pay(&mut self, nodes: u64) {
        self.take(nodes);
        if let Some(tally) = &self.tally {
            tally.fetch_add(nodes, Ordering::Relaxed);
        }
    }

    /// Whether anything is left.
    pub(crate) fn look(&mut self) -> Result<(), Spent> {
        self.until_look = if self.tally.is_some() { 0 } else { 1023 };
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if stopped || late || self.nodes_left == Some(0) { Err(Spent) } else { Ok(()) }
    }

    /// Nodes that may still be spent; `None` without a limit of nodes.
    #[must_use]
    pub fn nodes_left(&self) -> Option<u64> {
        self.nodes_left
    }

    /// Time that may still be spent; `None` without a limit of time.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// What is left, as a budget that begins when it is started. What it spends does not count here.
    #[must_use]
    pub fn rest(&self) -> Budget {
        let (stop, tally) = (self.stop.clone(), self.tally.clone());
        Budget { nodes: self.nodes_left, time: self.time_left(), stop, tally, means: self.means }
    }

    /// Bytes that may be used at a time.
    pub(crate) fn memory(&self) -> u64 {
        self.means.memory
    }

    /// How many threads may work at a time.
    pub(crate) fn threads(&self) -> usize {
        self.means.threads
    }

    /// Nodes spent so far, those of settled shares among them.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }

    /// A share of at most so many nodes. What it spends is to be [settled](Self::settle).
    #[must_use]
    pub fn limited(&self, nodes: u64) -> Self {
        let nodes_left = Some(self.nodes_left.map_or(nodes, |left| left.min(nodes)));
        Self { nodes_left, ..self.clone() }
    }

    /// Takes an equal share for one of several tasks that are left. What it spends is to be
    /// [settled](Self::settle).
    #[must_use]
    pub fn share(&mut self, tasks_left: usize) -> Self {
        let tasks = tasks_left.max(1);
        let nodes = self.nodes_left.map(|left| left / tasks as u64);
        let deadline = self.deadline.map(|deadline| {
            let now = Instant::now();
            let left = deadline.saturating_duration_since(now);
            now + left / u32::try_from(tasks).unwrap_or(u32::MAX)
        });
        Self { nodes_left: nodes, deadline, ..self.clone() }
    }

    /// Pays for what a share has spent: it was `before`, and `after` is left of it.
    pub fn settle(&mut self, before: &Self, after: &Self) {
        self.take(after.spent - before.spent);
    }

    fn take(&mut self, nodes: u64) {
        self.spent += nodes;
        if let Some(left) = &mut self.nodes_left {
            *left = left.saturating_sub(nodes);
        }
    }
}
