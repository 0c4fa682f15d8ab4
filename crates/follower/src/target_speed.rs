//! Target speed: Algorithm 1 of de Schaetzen and Sestini, *Efficient Ground Vehicle Path Following
//! in Game AI*, IEEE Conference on Games 2023, with braking distance, and the path's own speed
//! profile.
//!
//! The path ahead is resampled: the vehicle's own position, then points Δh apart along the path.
//! Three successive points give a quadratic Bézier curve, whose largest curvature κ has a closed
//! form ([`crate::bezier`]). A curve that begins d metres ahead allows
//!
//! ```text
//! v² ≤ a_lat g / κ + 2 a_brake d
//! ```
//!
//! and the lowest of these applies. The paper uses the lowest of all cornering speeds at any
//! distance, which is the case of `braking_mps2` near 0. The path beyond the last point is unknown,
//! except that it can be driven at the minimum speed. That point therefore counts as a curve with
//! the minimum speed: the vehicle never drives faster than the sampled path permits.
//!
//! The first point has the path's height, since a vehicle's reference point is not on the ground.

use raceline_numerics::{STANDARD_GRAVITY, math};

use crate::bezier::{QuadraticBezier, cornering_speed};
use crate::chassis::Frame;
use crate::geometry::{Point, distance, lerp, wrap_angle};
use crate::options::{CurveSpan, SpeedControlOptions, SpeedMode, TargetSpeedOptions};
use crate::path::{Path, PathSample, ProfileSample};
use crate::vehicle::{VehicleGeometry, VehicleKind};

/// Distance before the end of a path at which the end counts as reached, metres.
pub(crate) const ARRIVED_M: f64 = 0.5;
/// Largest number of points that are sampled.
const MAX_POINTS: usize = 64;
/// Number of stretches before and after a bend over which its slopes are taken.
const BEHIND: usize = 2;
/// Difference of the directions before and after a bend from which on the slopes are compared.
const MIN_APART: f64 = 0.4;
/// Fraction of the lateral acceleration that is counted on however much gravity takes.
const MIN_LATERAL: f64 = 0.3;
/// Fraction of a hover vehicle's thrust, 0 to 1, that bends may take: the rest holds the speed.
/// More is faster until the vehicle slides out.
const THRUST_FRACTION: f64 = 0.6;
/// Smallest speed of approaching the end of a path, m/s.
const CREEP_MPS: f64 = 0.5;
/// Deceleration towards the end of an open path where the options have none that is finite, m/s².
pub(crate) const END_BRAKING_MPS2: f64 = 4.0;

/// Target speed and curvature ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TargetSpeed {
    pub speed: f64,
    /// Rate of change of the target as the vehicle advances, m/s².
    pub acceleration: f64,
    /// Largest curvature of the curves that begin within the specified reach, 1/m.
    pub curvature: f64,
}

/// The combined limits of options and vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub lateral_mps2: f64,
    pub yaw_rate_radps: f64,
    pub braking_mps2: f64,
    /// The option's minimum speed; for vehicles without steered wheels no more than that of their
    /// sharpest turn.
    pub min_mps: f64,
    /// Whether braking takes nothing from what cornering needs.
    pub thrust_brakes: bool,
}

impl Limits {
    pub(crate) fn new(options: &TargetSpeedOptions, control: &SpeedControlOptions, vehicle: &VehicleGeometry) -> Self {
        let grip = options.grip_fraction * vehicle.grip_g;
        let mut limits = Self {
            lateral_mps2: options.lateral_acceleration_g.min(grip) * STANDARD_GRAVITY,
            yaw_rate_radps: options.yaw_rate_radps.min(options.yaw_rate_fraction * vehicle.max_yaw_rate_radps),
            braking_mps2: options.braking_mps2.min(grip * STANDARD_GRAVITY),
            min_mps: options.min_speed_mps,
            thrust_brakes: vehicle.kind == VehicleKind::Hover,
        };
        if limits.thrust_brakes {
            // Thrust turns it beside the grip, and brakes without it.
            let allowed = vehicle.grip_g * STANDARD_GRAVITY + THRUST_FRACTION * control.full_throttle_mps2;
            limits.lateral_mps2 =
                (options.lateral_acceleration_g * STANDARD_GRAVITY).min(options.grip_fraction * allowed);
            limits.braking_mps2 = options.braking_mps2.min(control.full_brake_mps2);
        }
        if vehicle.kind != VehicleKind::Wheels {
            let sharpest = math::tan(vehicle.max_steering_rad) / vehicle.wheelbase_m;
            limits.min_mps = limits.min_mps.min(limits.speed_on(sharpest, 0.0));
        }
        limits
    }

