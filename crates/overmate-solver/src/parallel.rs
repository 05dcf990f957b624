//! Distributes work over several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` for each number from 0 to `count` - 1 on several threads, and returns the results in numeric order.
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
            // No thread panics while it holds the lock, so the lock is never poisoned. If `work` panics, the thread scope passes the panic
            // on.
            if let Ok(mut found) = found.lock() {
                found[i] = Some(answer);
            }
        }
    };
    run_on(threads.min(count), run);
    found.into_inner().unwrap_or_default().into_iter().flatten().collect()
}

/// Calls `work` for each item of a list on several threads, and returns the first error. Each
/// thread has its own scratch value.
pub(crate) fn for_each_piece<P: Send, T, E: Send>(
    threads: usize,
    pieces: impl Iterator<Item = P> + Send,
    scratch: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, P) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let pieces = Mutex::new(Some(pieces));
    let wrong = Mutex::new(None);
    let run = || {
        let mut scratch = scratch();
        loop {
            // No thread panics while it holds a lock, so no lock is ever poisoned. If `work` panics, the thread scope passes the panic on.
            let Ok(mut left) = pieces.lock() else { return };
            let Some(piece) = left.as_mut().and_then(Iterator::next) else { return };
            drop(left);
            if let Err(error) = work(&mut scratch, piece) {
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
    run_on(threads, run);
    match wrong.into_inner().ok().flatten() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Calls `run` once on each of `threads` threads, one of which is the calling thread. In WebAssembly, which has only one thread, the
/// function calls `run` once.
fn run_on(threads: usize, run: impl Fn() + Copy + Send) {
    if cfg!(target_family = "wasm") {
        run();
        return;
    }
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
