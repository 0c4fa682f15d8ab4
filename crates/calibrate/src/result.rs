//! The fitted parts → a vehicle and the remarks on it.

use super::calibration::{Calibration, Curve, CurvePoint, Estimate, Note, Origin};
use super::drive_curve::Drives;
use super::envelope::{Envelope, interpolated};
use super::limits::{Known, Limit, Limits};
use super::loads::Loads;
use super::resistance::ResistanceSource;
use raceline_car::{DriveLimit, STANDARD_GRAVITY, Vehicle};
use raceline_numerics::math;

/// Significant digits of the vehicle's numbers.
const DIGITS: i32 = 4;
/// Uncertainty of a limit that was filled, as a fraction, beside that of the fit.
const FILLED_ERROR: f64 = 0.02;
/// A mass that differs from the base's by more is reported, as a fraction.
const OTHER_MASS: f64 = 0.03;

/// Puts a calibration together; `times` the seconds and the pedals' lag.
pub(super) fn assemble(
    base: &Vehicle,
    known: &Known,
    limits: &Limits,
    Drives { engine: drive, tyres: driving }: Drives,
    mut notes: Vec<Note>,
    loads: Option<Loads>,
    times: (f64, Option<f64>),
) -> Calibration {
    let (mass, samples) = (base.mass_kg, known.samples);
    let braking = curve(limits, &limits.braking);
    let lateral = curve(limits, &limits.lateral);
    if limits.braking.origin != Origin::Measured {
        let max_brake = known.pedals.map(|pedals| pedals.max_brake);
        let (max_mps2, filled) = (limits.braking.max, limits.braking.origin);
        notes.push(Note::BrakingNotReached { max_mps2, max_brake, filled });
    }
    if limits.lateral.origin != Origin::Measured {
        notes.push(Note::LateralNotReached { max_mps2: limits.lateral.max, filled: limits.lateral.origin });
    }
    for (limit, name) in [(&limits.braking, "braking"), (&limits.lateral, "lateral")] {
        // A model that was fitted and does not grow is the constant of its fit.
        let is_of_base = !limit.envelope.model.is_fitted && limit.envelope.model.growth > 0.0;
        if limit.origin == Origin::Measured && is_of_base {
            notes.push(Note::GrowthOfBase { limit: name });
        }
    }
    if limits.exponent.is_none() {
        notes.push(Note::ExponentOfBase);
    }
    let has_pedals = samples.has_throttle && samples.has_brake;
    if known.pedals.is_none() {
        notes.push(Note::ResistanceOfBase { has_pedals });
    }
    if let Some(Loads { mass: measured, .. }) = loads
        && (measured.value / mass - 1.0).abs() > OTHER_MASS
    {
        notes.push(Note::Mass { measured_kg: measured.value, base_kg: mass });
    }
    let scaled = |[value, error]: [f64; 2], scale: f64, samples: usize| Estimate {
        value: rounded(value * scale),
        standard_error: Some(error * scale),
        samples,
    };
    let drag_kgpm = known
        .pedals
        .map_or(Estimate::of_base(base.drag_kgpm), |pedals| scaled(pedals.drag_over_mass, mass, pedals.samples));
    let rolling_resistance = known.pedals.map_or(Estimate::of_base(base.rolling_resistance), |pedals| {
        scaled(pedals.rolling_mps2, STANDARD_GRAVITY.recip(), pedals.samples)
    });
    let ellipse_exponent = limits.exponent.unwrap_or(Estimate::of_base(base.ellipse_exponent));
    let row = |(brake, side): (&CurvePoint, &CurvePoint)| {
        [rounded(brake.speed_mps), rounded(brake.limit_mps2), rounded(side.limit_mps2)]
    };
    let drive_table: Vec<[f64; 2]> = drive.points.iter().map(|p| [p.speed_mps, p.limit_mps2 * mass]).collect();
    let vehicle = Vehicle {
        name: format!("{}-calibrated", base.name),
        lateral_limit_mps2: 0.0,
        longitudinal_limit_mps2: 0.0,
        ggv_table: braking.points.iter().zip(&lateral.points).map(row).collect(),
        ellipse_exponent: rounded(ellipse_exponent.value),
        drag_kgpm: drag_kgpm.value,
        downforce_kgpm: 0.0,
        rolling_resistance: rounded(rolling_resistance.value),
        drive: DriveLimit::TableN(drive_table.iter().map(|[v, force]| [rounded(*v), rounded(*force)]).collect()),
        driving_limit_table: driving.as_ref().map_or_else(
            || base.driving_limit_table.clone(),
            |curve| curve.points.iter().map(|p| [rounded(p.speed_mps), rounded(p.limit_mps2)]).collect(),
        ),
        max_speed_mps: base.max_speed_mps.max(rounded(known.fastest)),
        ..base.clone()
    };
    let (vehicle, guessed) = with_axles(vehicle, loads.as_ref());
    if !guessed.is_empty() {
        notes.push(Note::Guessed { keys: guessed });
    }
    Calibration {
        vehicle,
        samples: samples.all.len(),
        seconds: times.0,
        fastest_mps: known.fastest,
        noise_mps2: [samples.noise_along, samples.noise_across],
        pedal_lag_s: times.1,
        drag_kgpm,
        rolling_resistance,
        resistance: known.pedals.map_or(ResistanceSource::Base, |pedals| pedals.source),
        downforce_kgpm: downforce(base, limits),
        downforce_by_loads_kgpm: loads.map(|loads| loads.downforce),
        mass_by_loads_kg: loads.map(|loads| loads.mass),
        ellipse_exponent,
        braking,
        lateral,
        drive,
        driving,
        notes,
    }
}