    /// The speed at which a curvature can be held where gravity pulls out of the bend, m/s.
    pub(crate) fn speed_on(&self, curvature: f64, outward_mps2: f64) -> f64 {
        let bend = curvature.abs();
        let lateral = (self.lateral_mps2 - outward_mps2).max(MIN_LATERAL * self.lateral_mps2);
        // Infinity by infinity is NaN, which `min` ignores; a bend of 0 gives infinity.
        (lateral / bend).sqrt().min(self.yaw_rate_radps / bend)
    }
}

/// Samples a path at rising arc lengths.
pub(crate) struct Walk<'a> {
    path: &'a Path,
    segment: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(path: &'a Path, segment: usize) -> Self {
        Self { path, segment }
    }

    pub(crate) fn position(&mut self, s: f64) -> Point {
        let s = self.path.wrap(s);
        self.segment = self.path.segment_from(self.segment, s);
        self.path.position_in(self.segment, s)
    }

    pub(crate) fn profile(&mut self, s: f64) -> ProfileSample {
        let s = self.path.wrap(s);
        self.segment = self.path.segment_from(self.segment, s);
        self.path.profile_in(self.segment, s)
    }

    pub(crate) fn sample(&mut self, s: f64) -> PathSample {
        let s = self.path.wrap(s);
        self.segment = self.path.segment_from(self.segment, s);
        self.path.sample_in(self.segment, s)
    }
}

/// The target speed, and the largest curvature within `reach` ahead.
///
/// A vehicle that turns early ([`crate::early_turn`]) cuts bends that are sharper than its turning
/// circle: `max_bend` is that circle's curvature, and infinite otherwise.
pub(crate) fn target_speed(
    frame: &Frame<'_>,
    options: &TargetSpeedOptions,
    limits: &Limits,
    reach: f64,
    max_bend: f64,
) -> TargetSpeed {
    let speed = frame.state.speed_mps.max(0.0);
    let preview = speed * options.preview_s;
    let curves = from_curves(frame, options, limits, preview, reach, max_bend);
    let profile = match options.mode {
        SpeedMode::Bezier => None,
        SpeedMode::Profile | SpeedMode::Both => from_profile(frame, options, preview),
    };
    let (mut target, mut acceleration) = match (options.mode, profile) {
        (SpeedMode::Profile, Some(profile)) => profile,
        (SpeedMode::Both, Some(profile)) if profile.0 <= curves.speed => profile,
        _ => (curves.speed, curves.acceleration),
    };
    if target <= limits.min_mps {
        (target, acceleration) = (limits.min_mps, 0.0);
    } else if target >= options.max_speed_mps {
        (target, acceleration) = (options.max_speed_mps, 0.0);
    }
    if let Some((end, braking)) = frame.end_speed(options.stop_at_end, limits.braking_mps2)
        && end < target
    {
        (target, acceleration) = (end, -braking * (speed / end.max(CREEP_MPS)).min(1.0));
    }
    TargetSpeed { speed: target, acceleration, curvature: curves.curvature }
}

/// The profile's speed and acceleration: the lower of those at the vehicle's position and at its
/// position after the preview, so that it brakes early and does not accelerate before the profile
/// does.
fn from_profile(frame: &Frame<'_>, options: &TargetSpeedOptions, preview: f64) -> Option<(f64, f64)> {
    let there = Walk::new(frame.path, frame.nearest.segment).sample(frame.nearest.s + preview);
    let lower = if frame.here.speed_mps < there.speed_mps { frame.here } else { there };
    let scale = options.profile_scale;
    lower.speed_mps.is_finite().then_some((lower.speed_mps * scale, lower.acceleration_mps2 * scale * scale))
}

