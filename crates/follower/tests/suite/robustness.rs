//! Nothing makes a step panic, loop or return a number that isn't one.

// A test that can't start should fail with a message.
#![allow(clippy::expect_used)]

use crate::common::{circle, numbers, waypoint};
use proptest::prelude::*;
use raceline_follower::baselines::{PaperBaseline, PaperBaselineOptions, Reynolds, ReynoldsOptions};
use raceline_follower::{
    Command, CurveSpan, Follower, FollowerOptions, Path, PathFollower, PickUp, Scene, SpeedMode, VehicleGeometry,
    VehicleKind, VehicleState, Waypoint,
};

/// Ordinary numbers mostly, and everything else.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -200.0..200.0,
        1 => proptest::num::f64::ANY,
        1 => prop_oneof![
            Just(0.0),
            Just(-0.0),
            Just(f64::NAN),
            Just(f64::INFINITY),
            Just(f64::NEG_INFINITY),
            Just(f64::MAX),
            Just(f64::MIN_POSITIVE),
            Just(1e7),
            Just(-1e7),
            Just(1e-9),
        ],
    ]
}

/// Small grids make duplicates, lines and reversals likely.
fn any_path() -> impl Strategy<Value = Option<Path>> {
    let coordinate = prop_oneof![3 => (-3..4).prop_map(f64::from), 3 => -100.0..100.0, 1 => any_number()];
    let width = prop_oneof![Just(f64::INFINITY), 0.0..5.0];
    let speed = prop_oneof![Just(f64::NAN), Just(0.0), 0.0..80.0];
    let curvature = prop_oneof![3 => Just(f64::NAN), 1 => -1e3..1e3];
    let waypoint = (prop::array::uniform3(coordinate), width.clone(), width, speed, curvature).prop_map(
        |(position_m, left_m, right_m, speed_mps, curvature_radpm)| Waypoint {
            position_m,
            left_m,
            right_m,
            speed_mps,
            curvature_radpm,
        },
    );
    (prop::collection::vec(waypoint, 0..20), any::<bool>())
        .prop_map(|(waypoints, closed)| Path::new(waypoints, closed).ok())
}

fn any_options() -> impl Strategy<Value = FollowerOptions> {
    let modes = prop_oneof![Just(SpeedMode::Bezier), Just(SpeedMode::Profile), Just(SpeedMode::Both)];
    let spans = prop_oneof![Just(CurveSpan::Points), Just(CurveSpan::Midpoints), Just(CurveSpan::Headings)];
    (modes, 3..65usize, any::<bool>(), spans, any::<bool>(), 0.0..1.0).prop_map(
        |(mode, points, racing, span, infinite, feedforward)| {
            let mut options = if racing { FollowerOptions::for_racing() } else { FollowerOptions::default() };
            options.target_speed.mode = mode;
            options.target_speed.points = points;
            options.target_speed.span = span;
            if infinite {
                options.target_speed.braking_mps2 = f64::INFINITY;
                options.boost.min_radius_m = f64::INFINITY;
                options.nearest_point.rejoin_distance_m = f64::INFINITY;
            }
            options.steering.curvature_feedforward = feedforward;
            options.steering.yaw_damping_s = feedforward;
            options.steering.slip_learning = 20.0 * feedforward;
            options
        },
    )
}

