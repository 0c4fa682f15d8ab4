//! Where the others will be in the next seconds.
//!
//! With the line and the pace of the others where they are known ([`super::field`]), else the path and
//! [`USUAL_PACE`] of its speed, a rival e beside that line whose drift against it is w is in t at
//!
//! ```text
//! line(s(t)) + (e + w τ (1 - exp(-t/τ))) exp(-t/T)
//! ```
//!
//! It speeds up as this vehicle can, and brakes for what it usually drives.

use super::field::Field;
use crate::bodies::MAX_SEEN;
use crate::chassis::Frame;
use crate::options::TargetSpeedOptions;
use crate::target_speed::Walk;
use crate::traffic::neighbours::Seen;
use raceline_car::VehicleDynamics;
use raceline_numerics::math;

/// Times at which a rival's place is predicted, and their step, s.
const TIMES: usize = 28;
const STEP_S: f64 = 0.25;
/// Speed by that of the path where nothing is known. A larger one overtakes less on the first lap.
const USUAL_PACE: f64 = 0.93;
/// Bounds of the pace that is expected.
const PACES: [f64; 2] = [0.5, 1.05];
/// Time in which motion across fades, s: τ; a longer one expects more of a swerve. Its largest speed,
/// m/s.
const DRIFT_S: f64 = 0.5;
const MAX_DRIFT_MPS: f64 = 6.0;
/// Time over which the line's slope is taken, s.
const SLOPE_S: f64 = 0.3;
/// Time in which a rival returns to its line, s: T. A shorter one expects those who overtake to cut in
/// sooner.
const RETURN_S: f64 = 2.5;
/// A slower one stays as slow, m/s.
const IDLE_MPS: f64 = 3.0;
/// Deceleration for bends and of one that slides, m/s², and the fraction of this vehicle's drive that
/// a rival has.
const BRAKES_MPS2: f64 = 18.0;
const SLIDES_MPS2: f64 = 9.0;
const DRIVE_FRACTION: f64 = 0.85;
/// Distance behind beyond which rivals are not looked at, m.
const BEHIND_M: f64 = 15.0;

/// A place of a rival.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// Distance of its middle ahead of this vehicle's along the path now, m.
    pub s: f64,
    /// m to the left of the path.
    pub offset: f64,
    /// m/s.
    pub speed: f64,
}

/// Another vehicle and where it will be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rival {
    /// Half the lengths and half the widths of both vehicles, m.
    pub lengths: f64,
    pub widths: f64,
    places: [Place; TIMES],
}

impl Rival {
    const NONE: Self = Self { lengths: 0.0, widths: 0.0, places: [Place { s: 0.0, offset: 0.0, speed: 0.0 }; TIMES] };

