//! Heights for a road that crosses itself: at each crossing one leg passes over the other.

use std::f64::consts::PI;

use crate::road::Road;

/// Clearance of a bridge, in widths of the road and in metres.
const CLEARANCE_WIDTHS: f64 = 0.5;
const CLEARANCE_M: [f64; 2] = [0.5, 6.0];
/// Vertical curvature of a bridge where there is room for its ramps, 1/m.
const CURVATURE_RADPM: f64 = 0.002;
/// The ramps end at this fraction of the distance along the road to the leg below.
const RAMP_FRACTION: f64 = 0.9;
/// Largest slope of the ramps; where they would be steeper, the legs cross on one level.
const MAX_SLOPE: f64 = 0.12;

/// Gives the road heights, so that the first leg of each of its crossings passes over the second.
pub fn raise(road: &mut Road, width_m: f64) {
    let (positions, length_m) = positions(road);
    let height_m = (CLEARANCE_WIDTHS * width_m).clamp(CLEARANCE_M[0], CLEARANCE_M[1]);
    let apart = |a: f64, b: f64| (a - b).abs().min(if road.closed { length_m - (a - b).abs() } else { length_m });
    let bridges: Vec<[f64; 2]> = crossings(road)
        .into_iter()
        .map(|[above, below]| {
            let ramp_m = PI * (height_m / (2.0 * CURVATURE_RADPM)).sqrt();
            [positions[above], ramp_m.min(RAMP_FRACTION * apart(positions[above], positions[below]))]
        })
        .filter(|[_, ramp_m]| PI * height_m / (2.0 * ramp_m) <= MAX_SLOPE)
        .collect();
    for (station, &s_m) in road.stations.iter_mut().zip(&positions) {
        let heights = bridges.iter().map(|&[at_m, ramp_m]| {
            let fraction = (apart(s_m, at_m) / ramp_m).min(1.0);
            height_m * (1.0 + (PI * fraction).cos()) / 2.0
        });
        station.z_m = Some(heights.sum());
    }
}

/// Positions of the stations along the road, and its length, m.
fn positions(road: &Road) -> (Vec<f64>, f64) {
    let mut positions = Vec::with_capacity(road.stations.len());
    let mut length_m = 0.0;
    for (i, station) in road.stations.iter().enumerate() {
        positions.push(length_m);
        let [_, next] = road.neighbours(i);
        length_m += (next.at[0] - station.at[0]).hypot(next.at[1] - station.at[1]);
    }
    (positions, length_m)
}

/// Pairs of stations after which the road crosses itself.
pub fn crossings(road: &Road) -> Vec<[usize; 2]> {
    let count = road.stations.len();
    let pieces = if road.closed { count } else { count - 1 };
    let piece = |i: usize| [road.stations[i].at, road.stations[(i + 1) % count].at];
    let mut found = Vec::new();
    for i in 0..pieces {
        for j in i + 2..pieces {
            let is_neighbour = road.closed && i == 0 && j + 1 == count;
            if !is_neighbour && meet(piece(i), piece(j)) {
                found.push([i, j]);
            }
        }
    }
    found
}

/// Whether two pieces cross.
fn meet([a, b]: [[f64; 2]; 2], [c, d]: [[f64; 2]; 2]) -> bool {
    let side =
        |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) > 0.0;
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::road::Station;

    #[test]
    fn one_leg_of_an_eight_passes_over_the_other() {
        let station = |i: u32| {
            let angle = TAU * (f64::from(i) + 0.3) / 400.0;
            let at = [200.0 * angle.sin(), 200.0 * angle.sin() * angle.cos()];
            Station { at, left_m: 4.0, right_m: 4.0, z_m: None, banking_rad: None }
        };
        let mut road = Road { stations: (0..400).map(station).collect(), closed: true };
        raise(&mut road, 8.0);
        let crossings = crossings(&road);
        assert_eq!(crossings.len(), 1);
        let [above, below] = crossings[0].map(|i| road.stations[i].z_m.unwrap());
        assert!((above - below - 4.0).abs() < 0.01, "{above} {below}");
    }
}
