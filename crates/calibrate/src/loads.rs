//! What follows from the loads of the wheels: mass, downforce, the axles, and the load at every moment.
//!
//! The sum of the loads is `m n + D v²` with what presses on the road, n: g on the flat. Without
//! columns of the road, its mean over hills is close to g. Once mass and downforce are known, the loads
//! give n itself, with all crests and bumps.
//!
//! The front axle has the fraction s of the weight and its own part D_f of the downforce, and loses to the
//! acceleration a along the road what the height h of the centre of gravity moves over the wheelbase L:
//! `s m n + D_f v² - m a h / L`. This height contains what moves load in other parts of the car, such as
//! drag above the road.

use super::calibration::Estimate;
use super::regression::Rows;
use super::samples::Samples;
use raceline_car::{STANDARD_GRAVITY, Vehicle};

/// Samples whose load differs from that of a quiet car by more than this fraction are not used: the
/// tyres do not follow bumps so fast.
const MAX_BUMP: f64 = 0.12;

/// Downforce below this fraction of the weight at the largest speed does not show how the axles have it.
const MIN_DOWNFORCE: f64 = 0.05;
/// Fractions and heights by the wheelbase that are no errors of the measurement.
const FRACTIONS: [f64; 2] = [0.05, 0.95];
const HEIGHTS: [f64; 2] = [0.02, 0.6];

/// What the loads show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loads {
    /// Kg.
    pub mass: Estimate,
    /// Kg/m.
    pub downforce: Estimate,
    /// `None` where the loads do not show it.
    pub front_weight_fraction: Option<Estimate>,
    pub front_downforce_fraction: Option<Estimate>,
    /// M.
    pub centre_of_gravity_m: Option<Estimate>,
}

/// What the loads of the wheels show, for the wheelbase of `base`; `None` where they are not known.
pub(super) fn by_loads(samples: &Samples, base: &Vehicle) -> Option<Loads> {
    let (mut all, mut front) = (Rows::new(2), Rows::new(3));
    let mut fastest = 0.0_f64;
    for sample in samples.all.iter().filter(|sample| sample.load.is_finite()) {
        let square = sample.speed * sample.speed;
        fastest = fastest.max(square);
        all.push(sample.clock_s, &[sample.normal, square], sample.load);
        front.push(sample.clock_s, &[sample.normal, square, -sample.along], sample.load_front);
    }
    let fit = all.fit(0.0, f64::INFINITY)?;
    let of = |value: f64, error: f64| Estimate { value, standard_error: Some(error), samples: all.len() };
    let estimate = |i: usize| of(fit.values[i], fit.standard_errors[i]);
    let (mass, downforce) = (estimate(0), estimate(1));
    if mass.value <= 0.0 {
        return None;
    }
    let front = front.fit(0.0, f64::INFINITY);
    let within = |estimate: Estimate, [low, high]: [f64; 2]| (low..=high).contains(&estimate.value).then_some(estimate);
    let part = |i: usize, scale: f64| {
        front.as_ref().map(|front| of(front.values[i] * scale, front.standard_errors[i] * scale.abs()))
    };
    let is_pressed = downforce.value * fastest > MIN_DOWNFORCE * mass.value * STANDARD_GRAVITY;
    let length = base.wheelbase_m;
    Some(Loads {
        front_weight_fraction: part(0, mass.value.recip()).and_then(|found| within(found, FRACTIONS)),
        front_downforce_fraction: part(1, downforce.value.recip())
            .filter(|_| is_pressed)
            .and_then(|found| within(found, FRACTIONS)),
        centre_of_gravity_m: part(2, length / mass.value)
            .and_then(|found| within(found, HEIGHTS.map(|height| height * length))),
        mass,
        downforce,
    })
}

impl Samples {
    /// Takes what presses on the road from the loads, and leaves out the bumps.
    pub fn use_loads(&mut self, mass: f64, downforce: f64) {
        self.all.retain_mut(|sample| {
            if !sample.load.is_finite() {
                return true;
            }
            let by_air = downforce * sample.speed * sample.speed;
            let quiet = mass * sample.normal + by_air;
            sample.normal = (sample.load - by_air) / mass;
            (sample.load / quiet - 1.0).abs() < MAX_BUMP
        });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::super::samples::{Sample, Samples};
    use super::{Estimate, STANDARD_GRAVITY, Vehicle, by_loads};

    #[test]
    fn bumps_are_left_out_and_hills_kept() {
        // 1 000 kg and 1 kg/m at 40 m/s on the flat: 11 410 N.
        let sample = |factor: f64| Sample {
            clock_s: 0.0,
            speed: 40.0,
            along: 0.0,
            across: 0.0,
            steady: 0.0,
            normal: 9.81,
            grip: 1.0,
            throttle: 0.0,
            brake: 0.0,
            shifts: false,
            load: factor * (9810.0 + 1600.0),
            load_front: f64::NAN,
        };
        let mut samples = Samples { all: [0.87, 0.89, 1.0, 1.11, 1.13].map(sample).to_vec(), ..Samples::default() };
        samples.use_loads(1000.0, 1.0);
        let normals: Vec<f64> = samples.all.iter().map(|sample| sample.normal).collect();
        assert_eq!(normals.len(), 3, "{normals:?}");
        for (normal, factor) in normals.iter().zip([0.89, 1.0, 1.11]) {
            assert!((normal - (factor * 11_410.0 - 1600.0) / 1000.0).abs() < 1e-9, "{normals:?}");
        }
    }

    #[test]
    fn the_axles_are_found_in_their_loads() {
        // 1 000 kg, 0.45 of them in front, 3 kg/m of downforce with 0.4 in front, and 0.3 m high over 2.5 m.
        let base = Vehicle { wheelbase_m: 2.5, ..raceline_car::preset("gt").unwrap() };
        let sample = |i: u32| {
            let (speed, along) = (10.0 + f64::from(i % 50), f64::from(i % 13) - 8.0);
            let square = speed * speed;
            Sample {
                clock_s: f64::from(i),
                speed,
                along,
                across: 0.0,
                steady: 0.0,
                normal: STANDARD_GRAVITY,
                grip: 1.0,
                throttle: 0.0,
                brake: 0.0,
                shifts: false,
                load: 1000.0 * STANDARD_GRAVITY + 3.0 * square,
                load_front: 450.0 * STANDARD_GRAVITY + 1.2 * square - 1000.0 * along * 0.3 / 2.5,
            }
        };
        let samples = Samples { all: (0..500).map(sample).collect(), ..Samples::default() };
        let found = by_loads(&samples, &base).unwrap();
        let close =
            |found: Option<Estimate>, truth: f64| assert!((found.unwrap().value - truth).abs() < 1e-4, "{found:?}");
        close(Some(found.mass), 1000.0);
        close(found.front_weight_fraction, 0.45);
        close(found.front_downforce_fraction, 0.4);
        close(found.centre_of_gravity_m, 0.3);
    }
}
