//! Cubic splines on fixed knots: the tridiagonal system is factorised once and then solved for any
//! values.
//!
//! With knots `t_i`, intervals `h_i = t_{i+1} - t_i` and values `y_i`, the second derivatives `M_i`
//! at the knots satisfy
//!
//! ```text
//! h_{i-1}/6 M_{i-1} + (h_{i-1} + h_i)/3 M_i + h_i/6 M_{i+1}
//!     = (y_{i+1} - y_i)/h_i - (y_i - y_{i-1})/h_{i-1}                                        (1)
//! ```
//!
//! for every knot of a closed curve (indices modulo n) and every inner knot of an open one. The
//! second derivative is constant in the first and in the last interval of an open curve,
//!
//! ```text
//! M_0 = M_1        M_{n-1} = M_{n-2}                                                         (4)
//! ```
//!
//! so that a bend that goes on beyond an end does not straighten there; with two knots `M = 0`. See
//! de Boor, *A Practical Guide to Splines*, chapter IV.
//!
//! The closed system T is an open one, B, plus a correction of rank one (Sherman and Morrison
//! 1950), where c = h_{n-1}/6 is the corner's entry and γ = -T_00:
//!
//! ```text
//! T = B + u vᵀ        u = (γ, 0, …, 0, c)        v = (1, 0, …, 0, c/γ)                       (2)
//! T⁻¹ b = x - (v·x) / (1 + v·q) q        x = B⁻¹ b        q = B⁻¹ u                          (3)
//! ```
//!
//! Deviations: closed systems are solved by (3), and the elimination does not use
//! [`CyclicBand`](crate::CyclicBand). The search for the blend solves this system thousands of
//! times per factorisation. Stored reciprocals of the pivots avoid divisions in that loop.

/// The factorised spline system of one set of knots.
///
/// ```
/// use raceline_numerics::SplineKnots;
///
/// assert_eq!(SplineKnots::new(vec![1.0; 4], false).map(|knots| knots.len()), Some(5));
/// assert!(SplineKnots::new(vec![1.0, 0.0], false).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct SplineKnots {
    closed: bool,
    /// Interval lengths: n for a closed curve (the last leads back to the first knot), n - 1 for an
    /// open one.
    intervals: Vec<f64>,
    inverse_intervals: Vec<f64>,
    /// Elimination factors `h_{i-1}/6 / pivot_{i-1}`; zero in the first row.
    lower: Vec<f64>,
    /// Off-diagonal entry right of the pivot, `h_i / 6`.
    upper: Vec<f64>,
    inverse_pivots: Vec<f64>,
    /// Solution of the open system for the rank-one vector; empty for an open curve.
    correction: Vec<f64>,
    /// Last entry of `v = (1, 0, …, 0, corner)`, and `1 / (1 + v·correction)`.
    corner: f64,
    corner_scale: f64,
}

