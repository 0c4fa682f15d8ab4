//! The planner of one vehicle, frame by frame.

use super::field::Field;
use super::rivals::{Rival, Rivals};
use super::search::{Found, LEADS, Search};
use super::stages::{STAGES, Stage, stages};
use crate::chassis::{Frame, bounded};
use crate::local_planner::{Gaps, relaxed};
use crate::options::{TargetSpeedOptions, TrafficOptions};
use crate::planned_route::{PlannedRoute, STATIONS};
use crate::shift::Shift;
use crate::standing::{STANDING_MPS, distance_to_move, is_closed_behind, steered_radius};
use crate::traffic::following::{Brakes, STEP_S};
use crate::traffic::neighbours::Seen;
use crate::vehicle::VehicleGeometry;
use raceline_car::VehicleDynamics;
use raceline_numerics::math;

/// Time between two searches, s. A shorter one changes its mind sooner, at a cost in proportion.
const SEARCH_S: f64 = 0.07;
/// Further from its route than this a vehicle begins where it is, m, with at most this slope.
const LOST_M: f64 = 1.2;
const LOST_SLOPE: f64 = 0.3;
/// The route has returned to the path within these, m and a slope, and nowhere leaves it by more, m.
const ARRIVED_M: f64 = 0.02;
const ARRIVED_SLOPE: f64 = 1e-3;
const LEAVES_M: f64 = 0.05;
/// Smallest horizon, m. A standing vehicle looks so far.
const MIN_HORIZON_M: f64 = 27.0;
/// The springs bring a vehicle back to the path in this time, s, and over at least this distance, m.
const RETURN_S: f64 = 1.0;
const MIN_RETURN_M: f64 = 25.0;
/// Lateral acceleration with which others are evaded, m/s²: within s, κ s² / 4 aside. A larger one swerves
/// for one that comes near late.
const EVADES_MPS2: f64 = 10.0;
const OUT_AND_BACK: f64 = 0.25;
/// Distance between the outlines within which a rival is beside, m, and the part of a station's spacing.
const BESIDE_M: f64 = 1.5;
const BESIDE_STATIONS: f64 = 0.5;
/// A route leads through a rival that it overlaps by more than this, m; one that overlaps now is evaded for
/// this time, s.
const THROUGH_M: f64 = 0.2;
const EVADED_S: f64 = 1.5;
/// More of the distance to the sides per time of the prediction, m/s, and the longest such time, s.
const GROWS_MPS: f64 = 0.1;
const GROWS_S: f64 = 3.0;
/// Clearance between the sides below which one ahead obstructs, m.
const CLEAR_M: f64 = 0.2;
/// Past one ahead by this, m, it does not obstruct.
const PAST_M: f64 = 0.5;
/// Speed at which a distance that is too short is regained, m/s, the smallest one, m, and the fraction of
/// the brakes that is planned with.
const DROP_BACK_MPS: f64 = 3.0;
const MIN_GAP_M: f64 = 0.6;
const PLANNED: f64 = 0.8;
/// Speed, m/s, and fraction of the brakes by which a rival that overlaps and leads is let go: others may
/// be close behind.
const YIELD_MPS: f64 = 4.0;
const YIELD_BRAKES: f64 = 0.7;
/// A bend beside the path that asks for less speed than the path by more than this, m/s, is braked for.
const SLOWER_MPS: f64 = 0.5;

/// What is remembered from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Overtaking {
    /// What is driven, from the vehicle's last place on.
    route: PlannedRoute,
    /// The route of the last search, from the vehicle's place on, and its age, s.
    found: Found,
    age: f64,
    /// Whether others change what is driven.
    active: bool,
    field: Field,
}

impl Default for Overtaking {
    fn default() -> Self {
        Self { route: PlannedRoute::PATH, found: Found::NONE, age: f64::INFINITY, active: false, field: Field::UNKNOWN }
    }
}

impl Overtaking {
    /// Distance to the left of the path at which it drives now, m.
    pub(crate) fn offset(&self) -> f64 {
        self.route.at(0.0).offset
    }

    /// Whether others change what is driven.
    pub(crate) fn is_active(&self) -> bool {
        self.active
    }

