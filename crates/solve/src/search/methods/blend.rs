//! The fastest mixture of the shortest path and the minimum-curvature line.

use raceline_file::Method;

use crate::SolveError;
use crate::blend::blend;
use crate::search::detail::Detail;
use crate::search::method::LineMethod;
use crate::search::run::Run;
use crate::search::summary::LineStatus;

/// The best mixture, segment by segment.
pub struct Blend;

const METHOD: Method = Method::Blend;

impl LineMethod for Blend {
    fn starts_from(&self) -> &'static [Method] {
        &[Method::ShortestPath, Method::MinCurvature]
    }

    fn find(&self, run: &mut Run) -> Result<(), SolveError> {
        let best = run.best_start()?.to_vec();
        let (Some(shortest), Some(curved)) = (run.start(Method::ShortestPath), run.start(Method::MinCurvature)) else {
            // One line alone cannot be mixed.
            run.keep_best(METHOD);
            run.start_from(METHOD, best);
            return Ok(());
        };
        run.progress.stage("blending");
        let total = run.options.solve.generations;
        let watch = |generation: usize, lap_time_s: f64| {
            run.progress.step(generation, total, &format!("lap {lap_time_s:.3} s"));
        };
        let mixture = blend(&run.road.corridor, shortest, curved, run.lap, &run.options.solve, &watch)?;
        let (uniform_factor, uniform_lap_time_s) = mixture.best_uniform;
        run.details.push(Detail::Blend {
            segments: mixture.mixing.len(),
            evaluations: mixture.evaluations,
            generations: mixture.history_s.len() - 1,
            lap_time_s: mixture.lap_time_s,
            uniform_factor,
            uniform_lap_time_s,
        });
        run.details.push(Detail::MixingFactors(mixture.mixing.clone()));
        run.details.push(Detail::GenerationLapTimes(mixture.history_s.clone()));
        let driven = run.drive_through(&mixture.alpha)?;
        let is_sound = run.accept_if_faster(METHOD, LineStatus::Solved, driven);
        run.start_from(METHOD, if is_sound { mixture.alpha } else { best });
        Ok(())
    }
}
