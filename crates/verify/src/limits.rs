//! Whether the vehicle can drive the line: speeds, curvature and accelerations inside its limits.
//!
//! With the force of the tyres per mass along the line, `a + resistance + gravity`, and across it, both as
//! fractions x and y of their limits at the load and the grip of the place, the use of the tyres
//!
//! ```text
//! (|x|^p + |y|^p)^(1/p)
//! ```
//!
//! is at most 1. It is measured in the middle of each step, where the acceleration is the step's. The
//! limits leave out what turning the body costs, so they are those of a point mass: no line may exceed
//! them.

use raceline_car::{GgDiagram, STANDARD_GRAVITY, Vehicle, lean};
use raceline_file::{LinePoint, RacingLine};
use raceline_numerics::math;

use super::Rule;
use super::conditions::{CentreLine, Conditions, has_heights};
use super::course::Step;
use super::ground::{Ground, grounds};
use super::patches::patch_factors;
use super::report::Tally;

/// Allowed use of the tyres.
const MAX_USE: f64 = 1.02;
/// Allowed use of the tyres of a car with axles, whose axles have limits of their own.
const MAX_CAR_USE: f64 = 1.12;
/// Allowed excess over the drive's limit, as a fraction of it.
const DRIVE_FRACTION: f64 = 0.02;
/// Allowed excess over the lean rate, as a fraction of it.
const LEAN_FRACTION: f64 = 0.02;
/// Shortest time of a change of lean, s: times in files are rounded.
const MIN_TIME_S: f64 = 1e-3;
/// Rounding of speeds, m/s, and curvatures, 1/m.
const SPEED_STEP_MPS: f64 = 1e-4;
const CURVATURE_STEP: f64 = 2e-8;
/// Allowed excess of a load.
const LOAD_SLACK: f64 = 0.06;
/// Allowed part of the load that the road's vertical bend adds or takes.
const BEND_FRACTION: f64 = 0.6;
/// Rounding of a height, m.
const HEIGHT_STEP_M: f64 = 2e-5;

/// The tyres at a point.
#[derive(Clone, Copy)]
struct Tyres {
    /// w, m²/s².
    square: f64,
    /// Acceleration that they give across the line, m/s².
    across: f64,
    /// Factor on the limit across, and along.
    lateral: f64,
    longitudinal: f64,
    gravity_along: f64,
}

