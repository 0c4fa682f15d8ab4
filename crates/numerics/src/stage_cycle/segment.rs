//! One segment of a course: its stages eliminated from the last to the first.
//!
//! With the symbols of the parent module, ξ the states and υ the controls of node i + 1, and B_ξ
//! and B_υ the columns of B_i for them, the equations give the states:
//!
//! ```text
//! ξ = e + P x_i + Q υ,      e = B_ξ⁻¹ e_i,   P = -B_ξ⁻¹ A_i,   Q = -B_ξ⁻¹ B_υ                 (1)
//! ```
//!
//! The nodes from i + 1 on leave a quadratic function of x_{i+1} = (ξ, υ) and of the
//! parameters π,
//!
//! ```text
//! ½ xᵀ V x + xᵀ W π + ½ πᵀ Z π + vᵀ x + wᵀ π                                                 (2)
//! ```
//!
//! that begins at the segment's last node with V = H / 2, while its copy in the next segment has
//! the other half, W = I, which couples both, and Z = 0. At the end of an open course V = H, and W
//! = 0 and Z = -I for variables that are free. With (1) in (2) and the coupling K_i it is a
//! function of x_i, υ and π, whose second and first derivatives are
//!
//! ```text
//! S = Qᵀ V_ξξ Q + Qᵀ V_ξυ + V_υξ Q + V_υυ                       by υ twice: the pivot         (3)
//! G = Qᵀ (K_ξ + V_ξξ P) + K_υ + V_υξ P                          by υ and x_i                  (4)
//! G_π = Qᵀ W_ξ + W_υ                                            by υ and π                    (5)
//! g = Qᵀ m_ξ + m_υ,   m = v + V_·ξ e                            by υ alone                    (6)
//! ```
//!
//! and its minimum over υ, where the minimum is at
//!
//! ```text
//! υ = -S⁻¹ (G x_i + G_π π + g)                                                               (7)
//! ```
//!
//! is again of the form (2):
//!
//! ```text
//! V ← H_i + Pᵀ V_ξξ P + K_ξᵀ P + Pᵀ K_ξ - Gᵀ S⁻¹ G                                           (8)
//! W ← Pᵀ W_ξ - Gᵀ S⁻¹ G_π            Z ← Z - G_πᵀ S⁻¹ G_π                                    (9)
//! v ← -r_i + Pᵀ m_ξ + K_ξᵀ e - Gᵀ S⁻¹ g      w ← w + W_ξᵀ e - G_πᵀ S⁻¹ g                    (10)
//! ```
//!
//! Multipliers of the equations follow from the derivative by ξ, which B_ξᵀ y cancels:
//!
//! ```text
//! y_i = -B_ξ⁻ᵀ (v_ξ + V_ξ· x_{i+1} + W_ξ π + K_ξ x_i)                                       (11)
//! ```
//!
//! Source: Rao, Wright and Rawlings (1998), section 3, for (3) to (8); Wright (1991) for the
//! parameters.

#![allow(clippy::needless_range_loop, reason = "indices of matrices, as in the formulas")]

use super::{StageCycle, add, dot};
use crate::block_cycle::SingularBlock;
use crate::symmetric_pivot::SymmetricPivot;

/// The rest of a segment after its elimination: a quadratic function of its first node and of the
/// multipliers π of its last node, which are parameters.
#[derive(Clone, Debug)]
pub struct Segment<const E: usize, const C: usize, const U: usize> {
    begin: usize,
    stages: Vec<Stage<E, C, U>>,
    /// Second derivatives by the first node, by it and π, and by π.
    pub(super) value: [[f64; U]; U],
    pub(super) border: [[f64; U]; U],
    pub(super) corner: [[f64; U]; U],
    /// First derivatives by the first node and by π.
    pub(super) slope: [f64; U],
    pub(super) border_slope: [f64; U],
    /// The solution's first node and π.
    pub(super) first: [f64; U],
    pub(super) parameters: [f64; U],
    /// Number of negative eigenvalues of the controls' pivots, or the interval where one was
    /// singular.
    negative: Result<usize, SingularBlock>,
}

