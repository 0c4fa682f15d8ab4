//! Lines driven by followers: closed forms, what the measures mean, and the lines of `tracks/`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::fs;
use std::path::Path;

use raceline::drive::trace_csv;
use raceline::drive::{
    DriveError, DriveOptions, FollowerKind, ReferenceLine, SimulatedGrip, Simulation, drive, drive_in,
};
use raceline::file::json;
use raceline::frame::Spot;
use raceline::geometry::Point;
use raceline::options::Layer;
use raceline::pipeline::{self, Request};
use raceline::solve::Model;
use raceline::track::{Grip, GripPolygon, GripStretch};
use raceline::vehicle::{DriveLimit, preset};
use raceline::{Options, RacingLine};

use crate::sample_lines;

/// Vehicles shorter than this are judged by their own size, m.
const FULL_SIZE_M: f64 = 3.0;

fn options() -> DriveOptions {
    DriveOptions { laps: 1, ..DriveOptions::default() }
}

/// A straight road of `length` metres to the east, from standstill with 4 m/s² and no drag.
fn straight(length: f64) -> RacingLine {
    let mut line = sample_lines::circle(50.0, 10);
    let count = 101;
    let acceleration: f64 = 4.0;
    line.closed = false;
    line.vehicle.drag_kgpm = 0.0;
    line.vehicle.drive = DriveLimit::TableMps2(vec![[0.0, 4.2]]);
    line.points = (0..count)
        .map(|i| {
            let s = length * f64::from(i) / f64::from(count - 1);
            let mut point = line.points[0];
            (point.s_m, point.x_m, point.y_m, point.heading_rad, point.curvature_radpm) = (s, s, 3.0, 0.0, 0.0);
            point.speed_mps = (2.0 * acceleration * s).sqrt();
            point.time_s = (2.0 * s / acceleration).sqrt();
            point
        })
        .collect();
    line.length_m = length;
    line.lap_time_s = (2.0 * length / acceleration).sqrt();
    line
}

#[test]
fn a_circle_is_lapped_at_the_profile_s_speed() {
    let line = sample_lines::circle(80.0, 160);
    let driven = drive(&line, &line.vehicle, &DriveOptions { speed_share: 1.0, ..options() }).unwrap();
    let measures = driven.measures;
    assert!(measures.is_complete() && measures.stayed_on_road());
    assert!((measures.of_profile().unwrap() - 1.0).abs() < 0.003, "{measures:?}");
    assert!(measures.cross_track_worst_m < 0.1, "{measures:?}");
    assert_eq!((measures.inside_fraction, measures.stuck_events, measures.placements), (1.0, 0, 0));
}

#[test]
fn half_the_speed_takes_twice_the_time() {
    let line = sample_lines::circle(80.0, 160);
    let driven = drive(&line, &line.vehicle, &DriveOptions { speed_share: 0.5, ..options() }).unwrap();
    assert!((driven.measures.of_profile().unwrap() - 2.0).abs() < 0.01, "{:?}", driven.measures);
}

#[test]
fn a_run_on_an_open_road_begins_without_the_last_one_s_commands() {
    let mut delayed = DriveOptions { laps: 3, ..options() };
    delayed.actuation_delay_s = 0.3;
    let line = straight(300.0);
    let times = drive(&line, &line.vehicle, &delayed).unwrap().measures.lap_times_s;
    assert_eq!(times.len(), 3);
    assert!(times.iter().all(|time| (time - times[0]).abs() < 1e-9), "{times:?}");
}

#[test]
fn a_standing_start_takes_the_root_of_twice_the_distance_by_the_acceleration() {
    let line = straight(300.0);
    let driven = drive(&line, &line.vehicle, &DriveOptions { speed_share: 1.0, laps: 2, ..options() }).unwrap();
    let measures = driven.measures;
    assert_eq!(measures.lap_times_s.len(), 2);
    // Each run begins anew, so they are alike.
    assert!((measures.lap_times_s[0] - measures.lap_times_s[1]).abs() < 1e-9);
    // The drive has more than the profile takes, and the follower is behind it by a moment.
    assert!((measures.of_profile().unwrap() - 1.0).abs() < 0.03, "{measures:?}");
    assert!(measures.cross_track_worst_m < 1e-6);
}