/// Judges the limits of `vehicle` on `line`.
pub fn judge<V, O>(
    line: &RacingLine<V, O>,
    steps: &[Step],
    (vehicle, diagram): (&Vehicle, &GgDiagram),
    conditions: &Conditions,
    tally: &mut Tally,
) {
    let grounds = grounds(line, steps);
    let grips = grips(line, conditions);
    for (index, point) in line.points.iter().enumerate() {
        let max_mps = vehicle.max_speed_mps * (1.0 + 1e-6) + SPEED_STEP_MPS;
        tally.at(Rule::MaxSpeed, index, point.speed_mps, max_mps);
        let max_radpm = vehicle.max_curvature_radpm * (1.0 + 1e-6) + CURVATURE_STEP;
        tally.at(Rule::MaxCurvature, index, point.curvature_radpm.abs(), max_radpm);
    }
    if let Some(rate_radps) = vehicle.lean_rate_radps.filter(|_| conditions.turning != "free") {
        lean_rates(line, steps, vehicle.wheelbase_m, rate_radps, tally);
    }
    if has_heights(line) {
        loads(line, steps, &grounds, (vehicle, diagram), tally);
    }
    let tyres: Vec<Tyres> = (0..line.points.len())
        .map(|index| tyres(&line.points[index], &grounds[index], grips[index], (vehicle, diagram)))
        .collect();
    let max_use = if line.is_of_car() { MAX_CAR_USE } else { MAX_USE };
    for step in steps {
        let (a, b) = (tyres[step.from], tyres[step.to]);
        let mean = |of: fn(&Tyres) -> f64| 0.5 * (of(&a) + of(&b));
        let square = mean(|tyres| tyres.square);
        let accel = (b.square - a.square) / (2.0 * step.space_m);
        let along = accel + diagram.resistance(square) + mean(|tyres| tyres.gravity_along);
        // The mean curvature of the step is its turn by its length.
        let mean_radpm = 0.5 * [step.from, step.to].map(|point| line.points[point].curvature_radpm).iter().sum::<f64>();
        let bend_radpm = step.turn_rad / step.plane_m.max(f64::MIN_POSITIVE);
        let at_ends = mean(|tyres| tyres.across);
        let across = at_ends.abs().min((at_ends + (bend_radpm - mean_radpm) * square).abs());
        let y = across / (mean(|tyres| tyres.lateral) * diagram.lateral_limit(square));
        let longitudinal = mean(|tyres| tyres.longitudinal);
        if along < 0.0 {
            let x = -along / (longitudinal * diagram.longitudinal_limit(square));
            tally.at(Rule::Braking, step.from, whole_use(x, y, diagram.exponent()), max_use);
        } else {
            let (limit, _) = diagram.driving();
            let x = along / (longitudinal * limit.at(square));
            tally.at(Rule::Driving, step.from, whole_use(x, y, diagram.driving_exponent()), max_use);
            let drive = a_drive(diagram, [a.square, b.square]);
            // Half a speed's rounding at either end of a short step is an acceleration too.
            let rounding = SPEED_STEP_MPS * (a.square.sqrt() + b.square.sqrt()) / step.space_m;
            tally.at(Rule::Drive, step.from, along, drive * (1.0 + DRIVE_FRACTION) + rounding + 1e-3);
        }
    }
}

/// The rate of the lean angle from each point to the first one at a wheelbase from it or farther: a vehicle does not
/// lean by a kink of the curvature between two points.
fn lean_rates<V, O>(line: &RacingLine<V, O>, steps: &[Step], wheelbase_m: f64, rate_radps: f64, tally: &mut Tally) {
    let lean = |index: usize| {
        let point = &line.points[index];
        lean::lean_rad(point.curvature_radpm * point.speed_mps * point.speed_mps)
    };
    let allowed = rate_radps * (1.0 + LEAN_FRACTION);
    // From the start: the distance and the time at which each step ends, of a closed line over two rounds.
    let rounds = if line.closed { 2 } else { 1 };
    let ends: Vec<[f64; 2]> = (steps.iter().cycle().take(rounds * steps.len()))
        .scan([0.0; 2], |[walked_m, time_s], step| {
            (*walked_m, *time_s) = (*walked_m + step.plane_m, *time_s + step.stated_s);
            Some([*walked_m, *time_s])
        })
        .collect();
    let mut last = 0;
    for (first, step) in steps.iter().enumerate() {
        let [from_m, from_s] = first.checked_sub(1).map_or([0.0; 2], |before| ends[before]);
        last = last.max(first);
        while ends.get(last).is_some_and(|[end_m, _]| end_m - from_m < wheelbase_m) {
            last += 1;
        }
        // Around a closed line, and at most once.
        let Some([_, end_s]) = ends.get(last).filter(|_| last < first + steps.len()) else { break };
        let change = (lean(steps[last % steps.len()].to) - lean(step.from)).abs();
        tally.at(Rule::LeanRate, step.from, change / (end_s - from_s).max(MIN_TIME_S), allowed);
    }
}

/// The largest limit of the drive between two squared speeds, m/s²: those of both ends and of the middle.
fn a_drive(diagram: &GgDiagram, [from, to]: [f64; 2]) -> f64 {
    [from, 0.5 * (from + to), to].into_iter().map(|square| diagram.drive_limit(square)).fold(0.0, f64::max)
}

fn whole_use(x: f64, y: f64, exponent: f64) -> f64 {
    math::powf(math::powf(x, exponent) + math::powf(y, exponent), exponent.recip())
}

