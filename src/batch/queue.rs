//! The order of tasks: next is the longest that fits in the remaining memory.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::size::Size;

/// Waiting tasks, shared by the workers.
pub(super) struct Queue {
    max_bytes: u64,
    inner: Mutex<Inner>,
    changed: Condvar,
}

struct Inner {
    /// Indices and sizes, longest first.
    waiting: Vec<(usize, Size)>,
    used_bytes: u64,
    running: usize,
    stopped: bool,
}

impl Queue {
    /// A queue of tasks that may use `max_bytes` together.
    pub(super) fn new(mut waiting: Vec<(usize, Size)>, max_bytes: u64) -> Self {
        waiting.sort_by_key(|&(index, size)| (std::cmp::Reverse(size.work()), index));
        let inner = Inner { waiting, used_bytes: 0, running: 0, stopped: false };
        Self { max_bytes, inner: Mutex::new(inner), changed: Condvar::new() }
    }

    /// The next task; waits while none fits beside the running ones. A task larger than the limit
    /// runs alone. `None` at the end.
    pub(super) fn take(&self) -> Option<(usize, Size)> {
        let mut inner = self.lock();
        loop {
            if inner.stopped || inner.waiting.is_empty() {
                return None;
            }
            let room = self.max_bytes.saturating_sub(inner.used_bytes);
            let alone = inner.running == 0;
            let next = inner.waiting.iter().position(|(_, size)| size.memory_bytes() <= room).or(alone.then_some(0));
            if let Some(next) = next {
                let (index, size) = inner.waiting.remove(next);
                inner.used_bytes = inner.used_bytes.saturating_add(size.memory_bytes());
                inner.running += 1;
                return Some((index, size));
            }
            inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A task has ended; with `stop` no further task begins.
    pub(super) fn give_back(&self, size: Size, stop: bool) {
        let mut inner = self.lock();
        inner.used_bytes = inner.used_bytes.saturating_sub(size.memory_bytes());
        inner.running -= 1;
        inner.stopped |= stop;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No panic can leave the data inconsistent.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Queue, Size};

    fn picture(pixels: u64) -> Size {
        Size::grey(pixels)
    }

    #[test]
    fn the_longest_comes_first_and_a_smaller_one_passes_where_a_larger_has_no_room() {
        let (large, medium, small) = (picture(9_000_000), picture(6_000_000), picture(1_000_000));
        let room = large.memory_bytes() + small.memory_bytes();
        let queue = Queue::new(vec![(0, small), (1, large), (2, medium)], room);
        assert_eq!(queue.take(), Some((1, large)));
        assert_eq!(queue.take(), Some((0, small)));
        queue.give_back(large, false);
        assert_eq!(queue.take(), Some((2, medium)));
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn one_that_is_larger_than_the_limit_runs_alone() {
        let queue = Queue::new(vec![(0, picture(1)), (1, picture(1000))], 1);
        assert_eq!(queue.take().map(|(index, _)| index), Some(1));
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| queue.take());
            queue.give_back(picture(1000), false);
            assert_eq!(waiter.join().unwrap().map(|(index, _)| index), Some(0));
        });
    }

    #[test]
    fn nothing_begins_after_a_stop() {
        let queue = Queue::new(vec![(0, picture(1)), (1, picture(1))], u64::MAX);
        assert!(queue.take().is_some());
        queue.give_back(picture(1), true);
        assert_eq!(queue.take(), None);
    }
}