/// The vehicle with what the loads show of its axles, and a usual value for each other key of them that it does
/// not have; and the names of those.
fn with_axles(mut vehicle: Vehicle, loads: Option<&Loads>) -> (Vehicle, Vec<&'static str>) {
    if let Some(loads) = loads {
        for (key, found) in [
            (&mut vehicle.front_weight_fraction, loads.front_weight_fraction),
            (&mut vehicle.front_downforce_fraction, loads.front_downforce_fraction),
            (&mut vehicle.centre_of_gravity_m, loads.centre_of_gravity_m),
        ] {
            *key = found.map(|found| rounded(found.value)).or(*key);
        }
        // A table of limits does not show which part of its growth is downforce.
        if loads.front_downforce_fraction.is_some() {
            vehicle.table_downforce_kgpm = Some(rounded(loads.downforce.value));
        }
    }
    let usual = vehicle.with_defaults();
    let mut guessed = Vec::new();
    for (name, key, value) in [
        ("front_weight_fraction", &mut vehicle.front_weight_fraction, usual.front_weight_fraction),
        ("yaw_inertia_kgm2", &mut vehicle.yaw_inertia_kgm2, usual.yaw_inertia_kgm2),
        ("centre_of_gravity_m", &mut vehicle.centre_of_gravity_m, usual.centre_of_gravity_m),
        ("front_brake_fraction", &mut vehicle.front_brake_fraction, usual.front_brake_fraction),
        ("front_drive_fraction", &mut vehicle.front_drive_fraction, usual.front_drive_fraction),
        ("peak_slip_rad", &mut vehicle.peak_slip_rad, usual.peak_slip_rad),
        ("rear_grip_reserve", &mut vehicle.rear_grip_reserve, usual.rear_grip_reserve),
        ("steering_rate_radps", &mut vehicle.steering_rate_radps, usual.steering_rate_radps),
    ] {
        // A stiffness stands for the slip of the peak.
        if key.is_none() && (name != "peak_slip_rad" || vehicle.cornering_stiffness_per_rad.is_none()) {
            *key = value.map(rounded);
            guessed.push(name);
        }
    }
    (vehicle, guessed)
}

