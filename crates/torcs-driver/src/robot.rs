//! The driver of one car: TORCS's state to the follower, its command to TORCS's controls.

use std::path::Path as FilePath;
use std::sync::Arc;

use raceline_follower::gearbox::{Drivetrain, Gearbox, GearboxOptions, MAX_GEARS};
use raceline_follower::neural::{NeuralDriver, NeuralDriverOptions};
use raceline_follower::slip_control::{SlipControl, SlipControlOptions, WheelMotion};
use raceline_follower::{
    Follower, FollowerOptions, Neighbour, Path, PathFollower, Scene, VehicleDynamics, VehicleGeometry, VehicleState,
    json,
};
use raceline_numerics::STANDARD_GRAVITY;

use crate::checks::{check_car, check_state, check_track, forward_ratios};
use crate::configuration::{Configuration, numbered};
use crate::contacts::{Contacts, Intent};
use crate::engine::Engine;
use crate::figures::Figures;
use crate::layout::{CarFacts, CarState, Control, Track};
use crate::learning::Learning;
use crate::pit_lane::PitLane;
use crate::pit_stop::PitStops;
use crate::pits::{OwnBox, Service};
use crate::strategy::{Strategy, damage_spl};
use crate::summary::{Collector, Frame};
use crate::telemetry::{Row, Telemetry};

/// Greatest distance of the line from the middle of the nearest segment, in widths of the road.
const FARTHEST_WIDTHS: f64 = 1.5;
/// Frames in which the car's motion is checked.
const CHECKED_FRAMES: usize = 100;
/// Density of petrol, kg/l: TORCS counts a litre as a kilogram.
const FUEL_KGPL: f64 = 1.0;
/// Below this fraction of the weight on the wheels the car flies.
const FLYING_FRACTION: f64 = 0.1;

/// A robot on a track.
#[derive(Debug)]
pub struct Robot {
    configuration: Configuration,
    index: i32,
    track: Track,
    figures: Option<Figures>,
    path: Path,
    geometry: VehicleGeometry,
    learning: Option<Learning>,
    driving: Option<Driving>,
    pit_stops: Option<PitStops>,
    lap_time_s: f64,
    collector: Collector,
    telemetry: Option<Telemetry>,
    /// Laps of the session, where it has a number.
    laps: Option<u32>,
    contacts: Contacts,
    last_s: f64,
    frames: usize,
}

/// What drives a car that was checked.
#[derive(Clone, Debug)]
struct Driving {
    follower: Follower,
    /// Drives in its place.
    neural: Option<NeuralDriver>,
    slip_control: SlipControl,
    gearbox: Gearbox,
    steer_lock_rad: f64,
    wheel_radius_m: [f64; 4],
    driven: [bool; 2],
    /// The engine's torque, if it is known.
    engine: Option<Engine>,
    /// Deceleration at full brake without fuel, m/s² times kg, and the mass without fuel, kg;
    /// `None` where the car's files don't have it.
    brakes: Option<(f64, f64)>,
}

impl Robot {
    /// Reads the line and checks that it lies on the track.
    ///
    /// # Errors
    /// What is wrong with the track, the file or the options.
    pub fn new(
        configuration: Configuration,
        index: i32,
        track: Track,
        figures: Option<Figures>,
    ) -> Result<Self, String> {
        check_track(&track)?;
        let line = read_line(&configuration.line)?;
        let geometry = line.vehicle;
        check_on_track(&line.path, &track)?;
        if line.path.dynamics().is_none() {
            return Err(
                "the limits of the line's vehicle are no usable numbers: they must be from 0.001 to 10000 m/s²"
                    .to_owned(),
            );
        }
        let telemetry = match &configuration.telemetry {
            Some(path) => {
                let path = numbered(path, index);
                Some(Telemetry::create(&path).map_err(|error| format!("{}: {error}", path.display()))?)
            }
            None => None,
        };
        let contacts = match &configuration.neighbours {
            Some(path) => {
                let path = numbered(path, index);
                Contacts::writing(&path).map_err(|error| format!("{}: {error}", path.display()))?
            }
            None => Contacts::default(),
        };
        Ok(Self {
            configuration,
            index,
            track,
            figures,
            path: line.path,
            geometry,
            learning: None,
            driving: None,
            pit_stops: None,
            lap_time_s: line.lap_time_s,
            collector: Collector::default(),
            telemetry,
            laps: None,
            contacts,
            last_s: f64::NAN,
            frames: 0,
        })
    }

