//! The iteration; equations (1) to (6) are those of the parent module.

use super::acceptance::{Judge, total_error};
use super::{
    Duals, LimitTerms, NewtonSystem, NonlinearProgram, ProgramError, Progress, Settings, Sides, Solution, Status,
    Values, largest,
};
use crate::math;

/// Smallest initial slack, in the limit's unit.
const SMALLEST_FIRST_SLACK: f64 = 1e-2;
/// Factor and exponent by which the barrier falls, whichever gives the smaller value.
const BARRIER_FALL: (f64, f64) = (0.2, 1.5);
/// Smallest positive damping.
const FIRST_DAMPING: f64 = 1e-4;
/// Largest damping: the iteration is stuck beyond it.
const LARGEST_DAMPING: f64 = 1e10;
/// Factor on the damping of a step that was not accepted.
const DAMPING_AFTER_REJECTION: f64 = 10.0;
/// Factor on the damping of a matrix with the wrong inertia.
const DAMPING_GROWTH: f64 = 6.0;
/// Divisor of the damping from one step to the next.
const DAMPING_FALL: f64 = 3.0;
/// Barrier of a search from given multipliers, by the square of the largest error there. A larger
/// one leads away from the solution, a smaller one keeps the limits that are reached there for too
/// long.
const RESUMED_BARRIER: f64 = 1e-2;
/// Largest price that is kept of the estimate at the start (Wächter and Biegler, section 3.6).
const LARGEST_FIRST_PRICE: f64 = 1e3;

/// Solves `program` from `start`, which has one entry per stage and need not fulfil the equations
/// or limits. Multipliers of a program near this one, `duals`, continue its search. `watch` is
/// called before each step and at the end.
///
/// # Errors
/// [`ProgramError`] for wrong dimensions and settings. A search that does not converge is a status,
/// not an error.
pub fn solve<P, const U: usize, const E: usize, const L: usize>(
    program: &P,
    start: Vec<[f64; U]>,
    duals: Option<&Duals<E, L>>,
    settings: &Settings,
    watch: &mut dyn FnMut(&Progress<E, L, P::Function>),
) -> Result<Solution<U, E, L, P::Function>, ProgramError>
where
    P: NonlinearProgram<U, E, L>,
{
    check(program, &start, duals, settings)?;
    // ---- Start: slacks of the limits, multipliers that fit them, prices by least squares
    let mut iteration = Iteration::new(program, start, settings);
    match duals {
        Some(duals) => iteration.resume(duals),
        None if E > 0 => iteration.estimate_prices(),
        None => {}
    }
    let mut status = Status::Stopped;
    while iteration.count < settings.max_iterations {
        // ---- Derivatives at the point
        iteration.linearise();
        // ---- Barrier: lower it while its problem is solved
        let mut error = iteration.error(); // equation (3)
        while error <= settings.tolerance * iteration.barrier && iteration.barrier > settings.last_barrier {
            iteration.lower_barrier(); // equation (4)
            error = iteration.error();
        }
        watch(&iteration.progress());
        // ---- Convergence: the last barrier's problem is solved
        if error <= settings.tolerance * iteration.barrier {
            status = Status::Converged;
            break;
        }
        // ---- Step: Newton's direction and a line search, with more damping where none is accepted
        if !iteration.advance() {
            status = Status::Stuck;
            break;
        }
    }
    Ok(Solution {
        x: iteration.x,
        duals: iteration.duals,
        values: iteration.values,
        status,
        iterations: iteration.count,
        factorisations: iteration.factorisations,
    })
}

fn check<P, const U: usize, const E: usize, const L: usize>(
    program: &P,
    start: &[[f64; U]],
    duals: Option<&Duals<E, L>>,
    settings: &Settings,
) -> Result<(), ProgramError>
where
    P: NonlinearProgram<U, E, L>,
{
    let n = program.stages();
    if start.len() != n || n == 0 {
        return Err(ProgramError::Stages { start: start.len(), program: n });
    }
    if let Some(duals) = duals
        && (duals.prices.len() != n || duals.multipliers.len() != n)
    {
        let (prices, multipliers) = (duals.prices.len(), duals.multipliers.len());
        return Err(ProgramError::Duals { prices, multipliers, program: n });
    }
    if program.equations() > n * E {
        return Err(ProgramError::Equations { equations: program.equations(), maximum: n * E });
    }
    settings.validate()
}

