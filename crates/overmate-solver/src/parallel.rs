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

/// Works on pieces one after another, several at a time, each thread with a tool of its own; what comes first of what goes wrong.
pub(crate) fn work_on<P: Send, T, E: Send>(
    threads: usize,
    pieces: impl Iterator<Item = P> + Send,
    tool: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, P) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let pieces = Mutex::new(Some(pieces));
    let wrong = Mutex::new(None);
    let run = || {
        let mut tool = tool();
        loop {
            // Nobody panics while he holds a lock; should one ever, the scope passes it on.
            let Ok(mut left) = pieces.lock() else { return };
            let Some(piece) = left.as_mut().and_then(Iterator::next) else { return };
            drop(left);
            if let Err(error) = work(&mut tool, piece) {
                if let Ok(mut left) = pieces.lock() {
                    *left = None;
                }
                if let Ok(mut wrong) = wrong.lock() {
                    wrong.get_or_insert(error);
                }
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
    match wrong.into_inner().ok().flatten() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}