    fn new(
        seen: &Seen,
        frame: &Frame<'_>,
        field: &Field,
        dynamics: &VehicleDynamics,
        speeds: &TargetSpeedOptions,
        width: f64,
    ) -> Self {
        let own = frame.nearest.s + frame.middle * math::cos(frame.heading_error);
        let ahead = frame.path.signed_distance(own, frame.path.wrap(seen.s));
        let mut walk = Walk::new(frame.path, frame.path.segment_at(frame.path.wrap(seen.s)));
        let mut places = [Place::default(); TIMES];
        let (mut s, mut speed) = (0.0, seen.speed.max(0.0));
        let idle = speed < IDLE_MPS;
        let (mut faster, mut beside, mut drift) = (1.0, 0.0, 0.0);
        for (k, place) in places.iter_mut().enumerate() {
            let time = k as f64 * STEP_S;
            let there = walk.sample(seen.s + s);
            let top = (there.speed_mps * speeds.profile_scale).min(speeds.max_speed_mps).max(1.0);
            let habit = field.at(frame.path, seen.s + s);
            let line = habit.offset * habit.known;
            let pace = habit.known * habit.pace.clamp(PACES[0], PACES[1]) + (1.0 - habit.known) * USUAL_PACE;
            if k == 0 {
                // One that is faster now than usual stays so.
                faster = (speed / (pace * top)).clamp(1.0, 1.0 / pace.min(1.0));
                beside = seen.offset - line;
                let after = field.at(frame.path, seen.s + SLOPE_S * speed);
                let turning = (after.offset * after.known - line) / SLOPE_S;
                drift = (seen.drift - turning).clamp(-MAX_DRIFT_MPS, MAX_DRIFT_MPS);
            }
            let drifted = beside + drift * DRIFT_S * (1.0 - math::exp(-time / DRIFT_S));
            // At its place now it stays within its own reach, on the road or not.
            let low = (seen.half_width - there.right_m).min(seen.offset);
            let high = (there.left_m - seen.half_width).max(seen.offset);
            let offset = if idle { seen.offset } else { line + drifted * math::exp(-time / RETURN_S) };
            *place = Place { s: ahead + s, offset: offset.clamp(low, high.max(low)), speed };
            let wanted = pace * faster * top;
            let next = if seen.slides {
                (speed - SLIDES_MPS2 * STEP_S).max(0.0)
            } else if idle {
                speed
            } else if speed > wanted {
                (speed - BRAKES_MPS2 * STEP_S).max(wanted)
            } else {
                (speed + DRIVE_FRACTION * dynamics.drive_mps2.at(speed) * STEP_S).min(wanted)
            };
            s += 0.5 * (speed + next) * STEP_S;
            speed = next;
        }
        Self { lengths: (ahead.abs() - seen.gap).max(0.5), widths: seen.half_width + 0.5 * width, places }
    }

    /// Where it is now.
    pub(super) fn now(&self) -> Place {
        self.places[0]
    }

    /// Where it will be in `time`. Beyond the last of the times it goes on along the path.
    pub(super) fn at(&self, time: f64) -> Place {
        let place = (time / STEP_S).max(0.0);
        let k = (place as usize).min(TIMES - 2);
        let [a, b] = [&self.places[k], &self.places[k + 1]];
        let u = place - k as f64;
        let v = u.min(1.0);
        Place {
            s: a.s + (b.s - a.s) * u,
            offset: a.offset + (b.offset - a.offset) * v,
            speed: a.speed + (b.speed - a.speed) * v,
        }
    }

    /// The time, from `time` on, at which it is `s` ahead.
    pub(super) fn when(&self, s: f64, time: f64) -> f64 {
        let mut k = ((time / STEP_S).max(0.0) as usize).min(TIMES - 2);
        while k < TIMES - 2 && self.places[k + 1].s < s {
            k += 1;
        }
        let [a, b] = [&self.places[k], &self.places[k + 1]];
        // One that stands is passed there late enough.
        let gains = (b.s - a.s).max(0.5 * STEP_S);
        ((k as f64 + (s - a.s) / gains) * STEP_S).max(time)
    }

    /// One at a constant speed at an offset.
    #[cfg(test)]
    pub(super) fn steady(s: f64, offset: f64, speed: f64, [lengths, widths]: [f64; 2]) -> Self {
        let place = |k: usize| Place { s: s + speed * STEP_S * k as f64, offset, speed };
        Self { lengths, widths, places: std::array::from_fn(place) }
    }
}

/// The rivals of a frame.
pub(super) struct Rivals {
    rivals: [Rival; MAX_SEEN],
    count: usize,
}

impl Rivals {
    pub(super) fn new(
        seen: &[Seen],
        frame: &Frame<'_>,
        field: &Field,
        dynamics: &VehicleDynamics,
        speeds: &TargetSpeedOptions,
        width: f64,
    ) -> Self {
        let mut rivals = Self { rivals: [Rival::NONE; MAX_SEEN], count: 0 };
        let near = seen.iter().filter(|seen| seen.ahead || seen.gap < BEHIND_M);
        for (rival, seen) in rivals.rivals.iter_mut().zip(near) {
            *rival = Rival::new(seen, frame, field, dynamics, speeds, width);
            rivals.count += 1;
        }
        rivals
    }

    pub(super) fn as_slice(&self) -> &[Rival] {
        &self.rivals[..self.count]
    }
}

#[cfg(test)]
mod tests;
