//! The road's outline, moved to where the evidence changes from road to ground.
//!
//! Each point of the smoothed outline may move along its normal. The cost of a position is the
//! evidence that then lies on the wrong side, and a penalty for neighbours that move by different
//! amounts. Dynamic programming finds the cheapest movement of the whole outline (after A. Amini et
//! al., "Using dynamic programming for solving variational problems in vision", IEEE PAMI 12,
//! 1990). A car or a start line, which covers a short stretch, therefore does not bend the outline.

use image::RgbImage;
use rayon::prelude::*;

use super::close_legs::Ground;
use super::curve::Curve;
use super::evidence::Evidence;
use raceline_road::geometry::Point;

/// One round of the search: the smoothing of the outline before it, and the reach of the movement,
/// both in widths of the road.
struct Round {
    smoothing: f64,
    reach: f64,
}

/// The first round removes the stairs and bumps of the first outline; the second round recovers
/// sharp bends.
const ROUNDS: [Round; 2] = [Round { smoothing: 0.25, reach: 0.33 }, Round { smoothing: 0.08, reach: 0.2 }];

/// Minimum and largest reach, pixels.
const REACH_PX: (f64, f64) = (2.5, 40.0);

/// Penalty for a slope against the outline, per pixel along it: a slope of one costs as much as
/// this many pixels of the clearest evidence. Lower values follow noise; higher values keep corners
/// that the first outline cut.
const STIFFNESS: f64 = 8.0;

/// Smoothing of the result, in widths of the road, and its minimum, pixels.
const SMOOTHING_AFTER: f64 = 0.06;
const SMOOTHING_PX: f64 = 1.5;

/// Cost of a position that is nearer to another leg of the road.
pub(super) const BARRED: f64 = 1e6;

/// The outlines after the search.
pub(super) fn settled(
    colours: &RgbImage,
    evidence: &Evidence,
    ground: &Ground,
    outlines: &[Vec<Point>],
    width_px: f64,
) -> Vec<Vec<Point>> {
    let step = (width_px / 12.0).clamp(0.75, 4.0);
    let stride = (width_px / 24.0).clamp(0.5, 2.0);
    outlines
        .par_iter()
        .filter_map(|outline| {
            let mut curve = Curve::resampled(outline, step)?;
            for round in ROUNDS {
                let smooth = curve.smoothed((round.smoothing * width_px).max(SMOOTHING_PX));
                curve = Curve::resampled(&smooth.points, step)?;
                let reach = ((round.reach * width_px).clamp(REACH_PX.0, REACH_PX.1) / stride).ceil() as usize;
                let costs = costs(colours, evidence, ground, &curve, reach, stride);
                let places = cheapest(&costs, 2 * reach + 1, STIFFNESS * stride * stride / curve.step);
                let offsets: Vec<f64> = places.iter().map(|&place| (place as f64 - reach as f64) * stride).collect();
                curve = Curve::resampled(&curve.moved(&offsets), step)?;
            }
            Some(curve.smoothed((SMOOTHING_AFTER * width_px).max(SMOOTHING_PX)).points)
        })
        .collect()
}

/// For each point of the curve, the cost of each position from the innermost to the outermost.
fn costs(
    colours: &RgbImage,
    evidence: &Evidence,
    ground: &Ground,
    curve: &Curve,
    reach: usize,
    stride: f64,
) -> Vec<f64> {
    let normals = curve.normals();
    let mut costs = Vec::with_capacity(curve.points.len() * (2 * reach + 1));
    for (&point, normal) in curve.points.iter().zip(normals) {
        let mut cost = 0.0;
        let middle = ground.middle(point, normal, reach as f64 * stride).unwrap_or(f64::INFINITY);
        for place in 0..=2 * reach {
            let is_barred = (place as f64 - reach as f64) * stride > middle;
            costs.push(if is_barred { BARRED } else { cost });
            // What lies between this position and the next is then road.
            let offset = (place as f64 + 0.5 - reach as f64) * stride;
            cost -= 2.0 * evidence.at(colours, point + normal * offset) * stride * curve.step;
        }
    }
    costs
}

/// One position per station of a closed curve: the positions with the minimum sum of their costs
/// and `stiffness` times the squared differences of neighbours. `costs` contains `places` values
/// per station.
pub(super) fn cheapest(costs: &[f64], places: usize, stiffness: f64) -> Vec<usize> {
    // Largest difference of neighbouring positions.
    const MAX_JUMP: usize = 3;
    // The seam is closed by continuing past it; after this many stations the start has no
    // influence.
    const OVERLAP: usize = 200;
    let stations = costs.len() / places.max(1);
    if stations == 0 {
        return Vec::new();
    }
    let overlap = OVERLAP.min(stations);
    let total = stations + 2 * overlap;
    let mut sums = costs[(stations - overlap) % stations * places..][..places].to_vec();
    let mut came_from = Vec::with_capacity(total * places);
    came_from.extend((0..places).map(|place| place as u8));
    for turn in 1..total {
        let station = (stations - overlap + turn) % stations;
        let here = &costs[station * places..][..places];
        let mut next = Vec::with_capacity(places);
        for (place, cost) in here.iter().enumerate() {
            let from = place.saturating_sub(MAX_JUMP)..=(place + MAX_JUMP).min(places - 1);
            let (mut best, mut best_from) = (f64::INFINITY, place);
            for other in from {
                let jump = place.abs_diff(other) as f64;
                let sum = sums[other] + stiffness * jump * jump;
                if sum < best {
                    (best, best_from) = (sum, other);
                }
            }
            next.push(best + cost);
            came_from.push(best_from as u8);
        }
        sums = next;
    }
    let mut place = (0..places).fold(0, |best, place| if sums[place] < sums[best] { place } else { best });
    let mut path = vec![0; stations];
    for turn in (overlap..total).rev() {
        if turn < overlap + stations {
            path[turn - overlap] = place;
        }
        place = usize::from(came_from[turn * places + place]);
    }
    path
}