/// The point, its derivatives and the working memory; all vectors have N entries.
pub(super) struct Iteration<'a, P, const U: usize, const E: usize, const L: usize>
where
    P: NonlinearProgram<U, E, L>,
{
    pub(super) program: &'a P,
    pub(super) settings: &'a Settings,
    pub(super) x: Vec<[f64; U]>,
    pub(super) values: Values<E, L, P::Function>,
    /// The slacks s.
    pub(super) slack: Vec<[f64; L]>,
    /// y and z.
    pub(super) duals: Duals<E, L>,
    /// μ.
    pub(super) barrier: f64,
    /// δ of the last step that was damped.
    pub(super) last_damping: f64,
    /// α of the last step.
    pub(super) last_step: f64,
    pub(super) count: usize,
    pub(super) factorisations: usize,
    pub(super) judge: Judge,
    pub(super) linearised: P::Linearised,
    pub(super) system: P::System,
    /// |∇f + Aᵀ y + Gᵀ z| of the last linearisation.
    pub(super) stationarity: f64,
    /// z/s.
    pub(super) weights: Vec<[f64; L]>,
    /// c and g + s for which the steps are computed.
    pub(super) equation_errors: Vec<[f64; E]>,
    pub(super) limit_errors: Vec<[f64; L]>,
    /// Δx and Δy.
    pub(super) step: Sides<U, E>,
    /// Δs and Δz.
    pub(super) slack_step: Vec<[f64; L]>,
    pub(super) multiplier_step: Vec<[f64; L]>,
    /// x + α Δx, its values, and s + α Δs.
    pub(super) trial: Vec<[f64; U]>,
    pub(super) trial_values: Values<E, L, P::Function>,
    pub(super) trial_slack: Vec<[f64; L]>,
}

