//! Newton's matrix of an optimal control problem, open or periodic, factorised stage by stage.
//!
//! Node i has U variables x_i: E states and then C controls. E equations lead from each node to the
//! next, with the multipliers y_i.
//!
//! ```text
//! minimise   Σ ½ x_iᵀ H_i x_i + x_{i+1}ᵀ K_i x_i - r_iᵀ x_i
//! subject to A_i x_i + B_i x_{i+1} = e_i                                                     (1)
//! ```
//!
//! From the last node to the first, the equations give the states of node i + 1 by x_i and the
//! controls of node i + 1, and the minimum over these controls leaves a quadratic function of x_i:
//! Riccati's recursion. A stage costs some products of E × U matrices and a pivot of C × C, so it
//! is much cheaper than dense blocks of U + E rows.
//!
//! The course is cut into segments. A segment's last node is a copy of the next segment's first
//! one, and the multipliers π of their equality are carried along as parameters. What remains is a
//! small ring of blocks (x, π), one per segment ([`BlockCycle`]), where V, W and Z are those of a
//! segment's first node (`stage_cycle/segment.rs`, equation (2)):
//!
//! ```text
//! V_s x_s + W_s π_s - π_{s-1} = -v_s        W_sᵀ x_s + Z_s π_s - x_{s+1} = -w_s              (2)
//! ```
//!
//! Segments do not depend on each other, so threads may work on them; their number depends on the
//! number of nodes alone.
//!
//! **Inertia.** The pivots of states and equations have E negative eigenvalues each, whatever H.
//! The signs of the controls' pivots and of the joint's therefore determine whether the whole
//! matrix has as many negative eigenvalues as equations (Haynsworth's additivity). With S segments
//! of U parameters, each of which has a negative eigenvalue of its own,
//!
//! ```text
//! negative = E · intervals + negative(controls) + negative(joint) - U S                      (3)
//! ```
//!
//! Sources: Rao, Wright and Rawlings, *Application of interior-point methods to model predictive
//! control*, Journal of Optimization Theory and Applications 99 (1998), section 3; Wright,
//! *Partitioned dynamic programming for optimal control*, SIAM Journal on Optimization 1 (1991).
//! Deviation: the equations are implicit, since collocation is, and the course may be a ring.

mod segment;

pub use segment::Segment;

use super::block_cycle::{BlockCycle, BlockFactors, SingularBlock};

/// A segment has at least this many intervals; the smallest and the largest number of segments.
const SEGMENT_INTERVALS: usize = 128;
const SEGMENTS: (usize, usize) = (3, 16);

/// The matrix of problem (1): U = E + C variables a node, of which E are states.
///
/// ```
/// use raceline_numerics::{StageCycle, StageFactors};
///
/// # fn main() -> Result<(), raceline_numerics::SingularBlock> {
/// // From 0 to 1 in eight steps u with the smallest Σ u²: x_{i+1} - x_i - u_{i+1} = 0.
/// let mut matrix = StageCycle::<1, 1, 2>::zeros(9, false);
/// matrix.hessian.fill([[0.0, 0.0], [0.0, 2.0]]);
/// matrix.here.fill([[-1.0, 0.0]]);
/// matrix.there.fill([[1.0, -1.0]]);
/// matrix.fixed = [[true, true], [true, false]];
/// let mut factors = StageFactors::<1, 1, 2, 4>::new(9, false);
/// factors.factorise(&matrix)?;
/// assert_eq!(factors.negative_eigenvalues(), 8);
/// // What is fixed stays 0, so the last step leads to a node that is at 1 already.
/// let (mut x, mut y) = (vec![[0.0; 2]; 9], vec![[0.0]; 9]);
/// y[7] = [-1.0];
/// factors.solve(&matrix, &mut x, &mut y);
/// assert!(x[1..].iter().all(|[_, step]| (step - 0.125).abs() < 1e-12));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct StageCycle<const E: usize, const C: usize, const U: usize> {
    /// H_i, symmetric.
    pub hessian: Vec<[[f64; U]; U]>,
    /// K_i: rows of node i + 1, columns of node i.
    pub coupling: Vec<[[f64; U]; U]>,
    /// A_i.
    pub here: Vec<[[f64; U]; E]>,
    /// B_i.
    pub there: Vec<[[f64; U]; E]>,
    /// Variables of the first and of the last node of an open course that do not change.
    pub fixed: [[bool; U]; 2],
    closed: bool,
}