/// An eliminated interval.
#[derive(Clone, Debug)]
struct Stage<const E: usize, const C: usize, const U: usize> {
    /// Inverse of B's columns of states.
    inverse: [[f64; E]; E],
    /// The next node's states by this node's variables and by the next node's controls.
    by_here: [[f64; U]; E],
    by_control: [[f64; C]; E],
    /// Second derivatives at the next node: rows of the states, by its variables and by π.
    value: [[f64; U]; E],
    border: [[f64; U]; E],
    pivot: SymmetricPivot<C>,
    /// The next node's controls, negative, by this node's variables and by π.
    gain: [[f64; U]; C],
    border_gain: [[f64; U]; C],
    /// Constant parts of the next node's states and controls, and first derivatives by its states.
    state: [f64; E],
    control: [f64; C],
    slope: [f64; E],
}

impl<const E: usize, const C: usize, const U: usize> Segment<E, C, U> {
    /// The segment of the intervals from `begin` to before `end`.
    pub(super) fn new(begin: usize, end: usize) -> Self {
        let stage = Stage {
            inverse: [[0.0; E]; E],
            by_here: [[0.0; U]; E],
            by_control: [[0.0; C]; E],
            value: [[0.0; U]; E],
            border: [[0.0; U]; E],
            pivot: SymmetricPivot::default(),
            gain: [[0.0; U]; C],
            border_gain: [[0.0; U]; C],
            state: [0.0; E],
            control: [0.0; C],
            slope: [0.0; E],
        };
        Self {
            begin,
            stages: vec![stage; end - begin],
            value: [[0.0; U]; U],
            border: [[0.0; U]; U],
            corner: [[0.0; U]; U],
            slope: [0.0; U],
            border_slope: [0.0; U],
            first: [0.0; U],
            parameters: [0.0; U],
            negative: Ok(0),
        }
    }

    /// Number of its intervals, and of its nodes without the last one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a segment has at least one interval")]
    pub fn len(&self) -> usize {
        self.stages.len()
    }

    pub(super) fn negative(&self) -> Result<usize, SingularBlock> {
        self.negative
    }

    /// Whether the last node is that of an open course.
    fn ends(&self, matrix: &StageCycle<E, C, U>) -> bool {
        !matrix.closed && self.begin + self.stages.len() == matrix.intervals()
    }

    /// Eliminates all nodes but the first: equations (3) to (9).
    pub fn eliminate(&mut self, matrix: &StageCycle<E, C, U>) {
        self.negative = self.eliminated(matrix);
    }

