//! Many vehicles that are driven from outside.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use raceline::RacingLine;
use raceline::drive::{Action, DriveOptions, Fleet, FleetOptions, Placement, drive};
use raceline::file::Method;
use raceline::pipeline::{Request, TrackSource, optimize};
use raceline::{Options, vehicle};

/// A straight road of 600 m along x, 8 m wide, with the line in its middle.
fn straight() -> RacingLine {
    let points = (0..=60).map(|i| [10.0 * f64::from(i), 0.0]).collect();
    let road = TrackSource::CentreLine("straight".to_owned(), points, vec![[4.0, 4.0]; 61]);
    let options = Options { method: Method::ShortestPath, ..Options::default() };
    optimize(road, &Request::new(&options, &vehicle::preset("gt").unwrap())).unwrap().line
}

fn club() -> RacingLine {
    raceline::file::json::read(
        &std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tracks/club.raceline.json")).unwrap(),
    )
    .unwrap()
}

#[test]
fn a_fleet_moves_as_the_vehicle_of_a_drive_does() {
    let line = club();
    let options = DriveOptions { laps: 1, frame_rate_hz: 50.0, ..DriveOptions::default() };
    let driven = drive(&line, &line.vehicle, &options).unwrap();
    let of_fleet = FleetOptions { frame_rate_hz: 50.0, time_step_s: options.time_step_s, ..FleetOptions::default() };
    let mut fleet = Fleet::new(&line, &line.vehicle, 2, &of_fleet).unwrap();
    fleet.place(0, Placement { s_m: 300.0, speed_mps: 10.0, ..Placement::default() });
    let mut seen = vec![0.0; 2 * fleet.observation_len()];
    let max_steering_rad = line.vehicle.handling().max_steering_rad;
    let mut gained_m = 0.0;
    for rows in driven.trace[..500].windows(2) {
        let action = Action { steering: rows[0].wanted_steering_rad / max_steering_rad, pedal: rows[0].pedal };
        fleet.step(&[Action::default(), action], &mut seen);
        let (state, standing) = (*fleet.states().nth(1).unwrap(), fleet.standings().nth(1).unwrap());
        let place = format!("after {} s", rows[1].time_s);
        assert!((state.x_m - rows[1].x_m).hypot(state.y_m - rows[1].y_m) < 1e-6, "{place}");
        assert!((state.forward_mps - rows[1].forward_mps).abs() < 1e-6, "{place}");
        assert!((standing.offset_m - rows[1].cross_track_error_m).abs() < 1e-6, "{place}");
        gained_m += standing.progress_m;
        assert!((gained_m - rows[1].s_m).abs() < 1e-6, "{place}: {gained_m} {}", rows[1].s_m);
        let own = &seen[fleet.observation_len()..];
        assert!((f64::from(own[0]) * line.vehicle.max_speed_mps - state.forward_mps).abs() < 1e-4, "{place}");
    }
    assert!(gained_m > 200.0, "{gained_m}");
}

#[test]
fn threads_do_not_change_what_a_fleet_does() {
    let line = club();
    let count = 40;
    let fleets = [false, true].map(|in_threads| {
        let mut fleet = Fleet::new(&line, &line.vehicle, count, &FleetOptions::default()).unwrap();
        let mut seen = vec![0.0; count * fleet.observation_len()];
        for index in 0..count {
            fleet.place(index, Placement { s_m: 20.0 * index as f64, speed_mps: 15.0, ..Placement::default() });
        }
        for frame in 0..20 {
            let action = |index: usize| Action { steering: 0.01 * index as f64 - 0.2, pedal: 0.05 * f64::from(frame) };
            let actions: Vec<Action> = (0..count).map(action).collect();
            if in_threads {
                fleet.step(&actions, &mut seen);
            } else {
                fleet.step_in_this_thread(&actions, &mut seen);
            }
        }
        (seen, fleet.standings().collect::<Vec<_>>())
    });
    assert_eq!(fleets[0], fleets[1]);
}

