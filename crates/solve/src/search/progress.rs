//! Reports of how far a run is.

/// Receives the progress of a run.
pub trait Progress: Sync {
    /// A stage begins.
    fn stage(&self, _name: &str) {}
    /// A long stage has done `done` of `total` steps; `note` describes the state.
    fn step(&self, _done: usize, _total: usize, _note: &str) {}
}

/// A progress that is not reported.
pub struct Silent;
impl Progress for Silent {}
