//! The ends of an open road at which a car stands or nearly stands.
//!
//! The program of `problem` has the time by length, 1 / u, linear between two nodes. With the
//! constant acceleration a from u to q u this is too long by the factor
//!
//! ```text
//! (1 + q)² / (4 q)                                                                           (1)
//! ```
//!
//! 1.0125 for q = 1.25, and without a bound at a standing start, where a car would gain any speed
//! within the first interval. There the car follows the start line of its search with the speeds of
//! the point mass, in a steady bend, and the program has the nodes between such ends. Its first and
//! its last motion are those, and steering is expensive next to them: otherwise its path would bend
//! at once.
//!
//! The nodes there are at places that do not depend on those elsewhere: the first one at a fraction
//! of the road's width, the others as far apart as q allows. With equal intervals q falls below its
//! limit after two of them, whatever their length, so that a car with nodes farther apart would be
//! free to steer later, and take longer.

use std::ops::Range;

use super::model::Car;
use super::price::Energy;
use super::state::CarState;
use crate::speed::{Course, Ground, SpeedProfile};
use crate::stations::Station;
use raceline_car::Vehicle;
use raceline_numerics::math;
use raceline_road::geometry::Point;

/// q of equation (1), above which an interval is not one of the program.
const MAX_GROWTH: f64 = 1.25;
/// Distance of the first node from a standing end, in mean widths of the road and in lengths of the
/// vehicle; the smaller applies. Both are a third of the usual distance between cross-sections.
/// Farther away, the car follows the start line for longer: a stage of 128 m takes 0.25 % longer
/// from 0.23 widths than from 0.03.
const FIRST_WIDTHS: f64 = 0.05;
const FIRST_LENGTHS: f64 = 0.15;
/// Distance to the next node next to a standing end, by that from where the car stands: speeds then
/// grow by a fifth, which is below [`MAX_GROWTH`].
const STEP_FRACTION: f64 = 0.45;
/// The program has at least this many nodes.
const MIN_NODES: usize = 8;

/// The nodes of the program among all nodes with these speeds, m/s; all where the rest would be too
/// few.
pub fn nodes_between(speeds: &[f64], course: Course) -> Range<usize> {
    let Course::Open { start_speed_mps, end_speed_mps } = course else { return 0..speeds.len() };
    let grows = |from: f64, to: f64| to > MAX_GROWTH * from;
    let mut range = 0..speeds.len();
    if start_speed_mps.is_some() {
        range.start = speeds.windows(2).take_while(|pair| grows(pair[0], pair[1])).count();
    }
    if end_speed_mps.is_some() {
        range.end -= speeds.windows(2).rev().take_while(|pair| grows(pair[1], pair[0])).count();
    }
    if range.start + MIN_NODES <= range.end { range } else { 0..speeds.len() }
}

/// Distance of the first node from a standing end for `vehicle` on a road of mean width `width_m`,
/// m.
pub fn first_step_m(width_m: f64, vehicle: &Vehicle) -> f64 {
    (FIRST_WIDTHS * width_m).min(FIRST_LENGTHS * vehicle.length_m)
}

/// Increasing parameters `places` of an open course, with closer ones where the vehicle stands or
/// nearly stands, from `first_m` on; `accel_mps2` is its largest acceleration.
pub fn closer_at_standing_ends(places: Vec<f64>, course: Course, first_m: f64, accel_mps2: f64) -> Vec<f64> {
    let (Course::Open { start_speed_mps, end_speed_mps }, [_, .., end]) = (course, &places[..]) else {
        return places;
    };
    // Of two such ends each has its half, so that neither moves the nodes of the other.
    let split = match (start_speed_mps, end_speed_mps) {
        (None, _) => 0,
        (Some(_), None) => places.len() - 1,
        (Some(_), Some(_)) => places.len() / 2,
    };
    let closer =
        |part: &[f64], speed_mps: f64| closer_at_start(part, first_m, 0.5 * speed_mps * speed_mps / accel_mps2);
    let mirrored = |part: &[f64]| -> Vec<f64> { part.iter().rev().map(|s| end - s).collect() };
    let (front, back) = (&places[..=split], &places[split..]);
    let mut found = start_speed_mps.map_or_else(|| front.to_vec(), |speed| closer(front, speed));
    match end_speed_mps {
        Some(speed) => found.extend(&mirrored(&closer(&mirrored(back), speed))[1..]),
        None => found.extend(&back[1..]),
    }
    found
}

/// `places` with closer ones at the beginning, where the car has driven `driven_m` from standstill.
fn closer_at_start(places: &[f64], first_m: f64, driven_m: f64) -> Vec<f64> {
    let (Some(&start), Some(&end)) = (places.first(), places.last()) else { return Vec::new() };
    let mut near = vec![start];
    let mut at = start;
    loop {
        let next = places.partition_point(|&place| place <= at);
        if next + 1 >= places.len() {
            return places.to_vec();
        }
        let by_speed = STEP_FRACTION * (at - start + driven_m);
        let step = if near.len() == 1 { by_speed.max(first_m) } else { by_speed };
        if step >= places[next] - places[next - 1] {
            // The nearest of the places takes the place of the last one, and all others move a
            // little.
            let next = if places[next] - at < at - places[next - 1] { next } else { next - 1 };
            let (from, stretch) = (places[next], (end - at) / (end - places[next]));
            near.extend(places[next + 1..places.len() - 1].iter().map(|place| at + (place - from) * stretch));
            near.push(end);
            return near;
        }
        at += step;
        near.push(at);
    }
}

