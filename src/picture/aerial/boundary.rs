//! The road's outline, moved to where the evidence changes from road to ground.
//!
//! Each point of the smoothed outline may move along its normal. The cost of a place is the evidence that then lies on the wrong
//! side; neighbours that move by different amounts cost as well, and the cheapest movement of the whole outline is found by dynamic
//! programming (after A. Amini et al., "Using dynamic programming for solving variational problems in vision", IEEE
//! PAMI 12, 1990). So a car or a start line, which covers a short stretch, doesn't bend the outline.

use image::RgbImage;
use rayon::prelude::*;

use super::curve::Curve;
use super::evidence::Evidence;
use crate::geometry::Point;

/// One round of settling: how much the outline is smoothed before, and how far it may move, both in widths of the road.
struct Round {
    smoothing: f64,
    reach: f64,
}

/// The first round irons out the stairs and bumps of the first outline, the second one lets sharp bends out again.
const ROUNDS: [Round; 2] = [Round { smoothing: 0.25, reach: 0.33 }, Round { smoothing: 0.08, reach: 0.2 }];

/// Least and largest reach, pixels.
const REACH_PX: (f64, f64) = (2.5, 40.0);

/// Price of a slope against the outline, for each pixel along it: a slope of one costs as much as so many pixels of
/// the clearest evidence. Lower values follow noise, higher ones cut corners that the first outline cut.
const STIFFNESS: f64 = 8.0;

/// Smoothing of the result, in widths of the road, and at least so many pixels.
const SMOOTHING_AFTER: f64 = 0.06;
const SMOOTHING_PX: f64 = 1.5;

/// The outlines, settled on the evidence.
pub(super) fn settled(
    colours: &RgbImage,
    evidence: &Evidence,
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
                let costs = costs(colours, evidence, &curve, reach, stride);
                let places = cheapest(&costs, 2 * reach + 1, STIFFNESS * stride * stride / curve.step);
                let offsets: Vec<f64> = places.iter().map(|&place| (place as f64 - reach as f64) * stride).collect();
                curve = Curve::resampled(&curve.moved(&offsets), step)?;
            }
            Some(curve.smoothed((SMOOTHING_AFTER * width_px).max(SMOOTHING_PX)).points)
        })
        .collect()
}

/// For each point of the curve, the cost of each place from the innermost to the outermost.
fn costs(colours: &RgbImage, evidence: &Evidence, curve: &Curve, reach: usize, stride: f64) -> Vec<f64> {
    let normals = curve.normals();
    let mut costs = Vec::with_capacity(curve.points.len() * (2 * reach + 1));
    for (&point, normal) in curve.points.iter().zip(normals) {
        let mut cost = 0.0;
        for place in 0..=2 * reach {
            costs.push(cost);
            // What lies between this place and the next is road from there on.
            let offset = (place as f64 + 0.5 - reach as f64) * stride;
            cost -= 2.0 * evidence.at(colours, point + normal * offset) * stride * curve.step;
        }
    }
    costs
}

/// One place a station, closed round: the places whose costs, with `stiffness` times the squared difference of neighbours, add up to the
/// least. `costs` holds `places` values for each station.
pub(super) fn cheapest(costs: &[f64], places: usize, stiffness: f64) -> Vec<usize> {
    // Places that a neighbour may differ by at most.
    const MOST_JUMP: usize = 3;
    // The seam is closed by going on round: by then the start is forgotten.
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
            let from = place.saturating_sub(MOST_JUMP)..=(place + MOST_JUMP).min(places - 1);
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
