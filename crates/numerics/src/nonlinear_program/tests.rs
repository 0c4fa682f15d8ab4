//! Programs whose solution is known in closed form, and infeasible ones like them.

use super::{
    Acceptance, Duals, Gradient, LimitTerms, NewtonSystem, NonlinearProgram, Settings, Sides, Solution, Status, Values,
    solve,
};
use crate::symmetric_pivot::SymmetricPivot;

mod refused;
mod steps;
mod traces;

// ---- Programs of one stage, with dense linear algebra

/// Objective, equations and limits at a point.
type Functions<const E: usize, const L: usize> = (f64, [f64; E], [f64; L]);

/// Gradients of objective, equations and limits.
#[derive(Clone)]
struct Gradients<const U: usize, const E: usize, const L: usize> {
    objective: [[f64; U]; 1],
    equations: [[f64; U]; E],
    limits: [[f64; U]; L],
    /// Second derivatives of the Lagrangian.
    hessian: [[f64; U]; U],
    /// First ones.
    lagrangian: [[f64; U]; 1],
}

/// The equations of a program of one stage.
trait Equations<const U: usize, const E: usize, const L: usize> {
    fn functions(&self, x: &[f64; U]) -> Functions<E, L>;
    fn gradients(&self, x: &[f64; U]) -> ([f64; U], [[f64; U]; E], [[f64; U]; L]);
    /// Second derivatives of the Lagrangian.
    fn hessian(&self, x: &[f64; U], y: &[f64; E], z: &[f64; L]) -> [[f64; U]; U];
    /// Number of equations.
    fn equations(&self) -> usize {
        E
    }
}

/// N = U + E.
struct Dense<const U: usize, const E: usize, const N: usize> {
    matrix: [[f64; N]; N],
    pivot: SymmetricPivot<N>,
}

impl<const U: usize, const E: usize, const N: usize> NewtonSystem<U, E> for Dense<U, E, N> {
    fn factorise(&mut self) -> Option<usize> {
        self.pivot.set(self.matrix)
    }

    fn solve(&mut self, sides: &mut Sides<U, E>) {
        let mut x: [f64; N] =
            std::array::from_fn(|k| if k < U { sides.unknowns[0][k] } else { sides.equations[0][k - U] });
        self.pivot.solve(&mut x);
        sides.unknowns[0].copy_from_slice(&x[..U]);
        sides.equations[0].copy_from_slice(&x[U..]);
    }
}

struct OneStage<Q, const N: usize>(Q, By);

/// Which gradient a program of one stage gives to the search.
#[derive(Clone, Copy)]
enum By {
    Objective,
    Lagrangian,
}

