//! The follower: one step per frame.

use crate::behaviours::Body;
use crate::bonuses::{self, Bonus};
use crate::boost::straight_ahead;
use crate::chassis::{Chassis, Frame, Wish};
use crate::command::Command;
use crate::early_turn::early_turn;
use crate::error::OptionsError;
use crate::kinds::{RunningWide, hover, over_ground, skid_steer};
use crate::limit::LimitControl;
use crate::local_planner::LocalPlanner;
use crate::lookahead::{lookahead_distance, target_point};
use crate::options::FollowerOptions;
use crate::path::Path;
use crate::pure_pursuit::bicycle_steering;
use crate::speed_control::SpeedControl;
use crate::steering::{Steering, demanded_curvature};
use crate::stuck::StuckState;
use crate::target_speed::{Limits, target_speed};
use crate::traffic::{Neighbour, Traffic};
use crate::vehicle::{VehicleGeometry, VehicleKind, VehicleState};

/// A controller that drives a vehicle along a path, with one step per frame: [`Follower`] and the
/// baselines.
pub trait PathFollower {
    /// Returns the command for the vehicle until the next frame; the last frame was `dt_s` seconds
    /// ago. Never panics, never allocates. If position, heading or speed is not a usable number,
    /// the command is to brake. A `dt_s` that is not positive counts as 0, one above 0.25 s as 0.25
    /// s.
    fn step(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command;

    /// Forgets everything but the options and the vehicle, as for a vehicle just placed.
    fn reset(&mut self);
}

/// Drives one vehicle along a path. It contains its whole state and can be copied.
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
}

