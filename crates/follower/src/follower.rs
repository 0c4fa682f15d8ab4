//! The follower: one step per frame.

use crate::bodies::Around;
use crate::boost::straight_ahead;
use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::early_turn::early_turn;
use crate::error::OptionsError;
use crate::kinds::{RunningWide, hover, over_ground, skid_steer};
use crate::limit::LimitControl;
use crate::local_planner::LocalPlanner;
use crate::lookahead::{lookahead_distance, target_point};
use crate::options::{FollowerOptions, TargetSpeedOptions};
use crate::path::Path;
use crate::pick_ups;
use crate::pure_pursuit::bicycle_steering;
use crate::scene::{Avoid, Scene};
use crate::shift::Shift;
use crate::speed_control::SpeedControl;
use crate::steering::{Steering, demanded_curvature};
use crate::stuck::StuckState;
use crate::target_speed::{Limits, target_speed};
use crate::traffic::Traffic;
use crate::vehicle::{VehicleGeometry, VehicleKind, VehicleState};
use raceline_numerics::math;

/// A controller that drives a vehicle along a path, with one step per frame: [`Follower`] and the
/// baselines.
pub trait PathFollower {
    /// Returns the command for the vehicle until the next frame; the last frame was `dt_s` seconds
    /// ago. Never panics, never allocates. If position, heading or speed is not a usable number,
    /// the command is to brake. A `dt_s` that is not positive counts as 0, one above 0.25 s as 0.25
    /// s.
    ///
    /// [`Follower`] uses all of `scene`; the baselines and the neural driver drive along the path
    /// whatever it contains.
    fn step(&mut self, path: &Path, state: &VehicleState, scene: &Scene<'_>, dt_s: f64) -> Command;

    /// Forgets everything but the options and the vehicle, as for a vehicle just placed.
    fn reset(&mut self);
}

/// Drives one vehicle along a path. It contains its whole state and can be copied.
///
/// ```
/// use raceline_follower::{Follower, FollowerOptions, Path, Scene, VehicleGeometry, VehicleState, Waypoint};
///
/// let at = |x| Waypoint { position_m: [x, 0.0, 0.0], ..Waypoint::default() };
/// let path = Path::new(vec![at(0.0), at(100.0)], false)?;
/// let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default())?;
/// // To the right of the path it steers to the left.
/// let state = VehicleState::new([10.0, -1.0, 0.0], 0.0, 5.0);
/// assert!(follower.step(&path, &state, &Scene::EMPTY, 1.0 / 60.0).steering_rad > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Follower {
    options: FollowerOptions,
    limits: Limits,
    chassis: Chassis,
    speed_control: SpeedControl,
    steering: Steering,
    limit: LimitControl,
    /// The side to which an early turn has begun: 1 to the left, -1 to the right, 0 if none has.
    turning_early: f64,
    running_wide: RunningWide,
    traffic: Traffic,
    /// How traffic is avoided, from the first scene that had any.
    avoid: Option<Avoid>,
    planning: Option<Planning>,
}

/// A local planner and its step. Behind a pointer, so that a program that sets no planner links none.
#[derive(Clone, Copy, Debug)]
struct Planning {
    planner: LocalPlanner,
    step: PlannerStep,
}

type PlannerStep = fn(&mut LocalPlanner, &Frame<'_>, &Around<'_>, &TargetSpeedOptions, &VehicleGeometry) -> Shift;

/// Fraction of the speed of the sharpest turn, 0 to 1, that a vehicle keeps when it runs wide all
/// the same. A larger one loses less time and returns to the path later.
const WIDE_FRACTION: f64 = 0.5;
/// Among others below this speed pure pursuit steers, m/s.
const LED_MPS: f64 = 3.0;
/// Largest angle between a vehicle's heading and the path for a boost, radians.
const BOOST_ANGLE_RAD: f64 = 0.15;

