//! The line of minimum lap time of a point mass inside its tyre limits.

use raceline_file::Method;

use crate::SolveError;
use crate::search::around_patches::{is_avoided, lines_around_patches};
use crate::search::detail::Detail;
use crate::search::method::LineMethod;
use crate::search::run::{Run, is_gain};
use crate::search::summary::LineStatus;
use crate::search::warning::LineWarning;
use crate::speed::DrivenLine;
use crate::time_optimal::{Status, Task, TimeOptimal, time_optimal, time_optimal_from, time_optimal_roughly};

/// The time-optimal line of `model = "point-mass"`.
pub struct PointMass;

const METHOD: Method = Method::TimeOptimal;
/// The search starts from the last of these; the others are candidates.
pub(super) const STARTS: &[Method] = &[Method::ShortestPath, Method::MinCurvature];

impl LineMethod for PointMass {
    fn starts_from(&self) -> &'static [Method] {
        STARTS
    }

    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        FastestLine::find(run)?.accept(run);
        Ok(())
    }
}

/// The point mass's line, from which other models start.
pub(super) struct FastestLine {
    pub line: TimeOptimal,
    driven: DrivenLine,
    status: LineStatus,
    /// Whether the last round of the search is missing.
    is_rough: bool,
}

impl FastestLine {
    /// Finds it from the minimum-curvature line, or from the fastest one if that is not sound, and
    /// from lines around patches of lower grip.
    pub fn find(run: &mut Run) -> Result<Self, SolveError> {
        Self::by(run, time_optimal, false)
    }

    /// Finds it as exactly as the search for a car's lap needs its start. Where lines around
    /// patches are compared with it, that is as exactly as ever.
    pub fn find_start(run: &mut Run) -> Result<Self, SolveError> {
        let has_patches = run.options.grip.iter().any(is_avoided);
        if has_patches { Self::find(run) } else { Self::by(run, time_optimal_roughly, true) }
    }

    /// The line of [`Self::find`], from that of [`Self::find_start`] on.
    pub fn finished(self, run: &mut Run) -> Result<Self, SolveError> {
        if !self.is_rough {
            return Ok(self);
        }
        run.progress.stage("searching the time-optimal line");
        let line = time_optimal_from(run.task(), self.line)?;
        let driven = run.drive(&line.points)?;
        Ok(Self::of(run, line, driven, false))
    }

    fn by(
        run: &mut Run,
        search: fn(Task, &[f64]) -> Result<TimeOptimal, SolveError>,
        is_rough: bool,
    ) -> Result<Self, SolveError> {
        run.progress.stage("searching the time-optimal line");
        let start = match run.start(Method::Given).or_else(|| run.start(Method::MinCurvature)) {
            Some(start) => start,
            None => run.best_start()?,
        };
        let mut line = search(run.task(), start)?;
        let mut driven = run.drive(&line.points)?;
        for other in lines_around_patches(run) {
            let Ok(other_driven) = run.drive(&other.points) else { continue };
            if is_gain(&other_driven, driven.lap_time_s()) {
                (line, driven) = (other, other_driven);
            }
        }
        Ok(Self::of(run, line, driven, is_rough))
    }

    /// Records how a line was found.
    fn of(run: &mut Run, line: TimeOptimal, driven: DrivenLine, is_rough: bool) -> Self {
        run.details.push(Detail::TimeOptimal {
            steps: line.iterations.clone(),
            factorisations: line.factorisations,
            objective_s: line.objective_s,
            violation: line.violation,
        });
        let mut status = LineStatus::Solved;
        if line.status != Status::Converged {
            run.warnings.push(LineWarning::TimeOptimalNotConverged);
            status = LineStatus::NotConverged;
        }
        Self { line, driven, status, is_rough }
    }

    /// Gives it to the run.
    pub fn accept(self, run: &mut Run) {
        run.accept_if_faster(METHOD, self.status, self.driven);
    }
}
