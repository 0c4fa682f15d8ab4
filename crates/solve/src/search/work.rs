//! The work of a search, estimated before it begins: counts of the options that no road needs are
//! lowered with a warning, or refused.
//!
//! The unit is one evaluation of a point of a line. It takes about 50 ns, whichever search makes
//! it:
//!
//! | Search | Evaluations |
//! |---|---|
//! | blend | generations × population × cross-sections |
//! | relaxation | sweeps × cross-sections × 3, with those of the coarser levels |
//! | random lines | lines × places × points of a line ahead |
//!
//! The number of cross-sections has its own limit, in [`road_length`](raceline_road::road_length).
//! A road may need more evaluations than the limit because it is long; then the options have at
//! most their defaults.

use raceline_file::Method;
use raceline_road::track::Track;

use super::options::LineOptions;
use super::registry::searched;
use super::warning::LineWarning;
use crate::sampled::{POINTS_AHEAD, STEP_WIDTHS};
use crate::{SolveError, SolveOptions};

/// Maximum number of evaluations in one search, unless the default options need more.
const MAX_EVALUATIONS: f64 = 1.5e8;
/// Sweeps over all levels of a relaxation together, in sweeps of the finest.
const LEVELS: f64 = 3.0;

/// The options with counts whose work is within the limit on `track`, and a warning for each that
/// was lowered.
///
/// # Errors
/// [`SolveError::TooMuchWork`] where the smallest count is too much.
pub(super) fn bounded(options: &LineOptions, track: &Track) -> Result<(LineOptions, Vec<LineWarning>), SolveError> {
    let mut bounded = options.clone();
    let default = SolveOptions::default();
    let sections = track.sections.len() as f64;
    let places = track.centre_line().length() / (STEP_WIDTHS * track.mean_width());
    let mut warnings = Vec::new();
    let mut lower = |count: Count, specified: &mut usize| -> Result<(), SolveError> {
        let allowed = count.allowed();
        if allowed < 1.0 {
            let (option, evaluations) = (count.refused, count.evaluations);
            return Err(SolveError::TooMuchWork { option, evaluations, limit: MAX_EVALUATIONS });
        }
        if *specified as f64 > allowed {
            let used = allowed as usize;
            warnings.push(LineWarning::WorkLowered { option: count.option, specified: *specified, used });
            *specified = used;
        }
        Ok(())
    };
    let searched = searched(options);
    let solve = &mut bounded.solve;
    if searched.contains(&Method::Blend) {
        let evaluations = sections * solve.population as f64;
        let of_default = sections * (default.population * default.generations) as f64;
        let count = Count { option: "generations", refused: "population", evaluations, of_default };
        lower(count, &mut solve.generations)?;
    }
    if searched.contains(&Method::Relaxation) || !options.pick_up.is_empty() {
        let evaluations = LEVELS * sections;
        let of_default = evaluations * default.relaxation_sweeps as f64;
        let option = "relaxation_sweeps";
        lower(Count { option, refused: option, evaluations, of_default }, &mut solve.relaxation_sweeps)?;
    }
    if searched.contains(&Method::Sampled) {
        let evaluations = places * POINTS_AHEAD as f64;
        let of_default = evaluations * default.sampled_lines as f64;
        let option = "sampled_lines";
        lower(Count { option, refused: option, evaluations, of_default }, &mut solve.sampled_lines)?;
    }
    Ok((bounded, warnings))
}

/// A count that the work grows with.
struct Count {
    /// The option that is lowered.
    option: &'static str,
    /// The option that is refused where a count of one is too much.
    refused: &'static str,
    /// Evaluations for each of the count.
    evaluations: f64,
    /// Evaluations of the default options, which are always allowed.
    of_default: f64,
}

impl Count {
    /// The maximum.
    fn allowed(&self) -> f64 {
        MAX_EVALUATIONS.max(self.of_default) / self.evaluations
    }
}

#[cfg(test)]
mod tests {
    use raceline_file::Method;
    use raceline_road::frame::Spot;
    use raceline_road::track::Track;

