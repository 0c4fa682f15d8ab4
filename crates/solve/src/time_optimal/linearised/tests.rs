//! The whole program's derivatives against differences, at random points of random roads.

use std::sync::LazyLock;

use raceline_car::{GgDiagram, Turning, Vehicle, preset};
use raceline_numerics::nonlinear_program::{Duals, Gradient, NonlinearProgram, Values};
use raceline_road::geometry::{Point, Slope, Vector};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::interval::Car;
use super::super::lap_problem::{Gap, LIMITS, LapProblem, StationLimits, UNKNOWNS, Units};
use super::super::power::Power;
use super::Linearised;
use crate::speed::{Ground, LoadOptions};
use crate::stations::{GripProfile, Station};

/// Stations of the road, and unknowns of the whole program.
const STATIONS: usize = 9;
const ALL: usize = UNKNOWNS * STATIONS;
/// Typical change of an offset, m, and of w, m²/s².
const TYPICAL: [f64; UNKNOWNS] = [1.0, 300.0];
/// Differences are taken over this part of it.
const PART: f64 = 1e-6;

struct Random(ChaCha8Rng);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }
}

/// Grip that falls and rises again across the road.
static PROFILES: LazyLock<[GripProfile; 1]> = LazyLock::new(|| {
    let samples: Vec<f64> = (0..30).map(|k| 1.0 - 0.3 * (0.3 * f64::from(k)).sin()).collect();
    [GripProfile::through(-4.0, 0.3, &samples)]
});

/// A bent road with slopes, banking and grip.
fn stations(random: &mut Random) -> Vec<Station> {
    let mut heading = 0.0_f64;
    let mut at = Point::origin();
    let options = LoadOptions { dip_share: 0.5, ..LoadOptions::default() };
    (0..STATIONS)
        .map(|index| {
            let step = random.between(2.0, 3.0);
            let curvature = random.between(0.005, 0.03);
            heading += curvature * step;
            let along = Vector::new(heading.cos(), heading.sin());
            at += along * step;
            let mut slope = || random.between(-0.1, 0.1);
            let gradient = Vector::new(slope(), slope());
            let bending = [0.02 * slope(), 0.02 * slope(), 0.02 * slope()];
            let slope = Slope { height_m: 0.0, gradient, bending };
            let ground = Ground::under(&slope, along, curvature, &options);
            let grip = random.between(0.7, 1.1);
            let normal = Vector::new(-along.y, along.x);
            Station {
                origin: at,
                normal,
                low: -3.0,
                high: 3.0,
                curvature,
                step,
                grip,
                profile: (index % 3 != 0).then_some(0),
                ground,
                max_speed_mps: f64::INFINITY,
            }
        })
        .collect()
}

fn vehicles() -> Vec<Vehicle> {
    let gt = preset("gt").expect("the preset exists");
    let mut driven_otherwise = Vehicle { driving_exponent: Some(1.4), ..gt.clone() };
    driven_otherwise.front_downforce_fraction = Some(0.3);
    let mut vehicles: Vec<_> =
        [1.0, 1.6, 3.0].map(|ellipse_exponent| Vehicle { ellipse_exponent, ..gt.clone() }).into();
    vehicles.extend([driven_otherwise, preset("tum-racecar").expect("the preset exists")]);
    vehicles
}

fn problem<'a>(stations: &'a [Station], closed: bool, car: Car<'a>) -> LapProblem<'a> {
    let n = stations.len();
    let gap = |i: usize| Gap::between(&stations[i], &stations[(i + 1) % n], &car.turning);
    LapProblem {
        stations,
        profiles: &*PROFILES,
        gaps: (0..n).map(gap).collect(),
        closed,
        car,
        smoothing: 4.0,
        max_curvature: 0.12,
        min_speed_squared: 1.0,
        max_speed_squared: vec![5000.0; n],
        units: Units { time: 0.2, offset: 4.0, speed_squared: 700.0 },
        fixed: Vec::new(),
    }
}

/// A program, a point, multipliers and weights.
struct Case<'a> {
    problem: LapProblem<'a>,
    x: Vec<[f64; UNKNOWNS]>,
    duals: Duals<0, LIMITS>,
    weights: Vec<StationLimits>,
}

