//! Traffic on the road of a drive: what the follower is given of it, how it drives, and contacts.

use raceline_follower::{Body, Neighbour, Path, PathFollower, Scene, VehicleState};
use raceline_numerics::math;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::contacts::Contacts;
use super::error::DriveError;
use super::simulated_vehicle::SimulatedVehicle;
use super::surroundings::Surroundings;

/// Vehicles further away than this are not given to the follower, s of driving and m.
const GIVEN_S: f64 = 6.0;
const GIVEN_M: f64 = 80.0;
/// Other vehicles begin at least this far apart, in lengths of the vehicle.
const MIN_APART: f64 = 2.0;
/// A vehicle that drives towards the end of an open line leaves the road there, m.
const END_M: f64 = 5.0;
/// Time between two places of a trace, s.
const TRACE_S: f64 = 0.1;

/// Another vehicle.
struct Other {
    vehicle: SimulatedVehicle,
    driver: Box<dyn PathFollower>,
    begins_m: f64,
    arrived: bool,
}

/// The other vehicles.
pub(super) struct Traffic {
    obstacles: Vec<Body>,
    others: Vec<Other>,
    /// Length and width of a vehicle, and of the line, m.
    size_m: [f64; 2],
    length_m: f64,
    closed: bool,
    contacts: Contacts,
    /// What the follower is given.
    near_obstacles: Vec<Body>,
    near_others: Vec<Neighbour>,
    frames: u32,
    trace_frames: u32,
    /// Paths of the other vehicles, m, each 0.1 s.
    pub(super) traces: Vec<Vec<[f64; 2]>>,
}

impl Traffic {
    /// The traffic of `surroundings` on a line; `other` makes one that aims for a fraction of the
    /// profile's speed.
    ///
    /// # Errors
    /// [`DriveError::TooManyVehicles`], and those of `other`.
    pub(super) fn new(
        surroundings: &Surroundings,
        size_m: [f64; 2],
        (length_m, closed): (f64, bool),
        frame_s: f64,
        mut other: impl FnMut(f64) -> Result<(SimulatedVehicle, Box<dyn PathFollower>), DriveError>,
    ) -> Result<Self, DriveError> {
        let apart = length_m / f64::from(surroundings.traffic + 1);
        if surroundings.traffic > 0 && apart < MIN_APART * size_m[0] {
            let max = (length_m / (MIN_APART * size_m[0])) as u32;
            return Err(DriveError::TooManyVehicles {
                traffic: surroundings.traffic,
                max: max.saturating_sub(1),
                length_m,
            });
        }
        let [low, high] = surroundings.traffic_speeds;
        let mut random = ChaCha8Rng::seed_from_u64(surroundings.seed);
        let others = (1..=surroundings.traffic)
            .map(|number| {
                let (vehicle, driver) = other(low + (high - low) * random.random::<f64>())?;
                Ok(Other { vehicle, driver, begins_m: apart * f64::from(number), arrived: false })
            })
            .collect::<Result<Vec<_>, DriveError>>()?;
        let obstacle = |at_m: [f64; 2], radius_m| Body { position_m: at_m, radius_m, ..Body::default() };
        let obstacles: Vec<Body> = surroundings.obstacles.iter().map(|o| obstacle(o.at_m, o.radius_m)).collect();
        Ok(Self {
            contacts: Contacts::new(obstacles.len(), others.len(), frame_s),
            traces: vec![Vec::new(); others.len()],
            obstacles,
            others,
            size_m,
            length_m,
            closed,
            near_obstacles: Vec::new(),
            near_others: Vec::new(),
            frames: 0,
            trace_frames: (TRACE_S / frame_s).round().max(1.0) as u32,
        })
    }

    /// Puts the other vehicles at rest on their places.
    pub(super) fn line_up(&mut self) {
        for other in &mut self.others {
            other.vehicle.place(other.begins_m, 0.0);
            other.vehicle.drop_commands();
            other.driver.reset();
            (other.vehicle.driven, other.arrived) = (0.0, false);
        }
    }

