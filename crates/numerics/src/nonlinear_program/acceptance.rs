//! Which steps are accepted: by a merit function, or by a filter.
//!
//! With the errors θ and the barrier function φ of equation (8) of the parent module, φ' the slope
//! of φ along the step, α the length of the step and ₊ at its end:
//!
//! ```text
//! merit     φ₊ + ν θ₊ ≤ φ + ν θ + η_m α (φ' - ν θ),   ν ≥ φ' / (0.9 θ)                       (11)
//! filter    θ₊ ≤ (1 - γ_θ) θ_k   or   φ₊ ≤ φ_k - γ_φ θ_k    for all pairs k of the filter     (12)
//! switch    φ' < 0   and   θ ≤ θ_min   and   α (-φ')^s_φ > θ^s_θ                              (13)
//!           then        φ₊ ≤ φ + η_f α φ'                                                     (14)
//!           otherwise   (12) for the point itself, which then enters the filter
//! ```
//!
//! Sources: (11) Nocedal and Wright, section 19.3 (18.3 for ν); (12) to (14) Wächter and Biegler,
//! section 2.3, with their constants except δ = 1.
//! Comparisons allow for the rounding error of φ.

use super::Values;
use crate::math;

/// Rule by which a step is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// A merit function, with one multiplier for all errors that is found anew for each barrier.
    /// For programs without equations whose start is inside most of its limits.
    Merit,
    /// A filter, with a second-order correction.
    Filter,
}

/// Fraction η_m of the predicted descent of the merit function.
const MERIT_DESCENT: f64 = 1e-4;
/// Relative rounding error of the merit function, and smallest sum of errors that counts.
const MERIT_ROUND_OFF: f64 = 1e-12;
/// Number of lengths that are tried by the merit function.
const MERIT_TRIALS: usize = 25;
/// ν is raised where φ' is more than the first fraction of ν θ, to the second multiple of φ' / θ:
/// the merit function then descends by at least a third of ν θ.
const PENALTY: (f64, f64) = (0.9, 1.5);
/// γ_θ and γ_φ: fractions by which a filter entry is improved.
const FILTER_MARGIN: (f64, f64) = (1e-5, 1e-8);
/// s_θ and s_φ: exponents of the switching condition.
const SWITCH: (f64, f64) = (1.1, 2.3);
/// Fraction η_f of the predicted descent of the barrier function.
const FILTER_DESCENT: f64 = 1e-8;
/// Relative rounding error of the barrier function.
const FILTER_ROUND_OFF: f64 = 1e-13;
/// Number of lengths that are tried by the filter.
const FILTER_TRIALS: usize = 13;
/// θ_min, below which the switching condition may hold, and the largest θ that is accepted, by that
/// of the start or 1.
const ERROR_RANGE: (f64, f64) = (1e-4, 1e4);

/// A point, and the slope of the barrier function along the steps from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// θ.
    pub errors: f64,
    /// φ.
    pub barrier_function: f64,
    /// φ'.
    pub slope: f64,
}

/// How damping is chosen, apart from its common constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct DampingRules {
    /// Whether a step begins with the damping of the last one, reduced.
    pub is_carried: bool,
    /// Growth where no step was damped before.
    pub first_growth: f64,
    /// Smallest damping after a rejected step, by the smallest of all.
    pub after_rejection: f64,
}

/// The rule with its memory, of one barrier.
#[derive(Clone, Debug)]
pub(super) enum Judge {
    Merit {
        /// ν.
        penalty: f64,
    },
    Filter {
        /// θ_k and φ_k.
        entries: Vec<(f64, f64)>,
        /// θ_min.
        switch_below: f64,
        /// Largest θ that is accepted.
        largest_errors: f64,
    },
}

impl Judge {
    /// The rule for a start with the errors θ.
    pub fn new(acceptance: Acceptance, errors: f64) -> Self {
        let errors = errors.max(1.0);
        match acceptance {
            Acceptance::Merit => Self::Merit { penalty: 0.0 },
            Acceptance::Filter => Self::Filter {
                entries: Vec::new(),
                switch_below: ERROR_RANGE.0 * errors,
                largest_errors: ERROR_RANGE.1 * errors,
            },
        }
    }

