//! The whole program's derivatives against differences, at random points of random roads.

use raceline_car::preset;
use raceline_numerics::StageCycle;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Linearised, Matrix};
use crate::car::Reserve;
use crate::car::body_corners::CornerBound;
use crate::car::model::Car;
use crate::car::price::Price;
use crate::car::problem::{EQUATIONS, LIMITS, Node, Problem, RATES, UNKNOWNS, Values};
use crate::speed::Ground;

const NODES: usize = 5;
/// Differences are taken over this part of an unknown's scale.
const PART: f64 = 1e-5;

fn between(random: &mut ChaCha8Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * random.random::<f64>()
}

fn nodes(random: &mut ChaCha8Rng) -> Vec<Node> {
    let mut node = || Node {
        curvature: between(random, -0.02, 0.02),
        low_m: -3.0,
        high_m: 4.0,
        length_m: between(random, 2.0, 6.0),
        turn_rad: between(random, -0.05, 0.05),
        ground: Ground {
            gravity_along: between(random, -0.8, 0.8),
            gravity_across: between(random, -0.8, 0.8),
            normal_curvature: between(random, -0.001, 0.002),
            ..Ground::LEVEL
        },
        grip: between(random, 0.7, 1.1),
        profile: None,
        max_speed_mps: between(random, 30.0, 300.0),
        steering_price: 1.0,
        corners: [1.0, -1.0].map(|side| {
            let edge = [4.0 * side, between(random, -0.3, 0.3), between(random, -0.05, 0.05)];
            Some(CornerBound { side, half_m: [2.5, 1.0], at_m: 2.3, edge })
        }),
    };
    (0..NODES).map(|_| node()).collect()
}

struct Case<'a> {
    problem: Problem<'a>,
    x: Vec<[f64; UNKNOWNS]>,
    prices: Vec<[f64; EQUATIONS]>,
    multipliers: Vec<[f64; LIMITS]>,
    weights: Vec<[f64; LIMITS]>,
}

impl Case<'_> {
    fn moved(&self, k: usize, sign: f64) -> Vec<[f64; UNKNOWNS]> {
        let mut x = self.x.clone();
        x[k / UNKNOWNS][k % UNKNOWNS] += sign * PART;
        x
    }

    fn values(&self, x: &[[f64; UNKNOWNS]]) -> Values<LIMITS> {
        let mut values = Values::zeros(NODES);
        self.problem.evaluate(x, &mut values);
        values
    }

    fn linearised(&self, x: &[[f64; UNKNOWNS]]) -> Linearised {
        let mut at = Linearised::new(NODES);
        at.fill(&self.problem, x, &self.prices, &self.multipliers);
        at
    }

    fn gradient(&self, x: &[[f64; UNKNOWNS]]) -> Vec<f64> {
        let at = self.linearised(x);
        (0..NODES).flat_map(|i| at.gradient(&self.problem, i, &self.prices, &self.multipliers)).collect()
    }

    /// The product of Newton's matrix and the unit vector of unknown `k`: by unknowns, and by
    /// equations.
    fn column(matrix: &Matrix, k: usize) -> (Vec<f64>, Vec<f64>) {
        let mut x = vec![[0.0; UNKNOWNS]; NODES];
        x[k / UNKNOWNS][k % UNKNOWNS] = 1.0;
        let y = vec![[0.0; EQUATIONS]; NODES];
        let products = (0..NODES).map(|i| matrix.product(&x, &y, i));
        let (by_unknowns, by_equations): (Vec<_>, Vec<_>) = products.unzip();
        (by_unknowns.as_flattened().to_vec(), by_equations.as_flattened().to_vec())
    }

    fn check(&self, name: &str) {
        let at = self.linearised(&self.x);
        let gradient = self.gradient(&self.x);
        let assembled = |weights: &[[f64; LIMITS]], damping: f64| {
            let mut matrix: Matrix = StageCycle::zeros(NODES, self.problem.closed);
            at.assemble(&self.problem, weights, damping, &mut matrix);
            matrix
        };
        let plain = assembled(&vec![[0.0; LIMITS]; NODES], 0.0);
        let weighted = assembled(&self.weights, 0.5);
        let limit_gradients: Vec<Vec<f64>> = (0..NODES * UNKNOWNS)
            .map(|k| {
                let mut step = vec![[0.0; UNKNOWNS]; NODES];
                step[k / UNKNOWNS][k % UNKNOWNS] = 1.0;
                (0..NODES).flat_map(|i| at.limit_changes::<LIMITS>(&self.problem, &step, i)).collect()
            })
            .collect();
        let lagrangian = |values: &Values<LIMITS>| {
            let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            values.objective
                + sum(values.equations.as_flattened(), self.prices.as_flattened())
                + sum(values.limits.as_flattened(), self.multipliers.as_flattened())
        };
        let near = |found: f64, exact: f64, tolerance: f64| (found - exact).abs() < tolerance * (1.0 + exact.abs());
        for k in 0..NODES * UNKNOWNS {
            let (after, before) = (self.values(&self.moved(k, 1.0)), self.values(&self.moved(k, -1.0)));
            let by_difference = |up: f64, down: f64| (up - down) / (2.0 * PART);
            let limits = after.limits.as_flattened().iter().zip(before.limits.as_flattened());
            for (j, ((up, down), exact)) in limits.zip(&limit_gradients[k]).enumerate() {
                assert!(near(by_difference(*up, *down), *exact, 1e-6), "{name}: limit {j} by {k}: {exact}");
            }
            let objective = by_difference(after.objective, before.objective);
            let exact = at.objective[k / UNKNOWNS][k % UNKNOWNS];
            assert!(near(objective, exact, 1e-6), "{name}: objective by {k}: {objective} {exact}");
            let slope = by_difference(lagrangian(&after), lagrangian(&before));
            assert!(near(slope, gradient[k], 1e-6), "{name}: gradient {k}: {slope} {}", gradient[k]);
            let (second, equations) = Self::column(&plain, k);
            let errors = after.equations.as_flattened().iter().zip(before.equations.as_flattened());
            for (j, ((up, down), exact)) in errors.zip(&equations).enumerate() {
                assert!(near(by_difference(*up, *down), *exact, 1e-6), "{name}: equation {j} by {k}: {exact}");
            }
            let (up, down) = (self.gradient(&self.moved(k, 1.0)), self.gradient(&self.moved(k, -1.0)));
            let (with_weights, _) = Self::column(&weighted, k);
            for j in 0..NODES * UNKNOWNS {
                let bend = by_difference(up[j], down[j]);
                assert!(near(bend, second[j], 1e-5), "{name}: second derivative {k} {j}: {bend} {}", second[j]);
                let rows = limit_gradients[k].iter().zip(&limit_gradients[j]);
                let square: f64 = self.weights.as_flattened().iter().zip(rows).map(|(w, (a, b))| w * a * b).sum();
                let damping = if j == k { 0.5 } else { 0.0 };
                let added = with_weights[j] - second[j];
                assert!(near(added, square + damping, 1e-9), "{name}: weights {k} {j}: {added} {square}");
            }
        }
    }
}

