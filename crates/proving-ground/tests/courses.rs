//! The courses have what they promise: paths that can be driven, slopes that are known, nothing on
//! the path.

use raceline_proving_ground::courses::{soak_map, test_paths, training_paths};
use raceline_proving_ground::frame;
use raceline_proving_ground::scene::{Block, Scene};
use raceline_proving_ground::terrain::Terrain;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rapier3d::math::Vector;
use rapier3d::prelude::{QueryFilter, Ray};

/// Half the width of the widest vehicle, metres.
const HALF_WIDTH_M: f64 = 1.45;

fn distance_m(block: &Block, at: [f64; 2]) -> f64 {
    let (sin, cos) = block.heading_rad.sin_cos();
    let (dx, dy) = (at[0] - block.at_m[0], at[1] - block.at_m[1]);
    let (u, v) = ((dx * cos + dy * sin).abs() - block.half_m[0], (dy * cos - dx * sin).abs() - block.half_m[1]);
    u.max(0.0).hypot(v.max(0.0)) + u.max(v).min(0.0)
}

fn along(path: &raceline_follower::Path, from_m: f64, to_m: f64) -> impl Iterator<Item = [f64; 3]> {
    let count = ((to_m - from_m) / 0.5) as usize;
    (0..=count).map(move |i| path.sample(from_m + 0.5 * i as f64).position_m)
}

fn stretches(scene: &Scene) -> Vec<(&raceline_follower::Path, f64)> {
    let mut out = Vec::new();
    let mut path = &scene.path;
    for change in &scene.changes {
        out.push((path, change.at_s_m));
        path = &change.path;
    }
    out.push((path, path.length_m()));
    out
}

#[test]
fn nothing_stands_in_the_path() {
    for scene in test_paths().unwrap().iter().chain(&training_paths().unwrap()) {
        for (path, until_m) in stretches(scene) {
            for at in along(path, 0.0, until_m) {
                for block in &scene.blocks {
                    let room = distance_m(block, [at[0], at[1]]);
                    assert!(room > HALF_WIDTH_M, "{}: {room} m at {at:?}", scene.name);
                }
            }
        }
    }
}

#[test]
fn paths_lie_on_the_ground_and_no_slope_is_above_the_ramp_of_30_percent() {
    let mut steepest: f64 = 0.0;
    for scene in test_paths().unwrap().iter().chain(&training_paths().unwrap()) {
        for (path, until_m) in stretches(scene) {
            for waypoint in path.waypoints() {
                let [x, y, z] = waypoint.position_m;
                assert!((scene.terrain.height_m(x, y) - z).abs() < 1e-9, "{}", scene.name);
            }
            let points: Vec<[f64; 3]> = along(path, 0.0, until_m).collect();
            for pair in points.windows(20) {
                let (a, b) = (pair[0], pair[19]);
                let (run, rise) = ((b[0] - a[0]).hypot(b[1] - a[1]), b[2] - a[2]);
                if run > 5.0 {
                    steepest = steepest.max((rise / run).abs());
                }
            }
        }
    }
    assert!(steepest > 0.28 && steepest < 0.33, "{steepest}");
}

#[test]
fn training_paths_are_none_of_the_ten() {
    let (test, training) = (test_paths().unwrap(), training_paths().unwrap());
    assert_eq!(test.len(), 10);
    for a in &training {
        for b in &test {
            assert_ne!(a.name, b.name);
            let far = along(&a.path, 0.0, a.path.length_m())
                .zip(along(&b.path, 0.0, b.path.length_m()))
                .map(|(p, q)| (p[0] - q[0]).hypot(p[1] - q[1]))
                .fold(0.0, f64::max);
            assert!(far > 5.0, "{} is like {}", a.name, b.name);
        }
    }
}

#[test]
fn walks_on_the_soaks_map_are_clear_of_its_blocks_and_go_on_where_they_ended() {
    let map = soak_map();
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut last = None;
    let mut end: Option<[f64; 3]> = None;
    for _ in 0..40 {
        let (path, next) = map.walk(&mut random, last, 12).unwrap();
        for at in along(&path, 0.0, path.length_m()) {
            for block in &map.blocks {
                assert!(distance_m(block, [at[0], at[1]]) > HALF_WIDTH_M, "{at:?}");
            }
        }
        if let Some(end) = end {
            // The new path starts half a path before the old one's end.
            let nearest =
                along(&path, 0.0, 60.0).map(|p| (p[0] - end[0]).hypot(p[1] - end[1])).fold(f64::INFINITY, f64::min);
            assert!(nearest < 6.0, "{nearest} m off");
        }
        end = path.waypoints().last().map(|w| w.position_m);
        last = Some(next);
    }
}

#[test]
fn the_frames_turn_into_one_another_without_mirroring() {
    let (x, y, z) = (frame::to_follower(Vector::X), frame::to_follower(Vector::Y), frame::to_follower(Vector::Z));
    // Right-handed before and after: x × y = z.
    let cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    assert_eq!(cross, z);
    assert_eq!(y, [0.0, -0.0, 1.0], "the engine's up is the follower's");
    assert_eq!(frame::to_engine(frame::to_follower(Vector::new(1.0, 2.0, 3.0))), Vector::new(1.0, 2.0, 3.0));
    for heading in [-3.0, -1.0, 0.0, 0.5, 2.0] {
        assert!((frame::heading(frame::level(heading)) - heading).abs() < 1e-6);
    }
    // A slope along x lifts the nose of whoever faces +x, and leaves the heading.
    let rotation = frame::on_ground(0.0, [-0.6, 0.0, 0.8]);
    let ahead = frame::to_follower(rotation * Vector::X);
    assert!((ahead[0] - 0.8).abs() < 1e-6 && (ahead[2] - 0.6).abs() < 1e-6, "{ahead:?}");
}

#[test]
fn the_engine_has_the_ground_where_the_terrain_states() {
    let terrain = Terrain::new([-20.0, -50.0], [60.0, 10.0], |x, y| 0.1 * x + 3.0 * (y / 9.0).sin());
    let mut world = raceline_proving_ground::scene::world(&terrain, &[], 1.0 / 60.0);
    world.step();
    for at in [[-19.0, -49.0], [0.0, 0.0], [33.3, -20.7], [59.0, 9.0], [10.25, -37.5]] {
        let from = frame::to_engine([at[0], at[1], 50.0]);
        let ray = Ray::new(from, -Vector::Y);
        let (_, distance) = world.cast_ray(&ray, 100.0, true, QueryFilter::default()).unwrap();
        let found = 50.0 - f64::from(distance);
        let expected = terrain.height_m(at[0], at[1]);
        assert!((found - expected).abs() < 0.03, "{at:?}: {found}, expected {expected}");
    }
}
