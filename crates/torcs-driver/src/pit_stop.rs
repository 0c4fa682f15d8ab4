//! The stop in the pits: on the line, on the route in, on the route out.

use raceline_follower::{Follower, FollowerOptions, Path, VehicleGeometry};

use crate::layout::{CarState, Track};
use crate::pit_lane::PitLane;
use crate::pits::Service;
use crate::strategy::{Progress, Strategy};

/// The route in begins where the car passes its beginning within this distance, m.
const PASSED_M: f64 = 60.0;
/// Slower than this the car is served or waits for it, m/s.
const STANDING_MPS: f64 = 1.0;
/// Who was not served within this time of standing drives on, s: another car may be in the box.
const PATIENCE_S: f64 = 15.0;
/// Distance before the end of the route in within which the box is, m.
const BOX_M: f64 = 30.0;

/// Where the car is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    OnLine,
    RouteIn,
    RouteOut,
}

/// A stop that was made.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Stop {
    /// Time of the race, s.
    pub time_s: f64,
    /// Number of the lap.
    pub lap: i32,
    /// Fuel that was asked for, l.
    pub fuel_l: f64,
    /// Damage points that were repaired.
    pub repair: i32,
    /// Time from the beginning of the route in to the end of the route out, s; 0 while it lasts.
    pub took_s: f64,
}

/// Decides on stops and gives the path through the pits.
#[derive(Clone, Debug)]
pub struct PitStops {
    lane: PitLane,
    follower: Follower,
    strategy: Strategy,
    stage: Stage,
    began_s: f64,
    standing_s: f64,
    /// What was decided when the route in began.
    decided: Service,
    served: bool,
    /// Arc length on the present route, m.
    s_m: f64,
    lap: i32,
    /// Distance to the beginning of the route in, m.
    ahead_m: f64,
    track_m: f64,
    stops: Vec<Stop>,
    time_s: f64,
}

impl PitStops {
    /// With the routes through the pits, which are driven with the options of the follower but without
    /// overtaking.
    ///
    /// # Errors
    /// What is wrong with the options.
    pub fn new(
        lane: PitLane,
        strategy: Strategy,
        mut options: FollowerOptions,
        geometry: VehicleGeometry,
        track: &Track,
    ) -> Result<Self, String> {
        options.traffic.overtakes = false;
        options.target_speed.profile_scale = 1.0;
        let follower = Follower::new(options, geometry).map_err(|error| error.to_string())?;
        Ok(Self {
            lane,
            follower,
            strategy,
            stage: Stage::OnLine,
            began_s: 0.0,
            standing_s: 0.0,
            decided: Service::default(),
            served: false,
            s_m: 0.0,
            lap: 0,
            ahead_m: f64::NAN,
            track_m: track.length_m,
            stops: Vec::new(),
            time_s: 0.0,
        })
    }

    /// The stops so far.
    #[must_use]
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// Whether the car is to be served when it stands.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.stage == Stage::RouteIn
    }

    /// What to drive in place of the line, if anything.
    pub fn drive(&mut self, car: &CarState, time_s: f64, dt_s: f64) -> Option<(&mut Follower, &Path)> {
        self.time_s = time_s;
        if car.laps > self.lap {
            self.lap = car.laps;
            self.strategy.lap_ended(car.fuel_l);
        }
        let ahead = (self.lane.begins_m - car.from_start_m).rem_euclid(self.track_m);
        let passes = self.ahead_m < PASSED_M && ahead > self.track_m - PASSED_M;
        self.ahead_m = ahead;
        let stage = match self.stage {
            Stage::OnLine if passes && car.laps >= 1 => match self.strategy.stop(&self.progress(car)) {
                Some(service) => {
                    (self.decided, self.served, self.began_s, self.standing_s) = (service, false, time_s, 0.0);
                    Stage::RouteIn
                }
                None => Stage::OnLine,
            },
            Stage::RouteIn => {
                let in_box = self.s_m > self.lane.route_in.length_m() - BOX_M;
                let stands = car.velocity_mps[0].abs() < STANDING_MPS && in_box;
                self.standing_s = if stands { self.standing_s + dt_s } else { 0.0 };
                if self.served || self.standing_s > PATIENCE_S { Stage::RouteOut } else { Stage::RouteIn }
            }
            Stage::RouteOut if self.s_m > self.lane.back_m => {
                if let Some(stop) = self.stops.last_mut().filter(|_| self.served) {
                    stop.took_s = time_s - self.began_s;
                }
                Stage::OnLine
            }
            stage => stage,
        };
        if stage != self.stage {
            (self.stage, self.s_m) = (stage, 0.0);
            self.follower.reset();
        }
        let Self { lane, follower, .. } = self;
        match stage {
            Stage::OnLine => None,
            Stage::RouteIn => Some((follower, &lane.route_in)),
            Stage::RouteOut => Some((follower, &lane.route_out)),
        }
    }

    /// The arc length on the present route, m.
    pub fn driven(&mut self, s_m: f64) {
        self.s_m = s_m;
    }

    /// The car stands in its box: what is done there.
    pub fn serve(&mut self, car: &CarState) -> Service {
        let service = self.strategy.stop(&self.progress(car)).unwrap_or(self.decided);
        self.served = true;
        let Service { fuel_l, repair } = service;
        self.stops.push(Stop { time_s: self.time_s, lap: car.laps, fuel_l, repair, took_s: 0.0 });
        service
    }

    fn progress(&self, car: &CarState) -> Progress {
        let laps = f64::from(car.laps - 1) + car.from_start_m / self.track_m;
        Progress { laps, fuel_l: car.fuel_l, damage: car.damage }
    }
}
