//! What is ahead: the path at the stations, and which distances from it others take there.

use raceline_numerics::{STANDARD_GRAVITY, math};

use super::options::{HORIZON_S, LocalPlannerOptions};
use crate::bodies::{Around, MAX_NEIGHBOURS, MAX_OBSTACLES, MAX_SEEN, MAX_SIZE_M, Neighbour, is_on_another_level};
use crate::chassis::Frame;
use crate::geometry::{half_extents, wrap_angle};
use crate::nearest_point::near;
use crate::options::TargetSpeedOptions;
use crate::planned_route::STATIONS;
use crate::standing::STANDING_MPS;
use crate::target_speed::Walk;
use crate::vehicle::VehicleGeometry;

/// Smallest horizon of a car, m: a standing one looks so far.
const MIN_HORIZON_M: f64 = 30.0;
/// Length of a car, m: for a shorter vehicle, distances shrink in proportion.
const CAR_M: f64 = 4.0;
/// Others this far behind are looked at, m.
const BEHIND_M: f64 = 30.0;
/// Time for which the motion across the road of one that drives along it is carried on, s. A longer
/// one sees a lane change sooner, and takes swerves for one.
const DRIFT_S: f64 = 1.0;
/// One whose course differs from the road's by more than this crosses it, rad, from this speed on, m/s.
const CROSSES_RAD: f64 = 0.6;
const CROSSES_MPS: f64 = 1.0;
/// Speed with which one that comes towards the vehicle is expected to make room on its right, m/s, and the time in which
/// it is expected to stand straight on the road, s. A larger and a shorter one drive on where two hardly fit, and stop
/// nearer to one that does not make room.
const ASIDE_MPS: f64 = 0.7;
const STRAIGHTENS_S: f64 = 1.5;
/// One whose direction differs from the path's by an angle with a smaller cosine does not face along it.
const FACES_COS: f64 = 0.5;
/// Others that are faster than this along the road drive on it, m/s.
const DRIVES_MPS: f64 = 1.0;
/// Of two that come to a crossing the later waits; for those that come within this time, s,
/// the side decides.
const SAME_TIME_S: f64 = 0.7;
/// Deceleration with which another can still stop before a crossing, m/s².
const STOPS_MPS2: f64 = 3.0;
/// Fraction of the tyres' grip, 0 to 1, that is planned with beside the path. A larger one takes
/// bends beside the path faster and leaves less for corrections.
const GRIP_FRACTION: f64 = 0.9;
/// Distance between the sides below which vehicles count as touching, m.
pub(super) const MIN_GAP_M: f64 = 0.3;
/// Speed with which times are computed where nothing moves, m/s.
const MIN_MPS: f64 = 1.0;

/// The path at a station.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Station {
    /// Distance ahead of the vehicle, m.
    pub s: f64,
    /// Time at which it is there, s, and its speed, m/s, on a free road.
    pub time: f64,
    pub speed: f64,
    /// 1/m.
    pub curvature: f64,
    /// Speed that the path allows, m/s.
    pub top: f64,
    /// Lateral acceleration that the tyres have there, m/s².
    pub grip: f64,
}

/// Offsets that may be taken at the stations, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gaps {
    pub low: [f64; STATIONS],
    pub high: [f64; STATIONS],
}

/// The path ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ahead {
    pub stations: [Station; STATIONS],
    /// Distance between two stations, m.
    pub step: f64,
    /// Offsets for the vehicle's middle at the stations.
    pub corridor: Gaps,
}

