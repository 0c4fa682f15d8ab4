//! The minimum-curvature line.

use raceline_file::Method;

use crate::min_curvature::min_curvature;
use crate::search::method::LineMethod;
use crate::search::run::Run;
use crate::{Corridor, Parent, SolveError, SolveOptions};

/// The line with the smallest integral of squared curvature.
pub struct MinCurvature;

const METHOD: Method = Method::MinCurvature;

impl LineMethod for MinCurvature {
    fn on_road(&self, corridor: &Corridor, options: &SolveOptions) -> Result<Option<(Method, Parent)>, SolveError> {
        Ok(Some((METHOD, min_curvature(corridor, options, &corridor.middle())?)))
    }

    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        run.accept_of_road(METHOD)
    }
}
