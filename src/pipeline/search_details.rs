//! What the steps of a search report about themselves.

use super::line_search::LineSearch;
use super::{Detail, Warning};
use crate::file::Method;
use crate::solve::SolverReport;
use crate::solve::blend::Blend;
use crate::solve::time_optimal::{self, TimeOptimal};

impl LineSearch {
    pub(super) fn add_parent_details(&mut self, method: Method, report: &SolverReport) {
        let &SolverReport { solves, iterations, unsolved, complementarity, dual_residual, .. } = report;
        self.details.push(Detail::Programs { method, solves, iterations, complementarity, dual_residual });
        if unsolved > 0 {
            self.warnings.push(Warning::ProgramsUnsolved { method, unsolved, solves });
        } else if !report.settled {
            self.warnings.push(Warning::StillMoving { method });
        }
    }

    pub(super) fn add_blend_details(&mut self, blend: &Blend) {
        let (uniform_factor, uniform_lap_time_s) = blend.best_uniform;
        self.details.push(Detail::Blend {
            segments: blend.mixing.len(),
            evaluations: blend.evaluations,
            generations: blend.history_s.len() - 1,
            lap_time_s: blend.lap_time_s,
            uniform_factor,
            uniform_lap_time_s,
        });
        self.details.push(Detail::MixingFactors(blend.mixing.clone()));
        self.details.push(Detail::GenerationLapTimes(blend.history_s.clone()));
    }

    pub(super) fn add_time_optimal_details(&mut self, line: &TimeOptimal) {
        self.details.push(Detail::TimeOptimal {
            steps: line.iterations.clone(),
            factorisations: line.factorisations,
            objective_s: line.objective_s,
            violation: line.violation,
        });
        if line.status != time_optimal::Status::Converged {
            self.warnings.push(Warning::TimeOptimalNotConverged);
        }
    }
}