    /// Checks the car and makes its follower; in a race over `laps` laps with a box in the pits it stops
    /// there when it pays. The telemetry of any session ends after its laps.
    ///
    /// # Errors
    /// What is wrong with the car or the options.
    pub fn start(&mut self, car: &CarFacts, laps: Option<u32>, own_box: Option<OwnBox>) -> Result<(), String> {
        check_car(car)?;
        self.laps = laps;
        let dynamics = self.path.dynamics().ok_or("the line's vehicle has no dynamics")?;
        let mut geometry = VehicleGeometry { max_steering_rad: car.steer_lock_rad, ..self.geometry };
        if let Some(figures) = self.figures {
            geometry.wheelbase_m = figures.wheelbase_m();
        }
        // TORCS's reference point is the centre of gravity.
        let front = self
            .figures
            .map_or(dynamics.resolve(geometry.wheelbase_m, geometry.rear_axle_m).front_weight_fraction, |figures| {
                figures.front_weight
            });
        geometry.rear_axle_m = front * geometry.wheelbase_m;
        let mut options = FollowerOptions::for_vehicle(dynamics, &geometry);
        options.target_speed.profile_scale = self.configuration.speed_share;
        // The pedals act at once here, and the wheels turn at 6 rad/s.
        options.limit.speed_gain = 6.0;
        options.limit.braking_fraction = 0.95;
        options.limit.speed_preview_s = 0.0;
        options.limit.pedal_s = 0.08;
        options.limit.preview_s = 0.07;
        // Beyond their peak these tyres give nearly as much.
        options.limit.slide_full = 0.8;
        options.limit.slide_none = 1.5;
        // Walls stand at the edges.
        options.limit.slower_off_path = 0.07;
        options.traffic.overtakes = true;
        // Who follows from afar overtakes nobody, and whoever is close beside is touched.
        options.traffic.following_m = 1.0;
        options.traffic.following_s = 0.12;
        options.traffic.gap_m = 0.45;
        options.traffic.beside_m = 1.2;
        let mut slip_control = SlipControlOptions::default();
        let mut gearbox = GearboxOptions::default();
        for (key, &value) in &self.configuration.options {
            set(&mut options, &mut slip_control, &mut gearbox, key, value)?;
        }
        self.learning = Learning::new(&self.configuration, self.index, &mut self.path, geometry)?;
        self.pit_stops = match (laps, own_box) {
            (Some(laps), Some(own_box)) => self.pit_stops(car, laps, &own_box, options, geometry)?,
            _ => None,
        };
        let mut ratios = [0.0; MAX_GEARS];
        for (place, ratio) in ratios.iter_mut().zip(forward_ratios(car)) {
            *place = ratio;
        }
        let driven = self.figures.map_or([false, true], |figures| figures.driven);
        let wheel_radius_m = car.wheel_radius_m[if driven[1] { 2 } else { 0 }];
        let drivetrain = Drivetrain { ratios, wheel_radius_m, redline_radps: car.engine_radps[0] };
        self.driving = Some(Driving {
            follower: Follower::new(options, geometry).map_err(|error| error.to_string())?,
            neural: neural_driver(&self.configuration, geometry)?,
            slip_control: SlipControl::new(slip_control).map_err(|error| error.to_string())?,
            gearbox: Gearbox::new(gearbox, drivetrain).map_err(|error| error.to_string())?,
            steer_lock_rad: car.steer_lock_rad,
            wheel_radius_m: car.wheel_radius_m,
            driven,
            engine: self.figures.and_then(|figures| figures.engine),
            brakes: self.figures.map(|figures| (figures.full_brake_n(&car.wheel_radius_m), figures.mass_kg)),
        });
        Ok(())
    }

    /// The stops in a race; `None` where the track has no route through its pits.
    fn pit_stops(
        &self,
        car: &CarFacts,
        laps: u32,
        own_box: &OwnBox,
        options: FollowerOptions,
        geometry: VehicleGeometry,
    ) -> Result<Option<PitStops>, String> {
        let Some(pits) = &self.track.pits else { return Ok(None) };
        let fraction = self.configuration.speed_share;
        let lane = match PitLane::new(&self.track, pits, own_box, &self.path, fraction, car.dimension_m[1]) {
            Ok(lane) => lane,
            Err(reason) => {
                eprintln!("raceline {}: makes no pit stops: {reason}", self.index);
                return Ok(None);
            }
        };
        let lap = [self.lap_time_s, self.track.length_m];
        let strategy = Strategy::new(laps, lap, car.tank_l, lane.loss_s, damage_spl(&self.path));
        PitStops::new(lane, strategy, options, geometry, &self.track).map(Some)
    }

    /// What is done in the box, where the car has just stopped.
    pub fn serve(&mut self, car: &CarState) -> Service {
        self.pit_stops.as_mut().map_or(Service::default(), |stops| stops.serve(car))
    }