#[test]
fn derivatives_of_the_program_are_those_of_its_values() {
    let mut random = ChaCha8Rng::seed_from_u64(17);
    for preset_name in ["gt", "torcs-car1-trb1", "tum-racecar", "kart"] {
        let vehicle = preset(preset_name).expect("the preset exists");
        let reserve = Reserve { longitudinal: 0.1, rear: 0.05 };
        let car = Car::new(&vehicle, reserve).expect("a valid vehicle");
        for closed in [false, true] {
            let nodes = nodes(&mut random);
            let mut vectors = |low: f64, high: f64| between(&mut random, low, high);
            let x = (0..NODES)
                .map(|_| {
                    let low = [-0.4, -1.0, 0.7, -1.0, -1.0, -0.8, -0.6];
                    let high = [0.4, 1.0, 1.3, 1.0, 1.0, 0.8, 0.5];
                    std::array::from_fn(|k| vectors(low[k], high[k]))
                })
                .collect();
            let mut prices: Vec<[f64; EQUATIONS]> =
                (0..NODES).map(|_| std::array::from_fn(|_| vectors(-1.0, 1.0))).collect();
            let mut multipliers: Vec<[f64; LIMITS]> =
                (0..NODES).map(|_| std::array::from_fn(|_| vectors(0.0, 1.0))).collect();
            let mut weights: Vec<[f64; LIMITS]> =
                (0..NODES).map(|_| std::array::from_fn(|_| vectors(0.0, 1.0))).collect();
            if !closed {
                // No interval begins at the last node.
                prices[NODES - 1] = [0.0; EQUATIONS];
                multipliers[NODES - 1][RATES].fill(0.0);
                weights[NODES - 1][RATES].fill(0.0);
            }
            let problem = Problem {
                car: &car,
                nodes,
                closed,
                min_speed_mps: 1.0,
                scales: [5.0, 0.1, 20.0, 1.0, 0.5, 0.1, 10.0],
                per_second: 1.3,
                price: Price { seconds_per_joule: 1e-5, recuperation: 0.3, rounding_mps2: 0.5, tariff: None },
                smoothing: [0.4, 0.7],
                fixed: Vec::new(),
                profiles: Vec::new(),
            };
            let case = Case { problem, x, prices, multipliers, weights };
            case.check(&format!("{preset_name}, closed: {closed}"));
        }
    }
}
