//! Pedal at the limit.
//!
//! The path is sampled at the places s_k = s + v t + k d, from the preview time t on. Each has the
//! squared speed w_k of the profile, its acceleration a_k and the lateral acceleration y_k that the
//! profile needs there. A_y is the lateral limit, r the resistance, and a hat marks what is planned.
//!
//! Use of the tyres by cornering, forwards, where f is the fraction that is left after a sample:
//!
//! ```text
//! u_k = max( |y_k| / A_y(w_k),  f u_{k-1} )                                                  (1)
//! ```
//!
//! The speed from which the brakes still reach the next sample's, backwards, with the braking b that
//! the driver uses and what the ellipse leaves beside cornering:
//!
//! ```text
//! ŵ_k = min( w_k,  ŵ_{k+1} + 2 d r + 2 d min( b, left(u_k) (1 - lost u_k) ) )               (2)
//! â_k = (ŵ_{k+1} - ŵ_k) / 2 d   where the brakes limit,   a_k elsewhere                     (3)
//! ```
//!
//! The brakes' part of (2) is left out where rolling alone reaches w_k. The preview contains half of
//! the time that the pedal needs from the last acceleration a₋ to full braking B at the jerk j, since
//! that much is lost:
//!
//! ```text
//! t_lag = (a₋ + B) / 2 j                                                                     (4)
//! ```
//!
//! The target v̂ = √ŵ_0, which is lowered where the vehicle is outside of the line, is for the place
//! that the vehicle reaches after the preview time t. With the drag d of the tyres that corner it
//! arrives there with the speed
//!
//! ```text
//! v_t = v + t' (a₋ - r - d)       t' = t, or |â - a₋| / j where that is less and v grows     (5)
//! ```
//!
//! With the fraction l of the tyres' slip that is linear, and the vehicle's offset e by its width W,
//! the tyres are asked for
//!
//! ```text
//! a = gain (v̂ - v_t) + â_0 + r(v) + l (1 - |e| / W) d                                        (6)
//! ```
//!
//! where the last term is at most what the first 0.97 of the tyres leave beside the plan. That lies
//! between the brakes and the drive that cornering leaves, changes by at most j dt, and the pedal is
//! its fraction of the drive's limit or of full braking:
//!
//! ```text
//! -brakes ≤ a ≤ drive,     |a - a₋| ≤ j dt,     pedal = a / drive  or  a / full braking      (7)
//! ```

use super::given::GivenInputs;
use super::model::Model;
use super::motion::Motion;
use super::plan::Ahead;
use crate::geometry::mix;
use crate::options::{LimitOptions, SpeedControlOptions, WHEELBASE_M};

/// Samples of the path ahead for braking.
const SAMPLES: usize = 16;
/// Time between the samples, s: with 16 of them the path is known for 1.5 s. A longer one sees a
/// braking point earlier, a shorter one does not step over short bends.
const SPACING_S: f64 = 0.1;
/// Smallest distance between the samples, m, for a vehicle that hardly moves.
const MIN_SPACING_M: f64 = 0.5;
/// Use of the front tyres' slip up to which the drive takes what the ellipse leaves, and from which
/// it takes none: what drives the vehicle unloads the front, and it runs wide. Smaller ones keep to
/// the line at the cost of later acceleration.
const STEERS: f64 = 1.0;
const RUNS_WIDE: f64 = 1.5;
/// Fraction of the braking limit, 0 to 1, that is used in a bend, whatever cornering leaves, when
/// the speed exceeds the target by the fraction `RUSH`. More of it, and sooner, gets rid of the
/// speed before the car runs wide, but takes from the tyres what steers.
const RUSH_BRAKING: f64 = 0.6;
const RUSH: f64 = 0.06;
/// Longest time by which the pedal's own time brings braking forward, s.
const LONGEST_LAG_S: f64 = 0.3;
/// Time of the pedal from nothing to full braking where the path gives the pedal, s: its inputs
/// contain the change of load.
const GIVEN_PEDAL_S: f64 = 0.08;
/// Braking that is left at any slip, m/s². A larger one slows a sliding car sooner, and lets it
/// slide longer.
const MIN_BRAKING_MPS2: f64 = 0.2;
/// Fraction of the use of the tyres that remains after a sample's time when the path is straight, 0
/// to 1: slip fades more slowly than the path's curvature. A larger one brakes less at the exit of
/// a bend, a smaller one as if the car were straight at once.
const FADING: f64 = 0.7;

