//! Details of the solvers, for `-v`.

use std::fmt;

use raceline_file::Method;

/// A step of the search for lines.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Detail {
    /// A parent line's quadratic programs.
    Programs {
        /// The line.
        method: Method,
        /// Number of programs solved.
        solves: usize,
        /// Total number of iterations.
        iterations: u32,
        /// Complementarity of the last program, scaled.
        complementarity: f64,
        /// Dual residual of the last program, scaled.
        dual_residual: f64,
    },
    /// The error of the iterated line's linearised curvature.
    Linearisation {
        /// Largest difference between the curvature and its linearisation, 1/m.
        curvature_error_radpm: f64,
    },
    /// The search for the blend.
    Blend {
        /// Number of segments with a mixing factor.
        segments: usize,
        /// Number of laps simulated.
        evaluations: usize,
        /// Number of generations.
        generations: usize,
        /// Lap time, s.
        lap_time_s: f64,
        /// Best uniform mixing factor.
        uniform_factor: f64,
        /// Lap time with it, s.
        uniform_lap_time_s: f64,
    },
    /// The blend's mixing factors, one per segment.
    MixingFactors(Vec<f64>),
    /// Lap time after each generation of the blend, s.
    GenerationLapTimes(Vec<f64>),
    /// The search for the time-optimal line.
    TimeOptimal {
        /// Interior-point steps of each round.
        steps: Vec<usize>,
        /// Total number of factorisations.
        factorisations: usize,
        /// The objective, s.
        objective_s: f64,
        /// Largest violation of a limit, scaled.
        violation: f64,
    },
    /// The search for the car's lap.
    Car {
        /// Interior-point steps.
        steps: usize,
        /// Number of factorisations.
        factorisations: usize,
        /// Lap time, s.
        lap_time_s: f64,
        /// Largest error of an equation of motion, scaled.
        error: f64,
        /// Largest violation of a limit, scaled.
        violation: f64,
    },
    /// The relaxation.
    Relaxation {
        /// Sweeps over the points of all levels.
        sweeps: usize,
        /// Largest move of a point in the last sweep, m.
        last_move_m: f64,
    },
    /// The search among random lines.
    Sampled {
        /// Lines drawn.
        lines: usize,
    },
    /// The road's heights were smoothed.
    HeightsSmoothed {
        /// Largest change of a height, metres.
        deviation_m: f64,
    },
    /// A line that is not faster than a simpler one, which replaces it.
    NoGain {
        /// The line.
        method: Method,
        /// The simpler line.
        kept: Method,
    },
    /// The line was searched again between more cross-sections, because it missed its margin.
    Finer {
        /// Distance between the sections, metres.
        spacing_m: f64,
        /// Violation of the margin before, metres.
        missing_m: f64,
    },
    /// The largest violation of a line's margin.
    Margin {
        /// The line.
        method: Method,
        /// Largest violation of the margin, metres.
        missing_m: f64,
    },
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Programs { method, solves, iterations, complementarity, dual_residual } => write!(
                f,
                "{}: {solves} programs, {iterations} iterations, residuals {complementarity:.1e} complementarity, \
                 {dual_residual:.1e} dual",
                method.name()
            ),
            Self::Linearisation { curvature_error_radpm } => write!(
                f,
                "{}: curvature differs by {curvature_error_radpm:.1e} 1/m from its linearisation",
                Method::IteratedMinCurvature.name()
            ),
            Self::Blend { segments, evaluations, generations, lap_time_s, uniform_factor, uniform_lap_time_s } => {
                write!(
                    f,
                    "blend: {segments} segments, {evaluations} evaluations, {generations} generations, lap \
                     {lap_time_s:.3} s; best uniform mixture {uniform_factor:.2}, lap {uniform_lap_time_s:.3} s"
                )
            }
            Self::MixingFactors(factors) => write!(f, "blend: mixing factors {}", joined(factors, 2)),
            Self::GenerationLapTimes(laps) => write!(f, "blend: lap time per generation, s: {}", joined(laps, 3)),
            Self::TimeOptimal { steps, factorisations, objective_s, violation } => {
                let steps: Vec<String> = steps.iter().map(usize::to_string).collect();
                write!(
                    f,
                    "time-optimal: {} steps, {factorisations} factorisations, objective {objective_s:.3} s, largest \
                     violation {violation:.1e}",
                    steps.join(" and ")
                )
            }
            Self::Car { steps, factorisations, lap_time_s, error, violation } => write!(
                f,
                "car: {steps} steps, {factorisations} factorisations, lap {lap_time_s:.3} s, largest error \
                 {error:.1e}, largest violation {violation:.1e}"
            ),
            Self::Relaxation { sweeps, last_move_m } => {
                write!(f, "relaxation: {sweeps} sweeps, largest move in the last {last_move_m:.1e} m")
            }
            Self::Sampled { lines } => write!(f, "sampled: {lines} lines"),
            Self::HeightsSmoothed { deviation_m } => {
                write!(f, "heights: smoothing moves the road by at most {deviation_m:.3} m")
            }
            Self::NoGain { method, kept } => {
                write!(f, "{}: no faster than {}, which is used instead", method.name(), kept.name())
            }
            Self::Finer { spacing_m, missing_m } => write!(
                f,
                "cross-sections {spacing_m:.2} m apart: with fewer, the line was {missing_m:.3} m nearer to an edge \
                 than its margin"
            ),
            Self::Margin { method, missing_m } => {
                write!(f, "{}: largest violation of the margin {missing_m:.3} m", method.name())
            }
        }
    }
}

/// Numbers with `decimals` decimals, separated by spaces.
fn joined(values: &[f64], decimals: usize) -> String {
    let texts: Vec<String> = values.iter().map(|value| format!("{value:.decimals$}")).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::Detail;

    #[test]
    fn numbers_of_a_list_have_their_decimals_and_spaces_between() {
        let factors = Detail::MixingFactors(vec![0.0, 0.126, 1.0]);
        assert_eq!(factors.to_string(), "blend: mixing factors 0.00 0.13 1.00");
        let laps = Detail::GenerationLapTimes(vec![81.25, 80.0]);
        assert_eq!(laps.to_string(), "blend: lap time per generation, s: 81.250 80.000");
    }
}