fn check(command: &Command, path: &Path, vehicle: &VehicleGeometry) {
    assert!((-1.0..=1.0).contains(&command.pedal), "{command:?}");
    assert!(command.steering_rad.abs() <= vehicle.max_steering_rad, "{command:?}");
    assert!((0.0..=path.length_m()).contains(&command.s_m), "{command:?}");
    assert!(command.target_speed_mps >= 0.0 && command.target_speed_mps.is_finite(), "{command:?}");
    assert!(command.cross_track_error_m.is_finite(), "{command:?}");
    assert!(command.target_point_m.iter().chain(&command.nearest_point_m).all(|x| x.is_finite()), "{command:?}");
    if let Some(placement) = command.place_back {
        assert!(placement.position_m.iter().all(|x| x.is_finite()) && placement.heading_rad.is_finite());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_frames_on_any_paths_get_usable_commands(
        paths in prop::collection::vec(any_path(), 1..4),
        options in any_options(),
        kind in prop_oneof![Just(VehicleKind::Wheels), Just(VehicleKind::SkidSteer), Just(VehicleKind::Hover)],
        frames in prop::collection::vec((prop::array::uniform8(any_number()), any_number(), 0..4usize), 1..30),
        pick_up in (prop::array::uniform3(any_number()), any_number()),
    ) {
        let vehicle = VehicleGeometry { kind, ..VehicleGeometry::default() };
        let mut follower = Follower::new(options, vehicle).expect("valid");
        let mut baseline = PaperBaseline::new(PaperBaselineOptions::default(), vehicle).expect("valid");
        let mut reynolds = Reynolds::new(ReynoldsOptions::default(), vehicle).expect("valid");
        let pick_ups = [PickUp { position_m: pick_up.0, radius_m: pick_up.1 }];
        for ([x, y, z, heading_rad, speed_mps, vx, vy, yaw_rate_radps], dt, which) in frames {
            let Some(path) = &paths[which % paths.len()] else { continue };
            let state = VehicleState {
                position_m: [x, y, z],
                heading_rad,
                speed_mps,
                velocity_mps: [vx, vy, 0.0],
                yaw_rate_radps,
            };
            check(&follower.step(path, &state, &Scene::EMPTY, dt), path, &vehicle);
            check(&follower.step(path, &state, &Scene::EMPTY.with_pick_ups(&pick_ups), dt), path, &vehicle);
            check(&follower.step(path, &state, &Scene::EMPTY.with_reverse(true), dt), path, &vehicle);
            check(&baseline.step(path, &state, &Scene::EMPTY, dt), path, &vehicle);
            check(&reynolds.step(path, &state, &Scene::EMPTY, dt), path, &vehicle);
        }
    }

    #[test]
    fn any_options_are_valid_or_refused(values in prop::collection::vec(any_number(), 13), points in any::<usize>()) {
        let mut options = FollowerOptions::default();
        let fields: [&mut f64; 12] = [
            &mut options.target_speed.spacing_m,
            &mut options.target_speed.lateral_acceleration_g,
            &mut options.target_speed.min_speed_mps,
            &mut options.target_speed.max_speed_mps,
            &mut options.target_speed.braking_mps2,
            &mut options.lookahead.base_m,
            &mut options.lookahead.min_m,
            &mut options.lookahead.max_m,
            &mut options.speed_control.proportional,
            &mut options.speed_control.full_brake_mps2,
            &mut options.stuck.window_s,
            &mut options.nearest_point.rejoin_distance_m,
        ];
        for (field, &value) in fields.into_iter().zip(&values) {
            // Half of them as they were, so that some are valid.
            if value > 0.0 {
                *field = value;
            }
        }
        options.target_speed.points = points % 100;
        let vehicle = VehicleGeometry { wheelbase_m: values[12].abs(), ..VehicleGeometry::default() };
        let path = circle(20.0, 50);
        if let Ok(mut follower) = Follower::new(options, vehicle) {
            let command = follower.step(&path, &VehicleState::new([20.0, 0.0, 0.0], 1.5, 4.0), &Scene::EMPTY, 0.016);
            check(&command, &path, &vehicle);
        }
    }
}

#[test]
fn a_frame_that_cannot_be_understood_brakes_and_changes_nothing() {
    let lap = circle(30.0, 100);
    let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default()).expect("valid");
    let good = VehicleState::new([30.0, 2.0, 0.0], 1.6, 5.0);
    let before = follower.step(&lap, &good, &Scene::EMPTY, 0.0);
    for bad in [
        VehicleState { heading_rad: f64::NAN, ..good },
        VehicleState { heading_rad: f64::INFINITY, ..good },
        VehicleState { speed_mps: f64::NAN, ..good },
        VehicleState { position_m: [f64::NAN, 0.0, 0.0], ..good },
        VehicleState { position_m: [0.0, 1e300, 0.0], ..good },
    ] {
        let command = follower.step(&lap, &bad, &Scene::EMPTY, 0.016);
        assert_eq!((command.pedal, command.steering_rad, command.reverse), (-1.0, 0.0, false));
    }
    assert_eq!(follower.step(&lap, &good, &Scene::EMPTY, 0.0), before);
}

#[test]
fn time_that_is_none_counts_as_none() {
    let lap = circle(30.0, 100);
    let new = || Follower::new(FollowerOptions::default(), VehicleGeometry::default()).expect("valid");
    let state = VehicleState::new([30.0, 2.0, 0.0], 1.6, 5.0);
    let none = new().step(&lap, &state, &Scene::EMPTY, 0.0);
    for dt in [-1.0, f64::NAN, f64::NEG_INFINITY, -0.0] {
        assert_eq!(new().step(&lap, &state, &Scene::EMPTY, dt), none);
    }
    assert_eq!(new().step(&lap, &state, &Scene::EMPTY, f64::INFINITY), new().step(&lap, &state, &Scene::EMPTY, 0.25));
}

#[test]
fn the_search_is_resumed_on_paths_that_defeat_it() {
    // Seen from the centre all of a circle is equally far: no box can be left out.
    let ring = circle(500.0, 100_000);
    let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default()).expect("valid");
    let mut next = numbers(11);
    for _ in 0..300 {
        let state = VehicleState::new([next() - 0.5, next() - 0.5, 0.0], 6.0 * next(), 0.0);
        let command = follower.step(&ring, &state, &Scene::EMPTY, 0.016);
        assert!((command.cross_track_error_m.abs() - 500.0).abs() < 1.0);
    }
    // A tangle without order.
    let tangle = (0..100_000).map(|_| waypoint(1000.0 * next(), 1000.0 * next())).collect();
    let tangle = Path::new(tangle, true).expect("a path");
    let mut follower = Follower::new(FollowerOptions::default(), VehicleGeometry::default()).expect("valid");
    for _ in 0..300 {
        let state = VehicleState::new([1000.0 * next(), 1000.0 * next(), 0.0], 6.0 * next(), 20.0);
        check(&follower.step(&tangle, &state, &Scene::EMPTY, 0.016), &tangle, &VehicleGeometry::default());
    }
}
