//! Driving among other vehicles: encounters whose outcome is known, with opponents that keep to a
//! distance from the line.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking, in its helpers too")]

use crate::common::{FRAME_S, stadium, waypoint};
use crate::racing::{self, car, dynamics, geometry, moving_along, seen};
use raceline_follower::{Command, Follower, Neighbour, Path, Scene, SpeedMode, VehicleGeometry, Waypoint};
use raceline_vehicle_simulation::{AccelerationLimits, Bicycle, BicycleState, Controls};

pub const LENGTH: f64 = 4.4;
pub const WIDTH: f64 = 1.8;

/// A straight road of 3 km with a profile of `speed` and `room` to either edge.
pub fn straight(speed: f64, room: f64) -> Path {
    let points = (0..=600).map(|i| f64::from(i) * 5.0);
    let points =
        points.map(|s| Waypoint { speed_mps: speed, left_m: room, right_m: room, ..waypoint(s, 0.0) }).collect();
    Path::new(points, false).unwrap().with_dynamics(&dynamics())
}

/// The stadium at `speed` with `room` to either edge.
pub fn bends(speed: f64, room: f64) -> Path {
    let line = stadium(300.0, 60.0, 2.0);
    let points = line.waypoints().iter();
    let points = points.map(|p| Waypoint { speed_mps: speed, left_m: room, right_m: room, ..*p }).collect();
    Path::new(points, true).unwrap().with_dynamics(&dynamics())
}

/// An opponent that keeps to a distance from the line at a speed.
#[derive(Clone, Copy, Debug)]
pub struct Opponent {
    pub s: f64,
    pub offset: f64,
    /// m/s; up to 1 it is a fraction of the profile.
    pub speed: f64,
}

impl Opponent {
    fn body(&self, path: &Path) -> Neighbour {
        let there = path.sample(self.s);
        let (sin, cos) = there.heading_rad.sin_cos();
        let [x, y, z] = there.position_m;
        Neighbour {
            position_m: [x - self.offset * sin, y + self.offset * cos, z],
            velocity_mps: [self.speed_on(path) * cos, self.speed_on(path) * sin, 0.0],
            heading_rad: there.heading_rad,
            length_m: LENGTH,
            width_m: WIDTH,
        }
    }

    fn speed_on(&self, path: &Path) -> f64 {
        if self.speed > 0.0 && self.speed <= 1.0 { self.speed * path.sample(self.s).speed_mps } else { self.speed }
    }

    fn advance(&mut self, path: &Path) {
        let bend = path.sample(self.s).curvature_radpm;
        self.s += self.speed_on(path) * FRAME_S / (1.0 - bend * self.offset);
    }
}

/// A frame of an encounter.
pub struct Moment {
    pub command: Command,
    pub speed: f64,
    shift: f64,
    /// Smallest separation of the vehicles, m, negative where they touch, and from whom.
    pub clearance: f64,
    /// Smallest separation across the road from vehicles abreast.
    beside: f64,
    /// How far the opponents are ahead along the road.
    pub ahead: Vec<f64>,
}

/// Largest separation of two rectangles along an axis of either: negative where they overlap.
pub fn separation(a: &Neighbour, b: &Neighbour) -> f64 {
    let away = [b.position_m[0] - a.position_m[0], b.position_m[1] - a.position_m[1]];
    let extent = |body: &Neighbour, axis: [f64; 2]| {
        let (sin, cos) = body.heading_rad.sin_cos();
        let along = (axis[0] * cos + axis[1] * sin).abs();
        let across = (axis[1] * cos - axis[0] * sin).abs();
        0.5 * (body.length_m * along + body.width_m * across)
    };
    [a.heading_rad, b.heading_rad]
        .iter()
        .flat_map(|heading| [[heading.cos(), heading.sin()], [-heading.sin(), heading.cos()]])
        .map(|axis| (away[0] * axis[0] + away[1] * axis[1]).abs() - extent(a, axis) - extent(b, axis))
        .fold(f64::NEG_INFINITY, f64::max)
}

/// The body of the own car, which counts as standing.
pub fn body_of(state: &BicycleState, geometry: &VehicleGeometry) -> Neighbour {
    let middle = 0.5 * geometry.wheelbase_m - geometry.rear_axle_m;
    let (sin, cos) = state.heading_rad.sin_cos();
    Neighbour {
        position_m: [state.x_m + middle * cos, state.y_m + middle * sin, 0.0],
        velocity_mps: [0.0; 3],
        heading_rad: state.heading_rad,
        length_m: geometry.length_m,
        width_m: geometry.width_m,
    }
}