impl Ahead {
    pub(super) fn new(
        frame: &Frame<'_>,
        speeds: &TargetSpeedOptions,
        options: &LocalPlannerOptions,
        vehicle: &VehicleGeometry,
    ) -> Self {
        let now = frame.state.speed_mps.max(0.0);
        let horizon = (HORIZON_S * now).max(MIN_HORIZON_M * size_of(vehicle)).min(options.horizon_m);
        let step = horizon / (STATIONS - 1) as f64;
        let lateral = speeds.lateral_acceleration_g * STANDARD_GRAVITY;
        let mut walk = Walk::new(frame.path, frame.nearest.segment);
        let mut corridor = Gaps { low: [0.0; STATIONS], high: [0.0; STATIONS] };
        let mut stations: [Station; STATIONS] = std::array::from_fn(|k| {
            let s = k as f64 * step;
            let there = walk.sample(frame.nearest.s + s);
            let bend = (lateral / there.curvature_radpm.abs().max(1e-6)).sqrt();
            let top = (there.speed_mps * speeds.profile_scale).min(speeds.max_speed_mps).min(bend);
            let middle = |room: f64| (room - 0.5 * vehicle.width_m - options.edge_m).max(0.0);
            (corridor.low[k], corridor.high[k]) = (-middle(there.right_m), middle(there.left_m));
            let tyres = frame.path.dynamics().map_or(lateral, |dynamics| dynamics.lateral_mps2.at(top));
            Station {
                s,
                time: 0.0,
                speed: top.max(speeds.min_speed_mps).max(MIN_MPS),
                curvature: there.curvature_radpm,
                top: top.max(MIN_MPS),
                // What the path's own speed takes is there.
                grip: (GRIP_FRACTION * tyres).max(there.curvature_radpm.abs() * top * top),
            }
        });
        // Driving and braking between the stations, and the times.
        stations[0].speed = stations[0].speed.min(now.max(MIN_MPS));
        for k in 1..STATIONS {
            let limit = (math::powi(stations[k - 1].speed, 2) + 2.0 * options.driving_mps2 * step).sqrt();
            stations[k].speed = stations[k].speed.min(limit);
        }
        for k in (0..STATIONS - 1).rev() {
            let limit = (math::powi(stations[k + 1].speed, 2) + 2.0 * options.braking_mps2 * step).sqrt();
            stations[k].speed = stations[k].speed.min(limit);
        }
        for k in 1..STATIONS {
            stations[k].time = stations[k - 1].time + 2.0 * step / (stations[k - 1].speed + stations[k].speed);
        }
        Self { stations, step, corridor }
    }

    /// The speed that the path allows at a distance, m/s.
    fn top(&self, distance: f64) -> f64 {
        let k = (distance / self.step).round().clamp(0.0, (STATIONS - 1) as f64) as usize;
        self.stations[k].top
    }

    /// The offsets that the vehicle may take at a distance, m.
    pub(super) fn room_at(&self, distance: f64) -> (f64, f64) {
        let k = (distance / self.step).round().clamp(0.0, (STATIONS - 1) as f64) as usize;
        (self.corridor.low[k], self.corridor.high[k])
    }

    pub(super) fn horizon(&self) -> f64 {
        self.stations[STATIONS - 1].s
    }
}

/// Length of a vehicle, of that of a car, at most 1: small ones need less room for everything.
pub(super) fn size_of(vehicle: &VehicleGeometry) -> f64 {
    (vehicle.length_m / CAR_M).min(1.0)
}

/// Another body as the path sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Other {
    /// Distance of its middle ahead of the vehicle's along the path and to its left, m.
    pub ahead: f64,
    pub offset: f64,
    /// Speed along the path and across, to the left, m/s.
    pub along: f64,
    pub across: f64,
    /// Half the lengths and half the widths of both vehicles, m.
    pub half_lengths: f64,
    pub half_widths: f64,
    pub crosses: bool,
    /// Half the widths of both vehicles where both stand straight on the road, and how much farther to the side it may
    /// be than this vehicle, m.
    pub straight_widths: f64,
    pub narrower: f64,
    /// Whether it is a vehicle, not an obstacle, and whether it faces along the path, or against it.
    pub is_vehicle: bool,
    pub faces_ahead: bool,
    pub faces_against: bool,
}

impl Other {
    /// Whether the vehicles overlap along the path.
    pub(super) fn is_abreast(&self) -> bool {
        self.ahead.abs() < self.half_lengths
    }

    /// Whether it is wholly behind.
    pub(super) fn is_behind(&self) -> bool {
        self.ahead <= -self.half_lengths
    }

    /// Whether it does not move.
    pub(super) fn stands(&self) -> bool {
        math::hypot(self.along, self.across) < STANDING_MPS
    }

    /// Whether it drives along the road.
    pub(super) fn drives(&self) -> bool {
        !self.crosses && self.along > DRIVES_MPS
    }