#[test]
fn an_observation_is_the_road_as_the_vehicle_sees_it() {
    let line = straight();
    let options = FleetOptions { preview_m: 20.0, preview_points: 2, ..FleetOptions::default() };
    let mut fleet = Fleet::new(&line, &line.vehicle, 1, &options).unwrap();
    // One metre to the left of the line, heading to the left by 30 degrees.
    let heading_rad = std::f64::consts::FRAC_PI_6;
    fleet.place(0, Placement { s_m: 100.0, offset_m: 1.0, heading_rad, speed_mps: 7.0 });
    let mut seen = vec![0.0; fleet.observation_len()];
    fleet.observe(0, &mut seen);
    let (sin, cos) = heading_rad.sin_cos();
    // An edge that lies dx ahead and dy to the left along the road, in the frame of the body.
    let edge = |dx: f64, dy: f64| [(dx * cos + dy * sin) / 20.0, (-dx * sin + dy * cos) / 20.0];
    let speed = |s_m: f64| fleet.profile_speed_mps(s_m) / line.vehicle.max_speed_mps;
    let own = [7.0 / line.vehicle.max_speed_mps, 0.0, 0.0, 0.0, heading_rad, 3.0 / 20.0, 5.0 / 20.0];
    let edges = [edge(10.0, 3.0), edge(10.0, -5.0), edge(20.0, 3.0), edge(20.0, -5.0)].concat();
    let expected = [&own[..], &edges, &[speed(110.0), speed(120.0)]].concat();
    for (i, (found, expected)) in seen.iter().zip(&expected).enumerate() {
        assert!((f64::from(*found) - expected).abs() < 2e-3, "{i}: {found} instead of {expected}");
    }
    // Half the width of the body across the road.
    let half = 0.5 * (line.vehicle.length_m * sin + line.vehicle.width_m * cos);
    let room_m = fleet.standings().next().unwrap().room_m;
    assert!((room_m - (3.0 - half)).abs() < 0.02, "{room_m}");
}

#[test]
fn options_and_actions_out_of_range_do_no_harm() {
    let line = straight();
    for options in [
        FleetOptions { preview_m: 0.0, ..FleetOptions::default() },
        FleetOptions { preview_points: 0, ..FleetOptions::default() },
        FleetOptions { frame_rate_hz: f64::NAN, ..FleetOptions::default() },
        FleetOptions { time_step_s: 0.1, ..FleetOptions::default() },
    ] {
        assert!(Fleet::new(&line, &line.vehicle, 1, &options).is_err(), "{options:?}");
    }
    let mut fleet = Fleet::new(&line, &line.vehicle, 2, &FleetOptions::default()).unwrap();
    fleet.place(7, Placement::default());
    let wild = Action { steering: f64::NAN, pedal: 1e300 };
    let mut seen = vec![0.0; 2 * fleet.observation_len()];
    // One action for two vehicles: the second one stays.
    fleet.step(&[wild], &mut seen);
    let gained: Vec<f64> = fleet.standings().map(|standing| standing.progress_m).collect();
    assert!(gained[0] > 0.0 && gained[1] == 0.0 && seen.iter().all(|number| number.is_finite()), "{gained:?}");
}

#[test]
fn the_default_step_of_the_integration_is_short_enough() {
    let mut line = club();
    for (name, speed_mps) in [("tum-racecar", 20.0), ("gt", 6.0), ("kart", 12.0), ("robot-car", 4.0)] {
        line.vehicle = vehicle::preset(name).unwrap();
        let steps = [FleetOptions::default(), FleetOptions { time_step_s: 1e-3, ..FleetOptions::default() }];
        let [coarse, fine] = steps.map(|options| {
            let mut fleet = Fleet::new(&line, &line.vehicle, 1, &options).unwrap();
            fleet.place(0, Placement { s_m: 30.0, speed_mps, ..Placement::default() });
            let mut seen = vec![0.0; fleet.observation_len()];
            let sway = |frame: u32| Action { steering: 0.3 * (0.3 * f64::from(frame)).sin(), pedal: 0.3 };
            // Three seconds of slalom, to the limit of the tyres.
            (0..60).for_each(|frame| fleet.step(&[sway(frame)], &mut seen));
            *fleet.states().next().unwrap()
        });
        let apart_m = (coarse.x_m - fine.x_m).hypot(coarse.y_m - fine.y_m);
        assert!(apart_m < 0.15, "{name}: {apart_m} m, {coarse:?} {fine:?}");
        assert!((coarse.forward_mps - fine.forward_mps).abs() < 0.05, "{name}: {coarse:?} {fine:?}");
    }
}