/// The pedal, the target speed and the target's acceleration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pedal {
    pub pedal: f64,
    pub target: f64,
    /// Acceleration of the tyres that it asks for, m/s².
    pub along: f64,
}

/// What else decides the pedal of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment<'a> {
    /// Acceleration of the tyres that the last pedal asked for, m/s²; `None` after a gap.
    pub before: Option<f64>,
    /// Fraction of the brakes that is lost at the lateral limit.
    pub lost: f64,
    /// Slip of the front wheels that the steering needs, by the most they are given.
    pub front_use: f64,
    /// Length of the frame, s.
    pub dt: f64,
    /// The speed that the end of an open path allows, and the deceleration to it.
    pub end: Option<(f64, f64)>,
    /// Inputs that the path gives here.
    pub given: Option<&'a GivenInputs>,
}

/// The pedal for the profile ahead, for the motion now and when it acts.
pub(crate) fn pedal(
    model: &Model<'_>,
    options: &LimitOptions,
    control: &SpeedControlOptions,
    [now, motion]: [&Motion; 2],
    ahead: &mut Ahead<'_>,
    moment: &Moment<'_>,
) -> Pedal {
    let Moment { before, lost, front_use, dt, end, given } = *moment;
    let given_fraction = given.map_or(0.0, |given| given.fraction);
    let speed = motion.speed;
    let spacing = (speed * SPACING_S).max(MIN_SPACING_M);
    let full_brake = |model: &Model<'_>, speed: f64| {
        let tyres = model.longitudinal(speed);
        options.full_brake_mps2(control, tyres).min(tyres)
    };
    let full_pedal = options.full_brake_mps2(control, model.longitudinal(speed));
    let usual_s = options.pedal_s * (model.wheelbase / WHEELBASE_M).sqrt();
    let jerk = model.longitudinal(speed) / mix(usual_s, usual_s.min(GIVEN_PEDAL_S), given_fraction);
    // Equation (4): from the last acceleration to full braking the pedal needs time; half of it is lost.
    let full = options.braking_fraction * full_brake(model, speed);
    let lag = ((before.unwrap_or(-full) + full) / (2.0 * jerk)).clamp(0.0, LONGEST_LAG_S);
    // The path's inputs are for this place and contain the planned braking.
    let preview = (1.0 - given_fraction) * (options.speed_preview_s + lag);
    let braking_fraction = mix(options.braking_fraction, 1.0, given_fraction);
    let lost = (1.0 - given_fraction) * lost;
    let here = ahead.at(motion.advance);
    let from = motion.advance + speed * preview;
    let wanted: [_; SAMPLES] = std::array::from_fn(|k| ahead.at(from + k as f64 * spacing));
    // The rear tyres' slip shows what force they give, in a slide too; a predicted one does not.
    let rear = model.rear_slip([now.speed, now.across, now.yaw_rate]);
    let across = wanted[0].across(speed * speed);
    let using = model.used(speed, across);
    // A slide that the path plans is none.
    let sliding = rear.abs() / model.peak_slip - given.map_or(0.0, |given| given.fraction * given.rear_slip);
    let held = ((options.slide_none - sliding) / (options.slide_none - options.slide_full)).clamp(0.0, 1.0);
    // Equation (1), forwards: what cornering takes of the tyres. It fades slower than the path's
    // curvature, because the slip does.
    let mut fading = using;
    let uses = wanted.map(|place| {
        fading = model.on(place.grip).used(place.square.sqrt(), place.across(place.square)).max(fading * FADING);
        fading
    });
    // Equations (2) and (3), backwards: the speed from which the brakes still reach the next sample's.
    let last = SAMPLES - 1;
    let (mut square, mut planned) = (wanted[last].square, wanted[last].acceleration);
    for (place, used) in wanted[..last].iter().zip(uses).rev() {
        let then = square.sqrt();
        let rolling = square + 2.0 * spacing * model.resistance(then);
        // The ellipse takes time, so only where the brakes are needed.
        let max_square = if rolling < place.square {
            let model = &model.on(place.grip);
            let left = model.left_beside(then, used) * (1.0 - lost * used);
            let brakes = (braking_fraction * full_brake(model, then)).min(left);
            rolling + 2.0 * spacing * brakes
        } else {
            rolling
        };
        if max_square < place.square {
            planned = (square - max_square) / (2.0 * spacing);
            square = max_square;
        } else {
            planned = place.acceleration;
            square = place.square;
        }
    }
    // The path's speeds are those of a car that brakes so beside cornering.
    square = mix(square, wanted[0].square, given_fraction);
    // Running wide: slower.
    let outside = -motion.offset * wanted[0].curvature.signum();
    let slower = 1.0 - (options.slower_off_path * outside).clamp(0.0, 0.2);
    // No sooner faster than the profile is. That speed is for this place.
    let mut until = preview;
    if here.square < square {
        (square, planned, until) = (here.square, here.acceleration, 0.0);
    }
    let mut target = square.sqrt() * slower;
    if let Some((at_end, braking)) = end
        && at_end < target
    {
        (target, planned, until) = (at_end, -braking, 0.0);
    }
    let resistance = model.resistance(speed);
    let drag = model.cornering_drag(speed, across);
    let planned = planned + resistance;
    // Tyres that give all of their force have nothing left to keep the line with: there the drag's speed is a reserve.
    let spare = (model.left_in_reserve(speed, using) - planned.abs()).max(0.0);
    // Likewise beside the path, as in traffic, where the bend is not the one that the speed is for.
    let on_path = (1.0 - motion.offset.abs() / model.width).max(0.0);
    let planned = planned + (model.linear_fraction() * on_path * drag).min(spare);
    // Equation (5). The pedal reaches the plan sooner than the place, and does not go on from there.
    let along = before.unwrap_or(planned);
    let gain = along - resistance - drag;
    let time = if gain > 0.0 { until.min((planned - along).abs() / jerk) } else { until };
    let arriving = speed + time * gain;
    let mut left = held * model.left_beside(speed, using);
    let mut drives = held * model.left_for_driving(speed, using);
    // Equation (6).
    let acceleration = options.speed_gain * (target - arriving)
        + match given {
            Some(given) => {
                let along = held * given.fraction * given.along.abs();
                (left, drives) = (left.max(along), drives.max(along));
                mix(planned, given.along, given.fraction)
            }
            None => planned,
        };
    // Too fast for the bend: braking gains more than the lateral force that it takes.
    let rush = ((speed / target.max(1.0) - 1.0) / RUSH).clamp(0.0, 1.0);
    let min_brakes = held * rush * RUSH_BRAKING * model.longitudinal(speed);
    let brakes = left.max(min_brakes).max(MIN_BRAKING_MPS2).min(options.full_brake_fraction * full_pedal);
    let drive = model.dynamics.drive_mps2.at(speed).max(1e-3);
    let steers = ((RUNS_WIDE - front_use) / (RUNS_WIDE - STEERS)).clamp(0.0, 1.0);
    // Equation (7).
    let wanted = acceleration.clamp(-brakes, steers * drives.min(drive));
    let reach = jerk * dt;
    let along = before.map_or(wanted, |before| wanted.clamp(before - reach, before + reach));
    let pedal = if along > 0.0 { along / drive } else { along / full_pedal };
    Pedal { pedal: pedal.clamp(-1.0, 1.0), target, along: along.clamp(-full_pedal, drive) }
}

#[cfg(test)]
mod tests;
