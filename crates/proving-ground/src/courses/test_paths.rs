//! The ten test paths.

use super::ground::{across, hills, pillars, rough, smooth, under};
use crate::route::Route;
use crate::scene::{Scene, SceneError};

/// The ten, in the order of the tables.
///
/// # Errors
/// A route that does not form a path.
pub fn test_paths() -> Result<Vec<Scene>, SceneError> {
    Ok(vec![
        steep_hills()?,
        narrow_corridors()?,
        sharp_turns()?,
        slalom()?,
        hairpin_stair()?,
        rough_ground()?,
        ramp_with_a_crest()?,
        close_to_itself()?,
        changed_path()?,
        long_mixed()?,
    ])
}

/// Hills of up to 16°, with wide bends.
fn steep_hills() -> Result<Scene, SceneError> {
    let route = Route::start([0.0, 0.0], 0.0, 4.0, 5.0)
        .ahead(60.0)
        .arc(40.0, 35.0)
        .ahead(40.0)
        .arc(40.0, -70.0)
        .ahead(40.0)
        .arc(30.0, 35.0)
        .ahead(60.0);
    let terrain = under(&[&route], |x, y| hills(x, 7.0, 76.0) + hills(y, 1.5, 60.0));
    Scene::new("steep-hills", terrain, &route, Vec::new())
}

/// Six metres between walls, with bends of 90°.
fn narrow_corridors() -> Result<Scene, SceneError> {
    let route = Route::start([0.0, 0.0], 0.0, 3.0, 3.0)
        .ahead(12.0)
        .walls(true)
        .ahead(25.0)
        .arc(12.0, 90.0)
        .ahead(15.0)
        .arc(10.0, -90.0)
        .ahead(20.0)
        .arc(12.0, -90.0)
        .ahead(20.0)
        .arc(14.0, 60.0)
        .ahead(15.0)
        .walls(false)
        .ahead(12.0);
    let terrain = under(&[&route], |_, _| 0.0);
    Scene::new("narrow-corridors", terrain, &route, Vec::new())
}

/// Sharp corners of 70° to 120°, with a wall beyond each.
fn sharp_turns() -> Result<Scene, SceneError> {
    let legs = [(30.0, 90.0), (28.0, -110.0), (32.0, 70.0), (26.0, -90.0), (30.0, 120.0), (34.0, -100.0), (26.0, 0.0)];
    let mut route = Route::start([0.0, 0.0], 0.0, 4.0, 4.0);
    let mut walls = Vec::new();
    for (length, turn) in legs {
        route = route.ahead(length);
        if turn != 0.0 {
            walls.push(across(&route, route.length_m(), 7.0, 4.0));
        }
        route = route.corner(turn);
    }
    let terrain = under(&[&route], |_, _| 0.0);
    Scene::new("sharp-turns", terrain, &route, walls)
}

/// Round pillars in a row, left and right by turns.
fn slalom() -> Result<Scene, SceneError> {
    let route = Route::start([0.0, 0.0], 0.0, 2.5, 2.5).ahead(15.0).waves(4.0, 36.0, 5).ahead(15.0);
    let axis = Route::start([15.0, 0.0], 0.0, 1.0, 5.0).ahead(180.0);
    let places: Vec<(f64, f64)> = (0..10).map(|i| (9.0 + 18.0 * f64::from(i), 0.0)).collect();
    let terrain = under(&[&route], |_, _| 0.0);
    Scene::new("slalom", terrain, &route, pillars(&axis, 0.6, &places))
}

/// Five legs up a slope of 12 %, with hairpins between.
fn hairpin_stair() -> Result<Scene, SceneError> {
    let mut route = Route::start([0.0, 0.0], 0.0, 4.0, 3.0).ahead(35.0);
    let mut walls = Vec::new();
    for turn in [180.0, -180.0, 180.0, -180.0] {
        walls.push(across(&route, route.length_m(), 6.0 + 4.0 + 3.5, 5.0));
        route = route.arc(6.0, turn).ahead(35.0);
    }
    let terrain = under(&[&route], |_, y| 0.12 * y.clamp(-6.0, 54.0));
    Scene::new("hairpin-stair", terrain, &route, walls)
}

/// Waves of up to 0.35 m under the wheels and boulders beside the path.
fn rough_ground() -> Result<Scene, SceneError> {
    let route = Route::start([0.0, 0.0], 20.0, 3.5, 4.0)
        .ahead(40.0)
        .arc(18.0, 80.0)
        .ahead(25.0)
        .arc(15.0, -110.0)
        .ahead(30.0)
        .arc(20.0, 70.0)
        .ahead(30.0);
    let places = [
        (20.0, 5.5),
        (38.0, -5.5),
        (55.0, -6.0),
        (85.0, 5.5),
        (100.0, 6.0),
        (110.0, 6.0),
        (140.0, -5.5),
        (160.0, 5.5),
        (178.0, -6.0),
    ];
    let terrain = under(&[&route], |x, y| rough(x, y, 0.35));
    Scene::new("rough-ground", terrain, &route, pillars(&route, 0.8, &places))
}

