//! The common parts of this crate's followers: validation of a frame, the vehicle's position on the
//! path, and the stuck manager.

use crate::command::Command;
use crate::error::OptionsError;
use crate::geometry::{Point, wrap_angle};
use crate::nearest_point::{Nearest, NearestPoint};
use crate::options::{NearestPointOptions, StuckOptions, validate, validate_vehicle};
use crate::path::{Path, PathSample};
use crate::pure_pursuit::{bicycle_steering, pursuit_curvature};
use crate::shift::Shift;
use crate::stuck::{Placement, StuckManager, StuckObservation, StuckState};
use crate::vehicle::{VehicleGeometry, VehicleKind, VehicleState};
use raceline_numerics::math;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Chassis {
    vehicle: VehicleGeometry,
    nearest: NearestPoint,
    stuck: StuckManager,
    /// The side to which the current attempt reverses: 1 turns the wheels left.
    side: f64,
    /// Whether it reverses from another vehicle.
    backs_off: bool,
}

/// A valid frame: every number is finite and of a usable size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub path: &'a Path,
    pub state: VehicleState,
    pub dt: f64,
    pub nearest: Nearest,
    /// The path at the vehicle's position.
    pub here: PathSample,
    /// Positive where the vehicle is left of the path, in the plane.
    pub cross_track: f64,
    /// The vehicle's heading minus the path's.
    pub heading_error: f64,
    /// Whether the game specified the velocity.
    pub velocity_known: bool,
    pub vehicle_kind: VehicleKind,
    /// Where other vehicles move the path to.
    pub shift: Shift,
    /// Distance of the fixed axle behind the reference point, and of the body's middle ahead of it, in the
    /// direction of travel.
    pub rear_axle: f64,
    pub middle: f64,
    pub cos: f64,
    pub sin: f64,
}

/// The demand of a follower for a vehicle that is not stuck.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    pub pedal: f64,
    pub steering: f64,
    pub target_speed: f64,
    pub target: Point,
    pub boost: bool,
    pub arrived: bool,
}

/// Largest valid coordinate, metres.
pub(crate) const FARTHEST_M: f64 = 1e8;
/// Largest valid speed, m/s.
pub(crate) const FASTEST_MPS: f64 = 1e4;
/// Longest frame, seconds. A longer one, as after a pause of the game, counts as one of this
/// length.
const LONGEST_S: f64 = 0.25;
/// A vehicle that waits for its placement and moves by more than this in one frame was placed,
/// metres.
const PLACED_M: f64 = 0.5;
/// At target speeds below this the vehicle is not expected to make progress, m/s.
const WANTS_MPS: f64 = 0.3;

/// Steering angle by the heading's error while backing off straight. A larger one straightens sooner.
const STRAIGHTENS: f64 = 1.5;

impl Chassis {
    pub(crate) fn new(
        vehicle: VehicleGeometry,
        nearest: NearestPointOptions,
        stuck: StuckOptions,
    ) -> Result<Self, OptionsError> {
        validate_vehicle(&vehicle)?;
        validate(&stuck)?;
        Ok(Self {
            vehicle,
            nearest: NearestPoint::new(nearest),
            stuck: StuckManager::new(stuck),
            side: 1.0,
            backs_off: false,
        })
    }

    pub(crate) fn vehicle(&self) -> &VehicleGeometry {
        &self.vehicle
    }

    pub(crate) fn reset(&mut self) {
        self.nearest.reset();
        self.stuck.reset();
    }

    pub(crate) fn not_understood(&self) -> Command {
        Command::brake(self.stuck.state())
    }