    /// The controls for a frame at `time_s` of the race.
    ///
    /// # Errors
    /// What cannot be: then the car is to brake.
    pub fn drive(&mut self, car: &CarState, others: &[Neighbour], time_s: f64) -> Result<Control, String> {
        // Later a collision may shake the numbers.
        if self.frames < CHECKED_FRAMES {
            check_state(car)?;
            self.frames += 1;
        }
        let dt = if self.last_s.is_finite() { (time_s - self.last_s).clamp(0.0, 0.25) } else { 0.0 };
        self.last_s = time_s;
        let driving = self.driving.as_mut().ok_or("the race has not begun")?;
        let state = VehicleState {
            position_m: car.position_m,
            heading_rad: car.attitude_rad[2],
            speed_mps: car.velocity_mps[0],
            velocity_mps: car.world_velocity_mps,
            yaw_rate_radps: car.yaw_rate_radps,
        };
        let scene = Scene::EMPTY.with_neighbours(others);
        let route = self.pit_stops.as_mut().and_then(|stops| stops.drive(car, time_s, dt));
        let in_pits = route.is_some();
        let (command, grip, shift_m) = match (route, &mut driving.neural) {
            (Some((follower, route)), _) => {
                let command = follower.step(route, &state, &scene, dt);
                (command, route.grip(command.s_m), follower.shift_m())
            }
            (None, Some(neural)) => {
                let command = neural.step(&self.path, &state, &scene, dt);
                (command, self.path.grip(command.s_m), 0.0)
            }
            (None, None) => {
                let command = driving.follower.step(&self.path, &state, &scene, dt);
                (command, self.path.grip(command.s_m), driving.follower.shift_m())
            }
        };
        if let Some(stops) = self.pit_stops.as_mut().filter(|_| in_pits) {
            stops.driven(command.s_m);
        }
        if let Some(learning) = self.learning.as_mut().filter(|_| !in_pits) {
            learning.observe(&mut self.path, car, (&state, &command), driving.follower.is_avoiding(), dt);
        }
        let weight = driving.brakes.map_or(1000.0, |(_, mass)| mass) * STANDARD_GRAVITY;
        let flying = car.loads_n.iter().sum::<f64>() < FLYING_FRACTION * weight;
        let wheels = driving.wheels(car, command.steering_rad);
        let pedal = driving.slip_control.pedal(&wheels, command.pedal, dt);
        let choice = driving.gearbox.choose(car.velocity_mps[0], car.engine_radps, command.reverse, !flying, dt);
        let (throttle, brake) = driving.pedals(self.path.dynamics(), car, pedal, grip);
        let control = Control {
            steer: (command.steering_rad / driving.steer_lock_rad).clamp(-1.0, 1.0),
            throttle,
            brake,
            clutch: choice.clutch,
            gear: choice.gear,
            asks_for_pit: self.pit_stops.as_ref().is_some_and(PitStops::asks),
        };
        let body = [self.geometry.length_m, self.geometry.width_m];
        let intent = Intent {
            cross_track_m: command.cross_track_error_m,
            shift_m,
            target_mps: command.target_speed_mps,
            pedal: command.pedal,
        };
        self.contacts.add(time_s, car, body, others, intent);
        let ended = self.collector.add(&Frame {
            dt_s: dt,
            lap: car.laps,
            last_lap_s: car.last_lap_s,
            lap_counts: car.lap_counts,
            damage: car.damage,
            fuel_l: car.fuel_l,
            off_track: car.to_middle_m.abs() > 0.5 * self.track.width_m,
            cross_track_m: command.cross_track_error_m,
        });
        // After the finish TORCS takes the throttle back, whatever the robot asks for.
        let finished = self.laps.is_some_and(|laps| i64::from(car.laps) > i64::from(laps));
        if let Some(telemetry) = self.telemetry.as_mut().filter(|_| !finished) {
            let min = 3.0;
            let slip = |i: usize| {
                let (a, b) = (wheels[i].slip(min), wheels[i + 1].slip(min));
                if a.abs() > b.abs() { a } else { b }
            };
            let planned_mps = self.path.sample(command.s_m).speed_mps;
            let row = Row {
                time_s,
                car,
                control: &control,
                steering_rad: command.steering_rad,
                slip: [slip(0), slip(2)],
                cross_track_m: command.cross_track_error_m,
                planned_mps,
                road: self.track.road(car.from_start_m),
            };
            telemetry.add(&row).map_err(|error| format!("telemetry: {error}"))?;
        }
        if ended {
            self.flush();
        }
        Ok(control)
    }

