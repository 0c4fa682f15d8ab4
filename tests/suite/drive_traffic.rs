//! Lines driven around obstacles and among other vehicles.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use raceline::RacingLine;
use raceline::drive::{
    Drive, DriveError, DriveOptions, FollowerKind, Obstacle, Simulation, Surroundings, drive, drive_in, read_obstacles,
};

use crate::drive::committed;
use crate::sample_lines;

fn options() -> DriveOptions {
    DriveOptions { laps: 1, ..DriveOptions::default() }
}

/// A ring of 80 m radius, 10 m wide, with room to pass.
fn ring() -> RacingLine {
    sample_lines::circle(80.0, 160)
}

/// On the ring at an angle, `out` metres outside the line.
fn obstacle(angle: f64, out: f64, radius_m: f64) -> Obstacle {
    let radius = 80.0 + out;
    Obstacle { at_m: [radius * angle.cos(), radius * angle.sin()], radius_m }
}

fn among(line: &RacingLine, options: &DriveOptions, surroundings: &Surroundings) -> Result<Drive, DriveError> {
    let simulation = Simulation { surroundings: Some(surroundings), ..Simulation::default() };
    drive_in(line, &line.vehicle, options, &simulation)
}

#[test]
fn an_obstacle_on_the_line_is_passed_without_a_contact_and_the_line_joined_again() {
    let surroundings = Surroundings { obstacles: vec![obstacle(2.0, 0.4, 0.5)], ..Surroundings::default() };
    let driven = among(&ring(), &DriveOptions { speed_share: 0.8, ..options() }, &surroundings).unwrap();
    let met = driven.measures.encounters.as_ref().unwrap();
    assert!(driven.measures.is_clean(), "{:?}", driven.measures);
    assert_eq!((met.obstacles, met.obstacle_contacts), (1, 0));
    // The body is 2 m wide: its middle is 1.5 m from the obstacle's at least.
    assert!(met.min_gap_m > 0.2 && met.min_gap_m < 3.0, "{met:?}");
    assert!(driven.measures.cross_track_worst_m > 1.0, "{:?}", driven.measures);
    let end = driven.trace.last().unwrap();
    assert!(end.cross_track_error_m.abs() < 0.1, "{end:?}");
}

#[test]
fn an_obstacle_that_nobody_reported_is_hit() {
    // A follower without the obstacle drives through it, so that the test above can fail.
    let line = ring();
    let alone = drive(&line, &line.vehicle, &options()).unwrap();
    let [x, y] = obstacle(2.0, 0.4, 0.5).at_m;
    let nearest = alone.trace.iter().map(|row| (row.x_m - x).hypot(row.y_m - y)).fold(f64::INFINITY, f64::min);
    assert!(nearest < 1.0, "{nearest}");
    assert_eq!(alone.measures.encounters, None);
}

#[test]
fn slower_vehicles_are_overtaken_on_a_wide_road() {
    let surroundings = Surroundings { traffic: 3, traffic_speeds: [0.3, 0.4], seed: 1, ..Surroundings::default() };
    let driven = among(&ring(), &DriveOptions { speed_share: 0.8, ..options() }, &surroundings).unwrap();
    let met = driven.measures.encounters.as_ref().unwrap();
    assert!(driven.measures.is_clean(), "{:?}", driven.measures);
    assert!(met.overtakes >= 3 && met.overtaken == 0, "{met:?}");
    assert_eq!((met.vehicles, met.contacts_of_others, driven.others_m.len()), (3, 0, 3));
    assert!(driven.others_m.iter().all(|path| path.len() > 50));
}

/// Where a planner passes and where it follows depends on its tuning constants, and the time of a lap among
/// others depends on that: moved by a fifth, each constant of which `docs/notes/knobs.md` shows that it matters to
/// this drive changes the time by more than the tolerance.
#[test]
fn a_lap_in_traffic_takes_the_time_that_it_took() {
    let line = committed("grid");
    let surroundings = Surroundings { traffic: 3, ..Surroundings::default() };
    let measures = among(&line, &options(), &surroundings).unwrap().measures;
    let (driven_s, expected_s) = (measures.mean_lap_s().unwrap(), 16.5713);
    assert!(measures.is_clean(), "{measures:?}");
    assert!((driven_s / expected_s - 1.0).abs() < 1e-3, "{driven_s} s, not {expected_s} s");
}

