//! The iteration; equations (1) to (10) are those of the parent module, (11) to (14) those of
//! `acceptance`.

use super::acceptance::{Judge, Search, barrier_function, total_error};
use super::{
    Duals, Gradient, LimitTerms, NewtonSystem, NonlinearProgram, ProgramError, Progress, Settings, Sides, Solution,
    Status, Values, largest,
};

/// Smallest initial slack, in the limit's unit.
const SMALLEST_FIRST_SLACK: f64 = 1e-2;
/// Factor and exponent by which the barrier falls, whichever gives the smaller value.
const BARRIER_FALL: (f64, f64) = (0.2, 1.5);
/// Fraction τ of each slack and multiplier that a step leaves at least.
const KEPT_FRACTION: f64 = 0.01;
/// Factor K within which multipliers stay of μ/s.
const MULTIPLIER_BAND: f64 = 1e10;
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
struct Iteration<'a, P, const U: usize, const E: usize, const L: usize>
where
    P: NonlinearProgram<U, E, L>,
{
    program: &'a P,
    settings: &'a Settings,
    x: Vec<[f64; U]>,
    values: Values<E, L, P::Function>,
    /// The slacks s.
    slack: Vec<[f64; L]>,
    /// y and z.
    duals: Duals<E, L>,
    /// μ.
    barrier: f64,
    /// δ of the last step that was damped.
    last_damping: f64,
    /// α of the last step.
    last_step: f64,
    count: usize,
    factorisations: usize,
    judge: Judge,
    linearised: P::Linearised,
    system: P::System,
    /// |∇f + Aᵀ y + Gᵀ z| of the last linearisation.
    stationarity: f64,
    /// z/s.
    weights: Vec<[f64; L]>,
    /// c and g + s for which the steps are computed.
    equation_errors: Vec<[f64; E]>,
    limit_errors: Vec<[f64; L]>,
    /// Δx and Δy.
    step: Sides<U, E>,
    /// Δs and Δz.
    slack_step: Vec<[f64; L]>,
    multiplier_step: Vec<[f64; L]>,
    /// x + α Δx, its values, and s + α Δs.
    trial: Vec<[f64; U]>,
    trial_values: Values<E, L, P::Function>,
    trial_slack: Vec<[f64; L]>,
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
        self.barrier = (factor * self.barrier).min(self.barrier.powf(exponent)).max(self.settings.last_barrier);
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
    fn solve_for_errors(&mut self) {
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

    /// Goes along the steps as far as they are accepted; `false` where they are not.
    fn line_search(&mut self) -> bool {
        let search = self.search();
        self.judge.begin(&search);
        // ---- Fraction to the boundary
        let longest = longest_step(&self.slack, &self.slack_step); // equation (7)
        let mut length = longest;
        for halvings in 0..self.judge.trials() {
            // ---- Trial point
            let (errors, barrier_function) = self.try_step(length);
            if let Some(augments) = self.judge.accepts(&search, length, errors, barrier_function) {
                self.take(&search, length, augments);
                return true;
            }
            // ---- Second-order correction of the longest step
            if halvings == 0 && self.judge.corrects() && errors >= search.errors && self.correct(&search, length) {
                return true;
            }
            // ---- Backtracking
            length *= 0.5;
        }
        false
    }

    /// Errors θ and barrier function φ of the point, equation (8), and the slope of φ along the
    /// steps.
    fn search(&self) -> Search {
        let slacks = || self.slack.as_flattened().iter().zip(self.slack_step.as_flattened());
        let mut slope: f64;
        match self.program.gradient(&self.linearised) {
            Gradient::Objective(gradient) => {
                let stages = gradient.iter().zip(&self.step.unknowns);
                slope = stages.map(|(gradient, step)| dot(gradient, step)).sum();
                for (slack, step) in slacks() {
                    slope -= self.barrier * step / slack;
                }
            }
            Gradient::Lagrangian(gradient) => {
                slope = dot(gradient.as_flattened(), self.step.unknowns.as_flattened());
                // Less what the constraints are part of: A Δx = -c and G Δx = -(g + s) - Δs.
                for (price, error) in self.duals.prices.as_flattened().iter().zip(self.equation_errors.as_flattened()) {
                    slope += price * error;
                }
                let limits = self.limit_errors.as_flattened().iter().zip(self.duals.multipliers.as_flattened());
                for ((error, multiplier), (slack, step)) in limits.zip(slacks()) {
                    slope += multiplier * (error + step) - self.barrier * step / slack;
                }
            }
        }
        Search {
            errors: total_error(&self.values, &self.slack),
            barrier_function: barrier_function(&self.values, &self.slack, self.barrier, self.settings.acceptance),
            slope,
        }
    }

    /// Sets the trial point at the step length `length`; returns its θ and φ, equation (8).
    fn try_step(&mut self, length: f64) -> (f64, f64) {
        let steps = self.x.iter().zip(&self.step.unknowns);
        for (trial, (x, step)) in self.trial.iter_mut().zip(steps) {
            *trial = std::array::from_fn(|k| x[k] + length * step[k]);
        }
        self.program.evaluate(&self.trial, &mut self.trial_values);
        let slacks = self.slack.as_flattened().iter().zip(self.slack_step.as_flattened());
        let trials = self.trial_slack.as_flattened_mut().iter_mut().zip(self.trial_values.limits.as_flattened());
        for ((trial, limit), (slack, step)) in trials.zip(slacks) {
            *trial = (slack + length * step).max(-limit);
        }
        let (values, slack) = (&self.trial_values, &self.trial_slack);
        (total_error(values, slack), barrier_function(values, slack, self.barrier, self.settings.acceptance))
    }

    /// Second-order correction: the same matrix with the errors at the end of the step, which the
    /// trial contains. Whether it was accepted; if not, the steps are what they were.
    fn correct(&mut self, search: &Search, length: f64) -> bool {
        let steps = (self.step.clone(), self.slack_step.clone(), self.multiplier_step.clone());
        // Equation (9).
        let equations = self.values.equations.as_flattened().iter().zip(self.trial_values.equations.as_flattened());
        for (error, (before, after)) in self.equation_errors.as_flattened_mut().iter_mut().zip(equations) {
            *error = after + length * before;
        }
        let before = self.values.limits.as_flattened().iter().zip(self.slack.as_flattened());
        let after = self.trial_values.limits.as_flattened().iter().zip(self.trial_slack.as_flattened());
        let limits = before.zip(after);
        for (error, ((limit, slack), (trial, trial_slack))) in
            self.limit_errors.as_flattened_mut().iter_mut().zip(limits)
        {
            *error = trial + (trial_slack + length * (limit + slack));
        }
        self.solve_for_errors();
        let length = longest_step(&self.slack, &self.slack_step); // equation (7)
        let (errors, barrier_function) = self.try_step(length);
        if let Some(augments) = self.judge.accepts(search, length, errors, barrier_function) {
            self.take(search, length, augments);
            return true;
        }
        (self.step, self.slack_step, self.multiplier_step) = steps;
        false
    }

    /// Makes the trial, which lies at `length` of the steps, the present point.
    fn take(&mut self, search: &Search, length: f64, augments: bool) {
        if augments {
            self.judge.augment(search);
        }
        self.last_step = length;
        std::mem::swap(&mut self.x, &mut self.trial);
        std::mem::swap(&mut self.values, &mut self.trial_values);
        std::mem::swap(&mut self.slack, &mut self.trial_slack);
        let prices = self.duals.prices.as_flattened_mut().iter_mut();
        prices.zip(self.step.equations.as_flattened()).for_each(|(price, step)| *price += length * step);
        let dual_length = longest_step(&self.duals.multipliers, &self.multiplier_step); // equation (7)
        let steps = self.multiplier_step.as_flattened().iter().zip(self.slack.as_flattened());
        for (multiplier, (step, slack)) in self.duals.multipliers.as_flattened_mut().iter_mut().zip(steps) {
            let centre = self.barrier / slack;
            // Equation (10).
            *multiplier = (*multiplier + dual_length * step).clamp(centre / MULTIPLIER_BAND, centre * MULTIPLIER_BAND);
        }
    }
}

/// Equation (7): the longest step, at most 1, that keeps a fraction of every value.
fn longest_step<const L: usize>(values: &[[f64; L]], steps: &[[f64; L]]) -> f64 {
    let pairs = values.as_flattened().iter().zip(steps.as_flattened());
    let falling = pairs.filter(|(_, step)| **step < 0.0);
    falling.map(|(value, step)| -(1.0 - KEPT_FRACTION) * value / step).fold(1.0, f64::min)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