    fn eliminated(&mut self, matrix: &StageCycle<E, C, U>) -> Result<usize, SingularBlock> {
        // Equation (2) at the last node.
        let end = matrix.next(self.begin + self.stages.len() - 1);
        let mut value = matrix.hessian[end];
        if !self.ends(matrix) {
            value.as_flattened_mut().iter_mut().for_each(|entry| *entry *= 0.5);
        }
        let (mut border, mut corner) = ([[0.0; U]; U], [[0.0; U]; U]);
        for k in 0..U {
            if !self.ends(matrix) || matrix.fixed[1][k] {
                border[k][k] = 1.0;
            } else {
                corner[k][k] = -1.0;
            }
        }
        let mut negative = 0;
        for (offset, stage) in self.stages.iter_mut().enumerate().rev() {
            let i = self.begin + offset;
            let singular = SingularBlock { block: i };
            let coupling = &matrix.coupling[i];
            let there = &matrix.there[i];
            // Equation (1).
            let inverse = inverse(std::array::from_fn(|r| std::array::from_fn(|c| there[r][c]))).ok_or(singular)?;
            let here = &matrix.here[i];
            let (mut by_here, mut by_control) = ([[0.0; U]; E], [[0.0; C]; E]);
            for r in 0..E {
                for k in 0..E {
                    add(&mut by_here[r], &here[k], -inverse[r][k]);
                    for c in 0..C {
                        by_control[r][c] -= inverse[r][k] * there[k][E + c];
                    }
                }
                (stage.value[r], stage.border[r]) = (value[r], border[r]);
            }
            (stage.inverse, stage.by_here, stage.by_control) = (inverse, by_here, by_control);
            // K_ξ + V_ξξ P / 2: (8) is this by P, plus the transpose.
            let mut half = [[0.0; U]; E];
            for r in 0..E {
                let mut row = coupling[r];
                for k in 0..E {
                    add(&mut row, &by_here[k], 0.5 * value[r][k]);
                }
                half[r] = row;
            }
            // Equations (3) to (5): `pivot` is S, `cross` is G and `border_cross` is G_π.
            let mut cross: [[f64; U]; C] = std::array::from_fn(|c| coupling[E + c]);
            let mut border_cross: [[f64; U]; C] = std::array::from_fn(|c| border[E + c]);
            let mut pivot: [[f64; C]; C] = std::array::from_fn(|r| std::array::from_fn(|c| value[E + r][E + c]));
            for c in 0..C {
                // A column of Q.
                let column: [f64; E] = std::array::from_fn(|k| by_control[k][c]);
                for k in 0..E {
                    // `half` has only half of V_ξξ P.
                    let through: f64 = (0..E).map(|r| column[r] * value[r][k]).sum();
                    add(&mut cross[c], &half[k], column[k]);
                    add(&mut cross[c], &by_here[k], 0.5 * through + value[E + c][k]);
                    add(&mut border_cross[c], &border[k], column[k]);
                    for other in 0..C {
                        let product = through * by_control[k][other];
                        pivot[c][other] += product + value[E + c][k] * by_control[k][other];
                        pivot[c][other] += value[E + other][k] * column[k];
                    }
                }
            }
            // S⁻¹ G and S⁻¹ G_π.
            negative += stage.pivot.set(pivot).ok_or(singular)?;
            let (mut gain, mut border_gain) = (cross, border_cross);
            stage.pivot.solve_columns(&mut gain);
            stage.pivot.solve_columns(&mut border_gain);
            (stage.gain, stage.border_gain) = (gain, border_gain);
            // Equations (8) and (9).
            let (mut next_value, mut next_border) = ([[0.0; U]; U], [[0.0; U]; U]);
            for r in 0..U {
                let (mut row, mut border_row, mut corner_row) = ([0.0; U], [0.0; U], corner[r]);
                for k in 0..E {
                    let factor = by_here[k][r];
                    add(&mut row, &half[k], factor);
                    add(&mut border_row, &border[k], factor);
                }
                for c in 0..C {
                    // Half of it: the sum with the transpose has the whole.
                    add(&mut row, &gain[c], -0.5 * cross[c][r]);
                    add(&mut border_row, &border_gain[c], -cross[c][r]);
                    add(&mut corner_row, &border_gain[c], -border_cross[c][r]);
                }
                (next_value[r], next_border[r], corner[r]) = (row, border_row, corner_row);
            }
            symmetrise(&mut next_value);
            // Where segments meet, both have half of the node's own: neither is singular without.
            let part = if offset > 0 || i == 0 && !matrix.closed { 1.0 } else { 0.5 };
            for (row, own) in next_value.iter_mut().zip(&matrix.hessian[i]) {
                add(row, own, part);
            }
            (value, border) = (next_value, next_border);
        }
        (self.value, self.border, self.corner) = (value, border, corner);
        Ok(negative)
    }

    /// Eliminates the right-hand sides `x` and `y` of the whole course.
    pub fn reduce(&mut self, matrix: &StageCycle<E, C, U>, x: &[[f64; U]], y: &[[f64; E]]) {
        let end = matrix.next(self.begin + self.stages.len() - 1);
        let mut slope = x[end].map(|entry| -entry);
        if self.ends(matrix) {
            slope.iter_mut().zip(&matrix.fixed[1]).filter(|(_, fixed)| **fixed).for_each(|(entry, _)| *entry = 0.0);
        }
        self.border_slope = [0.0; U];
        for (offset, stage) in self.stages.iter_mut().enumerate().rev() {
            let i = self.begin + offset;
            stage.state = std::array::from_fn(|r| dot(&stage.inverse[r], &y[i])); // equation (1)
            stage.slope = std::array::from_fn(|k| slope[k]);
            // m of equation (6).
            let mut moved = slope;
            for (row, state) in stage.value.iter().zip(&stage.state) {
                add(&mut moved, row, *state);
            }
            // Equations (6) and (10).
            slope = if offset > 0 || i == 0 && !matrix.closed { x[i].map(|entry| -entry) } else { [0.0; U] };
            let mut push: [f64; C] = std::array::from_fn(|c| moved[E + c]);
            for k in 0..E {
                add(&mut slope, &stage.by_here[k], moved[k]);
                add(&mut slope, &matrix.coupling[i][k], stage.state[k]);
                add(&mut self.border_slope, &stage.border[k], stage.state[k]);
                add(&mut push, &stage.by_control[k], moved[k]);
            }
            stage.control = push;
            stage.pivot.solve(&mut stage.control);
            for c in 0..C {
                add(&mut slope, &stage.gain[c], -push[c]);
                add(&mut self.border_slope, &stage.border_gain[c], -push[c]);
            }
        }
        self.slope = slope;
    }