    /// Each barrier has its own merit function and filter.
    pub fn forget(&mut self) {
        match self {
            Self::Merit { penalty } => *penalty = 0.0,
            Self::Filter { entries, .. } => entries.clear(),
        }
    }

    /// Number of lengths that are tried, each half of the one before.
    pub fn trials(&self) -> usize {
        match self {
            Self::Merit { .. } => MERIT_TRIALS,
            Self::Filter { .. } => FILTER_TRIALS,
        }
    }

    /// Whether a second-order correction is tried.
    pub fn corrects(&self) -> bool {
        matches!(self, Self::Filter { .. })
    }

    pub fn damping_rules(&self) -> DampingRules {
        match self {
            Self::Merit { .. } => DampingRules { is_carried: false, first_growth: 20.0, after_rejection: 100.0 },
            Self::Filter { .. } => DampingRules { is_carried: true, first_growth: 6.0, after_rejection: 10.0 },
        }
    }

    /// Prepares the search along a step: raises ν of equation (11).
    pub fn begin(&mut self, search: &Search) {
        if let Self::Merit { penalty } = self
            && search.slope > PENALTY.0 * *penalty * search.errors
            && search.errors > MERIT_ROUND_OFF
        {
            *penalty = PENALTY.1 * search.slope / search.errors;
        }
    }

    /// Whether a trial at `length` of the steps with θ₊ and φ₊ is accepted, and if so, whether the
    /// present point enters the filter.
    pub fn accepts(&self, search: &Search, length: f64, errors: f64, barrier_function: f64) -> Option<bool> {
        match self {
            Self::Merit { penalty } => {
                let merit = search.barrier_function + penalty * search.errors;
                let descent = search.slope - penalty * search.errors;
                let trial = barrier_function + penalty * errors;
                let largest = merit + MERIT_DESCENT * length * descent; // equation (11)
                (trial <= largest + MERIT_ROUND_OFF * merit.abs()).then_some(false)
            }
            Self::Filter { entries, switch_below, largest_errors } => {
                // Equation (12).
                let improves = |than_errors: f64, than: f64| {
                    errors <= (1.0 - FILTER_MARGIN.0) * than_errors
                        || barrier_function <= than - FILTER_MARGIN.1 * than_errors + FILTER_ROUND_OFF * than.abs()
                };
                if !barrier_function.is_finite() || errors.is_nan() || errors > *largest_errors {
                    return None;
                }
                if entries.iter().any(|&(than_errors, than)| !improves(than_errors, than)) {
                    return None;
                }
                // Equation (13).
                let switches = search.slope < 0.0
                    && search.errors <= *switch_below
                    && length * math::powf(-search.slope, SWITCH.1) > math::powf(search.errors, SWITCH.0);
                if switches {
                    let largest = search.barrier_function + FILTER_DESCENT * length * search.slope; // equation (14)
                    let rounding = FILTER_ROUND_OFF * search.barrier_function.abs();
                    return (barrier_function <= largest + rounding).then_some(false);
                }
                improves(search.errors, search.barrier_function).then_some(true)
            }
        }
    }

    /// Adds a point to the filter.
    pub fn augment(&mut self, search: &Search) {
        if let Self::Filter { entries, .. } = self {
            entries.push((search.errors, search.barrier_function));
        }
    }
}

/// θ of equation (8).
pub(super) fn total_error<const E: usize, const L: usize, F>(values: &Values<E, L, F>, slack: &[[f64; L]]) -> f64 {
    let equations: f64 = values.equations.as_flattened().iter().map(|error| error.abs()).sum();
    let limits = values.limits.as_flattened().iter().zip(slack.as_flattened());
    equations + limits.map(|(limit, slack)| (limit + slack).abs()).sum::<f64>()
}