fn tyres(point: &LinePoint, ground: &Ground, grip: f64, (vehicle, diagram): (&Vehicle, &GgDiagram)) -> Tyres {
    let square = point.speed_mps * point.speed_mps;
    let across = ground.across_radpm * square + ground.gravity_across;
    // The load in the file is that of the axle that limits cornering; the whole vehicle has its downforce.
    let load = point.load.unwrap_or(1.0);
    let (axle, whole) = (axle_downforce(vehicle), diagram.downforce_over_mass());
    let carried = load * (STANDARD_GRAVITY + axle * square) + (whole - axle) * square;
    let longitudinal = if point.load.is_some() { carried / (STANDARD_GRAVITY + whole * square) } else { 1.0 };
    Tyres {
        square,
        across,
        lateral: grip * load,
        longitudinal: grip * longitudinal,
        gravity_along: ground.gravity_along,
    }
}

/// Downforce per mass and squared speed on the axle that limits cornering, 1/m.
fn axle_downforce(vehicle: &Vehicle) -> f64 {
    vehicle.downforce_on_tyres_kgpm() / vehicle.mass_kg * vehicle.limiting_downforce_fraction()
}

/// The loads are at most those that heights and banking give.
fn loads<V, O>(
    line: &RacingLine<V, O>,
    steps: &[Step],
    grounds: &[Ground],
    (vehicle, _): (&Vehicle, &GgDiagram),
    tally: &mut Tally,
) {
    let downforce = axle_downforce(vehicle);
    let shortest_m = steps.iter().map(|step| step.plane_m).fold(f64::INFINITY, f64::min);
    for (index, (point, ground)) in line.points.iter().zip(grounds).enumerate() {
        let square = point.speed_mps * point.speed_mps;
        let rounding = 4.0 * HEIGHT_STEP_M / (shortest_m * shortest_m) * square / STANDARD_GRAVITY;
        let given = (ground.gravity_normal + (ground.normal_radpm + downforce) * square)
            / (STANDARD_GRAVITY + downforce * square);
        // Where the road's slope has a kink, its bend depends on how the heights are made smooth.
        let n = grounds.len();
        let bend = (n + index - 2..=n + index + 2).map(|k| grounds[k % n].normal_radpm.abs()).fold(0.0, f64::max);
        let rough = BEND_FRACTION * bend * square / STANDARD_GRAVITY;
        // A load is never stated below a hundredth.
        let allowed = given.max(0.01) + LOAD_SLACK + rounding + rough;
        tally.at(Rule::Load, index, point.load.unwrap_or_default(), allowed);
    }
}

/// The largest grip that each point may have: that of the file, and not more than stretches and patches of the
/// options leave of the road's, which is the largest where they change nothing.
fn grips<V, O>(line: &RacingLine<V, O>, conditions: &Conditions) -> Vec<f64> {
    let of_file = |point: &LinePoint| point.grip.unwrap_or(1.0);
    if conditions.grip.is_empty() {
        return line.points.iter().map(of_file).collect();
    }
    let CentreLine { length_m: centre_m, slack_m } = CentreLine::of(line);
    let scale = centre_m / line.length_m;
    let along = line.points.iter();
    let mut grips: Vec<f64> =
        along.map(|point| conditions.grip_at(point.s_m * scale, slack_m, line.closed.then_some(centre_m))).collect();
    for (grip, factor) in grips.iter_mut().zip(patch_factors(line, conditions)) {
        *grip *= factor;
    }
    // What the road below them has shows where they change nothing; nowhere, if that is no point of the lap.
    let unchanged = line.points.iter().zip(&grips).filter(|(_, grip)| **grip == 1.0);
    let of_road =
        unchanged.map(|(point, _)| of_file(point)).reduce(f64::max).map_or(f64::INFINITY, |grip| grip.max(1.0));
    let allowed = |(point, of_options): (&LinePoint, f64)| match point.grip {
        Some(grip) => grip.min(of_options * of_road),
        None => of_options,
    };
    line.points.iter().zip(grips).map(allowed).collect()
}
