//! Locks whose holders leave things whole.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, even after a thread panicked that held the lock: no value behind a lock of this program
/// is ever half changed when something can panic.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