    /// The solution at this segment's nodes, `x`, and of the multipliers of its intervals, `y`.
    pub fn expand(&self, matrix: &StageCycle<E, C, U>, x: &mut [[f64; U]], y: &mut [[f64; E]]) {
        let mut at = self.first;
        for (offset, stage) in self.stages.iter().enumerate() {
            x[offset] = at;
            let next = stage.next(&at, &self.parameters);
            let coupling = &matrix.coupling[self.begin + offset];
            // Equation (11).
            let mut multipliers = [0.0; E];
            for k in 0..E {
                let push = stage.slope[k]
                    + dot(&stage.value[k], &next)
                    + dot(&stage.border[k], &self.parameters)
                    + dot(&coupling[k], &at);
                add(&mut multipliers, &stage.inverse[k], -push);
            }
            y[offset] = multipliers;
            at = next;
        }
    }

    /// The segment's last node in the solution.
    pub(super) fn last_node(&self, _: &StageCycle<E, C, U>) -> [f64; U] {
        self.stages.iter().fold(self.first, |at, stage| stage.next(&at, &self.parameters))
    }
}

impl<const E: usize, const C: usize, const U: usize> Stage<E, C, U> {
    /// The next node's variables by this node's and π.
    #[inline]
    fn next(&self, here: &[f64; U], parameters: &[f64; U]) -> [f64; U] {
        let mut next = [0.0; U];
        // Equation (7).
        for c in 0..C {
            next[E + c] = -self.control[c] - dot(&self.gain[c], here) - dot(&self.border_gain[c], parameters);
        }
        // Equation (1).
        for k in 0..E {
            let by_control: f64 = (0..C).map(|c| self.by_control[k][c] * next[E + c]).sum();
            next[k] = self.state[k] + dot(&self.by_here[k], here) + by_control;
        }
        next
    }
}

/// a + aᵀ.
#[inline(always)]
fn symmetrise<const U: usize>(a: &mut [[f64; U]; U]) {
    for r in 0..U {
        for c in 0..=r {
            let sum = a[r][c] + a[c][r];
            a[r][c] = sum;
            a[c][r] = sum;
        }
    }
}

/// The inverse, by Gauss and Jordan with pivots of the column; `None` if singular.
fn inverse<const E: usize>(mut a: [[f64; E]; E]) -> Option<[[f64; E]; E]> {
    let mut inverse: [[f64; E]; E] = std::array::from_fn(|r| std::array::from_fn(|c| f64::from(u8::from(r == c))));
    for k in 0..E {
        let mut row = k;
        for r in k + 1..E {
            if a[r][k].abs() > a[row][k].abs() {
                row = r;
            }
        }
        a.swap(k, row);
        inverse.swap(k, row);
        let factor = 1.0 / a[k][k];
        if !factor.is_finite() || factor == 0.0 {
            return None;
        }
        a[k].iter_mut().for_each(|entry| *entry *= factor);
        inverse[k].iter_mut().for_each(|entry| *entry *= factor);
        let (pivot, pivot_inverse) = (a[k], inverse[k]);
        for r in (0..E).filter(|&r| r != k) {
            let factor = -a[r][k];
            add(&mut a[r], &pivot, factor);
            add(&mut inverse[r], &pivot_inverse, factor);
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn the_inverse_takes_the_largest_pivot_of_a_column() {
        let matrix = [[1e-17, 1.0, 2.0], [1.0, 1.0, 0.0], [3.0, -2.0, 1.0]];
        let found = inverse(matrix).expect("a regular matrix");
        for r in 0..3 {
            for c in 0..3 {
                let product: f64 = (0..3).map(|k| matrix[r][k] * found[k][c]).sum();
                assert!((product - f64::from(u8::from(r == c))).abs() < 1e-14, "{found:?}");
            }
        }
        assert_eq!(inverse([[0.0, 2.0], [4.0, 0.0]]), Some([[0.0, 0.25], [0.5, 0.0]]));
    }

    #[test]
    fn a_pivot_that_is_zero_or_no_number_has_no_inverse() {
        for matrix in [[[1.0, 2.0], [2.0, 4.0]], [[f64::INFINITY, 0.0], [0.0, 1.0]], [[f64::NAN, 0.0], [0.0, 1.0]]] {
            assert_eq!(inverse(matrix), None);
        }
    }
}
