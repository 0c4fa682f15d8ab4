//! Newton's system: factorised and solved, a segment of the course per thread at a time.

use raceline_numerics::nonlinear_program::{self, NewtonSystem};
use rayon::prelude::*;

use super::linearised::{Factors, Matrix};
use super::problem::{EQUATIONS, NODES_AT_ONCE, UNKNOWNS};

/// A solution is refined where its residual is more than this fraction of the right-hand side.
const REFINED_ABOVE: f64 = 1e-8;

/// A right-hand side or a solution: by unknowns, and by equations.
pub type Sides = nonlinear_program::Sides<UNKNOWNS, EQUATIONS>;

/// The matrix with its factors.
#[derive(Clone, Debug)]
pub struct Newton {
    pub matrix: Matrix,
    factors: Factors,
    /// The residual of a solution.
    rest: Sides,
}

impl Newton {
    pub fn new(nodes: usize, closed: bool) -> Self {
        Self { matrix: Matrix::zeros(nodes, closed), factors: Factors::new(nodes, closed), rest: Sides::zeros(nodes) }
    }
}

impl NewtonSystem<UNKNOWNS, EQUATIONS> for Newton {
    /// Factorises the matrix; its number of negative eigenvalues, `None` where a block is singular.
    fn factorise(&mut self) -> Option<usize> {
        let matrix = &self.matrix;
        self.factors.segments_mut().par_iter_mut().for_each(|segment| segment.eliminate(matrix));
        self.factors.join(matrix).ok()?;
        Some(self.factors.negative_eigenvalues())
    }

    /// Replaces `sides` by the solution, refined once where rounding errors are large.
    fn solve(&mut self, sides: &mut Sides) {
        let right = sides.clone();
        solve(&self.matrix, &mut self.factors, sides);
        let (matrix, found) = (&self.matrix, &*sides);
        let rest = self.rest.unknowns.par_iter_mut().zip(&mut self.rest.equations);
        rest.enumerate().with_min_len(NODES_AT_ONCE).for_each(|(i, (unknowns, equations))| {
            (*unknowns, *equations) = matrix.product(&found.unknowns, &found.equations, i);
            unknowns.iter_mut().zip(&right.unknowns[i]).for_each(|(entry, side)| *entry = side - *entry);
            equations.iter_mut().zip(&right.equations[i]).for_each(|(entry, side)| *entry = side - *entry);
        });
        if self.rest.largest() <= REFINED_ABOVE * right.largest() {
            return;
        }
        solve(&self.matrix, &mut self.factors, &mut self.rest);
        let add = |(entry, change): (&mut f64, &f64)| *entry += change;
        let unknowns = sides.unknowns.as_flattened_mut().iter_mut();
        unknowns.zip(self.rest.unknowns.as_flattened()).for_each(add);
        let equations = sides.equations.as_flattened_mut().iter_mut();
        equations.zip(self.rest.equations.as_flattened()).for_each(add);
    }
}

fn solve(matrix: &Matrix, factors: &mut Factors, sides: &mut Sides) {
    let (mut x, mut y) = (&mut sides.unknowns[..], &mut sides.equations[..]);
    factors.segments_mut().par_iter_mut().for_each(|segment| segment.reduce(matrix, x, y));
    factors.solve_joint(matrix);
    if matrix.intervals() < x.len() {
        let end = x.len() - 1;
        (x[end], y[end]) = factors.end(matrix);
    }
    let mut parts = Vec::new();
    for segment in factors.segments_mut() {
        let (own_x, others_x) = x.split_at_mut(segment.len());
        let (own_y, others_y) = y.split_at_mut(segment.len());
        (x, y) = (others_x, others_y);
        parts.push((segment, own_x, own_y));
    }
    parts.par_iter_mut().for_each(|(segment, x, y)| segment.expand(matrix, x, y));
}
