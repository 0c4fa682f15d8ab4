//! A track drawn as a picture: all steps from a mask to a lap.
//!
//! A picture shows the plan only; heights, banking and grip come beside it, as in a sidecar.

use std::fs;
use std::path::Path;

use anyhow::Context;
use raceline::Options;
use raceline::frame::Spot;
use raceline::track::{BankingPoint, ElevationPoint, GripStretch, SectionSurface, Track};

/// Side of a pixel, m.
const PIXEL_M: f64 = 0.25;
/// Points within a pixel in a row: the grey of a pixel is the fraction of it that is road.
const FINE: usize = 3;
/// Black around the road, m.
const BORDER_M: f64 = 10.0;

/// Draws `track` to `path` as a PGM and returns `options` with what reads it in the same
/// coordinates.
pub fn draw(track: &Track, path: &Path, options: &Options) -> anyhow::Result<Options> {
    let ends = || track.sections.iter().flat_map(|section| [section.left, section.right]);
    let bounds = |of: fn(raceline::geometry::Point) -> f64| {
        ends().map(of).fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
    };
    let (across, up) = (bounds(|point| point.x), bounds(|point| point.y));
    let origin = [across[0] - BORDER_M, up[0] - BORDER_M];
    let count = |[min, max]: [f64; 2]| ((max - min + 2.0 * BORDER_M) / PIXEL_M).ceil() as usize;
    let (columns, rows) = (count(across), count(up));
    // Bit i of a pixel: its point i is on the road.
    let mut covered = vec![0_u16; columns * rows];
    let sections = track.sections.len();
    for i in 0..if track.closed { sections } else { sections - 1 } {
        let (a, b) = (&track.sections[i], &track.sections[(i + 1) % sections]);
        let corners = [a.right, b.right, b.left, a.left]
            .map(|point| [(point.x - origin[0]) / PIXEL_M, (point.y - origin[1]) / PIXEL_M]);
        cover(&mut covered, columns, &corners);
    }
    let mut bytes = format!("P5\n{columns} {rows}\n255\n").into_bytes();
    let max = (FINE * FINE) as u32;
    for row in covered.chunks_exact(columns).rev() {
        bytes.extend(row.iter().map(|bits| (bits.count_ones() * 255 / max) as u8));
    }
    fs::write(path, bytes).with_context(|| path.display().to_string())?;
    Ok(beside(track, options, origin))
}

/// Marks the points inside a convex polygon, in pixels.
fn cover(covered: &mut [u16], columns: usize, corners: &[[f64; 2]; 4]) {
    let range = |axis: usize| {
        let values = corners.map(|corner| corner[axis]);
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (min.floor().max(0.0) as usize, max.ceil().max(0.0) as usize)
    };
    let ((left, right), (low, high)) = (range(0), range(1));
    for row in low..high.min(covered.len() / columns) {
        for column in left..right.min(columns) {
            for fine in 0..FINE * FINE {
                let at = |index: usize| (index as f64 + 0.5) / FINE as f64;
                let point = [column as f64 + at(fine % FINE), row as f64 + at(fine / FINE)];
                if is_inside(point, corners) {
                    covered[row * columns + column] |= 1 << fine;
                }
            }
        }
    }
}

fn is_inside([x, y]: [f64; 2], corners: &[[f64; 2]; 4]) -> bool {
    let side = |i: usize| {
        let ([ax, ay], [bx, by]) = (corners[i], corners[(i + 1) % 4]);
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    };
    (0..4).all(|i| side(i) >= 0.0) || (0..4).all(|i| side(i) <= 0.0)
}

/// The values of a sidecar beside the picture.
fn beside(track: &Track, options: &Options, origin: [f64; 2]) -> Options {
    let mut options = options.clone();
    options.scale.metres_per_pixel = Some(PIXEL_M);
    options.scale.origin_m = Some(origin);
    options.track.direction = Some(track.direction);
    if let Some(first) = track.sections.first() {
        let middle = first.middle();
        options.track.start = Some(Spot::Metres([middle.x, middle.y]));
    }
    let Some(surface) = &track.surface else { return options };
    let mut s_m = 0.0;
    let mut before: Option<raceline::geometry::Point> = None;
    let mut grips: Vec<(f64, f64)> = Vec::new();
    for (section, surface) in track.sections.iter().zip(surface) {
        let middle = section.middle();
        if let Some(before) = before {
            s_m += (middle - before).norm();
        }
        before = Some(middle);
        let SectionSurface { left, right } = surface;
        options.elevation.push(ElevationPoint { s_m, z_m: 0.5 * (left.height_m + right.height_m) });
        let banking_rad = ((left.height_m - right.height_m) / section.width()).atan();
        options.banking.push(BankingPoint { s_m, banking_rad });
        grips.push((s_m, 0.5 * (left.grip + right.grip)));
    }
    let mut from = 0;
    for i in 1..=grips.len() {
        if i == grips.len() || (grips[i].1 - grips[from].1).abs() > 1e-3 {
            let to_m = grips.get(i).map_or(s_m, |next| next.0);
            let (from_m, factor) = grips[from];
            if to_m > from_m && (factor - 1.0).abs() > 1e-3 {
                options.grip.push(GripStretch { from_m, to_m, factor, ramp_m: 0.0 }.into());
            }
            from = i;
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::{FINE, cover};

    #[test]
    fn the_grey_of_a_pixel_is_the_fraction_that_is_road() {
        // A rectangle of 3 by 1.5 pixels, whose corners go clockwise.
        let mut covered = vec![0; 5 * 4];
        cover(&mut covered, 5, &[[1.0, 1.0], [1.0, 2.5], [4.0, 2.5], [4.0, 1.0]]);
        let points: Vec<u32> = covered.iter().map(|bits: &u16| bits.count_ones()).collect();
        assert_eq!(points[5..10], [0, 9, 9, 9, 0]);
        // Of three rows of points the lower one and the middle one, on the border, are inside.
        assert_eq!(points[10..15], [0, 6, 6, 6, 0]);
        assert_eq!(points.iter().sum::<u32>(), 3 * 9 + 3 * 6);
        assert_eq!(FINE, 3);
    }
}
