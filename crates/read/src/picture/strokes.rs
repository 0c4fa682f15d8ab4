//! A drawing reduced to the stroke of its road: thinner lines, texts and filled shapes are removed,
//! and the gaps that they leave are drawn through in the direction of the stroke.
//!
//! The half width of the main stroke is the most frequent one along the middles of all ink, weighted
//! by itself. What a disc of most of that size does not fit into is no part of the stroke: letters,
//! frames, grids, pit lanes of half the width. Where a much larger disc fits, a box or a disc was
//! drawn over the road, or strokes meet at a sharp angle.

use image::{GrayImage, Luma};
use imageproc::distance_transform::euclidean_squared_distance_transform;

use super::bridges::{Bridge, axis};
use super::regions::Regions;
use super::stroke_ends::{self, StrokeEnd};
use super::{Grey, Pixel};
use raceline_numerics::math;
use raceline_road::geometry::Point;

/// A larger picture is not reduced, pixels: a distance takes eight bytes.
const MAX_PIXELS: usize = 40_000_000;

/// Half width of the thinnest and the thickest stroke, pixels.
const HALF_WIDTH_PX: std::ops::Range<f64> = 1.4..60.0;

/// Resolution of half widths, per pixel.
const BINS_PER_PX: f64 = 2.0;

/// A half width has the weight of this power of itself: less, and the lines of a grid outweigh the stroke; more, and
/// filled boxes do.
const WEIGHT_EXPONENT: f64 = 1.6;

/// Radius of the disc that fits into the stroke, in its half widths …
const CORE: f64 = 0.7;
/// … and of the smallest that fits into no stroke.
const BLOB: f64 = 1.65;

/// Distance about the core over which ink belongs to the stroke: the rest of its half width, and the
/// grey levels at its edge, pixels.
const RIM_PX: f64 = 1.5;

/// Distance about a filled shape over which ink is removed, in widths of the stroke.
const BESIDE_BLOB: f64 = 0.6;

/// A drawing in which filled shapes occupy more than this fraction of the ink has no main stroke.
const MAX_BLOBS: f64 = 0.35;

/// Smallest piece of the stroke, in squares of its width.
const SMALLEST_PIECE: f64 = 3.0;

/// Longest gap that is drawn through, in widths of the stroke …
const LONGEST_GAP: f64 = 16.0;
/// … and in pixels, which bounds the work of drawing it.
const LONGEST_GAP_PX: f64 = 400.0;
/// Longest part of a gap over which nothing is drawn, in widths of the stroke: a start line as a gap. A road that is
/// interrupted for longer may end there.
const LONGEST_CLEAR: f64 = 2.0;
/// Largest light shape that is a box or a disc over the road rather than ground, in squares of the stroke's width.
const LARGEST_BOX: f64 = 40.0;

/// The cosine of the largest angle between an end's direction and that to the other end.
const FACING: f64 = 0.3;

/// Length of a gap that costs as much as a right angle at one end, in widths.
const TURN_COST: f64 = 24.0;

/// More ends are a pattern.
const MAX_ENDS: usize = 128;

/// The stroke alone, black on white, with its gaps drawn through. `None` if the ink has no main stroke, or if
/// nothing was removed or drawn.
pub(super) fn reduced(ink: &Grey, threshold: u16) -> Option<Grey> {
    let (width, height) = ink.dimensions();
    if ink.as_raw().len() > MAX_PIXELS {
        return None;
    }
    let is_ground = |&value: &u16| value > threshold;
    let depth = distances(width, height, ink.as_raw().iter().map(is_ground));
    let half = main_half_width(&depth, width as usize)?;
    let stroke_width = 2.0 * half - 1.0;
    // Letters in a box are no ground.
    let holes = small_holes(ink, threshold, stroke_width * stroke_width)?;
    let ground = ink.as_raw().iter().zip(holes).map(|(value, is_hole)| is_ground(value) && !is_hole);
    let depth = distances(width, height, ground);
    let blobs = blobs(&depth, (width, height), half)?;
    let core = depth.iter().zip(&blobs).map(|(&depth, &blob)| !blob && f64::from(depth) >= CORE * half);
    let to_core = distances(width, height, core);
    let rim = CORE * half + RIM_PX;
    let mut stroke = ink.clone();
    for ((value, &distance), &blob) in stroke.iter_mut().zip(&to_core).zip(&blobs) {
        if blob || f64::from(distance) > rim {
            *value = u16::MAX;
        }
    }
    let level = dark_level(&stroke, threshold)?;
    without_specks(&mut stroke, threshold, SMALLEST_PIECE * stroke_width * stroke_width)?;
    let drawn = Regions::new(ink, threshold)?;
    join(&mut stroke, &drawn, threshold, stroke_width, level);
    (stroke != *ink).then_some(stroke)
}

/// Distance of each pixel to the nearest one that is `marked`, pixels.
fn distances(width: u32, height: u32, marked: impl Iterator<Item = bool>) -> Vec<f32> {
    let marked: Vec<u8> = marked.map(u8::from).collect();
    let Some(marked) = GrayImage::from_raw(width, height, marked) else { return Vec::new() };
    euclidean_squared_distance_transform(&marked).iter().map(|&squared| squared.sqrt() as f32).collect()
}