    /// Writes what was collected.
    pub fn flush(&mut self) {
        if let Some(telemetry) = &mut self.telemetry {
            let _ = telemetry.flush();
        }
        let _ = self.contacts.flush();
        self.collector.set_contacts(self.contacts.found());
        if let Some(stops) = &self.pit_stops {
            self.collector.set_stops(stops.stops());
        }
        if let Some(learning) = &self.learning {
            learning.write();
        }
        if let Some(path) = &self.configuration.summary {
            let _ = self.collector.summary().write(&numbered(path, self.index));
        }
    }
}

impl Driving {
    /// The wheels over the ground: turned in front by `steering`.
    fn wheels(&self, car: &CarState, steering: f64) -> [WheelMotion; 4] {
        let (sin, cos) = steering.sin_cos();
        std::array::from_fn(|i| {
            let front = i < 2;
            let [ahead, left] = car.wheel_place_m[i];
            let along = car.velocity_mps[0] - car.yaw_rate_radps * left;
            let across = car.velocity_mps[1] + car.yaw_rate_radps * ahead;
            let ground_mps = if front { along * cos + across * sin } else { along };
            WheelMotion {
                tread_mps: car.spin_radps[i] * self.wheel_radius_m[i],
                ground_mps,
                driven: self.driven[usize::from(!front)],
            }
        })
    }

    /// Throttle and brake for a pedal from full braking, -1, to full drive, 1, on a road of `grip`. At
    /// -1 the brakes give the tyres' limit, where they could do more.
    fn pedals(&self, dynamics: Option<&VehicleDynamics>, car: &CarState, pedal: f64, grip: f64) -> (f64, f64) {
        let throttle = self.engine.map_or(pedal.max(0.0), |engine| engine.throttle(pedal, car.engine_radps));
        let braking = (-pedal).max(0.0);
        let (Some((full_n, mass)), Some(dynamics)) = (self.brakes, dynamics) else { return (throttle, braking) };
        let limit = dynamics.longitudinal_mps2.at(car.velocity_mps[0]) * (mass + FUEL_KGPL * car.fuel_l);
        (throttle, (braking * grip * limit / full_n).clamp(0.0, 1.0))
    }
}

fn read_line(path: &FilePath) -> Result<json::RacingLine, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    json::read(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The network that the configuration names, at the wheel.
fn neural_driver(configuration: &Configuration, geometry: VehicleGeometry) -> Result<Option<NeuralDriver>, String> {
    let Some(path) = &configuration.driver else { return Ok(None) };
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| wrong(&error))?;
    let network = json::read_network(&bytes).map_err(|error| wrong(&error))?;
    let options = NeuralDriverOptions { profile_scale: configuration.speed_share, ..NeuralDriverOptions::default() };
    NeuralDriver::new(Arc::new(network), options, geometry).map(Some).map_err(|error| error.to_string())
}

/// Sets an option of the follower, the slip control or the gearbox by its key.
fn set(
    options: &mut FollowerOptions,
    slip_control: &mut SlipControlOptions,
    gearbox: &mut GearboxOptions,
    key: &str,
    value: f64,
) -> Result<(), String> {
    match key.split_once('.') {
        Some(("slip_control", _)) => slip_control.set(key, value),
        Some(("gearbox", _)) => gearbox.set(key, value),
        _ => options.set(key, value),
    }
}

/// Whether the line lies on the track: a line of another track, or in other coordinates, must not be
/// driven.
fn check_on_track(path: &Path, track: &Track) -> Result<(), String> {
    let max = FARTHEST_WIDTHS * track.width_m;
    for (i, waypoint) in path.waypoints().iter().enumerate() {
        let [x, y, _] = waypoint.position_m;
        let nearest = track.segments.iter().map(|segment| {
            let [a, b, c, d] = segment.corners_m;
            let ends = [[a, b], [c, d]].map(|[p, q]| [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])]);
            let distance = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
            let square = (distance[0] * distance[0] + distance[1] * distance[1]).max(1e-9);
            let t = ((x - ends[0][0]) * distance[0] + (y - ends[0][1]) * distance[1]) / square;
            let t = t.clamp(0.0, 1.0);
            // The chord of a long bend lies beside its middle.
            let sagitta = if segment.kind == 3 { 0.0 } else { 0.3 * segment.length_m };
            (x - ends[0][0] - t * distance[0]).hypot(y - ends[0][1] - t * distance[1]) - sagitta
        });
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        if nearest.is_nan() || nearest > max {
            return Err(format!(
                "point {i} of the line is {nearest:.1} m from the track {}: it is not its line",
                track.name
            ));
        }
    }
    Ok(())
}