#[test]
fn a_profile_that_ends_in_a_walk_ends_in_a_stop() {
    // Braked with 4 m/s² down to `end` m/s.
    let last = |end: f64| {
        let mut line = straight(60.0);
        let speed = |s: f64| (end * end + 8.0 * (60.0 - s)).sqrt();
        for point in &mut line.points {
            point.speed_mps = speed(point.s_m);
            point.time_s = (speed(0.0) - speed(point.s_m)) / 4.0;
        }
        line.lap_time_s = (speed(0.0) - end) / 4.0;
        drive(&line, &line.vehicle, &options()).unwrap().trace.last().unwrap().forward_mps
    };
    let (stopped, rolling) = (last(0.8), last(4.0));
    // At most 0.4 m/s above the profile at its end.
    assert!(stopped < 1.2 && (3.0..6.0).contains(&rolling), "{stopped} {rolling}");
}

#[test]
fn a_place_beside_a_circle_is_as_far_as_its_radius_states() {
    let line = sample_lines::circle(60.0, 200);
    let reference = ReferenceLine::new(&line).unwrap();
    assert!((reference.length_m() - line.length_m).abs() < 1e-3);
    for (radius, angle) in [(58.0, 0.3_f64), (61.5, 2.0), (60.0, 4.0), (64.9, 6.2)] {
        let p = Point::new(radius * angle.cos(), radius * angle.sin());
        let place = reference.place(p, 60.0 * angle + 2.0, 0.0);
        // The centre is on the left.
        assert!((place.offset_m - (60.0 - radius)).abs() < 1e-3, "{place:?}");
        assert!((place.s_m - 60.0 * angle).abs() < 1e-2, "{place:?}");
        let room = reference.room(p, 60.0 * angle, 0.0);
        assert!((room - (5.0 - (60.0 - radius).abs())).abs() < 1e-3, "{room}");
    }
}

#[test]
fn what_is_ahead_of_the_end_of_an_open_road_is_not_beside_it() {
    let line = straight(300.0);
    let reference = ReferenceLine::new(&line).unwrap();
    for x in [-4.0, 0.0, 150.0, 300.0, 304.0] {
        let place = reference.place(Point::new(x, 3.5), x, 0.0);
        assert!((place.offset_m - 0.5).abs() < 1e-6, "{x}: {place:?}");
    }
}

#[test]
fn a_body_wider_than_the_road_is_never_inside() {
    let mut line = sample_lines::circle(80.0, 160);
    for point in &mut line.points {
        (point.left_m, point.right_m) = (0.9, 5.0);
    }
    let driven = drive(&line, &line.vehicle, &options()).unwrap();
    assert!(driven.measures.inside_fraction < 0.01 && driven.measures.min_room_m < -0.05, "{:?}", driven.measures);
    assert!(!driven.measures.stayed_on_road());
}

#[test]
fn baselines_drive_a_circle_too() {
    let line = sample_lines::circle(80.0, 160);
    for follower in [FollowerKind::Baseline, FollowerKind::Reynolds, FollowerKind::Bezier, FollowerKind::Profile] {
        let driven = drive(&line, &line.vehicle, &DriveOptions { follower, ..options() }).unwrap();
        assert!(driven.measures.is_complete(), "{follower:?} {:?}", driven.measures);
    }
}

#[test]
fn the_same_drive_gives_the_same_bytes() {
    let line = sample_lines::stadium();
    let bytes = || trace_csv::write(&drive(&line, &line.vehicle, &options()).unwrap().trace);
    let first = bytes();
    assert_eq!(first, bytes());
    let mut rows = first.lines();
    let columns = rows.next().unwrap().split(',').count();
    assert!(rows.clone().count() > 100 && rows.all(|row| row.split(',').count() == columns));
}