impl<Q: Equations<U, E, L>, const U: usize, const E: usize, const L: usize, const N: usize> NonlinearProgram<U, E, L>
    for OneStage<Q, N>
{
    type Function = ();
    type Linearised = Gradients<U, E, L>;
    type System = Dense<U, E, N>;

    fn stages(&self) -> usize {
        1
    }

    fn equations(&self) -> usize {
        self.0.equations()
    }

    fn room(&self) -> (Self::Linearised, Self::System) {
        let gradients = Gradients {
            objective: [[0.0; U]],
            equations: [[0.0; U]; E],
            limits: [[0.0; U]; L],
            hessian: [[0.0; U]; U],
            lagrangian: [[0.0; U]],
        };
        (gradients, Dense { matrix: [[0.0; N]; N], pivot: SymmetricPivot::default() })
    }

    fn evaluate(&self, x: &[[f64; U]], values: &mut Values<E, L>) {
        (values.objective, values.equations[0], values.limits[0]) = self.0.functions(&x[0]);
    }

    fn linearise(&self, x: &[[f64; U]], duals: &Duals<E, L>, _: &[[f64; L]], at: &mut Self::Linearised) {
        (at.objective[0], at.equations, at.limits) = self.0.gradients(&x[0]);
        at.hessian = self.0.hessian(&x[0], &duals.prices[0], &duals.multipliers[0]);
        at.lagrangian = [lagrangian(at, &duals.prices[0], &duals.multipliers[0])];
    }

    fn forget_hessians(&self, at: &mut Self::Linearised) {
        at.hessian = [[0.0; U]; U];
    }

    fn gradient<'a>(&self, at: &'a Self::Linearised) -> Gradient<'a, U> {
        match self.1 {
            By::Objective => Gradient::Objective(&at.objective),
            By::Lagrangian => Gradient::Lagrangian(&at.lagrangian),
        }
    }

    fn stationarity(&self, _: &[[f64; U]], at: &Self::Linearised, duals: &Duals<E, L>) -> f64 {
        lagrangian(at, &duals.prices[0], &duals.multipliers[0])
            .iter()
            .fold(0.0, |largest, slope| slope.abs().max(largest))
    }

    fn right_side(&self, at: &Self::Linearised, prices: &[[f64; E]], limits: &LimitTerms<L>, side: &mut [[f64; U]]) {
        let pushes =
            std::array::from_fn(|k| limits.barrier / limits.slack[0][k] + limits.weights[0][k] * limits.errors[0][k]);
        side[0] = lagrangian(at, &prices[0], &pushes).map(|slope| -slope);
    }

    fn limit_changes(&self, at: &Self::Linearised, step: &[[f64; U]], changes: &mut [[f64; L]]) {
        changes[0] = at.limits.map(|gradient| gradient.iter().zip(&step[0]).map(|(a, b)| a * b).sum());
    }

    fn assemble(&self, at: &Self::Linearised, weights: &[[f64; L]], damping: f64, system: &mut Self::System) {
        system.matrix = [[0.0; N]; N];
        for r in 0..U {
            for c in 0..U {
                let stiffness: f64 = (0..L).map(|k| weights[0][k] * at.limits[k][r] * at.limits[k][c]).sum();
                system.matrix[r][c] = at.hessian[r][c] + stiffness;
            }
            system.matrix[r][r] += damping;
            for k in 0..E {
                system.matrix[r][U + k] = at.equations[k][r];
                system.matrix[U + k][r] = at.equations[k][r];
            }
        }
    }
}

fn lagrangian<const U: usize, const E: usize, const L: usize>(
    at: &Gradients<U, E, L>,
    y: &[f64; E],
    z: &[f64; L],
) -> [f64; U] {
    std::array::from_fn(|r| {
        let equations: f64 = (0..E).map(|k| y[k] * at.equations[k][r]).sum();
        let limits: f64 = (0..L).map(|k| z[k] * at.limits[k][r]).sum();
        at.objective[0][r] + equations + limits
    })
}

fn solved<Q: Equations<U, E, L>, const U: usize, const E: usize, const L: usize, const N: usize>(
    program: Q,
    start: [f64; U],
    settings: &Settings,
) -> Solution<U, E, L> {
    solve(&OneStage::<Q, N>(program, By::Objective), vec![start], None, settings, &mut |_| {})
        .expect("dimensions that fit")
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{found:?} {expected:?}");
    }
}

const BOTH: [Acceptance; 2] = [Acceptance::Merit, Acceptance::Filter];

/// minimise (x - 2)² with low ≤ x ≤ high.
struct Bounded {
    low: f64,
    high: f64,
}

impl Equations<1, 0, 2> for Bounded {
    fn functions(&self, &[x]: &[f64; 1]) -> Functions<0, 2> {
        ((x - 2.0).powi(2), [], [self.low - x, x - self.high])
    }

    fn gradients(&self, &[x]: &[f64; 1]) -> ([f64; 1], [[f64; 1]; 0], [[f64; 1]; 2]) {
        ([2.0 * (x - 2.0)], [], [[-1.0], [1.0]])
    }

    fn hessian(&self, _: &[f64; 1], _: &[f64; 0], _: &[f64; 2]) -> [[f64; 1]; 1] {
        [[2.0]]
    }
}