    /// What the follower of the vehicle that is seen there is given, the nearest first.
    pub(super) fn around(&mut self, seen: &VehicleState) -> Scene<'_> {
        self.look_around(seen, None);
        Scene::EMPTY.with_obstacles(&self.near_obstacles).with_neighbours(&self.near_others)
    }

    /// One frame of the traffic, beside the vehicle that is seen there, at `s` along the line.
    pub(super) fn advance(&mut self, path: &Path, seen: &VehicleState, s: f64) {
        if self.others.is_empty() && self.obstacles.is_empty() {
            return;
        }
        let bodies: Vec<Option<Neighbour>> =
            self.others.iter().map(|other| (!other.arrived).then(|| self.body(&other.vehicle.seen()))).collect();
        let ahead: Vec<f64> = self.others.iter().map(|other| self.distance(other.vehicle.s - s)).collect();
        self.contacts.update(&self.body(seen), &bodies, &self.obstacles, &ahead);
        let mut commands = Vec::with_capacity(self.others.len());
        for index in 0..self.others.len() {
            let its = self.others[index].vehicle.seen();
            self.look_around(&its, Some((index, seen)));
            let other = &mut self.others[index];
            let frame_s = other.vehicle.frame_s();
            let scene = Scene::EMPTY.with_obstacles(&self.near_obstacles).with_neighbours(&self.near_others);
            commands.push(other.driver.step(path, &its, &scene, frame_s));
        }
        for ((other, command), trace) in self.others.iter_mut().zip(&commands).zip(&mut self.traces) {
            if other.arrived {
                continue;
            }
            if self.frames.is_multiple_of(self.trace_frames) {
                trace.push(other.vehicle.state.position_m());
            }
            if command.place_back.is_some() {
                other.vehicle.place(other.vehicle.s, 0.0);
            }
            other.vehicle.advance(command);
            other.arrived = !self.closed && other.vehicle.s > self.length_m - END_M.max(self.size_m[0]);
        }
        self.frames += 1;
    }

    pub(super) fn contacts(&self) -> &Contacts {
        &self.contacts
    }

    /// Gathers what the vehicle that is seen there is given: without itself, and with the one that is
    /// driven where it is another.
    fn look_around(&mut self, seen: &VehicleState, itself: Option<(usize, &VehicleState)>) {
        let reach = GIVEN_M.max(GIVEN_S * seen.speed_mps.abs());
        let [x, y, _] = seen.position_m;
        let away = |at: [f64; 2]| math::hypot(at[0] - x, at[1] - y);
        self.near_obstacles.clear();
        let within = self.obstacles.iter().filter(|obstacle| away(obstacle.position_m) - obstacle.radius_m < reach);
        self.near_obstacles.extend(within);
        self.near_obstacles.sort_by(|a, b| away(a.position_m).total_cmp(&away(b.position_m)));
        let mut others = std::mem::take(&mut self.near_others);
        others.clear();
        let rest = self.others.iter().enumerate();
        let rest = rest.filter(|(k, other)| !other.arrived && itself.is_none_or(|(index, _)| index != *k));
        let states = rest.map(|(_, other)| other.vehicle.seen()).chain(itself.map(|(_, driven)| *driven));
        others.extend(states.map(|state| self.body(&state)));
        let far = |other: &Neighbour| away([other.position_m[0], other.position_m[1]]);
        others.retain(|other| far(other) < reach);
        others.sort_by(|a, b| far(a).total_cmp(&far(b)));
        self.near_others = others;
    }

    fn body(&self, state: &VehicleState) -> Neighbour {
        let [length_m, width_m] = self.size_m;
        Neighbour {
            position_m: state.position_m,
            velocity_mps: state.velocity_mps,
            heading_rad: state.heading_rad,
            length_m,
            width_m,
        }
    }

    /// A distance along the line, the shorter one around.
    fn distance(&self, distance: f64) -> f64 {
        if self.closed { distance - self.length_m * (distance / self.length_m).round() } else { distance }
    }
}