    use super::{LineOptions, LineWarning, MAX_EVALUATIONS, SolveError, SolveOptions, bounded};
    use crate::passing::PickUp;
    use crate::test_roads::part_of_ring;

    /// A ring about 300 m round.
    fn ring() -> Track {
        part_of_ring(48.0, [48, 48], 4.0, None)
    }

    fn with(method: Method, solve: SolveOptions) -> LineOptions {
        LineOptions { method, solve, ..LineOptions::default() }
    }

    #[test]
    fn the_defaults_are_never_lowered_however_long_the_road() {
        let mut track = ring();
        let lap = track.sections.clone();
        track.sections = lap.iter().copied().cycle().take(2_000_000).collect();
        for method in [Method::TimeOptimal, Method::Blend, Method::Relaxation, Method::Sampled] {
            let options = with(method, SolveOptions::default());
            assert_eq!(bounded(&options, &track), Ok((options.clone(), Vec::new())), "{method:?}");
        }
    }

    #[test]
    fn a_count_beyond_the_limit_is_lowered_to_it() {
        let track = ring();
        let sections = track.sections.len() as f64;
        let solve = SolveOptions { generations: 100_000, population: 1000, ..SolveOptions::default() };
        let (lowered, warnings) = bounded(&with(Method::Blend, solve.clone()), &track).unwrap();
        let used = lowered.solve.generations;
        assert_eq!(warnings, [LineWarning::WorkLowered { option: "generations", specified: 100_000, used }]);
        let work = |generations: usize| generations as f64 * 1000.0 * sections;
        assert!(work(used) <= MAX_EVALUATIONS && work(used + 1) > MAX_EVALUATIONS);
        // Other methods have no generations.
        let other = with(Method::ShortestPath, solve);
        assert_eq!(bounded(&other, &track), Ok((other.clone(), Vec::new())));
        let sweeps = SolveOptions { relaxation_sweeps: 100_000, ..SolveOptions::default() };
        let longer = with(Method::Relaxation, sweeps);
        assert!(bounded(&longer, &track).unwrap().0.solve.relaxation_sweeps as f64 * sections * 3.0 <= MAX_EVALUATIONS);
    }

    #[test]
    fn sweeps_are_lowered_where_pick_ups_are_searched_by_relaxation_and_left_where_nothing_relaxes() {
        let track = ring();
        let solve = SolveOptions { relaxation_sweeps: 10_000_000, ..SolveOptions::default() };
        let plain = with(Method::ShortestPath, solve);
        assert_eq!(bounded(&plain, &track), Ok((plain.clone(), Vec::new())));
        let pick_up = PickUp { at: Spot::Metres([48.0, 0.0]), radius_m: 1.0, worth_s: 0.1, take: None };
        let (lowered, warnings) = bounded(&LineOptions { pick_up: vec![pick_up], ..plain }, &track).unwrap();
        let sweeps = lowered.solve.relaxation_sweeps as f64;
        let work_of_one = 3.0 * track.sections.len() as f64;
        assert!(sweeps * work_of_one <= MAX_EVALUATIONS && (sweeps + 1.0) * work_of_one > MAX_EVALUATIONS);
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn a_population_of_just_the_limit_is_left_with_one_generation() {
        let mut track = ring();
        let section = track.sections[0];
        track.sections = vec![section; 3000];
        // 3000 sections times 50 000 are 1.5e8 evaluations of one generation.
        let solve = SolveOptions { population: 50_000, ..SolveOptions::default() };
        assert_eq!(bounded(&with(Method::Blend, solve), &track).unwrap().0.solve.generations, 1);
    }

    #[test]
    fn a_population_beyond_the_limit_is_refused() {
        let mut track = ring();
        let lap = track.sections.clone();
        track.sections = lap.iter().copied().cycle().take(3000).collect();
        let solve = SolveOptions { population: 100_000, ..SolveOptions::default() };
        let error = bounded(&with(Method::Blend, solve), &track).unwrap_err();
        let expected = SolveError::TooMuchWork { option: "population", evaluations: 3e8, limit: MAX_EVALUATIONS };
        assert_eq!(error, expected);
        assert!(error.to_string().contains("lower population"), "{error}");
    }
}
