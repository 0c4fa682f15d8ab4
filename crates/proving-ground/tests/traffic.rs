//! Vehicles in traffic: what a drive counts.

// A test that can't start should report it.
#![allow(clippy::expect_used)]

use raceline_proving_ground::traffic::{DriverKind, places, run};
use raceline_proving_ground::vehicle::VehicleModel;

#[test]
fn the_planner_gets_through_a_course_that_separation_alone_does_not() {
    let places = places().expect("valid paths");
    assert_eq!(places.iter().filter(|place| place.group == "obstacle courses").count(), 10);
    assert!(places.iter().filter(|place| place.path.closed()).all(|place| place.starts.len() == 20));
    let model = VehicleModel::named("light-4x4").expect("one of the six");
    let course = places.iter().find(|place| place.name == "course 8").expect("one of the ten");
    let planned = run(course, model, DriverKind::Planner).expect("valid options");
    assert_eq!((planned.finished, planned.hits, planned.stuck_events), (1, 0, 0));
    assert!(planned.distance_m > 250.0 && planned.outside_s == 0.0);
    assert_eq!(planned, run(course, model, DriverKind::Planner).expect("valid options"), "the same drive again");
    let separated = run(course, model, DriverKind::Separation).expect("valid options");
    assert!(separated.hits + separated.stuck_events > 0, "{} hits", separated.hits);
}