impl Case<'_> {
    /// Values with unknown `k` moved by `sign` parts of its typical change.
    fn moved(&self, k: usize, sign: f64) -> Vec<[f64; UNKNOWNS]> {
        let mut x = self.x.clone();
        x[k / UNKNOWNS][k % UNKNOWNS] += sign * PART * TYPICAL[k % UNKNOWNS];
        x
    }

    fn values(&self, x: &[[f64; UNKNOWNS]]) -> (f64, Vec<f64>) {
        let mut values = Values::zeros(STATIONS);
        NonlinearProgram::evaluate(&self.problem, x, &mut values);
        (values.objective, values.limits.as_flattened().to_vec())
    }

    fn linearised(&self, x: &[[f64; UNKNOWNS]], weights: &[StationLimits]) -> Linearised {
        let (mut at, _) = self.problem.room();
        NonlinearProgram::linearise(&self.problem, x, &self.duals, weights, &mut at);
        at
    }

    fn gradient(&self, x: &[[f64; UNKNOWNS]]) -> Vec<f64> {
        let at = self.linearised(x, &vec![[0.0; LIMITS]; STATIONS]);
        match self.problem.gradient(&at) {
            Gradient::Objective(gradient) | Gradient::Lagrangian(gradient) => gradient.as_flattened().to_vec(),
        }
    }

    fn matrix(&self, weights: &[StationLimits]) -> Vec<Vec<f64>> {
        let at = self.linearised(&self.x, weights);
        let (_, mut system) = self.problem.room();
        self.problem.assemble(&at, weights, 0.0, &mut system);
        (0..ALL).map(|i| (0..ALL).map(|j| system.get(i, j)).collect()).collect()
    }

    /// Derivatives of the limits by every unknown, as the linearisation has them.
    fn limit_gradients(&self) -> Vec<Vec<f64>> {
        let at = self.linearised(&self.x, &self.weights);
        let by_unknown = |k: usize| {
            let mut step = vec![[0.0; UNKNOWNS]; STATIONS];
            step[k / UNKNOWNS][k % UNKNOWNS] = 1.0;
            let mut changes = vec![[0.0; LIMITS]; STATIONS];
            self.problem.limit_changes(&at, &step, &mut changes);
            changes.as_flattened().to_vec()
        };
        (0..ALL).map(by_unknown).collect()
    }

    fn check(&self, name: &str) {
        let (gradient, matrix) = (self.gradient(&self.x), self.matrix(&vec![[0.0; LIMITS]; STATIONS]));
        let (limits, weighted) = (self.limit_gradients(), self.matrix(&self.weights));
        let multipliers = self.duals.multipliers.as_flattened();
        let lagrangian = |(objective, limits): (f64, Vec<f64>)| {
            limits.iter().zip(multipliers).map(|(g, z)| g * z).sum::<f64>() + objective
        };
        for k in 0..ALL {
            let typical = TYPICAL[k % UNKNOWNS];
            let whole = 2.0 * PART * typical;
            let (after, before) = (self.values(&self.moved(k, 1.0)), self.values(&self.moved(k, -1.0)));
            for (j, ((up, down), exact)) in after.1.iter().zip(&before.1).zip(&limits[k]).enumerate() {
                let error = ((up - down) / whole - exact).abs() * typical;
                assert!(error < 1e-6, "{name}: limit {j} by {k}: {exact} {error:e}");
            }
            let slope = (lagrangian(after) - lagrangian(before)) / whole;
            let error = (slope - gradient[k]).abs() * typical;
            assert!(error < 1e-6, "{name}: gradient {k}: {slope} {}", gradient[k]);
            let (up, down) = (self.gradient(&self.moved(k, 1.0)), self.gradient(&self.moved(k, -1.0)));
            for j in 0..ALL {
                let bend = (up[j] - down[j]) / whole;
                let scale = typical * TYPICAL[j % UNKNOWNS];
                let error = (bend - matrix[k][j]).abs() * scale;
                assert!(error < 1e-4, "{name}: second derivative {k} {j}: {bend} {}", matrix[k][j]);
                // The weights add the squares of the limits' gradients.
                let weights = self.weights.as_flattened();
                let square: f64 =
                    weights.iter().zip(limits[k].iter().zip(&limits[j])).map(|(w, (a, b))| w * a * b).sum();
                let error = (weighted[k][j] - matrix[k][j] - square).abs() * scale;
                // Squares of vehicles with a large exponent are large, and so is their rounding.
                let rounding = (1e-14 * square * scale).abs().max(1e-9);
                assert!(error < rounding, "{name}: weights {k} {j}: {square} {error:e}");
            }
        }
    }
}

