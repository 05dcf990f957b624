//! The same work on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls for each number below `count`, and returns the answers in order.
pub(crate) fn map<T: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let mut found: Vec<Option<T>> = Vec::new();
    found.resize_with(count, || None);
    let found = Mutex::new(found);
    let run = || {
        while let i = next.fetch_add(1, Ordering::Relaxed)
            && i < count
        {
            let answer = work(i);
            // Nobody panics while he holds the lock; should one ever, the scope passes it on.
            if let Ok(mut found) = found.lock() {
                found[i] = Some(answer);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            scope.spawn(run);
        }
        run();
    });
    found.into_inner().unwrap_or_default().into_iter().flatten().collect()
}