#[test]
fn a_drive_that_takes_too_long_ends_without_its_laps() {
    let mut line = sample_lines::circle(80.0, 160);
    // A profile's time that nobody can come near.
    for point in &mut line.points {
        point.time_s *= 2.0 / line.lap_time_s;
    }
    line.lap_time_s = 2.0;
    let driven = drive(&line, &line.vehicle, &DriveOptions { speed_share: 0.1, ..options() }).unwrap();
    assert!(!driven.measures.is_complete() && driven.measures.stuck_events == 0, "{:?}", driven.measures);
    assert_eq!((driven.measures.of_profile(), driven.measures.best_lap_s()), (None, None));
    // The patience of two laps, warm-up and timed.
    let ended_s = driven.trace.last().unwrap().time_s;
    assert!((ended_s - 2.0 * (10.0 * line.lap_time_s + 30.0)).abs() < 0.1, "{ended_s}");
}

#[test]
fn refusals_name_what_is_wrong() {
    let line = sample_lines::circle(80.0, 160);
    let refusal = |options: DriveOptions| drive(&line, &line.vehicle, &options).unwrap_err().to_string();
    assert!(refusal(DriveOptions { laps: 0, ..options() }).starts_with("laps is 0"));
    assert!(refusal(DriveOptions { learn_laps: 1001, ..options() }).starts_with("learn_laps is 1001"));
    assert!(refusal(DriveOptions { speed_share: f64::NAN, ..options() }).starts_with("speed_share is NaN"));
    assert!(refusal(DriveOptions { frame_rate_hz: 1.0, ..options() }).starts_with("frame_rate_hz is 1"));
    assert!(refusal(DriveOptions { actuation_delay_s: -0.1, ..options() }).starts_with("actuation_delay_s is -0.1"));
    assert!(refusal(DriveOptions { time_step_s: 0.01, ..options() }).starts_with("time_step_s is 0.01"));
    let mut bent = line.clone();
    bent.points[3] = bent.points[2];
    assert!(matches!(drive(&bent, &line.vehicle, &options()), Err(DriveError::NoCurve { points: 160 })));
    let mut heavy = line.vehicle.clone();
    heavy.mass_kg = f64::INFINITY;
    assert!(matches!(drive(&line, &heavy, &options()), Err(DriveError::Vehicle(_))));
}

/// Every line in `tracks/`, at its whole speed: within 2 % of the profile's lap time and on the road with the
/// whole body. A robot-car may slide by half a metre there, in some lap of five with every division of its
/// brake force; at 98 % of the speed, each car keeps near the line for three laps.
#[test]
fn every_line_in_tracks_is_driven_at_its_limit() {
    let mut count = 0;
    let mut files: Vec<_> = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for path in files.iter().filter(|path| path.to_string_lossy().ends_with(".raceline.json")) {
        let line = json::read(&fs::read(path).unwrap()).unwrap();
        let measures = drive(&line, &line.vehicle, &options()).unwrap().measures;
        let name = &line.name;
        assert!(measures.is_complete(), "{name}");
        assert!(measures.of_profile().unwrap() < 1.02, "{name}: {measures:?}");
        assert!(measures.stayed_on_road() && measures.inside_fraction == 1.0, "{name}: {measures:?}");
        assert_eq!(measures.stuck_events, 0, "{name}");
        assert!(measures.cross_track_worst_m < 0.5, "{name}: {measures:?}");
        let below = DriveOptions { speed_share: 0.98, laps: 3, ..options() };
        let measures = drive(&line, &line.vehicle, &below).unwrap().measures;
        let worst = if line.vehicle.length_m < FULL_SIZE_M { 0.15 } else { 0.3 };
        assert!(measures.cross_track_worst_m < worst, "{name}: {measures:?}");
        count += 1;
    }
    assert!(count >= 9, "{count}");
}

