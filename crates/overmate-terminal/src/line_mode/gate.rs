//! Synchronises two threads that change the terminal modes: the line editor and the signal handler.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lock that the line editor must hold while the editor sets the terminal modes for line editing. The signal handler makes the lock
/// permanently unavailable before the handler restores the terminal modes.
///
/// Without this lock, the editor could change the terminal modes after the signal handler has restored the terminal and
/// before the program ends.
#[derive(Default)]
pub(super) struct Gate {
    state: Mutex<GateState>,
    /// Condition variable that signals the end of each change to the terminal modes.
    left: Condvar,
}

/// State of the lock (gate) for changes of the terminal modes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum GateState {
    /// The lock on the terminal modes is free: the line editor may take the lock to change the modes.
    #[default]
    Open,
    /// The line editor is changing the terminal modes.
    Occupied,
    /// The terminal modes are restored, and no thread may change the modes any more.
    Closed,
}

impl Gate {
    /// Takes the lock on the terminal modes for the line editor, and returns whether the lock was available. After a call of
    /// [`close`](Self::close), the lock is never available.
    pub(super) fn enter(&self) -> bool {
        let mut state = self.state();
        if *state == GateState::Closed {
            return false;
        }
        *state = GateState::Occupied;
        true
    }

    /// Leaves the gate (releases the lock) after the line editor has changed the terminal modes. If the line editor does not hold the lock,
    /// the call has no effect.
    pub(super) fn leave(&self) {
        let mut state = self.state();
        if *state == GateState::Occupied {
            *state = GateState::Open;
            self.left.notify_all();
        }
    }

    /// Waits until the line editor does not hold the lock on the terminal modes, and then makes the lock permanently unavailable.
    pub(super) fn close(&self) {
        let waited = self.left.wait_while(self.state(), |state| *state == GateState::Occupied);
        *waited.unwrap_or_else(PoisonError::into_inner) = GateState::Closed;
    }

    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn a_gate_closes_only_while_the_editor_is_outside() {
        let (gate, has_left) = (Arc::new(Gate::default()), Arc::new(AtomicBool::new(false)));
        assert!(gate.enter());
        let closing = {
            let (gate, has_left) = (Arc::clone(&gate), Arc::clone(&has_left));
            thread::spawn(move || {
                gate.close();
                has_left.load(Ordering::SeqCst)
            })
        };
        has_left.store(true, Ordering::SeqCst);
        gate.leave();
        assert!(closing.join().unwrap());
        assert!(!gate.enter());
        gate.leave();
        assert!(!gate.enter(), "leaving does not open a closed gate");
    }
}