    /// Whether it comes towards the vehicle, or would if it did not stand or reverse.
    pub(super) fn is_oncoming(&self) -> bool {
        self.faces_against && !self.crosses
    }

    /// Where one that comes towards the vehicle is in `time`, and half the widths of both: each keeps to its right as
    /// far as `left` of the road.
    fn moved_aside(&self, time: f64, left: f64) -> (f64, f64) {
        let at = self.offset_in(time);
        let moved = (left + self.narrower - at).clamp(0.0, ASIDE_MPS * time);
        let straight = (time / STRAIGHTENS_S).min(1.0);
        (at + moved, self.half_widths + straight * (self.straight_widths.min(self.half_widths) - self.half_widths))
    }

    fn offset_in(&self, time: f64) -> f64 {
        self.offset + self.across * if self.crosses { time } else { time.min(DRIFT_S) }
    }

    /// The times at which one that crosses enters and leaves a strip about an offset, s.
    pub(super) fn crossing_times(&self, offset: f64) -> [f64; 2] {
        let to = (offset - self.offset) * self.across.signum();
        let speed = self.across.abs().max(0.1);
        [to - self.half_widths, to + self.half_widths].map(|distance| (distance / speed).max(0.0))
    }

    /// Whether the vehicle, which is at the crossing at `time`, waits for it: the later one does, and of
    /// two at the same time the one that has the other on its right. One that cannot stop any more is
    /// waited for as well.
    fn goes_first(&self, offset: f64, time: f64) -> bool {
        let [enters, _] = self.crossing_times(offset);
        let cannot_stop = enters * self.across.abs() < self.across * self.across / (2.0 * STOPS_MPS2);
        cannot_stop || enters < time - SAME_TIME_S || (enters < time + SAME_TIME_S && self.across > 0.0)
    }
}

/// Offsets that another takes at a station, when the vehicle is there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Taken {
    pub station: usize,
    pub other: usize,
    pub low: f64,
    pub high: f64,
}

const MAX_TAKEN: usize = 384;

/// The others, and what they take, in the order of the stations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Others {
    bodies: [Other; MAX_SEEN],
    count: usize,
    taken: [Taken; MAX_TAKEN],
    taken_count: usize,
}

impl Others {
    pub(super) fn new(frame: &Frame<'_>, around: &Around<'_>, vehicle: &VehicleGeometry, ahead: &Ahead) -> Self {
        let mut others = Self::none();
        for obstacle in around.obstacles.iter().take(MAX_OBSTACLES) {
            others.add(frame, &obstacle.standing(frame.state.position_m[2]), true, vehicle, ahead);
        }
        for neighbour in around.neighbours.iter().take(MAX_NEIGHBOURS) {
            others.add(frame, neighbour, false, vehicle, ahead);
        }
        others.take(ahead);
        others
    }

    fn none() -> Self {
        Self { bodies: [Other::default(); MAX_SEEN], count: 0, taken: [Taken::default(); MAX_TAKEN], taken_count: 0 }
    }

    /// One body and what it takes.
    #[cfg(test)]
    pub(super) fn one(body: Other, taken: &[Taken]) -> Self {
        let mut others = Self::none();
        (others.bodies[0], others.count, others.taken_count) = (body, 1, taken.len());
        others.taken[..taken.len()].copy_from_slice(taken);
        others
    }

