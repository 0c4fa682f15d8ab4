//! The shortest path.

use raceline_file::Method;

use crate::search::method::LineMethod;
use crate::search::run::Run;
use crate::shortest_path::shortest_path;
use crate::{Corridor, Parent, SolveError, SolveOptions};

/// The shortest line that keeps the margin.
pub struct ShortestPath;

const METHOD: Method = Method::ShortestPath;

impl LineMethod for ShortestPath {
    fn on_road(&self, corridor: &Corridor, options: &SolveOptions) -> Result<Option<(Method, Parent)>, SolveError> {
        Ok(Some((METHOD, shortest_path(corridor, options)?)))
    }

    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        run.accept_of_road(METHOD)
    }
}