    /// Validates a frame and finds the vehicle's position on the path. `None` if position, heading
    /// or speed is not a usable number.
    pub(crate) fn begin<'a>(&mut self, path: &'a Path, state: &VehicleState, dt: f64) -> Option<Frame<'a>> {
        let usable = state.position_m.iter().all(|x| x.abs() <= FARTHEST_M)
            && state.heading_rad.abs() <= 1e6
            && state.speed_mps.abs() <= FASTEST_MPS;
        if !usable {
            return None;
        }
        let dt = if dt > 0.0 { dt.min(LONGEST_S) } else { 0.0 };
        let (sin, cos) = math::sin_cos(state.heading_rad);
        let mut state = *state;
        let velocity_known = state.velocity_mps.iter().all(|v| v.abs() <= FASTEST_MPS);
        if !velocity_known {
            state.velocity_mps = [state.speed_mps * cos, state.speed_mps * sin, 0.0];
        }
        let nearest = self.nearest.update(path, &state, dt);
        // Without a velocity the vehicle is assumed not to slide: it turns immediately as steered,
        // and feedback of its yaw rate one frame later would cause oscillations.
        if !state.yaw_rate_radps.is_finite() && velocity_known && dt > 0.0 {
            state.yaw_rate_radps = if nearest.teleported { 0.0 } else { nearest.turn / dt };
        }
        let here = path.sample_in(nearest.segment, nearest.s);
        let away = [state.position_m[0] - here.position_m[0], state.position_m[1] - here.position_m[1]];
        let (path_sin, path_cos) = math::sin_cos(here.heading_rad);
        // The sign is from the direction of travel, the size from the distance, which differs from
        // the offset beyond the ends.
        let left = path_cos * away[1] - path_sin * away[0];
        let cross_track = math::hypot(away[0], away[1]).copysign(left);
        let heading_error = wrap_angle(state.heading_rad - here.heading_rad);
        let rear_axle = self.vehicle.rear_axle_m;
        let middle = 0.5 * self.vehicle.wheelbase_m - rear_axle;
        let vehicle_kind = self.vehicle.kind;
        Some(Frame {
            path,
            state,
            dt,
            nearest,
            here,
            cross_track,
            heading_error,
            velocity_known,
            vehicle_kind,
            shift: Shift::NONE,
            rear_axle,
            middle,
            cos,
            sin,
        })
    }

    /// Applies the stuck manager and clamps every number to its bounds.
    pub(crate) fn finish(&mut self, frame: &Frame<'_>, wish: &Wish) -> Command {
        let seen = StuckObservation {
            s_m: frame.nearest.s,
            advance_m: frame.nearest.advance,
            off_path_m: frame.nearest.distance,
            speed_mps: frame.state.speed_mps,
            wants_to_move: !wish.arrived && (wish.target_speed > WANTS_MPS || frame.shift.blocked),
            teleported: frame.nearest.teleported
                || (self.stuck.state() == StuckState::AskingForPlacement && frame.nearest.moved > PLACED_M),
            path_changed: frame.nearest.path_changed,
            dt_s: frame.dt,
        };
        let event = self.stuck.update_before(&seen, self.backs_off.then_some(!frame.shift.blocked));
        if event.is_some() {
            self.backs_off = self.stuck.state() == StuckState::Reversing && frame.shift.blocked;
        }
        let limit = self.vehicle.max_steering_rad;
        let mut command = Command {
            pedal: bounded(wish.pedal, 1.0),
            steering_rad: bounded(wish.steering, limit),
            boost: wish.boost,
            event,
            arrived: wish.arrived,
            target_speed_mps: wish.target_speed,
            target_point_m: wish.target,
            nearest_point_m: frame.on_road(),
            s_m: frame.nearest.s,
            cross_track_error_m: frame.cross_track,
            inside_corridor: -frame.here.right_m <= frame.cross_track && frame.cross_track <= frame.here.left_m,
            ..Command::brake(self.stuck.state())
        };
        if self.stuck.state() != StuckState::Driving {
            self.get_unstuck(frame, wish, &mut command);
        }
        command
    }

    fn get_unstuck(&mut self, frame: &Frame<'_>, wish: &Wish, command: &mut Command) {
        let limit = self.vehicle.max_steering_rad;
        command.boost = false;
        let (x, y) = frame.in_vehicle(wish.target);
        match self.stuck.state() {
            StuckState::Driving => {}
            StuckState::Reversing => {
                if command.event.is_some() {
                    // Reversing with the wheels turned away from the target turns the nose towards
                    // it; every second attempt does the opposite.
                    let towards = if y >= 0.0 { -1.0 } else { 1.0 };
                    self.side = if self.stuck.attempt() % 2 == 1 { towards } else { -towards };
                }
                command.reverse = true;
                command.steering_rad = if self.backs_off {
                    // Parallel to the path: from there a route leads past.
                    bounded(STRAIGHTENS * frame.heading_error, limit)
                } else {
                    self.side * limit
                };
                // Still rolling forwards: brake first.
                let brakes = frame.state.speed_mps > 0.5 || frame.shift.closed_behind;
                command.pedal = if brakes { -1.0 } else { self.stuck.throttle() };
            }
            StuckState::TurningOut => {
                let wanted = bicycle_steering(self.vehicle.wheelbase_m, pursuit_curvature(x, y));
                // A target behind the vehicle requires full lock.
                let wanted = if x < 0.0 { limit.copysign(y) } else { wanted };
                command.steering_rad = bounded(wanted, limit);
                // Still rolling backwards, or towards another vehicle: brake.
                let speed = frame.state.speed_mps;
                let brakes = speed < -0.5 || frame.shift.max_speed < speed;
                command.pedal = if brakes { -1.0 } else { self.stuck.throttle() };
            }
            StuckState::AskingForPlacement => {
                command.pedal = -1.0;
                command.steering_rad = 0.0;
                command.place_back = Some(Placement {
                    position_m: frame.on_road(),
                    heading_rad: frame.here.heading_rad,
                    s_m: frame.nearest.s,
                });
            }
        }
    }
}