/// Drives the car of the racing tests from `s` and `offset` at `speed` among `opponents`.
fn encounter(path: &Path, own: (f64, f64, f64), opponents: Vec<Opponent>, seconds: f64, watch: impl FnMut(&Moment)) {
    let follower = Follower::new(racing::racing(SpeedMode::Profile, 1.0), geometry()).unwrap();
    encounter_of(&car(), follower, path, own, opponents, seconds, watch);
}

/// An encounter with any car and follower.
pub fn encounter_of<L: AccelerationLimits>(
    car: &Bicycle<L>,
    mut follower: Follower,
    path: &Path,
    (s, offset, speed): (f64, f64, f64),
    mut opponents: Vec<Opponent>,
    seconds: f64,
    mut watch: impl FnMut(&Moment),
) {
    let geometry = *follower.vehicle();
    let mut state = moving_along(path, s, offset, speed);
    for _ in 0..(seconds / FRAME_S) as usize {
        let bodies: Vec<Neighbour> = opponents.iter().map(|opponent| opponent.body(path)).collect();
        let command = follower.step(path, &seen(&state), &Scene::EMPTY.with_neighbours(&bodies), FRAME_S);
        let own = body_of(&state, &geometry);
        let ahead: Vec<f64> = opponents
            .iter()
            .map(|opponent| {
                let distance = opponent.s - command.s_m;
                let around = path.length_m() * (distance / path.length_m()).round();
                if path.closed() { distance - around } else { distance }
            })
            .collect();
        let across = |(opponent, ahead): (&Opponent, &f64)| {
            if ahead.abs() < LENGTH {
                (command.cross_track_error_m - opponent.offset).abs() - WIDTH
            } else {
                f64::INFINITY
            }
        };
        watch(&Moment {
            speed: state.forward_mps,
            shift: follower.shift_m(),
            clearance: bodies.iter().map(|body| separation(&own, body)).fold(f64::INFINITY, f64::min),
            beside: opponents.iter().zip(&ahead).map(across).fold(f64::INFINITY, f64::min),
            ahead: ahead.clone(),
            command,
        });
        let controls = Controls { pedal: command.pedal, reverse: command.reverse, steering_rad: command.steering_rad };
        for _ in 0..16 {
            car.advance(&mut state, &controls, FRAME_S / 16.0);
        }
        for (opponent, ahead) in opponents.iter_mut().zip(&ahead) {
            // Nobody drives into the car's back.
            let aside = (command.cross_track_error_m - opponent.offset).abs();
            if (-15.0..-LENGTH).contains(ahead) && aside < WIDTH && opponent.speed_on(path) > state.forward_mps {
                opponent.s += state.forward_mps * FRAME_S;
            } else {
                opponent.advance(path);
            }
        }
    }
}

/// What an encounter came to.
#[derive(Debug)]
struct Outcome {
    clearance: f64,
    beside: f64,
    min_speed: f64,
    max_offset: f64,
    last_offset: f64,
    last_speed: f64,
    /// How far the first opponent is ahead at the end, m.
    ahead: f64,
    /// Largest change of the shift within a second, m.
    swerve: f64,
}

fn outcome(path: &Path, own: (f64, f64, f64), opponents: Vec<Opponent>, seconds: f64) -> Outcome {
    let mut out = Outcome {
        clearance: f64::INFINITY,
        beside: f64::INFINITY,
        min_speed: f64::INFINITY,
        max_offset: 0.0,
        last_offset: 0.0,
        last_speed: 0.0,
        ahead: 0.0,
        swerve: 0.0,
    };
    let mut shifts: Vec<f64> = Vec::new();
    encounter(path, own, opponents, seconds, |moment| {
        out.clearance = out.clearance.min(moment.clearance);
        out.beside = out.beside.min(moment.beside);
        out.min_speed = out.min_speed.min(moment.speed);
        out.max_offset = out.max_offset.max(moment.command.cross_track_error_m.abs());
        (out.last_offset, out.last_speed) = (moment.command.cross_track_error_m, moment.speed);
        out.ahead = moment.ahead.first().copied().unwrap_or(0.0);
        shifts.push(moment.shift);
        let second = shifts.len().saturating_sub(60);
        let span = &shifts[second..];
        let swing =
            span.iter().copied().fold(f64::NEG_INFINITY, f64::max) - span.iter().copied().fold(f64::INFINITY, f64::min);
        out.swerve = out.swerve.max(swing);
    });
    out
}