/// Predicted at a constant yaw rate, the kart and the robot-car left the road.
#[test]
fn commands_that_act_50_ms_late_leave_every_line_on_its_road() {
    for name in ["club", "grid", "hairpin", "kart", "oval", "street"] {
        let line = committed(name);
        for frame_rate_hz in [60.0, 30.0] {
            let late = DriveOptions { actuation_delay_s: 0.05, frame_rate_hz, ..options() };
            let measures = drive(&line, &line.vehicle, &late).unwrap().measures;
            let which = format!("{name}, {frame_rate_hz} Hz: {measures:?}");
            assert!(measures.is_complete() && measures.inside_fraction == 1.0, "{which}");
            assert!(measures.of_profile().unwrap() < 1.04, "{which}");
            assert!(measures.cross_track_worst_m < 1.2, "{which}");
        }
    }
}

/// Mean lap times, s, of drives that depend on the tuning constants of the follower: moved by a fifth,
/// each constant of which `docs/notes/knobs.md` shows that one of them depends on it changes a time by more than
/// the tolerance. A change that is meant to drive otherwise states the times before and after.
#[test]
fn drives_take_the_times_that_they_took() {
    let drives = [
        ("kart", DriveOptions { laps: 2, ..options() }, 38.472),
        ("street", options(), 57.577),
        ("grid", DriveOptions { laps: 2, ..options() }, 11.974),
        ("kart", DriveOptions { follower: FollowerKind::Bezier, ..options() }, 41.615),
        ("oval", DriveOptions { follower: FollowerKind::Profile, ..options() }, 25.534),
        ("kart", DriveOptions { learn_laps: 3, ..options() }, 38.245),
        ("oval", DriveOptions { actuation_delay_s: 0.1, speed_share: 0.9, ..options() }, 28.519),
    ];
    for (name, options, expected_s) in drives {
        let line = committed(name);
        let measures = drive(&line, &line.vehicle, &options).unwrap().measures;
        let driven_s = measures.mean_lap_s().unwrap();
        assert!(measures.is_clean(), "{name}, {options:?}: {measures:?}");
        assert!((driven_s / expected_s - 1.0).abs() < 1e-3, "{name}, {options:?}: {driven_s} s, not {expected_s} s");
    }
}

/// The line of a point mass on the picture of `tracks/` with this name: it uses all of the tyres' limits.
pub(crate) fn of_point_mass(name: &str) -> RacingLine {
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tracks/{name}.png"));
    let mut options = Options::from_layers(&[Layer::read(&picture.with_extension("toml")).unwrap()]).unwrap();
    options.solve.model = Some(Model::PointMass);
    pipeline::optimize(&*picture, &Request::new(&options, &options.load_vehicle().unwrap())).unwrap().line
}

/// The line of `tracks/` with this name.
pub(crate) fn committed(name: &str) -> RacingLine {
    let file = format!("{}/../../tracks/{name}.raceline.json", env!("CARGO_MANIFEST_DIR"));
    json::read(&fs::read(file).unwrap()).unwrap()
}