/// φ of equation (8). The filter takes one logarithm of each stage's product, which is faster; the
/// merit function takes one of each slack, since its differences approach its rounding error
/// sooner.
pub(super) fn barrier_function<const E: usize, const L: usize, F>(
    values: &Values<E, L, F>,
    slack: &[[f64; L]],
    barrier: f64,
    acceptance: Acceptance,
) -> f64 {
    let logarithms: f64 = match acceptance {
        Acceptance::Merit => slack.as_flattened().iter().map(|slack| math::ln(*slack)).sum(),
        Acceptance::Filter => slack.iter().map(|slack| math::ln(slack.iter().product::<f64>())).sum(),
    };
    values.objective - barrier * logarithms
}

#[cfg(test)]
mod tests {
    use super::{
        Acceptance, FILTER_DESCENT, FILTER_MARGIN, FILTER_ROUND_OFF, Judge, MERIT_DESCENT, MERIT_ROUND_OFF, PENALTY,
        SWITCH, Search,
    };

    const HERE: Search = Search { errors: 2.0, barrier_function: 5.0, slope: -1.0 };

    #[test]
    fn the_filter_accepts_what_improves_errors_or_barrier_function() {
        let judge = Judge::new(Acceptance::Filter, 2.0);
        assert_eq!(judge.accepts(&HERE, 1.0, 1.9, 7.0), Some(true), "fewer errors");
        assert_eq!(judge.accepts(&HERE, 1.0, 3.0, 4.9), Some(true), "a smaller barrier function");
        assert_eq!(judge.accepts(&HERE, 1.0, 2.1, 5.1), None, "neither");
        assert_eq!(judge.accepts(&HERE, 1.0, 2.1e4, 0.0), None, "errors out of range");
        assert_eq!(judge.accepts(&HERE, 1.0, 0.0, f64::NAN), None, "no number");
        assert_eq!(judge.accepts(&HERE, 1.0, f64::NAN, 0.0), None, "no number");
    }

    #[test]
    fn the_filter_keeps_away_from_its_entries_until_the_barrier_falls() {
        let mut judge = Judge::new(Acceptance::Filter, 2.0);
        judge.augment(&Search { errors: 1.0, barrier_function: 4.0, slope: 0.0 });
        assert_eq!(judge.accepts(&HERE, 1.0, 1.5, 4.5), None, "better than here, but not than the entry");
        assert_eq!(judge.accepts(&HERE, 1.0, 0.5, 4.5), Some(true));
        judge.forget();
        assert_eq!(judge.accepts(&HERE, 1.0, 1.5, 4.5), Some(true));
    }

    #[test]
    fn near_feasible_points_the_filter_asks_for_descent_and_remembers_nothing() {
        let judge = Judge::new(Acceptance::Filter, 1.0);
        let feasible = Search { errors: 1e-9, ..HERE };
        assert_eq!(judge.accepts(&feasible, 1.0, 1e-8, 4.0), Some(false));
        // The errors alone are not enough.
        assert_eq!(judge.accepts(&feasible, 1.0, 0.0, 5.0 + 1e-6), None);
        // A step that climbs does not switch.
        let climbing = Search { slope: 1.0, ..feasible };
        assert_eq!(judge.accepts(&climbing, 1.0, 0.0, 6.0), Some(true));
    }

    #[test]
    fn the_merit_function_weighs_errors_so_that_the_step_descends() {
        let mut judge = Judge::new(Acceptance::Merit, 2.0);
        let climbing = Search { slope: 4.0, ..HERE };
        judge.begin(&climbing);
        // ν = 1.5 · 4 / 2 = 3: the merit is 5 + 6, its slope 4 - 6.
        assert_eq!(judge.accepts(&climbing, 0.5, 1.0, 7.0), Some(false), "7 + 3 < 11");
        assert_eq!(judge.accepts(&climbing, 0.5, 1.0, 8.0), None, "8 + 3 = 11");
        assert_eq!(judge.accepts(&climbing, 0.5, 1.0, f64::NAN), None);
        judge.forget();
        assert_eq!(judge.accepts(&HERE, 1.0, 100.0, 4.0), Some(false), "errors weigh nothing");
    }

