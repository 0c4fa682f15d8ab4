//! The best of many random lines ahead, place by place.

use raceline_file::Method;

use crate::SolveError;
use crate::sampled::sampled;
use crate::search::detail::Detail;
use crate::search::method::LineMethod;
use crate::search::run::Run;
use crate::search::summary::LineStatus;

/// The line of random samples.
pub struct Sampled;

impl LineMethod for Sampled {
    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        run.progress.stage("drawing random lines");
        let found = sampled(&run.road.corridor, run.lap, &run.options.solve)?;
        run.details.push(Detail::Sampled { lines: found.lines });
        let driven = run.drive_through(&found.alpha)?;
        // Without another line, one that is not sound ends the search.
        let _ = run.accept(Method::Sampled, LineStatus::Solved, driven);
        Ok(())
    }
}