fn from_curves(
    frame: &Frame<'_>,
    options: &TargetSpeedOptions,
    limits: &Limits,
    preview: f64,
    reach: f64,
    max_bend: f64,
) -> TargetSpeed {
    let (spacing, s) = (options.spacing_m, frame.nearest.s);
    let mut walk = Walk::new(frame.path, frame.nearest.segment);
    let [x, y, _] = frame.state.position_m;
    // On a planned curve beside the path the vehicle is where it should be: no kink leads back.
    let planned = frame.shift.route.map_or(0.0, |distance| distance.at(0.0).offset);
    let (sin, cos) = math::sin_cos(frame.here.heading_rad);
    let own = [x + planned * sin, y - planned * cos, frame.here.position_m[2]];
    // The first three points begin with `first`, in units of Δh.
    let (first, mut a, mut b) = match options.span {
        CurveSpan::Headings => return from_headings(frame, options, limits, preview, reach, max_bend),
        CurveSpan::Points => (0.0, own, walk.position(s + spacing)),
        // One point behind, so that the first curve is at the vehicle: a bend counts until it is
        // left. A kink at the vehicle's own position would come from the cross-track error, not
        // from the road.
        CurveSpan::Midpoints => {
            let off = frame.cross_track.abs() > spacing;
            let behind = Walk::new(frame.path, frame.nearest.segment).position(s - spacing);
            if off { (0.0, own, walk.position(s + spacing)) } else { (-1.0, behind, frame.here.position_m) }
        }
    };
    // For a vehicle far off the path the bend of the first curve is far away.
    let approach = (distance(a, b) - 2.0 * spacing).max(0.0);
    // Rate of change of the square of the speed.
    let top = options.max_speed_mps * options.max_speed_mps;
    let (mut lowest, mut binding, mut curvature) = (top, 0.0, 0.0_f64);
    let mut allow = |corner_squared: f64, distance: f64| {
        // With infinite braking every distance suffices, and a distance of 0 adds nothing.
        let gained = if distance > 0.0 { 2.0 * limits.braking_mps2 * distance } else { 0.0 };
        if corner_squared + gained < lowest {
            (lowest, binding) = (corner_squared + gained, distance);
        }
    };
    let curves = options.points - if first < 0.0 { 1 } else { 2 };
    for i in 0..curves {
        let from = first + i as f64;
        let c = walk.position(s + spacing * (from + 2.0));
        let (curve, begins) = match options.span {
            CurveSpan::Points => (QuadraticBezier { start: a, control: b, end: c }, from * spacing),
            CurveSpan::Midpoints | CurveSpan::Headings => {
                let (start, end) = (lerp(a, b, 0.5), lerp(b, c, 0.5));
                (QuadraticBezier { start, control: b, end }, (from + 0.5) * spacing)
            }
        };
        let bend = curve.max_curvature().min(max_bend);
        let corner = cornering_speed(limits.lateral_mps2, bend, options.max_speed_mps)
            // Infinity by infinity is NaN, which `min` ignores.
            .min(if bend > 0.0 { limits.yaw_rate_radps / bend } else { f64::INFINITY })
            .max(limits.min_mps);
        allow(corner * corner, (approach + begins - preview).max(0.0));
        if begins <= reach {
            curvature = curvature.max(bend);
        }
        (a, b) = (b, c);
    }
    let seen = (options.points - 1) as f64 * spacing;
    if frame.path.closed() || s + seen < frame.path.length_m() {
        allow(limits.min_mps * limits.min_mps, (seen - preview).max(0.0));
    }
    let target = lowest.max(0.0).sqrt();
    // Along v² = v_corner² + 2 a d the target decreases at the rate a while the vehicle follows it.
    let acceleration = if binding > 0.0 && lowest < top && limits.braking_mps2.is_finite() && target > 0.0 {
        -limits.braking_mps2 * (frame.state.speed_mps.max(0.0) / target).min(1.0)
    } else {
        0.0
    };
    TargetSpeed { speed: target, acceleration, curvature }
}