#[test]
fn derivatives_of_the_program_are_those_of_its_values() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(16));
    for (number, vehicle) in vehicles().into_iter().enumerate() {
        let diagram = GgDiagram::new(&vehicle).expect("a valid vehicle");
        let power = Power::new(diagram.exponent());
        let driving_power = Power::new(diagram.driving_exponent());
        for closed in [false, true] {
            let stations = stations(&mut random);
            let turning = if number == 0 { Turning::default() } else { Turning::of(&vehicle) };
            let car = Car { diagram: &diagram, turning, power, driving_power };
            let duals = Duals {
                prices: vec![[]; STATIONS],
                multipliers: (0..STATIONS).map(|_| std::array::from_fn(|_| random.between(0.0, 1.0))).collect(),
            };
            let mut weights: Vec<StationLimits> =
                (0..STATIONS).map(|_| std::array::from_fn(|_| random.between(0.0, 1.0))).collect();
            // An open course has no interval after its last station: its limits are constants.
            if !closed {
                weights[STATIONS - 1][..6].fill(0.0);
            }
            let x = (0..STATIONS).map(|_| [random.between(-0.3, 0.3), random.between(500.0, 600.0)]).collect();
            let case = Case { problem: problem(&stations, closed, car), x, duals, weights };
            case.check(&format!("vehicle {number}, closed: {closed}"));
        }
    }
}

/// On a circle with the squared speed `w (1 + sin φ / 2)` the time is an integral.
#[test]
fn the_time_of_the_program_converges_with_second_order() {
    let vehicle = preset("tum-racecar").expect("the preset exists");
    let diagram = GgDiagram::new(&vehicle).expect("a valid vehicle");
    let power = Power::new(2.0);
    let car = Car { diagram: &diagram, turning: Turning::default(), power, driving_power: power };
    let (radius, w) = (50.0, 400.0);
    let squared = |angle: f64| w * (1.0 + 0.5 * angle.sin());
    // The trapezoidal rule converges exponentially on a circle.
    let exact = (0..400).map(|i| std::f64::consts::TAU * f64::from(i) / 400.0);
    let exact: f64 = exact.map(|angle| std::f64::consts::TAU / 400.0 * radius / squared(angle).sqrt()).sum();
    let error = |n: usize| {
        let angle = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
        let step = std::f64::consts::TAU * radius / n as f64;
        let station = |i: usize| {
            let outwards = Vector::new(angle(i).cos(), angle(i).sin());
            let (origin, normal) = (Point::origin() + outwards * radius, -outwards);
            let (low, high, curvature) = (-3.0, 3.0, 1.0 / radius);
            Station {
                origin,
                normal,
                low,
                high,
                curvature,
                step,
                grip: 1.0,
                profile: None,
                ground: Ground::LEVEL,
                max_speed_mps: f64::INFINITY,
            }
        };
        let stations: Vec<Station> = (0..n).map(station).collect();
        let units = Units { time: 1.0, offset: 1.0, speed_squared: 1.0 };
        let problem = LapProblem { smoothing: 0.0, units, ..problem(&stations, true, car) };
        let x: Vec<[f64; UNKNOWNS]> = (0..n).map(|i| [0.0, squared(angle(i))]).collect();
        (problem.values(&x, &mut vec![[0.0; LIMITS]; n]) - exact).abs()
    };
    let [coarse, fine, finest] = [20, 40, 80].map(error);
    for order in [(coarse / fine).log2(), (fine / finest).log2()] {
        assert!((order - 2.0).abs() < 0.1, "{order}: {coarse:e} {fine:e} {finest:e}");
    }
    println!("program: {coarse:e} {fine:e} {finest:e}");
}