/// Factors of a [`StageCycle`]. J is twice U.
#[derive(Clone, Debug)]
pub struct StageFactors<const E: usize, const C: usize, const U: usize, const J: usize> {
    segments: Vec<Segment<E, C, U>>,
    joint: BlockCycle<J, U>,
    joint_factors: BlockFactors<J, U>,
    joint_step: Vec<[f64; J]>,
    /// Number of negative eigenvalues.
    negative: usize,
}

impl<const E: usize, const C: usize, const U: usize> StageCycle<E, C, U> {
    /// A matrix of zeros for `nodes` ≥ 3 nodes.
    #[must_use]
    pub fn zeros(nodes: usize, closed: bool) -> Self {
        const { assert!(E + C == U, "states and controls") };
        Self {
            hessian: vec![[[0.0; U]; U]; nodes],
            coupling: vec![[[0.0; U]; U]; nodes],
            here: vec![[[0.0; U]; E]; nodes],
            there: vec![[[0.0; U]; E]; nodes],
            fixed: [[false; U]; 2],
            closed,
        }
    }

    /// Number of intervals.
    #[must_use]
    pub fn intervals(&self) -> usize {
        if self.closed { self.hessian.len() } else { self.hessian.len() - 1 }
    }

    fn next(&self, i: usize) -> usize {
        if i + 1 == self.hessian.len() { 0 } else { i + 1 }
    }

    /// The product of this matrix and (x, y) at node i: by its variables, and the equations of the
    /// interval after it. Zero for what is fixed.
    #[must_use]
    pub fn product(&self, x: &[[f64; U]], y: &[[f64; E]], i: usize) -> ([f64; U], [f64; E]) {
        let last = self.hessian.len() - 1;
        let mut by_variables: [f64; U] = std::array::from_fn(|k| dot(&self.hessian[i][k], &x[i]));
        let mut by_equations = [0.0; E];
        if i < self.intervals() {
            let next = &x[self.next(i)];
            for (row, value) in self.coupling[i].iter().zip(next) {
                add(&mut by_variables, row, *value);
            }
            for (row, multiplier) in self.here[i].iter().zip(&y[i]) {
                add(&mut by_variables, row, *multiplier);
            }
            by_equations = std::array::from_fn(|k| dot(&self.here[i][k], &x[i]) + dot(&self.there[i][k], next));
        }
        if i > 0 || self.closed {
            let before = if i > 0 { i - 1 } else { last };
            for (entry, row) in by_variables.iter_mut().zip(&self.coupling[before]) {
                *entry += dot(row, &x[before]);
            }
            for (row, multiplier) in self.there[before].iter().zip(&y[before]) {
                add(&mut by_variables, row, *multiplier);
            }
        }
        if !self.closed {
            for (node, fixed) in [0, last].into_iter().zip(&self.fixed) {
                for (entry, fixed) in by_variables.iter_mut().zip(fixed) {
                    if i == node && *fixed {
                        *entry = 0.0;
                    }
                }
            }
        }
        (by_variables, by_equations)
    }
}

impl<const E: usize, const C: usize, const U: usize, const J: usize> StageFactors<E, C, U, J> {
    /// Room for the factors of a matrix of `nodes` nodes.
    #[must_use]
    pub fn new(nodes: usize, closed: bool) -> Self {
        const { assert!(J == 2 * U, "a joint is a node and as many multipliers") };
        let intervals = if closed { nodes } else { nodes - 1 };
        // A segment whose first node is fixed leads to any last node by its controls alone: with
        // fewer intervals than variables of a node its block of the joint could be singular.
        let most = if closed { intervals } else { (intervals / U).max(1) };
        let count = (intervals / SEGMENT_INTERVALS).clamp(SEGMENTS.0, SEGMENTS.1).min(most);
        let cut = |segment: usize| segment * intervals / count;
        Self {
            segments: (0..count).map(|k| Segment::new(cut(k), cut(k + 1))).collect(),
            joint: BlockCycle::zeros(count, closed),
            joint_factors: BlockFactors::new(count),
            joint_step: vec![[0.0; J]; count],
            negative: 0,
        }
    }

    /// The segments. Each must be eliminated before [`Self::join`].
    pub fn segments_mut(&mut self) -> &mut [Segment<E, C, U>] {
        &mut self.segments
    }

    /// Number of negative eigenvalues of the matrix.
    #[must_use]
    pub fn negative_eigenvalues(&self) -> usize {
        self.negative
    }