    /// Accepts what is `slack` below a limit, and not what is as much above it.
    fn ends_at(judge: &Judge, search: &Search, length: f64, errors: f64, limit: f64, slack: f64) {
        assert!(judge.accepts(search, length, errors, limit - slack).is_some(), "{judge:?} below {limit}");
        assert!(judge.accepts(search, length, errors, limit + slack).is_none(), "{judge:?} above {limit}");
    }

    #[test]
    fn limits_of_both_rules_allow_for_rounding() {
        let merit = Judge::Merit { penalty: 3.0 };
        let search = Search { errors: 2.0, barrier_function: 40.0, slope: -4.0 };
        // The merit is 46, its slope -10; a trial with half of the errors has 3 of them.
        let limit = 46.0 - MERIT_DESCENT * 0.25 * 10.0 + MERIT_ROUND_OFF * 46.0 - 3.0;
        ends_at(&merit, &search, 0.25, 1.0, limit, 0.3 * MERIT_ROUND_OFF * 46.0);
        // Of the filter, with as many errors: 1e-8 of them below, and the rounding above.
        let filter = Judge::new(Acceptance::Filter, 2.0);
        let rounding = FILTER_ROUND_OFF * 4e5;
        let large = Search { barrier_function: 4e5, ..search };
        ends_at(&filter, &large, 1.0, 2.0, 4e5 - FILTER_MARGIN.1 * 2.0 + rounding, 0.3 * FILTER_MARGIN.1);
        let larger = Search { barrier_function: -4e6, errors: 1e-3, ..search };
        ends_at(&filter, &larger, 1.0, 1e-3, -4e6 + 10.0 * rounding, 0.3 * 10.0 * rounding);
        // Errors by a hundred-thousandth.
        let fewer = |fraction: f64| filter.accepts(&search, 1.0, 2.0 * (1.0 - fraction), 41.0);
        assert_eq!((fewer(1.1 * FILTER_MARGIN.0), fewer(0.9 * FILTER_MARGIN.0)), (Some(true), None));
        // A step that descends near feasible points.
        let steep = Search { errors: 1e-9, barrier_function: 4e5, slope: -4e3 };
        ends_at(&filter, &steep, 0.25, 1e-9, 4e5 - FILTER_DESCENT * 1e3 + rounding, 0.3 * rounding);
    }

    #[test]
    fn the_filter_switches_by_the_length_of_the_step() {
        // α 0.01^2.3 against (1e-5)^1.1: at the length 0.126 both are equal.
        let filter = Judge::new(Acceptance::Filter, 1.0);
        let search = Search { errors: 1e-5, barrier_function: 5.0, slope: -0.01 };
        let equal = search.errors.powf(SWITCH.0) / 0.01_f64.powf(SWITCH.1);
        assert!((0.1..0.2).contains(&equal));
        // Errors that fall are enough only where it does not switch.
        assert_eq!(filter.accepts(&search, 1.01 * equal, 0.0, 6.0), None);
        assert_eq!(filter.accepts(&search, 0.99 * equal, 0.0, 6.0), Some(true));
        // Without a slope it does not.
        assert_eq!(filter.accepts(&Search { slope: 0.0, ..search }, 1.0, 0.0, 6.0), Some(true));
    }

    #[test]
    fn the_penalty_is_raised_where_it_is_too_small() {
        let raised = |penalty: f64, slope: f64, errors: f64| {
            let mut judge = Judge::Merit { penalty };
            judge.begin(&Search { errors, barrier_function: 0.0, slope });
            let Judge::Merit { penalty } = judge else { return f64::NAN };
            penalty
        };
        // 0.9 · 3 · 2 = 5.4.
        assert_eq!(raised(3.0, 5.5, 2.0), PENALTY.1 * 5.5 / 2.0);
        assert_eq!(raised(3.0, 5.3, 2.0), 3.0);
        // Errors that are rounding do not count.
        assert_eq!(raised(3.0, 5.5, 0.5 * MERIT_ROUND_OFF), 3.0);
    }
}