impl Follower {
    /// A follower for one vehicle.
    ///
    /// # Errors
    /// The first option or vehicle parameter out of its documented range.
    pub fn new(options: FollowerOptions, vehicle: VehicleGeometry) -> Result<Self, OptionsError> {
        options.validate()?;
        let chassis = Chassis::new(vehicle, options.nearest_point, options.stuck)?;
        Ok(Self {
            limits: Limits::new(&options.target_speed, &options.speed_control, &vehicle),
            options,
            chassis,
            speed_control: SpeedControl::default(),
            steering: Steering::default(),
            limit: LimitControl::default(),
            turning_early: 0.0,
            running_wide: RunningWide::default(),
            traffic: Traffic::default(),
            avoid: None,
            planning: None,
        })
    }

    /// The options.
    pub fn options(&self) -> &FollowerOptions {
        &self.options
    }

    /// The vehicle.
    pub fn vehicle(&self) -> &VehicleGeometry {
        self.chassis.vehicle()
    }

    /// The local planner, if it has one.
    pub fn planner(&self) -> Option<&LocalPlanner> {
        self.planning.as_ref().map(|planning| &planning.planner)
    }

    /// Avoids neighbours and obstacles with a local planner from now on, or without one, which is the
    /// default: see [`LocalPlanner`].
    pub fn set_planner(&mut self, planner: Option<LocalPlanner>) {
        self.planning = planner.map(|planner| Planning { planner, step: LocalPlanner::step });
    }