/// The target speed from the path's headings: a stretch of `spacing_m` has the curvature by which they
/// turn. From the last stretch back to the vehicle, each is left at most as fast as the next one
/// allows, and braked on with what turning leaves of the friction ellipse, and with the slope. A
/// hover vehicle's fan brakes whatever the skids hold.
#[inline(never)]
fn from_headings(
    frame: &Frame<'_>,
    options: &TargetSpeedOptions,
    limits: &Limits,
    preview: f64,
    reach: f64,
    max_bend: f64,
) -> TargetSpeed {
    let (spacing, s) = (options.spacing_m, frame.nearest.s);
    let behind = if frame.path.closed() { BEHIND } else { ((s / spacing) as usize).min(BEHIND) };
    let stretches = (options.points - 1).min(MAX_POINTS);
    let mut samples = [(0.0, [0.0; 3]); MAX_POINTS + 1 + BEHIND];
    let samples = &mut samples[..stretches + 1 + behind];
    let first = s + preview - behind as f64 * spacing;
    let segment = if behind > 0 { frame.path.segment_at(frame.path.wrap(first)) } else { frame.nearest.segment };
    let mut walk = Walk::new(frame.path, segment);
    for (i, sample) in samples.iter_mut().enumerate() {
        let there = walk.sample(first + i as f64 * spacing);
        *sample = (there.heading_rad, there.position_m);
    }
    let turn = |from: f64, to: f64, distance: f64| (wrap_angle(to - from).abs() / distance).min(max_bend);
    // The stretch that the preview skips counts too, until it is left.
    let skipped = preview > 0.5 * spacing;
    let own = if skipped { turn(frame.here.heading_rad, samples[behind].0, preview) } else { 0.0 };
    let seen = preview + stretches as f64 * spacing;
    let unknown = frame.path.closed() || s + seen < frame.path.length_m();
    let top = options.max_speed_mps;
    let mut speed = if unknown { limits.min_mps } else { top };
    let (mut acceleration, mut curvature) = (0.0, own);
    for i in (0..stretches).rev() {
        let (from, to) = (samples[behind + i], samples[behind + i + 1]);
        let bend = turn(from.0, to.0, spacing);
        if preview + i as f64 * spacing <= reach {
            curvature = curvature.max(bend);
        }
        let able = limits.speed_on(bend, outward_mps2(samples, behind + i));
        let used = if limits.thrust_brakes { 0.0 } else { math::powi((speed / able).min(1.0), 4) };
        let uphill = STANDARD_GRAVITY * ((to.1[2] - from.1[2]) / spacing).clamp(-1.0, 1.0);
        let braking = limits.braking_mps2 * (1.0 - used).sqrt();
        let before = (speed * speed + 2.0 * (braking + uphill).max(0.0) * spacing).sqrt();
        let allowed = able.clamp(limits.min_mps.min(top), top);
        (speed, acceleration) = if before < allowed { (before, -braking) } else { (allowed, 0.0) };
    }
    let here = limits.speed_on(own, 0.0).clamp(limits.min_mps.min(top), top);
    if here < speed {
        (speed, acceleration) = (here, 0.0);
    }
    let fraction = if speed > 0.0 { (frame.state.speed_mps.max(0.0) / speed).min(1.0) } else { 0.0 };
    let acceleration = if limits.braking_mps2.is_finite() { acceleration * fraction } else { 0.0 };
    TargetSpeed { speed, acceleration, curvature }
}

/// Gravity towards the outside of the bend at the stretch from `samples[i]` on, m/s², as far as the
/// path shows: it rises by different slopes before and behind a bend, and their difference is the
/// slope of the ground to the inside. 0 where it hardly turns.
fn outward_mps2(samples: &[(f64, Point)], i: usize) -> f64 {
    let leg = |from: usize, to: usize| {
        let (a, b) = (samples[from].1, samples[to].1);
        let (x, y) = (b[0] - a[0], b[1] - a[1]);
        let length = math::hypot(x, y).max(1e-9);
        [x / length, y / length, (b[2] - a[2]) / length]
    };
    let last = samples.len() - 1;
    if i < BEHIND || i + 1 + BEHIND > last {
        return 0.0;
    }
    let (before, after) = (leg(i - BEHIND, i), leg(i + 1, i + 1 + BEHIND));
    let apart = math::hypot(after[0] - before[0], after[1] - before[1]);
    if apart < MIN_APART { 0.0 } else { STANDARD_GRAVITY * ((after[2] - before[2]) / apart).clamp(-0.5, 0.5) }
}

impl Frame<'_> {
    /// Remaining distance on an open path, metres.
    pub(crate) fn left_to_go(&self) -> Option<f64> {
        (!self.path.closed()).then(|| self.path.length_m() - self.nearest.s)
    }

    /// Whether the end of an open path is reached.
    pub(crate) fn at_end(&self) -> bool {
        self.left_to_go().is_some_and(|left| left < ARRIVED_M)
    }

    /// The speed that the end of an open path permits, and the required deceleration.
    pub(crate) fn end_speed(&self, stop: bool, braking: f64) -> Option<(f64, f64)> {
        let left = self.left_to_go().filter(|_| stop)?;
        let braking = if braking.is_finite() { braking } else { END_BRAKING_MPS2 };
        let speed = if left < ARRIVED_M { 0.0 } else { (2.0 * braking * (left - ARRIVED_M)).sqrt().max(CREEP_MPS) };
        Some((speed, braking))
    }
}