impl SplineKnots {
    /// Factorises the system for positive interval lengths: n of them for a closed curve of n ≥ 3
    /// knots, n - 1 for an open one of n ≥ 2. `None` when there are too few, or one is not positive
    /// and finite.
    #[must_use]
    pub fn new(intervals: Vec<f64>, closed: bool) -> Option<Self> {
        let knots = if closed { intervals.len() } else { intervals.len() + 1 };
        if knots < if closed { 3 } else { 2 } || intervals.iter().any(|h| !(h.is_finite() && *h > 0.0)) {
            return None;
        }
        let h = &intervals;
        let mut diagonal = vec![1.0; knots];
        let mut upper = vec![0.0; knots];
        let mut below = vec![0.0; knots];
        let inner = if closed { 0..knots } else { 1..knots - 1 };
        // Equation (1).
        for i in inner {
            let before = if i == 0 { h[knots - 1] } else { h[i - 1] };
            below[i] = before / 6.0;
            diagonal[i] = (before + h[i]) / 3.0;
            upper[i] = h[i] / 6.0;
        }
        if !closed && knots > 2 {
            // Equation (4).
            upper[0] = -1.0;
            below[knots - 1] = -1.0;
        }
        let mut corner = 0.0;
        if closed {
            // Equation (2).
            let c = h[knots - 1] / 6.0;
            let gamma = -diagonal[0];
            corner = c / gamma;
            diagonal[0] -= gamma;
            diagonal[knots - 1] -= c * c / gamma;
        }
        let mut lower = vec![0.0; knots];
        let mut inverse_pivots = vec![0.0; knots];
        inverse_pivots[0] = 1.0 / diagonal[0];
        for i in 1..knots {
            lower[i] = below[i] * inverse_pivots[i - 1];
            inverse_pivots[i] = 1.0 / (diagonal[i] - lower[i] * upper[i - 1]);
        }
        let inverse_intervals = h.iter().map(|h| 1.0 / h).collect();
        let mut system = Self {
            closed,
            intervals,
            inverse_intervals,
            lower,
            upper,
            inverse_pivots,
            correction: Vec::new(),
            corner,
            corner_scale: 0.0,
        };
        if closed {
            let c = system.intervals[knots - 1] / 6.0;
            // q and 1 / (1 + v·q) of equation (3).
            let mut u = vec![0.0; knots];
            u[0] = c / corner;
            u[knots - 1] = c;
            system.solve_open(&mut u);
            system.corner_scale = 1.0 / (1.0 + u[0] + corner * u[knots - 1]);
            system.correction = u;
        }
        Some(system)
    }