    /// The command for the vehicle until the next frame, see [`PathFollower::step`].
    ///
    /// Without anything in `scene`, and once the route around what was there has returned to the path,
    /// the vehicle follows the path. Each part of the scene changes that, alone or together:
    ///
    /// - **Neighbours**: the path is shifted within the corridor to pass those that are slower and to
    ///   keep clear of those abreast, and the speed is that which keeps the distance to those that
    ///   cannot be passed.
    /// - **Obstacles** are avoided as standing vehicles. With a [local planner](Self::set_planner),
    ///   obstacles and neighbours are avoided by its curves instead, and neighbours need not drive along
    ///   the path.
    /// - **Pick-ups**: of those near the path ahead, the one with the detour of smallest curvature is
    ///   collected if that curvature is within the limits, unless the path is shifted for others or the
    ///   detour leads too near to one.
    /// - **Reverse**: the vehicle faces against the path, follows it in reverse gear, and drives forwards
    ///   when stuck. Neighbours, obstacles and pick-ups count as they do forwards.
    pub fn step(&mut self, path: &Path, state: &VehicleState, scene: &Scene<'_>, dt_s: f64) -> Command {
        if !scene.is_reverse() {
            let Some(frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
            return self.finish(frame, scene);
        }
        // In reverse, the vehicle faces backwards, its fixed axle leads, and left and right are
        // exchanged.
        let flipped = VehicleState {
            heading_rad: state.heading_rad + std::f64::consts::PI,
            speed_mps: -state.speed_mps,
            ..*state
        };
        let Some(frame) = self.chassis.begin(path, &flipped, dt_s) else { return self.chassis.not_understood() };
        let frame = Frame { rear_axle: -frame.rear_axle, middle: -frame.middle, ..frame };
        let command = self.finish(frame, scene);
        Command { reverse: !command.reverse, steering_rad: -command.steering_rad, ..command }
    }

    /// Distance to the left of the path, metres, at which neighbours and obstacles make it drive; 0
    /// without.
    pub fn shift_m(&self) -> f64 {
        self.planner().map_or(self.traffic.offset(), |planner| planner.offsets_m()[0])
    }

    /// Whether neighbours or obstacles changed the last step: nothing is to be learned about the path
    /// from it (see [`LearnedSpeeds::observe`](crate::LearnedSpeeds::observe)).
    pub fn is_avoiding(&self) -> bool {
        self.traffic.is_active() || self.planner().is_some_and(LocalPlanner::is_active)
    }

    /// Where neighbours and obstacles move the path to.
    fn shift(&mut self, frame: &Frame<'_>, scene: &Scene<'_>) -> Shift {
        let (speeds, vehicle) = (&self.options.target_speed, self.chassis.vehicle());
        if let Some(Planning { planner, step }) = &mut self.planning {
            self.traffic.reset();
            return step(planner, frame, &scene.around, speeds, vehicle);
        }
        // Where nobody is any more, the path must still be led back.
        self.avoid = scene.avoid.or(self.avoid);
        let Some(avoid) = self.avoid else { return Shift::NONE };
        avoid(&mut self.traffic, frame, &scene.around, &self.options.traffic, speeds, vehicle)
    }

    fn finish(&mut self, mut frame: Frame<'_>, scene: &Scene<'_>) -> Command {
        frame.shift = self.shift(&frame, scene);
        let wish = self.wish(&frame, scene);
        let mut command = self.chassis.finish(&frame, &wish);
        command.lacks_velocity = LimitControl::lacks_velocity(&frame, &self.options);
        command.acceleration_mps2 = self.acceleration(&frame, command.pedal);
        if command.state != StuckState::Driving {
            self.speed_control.reset();
        }
        command
    }

    /// What a pedal asks for, m/s².
    fn acceleration(&self, frame: &Frame<'_>, pedal: f64) -> Option<f64> {
        let dynamics = frame.path.dynamics()?;
        let speed = frame.state.speed_mps.abs();
        let full = if pedal > 0.0 {
            dynamics.drive_mps2.at(speed)
        } else {
            let here = frame.path.profile_in(frame.nearest.segment, frame.nearest.s);
            let tyres = here.grip * dynamics.longitudinal_mps2.at(speed);
            self.options.limit.full_brake_mps2(&self.options.speed_control, tyres)
        };
        Some(pedal * full - dynamics.rolling_mps2 - dynamics.drag_radpm * speed * speed)
    }

    /// Forgets everything but the options and the vehicle, as for a vehicle just placed.
    pub fn reset(&mut self) {
        self.chassis.reset();
        self.speed_control.reset();
        self.steering.reset();
        self.limit.reset();
        self.turning_early = 0.0;
        self.running_wide = RunningWide::default();
        self.traffic.reset();
        if let Some(Planning { planner, .. }) = &mut self.planning {
            planner.reset();
        }
    }

    fn wish_at_limit(&mut self, frame: &Frame<'_>) -> Option<Wish> {
        let at_limit = self.limit.step(frame, &self.options, self.chassis.vehicle())?;
        let options = &self.options;
        let lookahead = options.lookahead.base_m + options.lookahead.time_s * frame.state.speed_mps.abs();
        let target = target_point(frame.path, frame.nearest.segment, frame.nearest.s + lookahead);
        let target = frame.shift.beside(frame, lookahead, target, self.chassis.vehicle().width_m);
        let boost = options.boost.enabled
            && at_limit.pedal > 0.0
            && frame.heading_error.abs() < BOOST_ANGLE_RAD
            && straight_ahead(frame, &options.boost);
        Some(Wish {
            pedal: at_limit.pedal,
            steering: at_limit.steering,
            target_speed: at_limit.target_speed,
            target,
            boost,
            arrived: frame.at_end(),
        })
    }

    fn wish(&mut self, frame: &Frame<'_>, scene: &Scene<'_>) -> Wish {
        // Among others at walking pace, the path is where the vehicle is led, not where it slides.
        let led = !frame.shift.is_none() && frame.state.speed_mps < LED_MPS;
        if self.options.limit.enabled
            && scene.pick_ups().is_empty()
            && !led
            && let Some(wish) = self.wish_at_limit(frame)
        {
            return wish;
        }
        let slides = self.chassis.vehicle().kind == VehicleKind::Hover;
        let frame = if slides { &over_ground(frame) } else { frame };
        let options = &self.options;
        let speed = frame.state.speed_mps;
        let farthest = options.lookahead.base_m + options.lookahead.time_s * speed.abs();
        let vehicle = self.chassis.vehicle();
        let turning_radius = vehicle.wheelbase_m / math::tan(vehicle.max_steering_rad);
        // A vehicle without steered wheels turns no sharper when it is slower than this needs.
        let cuts = options.steering.early_turn > 0.0 || vehicle.kind != VehicleKind::Wheels;
        let max_bend = if cuts { 1.0 / turning_radius } else { f64::INFINITY };
        let mut ahead = target_speed(frame, &options.target_speed, &self.limits, farthest, max_bend);
        let off_path = frame.cross_track - frame.shift.offset;
        let lookahead = lookahead_distance(&options.lookahead, speed, ahead.curvature, off_path);
        let on_path = target_point(frame.path, frame.nearest.segment, frame.nearest.s + lookahead);
        let bounds = (self.limits.lateral_mps2, options.traffic.gap_m);
        let detour = scene.choose.and_then(|choose| choose(frame, &scene.around, &options.pick_ups, bounds, vehicle));
        let mut target =
            detour.map_or(on_path, |detour| pick_ups::target_point(frame, &detour, lookahead, &options.pick_ups));
        if !frame.shift.is_none() {
            target = frame.shift.beside(frame, lookahead, target, vehicle.width_m);
            let beside = frame.shift.radius_left(0.0, frame.here.curvature_radpm).min(1.0);
            let there = frame.path.sample(frame.nearest.s + lookahead).curvature_radpm;
            let beside = beside.min(frame.shift.radius_left(lookahead, there));
            ahead.speed *= beside.sqrt();
            if frame.shift.max_speed < ahead.speed {
                (ahead.speed, ahead.acceleration) = (frame.shift.max_speed, -frame.shift.braking);
            }
        }
        let by_yaw_rate = speed.abs() / self.limits.yaw_rate_radps;
        // Where the speed makes the radius, the speed is what the target speed lowers.
        let on_tracks = vehicle.kind == VehicleKind::SkidSteer;
        let min_radius = if on_tracks { turning_radius } else { turning_radius.max(by_yaw_rate) };
        let early = early_turn(frame, lookahead, min_radius, options.steering.early_turn, self.turning_early);
        self.turning_early = early.map_or(0.0, |(_, curvature)| curvature.signum());
        if let Some((point, _)) = early {
            target = point;
        }
        let control = &options.speed_control;
        let (steering, pedal) = if vehicle.kind == VehicleKind::Wheels {
            let steering = match early {
                Some((_, curvature)) => bicycle_steering(vehicle.wheelbase_m, curvature),
                None => self.steering.angle(frame, &options.steering, vehicle, target, on_path),
            };
            (steering, self.speed_control.pedal(control, ahead.speed, ahead.acceleration, speed, frame.dt))
        } else {
            let curvature = match early {
                Some((_, curvature)) => curvature,
                None => demanded_curvature(frame, &options.steering, target, on_path),
            };
            // What it cannot turn at this speed, it can at a lower one.
            let sharpest = curvature.abs().min(1.0 / turning_radius);
            let lasting = self.running_wide.speed(frame, sharpest.copysign(curvature), vehicle);
            let able = self.limits.speed_on(sharpest, 0.0);
            let allowed = able.min(lasting.max(WIDE_FRACTION * able)).max(self.limits.min_mps);
            if allowed < ahead.speed {
                (ahead.speed, ahead.acceleration) = (allowed, ahead.acceleration.min(0.0));
            }
            let pedal = self.speed_control.pedal(control, ahead.speed, ahead.acceleration, speed, frame.dt);
            if slides {
                hover(frame, &options.steering, control, vehicle, curvature, pedal)
            } else {
                (skid_steer(frame, &options.steering, vehicle, curvature), pedal)
            }
        };
        let boost = options.boost.enabled
            && pedal > 0.0
            && frame.heading_error.abs() < BOOST_ANGLE_RAD
            && straight_ahead(frame, &options.boost);
        Wish { pedal, steering, target_speed: ahead.speed, target, boost, arrived: frame.at_end() }
    }
}

impl PathFollower for Follower {
    fn step(&mut self, path: &Path, state: &VehicleState, scene: &Scene<'_>, dt_s: f64) -> Command {
        Self::step(self, path, state, scene, dt_s)
    }

    fn reset(&mut self) {
        Self::reset(self);
    }
}