    /// The shift of this frame.
    pub(crate) fn step(
        &mut self,
        frame: &Frame<'_>,
        seen: &[Seen],
        dynamics: &VehicleDynamics,
        options: &TrafficOptions,
        speeds: &TargetSpeedOptions,
        vehicle: &VehicleGeometry,
    ) -> Shift {
        for seen in seen {
            let top = frame.path.sample(seen.s).speed_mps * speeds.profile_scale;
            self.field.learn(frame.path, seen, top.min(speeds.max_speed_mps));
        }
        let rivals = Rivals::new(seen, frame, &self.field, dynamics, speeds, vehicle.width_m);
        let rivals = rivals.as_slice();
        if rivals.is_empty() && !self.active {
            return Shift::NONE;
        }
        let speed = frame.state.speed_mps.max(0.0);
        let mut advance = bounded(frame.nearest.advance, 10.0).max(0.0);
        let away = self.route.at(advance).offset - frame.cross_track;
        self.age += frame.dt;
        if away.abs() > LOST_M || !self.active {
            let slope = math::tan(frame.heading_error).clamp(-LOST_SLOPE, LOST_SLOPE);
            let near = frame.cross_track.abs() < LOST_M && !self.active;
            self.route = if near { PlannedRoute::PATH } else { PlannedRoute::straight(frame.cross_track, slope) };
            (self.age, advance) = (f64::INFINITY, 0.0);
        }
        let here = self.route.at(advance);
        let stages = stages(frame, dynamics, speeds, options, vehicle);
        if self.age >= SEARCH_S {
            let (offset, slope, last) = (here.offset, here.slope, &self.route);
            let search = Search { stages: &stages, rivals, dynamics, speed, offset, slope, last, advance, options };
            (self.found, self.age) = (search.find(), 0.0);
        } else {
            self.found.advance(frame.nearest.advance, frame.dt);
        }
        let step = stages[STAGES - 1].s.max(MIN_HORIZON_M) / (STATIONS - 1) as f64;
        let start = [here.offset, here.slope];
        let (gaps, is_free) = gaps(&self.found, &stages, rivals, options, step, start, speed);
        self.route = relaxed(step, start, &gaps, (RETURN_S * speed).max(MIN_RETURN_M));
        let brakes = Brakes::new(frame, options, speeds, vehicle.width_m);
        let behind = following(&self.route, rivals, speed, options, &brakes);
        let arrived = here.offset.abs() < ARRIVED_M && here.slope.abs() < ARRIVED_SLOPE;
        let stays = || (0..STATIONS).all(|k| self.route.at(k as f64 * step).offset.abs() < LEAVES_M);
        self.active = !(is_free && arrived && behind.0.is_infinite() && stays());
        if !self.active {
            self.route = PlannedRoute::PATH;
            return Shift::NONE;
        }
        let bends = bends(&self.route, &stages, speed);
        let (max_speed, braking) = if bends.0 < behind.0 { bends } else { behind };
        Shift {
            offset: here.offset,
            goal: self.found.nodes[STAGES - 1].offset,
            rate: here.slope * speed,
            across: 0.0,
            reach: 1.0,
            max_speed,
            braking,
            blocked: speed < STANDING_MPS && rivals.iter().any(|rival| blocks(rival, frame, &stages, vehicle)),
            closed_behind: rivals.iter().any(|rival| is_close_behind(rival, frame)),
            route: Some(self.route),
        }
    }
}

/// The gaps through which the route leads, and whether nobody narrows them. The route begins at an offset
/// with a slope.
fn gaps(
    found: &Found,
    stages: &[Stage; STAGES],
    rivals: &[Rival],
    options: &TrafficOptions,
    step: f64,
    [offset, slope]: [f64; 2],
    speed: f64,
) -> (Gaps, bool) {
    let mut gaps = Gaps { low: [0.0; STATIONS], high: [0.0; STATIONS] };
    let sharpest = EVADES_MPS2 / (speed * speed).max(25.0);
    let mut is_free = true;
    for k in 0..STATIONS {
        let s = k as f64 * step;
        let at = stages.partition_point(|stage| stage.s < s).min(STAGES - 1);
        let (after, before) = (&stages[at], &stages[at.saturating_sub(1)]);
        let [low, high] = [after.low.max(before.low), after.high.min(before.high)];
        let node = found.at(s);
        let (straight, aside) = (offset + slope * s, OUT_AND_BACK * sharpest * s * s);
        let (mut right, mut left) = (low, high);
        for rival in rivals {
            let place = rival.at(node.time);
            if (place.s - s).abs() > rival.lengths + BESIDE_M + BESIDE_STATIONS * step {
                continue;
            }
            let now = rival.now();
            let overlaps = now.s.abs() < rival.lengths;
            let through = (node.offset - place.offset).abs() - rival.widths < -THROUGH_M;
            if through && (!overlaps || node.time > EVADED_S) {
                continue;
            }
            is_free = false;
            let gap = options.beside_m + GROWS_MPS * node.time.min(GROWS_S);
            let is_left = if overlaps { offset >= now.offset } else { node.offset >= place.offset };
            if is_left {
                right = right.max((place.offset + rival.widths + gap).min(straight + aside));
            } else {
                left = left.min((place.offset - rival.widths - gap).max(straight - aside));
            }
        }
        // Without room for the distances on both sides, through the middle, but on the road.
        (gaps.low[k], gaps.high[k]) = if right > left {
            let middle = (0.5 * (right + left)).clamp(after.low, after.high);
            (middle, middle)
        } else {
            (right, left)
        };
    }
    (gaps, is_free)
}