/// The points of a limit.
fn curve(limits: &Limits, limit: &Limit) -> Curve {
    let Limit { envelope, bins, origin, .. } = limit;
    let reached = envelope.reached_mps();
    let of_point = |index: usize| {
        let speed_mps = limits.grid.speed(index);
        let limit_mps2 = envelope.at(speed_mps);
        let bin = bins.get(index).copied().flatten();
        let inside = reached.is_some_and(|[low, high]| (low..=high).contains(&speed_mps));
        let of_fit = || error_of_fit(envelope, speed_mps);
        let (standard_error_mps2, origin) = match (origin, bin) {
            (Origin::Measured, Some(bin)) if inside && envelope.is_measured_at(speed_mps) => {
                (Some(bin.standard_error), Origin::Measured)
            }
            (Origin::Measured, _) if inside => (Some(of_fit()), Origin::Between),
            (Origin::Measured, _) => (Some(of_fit()), Origin::Beyond),
            (Origin::Base, _) => (None, Origin::Base),
            (origin, _) => (Some(of_fit()), *origin),
        };
        CurvePoint { speed_mps, limit_mps2, standard_error_mps2, samples: bin.map_or(0, |bin| bin.samples), origin }
    };
    Curve { points: (0..limits.grid.count).map(of_point).collect(), reached_mps: reached }
}

fn error_of_fit(envelope: &Envelope, speed: f64) -> f64 {
    math::hypot(envelope.model.standard_error(speed), FILLED_ERROR * envelope.at(speed))
}

/// Downforce by the growth of both limits, kg/m.
fn downforce(base: &Vehicle, limits: &Limits) -> Estimate {
    let weight = base.mass_kg * STANDARD_GRAVITY;
    let of_limit = |limit: &Limit| {
        let model = &limit.envelope.model;
        if limit.origin != Origin::Measured || !model.is_fitted {
            return None;
        }
        let ratio = model.ratio();
        let [[cc, cg], [_, gg]] = model.covariance;
        // The variance of growth / constant.
        let variance = (gg - 2.0 * ratio * cg + ratio * ratio * cc) / (model.constant * model.constant);
        let samples = limit.bins.iter().flatten().map(|bin| bin.samples).sum::<usize>();
        Some((ratio * weight, variance.max(0.0).sqrt() * weight, samples))
    };
    let found: Vec<(f64, f64, usize)> = [&limits.braking, &limits.lateral].into_iter().filter_map(of_limit).collect();
    match found.as_slice() {
        [] => Estimate::of_base(base.downforce_kgpm),
        [(value, error, samples)] => Estimate { value: *value, standard_error: Some(*error), samples: *samples },
        [(a, error_a, n), (b, error_b, m), ..] => {
            let weight = |error: &f64| math::powi(error.max(1e-9), -2);
            let (wa, wb) = (weight(error_a), weight(error_b));
            let value = (wa * a + wb * b) / (wa + wb);
            // At least what the two differ by.
            let error = math::powf(wa + wb, -0.5).max(0.5 * (a - b).abs());
            Estimate { value, standard_error: Some(error), samples: n + m }
        }
    }
}

/// `value` with four significant digits.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let power = DIGITS - 1 - math::log10(value.abs()).floor() as i32;
    let factor = math::powi(10_f64, power.abs());
    // Divided by powers of ten, so that the shortest text is the rounded one.
    if power >= 0 { (value * factor).round() / factor } else { (value / factor).round() * factor }
}

impl Calibration {
    /// Multiplies the limits of the tyres by `level`, in the curves and in the vehicle.
    pub(super) fn scale_limits(&mut self, level: f64) {
        for point in self.braking.points.iter_mut().chain(&mut self.lateral.points) {
            point.limit_mps2 *= level;
        }
        for [_, along, across] in &mut self.vehicle.ggv_table {
            (*along, *across) = (rounded(level * *along), rounded(level * *across));
        }
    }
}

impl Curve {
    /// The limit at `speed_mps`, m/s², linear between the points.
    #[must_use]
    pub fn at(&self, speed_mps: f64) -> f64 {
        let points: Vec<[f64; 2]> = self.points.iter().map(|point| [point.speed_mps, point.limit_mps2]).collect();
        interpolated(&points, speed_mps).unwrap_or(0.0)
    }
}
