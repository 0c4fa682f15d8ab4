//! Quadratic programs whose matrix has five diagonals, with a lower and an upper bound for each variable.
//!
//! Solved by a primal-dual interior-point method (Nocedal and Wright, *Numerical Optimization*, section 16.6), a step of which is one factorisation of the
//! band: a few steps, each in proportion to the number of variables. Every iterate lies strictly between the bounds, so that also one that is
//! stopped at [`MOST_STEPS`], or where numbers overflow, can be used.

/// Most steps, and the mean complementarity at which it ends.
const MOST_STEPS: usize = 60;
const COMPLEMENTARITY: f64 = 1e-9;
/// First multiplier of each bound.
const FIRST_MULTIPLIER: f64 = 1e-2;
/// Complementarity aimed at by the next step, as a share of this one's.
const CENTRING: f64 = 0.1;
/// A step leaves every slack and multiplier at least this share of what it was.
const KEPT: f64 = 0.01;

/// ½ xᵀ H x + gᵀ x, to be made least.
pub(crate) struct BandProgram {
    diagonal: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    linear: Vec<f64>,
}

impl BandProgram {
    /// ½ `weight` |x|², for `count` variables; `weight` must be above 0.
    pub(crate) fn new(count: usize, weight: f64) -> Self {
        Self {
            diagonal: vec![weight; count],
            first: vec![0.0; count],
            second: vec![0.0; count],
            linear: vec![0.0; count],
        }
    }

    /// Adds ½ (a x_(i-1) + b x_i + c x_(i+1) + constant)².
    pub(crate) fn add_square(&mut self, i: usize, [a, b, c]: [f64; 3], constant: f64) {
        for (place, factor) in [(i - 1, a), (i, b), (i + 1, c)] {
            self.diagonal[place] += factor * factor;
            self.linear[place] += factor * constant;
        }
        self.first[i - 1] += a * b;
        self.first[i] += b * c;
        self.second[i - 1] += a * c;
    }

    /// The solution, each variable strictly between its bounds, of which the first must be less than the second.
    pub(crate) fn solve(&self, bounds: &[[f64; 2]]) -> Vec<f64> {
        let count = bounds.len();
        let mut solution: Vec<f64> = bounds.iter().map(|[least, most]| 0.5 * (least + most)).collect();
        let mut below = vec![FIRST_MULTIPLIER; count];
        let mut above = vec![FIRST_MULTIPLIER; count];
        let mut direction = vec![0.0; count];
        let mut band = Band::new(count);
        for _ in 0..MOST_STEPS {
            let slacks = |i: usize, x: f64| [x - bounds[i][0], bounds[i][1] - x];
            let mut sum = 0.0;
            for i in 0..count {
                let [down, up] = slacks(i, solution[i]);
                sum += below[i] * down + above[i] * up;
            }
            let complementarity = sum / (2 * count) as f64;
            if complementarity < COMPLEMENTARITY {
                break;
            }
            let aim = CENTRING * complementarity;
            self.gradient(&solution, &mut direction);
            band.set(self);
            for i in 0..count {
                let [down, up] = slacks(i, solution[i]);
                band.diagonal[i] += below[i] / down + above[i] / up;
                direction[i] = -direction[i] + aim / down - aim / up;
            }
            band.solve(&mut direction);
            if !direction.iter().all(|change| change.is_finite()) {
                break;
            }
            let changes = |i: usize, below: f64, above: f64, x: f64, change: f64| {
                let [down, up] = slacks(i, x);
                [(aim - below * change) / down - below, (aim + above * change) / up - above]
            };
            let longest = |value: f64, change: f64| {
                if change < 0.0 { (KEPT - 1.0) * value / change } else { f64::INFINITY }
            };
            let mut step = 1.0_f64;
            for i in 0..count {
                let [down, up] = slacks(i, solution[i]);
                let [below_by, above_by] = changes(i, below[i], above[i], solution[i], direction[i]);
                step = step
                    .min(longest(down, direction[i]))
                    .min(longest(up, -direction[i]))
                    .min(longest(below[i], below_by))
                    .min(longest(above[i], above_by));
            }
            for i in 0..count {
                let [below_by, above_by] = changes(i, below[i], above[i], solution[i], direction[i]);
                below[i] += step * below_by;
                above[i] += step * above_by;
                solution[i] += step * direction[i];
            }
        }
        solution
    }

    fn gradient(&self, offsets: &[f64], gradient: &mut [f64]) {
        let count = offsets.len();
        for i in 0..count {
            gradient[i] = self.linear[i] + self.diagonal[i] * offsets[i];
        }
        for i in 0..count - 1 {
            gradient[i] += self.first[i] * offsets[i + 1];
            gradient[i + 1] += self.first[i] * offsets[i];
        }
        for i in 0..count - 2 {
            gradient[i] += self.second[i] * offsets[i + 2];
            gradient[i + 2] += self.second[i] * offsets[i];
        }
    }
}

/// A symmetric positive definite matrix of five diagonals, and its factors L D Lᵀ.
struct Band {
    diagonal: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
}

impl Band {
    fn new(count: usize) -> Self {
        Self { diagonal: vec![0.0; count], first: vec![0.0; count], second: vec![0.0; count] }
    }

    fn set(&mut self, problem: &BandProgram) {
        self.diagonal.copy_from_slice(&problem.diagonal);
        self.first.copy_from_slice(&problem.first);
        self.second.copy_from_slice(&problem.second);
    }

    /// Replaces the right side by the solution, and the matrix by its factors.
    fn solve(&mut self, right: &mut [f64]) {
        let count = right.len();
        let Self { diagonal, first, second } = self;
        for i in 0..count {
            if i + 1 < count {
                let (one, two) = (first[i], second[i]);
                first[i] = one / diagonal[i];
                second[i] = two / diagonal[i];
                diagonal[i + 1] -= first[i] * one;
                if i + 2 < count {
                    first[i + 1] -= first[i] * two;
                    diagonal[i + 2] -= second[i] * two;
                }
            }
        }
        for i in 0..count {
            if i + 1 < count {
                right[i + 1] -= first[i] * right[i];
            }
            if i + 2 < count {
                right[i + 2] -= second[i] * right[i];
            }
        }
        for i in (0..count).rev() {
            right[i] /= diagonal[i];
            if i + 1 < count {
                right[i] -= first[i] * right[i + 1];
            }
            if i + 2 < count {
                right[i] -= second[i] * right[i + 2];
            }
        }
    }
}
