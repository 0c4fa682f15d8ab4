//! Points moved along their cross-sections until the line is at rest.

use raceline_file::Method;

use crate::SolveError;
use crate::relaxation::relaxation;
use crate::search::detail::Detail;
use crate::search::method::LineMethod;
use crate::search::run::Run;
use crate::search::summary::LineStatus;

/// The relaxed line.
pub struct Relaxation;

impl LineMethod for Relaxation {
    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        run.progress.stage("relaxing the line");
        let found = relaxation(&run.road.corridor, run.options.solve.relaxation_settings());
        run.details.push(Detail::Relaxation { sweeps: found.sweeps, last_move_m: found.last_move_m });
        let driven = run.drive_through(&found.alpha)?;
        // Without another line, one that is not sound ends the search.
        let _ = run.accept(Method::Relaxation, LineStatus::Solved, driven);
        Ok(())
    }
}