/// The indices of the pixels that no neighbour is deeper than.
fn ridge(depth: &[f32], width: usize) -> impl Iterator<Item = usize> + '_ {
    let rows = depth.len() / width.max(1);
    (1..rows.saturating_sub(1))
        .flat_map(move |row| (1..width.saturating_sub(1)).map(move |column| row * width + column))
        .filter(move |&at| {
            depth[at] > 0.0
                && [
                    at - width - 1,
                    at - width,
                    at - width + 1,
                    at - 1,
                    at + 1,
                    at + width - 1,
                    at + width,
                    at + width + 1,
                ]
                .iter()
                .all(|&beside| depth[beside] <= depth[at])
        })
}

/// Half width of the main stroke.
fn main_half_width(depth: &[f32], width: usize) -> Option<f64> {
    let bins = (HALF_WIDTH_PX.end * BINS_PER_PX) as usize + 1;
    let mut lengths = vec![0_f64; bins];
    for at in ridge(depth, width) {
        let bin = (f64::from(depth[at]) * BINS_PER_PX).round() as usize;
        if let Some(length) = lengths.get_mut(bin) {
            *length += 1.0;
        }
    }
    // A stroke's half width varies by a pixel with its direction.
    let weight = |bin: usize| {
        let near = bin.saturating_sub(1)..(bin + 2).min(bins);
        math::powf(bin as f64, WEIGHT_EXPONENT) * lengths[near].iter().sum::<f64>()
    };
    let best = (1..bins).max_by(|&a, &b| weight(a).total_cmp(&weight(b)).then(b.cmp(&a)))?;
    let half = best as f64 / BINS_PER_PX;
    HALF_WIDTH_PX.contains(&half).then_some(half)
}

/// The pixels in and about filled shapes; `None` if they occupy too much of the ink.
fn blobs(depth: &[f32], (width, height): (u32, u32), half: f64) -> Option<Vec<bool>> {
    let (columns, rows) = (width as usize, height as usize);
    let deep = |at: usize| f64::from(depth[at]) > BLOB * half;
    let inked = depth.iter().filter(|&&depth| depth > 0.0).count();
    let filled = (0..depth.len()).filter(|&at| deep(at)).count();
    if filled as f64 > MAX_BLOBS * inked as f64 {
        return None;
    }
    let mut blobs = vec![false; depth.len()];
    // Discs about the ridge cover a shape; their number is at most that of its pixels, and their work is
    // bounded by the ink.
    let mut work = 64 * depth.len() as u64;
    for at in ridge(depth, columns).filter(|&at| deep(at)) {
        let radius = f64::from(depth[at]) + BESIDE_BLOB * 2.0 * half;
        let (column, row) = (at % columns, at / columns);
        let reach = radius as usize;
        work = work.checked_sub((2 * reach as u64 + 1).pow(2))?;
        for y in row.saturating_sub(reach)..=(row + reach).min(rows - 1) {
            let dy = y as f64 - row as f64;
            let across = (radius * radius - dy * dy).max(0.0).sqrt() as usize;
            blobs[y * columns + column.saturating_sub(across)..=y * columns + (column + across).min(columns - 1)]
                .fill(true);
        }
    }
    Some(blobs)
}

/// Median level of the ink.
fn dark_level(ink: &Grey, threshold: u16) -> Option<u16> {
    let mut levels: Vec<u16> = ink.iter().copied().filter(|&value| value <= threshold).collect();
    let middle = levels.len() / 2;
    (!levels.is_empty()).then(|| *levels.select_nth_unstable(middle).1)
}

/// Whether each pixel lies in a light shape of a smaller area than this, pixels², within the ink.
fn small_holes(ink: &Grey, threshold: u16, area: f64) -> Option<Vec<bool>> {
    let regions = Regions::new(ink, threshold)?;
    let mut holes = vec![false; ink.as_raw().len()];
    for (index, region) in (0..).zip(&regions.list) {
        if region.light && region.border.is_none() && (region.area as f64) < area {
            for (row, run) in regions.runs_of(index) {
                let start = row as usize * regions.size.0 as usize;
                holes[start + run.start as usize..start + run.end as usize].fill(true);
            }
        }
    }
    Some(holes)
}

/// Removes dark shapes of a smaller area, pixels².
fn without_specks(stroke: &mut Grey, threshold: u16, area: f64) -> Option<()> {
    let regions = Regions::new(stroke, threshold)?;
    let is_speck: Vec<bool> = regions.list.iter().map(|region| !region.light && (region.area as f64) < area).collect();
    for row in 0..regions.size.1 {
        for run in regions.row(row).iter().filter(|run| is_speck[run.region as usize]) {
            // With the grey levels beside it.
            for row in row.saturating_sub(1)..=(row + 1).min(regions.size.1 - 1) {
                for column in run.start.saturating_sub(2)..(run.end + 2).min(regions.size.0) {
                    stroke.put_pixel(column, row, Luma([u16::MAX]));
                }
            }
        }
    }
    Some(())
}