    /// The prediction with one more vehicle.
    #[cfg(test)]
    pub(super) fn with(mut self, body: Other) -> Self {
        self.bodies[self.count] = body;
        self.count += 1;
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn bodies(&self) -> &[Other] {
        &self.bodies[..self.count]
    }

    pub(super) fn taken(&self) -> &[Taken] {
        &self.taken[..self.taken_count]
    }

    fn add(&mut self, frame: &Frame<'_>, body: &Neighbour, round: bool, vehicle: &VehicleGeometry, ahead: &Ahead) {
        let away: [f64; 3] = std::array::from_fn(|k| body.position_m[k] - frame.state.position_m[k]);
        let distance = math::hypot(away[0], away[1]);
        let reach = ahead.horizon() + body.length_m;
        if !body.is_usable() || distance > reach || is_on_another_level(away[2], distance) {
            return;
        }
        let point = [body.position_m[0], body.position_m[1], frame.here.position_m[2] + away[2]];
        let (s, _) = near(frame.path, point, frame.nearest.s - BEHIND_M, frame.nearest.s + reach);
        let there = frame.path.sample(s);
        let (sin, cos) = math::sin_cos(there.heading_rad);
        let (x, y) = (point[0] - there.position_m[0], point[1] - there.position_m[1]);
        let (beyond, offset) = (x * cos + y * sin, y * cos - x * sin);
        let turned = if round { 0.0 } else { body.heading_rad - there.heading_rad };
        let (length, half_width) = half_extents(body.length_m, body.width_m, turned);
        let [vx, vy, _] = body.velocity_mps;
        let (along, across) = (vx * cos + vy * sin, vy * cos - vx * sin);
        let course = wrap_angle(math::atan2(across, along));
        let moves = math::hypot(along, across) > CROSSES_MPS;
        let crosses = moves && course.abs() > CROSSES_RAD && course.abs() < std::f64::consts::PI - CROSSES_RAD;
        // Beside the road and not moving onto it.
        let off = (offset - there.left_m).max(-offset - there.right_m) > half_width;
        let comes = crosses && across * offset < 0.0;
        if (off && !comes) || beyond.abs() > MAX_SIZE_M {
            return;
        }
        let (own_length, own_width) = half_extents(vehicle.length_m, vehicle.width_m, frame.heading_error);
        self.bodies[self.count] = Other {
            ahead: frame.path.signed_distance(frame.nearest.s + frame.middle, s) + beyond,
            offset,
            along,
            across,
            half_lengths: length + own_length,
            half_widths: half_width + own_width.min(0.7 * vehicle.width_m),
            crosses,
            straight_widths: 0.5 * (body.width_m + vehicle.width_m),
            narrower: 0.5 * (vehicle.width_m - body.width_m),
            is_vehicle: !round,
            faces_ahead: !round && math::cos(turned) > FACES_COS,
            faces_against: !round && math::cos(turned) < -FACES_COS,
        };
        self.count += 1;
    }

    /// The offsets that the others take at each station.
    fn take(&mut self, ahead: &Ahead) {
        // Where each is when the vehicle is at the station. Before a bend others brake as the path asks.
        let mut places: [f64; MAX_SEEN] = std::array::from_fn(|other| self.bodies[other].ahead);
        for (station, there) in ahead.stations.iter().enumerate() {
            let passed = if station > 0 { there.time - ahead.stations[station - 1].time } else { 0.0 };
            for (other, body) in self.bodies[..self.count].iter().enumerate() {
                let slower = if body.crosses { 1.0 } else { ahead.top(places[other]) / ahead.top(body.ahead) };
                // One that reverses to give room soon comes on again.
                let along = if body.is_oncoming() { body.along.min(0.0) } else { body.along };
                places[other] += along * slower.min(1.0) * passed;
                if self.taken_count == MAX_TAKEN {
                    return;
                }
                let time = there.time;
                // Half a step of each, so that nothing slips through between two stations.
                let slack = 0.5 * ahead.step * (1.0 + (body.along / there.speed).abs().min(2.0));
                let along = (places[other] - there.s).abs();
                if along >= body.half_lengths + slack {
                    continue;
                }
                let mut at = body.offset_in(time);
                if body.drives() {
                    // Who drives along the road stays on it: where the path leads to its edge, one beside
                    // the path comes nearer to it.
                    at = at.clamp(ahead.corridor.low[station], ahead.corridor.high[station]);
                }
                let blur = if body.crosses { 0.5 * ahead.step / there.speed * body.across.abs() } else { 0.0 };
                if body.crosses && !body.goes_first(0.0, time) {
                    continue;
                }
                let mut half = body.half_widths + blur;
                if body.is_oncoming() {
                    (at, half) = body.moved_aside(time, ahead.corridor.high[station]);
                }
                self.taken[self.taken_count] = Taken { station, other, low: at - half, high: at + half };
                self.taken_count += 1;
            }
        }
    }
}

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;
