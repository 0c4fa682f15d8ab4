//! Made-up driving of a known car: straights, braking, trail braking, bends, coasting.

use raceline::vehicle::{DriveLimit, GgDiagram, Vehicle, preset};
use raceline_calibrate::Run;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const G: f64 = 9.80665;
const STEP_S: f64 = 0.02;

/// A car with downforce, whose drive falls with speed.
pub fn car() -> Vehicle {
    Vehicle {
        name: "known".to_owned(),
        mass_kg: 1000.0,
        lateral_limit_mps2: 16.0,
        longitudinal_limit_mps2: 15.0,
        downforce_kgpm: 2.4,
        drag_kgpm: 0.7,
        rolling_resistance: 0.015,
        ellipse_exponent: 2.0,
        drive: DriveLimit::PowerAndForce { power_w: 240e3, force_n: 8500.0 },
        max_speed_mps: 85.0,
        ..preset("gt").unwrap()
    }
}

/// The road of a driver.
#[derive(Clone, Copy, PartialEq)]
pub enum Road {
    Flat,
    /// Grades, banking, crests and dips, and grip from 0.85 to 1.2.
    Hilly,
}

/// How the car is driven and recorded.
pub struct Driver {
    pub seconds: f64,
    /// Part of the braking limit that is used at most.
    pub braking: f64,
    /// Part of the lateral limit that is used at most.
    pub cornering: f64,
    /// Acceleration that the driven wheels carry at grip 1.
    pub traction_mps2: Option<f64>,
    pub noise_mps2: f64,
    pub speed_noise_mps: f64,
    /// Fraction of samples with an error of up to 15 m/s².
    pub outliers: f64,
    pub road: Road,
}

impl Default for Driver {
    fn default() -> Self {
        Self {
            seconds: 600.0,
            braking: 1.0,
            cornering: 1.0,
            traction_mps2: None,
            noise_mps2: 0.3,
            speed_noise_mps: 0.05,
            outliers: 0.01,
            road: Road::Flat,
        }
    }
}

/// What the road does at a moment.
struct Place {
    grade: f64,
    banking: f64,
    curvature: f64,
    grip: f64,
}

impl Road {
    fn at(self, time: f64) -> Place {
        match self {
            Self::Flat => Place { grade: 0.0, banking: 0.0, curvature: 0.0, grip: 1.0 },
            Self::Hilly => Place {
                grade: 0.1 * (0.31 * time).sin(),
                banking: 0.1 * (0.23 * time).sin(),
                curvature: 0.0015 * (0.9 * time).sin(),
                grip: if (time / 7.0).fract() < 0.5 { 1.2 } else { 0.85 },
            },
        }
    }
}

/// What the driver wants: fractions of the limits. Throttle, brake, lateral with its direction.
#[derive(Clone, Copy)]
struct Wish {
    throttle: f64,
    brake: f64,
    lateral: f64,
}

struct Recorder<'a> {
    car: GgDiagram,
    growth: f64,
    driver: &'a Driver,
    run: Run,
    time: f64,
    speed: f64,
}

