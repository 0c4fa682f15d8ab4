//! Sparse quadratic programs. The only file that names the solver crate.
//!
//! ```text
//! minimise ½ xᵀ P x + qᵀ x   subject to   l ≤ A x ≤ u
//! ```
//!
//! P is n × n, symmetric and positive semidefinite, given by its upper triangle; q has n entries; A is m × n; l and u have m.
//! Equality is `l = u`. Solved by OSQP (Stellato et al. 2020), an operator-splitting method: each iteration is one
//! back-substitution in a factorised sparse system; the solution is then polished on its active constraints.

use osqp::{CscMatrix, Problem, Settings, Status};

use super::SolveError;

/// A sparse matrix being filled. Entries at the same place add up.
#[derive(Clone, Debug, Default)]
pub struct Triplets {
    entries: Vec<(usize, usize, f64)>,
}

impl Triplets {
    /// An empty matrix with room for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity) }
    }

    /// Adds `value` at (`row`, `column`).
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries.push((column, row, value));
    }

    /// Adds `value` at (`i`, `j`) of a symmetric matrix of which the upper triangle is kept: off the diagonal the two
    /// places (i, j) and (j, i) are one entry.
    pub fn add_symmetric(&mut self, i: usize, j: usize, value: f64) {
        self.add(i.min(j), i.max(j), value);
    }

    fn compressed(mut self, rows: usize, columns: usize) -> CscMatrix<'static> {
        // A stable sort keeps the order in which equal places were added, so that sums don't depend on the sort.
        self.entries.sort_by_key(|&(column, row, _)| (column, row));
        let (mut indptr, mut indices, mut data) = (vec![0; columns + 1], Vec::new(), Vec::<f64>::new());
        let mut last = None;
        for (column, row, value) in self.entries {
            if last == Some((column, row)) {
                if let Some(sum) = data.last_mut() {
                    *sum += value;
                }
            } else {
                indices.push(row);
                data.push(value);
                indptr[column + 1] += 1;
                last = Some((column, row));
            }
        }
        for column in 0..columns {
            indptr[column + 1] += indptr[column];
        }
        CscMatrix { nrows: rows, ncols: columns, indptr: indptr.into(), indices: indices.into(), data: data.into() }
    }
}

/// A program in the form of the module's documentation.
#[derive(Clone, Debug)]
pub struct QuadraticProgram {
    /// Upper triangle of P, n × n.
    pub p: Triplets,
    /// q, n entries.
    pub q: Vec<f64>,
    /// A, m × n.
    pub a: Triplets,
    /// l, m entries.
    pub l: Vec<f64>,
    /// u, m entries.
    pub u: Vec<f64>,
}

/// When the solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QpSettings {
    /// Absolute and relative tolerance on the primal and dual residuals of the splitting; polishing then solves the active
    /// constraints to about 1e-9 where it succeeds. Default: 1e-4.
    pub tolerance: f64,
    /// First weight of the constraints' violation. Default: 10; the solver's own 0.1 needs several times the iterations on programs
    /// whose objective is flat along long waves.
    pub rho: f64,
    /// Most iterations. Default: 20 000.
    pub max_iterations: u32,
}

impl Default for QpSettings {
    fn default() -> Self {
        Self { tolerance: 1e-4, rho: 10.0, max_iterations: 20_000 }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QpStatus {
    /// The residuals are within the tolerance.
    Solved,
    /// The iterations ran out; the residuals say how far from the solution.
    OutOfIterations,
}

/// The solver's last point and how good it is.
#[derive(Clone, Debug)]
pub struct QpSolution {
    /// Primal variables, n entries.
    pub x: Vec<f64>,
    /// Dual variables, m entries.
    pub y: Vec<f64>,
    /// How the solve ended.
    pub status: QpStatus,
    /// Iterations used.
    pub iterations: u32,
    /// Largest violation of the constraints.
    pub primal_residual: f64,
    /// Largest entry of Px + q + Aᵀy.
    pub dual_residual: f64,
}

/// OSQP looks at the balance of its residuals every so many iterations. Left to itself it measures time to choose this number,
/// and then results differ from run to run.
const RHO_INTERVAL: u32 = 50;

impl QuadraticProgram {
    /// A program with bounds `l ≤ x ≤ u` and nothing to minimise yet: P = 0, q = 0, A the identity.
    pub fn bounded(l: Vec<f64>, u: Vec<f64>) -> Self {
        let n = l.len();
        let mut a = Triplets::with_capacity(n);
        for i in 0..n {
            a.add(i, i, 1.0);
        }
        Self { p: Triplets::default(), q: vec![0.0; n], a, l, u }
    }

    /// Solves the program, from `warm` (primal and dual variables) if given.
    ///
    /// # Errors
    /// [`SolveError::Solver`] when the program is malformed or infeasible. Running out of iterations is a
    /// status, not an error.
    pub fn solve(self, settings: QpSettings, warm: Option<(&[f64], &[f64])>) -> Result<QpSolution, SolveError> {
        let (n, m) = (self.q.len(), self.l.len());
        let options = Settings::default()
            .verbose(false)
            .rho(settings.rho)
            .adaptive_rho(true)
            .adaptive_rho_interval(Some(RHO_INTERVAL))
            .eps_abs(settings.tolerance)
            .eps_rel(settings.tolerance)
            .max_iter(settings.max_iterations)
            .check_termination(Some(25))
            .polish(true);
        let (p, a) = (self.p.compressed(n, n), self.a.compressed(m, n));
        let mut problem = Problem::new(p, &self.q, a, &self.l, &self.u, &options)
            .map_err(|error| SolveError::Solver { reason: error.to_string() })?;
        if let Some((x, y)) = warm
            && x.len() == n
            && y.len() == m
        {
            problem.warm_start(x, y);
        }
        let status = problem.solve();
        let iterations = status.iter();
        let (solution, status) = match status {
            Status::Solved(solution) => (solution, QpStatus::Solved),
            Status::SolvedInaccurate(solution)
            | Status::MaxIterationsReached(solution)
            | Status::TimeLimitReached(solution) => (solution, QpStatus::OutOfIterations),
            Status::PrimalInfeasible(_) | Status::PrimalInfeasibleInaccurate(_) => {
                return Err(SolveError::Solver { reason: "the constraints contradict each other".into() });
            }
            _ => return Err(SolveError::Solver { reason: "the objective has no minimum".into() }),
        };
        Ok(QpSolution {
            x: solution.x().to_vec(),
            y: solution.y().to_vec(),
            status,
            iterations,
            primal_residual: solution.pri_res(),
            dual_residual: solution.dua_res(),
        })
    }
}