/// Fraction of the speed of the sharpest turn that a vehicle keeps when it runs wide all the same.
const WIDE_SHARE: f64 = 0.5;
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

    /// See [`PathFollower::step`].
    pub fn step(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command {
        self.step_with_bonuses(path, state, &[], dt_s)
    }

    /// The same with pick-ups: of those near the path ahead, the one with the detour of smallest
    /// curvature is collected if that curvature is within the limits. The first
    /// [`MAX_BONUSES`](crate::MAX_BONUSES) of `bonuses` are considered.
    pub fn step_with_bonuses(&mut self, path: &Path, state: &VehicleState, bonuses: &[Bonus], dt_s: f64) -> Command {
        self.traffic.reset();
        let Some(frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        self.finish(&frame, bonuses)
    }

    /// The same among other vehicles: the path is shifted within the corridor to pass those that are
    /// slower and to keep clear of those abreast, and the speed is that which keeps the distance to
    /// those that cannot be passed. The first [`MAX_NEIGHBOURS`](crate::MAX_NEIGHBOURS) of
    /// `neighbours` are looked at: pass the nearest. Without neighbours, and once the shift is undone,
    /// the command is that of [`Self::step`], to the bit.
    pub fn step_in_traffic(
        &mut self,
        path: &Path,
        state: &VehicleState,
        neighbours: &[Neighbour],
        dt_s: f64,
    ) -> Command {
        let Some(mut frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        let (options, vehicle) = (&self.options, self.chassis.vehicle());
        frame.shift = self.traffic.step(&frame, neighbours, &options.traffic, &options.target_speed, vehicle);
        self.finish(&frame, &[])
    }

    /// The same with a local planner, around fixed obstacles (their velocities do not count) and among
    /// vehicles that need not drive along the path, see [`LocalPlanner`]. The first
    /// [`MAX_OBSTACLES`](crate::MAX_OBSTACLES) and the first [`MAX_NEIGHBOURS`](crate::MAX_NEIGHBOURS)
    /// are looked at: pass the nearest. Without others, and once the vehicle is back on the path, the
    /// command is that of [`Self::step`], to the bit.
    pub fn step_with_planner(
        &mut self,
        planner: &mut LocalPlanner,
        path: &Path,
        state: &VehicleState,
        (obstacles, neighbours): (&[Body], &[Neighbour]),
        dt_s: f64,
    ) -> Command {
        self.traffic.reset();
        let Some(mut frame) = self.chassis.begin(path, state, dt_s) else { return self.chassis.not_understood() };
        let (options, vehicle) = (&self.options, self.chassis.vehicle());
        frame.shift = planner.step(&frame, obstacles, neighbours, &options.target_speed, vehicle);
        self.finish(&frame, &[])
    }

    /// Distance to the left of the path, metres, at which other vehicles make it drive; 0 without.
    pub fn shift_m(&self) -> f64 {
        self.traffic.offset()
    }

    /// Whether other vehicles changed the last step: it tells nothing about the path then (see
    /// [`LearnedSpeeds::observe`](crate::LearnedSpeeds::observe)).
    pub fn is_avoiding(&self) -> bool {
        self.traffic.is_active()
    }

    fn finish(&mut self, frame: &Frame<'_>, bonuses: &[Bonus]) -> Command {
        let wish = self.wish(frame, bonuses);
        let command = self.chassis.finish(frame, &wish);
        if command.state != StuckState::Driving {
            self.speed_control.reset();
        }
        command
    }

    /// The same in reverse: the vehicle faces against the path, follows it in reverse gear, and
    /// drives forwards when stuck.
    pub fn step_backwards(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command {
        // In reverse, the vehicle faces the other way, its fixed axle leads, and left and right are
        // exchanged.
        let flipped = VehicleState {
            heading_rad: state.heading_rad + std::f64::consts::PI,
            speed_mps: -state.speed_mps,
            ..*state
        };
        let Some(frame) = self.chassis.begin(path, &flipped, dt_s) else { return self.chassis.not_understood() };
        let frame = Frame { rear_axle: -frame.rear_axle, ..frame };
        let wish = self.wish(&frame, &[]);
        let command = self.chassis.finish(&frame, &wish);
        if command.state != StuckState::Driving {
            self.speed_control.reset();
        }
        Command { reverse: !command.reverse, steering_rad: -command.steering_rad, ..command }
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

    fn wish(&mut self, frame: &Frame<'_>, pick_ups: &[Bonus]) -> Wish {
        // Among others at walking pace, the path is where the vehicle is led, not where it slides.
        let led = !frame.shift.is_none() && frame.state.speed_mps < LED_MPS;
        if self.options.limit.enabled
            && pick_ups.is_empty()
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
        let turning_radius = vehicle.wheelbase_m / vehicle.max_steering_rad.tan();
        // A vehicle without steered wheels turns no sharper when it is slower than this needs.
        let cuts = options.steering.early_turn > 0.0 || vehicle.kind != VehicleKind::Wheels;
        let most_bend = if cuts { 1.0 / turning_radius } else { f64::INFINITY };
        let mut ahead = target_speed(frame, &options.target_speed, &self.limits, farthest, most_bend);
        let off_path = frame.cross_track - frame.shift.offset;
        let lookahead = lookahead_distance(&options.lookahead, speed, ahead.curvature, off_path);
        let on_path = target_point(frame.path, frame.nearest.segment, frame.nearest.s + lookahead);
        let half_width = self.chassis.vehicle().width_m / 2.0;
        let detour = bonuses::choose(frame, pick_ups, &options.bonuses, self.limits.lateral_mps2, half_width);
        let mut target =
            detour.map_or(on_path, |detour| bonuses::target_point(frame, &detour, lookahead, &options.bonuses));
        if !frame.shift.is_none() {
            target = frame.shift.beside(frame, lookahead, target, vehicle.width_m);
            let beside = frame.shift.radius_left(0.0, frame.here.curvature_radpm).min(1.0);
            let there = frame.path.sample(frame.nearest.s + lookahead).curvature_radpm;
            let beside = beside.min(frame.shift.radius_left(lookahead, there));
            ahead.speed *= beside.sqrt();
            if frame.shift.most < ahead.speed {
                (ahead.speed, ahead.acceleration) = (frame.shift.most, -frame.shift.braking);
            }
        }
        let by_yaw_rate = speed.abs() / self.limits.yaw_rate_radps;
        // Where the speed makes the radius, the speed is what the target speed lowers.
        let on_tracks = vehicle.kind == VehicleKind::SkidSteer;
        let least_radius = if on_tracks { turning_radius } else { turning_radius.max(by_yaw_rate) };
        let early = early_turn(frame, lookahead, least_radius, options.steering.early_turn, self.turning_early);
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
            let most = able.min(lasting.max(WIDE_SHARE * able)).max(self.limits.least_mps);
            if most < ahead.speed {
                (ahead.speed, ahead.acceleration) = (most, ahead.acceleration.min(0.0));
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
    fn step(&mut self, path: &Path, state: &VehicleState, dt_s: f64) -> Command {
        Self::step(self, path, state, dt_s)
    }

    fn reset(&mut self) {
        Self::reset(self);
    }
}
