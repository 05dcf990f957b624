//! Runs searches on blocking threads, scheduled fairly between clients. Cheap searches, expensive
//! searches and password hashes have separate permits.

use std::num::NonZeroUsize;
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use overmate_bots::BuiltIn;
use overmate_rules::{BySeat, CardSet, Face, RuleSet};
use overmate_solver::MAX_TABLE_HAND;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::fair_semaphore::{FairPermit, FairSemaphore, QueueFull, QueueLimit};
use super::scheduling::lower_priority;
use crate::error::ApiError;
use crate::http::client::Client;

/// Timeout for a client that waits for a permit to run a computation.
const QUEUE_TIME: Duration = Duration::from_secs(10);

/// Name of the limit [`QUEUE_TIME`] in the error for a client that has waited too long for the start of its computation.
const WAITING_TIME: &str = "the waiting time of a request";

/// Cost class of a computation: cheap search, expensive search, or password hash. Each class has its own limit on concurrent computations,
/// so that a computation never waits for a permit of another class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Class of searches that take at most a few tenths of a second. Examples are actions of all levels, and exact values of deals with
    /// at most 20 cards.
    Cheap,
    /// Class of searches that take several seconds and up to 256 MB of memory. Examples are analyses of more than 20 cards, and `perfect`
    /// with more than 20 cards or with a card face down.
    Dear,
    /// Cost class for the computation of password hashes, which take a few tenths of a second and 19 MB of memory each. The separate class
    /// keeps searches from delaying sign-ins, and sign-ins from delaying moves.
    Password,
}

/// Purpose of a computation, for the metrics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// Search for the next action of a computer opponent.
    Bot,
    /// Other work that a client requested, such as an analysis, a review, a hint, an export, or a list of matches with long logs.
    Solver,
    /// Password hash, which is slow on purpose.
    Password,
}

/// Pools of computation permits, one for each cost class.
pub(crate) struct Compute {
    cheap: FairSemaphore,
    dear: FairSemaphore,
    password: FairSemaphore,
    /// Whether searches run in the calling thread, which makes a simulation reproducible.
    #[cfg(test)]
    is_inline: bool,
}

/// Permit to run one computation, taken from a pool of permits. Dropping this value returns the permit to the pool.
pub(crate) struct ComputePermit {
    _permit: FairPermit,
    class: Class,
    _running: Gauge,
    #[cfg(test)]
    is_inline: bool,
}

/// Guard that raises a metrics gauge by 1 until the guard is dropped.
struct Gauge(metrics::Gauge);