/// The lap of a point mass at one end, at the nodes that the program does not have.
#[derive(Clone, Debug, Default)]
pub struct StandingEnd {
    pub points: Vec<Point>,
    /// The car in a steady bend, with the time of the point mass from the first node of the road.
    pub states: Vec<CarState>,
    /// Time to the program's first node, or from its last one, s.
    pub time_s: f64,
    /// Energy until then, J.
    pub energy_j: f64,
}

impl StandingEnd {
    /// The end with the nodes of `range`.
    pub fn of(
        range: Range<usize>,
        (stations, grounds, profile): (&[Station], &[Ground], &SpeedProfile),
        car: &Car,
        energy: Energy,
    ) -> Self {
        let motion = |i: usize| {
            let ground = &grounds[i];
            let curvature = ground.geodesic(stations[i].curvature);
            car.steady(profile.speed_mps[i], curvature, profile.accel_mps2[i], ground, stations[i].grip)
        };
        let mut end = Self::default();
        // Those from the first nodes on to the program, or from the program on to the last nodes.
        let intervals = if range.start == 0 { range.clone() } else { range.start - 1..range.end - 1 };
        for i in intervals {
            let pedal = motion(i).pedal;
            let work = pedal.max(0.0) + energy.recuperation * pedal.min(0.0);
            end.energy_j += car.mass_kg * work * stations[i].step;
            end.time_s += profile.time_s[i + 1] - profile.time_s[i];
        }
        for i in range {
            let motion = motion(i);
            end.points.push(stations[i].origin);
            end.states.push(CarState {
                time_s: profile.time_s[i],
                speed_mps: profile.speed_mps[i],
                sideslip_rad: math::atan2(motion.leftward, motion.forward),
                yaw_rate_radps: motion.yaw_rate,
                steering_rad: motion.steering,
                pedal: car.pedal_fraction(motion.pedal, motion.forward).clamp(-1.0, 1.0),
            });
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::{Course, closer_at_standing_ends, nodes_between};

    #[test]
    fn nodes_at_a_standing_end_are_the_same_whatever_the_spacing() {
        let even = |count: u32| (0..=count).map(|k| 60.0 * f64::from(k) / f64::from(count)).collect();
        let there_and_back = Course::Open { start_speed_mps: Some(0.0), end_speed_mps: Some(0.0) };
        let [coarse, fine] = [60, 120].map(|count| closer_at_standing_ends(even(count), there_and_back, 0.3, 9.0));
        assert_eq!(coarse[..3], fine[..3]);
        assert!((coarse[1] - 0.3).abs() < 1e-12 && coarse[2] < 0.5, "{coarse:?}");
        for places in [&coarse, &fine] {
            assert!(places.windows(2).all(|pair| pair[1] > pair[0] && pair[1] - pair[0] < 1.5), "{places:?}");
            let speeds: Vec<f64> = places.iter().map(|s| (18.0 * s.min(60.0 - s)).max(0.0).sqrt()).collect();
            assert_eq!(nodes_between(&speeds, there_and_back), 1..places.len() - 1);
        }
    }

    #[test]
    fn nodes_after_a_rolling_start_stay_where_they_are() {
        let places: Vec<f64> = (0..60).map(f64::from).collect();
        for start_speed_mps in [None, Some(20.0)] {
            let course = Course::Open { start_speed_mps, end_speed_mps: None };
            assert_eq!(closer_at_standing_ends(places.clone(), course, 0.3, 9.0), places);
        }
    }

    /// Speeds after steps of 2 m at 4 m/s², from a walking speed, and back to it.
    fn there_and_back() -> Vec<f64> {
        let speeds: Vec<f64> = (0..20).map(|k| (0.25 + 16.0 * f64::from(k)).sqrt()).collect();
        speeds.iter().copied().chain(speeds.iter().rev().copied()).collect()
    }

    #[test]
    fn a_standing_end_has_the_nodes_whose_speed_grows_fast() {
        let open = |start_speed_mps, end_speed_mps| Course::Open { start_speed_mps, end_speed_mps };
        // √(k + 1 / k) is above 1.25 for k = 0 and 1.
        assert_eq!(nodes_between(&there_and_back(), open(Some(0.0), Some(0.0))), 2..38);
        assert_eq!(nodes_between(&there_and_back(), open(Some(0.0), None)), 2..40);
        assert_eq!(nodes_between(&there_and_back(), open(None, None)), 0..40);
        assert_eq!(nodes_between(&there_and_back(), Course::Closed), 0..40);
    }

    #[test]
    fn a_flying_start_has_none_and_a_short_road_keeps_all() {
        let open = Course::Open { start_speed_mps: Some(20.0), end_speed_mps: None };
        let speeds: Vec<f64> = (0..20).map(|k| (400.0 + 16.0 * f64::from(k)).sqrt()).collect();
        assert_eq!(nodes_between(&speeds, open), 0..20);
        let standing = Course::Open { start_speed_mps: Some(0.0), end_speed_mps: None };
        assert_eq!(nodes_between(&there_and_back()[..8], standing), 0..8);
    }
}