/// A line made for one car, driven by one with other axles, tyres and drive.
#[test]
fn another_vehicle_may_drive_the_line_more_slowly() {
    let line =
        json::read(&fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/stadium.raceline.json")).unwrap())
            .unwrap();
    let driven = drive(&line, &preset("gt").unwrap(), &DriveOptions { speed_share: 0.9, ..options() }).unwrap();
    let measures = driven.measures;
    assert!(measures.is_complete() && measures.stayed_on_road(), "{measures:?}");
    assert!((1.1..1.16).contains(&measures.of_profile().unwrap()), "{measures:?}");
}

#[test]
fn learning_finds_the_grip_of_the_road_and_a_later_drive_remembers_it() {
    let text = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/club.raceline.json")).unwrap();
    let line = json::read(&text).unwrap();
    let length = line.length_m;
    let grip = [
        SimulatedGrip { from_m: 0.0, to_m: 0.4 * length, factor: 1.15 },
        SimulatedGrip { from_m: 0.6 * length, to_m: 0.8 * length, factor: 0.93 },
    ];
    let on = |learn_laps, remembered| {
        let simulation = Simulation { grip: &grip, remembered, ..Simulation::default() };
        drive_in(&line, &line.vehicle, &DriveOptions { laps: 2, learn_laps, ..options() }, &simulation).unwrap()
    };
    let before = on(0, None);
    assert_eq!(before.learned, None);
    let after = on(10, None);
    let learned = after.learned.clone().unwrap();
    let again = on(0, Some(&learned));
    let best = |driven: &raceline::drive::Drive| driven.measures.best_lap_s().unwrap();
    println!("{:.3} s, learned {:.3} s, remembered {:.3} s", best(&before), best(&after), best(&again));
    assert!(best(&after) < best(&before) - 0.1);
    assert!(best(&again) < best(&after) + 0.1);
    // The warm-up and the laps for learning are in the trace, but are not judged.
    assert_eq!(after.measures.lap_times_s.len(), 2);
    assert!(after.trace.iter().filter(|row| row.lap == 0).count() > 8 * before.trace.len() / 3);
    let fast = DriveOptions { learn_laps: 1, follower: FollowerKind::Reynolds, ..options() };
    assert!(matches!(drive(&line, &line.vehicle, &fast), Err(DriveError::NothingToLearn { follower: "reynolds" })));
    let other = sample_lines::circle(80.0, 160);
    let simulation = Simulation { remembered: Some(&learned), ..Simulation::default() };
    let refused = drive_in(&other, &other.vehicle, &options(), &simulation);
    assert!(matches!(refused, Err(DriveError::Learning(_))));
}

#[test]
fn a_patch_of_grip_acts_where_the_axles_are_and_nowhere_else() {
    // 20 m/s on a radius of 80 m take 5 of the tyres' 12 m/s².
    let line = sample_lines::circle(80.0, 160);
    let with = |x_m: [f64; 2], factor: f64| {
        let [low, high] = x_m;
        let polygon = [[low, -12.0], [high, -12.0], [high, 12.0], [low, 12.0]].map(Spot::Metres).to_vec();
        let mut line = line.clone();
        line.options.grip = vec![Grip::Polygon(GripPolygon { polygon, factor, border_m: 0.5 })];
        line
    };
    let driven = |line: &RacingLine| drive(line, &line.vehicle, &options()).unwrap();
    let free = driven(&line);
    assert_eq!(driven(&with([82.0, 86.0], 0.3)), free, "beside the line");
    let (enough, slippery) = (with([70.0, 90.0], 0.7), with([70.0, 90.0], 0.3));
    let worst_m = |line: &RacingLine| driven(line).measures.cross_track_worst_m;
    println!("free {}, 0.7 {}, 0.3 {}", free.measures.cross_track_worst_m, worst_m(&enough), worst_m(&slippery));
    assert!(worst_m(&enough) < 0.3 && worst_m(&slippery) > 0.5);
    // So does a stretch, over the whole width.
    let mut wet = line.clone();
    wet.options.grip = vec![GripStretch { from_m: 40.0, to_m: 80.0, factor: 0.3, ramp_m: 5.0 }.into()];
    assert!(worst_m(&wet) > 0.5, "{}", worst_m(&wet));
    // The line's points have the patch in their grip, which counts once.
    let mut known = enough.clone();
    for point in &mut known.points {
        let is_in = point.x_m > 0.0 && point.y_m.abs() < 12.0;
        point.grip = Some(if is_in { 0.7 } else { 1.0 });
    }
    let stretch = RacingLine { options: line.options.clone(), ..known.clone() };
    println!("known {}, as a stretch {}", worst_m(&known), worst_m(&stretch));
    assert!((worst_m(&known) - worst_m(&stretch)).abs() < 0.05);
}

#[test]
fn the_neural_driver_needs_a_network() {
    let line = sample_lines::circle(80.0, 160);
    let neural = DriveOptions { follower: FollowerKind::Neural, ..options() };
    assert!(matches!(drive(&line, &line.vehicle, &neural), Err(DriveError::NoNetwork)));
}