#[test]
fn a_bound_that_is_reached_costs_what_it_saves() {
    for acceptance in BOTH {
        let settings = Settings { acceptance, ..Settings::default() };
        for start in [0.5, 10.0, -10.0] {
            let found = solved::<_, 1, 0, 2, 1>(Bounded { low: 0.0, high: 1.0 }, [start], &settings);
            assert_eq!(found.status, Status::Converged);
            assert_near(&found.x[0], &[1.0], 1e-7);
            // d/dh (h - 2)² = 2 (h - 2) = -2 at h = 1.
            assert_near(&found.duals.multipliers[0], &[0.0, 2.0], 1e-6);
            assert!((found.values.objective - 1.0).abs() < 1e-6 && found.values.violation() < 1e-7);
        }
        let inside = solved::<_, 1, 0, 2, 1>(Bounded { low: 0.0, high: 3.0 }, [0.5], &settings);
        assert_near(&inside.x[0], &[2.0], 1e-7);
    }
}

#[test]
fn bounds_that_exclude_each_other_do_not_converge() {
    for acceptance in BOTH {
        let settings = Settings { acceptance, ..Settings::default() };
        let found = solved::<_, 1, 0, 2, 1>(Bounded { low: 1.0, high: 0.0 }, [0.5], &settings);
        assert_ne!(found.status, Status::Converged);
        assert!(found.values.violation() >= 0.5 - 1e-9, "{:?}", found.values);
    }
}

#[test]
fn the_distance_from_the_solution_is_proportional_to_the_barrier() {
    // On the central path, 2 (2 - x) = μ / (1 - x) + …: to first order 1 - x = μ / 2.
    for barrier in [1e-3, 1e-4, 1e-5] {
        let settings = Settings { last_barrier: barrier, tolerance: 1e-3, ..Settings::default() };
        let found = solved::<_, 1, 0, 2, 1>(Bounded { low: 0.0, high: 1.0 }, [0.5], &settings);
        let distance = 1.0 - found.x[0][0];
        assert!((distance / (0.5 * barrier) - 1.0).abs() < 5.0 * barrier + 2e-3, "{barrier}: {distance}");
    }
}

/// minimise -x² with -1 ≤ x ≤ 2.
struct Concave;

impl Equations<1, 0, 2> for Concave {
    fn functions(&self, &[x]: &[f64; 1]) -> Functions<0, 2> {
        (-x * x, [], [-1.0 - x, x - 2.0])
    }

    fn gradients(&self, &[x]: &[f64; 1]) -> ([f64; 1], [[f64; 1]; 0], [[f64; 1]; 2]) {
        ([-2.0 * x], [], [[-1.0], [1.0]])
    }

    fn hessian(&self, _: &[f64; 1], _: &[f64; 0], _: &[f64; 2]) -> [[f64; 1]; 1] {
        [[-2.0]]
    }
}

#[test]
fn where_the_objective_is_concave_damping_makes_the_step_descend() {
    for acceptance in BOTH {
        let settings = Settings { acceptance, first_barrier: 1e-2, ..Settings::default() };
        let found = solved::<_, 1, 0, 2, 1>(Concave, [1.2], &settings);
        assert_eq!(found.status, Status::Converged);
        assert_near(&found.x[0], &[2.0], 1e-6);
        assert!(found.factorisations > found.iterations, "{found:?}");
    }
}

/// Problem 71 of Hock and Schittkowski: minimise x₀ x₃ (x₀ + x₁ + x₂) + x₂ with Π x ≥ 25, Σ x² = 40
/// and 1 ≤ x ≤ 5.
struct Hs71;

impl Equations<4, 1, 9> for Hs71 {
    fn functions(&self, x: &[f64; 4]) -> Functions<1, 9> {
        let [a, b, c, d] = *x;
        let squares: f64 = x.iter().map(|x| x * x).sum();
        let limits = [25.0 - a * b * c * d, 1.0 - a, a - 5.0, 1.0 - b, b - 5.0, 1.0 - c, c - 5.0, 1.0 - d, d - 5.0];
        (a * d * (a + b + c) + c, [squares - 40.0], limits)
    }

