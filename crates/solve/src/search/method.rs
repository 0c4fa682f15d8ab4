//! The trait that every method of finding a line implements.

use raceline_file::Method;

use super::run::Run;
use crate::{Corridor, Parent, SolveError, SolveOptions};

/// A method of finding a line.
///
/// A method is a type in a file of its own in `search/methods`, and an arm in `search/registry.rs`.
/// It does not know the others: it names the methods whose lines it starts from, and finds these
/// lines in the [`Run`].
pub trait LineMethod: Sync {
    /// The methods whose lines this one starts from. They are searched before it, in this order,
    /// and are candidates too.
    fn starts_from(&self) -> &'static [Method] {
        &[]
    }

    /// The line that depends on the road alone, with its method; `None` for a method that needs
    /// a vehicle. Vehicles with an equal [`RoadUse`](crate::RoadUse) have the same one.
    ///
    /// # Errors
    /// A program that cannot be solved.
    fn on_road(&self, _corridor: &Corridor, _options: &SolveOptions) -> Result<Option<(Method, Parent)>, SolveError> {
        Ok(None)
    }

    /// Finds the line of the run's vehicle, and gives it to the run with one of [`Run::accept`],
    /// [`Run::accept_if_faster`] and [`Run::keep_best`].
    ///
    /// # Errors
    /// No line to start from, and a search or a simulation that fails. A line that is not sound is
    /// no error: the run reports it.
    fn find(&self, run: &mut Run) -> Result<(), SolveError>;
}