impl Recorder<'_> {
    /// One step of the car; returns its acceleration.
    fn step(&mut self, wish: Wish, rng: &mut impl Rng) -> f64 {
        let (v, place) = (self.speed, self.driver.road.at(self.time));
        let w = v * v;
        // Lateral force and the load that bank and curvature make of it, in a few rounds.
        let (mut across, mut normal) = (0.0, G);
        for _ in 0..20 {
            normal = G * place.grade.cos() * place.banking.cos() - across * place.banking.sin() + place.curvature * w;
            let load = (normal / G + self.growth * w) / (1.0 + self.growth * w);
            let tyres_y = wish.lateral * self.car.lateral_limit(w) * place.grip * load;
            across = (tyres_y - G * place.banking.sin()) / place.banking.cos();
        }
        let load = place.grip * (normal / G + self.growth * w) / (1.0 + self.growth * w);
        let limit = self.car.longitudinal_limit_jet(w).value * load;
        let traction = self.driver.traction_mps2.map_or(f64::INFINITY, |traction| traction * load);
        let drive = wish.throttle * self.car.drive_jet(w).value.min(traction);
        let along = drive - wish.brake * limit - self.car.resistance(w) - G * place.grade.sin();
        let noise = self.driver.noise_mps2;
        let mut noisy = |value: f64| {
            let outlier = if rng.random_bool(self.driver.outliers) { rng.random_range(-15.0..15.0) } else { 0.0 };
            value + noise * normal_deviate(rng) + outlier
        };
        let (reported_along, reported_across) = (noisy(along), noisy(across));
        self.run.time_s.push(self.time);
        let speed_noise = self.driver.speed_noise_mps * normal_deviate(rng);
        self.run.speed_mps.push(v + speed_noise);
        let columns = [
            (&mut self.run.accel_mps2, reported_along),
            (&mut self.run.lateral_accel_mps2, reported_across),
            (&mut self.run.throttle, wish.throttle),
            (&mut self.run.brake, wish.brake),
        ];
        for (column, value) in columns {
            column.get_or_insert_default().push(value);
        }
        if self.driver.road == Road::Hilly {
            self.run.grade_rad.get_or_insert_default().push(place.grade);
            self.run.banking_rad.get_or_insert_default().push(place.banking);
            self.run.vertical_curvature_radpm.get_or_insert_default().push(place.curvature);
            self.run.grip.get_or_insert_default().push(place.grip);
        }
        self.time += STEP_S;
        self.speed = (v + along * STEP_S).max(3.0);
        along
    }
}

fn normal_deviate(rng: &mut impl Rng) -> f64 {
    let (a, b): (f64, f64) = (rng.random_range(1e-12..1.0), rng.random());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// Telemetry of `car`, driven by `driver`.
pub fn drive_car(car: &Vehicle, driver: &Driver, seed: u64) -> Run {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let growth = car.downforce_kgpm / (car.mass_kg * G);
    let run = Run { name: "made-up.csv".to_owned(), ..Run::default() };
    let mut recorder = Recorder { car: GgDiagram::new(car).unwrap(), growth, driver, run, time: 0.0, speed: 5.0 };
    let rest = Wish { throttle: 0.0, brake: 0.0, lateral: 0.0 };
    while recorder.time < driver.seconds {
        let top = rng.random_range(25.0..72.0);
        while recorder.speed < top {
            if recorder.step(Wish { throttle: 1.0, ..rest }, rng) < 0.3 {
                break;
            }
        }
        for _ in 0..rng.random_range(0..40) {
            recorder.step(rest, rng);
        }
        // Sometimes at the limit, sometimes below it.
        let care = |rng: &mut ChaCha8Rng| f64::min(1.0, rng.random_range(0.75..1.2));
        let brake = driver.braking * care(rng);
        let slow = rng.random_range(10.0..0.9 * recorder.speed.max(12.0));
        while recorder.speed > slow {
            recorder.step(Wish { brake, ..rest }, rng);
        }
        let direction = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let corner = driver.cornering * care(rng);
        for k in 0..30 {
            let angle = f64::from(k) / 30.0 * std::f64::consts::FRAC_PI_2;
            let (brake, lateral) = (driver.braking * corner * angle.cos(), direction * corner * angle.sin());
            recorder.step(Wish { brake, lateral, ..rest }, rng);
        }
        for _ in 0..rng.random_range(30..100) {
            let w = recorder.speed * recorder.speed;
            let throttle = (recorder.car.resistance(w) / recorder.car.drive_jet(w).value).min(1.0);
            // Beside the drive, the ellipse leaves a little less than all.
            let used = throttle * recorder.car.drive_jet(w).value / recorder.car.longitudinal_limit_jet(w).value;
            let lateral = direction * corner * (1.0 - used * used).sqrt();
            recorder.step(Wish { throttle, brake: 0.0, lateral }, rng);
        }
    }
    recorder.run
}
