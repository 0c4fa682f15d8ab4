//! What is decided about obstacles and pick-ups, and whole searches with the cost of their
//! constraints.

use super::{MARGIN_M, hilly, is, options, short, sums};
use raceline_car::preset;
use raceline_file::Method;
use raceline_road::frame::Spot;
use raceline_road::track::{GripStretch, RoadSide, SpeedCap, Track};
use raceline_solve::passing::{CircleObstacle, Obstacle, PassingTask, PickUp, PickUpSearch, decide};
use raceline_solve::{LineOptions, LocalRoad, NoGo, Pin, PolygonNoGo, StretchNoGo, optimize};

/// The place so far from the first section along the middle of the road, and to its left, m.
fn beside(track: &Track, section: usize, left: f64) -> Spot {
    let section = track.sections[section];
    let place = section.middle() + section.span() * (left / section.width());
    Spot::Metres([place.x, place.y])
}

/// What is decided about an obstacle and a pick-up.
fn decided(pick_up_search: PickUpSearch) -> Vec<f64> {
    let (track, vehicle) = (short(), preset("kart").unwrap());
    let (road, options) = (LocalRoad::new(&track), options());
    let task = PassingTask {
        road: &road,
        margin_m: MARGIN_M,
        lap: (&vehicle).into(),
        pick_up_search,
        is_route: false,
        options: &options,
    };
    let at = beside(&track, 20, 0.5);
    let obstacle = Obstacle::Circle(CircleObstacle { at, radius_m: 0.6, side: None });
    let pick_up = |section: usize, left: f64, worth_s: f64| {
        let at = beside(&track, section, left);
        PickUp { at, radius_m: 0.5, worth_s, take: None }
    };
    let (barriers, decisions) = decide(task, &[obstacle], &[pick_up(5, -2.0, 0.3)]).unwrap();
    let mut found = vec![barriers.len() as f64, decisions.laps as f64, decisions.detour_of_all_s.unwrap_or(-1.0)];
    for picked_up in decisions.pick_ups {
        found.extend([f64::from(u8::from(picked_up.is_taken)), picked_up.detour_s.unwrap_or(-1.0)]);
    }
    found
}

#[test]
fn decisions_by_laps() {
    is("decisions_by_laps", &decided(PickUpSearch::Exact));
}

#[test]
fn decisions_by_weights() {
    is("decisions_by_weights", &decided(PickUpSearch::HeavyPoints));
}

/// The line of a kart with what its constraints cost.
fn searched(track: &Track, options: &LineOptions) -> Vec<f64> {
    let line = optimize(track, &preset("kart").unwrap(), options).unwrap();
    let points = line.points();
    let mut found = vec![line.lap_time_s, line.length_m, line.candidates().len() as f64, line.warnings.len() as f64];
    found.extend(sums(points.iter().map(|point| point.x_m + 0.5 * point.y_m)));
    found.extend(sums(points.iter().map(|point| point.speed_mps + point.accel_mps2)));
    found.extend(sums(points.iter().map(|point| point.left_m + 0.5 * point.right_m)));
    found.extend(sums(points.iter().map(|point| point.curvature_radpm + point.z_m.unwrap_or(9.0))));
    for constraint in &line.constraints {
        found.extend([constraint.price_s.unwrap_or(-1.0), constraint.seconds_per_m.unwrap_or(-1.0)]);
    }
    found
}

fn pinned_and_capped(method: Method, pins: usize, caps: usize) -> Vec<f64> {
    let track = short();
    let cap = SpeedCap { from_m: 60.0, to_m: 80.0, max_speed_mps: 12.0 };
    let pin = Pin { at: beside(&track, 5, 1.0), tolerance_m: 0.2 };
    let (speed_cap, pin) = (vec![cap; caps], vec![pin; pins]);
    searched(&track, &LineOptions { method, solve: options(), speed_cap, pin, ..LineOptions::default() })
}

#[test]
fn a_line_of_minimum_curvature_with_a_pin_and_a_speed_cap() {
    is("a_line_of_minimum_curvature_with_a_pin_and_a_speed_cap", &pinned_and_capped(Method::MinCurvature, 1, 1));
}

#[test]
fn a_line_with_a_pin() {
    is("a_line_with_a_pin", &pinned_and_capped(Method::TimeOptimal, 1, 0));
}

#[test]
fn a_line_with_a_speed_cap() {
    is("a_line_with_a_speed_cap", &pinned_and_capped(Method::TimeOptimal, 0, 1));
}

fn around(region: NoGo, prices: bool) -> Vec<f64> {
    searched(&short(), &LineOptions { solve: options(), no_go: vec![region], prices, ..LineOptions::default() })
}

#[test]
fn a_line_beside_a_stretch() {
    let region = StretchNoGo { from_m: 40.0, to_m: 60.0, side: RoadSide::Right, width_m: 1.5 };
    is("a_line_beside_a_stretch", &around(NoGo::Stretch(region), true));
}

#[test]
fn a_line_around_an_area() {
    let track = short();
    let polygon =
        [(25, 1.5), (28, 1.5), (28, 4.0), (25, 4.0)].map(|(section, left)| beside(&track, section, left)).to_vec();
    is("a_line_around_an_area", &around(NoGo::Polygon(PolygonNoGo { polygon, side: None }), false));
}

/// A line that crosses a hilly road with stretches of another grip.
#[test]
fn a_line_on_a_hilly_road() {
    let wet = GripStretch { from_m: 20.0, to_m: 60.0, factor: 0.8, ramp_m: 5.0 };
    let options = LineOptions { solve: options(), grip: vec![wet.into()], ..LineOptions::default() };
    is("a_line_on_a_hilly_road", &searched(&hilly(), &options));
}
