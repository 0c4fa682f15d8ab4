//! The training paths for tuning: the same kinds of difficulties, but none of the ten test paths,
//! and walks over a different map from the soak's.

use super::ground::{across, hills, pillars, rough, under};
use super::map::training_walks;
use crate::route::Route;
use crate::scene::{Scene, SceneError};

/// Number of walks among them.
const WALKS: usize = 8;

/// The fourteen.
///
/// # Errors
/// A route that does not form a path.
pub fn training_paths() -> Result<Vec<Scene>, SceneError> {
    let mut scenes = vec![hilly_bends()?, walled_bends()?, corners()?, weaving()?, climbing_hairpins()?, rough_loop()?];
    scenes.extend(training_walks(WALKS)?);
    Ok(scenes)
}

fn hilly_bends() -> Result<Scene, SceneError> {
    let route = Route::start([0.0, 0.0], 90.0, 4.0, 5.0)
        .ahead(45.0)
        .arc(30.0, -50.0)
        .ahead(35.0)
        .arc(22.0, 75.0)
        .ahead(40.0)
        .arc(15.0, -60.0)
        .ahead(30.0);
    let terrain = under(&[&route], |x, y| hills(y, 6.0, 64.0) + hills(x, 1.0, 40.0));
    Scene::new("hilly-bends", terrain, &route, Vec::new())
}

fn walled_bends() -> Result<Scene, SceneError> {
    let route = Route::start([0.0, 0.0], 0.0, 3.0, 3.0)
        .ahead(20.0)
        .walls(true)
        .ahead(12.0)
        .arc(11.0, -90.0)
        .ahead(18.0)
        .arc(13.0, 90.0)
        .ahead(10.0)
        .arc(12.0, 70.0)
        .ahead(14.0)
        .walls(false)
        .ahead(15.0);
    let terrain = under(&[&route], |_, _| 0.0);
    Scene::new("walled-bends", terrain, &route, Vec::new())
}

fn corners() -> Result<Scene, SceneError> {
    let legs = [(32.0, -80.0), (27.0, 100.0), (30.0, 115.0), (33.0, -95.0), (28.0, 0.0)];
    let mut route = Route::start([0.0, 0.0], 30.0, 4.0, 4.0);
    let mut walls = Vec::new();
    for (length, turn) in legs {
        route = route.ahead(length);
        if turn != 0.0 {
            walls.push(across(&route, route.length_m(), 7.0, 4.0));
        }
        route = route.corner(turn);
    }
    let terrain = under(&[&route], |x, _| hills(x, 1.5, 50.0));
    Scene::new("corners", terrain, &route, walls)
}

fn weaving() -> Result<Scene, SceneError> {
    let route = Route::start([0.0, 0.0], 0.0, 2.5, 2.5)
        .ahead(18.0)
        .waves(-3.5, 32.0, 3)
        .ahead(10.0)
        .waves(5.0, 46.0, 2)
        .ahead(12.0);
    let axis = Route::start([18.0, 0.0], 0.0, 1.0, 5.0).ahead(200.0);
    let places = [
        (8.0, 0.0),
        (24.0, 0.0),
        (40.0, 0.0),
        (56.0, 0.0),
        (72.0, 0.0),
        (88.0, 0.0),
        (117.5, 0.0),
        (140.5, 0.0),
        (163.5, 0.0),
    ];
    let terrain = under(&[&route], |x, y| rough(x, y, 0.1));
    Scene::new("weaving", terrain, &route, pillars(&axis, 0.6, &places))
}

fn climbing_hairpins() -> Result<Scene, SceneError> {
    let mut route = Route::start([0.0, 0.0], 180.0, 4.0, 3.0).ahead(40.0);
    let mut walls = Vec::new();
    for (radius, turn) in [(7.0, -180.0), (5.5, 180.0), (8.0, -180.0)] {
        walls.push(across(&route, route.length_m(), radius + 4.0 + 3.5, 5.0));
        route = route.arc(radius, turn).ahead(30.0);
    }
    let terrain = under(&[&route], |_, y| 0.14 * y.clamp(-5.0, 45.0));
    Scene::new("climbing-hairpins", terrain, &route, walls)
}

fn rough_loop() -> Result<Scene, SceneError> {
    let route = Route::start([0.0, 0.0], 0.0, 3.0, 4.0)
        .ahead(40.0)
        .arc(13.0, 50.0)
        .arc(13.0, -280.0)
        .arc(13.0, 50.0)
        .ahead(35.0)
        .arc(16.0, -120.0)
        .ahead(30.0);
    let terrain = under(&[&route], |x, y| rough(x, y, 0.3) + hills(x, 4.0, 48.0));
    Scene::new("rough-loop", terrain, &route, Vec::new())
}