    /// Number of knots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lower.len()
    }

    /// Always `false`: there is at least one knot.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lower.is_empty()
    }

    /// Whether the curve is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Interval lengths, see [`Self::new`].
    #[must_use]
    pub fn intervals(&self) -> &[f64] {
        &self.intervals
    }

    /// Computes the second derivatives at the knots of the spline through `values`. Does not
    /// allocate.
    ///
    /// # Panics
    /// When `values` or `out` does not have [`Self::len`] entries.
    pub fn second_derivatives(&self, values: &[f64], out: &mut [f64]) {
        let n = self.len();
        let slope = |i: usize, j: usize| (values[j] - values[i]) * self.inverse_intervals[i];
        if self.closed {
            let first = slope(0, 1);
            let mut before = first;
            for (i, value) in out.iter_mut().enumerate().take(n - 1).skip(1) {
                let after = slope(i, i + 1);
                *value = after - before;
                before = after;
            }
            let last = slope(n - 1, 0);
            out[n - 1] = last - before;
            out[0] = first - last;
        } else {
            out[0] = 0.0;
            out[n - 1] = 0.0;
            for (i, value) in out.iter_mut().enumerate().take(n - 1).skip(1) {
                *value = slope(i, i + 1) - slope(i - 1, i);
            }
        }
        self.solve_open(out);
        if self.closed {
            // Equation (3).
            let factor = (out[0] + self.corner * out[n - 1]) * self.corner_scale;
            for (value, correction) in out.iter_mut().zip(&self.correction) {
                *value -= factor * correction;
            }
        }
    }

    /// Computes the first derivatives at the knots from values and their
    /// [`Self::second_derivatives`]. Does not allocate.
    ///
    /// # Panics
    /// When a slice does not have [`Self::len`] entries.
    pub fn first_derivatives(&self, values: &[f64], second: &[f64], out: &mut [f64]) {
        let n = self.len();
        let forward = |i: usize, j: usize| {
            (values[j] - values[i]) * self.inverse_intervals[i]
                - self.intervals[i] * (2.0 * second[i] + second[j]) / 6.0
        };
        for (i, value) in out.iter_mut().enumerate().take(n - 1) {
            *value = forward(i, i + 1);
        }
        out[n - 1] = if self.closed {
            forward(n - 1, 0)
        } else {
            let h = self.intervals[n - 2];
            (values[n - 1] - values[n - 2]) * self.inverse_intervals[n - 2]
                + h * (second[n - 2] + 2.0 * second[n - 1]) / 6.0
        };
    }

    fn solve_open(&self, rhs: &mut [f64]) {
        let n = rhs.len();
        for i in 1..n {
            rhs[i] -= self.lower[i] * rhs[i - 1];
        }
        rhs[n - 1] *= self.inverse_pivots[n - 1];
        for i in (0..n - 1).rev() {
            rhs[i] = (rhs[i] - self.upper[i] * rhs[i + 1]) * self.inverse_pivots[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SplineKnots;

    /// Second and first derivatives of the spline through `values`.
    fn derivatives(intervals: &[f64], values: &[f64], closed: bool) -> (Vec<f64>, Vec<f64>) {
        let knots = SplineKnots::new(intervals.to_vec(), closed).unwrap();
        let (mut second, mut first) = (vec![0.0; values.len()], vec![0.0; values.len()]);
        knots.second_derivatives(values, &mut second);
        knots.first_derivatives(values, &second, &mut first);
        (second, first)
    }

    /// Through 0, 1, 0 at unit distance: `M = -2` everywhere, a parabola.
    #[test]
    fn three_open_knots_solved_by_hand() {
        let (second, first) = derivatives(&[1.0, 1.0], &[0.0, 1.0, 0.0], false);
        for (found, known) in second.iter().zip([-2.0; 3]) {
            assert!((found - known).abs() < 1e-15, "{second:?}");
        }
        for (found, known) in first.iter().zip([2.0, 0.0, -2.0]) {
            assert!((found - known).abs() < 1e-15, "{first:?}");
        }
    }

    /// Through 1, -1, 1, -1 on a ring `M` alternates too: `(2/3 - 2/6) M = -4`.
    #[test]
    fn four_closed_knots_solved_by_hand() {
        let (second, first) = derivatives(&[1.0; 4], &[1.0, -1.0, 1.0, -1.0], true);
        for (found, known) in second.iter().zip([-12.0, 12.0, -12.0, 12.0]) {
            assert!((found - known).abs() < 1e-13, "{second:?}");
        }
        assert!(first.iter().all(|slope| slope.abs() < 1e-13), "{first:?}");
    }

    #[test]
    fn a_straight_line_has_no_second_derivative() {
        let (second, first) = derivatives(&[0.5, 3.0, 1.0], &[1.0, 2.0, 8.0, 10.0], false);
        assert!(second.iter().all(|value| value.abs() < 1e-14), "{second:?}");
        assert!(first.iter().all(|slope| (slope - 2.0).abs() < 1e-14), "{first:?}");
    }

    #[test]
    fn derivatives_of_a_sine_converge_with_second_and_third_order() {
        let errors = |count: usize| {
            let step = std::f64::consts::TAU / count as f64;
            let values: Vec<f64> = (0..count).map(|i| (step * i as f64).sin()).collect();
            let (second, first) = derivatives(&vec![step; count], &values, true);
            let largest_error = |found: &[f64], exact: fn(f64) -> f64| {
                (0..count).map(|i| (found[i] - exact(step * i as f64)).abs()).fold(0.0, f64::max)
            };
            (largest_error(&second, |t| -t.sin()), largest_error(&first, f64::cos))
        };
        let (coarse, fine) = (errors(20), errors(40));
        assert!(coarse.0 / fine.0 > 3.8 && coarse.1 / fine.1 > 8.0, "{coarse:?} {fine:?}");
    }

    #[test]
    fn too_few_intervals_and_bad_ones_are_refused() {
        for (intervals, closed) in [
            (vec![], false),
            (vec![1.0; 2], true),
            (vec![1.0, 0.0, 1.0], true),
            (vec![1.0, -1.0], false),
            (vec![1.0, f64::NAN], false),
            (vec![f64::INFINITY], false),
        ] {
            assert!(SplineKnots::new(intervals.clone(), closed).is_none(), "{intervals:?}");
        }
        assert_eq!(SplineKnots::new(vec![1.0], false).map(|knots| knots.len()), Some(2));
    }
}