#[test]
fn a_slower_car_on_a_straight_is_passed_with_the_gap_and_without_braking() {
    let path = straight(50.0, 6.0);
    for offset in [0.0, 0.8, -1.5, 3.0] {
        let out = outcome(&path, (50.0, 0.0, 50.0), vec![Opponent { s: 150.0, offset, speed: 35.0 }], 20.0);
        println!("{offset}: {out:?}");
        assert!(out.beside > 0.45, "{out:?}");
        assert!(out.min_speed > 48.0 && out.ahead < -100.0, "{out:?}");
        assert!(out.max_offset < 5.1 - 0.2 && out.last_offset.abs() < 0.1, "{out:?}");
    }
}

#[test]
fn a_car_in_a_road_too_narrow_to_pass_is_followed() {
    let path = straight(50.0, 2.4);
    let out = outcome(&path, (50.0, 0.0, 50.0), vec![Opponent { s: 200.0, offset: 0.0, speed: 30.0 }], 25.0);
    println!("{out:?}");
    assert!(out.clearance > 2.0, "{out:?}");
    assert!((out.last_speed - 30.0).abs() < 0.7, "{out:?}");
    // The distance to keep: 3 m and 0.1 s, and the vehicles' lengths.
    assert!((out.ahead - LENGTH - 6.0).abs() < 1.0, "{out:?}");
    assert!(out.max_offset < 0.3, "{out:?}");
}

#[test]
fn a_parked_car_is_driven_around_or_stopped_behind() {
    let parked = |offset| vec![Opponent { s: 300.0, offset, speed: 0.0 }];
    let around = outcome(&straight(40.0, 5.0), (50.0, 0.0, 40.0), parked(0.0), 12.0);
    println!("{around:?}");
    assert!(around.clearance > 0.4 && around.ahead < -50.0, "{around:?}");
    let behind = outcome(&straight(40.0, 2.0), (50.0, 0.0, 40.0), parked(0.0), 20.0);
    println!("{behind:?}");
    assert!(behind.clearance > 1.0 && behind.last_speed < 0.3, "{behind:?}");
    // From standstill behind it, with room: 10 m between the vehicles, of which two arcs need 8.
    let out = outcome(&straight(40.0, 5.0), (285.6, 0.0, 0.0), parked(0.0), 20.0);
    println!("{out:?}");
    assert!(out.clearance > 0.1 && out.ahead < -20.0, "{out:?}");
}

#[test]
fn side_by_side_through_a_bend_nobody_touches() {
    for offset in [-2.2, 2.2] {
        let path = bends(22.0, 6.0);
        // Abreast from the start, as fast as the car.
        let out = outcome(&path, (20.0, -0.2 * offset, 21.0), vec![Opponent { s: 20.0, offset, speed: 21.0 }], 40.0);
        println!("{offset}: {out:?}");
        assert!(out.clearance > 0.2, "{out:?}");
        assert!(out.max_offset < 5.1, "{out:?}");
    }
}

#[test]
fn a_car_that_laps_is_given_room_without_a_swerve() {
    let path = straight(40.0, 6.0);
    for offset in [-2.6, -2.0, 1.9, 2.6] {
        let out = outcome(&path, (300.0, 0.0, 40.0), vec![Opponent { s: 150.0, offset, speed: 60.0 }], 20.0);
        println!("{offset}: {out:?}");
        assert!(out.beside > 0.0 && out.min_speed > 39.0, "{out:?}");
        assert!(out.max_offset < 1.7 && out.swerve < 1.4, "{out:?}");
        assert!(out.ahead > 100.0 && out.last_offset.abs() < 0.1, "{out:?}");
    }
    // Straight from behind it is not this car's to avoid.
    let out = outcome(&path, (300.0, 0.0, 40.0), vec![Opponent { s: 250.0, offset: 0.0, speed: 42.0 }], 15.0);
    assert!(out.max_offset < 0.1, "{out:?}");
}

#[test]
fn in_a_row_of_cars_a_route_is_found_or_they_are_followed() {
    let path = straight(50.0, 6.0);
    // Both lanes taken at first, then a gap on the right.
    let opponents = vec![
        Opponent { s: 200.0, offset: 2.0, speed: 38.0 },
        Opponent { s: 205.0, offset: -2.0, speed: 34.0 },
        Opponent { s: 330.0, offset: 0.0, speed: 30.0 },
    ];
    let out = outcome(&path, (50.0, 0.0, 50.0), opponents, 40.0);
    println!("{out:?}");
    assert!(out.clearance > 0.3, "{out:?}");
    assert!(out.ahead < 0.0, "{out:?}");
}