/// Draws through the gaps between ends that face each other, the straightest and shortest first, if something was
/// `drawn` over them.
fn join(stroke: &mut Grey, drawn: &Regions, threshold: u16, width: f64, level: u16) {
    let Some(regions) = Regions::new(stroke, threshold) else { return };
    let strokes: Vec<bool> = regions.list.iter().map(|region| !region.light).collect();
    let ends = stroke_ends::ends(stroke, threshold, &regions, &strokes);
    if ends.len() > MAX_ENDS {
        return;
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (i, from) in ends.iter().enumerate() {
        for (j, to) in ends.iter().enumerate().skip(i + 1) {
            pairs.extend(cost(from, to, width).map(|cost| (cost, i, j)));
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken = vec![false; ends.len()];
    for (_, i, j) in pairs {
        if !taken[i] && !taken[j] {
            let axis = axis(&ends[i], &ends[j]);
            if clear_length(&axis, drawn, width) > LONGEST_CLEAR * width {
                continue;
            }
            (taken[i], taken[j]) = (true, true);
            let bridge = Bridge {
                axis,
                widths: [ends[i].width, ends[j].width],
                stroke: f64::from(level),
                ground: f64::from(u16::MAX),
            };
            bridge.draw(stroke, false);
        }
    }
}

/// Length of a line over which it crosses the ground, pixels.
fn clear_length(axis: &[Point], drawn: &Regions, width: f64) -> f64 {
    let (columns, rows) = drawn.size;
    let is_clear = |p: Point| {
        let place = Pixel { column: (p.x as u32).min(columns - 1), row: (p.y as u32).min(rows - 1) };
        let region = &drawn.list[drawn.at(place) as usize];
        region.light && (region.border.is_some() || region.area as f64 > LARGEST_BOX * width * width)
    };
    let pieces = axis.windows(2).filter(|pair| is_clear(pair[0]));
    pieces.map(|pair| (pair[1] - pair[0]).norm()).sum()
}

/// What it costs to join two ends, in widths of the stroke; `None` if they do not face each other.
fn cost(from: &StrokeEnd, to: &StrokeEnd, width: f64) -> Option<f64> {
    let across = to.middle - from.middle;
    let length = across.norm();
    let cosines = [from.outward.dot(&across) / length, -to.outward.dot(&across) / length];
    let faces = cosines.iter().all(|&cosine| cosine >= FACING);
    let cost = length / width + TURN_COST * (2.0 - cosines[0] - cosines[1]);
    (length > 0.0 && length <= LONGEST_GAP_PX.min(LONGEST_GAP * width) && faces).then_some(cost)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_3;

    use super::{Grey, Point, StrokeEnd, blobs, cost, distances};
    use raceline_road::geometry::Vector;

    #[test]
    fn a_turn_costs_as_much_as_a_long_gap() {
        let end = |x: f64, heading: f64| StrokeEnd {
            region: 0,
            middle: Point::new(x, 0.0),
            outward: Vector::new(heading.cos(), heading.sin()),
            width: 10.0,
        };
        let between =
            |length: f64, heading: f64| cost(&end(0.0, heading), &end(length, std::f64::consts::PI), 10.0).unwrap();
        assert!((between(50.0, 0.0) - 5.0).abs() < 1e-9);
        // 60° cost as much as 12 widths.
        assert!((between(50.0, FRAC_PI_3) - 17.0).abs() < 1e-9);
    }

    /// The pixels in and about filled shapes of a stroke 12 px wide and `length` px long with a square of 30 px.
    fn about_square(length: u32) -> Option<Vec<bool>> {
        let drawn = Grey::from_fn(1000, 60, |column, row| {
            let is_stroke = (24..36).contains(&row) && column < length;
            let is_square = (15..45).contains(&row) && (50..80).contains(&column);
            image::Luma([if is_stroke || is_square { 0 } else { u16::MAX }])
        });
        let depth = distances(1000, 60, drawn.iter().map(|&value| value > 0));
        blobs(&depth, (1000, 60), 6.5)
    }

    #[test]
    fn what_lies_within_half_a_width_of_a_filled_shape_is_removed() {
        let removed = about_square(1000).unwrap();
        let is_removed = |column: usize| removed[30 * 1000 + column];
        // The disc in the middle reaches 15.5 px, and 0.6 of 13 px more.
        assert!(is_removed(65) && is_removed(85) && is_removed(86));
        assert!(!is_removed(91) && !is_removed(100));
    }

    #[test]
    fn a_drawing_of_filled_shapes_has_no_main_stroke() {
        // The deep pixels of the square are 1/9 of the ink of the short stroke and 1/50 of the long one's.
        let filled = Grey::from_fn(200, 60, |column, row| {
            image::Luma([if (10..50).contains(&row) && (10..190).contains(&column) { 0 } else { u16::MAX }])
        });
        let depth = distances(200, 60, filled.iter().map(|&value| value > 0));
        assert!(blobs(&depth, (200, 60), 6.5).is_none());
        assert!(about_square(150).is_some() && about_square(1000).is_some());
    }
}