impl Frame<'_> {
    /// The nearest point of the path, at the height of the road.
    fn on_road(&self) -> Point {
        let [x, y, _] = self.here.position_m;
        [x, y, self.here.height_m]
    }

    /// A point relative to the rear axle: distances ahead and to the left.
    pub(crate) fn in_vehicle(&self, point: Point) -> (f64, f64) {
        let (x, y) = (point[0] - self.state.position_m[0], point[1] - self.state.position_m[1]);
        (x * self.cos + y * self.sin + self.rear_axle, y * self.cos - x * self.sin)
    }
}

/// Clamps to ± `limit`; NaN gives 0.
pub(crate) fn bounded(value: f64, limit: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(-limit, limit) }
}

/// Paths and frames for the tests of what reads them.
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
pub(crate) mod testing {
    use super::{Chassis, Frame};
    use crate::geometry::Point;
    use crate::options::{NearestPointOptions, StuckOptions};
    use crate::path::{Path, Waypoint};
    use crate::vehicle::{VehicleGeometry, VehicleState};

    /// Direction of [`straight`], whose sine and cosine are 0.6 and 0.8.
    pub const HEADING: f64 = 0.643_501_108_793_284_4;

    /// The place `along` a straight path and to its left, m.
    pub fn place(along: f64, left: f64) -> Point {
        [0.8 * along - 0.6 * left, 0.6 * along + 0.8 * left, 0.0]
    }

    /// An open straight path of 400 m with a point every 10 m, with room to the left and to the right, m, and a
    /// speed, m/s.
    pub fn straight([left_m, right_m]: [f64; 2], speed_mps: f64) -> Path {
        straight_of(|_| Waypoint { left_m, right_m, speed_mps, ..Waypoint::default() })
    }

    /// The path of [`straight`] with points by their distance along it, m.
    pub fn straight_of(point: impl Fn(f64) -> Waypoint) -> Path {
        let along = (0..=40).map(|k| 10.0 * f64::from(k));
        let points = along.map(|along| Waypoint { position_m: place(along, 0.0), ..point(along) });
        Path::new(points.collect(), false).unwrap()
    }

    /// A closed path to the left around the origin, from the x axis on, of this radius, m.
    pub fn ring(radius: f64, [left_m, right_m]: [f64; 2], speed_mps: f64) -> Path {
        let at = |k: u32| {
            let (sin, cos) = (f64::from(k) / 1000.0 * std::f64::consts::TAU).sin_cos();
            let position_m = [radius * cos, radius * sin, 0.0];
            Waypoint { position_m, left_m, right_m, speed_mps, ..Waypoint::default() }
        };
        Path::new((0..1000).map(at).collect(), true).unwrap()
    }

    /// The frame of a vehicle that was never seen before, at `along` the straight path and to its left, m, in its
    /// direction, with this speed, m/s.
    pub fn on_straight(path: &Path, [along, left]: [f64; 2], speed: f64) -> Frame<'_> {
        frame(path, &VehicleState::new(place(along, left), HEADING, speed))
    }

    /// The frame of a vehicle that was never seen before.
    pub fn frame<'a>(path: &'a Path, state: &VehicleState) -> Frame<'a> {
        let options = (NearestPointOptions::default(), StuckOptions::default());
        Chassis::new(VehicleGeometry::default(), options.0, options.1).unwrap().begin(path, state, 0.02).unwrap()
    }
}
