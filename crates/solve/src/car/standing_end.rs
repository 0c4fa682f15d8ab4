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

use std::ops::Range;

use super::model::Car;
use super::price::Energy;
use super::state::CarState;
use crate::speed::{Course, Ground, SpeedProfile};
use crate::stations::Station;
use raceline_numerics::math;
use raceline_road::geometry::Point;

/// q of equation (1), above which an interval is not one of the program.
const MAX_GROWTH: f64 = 1.25;
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
    use super::{Course, nodes_between};

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