#[test]
fn two_followers_at_different_speeds_pass_in_bends() {
    let path = bends(24.0, 6.0);
    for offset in [0.0, 1.0, -1.0] {
        let out = outcome(&path, (20.0, 0.0, 22.0), vec![Opponent { s: 60.0, offset, speed: 16.0 }], 60.0);
        println!("{offset}: {out:?}");
        assert!(out.clearance > 0.2, "{out:?}");
        assert!(out.max_offset < 5.1, "{out:?}");
    }
}

#[cfg(feature = "json")]
#[test]
fn on_lines_of_tracks_slower_cars_are_passed_without_touching() {
    use raceline_follower::{VehicleDynamics, json};
    use raceline_vehicle_simulation::{BicycleParameters, HandlingParameters};

    /// The limits of the file's vehicle.
    struct OfFile(VehicleDynamics);

    impl AccelerationLimits for OfFile {
        fn longitudinal_limit_mps2(&self, square: f64) -> f64 {
            self.0.longitudinal_mps2.at(square.sqrt())
        }

        fn lateral_limit_mps2(&self, square: f64) -> f64 {
            self.0.lateral_mps2.at(square.sqrt())
        }

        fn drive_limit_mps2(&self, square: f64) -> f64 {
            self.0.drive_mps2.at(square.sqrt())
        }

        fn resistance_mps2(&self, square: f64) -> f64 {
            self.0.rolling_mps2 + self.0.drag_radpm * square
        }

        fn ellipse_exponent(&self) -> f64 {
            self.0.ellipse_exponent
        }
    }

    for (name, pace) in [("club", 0.6), ("street", 0.6), ("oval", 0.6), ("club", 0.8), ("street", 0.8), ("oval", 0.8)] {
        let file = format!("{}/../../tracks/{name}.raceline.json", env!("CARGO_MANIFEST_DIR"));
        let line = json::read(&std::fs::read(file).unwrap()).unwrap();
        let (path, body) = (line.path, line.vehicle);
        let dynamics = path.dynamics().unwrap().resolve(body.wheelbase_m, body.rear_axle_m);
        let parameters = BicycleParameters {
            mass_kg: 1000.0,
            wheelbase_m: body.wheelbase_m,
            max_steering_rad: body.max_steering_rad,
            max_speed_mps: dynamics.max_speed_mps,
            handling: HandlingParameters {
                front_weight_fraction: dynamics.front_weight_fraction,
                centre_of_gravity_m: dynamics.centre_of_gravity_m,
                steering_rate_radps: dynamics.steering_rate_radps,
                ..HandlingParameters::default()
            },
        };
        let car = Bicycle::new(OfFile(dynamics), &parameters).unwrap();
        let body = VehicleGeometry { rear_axle_m: car.to_rear_m(), ..body };
        let mut options = raceline_follower::FollowerOptions::for_vehicle(&dynamics, &body);
        options.target_speed.profile_scale = 0.9;
        let follower = Follower::new(options, body).unwrap();
        let spaced = |i: usize| Opponent {
            s: 40.0 + (i as f64) * path.length_m() / 5.0,
            offset: [0.0, 0.4, -0.4, 0.8, 0.0][i],
            speed: pace,
        };
        let (mut touched, mut out, mut passed, mut frames) = (f64::INFINITY, 0, 0, 0);
        let mut before: Vec<f64> = Vec::new();
        let start = (0.0, 0.0, 0.9 * path.sample(0.0).speed_mps);
        encounter_of(&car, follower, &path, start, (0..5).map(spaced).collect(), 150.0, |moment| {
            touched = touched.min(moment.clearance);
            out += usize::from(!moment.command.inside_corridor);
            passed += before.iter().zip(&moment.ahead).filter(|(a, b)| **a > 0.0 && **b <= 0.0 && **a < 20.0).count();
            before.clone_from(&moment.ahead);
            frames += 1;
        });
        println!("{name}, {pace}: {passed} passed, {out} of {frames} frames outside, nearest {touched:.2} m");
        assert!(
            touched > 0.0 && out == 0 && (passed >= 3 || pace > 0.7),
            "{name}: {touched} m, {out} outside, {passed} passed"
        );
    }
}
