//! How sure each stretch of a picture's edges is.
//!
//! The usual accuracy follows from the picture's style and grey levels. Where the width differs from that of
//! the road before and behind, an edge may have been drawn over, hidden or lost: the difference is added.

pub use raceline_file::EdgeUncertainty;
use raceline_file::round_to;
use raceline_numerics::median;

use crate::frame::PictureFrame;
use crate::picture::{RoadMask, RoadStyle};
use crate::track::{CrossSection, Track};

/// Length of road with which a width is compared, before and behind, in median widths.
const COMPARED_WIDTHS: f64 = 4.0;

/// A stretch is less sure than the others if its width differs by this many pixels and by this fraction.
const DIFFERENCE_PX: f64 = 1.5;
const DIFFERENCE_FRACTION: f64 = 0.15;

/// Stretches nearer to one another than this are one, in median widths.
const APART_WIDTHS: f64 = 2.0;

/// A stretch goes on by this length to either side, in median widths: what covers an edge also bends it
/// where the width differs by less.
const BEYOND_WIDTHS: f64 = 0.5;

/// Distance within which 95 % of the edges' points lie from the truth, pixels, as measured on drawn circuits.
pub(super) fn usual_px(mask: &RoadMask) -> f64 {
    match (mask.style, mask.anti_aliased) {
        (RoadStyle::Aerial, _) => 0.45,
        (RoadStyle::Outline, _) => 0.24,
        (_, true) => 0.21,
        (_, false) => 0.46,
    }
}

/// How sure the edges of each stretch are, from the start line to the end of the lap.
pub(super) fn stretches(usual_px: f64, track: &Track, frame: Option<PictureFrame>) -> Vec<EdgeUncertainty> {
    let Some(frame) = frame else { return Vec::new() };
    stretches_of(usual_px * frame.metres_per_pixel, track, frame)
}

/// The stretches after the track's edges were corrected: its width may be even now.
pub(super) fn corrected(before: &[EdgeUncertainty], track: &Track, frame: PictureFrame) -> Vec<EdgeUncertainty> {
    let usual_m = before.iter().map(|stretch| stretch.edge_uncertainty_m).reduce(f64::min);
    usual_m.map_or_else(Vec::new, |usual_m| stretches_of(usual_m, track, frame))
}

fn stretches_of(usual_m: f64, track: &Track, frame: PictureFrame) -> Vec<EdgeUncertainty> {
    let length_m = track.centre_line().length();
    let mut found = Vec::new();
    let mut end_m = 0.0;
    for stretch in less_sure(usual_m, track, frame) {
        found.push(EdgeUncertainty { from_m: end_m, to_m: stretch.from_m, edge_uncertainty_m: usual_m });
        found.push(stretch);
        end_m = stretch.to_m;
    }
    found.push(EdgeUncertainty { from_m: end_m, to_m: length_m, edge_uncertainty_m: usual_m });
    // A third decimal is a millimetre.
    let rounded = found.into_iter().map(|stretch| EdgeUncertainty {
        from_m: round_to(stretch.from_m, 3),
        to_m: round_to(stretch.to_m, 3),
        edge_uncertainty_m: round_to(stretch.edge_uncertainty_m, 3),
    });
    rounded.filter(|stretch| stretch.to_m > stretch.from_m).collect()
}

/// The stretches that are less sure than the surest of them.
pub fn doubtful(stretches: &[EdgeUncertainty]) -> impl Iterator<Item = &EdgeUncertainty> {
    let usual_m = stretches.iter().map(|stretch| stretch.edge_uncertainty_m).fold(f64::INFINITY, f64::min);
    stretches.iter().filter(move |stretch| stretch.edge_uncertainty_m > usual_m)
}

/// The stretches whose edges are less sure than the others.
fn less_sure(usual_m: f64, track: &Track, frame: PictureFrame) -> Vec<EdgeUncertainty> {
    let positions = track.centre_line().arc_lengths();
    let widths: Vec<f64> = track.sections.iter().map(CrossSection::width).collect();
    let median_m = median(widths.clone()).unwrap_or_default();
    let count = widths.len();
    let reach = ((COMPARED_WIDTHS * median_m / track.spacing_m.max(1e-9)) as usize).clamp(1, count.max(2) / 2);
    let beyond_m = BEYOND_WIDTHS * median_m;
    let length_m = track.centre_line().length();
    let mut found: Vec<EdgeUncertainty> = Vec::new();
    for (index, &width) in widths.iter().enumerate() {
        let near = window(index, reach, count, track.closed).into_iter().map(|other| widths[other]).collect();
        let difference = (width - median(near).unwrap_or_default()).abs();
        let is_less_sure =
            difference > DIFFERENCE_PX * frame.metres_per_pixel && difference > DIFFERENCE_FRACTION * width;
        let Some(&s) = positions.get(index).filter(|_| is_less_sure) else { continue };
        let edge_uncertainty_m = usual_m + difference;
        let (from_m, to_m) = ((s - beyond_m).max(0.0), (s + beyond_m).min(length_m));
        match found.last_mut() {
            Some(last) if from_m - last.to_m <= APART_WIDTHS * median_m => {
                last.to_m = to_m;
                last.edge_uncertainty_m = last.edge_uncertainty_m.max(edge_uncertainty_m);
            }
            _ => found.push(EdgeUncertainty { from_m, to_m, edge_uncertainty_m }),
        }
    }
    found
}

/// The indices within `reach` of one.
fn window(index: usize, reach: usize, count: usize, closed: bool) -> Vec<usize> {
    if closed {
        return (count + index - reach..=count + index + reach).map(|other| other % count).collect();
    }
    (index.saturating_sub(reach)..(index + reach + 1).min(count)).collect()
}

#[cfg(test)]
mod tests {
    use super::{CrossSection, PictureFrame, Track, doubtful, stretches};
    use crate::geometry::{Point, Vector};
    use crate::track::Direction;

    /// A straight road 10 m wide with a section every metre, 14 m wide at `wide`.
    fn road(wide: &[usize]) -> Track {
        let section = |i: usize| {
            let (middle, half) = (Point::new(i as f64, 0.0), if wide.contains(&i) { 7.0 } else { 5.0 });
            CrossSection { right: middle - Vector::new(0.0, half), left: middle + Vector::new(0.0, half) }
        };
        Track::from_sections((0..300).map(section).collect(), false, Direction::Clockwise, 1.0)
    }

    #[test]
    fn doubtful_places_within_two_widths_are_one_stretch() {
        let frame = PictureFrame { metres_per_pixel: 0.5, origin_m: Point::origin(), width_px: 600, height_px: 100 };
        let found = |wide: &[usize]| {
            let all = stretches(0.2, &road(wide), Some(frame));
            doubtful(&all).map(|stretch| (stretch.from_m, stretch.to_m, stretch.edge_uncertainty_m)).collect::<Vec<_>>()
        };
        // Each place goes on by half a width, 5 m, to either side; its uncertainty is the usual and the difference.
        assert_eq!(found(&[100]), [(95.0, 105.0, 4.1)]);
        assert_eq!(found(&[100, 129]), [(95.0, 134.0, 4.1)]);
        assert_eq!(found(&[100, 131]), [(95.0, 105.0, 4.1), (126.0, 136.0, 4.1)]);
    }
}