    /// Factorises `matrix`.
    ///
    /// # Errors
    /// [`SingularBlock`] when a pivot block is singular.
    pub fn factorise(&mut self, matrix: &StageCycle<E, C, U>) -> Result<(), SingularBlock> {
        self.segments.iter_mut().for_each(|segment| segment.eliminate(matrix));
        self.join(matrix)
    }

    /// Factorises what is left of `matrix` after the elimination of all segments.
    ///
    /// # Errors
    /// [`SingularBlock`] when a pivot block of a segment or of the joint is singular.
    pub fn join(&mut self, matrix: &StageCycle<E, C, U>) -> Result<(), SingularBlock> {
        let mut negative = 0;
        for (s, segment) in self.segments.iter().enumerate() {
            negative += segment.negative()?;
            let block = &mut self.joint.diagonal[s];
            // Equation (2).
            for k in 0..U {
                block[k][..U].copy_from_slice(&segment.value[k]);
                block[k][U..].copy_from_slice(&segment.border[k]);
                block[U + k][..U].copy_from_slice(&std::array::from_fn::<f64, U, _>(|j| segment.border[j][k]));
                block[U + k][U..].copy_from_slice(&segment.corner[k]);
                self.joint.coupling[s][k] = std::array::from_fn(|j| if j == U + k { -1.0 } else { 0.0 });
            }
        }
        if !matrix.closed {
            for k in (0..U).filter(|&k| matrix.fixed[0][k]) {
                let block = &mut self.joint.diagonal[0];
                block[k] = [0.0; J];
                block.iter_mut().for_each(|row| row[k] = 0.0);
                block[k][k] = 1.0;
            }
        }
        self.joint.factorise(&mut self.joint_factors)?;
        negative += self.joint_factors.negative_eigenvalues();
        // Equation (3): each segment's copy of a node has as many negative eigenvalues as equations
        // of its own.
        self.negative = (E * matrix.intervals() + negative).saturating_sub(U * self.segments.len());
        Ok(())
    }

    /// Replaces (x, y), the right-hand side, by the solution.
    pub fn solve(&mut self, matrix: &StageCycle<E, C, U>, x: &mut [[f64; U]], y: &mut [[f64; E]]) {
        self.segments.iter_mut().for_each(|segment| segment.reduce(matrix, x, y));
        self.solve_joint(matrix);
        let (mut x, mut y) = (x, y);
        for segment in &self.segments {
            let (own, others) = x.split_at_mut(segment.len().min(x.len()));
            let (own_y, others_y) = y.split_at_mut(segment.len().min(y.len()));
            segment.expand(matrix, own, own_y);
            (x, y) = (others, others_y);
        }
        if let (false, [end], [end_y]) = (matrix.closed, x, y) {
            (*end, *end_y) = self.end(matrix);
        }
    }

    /// Solves for the segments' first nodes, after each segment's [`Segment::reduce`].
    pub fn solve_joint(&mut self, matrix: &StageCycle<E, C, U>) {
        for (step, segment) in self.joint_step.iter_mut().zip(&self.segments) {
            *step = std::array::from_fn(|k| if k < U { -segment.slope[k] } else { -segment.border_slope[k - U] });
        }
        if let (false, Some(first)) = (matrix.closed, self.joint_step.first_mut()) {
            first.iter_mut().zip(&matrix.fixed[0]).filter(|(_, fixed)| **fixed).for_each(|(entry, _)| *entry = 0.0);
        }
        self.joint_factors.solve(&mut self.joint_step);
        for (segment, step) in self.segments.iter_mut().zip(&self.joint_step) {
            segment.first.copy_from_slice(&step[..U]);
            segment.parameters.copy_from_slice(&step[U..]);
        }
    }

    /// The variables of an open course's last node, which no segment begins with, and multipliers
    /// of no equations. Call it after [`Self::solve_joint`].
    #[must_use]
    pub fn end(&self, matrix: &StageCycle<E, C, U>) -> ([f64; U], [f64; E]) {
        let mut end = self.segments.last().map_or([0.0; U], |segment| segment.last_node(matrix));
        end.iter_mut().zip(&matrix.fixed[1]).filter(|(_, fixed)| **fixed).for_each(|(entry, _)| *entry = 0.0);
        (end, [0.0; E])
    }
}

#[inline(always)]
fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline(always)]
fn add<const N: usize>(target: &mut [f64; N], row: &[f64; N], factor: f64) {
    *target = std::array::from_fn(|k| target[k] + factor * row[k]);
}

#[cfg(test)]
mod tests;