    fn gradients(&self, x: &[f64; 4]) -> ([f64; 4], [[f64; 4]; 1], [[f64; 4]; 9]) {
        let [a, b, c, d] = *x;
        let mut limits = [[0.0; 4]; 9];
        limits[0] = [-b * c * d, -a * c * d, -a * b * d, -a * b * c];
        for k in 0..4 {
            (limits[1 + 2 * k][k], limits[2 + 2 * k][k]) = (-1.0, 1.0);
        }
        let objective = [d * (2.0 * a + b + c), a * d, a * d + 1.0, a * (a + b + c)];
        (objective, [x.map(|x| 2.0 * x)], limits)
    }

    fn hessian(&self, x: &[f64; 4], &[y]: &[f64; 1], z: &[f64; 9]) -> [[f64; 4]; 4] {
        let [a, b, c, d] = *x;
        let z = z[0];
        let upper = [
            [2.0 * d, d - z * c * d, d - z * b * d, 2.0 * a + b + c - z * b * c],
            [0.0, 0.0, -z * a * d, a - z * a * c],
            [0.0, 0.0, 0.0, a - z * a * b],
            [0.0; 4],
        ];
        let entry = |r: usize, c: usize| upper[r.min(c)][r.max(c)] + if r == c { 2.0 * y } else { 0.0 };
        std::array::from_fn(|r| std::array::from_fn(|c| entry(r, c)))
    }
}

#[test]
fn a_published_program_has_its_published_solution() {
    let found = solved::<_, 4, 1, 9, 5>(Hs71, [1.0, 5.0, 5.0, 1.0], &Settings::default());
    assert_eq!(found.status, Status::Converged);
    assert_near(&found.x[0], &[1.0, 4.742_999_64, 3.821_149_98, 1.379_408_29], 1e-6);
    assert!((found.values.objective - 17.014_017_3).abs() < 1e-6, "{}", found.values.objective);
    assert!(found.values.equation_error() < 1e-7, "{:?}", found.values);
    assert!(found.iterations <= 20, "{}", found.iterations);
}

/// minimise 2 (x² + y² - 1) - x on the circle x² + y² = r²: Powell's example of a full Newton step
/// that increases both objective and errors near the solution.
struct Circle {
    square: f64,
}

impl Equations<2, 1, 0> for Circle {
    fn functions(&self, &[x, y]: &[f64; 2]) -> Functions<1, 0> {
        let square = x * x + y * y;
        (2.0 * (square - 1.0) - x, [square - self.square], [])
    }

    fn gradients(&self, &[x, y]: &[f64; 2]) -> ([f64; 2], [[f64; 2]; 1], [[f64; 2]; 0]) {
        ([4.0 * x - 1.0, 4.0 * y], [[2.0 * x, 2.0 * y]], [])
    }

    fn hessian(&self, _: &[f64; 2], &[price]: &[f64; 1], _: &[f64; 0]) -> [[f64; 2]; 2] {
        let own = 4.0 + 2.0 * price;
        [[own, 0.0], [0.0, own]]
    }
}

/// minimise -4 (x² + y²) - x - 2 on the disc x² + y² ≤ 1, whose edge is reached along a curve.
struct Disc;

impl Equations<2, 0, 1> for Disc {
    fn functions(&self, &[x, y]: &[f64; 2]) -> Functions<0, 1> {
        let square = x * x + y * y;
        (-4.0 * square - x - 2.0, [], [square - 1.0])
    }

    fn gradients(&self, &[x, y]: &[f64; 2]) -> ([f64; 2], [[f64; 2]; 0], [[f64; 2]; 1]) {
        ([-8.0 * x - 1.0, -8.0 * y], [], [[2.0 * x, 2.0 * y]])
    }

    fn hessian(&self, _: &[f64; 2], _: &[f64; 0], &[z]: &[f64; 1]) -> [[f64; 2]; 2] {
        let own = -8.0 + 2.0 * z;
        [[own, 0.0], [0.0, own]]
    }
}