/// Up a ramp of 17°, over a crest on to a plateau that bends at once, and down again.
fn ramp_with_a_crest() -> Result<Scene, SceneError> {
    let route =
        Route::start([0.0, 0.0], 0.0, 4.0, 4.0).ahead(82.0).arc(10.0, 90.0).ahead(15.0).arc(8.0, 90.0).ahead(80.0);
    let walls = vec![across(&route, 82.0, 10.0 + 4.0 + 3.0, 9.0)];
    // A ramp of constant slope with its foot at 40 m, its crest at 74 m, both rounded over 3 m.
    let ramp = |x: f64| {
        let soft = |t: f64| {
            if t < -1.5 {
                0.0
            } else if t > 1.5 {
                t
            } else {
                (t + 1.5) * (t + 1.5) / 6.0
            }
        };
        0.3 * (soft(x - 40.0) - soft(x - 74.0))
    };
    let terrain = under(&[&route], |x, _| ramp(x));
    Scene::new("ramp-with-a-crest", terrain, &route, walls)
}

/// Two turning loops, each with the return leg 3 m beside the outward leg, and a crossing.
fn close_to_itself() -> Result<Scene, SceneError> {
    // Right by θ, left by 180° + 2θ, right by θ: the return leg lies 4 R cos θ - 2 R to the left.
    let route = Route::start([0.0, 0.0], 0.0, 2.5, 3.0)
        .ahead(45.0)
        .arc(12.0, -55.77)
        .arc(12.0, 180.0 + 2.0 * 55.77)
        .arc(12.0, -55.77)
        .ahead(40.0)
        .arc(11.0, -55.1)
        .arc(11.0, 180.0 + 2.0 * 55.1)
        .arc(11.0, -55.1)
        .ahead(15.0)
        .arc(12.0, 270.0)
        .ahead(30.0);
    let terrain = under(&[&route], |x, y| hills(x, 1.0, 50.0) + hills(y, 1.0, 40.0));
    Scene::new("close-to-itself", terrain, &route, Vec::new())
}

/// A path that changes twice during the drive: to the left past a wall, then to the right at short
/// notice.
fn changed_path() -> Result<Scene, SceneError> {
    let first = Route::start([0.0, 0.0], 0.0, 4.0, 5.0).ahead(130.0);
    let second =
        Route::start([40.0, 0.0], 0.0, 4.0, 5.0).ahead(15.0).arc(18.0, 60.0).ahead(20.0).arc(18.0, -60.0).ahead(50.0);
    let (from, heading) = second.beside(45.0, 0.0);
    let third = Route::start(from, heading.to_degrees(), 4.0, 4.0)
        .ahead(4.0)
        .arc(12.0, -100.0)
        .ahead(20.0)
        .arc(12.0, 60.0)
        .ahead(40.0);
    let walls = vec![across(&first, 85.0, 0.0, 8.0), across(&second, 90.0, 0.0, 6.0)];
    let terrain = under(&[&first, &second, &third], |x, y| hills(x, 0.8, 45.0) + hills(y, 0.8, 38.0));
    Scene::new("changed-path", terrain, &first, walls)?.changed_at(47.0, &second)?.changed_at(43.0, &third)
}

/// All of the above in sequence.
fn long_mixed() -> Result<Scene, SceneError> {
    let mut route =
        Route::start([0.0, 0.0], 0.0, 4.0, 4.0).ahead(60.0).arc(25.0, 90.0).ahead(90.0).corner(-90.0).ahead(30.0);
    let corner_m = route.length_m() - 30.0;
    let walls = vec![across(&route, corner_m - 1.0, 8.0, 4.0)];
    route = route
        .width(3.0)
        .walls(true)
        .ahead(20.0)
        .arc(14.0, -80.0)
        .ahead(25.0)
        .arc(14.0, 80.0)
        .ahead(15.0)
        .walls(false)
        .width(4.0);
    route = route.ahead(20.0).waves(3.5, 34.0, 3).ahead(15.0);
    route = route
        .arc(7.0, -180.0)
        .ahead(40.0)
        .arc(7.0, 180.0)
        .ahead(40.0)
        .corner(60.0)
        .ahead(30.0)
        .corner(-80.0)
        .ahead(40.0);
    let terrain = under(&[&route], |x, y| {
        let climb = hills(y - 25.0, 5.0, 70.0)
            * smooth((110.0 - x) / 15.0)
            * smooth((y - 25.0) / 5.0)
            * smooth((130.0 - y) / 35.0);
        climb + rough(x, y, 0.15)
    });
    Scene::new("long-mixed", terrain, &route, walls)
}