#[test]
fn a_wall_across_the_road_is_not_driven_into() {
    let wall = [-4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5].map(|out| obstacle(1.5, out, 0.8));
    let surroundings = Surroundings { obstacles: wall.to_vec(), ..Surroundings::default() };
    let driven = among(&ring(), &DriveOptions { speed_share: 0.6, ..options() }, &surroundings).unwrap();
    let met = driven.measures.encounters.as_ref().unwrap();
    assert!(!driven.measures.is_complete(), "{:?}", driven.measures);
    let first_stop = driven.trace.iter().position(|row| row.time_s > 5.0 && row.forward_mps.abs() < 0.2).unwrap();
    assert!(first_stop > 0 && met.obstacle_contacts == 0, "{met:?}");
}

#[test]
fn an_empty_road_and_a_seed_give_the_same_drive_to_the_bit() {
    let line = ring();
    let plain = drive(&line, &line.vehicle, &options()).unwrap();
    assert_eq!(plain, among(&line, &options(), &Surroundings::default()).unwrap());
    let surroundings = Surroundings { traffic: 2, seed: 7, ..Surroundings::default() };
    let first = among(&line, &options(), &surroundings).unwrap();
    assert_eq!(first, among(&line, &options(), &surroundings).unwrap());
    assert_ne!(first, among(&line, &options(), &Surroundings { seed: 8, ..surroundings }).unwrap());
}

#[test]
fn what_cannot_be_is_reported() {
    let line = ring();
    let refused = |options: &DriveOptions, surroundings: &Surroundings| {
        among(&line, options, surroundings).unwrap_err().to_string()
    };
    let traffic = |traffic| Surroundings { traffic, ..Surroundings::default() };
    let many = refused(&options(), &traffic(150));
    assert!(many.contains("150 other vehicles have no room on a line of 503 m"), "{many}");
    let reynolds = DriveOptions { follower: FollowerKind::Reynolds, ..options() };
    assert!(refused(&reynolds, &traffic(1)).contains("reynolds has no local planner"));
    let speeds = Surroundings { traffic_speeds: [0.8, 0.5], ..traffic(1) };
    assert!(refused(&options(), &speeds).contains("from the lower one to 1"));
    let large = Surroundings { obstacles: vec![obstacle(0.0, 0.0, 101.0)], ..traffic(0) };
    assert!(refused(&options(), &large).contains("a radius from 0 to 100 m"));
    assert!(among(&line, &options(), &traffic(0)).is_ok());
}

#[test]
fn obstacles_are_read_with_and_without_a_header() {
    let obstacles = vec![Obstacle { at_m: [1.5, -2.0], radius_m: 0.5 }, Obstacle { at_m: [3.0, 4.0], radius_m: 1.0 }];
    assert_eq!(read_obstacles(b"x_m,y_m,radius_m\n1.5,-2,0.5\n3,4,1\n").unwrap(), obstacles);
    assert_eq!(read_obstacles(b"radius_m;x_m;y_m\n0.5;1.5;-2\n1;3;4\n").unwrap(), obstacles);
    assert_eq!(read_obstacles(b"1.5,-2,0.5\n3,4,1\n").unwrap(), obstacles);
    for (text, message) in [
        ("x_m,y_m\n1,2\n", "no column radius_m"),
        ("x_m,y_m,radius_m\n1,2,wide\n", "line 2, column 3"),
        ("1,2\n", "line 1, column 3"),
        ("", "no row of numbers"),
    ] {
        let error = read_obstacles(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn traffic_leaves_an_open_road_five_metres_before_its_end() {
    let mut line = ring();
    line.closed = false;
    for (i, point) in line.points.iter_mut().enumerate() {
        let s = 2.0 * i as f64;
        (point.s_m, point.x_m, point.y_m, point.heading_rad, point.curvature_radpm) = (s, s, 0.0, 0.0, 0.0);
        point.time_s = s / point.speed_mps;
    }
    let (end_m, end_s) = line.points.last().map(|point| (point.s_m, point.time_s)).unwrap();
    (line.length_m, line.lap_time_s) = (end_m, end_s);
    let surroundings = Surroundings { traffic: 1, traffic_speeds: [0.5, 0.5], ..Surroundings::default() };
    let driven = among(&line, &options(), &surroundings).unwrap();
    let farthest = driven.others_m.iter().flatten().map(|[x, _]| *x).fold(0.0, f64::max);
    let fastest = 0.5 * line.points[0].speed_mps;
    assert!((end_m - 5.0 - fastest..=end_m - 4.0).contains(&farthest), "{farthest} of {end_m}");
}