impl Gauge {
    fn raised(gauge: metrics::Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Gauge {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

impl Class {
    /// Returns the cost class of a search for the exact values of a position with the given hands.
    pub(crate) fn of_hands(hands: BySeat<CardSet>) -> Self {
        if hands.first.len().max(hands.second.len()) <= u32::from(MAX_TABLE_HAND) {
            Self::Cheap
        } else {
            Self::Dear
        }
    }

    /// Returns the cost class of a computer opponent's searches.
    pub(crate) fn of_bot(bot: BuiltIn, rules: &RuleSet) -> Self {
        let is_small = rules.hand_size() <= MAX_TABLE_HAND;
        let hides_card = rules.foreplacing().is_some_and(|f| f.face == Face::Down);
        match bot {
            BuiltIn::Level(_) => Self::Cheap,
            BuiltIn::Perfect if is_small && !hides_card => Self::Cheap,
            BuiltIn::Perfect => Self::Dear,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Cheap => "cheap",
            Self::Dear => "dear",
            Self::Password => "password",
        }
    }
}

impl Purpose {
    fn label(self) -> &'static str {
        match self {
            Self::Bot => "bot",
            Self::Solver => "solver",
            Self::Password => "password",
        }
    }
}

impl Compute {
    /// Creates the semaphores that limit the concurrent computations of each cost class, sized for the processors of this machine. Each
    /// class has more permits than one network may hold, so that a search of another network starts at once.
    pub(crate) fn new() -> Self {
        Self::for_processors(available_parallelism().map_or(1, NonZeroUsize::get))
    }

    fn for_processors(processors: usize) -> Self {
        let per_network = (processors / 2).max(1);
        Self {
            cheap: FairSemaphore::new(2 * processors, per_network),
            dear: FairSemaphore::new(processors.max(2), per_network),
            password: FairSemaphore::new(processors.max(2), per_network),
            #[cfg(test)]
            is_inline: false,
        }
    }

    /// Creates the semaphores that limit the concurrent computations of a simulated server. Such a server runs each computation in the
    /// calling thread.
    #[cfg(test)]
    pub(crate) fn inline() -> Self {
        Self { is_inline: true, ..Self::new() }
    }

    /// Waits until a client may run a computation, and returns the permit. Refuses the client if the queue is longer than the limit.
    pub(crate) async fn permit(
        &self,
        class: Class,
        purpose: Purpose,
        client: Client,
        limit: Option<QueueLimit>,
    ) -> Result<ComputePermit, QueueFull> {
        let semaphore = match class {
            Class::Cheap => &self.cheap,
            Class::Dear => &self.dear,
            Class::Password => &self.password,
        };
        let labels = [("class", class.label()), ("purpose", purpose.label())];
        let start = Instant::now();
        let permit = {
            let _waiting = Gauge::raised(metrics::gauge!("overmate_searches_waiting", &labels));
            semaphore.acquire(client, limit).await?
        };
        metrics::histogram!("overmate_search_wait_seconds", &labels)
            .record(start.elapsed().as_secs_f64());
        let running = Gauge::raised(metrics::gauge!("overmate_searches_running", &labels));
        Ok(ComputePermit {
            _permit: permit,
            class,
            _running: running,
            #[cfg(test)]
            is_inline: self.is_inline,
        })
    }

    /// Waits until a client may run a computation, but at most [`QUEUE_TIME`], and returns the permit. Returns an error if too many clients
    /// wait, or if the wait is too long.
    pub(crate) async fn timely_permit(
        &self,
        class: Class,
        purpose: Purpose,
        client: Client,
        limit: QueueLimit,
        what: &'static str,
    ) -> Result<ComputePermit, ApiError> {
        let permit = timeout(QUEUE_TIME, self.permit(class, purpose, client, Some(limit))).await;
        permit.map_err(|_| ApiError::Full { what: WAITING_TIME })?.map_err(|full| match full {
            QueueFull::OfNetwork => ApiError::TooMany { what, seconds: 10 },
            QueueFull::OfAll => ApiError::Full { what },
        })
    }
}

impl ComputePermit {
    /// Runs a computation on a blocking thread and returns the result. The permit is held until the computation ends, even if the
    /// caller is cancelled.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        search: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        #[cfg(test)]
        if self.is_inline {
            return Ok(search());
        }
        let (sender, receiver) = oneshot::channel();
        let class = self.class;
        let held = move || {
            let result = search();
            drop(self);
            // The result of the search is dropped if the task that waits for the result was cancelled.
            let _ = sender.send(result);
        };
        match class {
            Class::Cheap => drop(tokio::task::spawn_blocking(held)),
            // Expensive work lowers the priority of its thread. A thread cannot raise its priority again, so that such work runs on
            // separate threads.
            Class::Dear | Class::Password => {
                let thread = thread::Builder::new().name(format!("compute-{}", class.label()));
                let lowered = move || {
                    lower_priority();
                    held();
                };
                drop(thread.spawn(lowered).map_err(ApiError::internal)?);
            }
        }
        receiver.await.map_err(|_| ApiError::internal("the thread of a search panicked"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_waits_too_long_is_told_so() {
        let (compute, client) = (Compute::new(), Client::at([192, 0, 2, 1].into()));
        let (class, purpose) = (Class::Password, Purpose::Password);
        // The test acquires permits to compute password hashes, for one IP network, until no further permit is granted within a second.
        let mut held = Vec::new();
        while let Ok(permit) =
            timeout(Duration::from_secs(1), compute.permit(class, purpose, client, None)).await
        {
            held.push(permit.expect("a permit"));
        }
        assert!(!held.is_empty());
        let limit = QueueLimit { of_network: 4, of_all: 4 };
        let waited = compute.timely_permit(class, purpose, client, limit, "waiting sign-ins").await;
        let refused = waited.err().expect("an error").to_string();
        assert_eq!(
            refused,
            "the server's limit on the waiting time of a request is reached: try again soon"
        );
    }
}