impl<'a, P, const U: usize, const E: usize, const L: usize> Iteration<'a, P, U, E, L>
where
    P: NonlinearProgram<U, E, L>,
{
    fn new(program: &'a P, start: Vec<[f64; U]>, settings: &'a Settings) -> Self {
        let n = start.len();
        let barrier = settings.first_barrier;
        let mut values = Values::zeros(n);
        program.evaluate(&start, &mut values);
        let first = |limit: f64| (-limit).max(SMALLEST_FIRST_SLACK);
        let slack: Vec<[f64; L]> = values.limits.iter().map(|limits| limits.map(first)).collect();
        let multipliers = slack.iter().map(|slack| slack.map(|slack| barrier / slack)).collect();
        let (linearised, system) = program.room();
        Self {
            program,
            settings,
            judge: Judge::new(settings.acceptance, total_error(&values, &slack)),
            trial: start.clone(),
            x: start,
            trial_values: values.clone(),
            values,
            slack,
            duals: Duals { prices: vec![[0.0; E]; n], multipliers },
            barrier,
            last_damping: 0.0,
            last_step: 0.0,
            count: 0,
            factorisations: 0,
            linearised,
            system,
            stationarity: 0.0,
            weights: vec![[0.0; L]; n],
            equation_errors: vec![[0.0; E]; n],
            limit_errors: vec![[0.0; L]; n],
            step: Sides::zeros(n),
            slack_step: vec![[0.0; L]; n],
            multiplier_step: vec![[0.0; L]; n],
            trial_slack: vec![[0.0; L]; n],
        }
    }

    /// Takes the multipliers of a program near this one; slacks are those that fit them where the
    /// point is at a limit or beyond it.
    fn resume(&mut self, duals: &Duals<E, L>) {
        let (smallest, band) = (self.settings.resumed_barrier, self.settings.resumed_band);
        let limits = self.values.limits.as_flattened().iter().copied();
        let error = limits.fold(self.values.equation_error(), f64::max);
        self.barrier = (RESUMED_BARRIER * error * error).clamp(smallest, self.barrier.max(smallest));
        self.duals.clone_from(duals);
        let limits = self.values.limits.as_flattened().iter();
        let state = self.slack.as_flattened_mut().iter_mut().zip(self.duals.multipliers.as_flattened_mut());
        for (limit, (slack, multiplier)) in limits.zip(state) {
            *slack = (-limit).max((self.barrier / *multiplier).min(SMALLEST_FIRST_SLACK));
            let centre = self.barrier / *slack;
            *multiplier = multiplier.clamp(centre / band, centre * band);
        }
        self.judge = Judge::new(self.settings.acceptance, total_error(&self.values, &self.slack));
    }

    /// Sets y to the least squares estimate by the gradients, unless it is very large: (5) with the
    /// unit matrix in place of H, and without the errors.
    fn estimate_prices(&mut self) {
        self.program.linearise(&self.x, &self.duals, &self.weights, &mut self.linearised);
        self.program.forget_hessians(&mut self.linearised);
        // The weights are still 0.
        self.program.assemble(&self.linearised, &self.weights, 1.0, &mut self.system);
        if self.system.factorise().is_none() {
            return;
        }
        let mut sides = Sides::zeros(self.x.len());
        let terms = LimitTerms {
            barrier: self.barrier,
            errors: &self.limit_errors,
            slack: &self.slack,
            multipliers: &self.duals.multipliers,
            weights: &self.weights,
        };
        self.program.right_side(&self.linearised, &self.duals.prices, &terms, &mut sides.unknowns);
        self.system.solve(&mut sides);
        if largest(&sides.equations) < LARGEST_FIRST_PRICE {
            self.duals.prices = sides.equations;
        }
    }

    fn linearise(&mut self) {
        let state = self.slack.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
        for (weight, (slack, multiplier)) in self.weights.as_flattened_mut().iter_mut().zip(state) {
            *weight = multiplier / slack;
        }
        self.program.linearise(&self.x, &self.duals, &self.weights, &mut self.linearised);
        self.stationarity = self.program.stationarity(&self.x, &self.linearised, &self.duals);
    }

    /// E_μ, equation (3): the error of the conditions (2).
    fn error(&self) -> f64 {
        let (of_all, of_limits) = self.multiplier_scales();
        let mut error = (self.stationarity / of_all).max(self.values.equation_error());
        let limits = self.values.limits.as_flattened().iter().zip(self.slack.as_flattened());
        for ((limit, slack), multiplier) in limits.zip(self.duals.multipliers.as_flattened()) {
            error = error.max((limit + slack).abs()).max((slack * multiplier - self.barrier).abs() / of_limits);
        }
        error
    }

    /// s_d and s_c of equation (3).
    fn multiplier_scales(&self) -> (f64, f64) {
        let Some(usual) = self.settings.usual_multiplier else { return (1.0, 1.0) };
        let count = self.slack.len() as f64;
        let sum = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>();
        let limits = sum(self.duals.multipliers.as_flattened());
        let mean = (sum(self.duals.prices.as_flattened()) + limits) / (count * (E + L) as f64);
        (mean.max(usual) / usual, (limits / (count * L as f64)).max(usual) / usual)
    }

    /// Equation (4).
    fn lower_barrier(&mut self) {
        let (factor, exponent) = BARRIER_FALL;
        self.barrier = (factor * self.barrier).min(math::powf(self.barrier, exponent)).max(self.settings.last_barrier);
        self.judge.forget();
    }

    fn progress(&self) -> Progress<'_, E, L, P::Function> {
        Progress {
            iteration: self.count,
            values: &self.values,
            stationarity: self.stationarity,
            barrier: self.barrier,
            damping: self.last_damping,
            step: self.last_step,
        }
    }

    /// Takes one step, with more damping where none is accepted; `false` where none helps.
    fn advance(&mut self) -> bool {
        let rules = self.judge.damping_rules();
        let mut damping = 0.0;
        if rules.is_carried {
            // Where the last step had to be damped, this one often has to be too.
            if self.last_damping > FIRST_DAMPING {
                damping = self.last_damping / DAMPING_FALL;
            }
            self.last_damping = 0.0;
        }
        loop {
            let Some(used) = self.find_step(damping) else { return false };
            if self.line_search() {
                self.count += 1;
                return true;
            }
            damping = (DAMPING_AFTER_REJECTION * used).max(rules.after_rejection * FIRST_DAMPING);
            if damping > LARGEST_DAMPING {
                return false;
            }
        }
    }

    /// Computes the steps of all unknowns with at least `damping`; returns the damping that was
    /// needed, `None` where none gives the right inertia.
    fn find_step(&mut self, mut damping: f64) -> Option<f64> {
        // ---- Inertia correction: as many negative eigenvalues as equations
        loop {
            self.factorisations += 1;
            self.program.assemble(&self.linearised, &self.weights, damping, &mut self.system);
            if self.system.factorise() == Some(self.program.equations()) {
                break;
            }
            damping = match (damping > 0.0, self.last_damping > 0.0) {
                (false, false) => FIRST_DAMPING,
                (false, true) => (self.last_damping / DAMPING_FALL).max(FIRST_DAMPING),
                (true, false) => self.judge.damping_rules().first_growth * damping,
                (true, true) => DAMPING_GROWTH * damping,
            };
            if damping > LARGEST_DAMPING {
                return None;
            }
        }
        if damping > 0.0 {
            self.last_damping = damping;
        }
        // ---- Newton's direction
        self.equation_errors.clone_from(&self.values.equations);
        let limits = self.values.limits.as_flattened().iter().zip(self.slack.as_flattened());
        for (error, (limit, slack)) in self.limit_errors.as_flattened_mut().iter_mut().zip(limits) {
            *error = limit + slack;
        }
        self.solve_for_errors();
        Some(damping)
    }

    /// Sets the steps for the errors of equations and limits at hand.
    pub(super) fn solve_for_errors(&mut self) {
        let terms = LimitTerms {
            barrier: self.barrier,
            errors: &self.limit_errors,
            slack: &self.slack,
            multipliers: &self.duals.multipliers,
            weights: &self.weights,
        };
        // Equation (5).
        self.program.right_side(&self.linearised, &self.duals.prices, &terms, &mut self.step.unknowns);
        for (side, error) in self.step.equations.as_flattened_mut().iter_mut().zip(self.equation_errors.as_flattened())
        {
            *side = -error;
        }
        self.system.solve(&mut self.step);
        // Equation (6).
        self.program.limit_changes(&self.linearised, &self.step.unknowns, &mut self.slack_step);
        let state = self.slack.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
        let errors = self.limit_errors.as_flattened().iter().zip(state);
        let steps = self.slack_step.as_flattened_mut().iter_mut().zip(self.multiplier_step.as_flattened_mut());
        for ((slack_step, multiplier_step), (error, (slack, multiplier))) in steps.zip(errors) {
            let change = *slack_step;
            *slack_step = -error - change;
            *multiplier_step = (self.barrier - multiplier * *slack_step) / slack - multiplier;
        }
    }
}