/// Whether a rival that stands is too near for a vehicle that stands or reverses to drive around it, though
/// the road has room beside it.
fn blocks(rival: &Rival, frame: &Frame<'_>, stages: &[Stage; STAGES], vehicle: &VehicleGeometry) -> bool {
    let now = rival.now();
    let clear = rival.widths + CLEAR_M;
    let at = stages.partition_point(|stage| stage.s < now.s).min(STAGES - 1);
    let sides = [now.offset + clear, now.offset - clear];
    let on_road = |side: &f64| (stages[at].low..=stages[at].high).contains(side);
    let aside = sides.into_iter().filter(on_road).map(|side| (side - frame.cross_track).abs()).reduce(f64::min);
    let Some(aside) = aside else { return false };
    let in_lane = (frame.cross_track - now.offset).abs() < clear;
    let near =
        now.s > LEADS * rival.lengths && now.s - rival.lengths < distance_to_move(aside, steered_radius(vehicle));
    now.speed < STANDING_MPS && in_lane && near
}

/// Whether reversing would soon touch a rival.
fn is_close_behind(rival: &Rival, frame: &Frame<'_>) -> bool {
    let now = rival.now();
    let in_lane = (frame.cross_track - now.offset).abs() < rival.widths;
    now.s < 0.0 && in_lane && is_closed_behind(-now.s - rival.lengths, frame.state.speed_mps, now.speed)
}

/// The speed that the route's bends allow, m/s, and the deceleration to it.
fn bends(route: &PlannedRoute, stages: &[Stage; STAGES], speed: f64) -> (f64, f64) {
    let (mut lowest, mut braking) = (f64::INFINITY, 0.0);
    for stage in &stages[1..] {
        let there = route.at(stage.s);
        let limit = stage.fastest(there.offset, there.curvature);
        let square = limit * limit + 2.0 * stage.braking * stage.s;
        if limit < stage.top - SLOWER_MPS && square < lowest {
            (lowest, braking) = (square, stage.braking);
        }
    }
    let lowest = lowest.sqrt();
    (lowest, if speed > lowest { braking } else { 0.0 })
}

/// The speed that those ahead on the route allow, m/s, and the deceleration to it, by the
/// equation of [`crate::traffic::following`].
fn following(
    route: &PlannedRoute,
    rivals: &[Rival],
    speed: f64,
    options: &TrafficOptions,
    brakes: &Brakes,
) -> (f64, f64) {
    let (mut limit, mut braking) = (f64::INFINITY, 0.0_f64);
    let keep = options.following_m + options.following_s * speed;
    for rival in rivals {
        let now = rival.now();
        let gap = now.s - rival.lengths;
        if now.s < LEADS * rival.lengths {
            continue;
        }
        let (mut allowed, mut fraction) = (f64::INFINITY, 0.0_f64);
        for (step, saved) in brakes.saved.iter().enumerate() {
            let time = (step + 1) as f64 * STEP_S;
            let then = rival.at(time);
            // No farther than where it is, which is where the outlines could overlap; one that stands is met
            // where they begin to, however slowly it is approached.
            let met = if now.speed < STANDING_MPS { now.s - rival.lengths } else { 0.0 };
            let own = (speed * time).max(met).min(then.s.max(0.0));
            if (route.at(own).offset - then.offset).abs() - rival.widths >= CLEAR_M {
                continue;
            }
            let past = then.s - rival.lengths - speed * time < -(2.0 * rival.lengths + PAST_M);
            if allowed.is_infinite() && past {
                break;
            }
            let room = gap - keep.min((gap + DROP_BACK_MPS * time).max(MIN_GAP_M)) + then.s - now.s;
            allowed = allowed.min((room + PLANNED * saved) / time);
            fraction = fraction.max((speed * time - room) / saved);
        }
        if allowed.is_infinite() {
            continue;
        }
        if gap < 0.0 {
            (allowed, fraction) = (allowed.max(now.speed - YIELD_MPS), fraction.min(YIELD_BRAKES));
        }
        limit = limit.min(allowed.max(0.0));
        if speed > allowed {
            braking = braking.max(brakes.now * fraction.clamp(0.0, 1.0));
        }
    }
    (limit, braking)
}

#[cfg(test)]
mod tests;