#[test]
fn the_second_order_correction_keeps_full_steps_on_a_circle() {
    let mut lengths = Vec::new();
    let start = 0.1_f64;
    let program = OneStage::<_, 3>(Circle { square: 1.0 }, By::Objective);
    let found = solve(&program, vec![[start.cos(), start.sin()]], None, &Settings::default(), &mut |progress| {
        lengths.push(progress.step);
    })
    .expect("dimensions that fit");
    assert_eq!(found.status, Status::Converged);
    assert_near(&found.x[0], &[1.0, 0.0], 1e-7);
    // 4 - 1 + 2 y = 0.
    assert_near(&found.duals.prices[0], &[-1.5], 1e-7);
    assert!(lengths[1..].iter().all(|&length| length == 1.0), "{lengths:?}");
    assert!(found.iterations <= 7, "{}", found.iterations);
}

#[test]
fn a_circle_without_points_does_not_converge() {
    let found = solved::<_, 2, 1, 0, 3>(Circle { square: -1.0 }, [0.8, 0.6], &Settings::default());
    assert_ne!(found.status, Status::Converged);
    assert!(found.values.equation_error() >= 1.0 - 1e-6, "{:?}", found.values);
}

#[test]
fn multipliers_of_a_solution_continue_its_search() {
    let settings = Settings::default();
    let cold = solved::<_, 4, 1, 9, 5>(Hs71, [1.0, 5.0, 5.0, 1.0], &settings);
    let warm = solve(&OneStage::<_, 5>(Hs71, By::Objective), cold.x.clone(), Some(&cold.duals), &settings, &mut |_| {})
        .expect("dimensions that fit");
    assert_eq!(warm.status, Status::Converged);
    assert!(warm.iterations <= 2, "{} after {}", warm.iterations, cold.iterations);
    assert_near(&warm.x[0], &cold.x[0], 1e-6);
}

#[test]
fn the_maximum_number_of_steps_is_a_status() {
    let settings = Settings { max_iterations: 3, ..Settings::default() };
    let found = solved::<_, 4, 1, 9, 5>(Hs71, [1.0, 5.0, 5.0, 1.0], &settings);
    assert_eq!((found.status, found.iterations), (Status::Stopped, 3));
}

/// x²/2 times a million between bounds, whose second derivative is given as next to nothing, so
/// that Newton's step is a trillion times too long.
struct Misjudged;

impl Equations<1, 0, 2> for Misjudged {
    fn functions(&self, &[x]: &[f64; 1]) -> Functions<0, 2> {
        (0.5e6 * x * x, [], [-x - 1e9, x - 1e9])
    }

    fn gradients(&self, &[x]: &[f64; 1]) -> ([f64; 1], [[f64; 1]; 0], [[f64; 1]; 2]) {
        ([1e6 * x], [], [[-1.0], [1.0]])
    }

    fn hessian(&self, _: &[f64; 1], _: &[f64; 0], _: &[f64; 2]) -> [[f64; 1]; 1] {
        [[1e-6]]
    }
}

#[test]
fn damping_grows_tenfold_until_a_step_is_accepted() {
    for acceptance in BOTH {
        let settings = Settings { acceptance, ..Settings::default() };
        let mut first = None;
        let program = OneStage::<_, 1>(Misjudged, By::Objective);
        let mut watch = |progress: &super::Progress<0, 2>| {
            if progress.iteration > 0 {
                first.get_or_insert(progress.damping);
            }
        };
        let found = solve(&program, vec![[1.0]], None, &settings, &mut watch).expect("dimensions that fit");
        assert!(found.iterations > 0);
        let damping: f64 = first.expect("a step");
        // From 0.01 or 0.001 on, until the shortest step that is tried is short enough.
        let powers = damping.log10();
        assert!(damping > 0.05 && (powers - powers.round()).abs() < 1e-9, "{acceptance:?}: {damping}");
    }
}
