//! The minimum-curvature line on cross-sections that are computed again from each line.

use raceline_file::Method;

use crate::SolveError;
use crate::min_curvature::iterated_min_curvature;
use crate::search::detail::Detail;
use crate::search::method::LineMethod;
use crate::search::run::Run;

/// The iterated minimum-curvature line.
pub struct IteratedMinCurvature;

const METHOD: Method = Method::IteratedMinCurvature;

impl LineMethod for IteratedMinCurvature {
    fn starts_from(&self) -> &'static [Method] {
        &[Method::MinCurvature]
    }

    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        let start = run.best_start()?.to_vec();
        run.progress.stage("iterating the minimum-curvature line");
        let road = run.road;
        let (spacing_m, solver) = (road.road.track.spacing_m, run.options.solve.qp_solver.unwrap_or_default());
        let iterated =
            iterated_min_curvature(&road.corridor, &start, &road.road.edges, road.margin_m, spacing_m, solver)?;
        let status = run.report_programs(METHOD, &iterated.report);
        run.details.push(Detail::Linearisation { curvature_error_radpm: iterated.curvature_error });
        let driven = run.drive(&iterated.points)?;
        if run.accept(METHOD, status, driven).is_err() {
            run.keep_best(METHOD);
        }
        Ok(())
    }
}
