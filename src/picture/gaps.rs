//! Gaps in thin lines, closed: a scan's outline with a break, an edge that a letter was erased from.
//!
//! The drawn pixels are dilated and eroded again by half the widest gap (a morphological closing: J. Serra, "Image analysis and
//! mathematical morphology", 1982, chapter II). A gap wider than the line is thick lets the discs in from either side, so ends of lines
//! that face one another are joined by a stroke as well. What is added becomes ink. The lines themselves stay as they are.

use image::{GrayImage, Luma};
use imageproc::distance_transform::Norm;
use imageproc::morphology::close_mut;

use super::Grey;
use super::regions::Regions;

/// Gaps up to these many line thicknesses are closed, the narrower first: closing wide ones also fills narrow roads.
pub(super) const GAP_THICKNESSES: [f64; 3] = [1.0, 2.0, 3.0];

/// A gap's ends are blurred by anti-aliasing.
const HALF_PIXEL: f64 = 0.5;

/// Round the end of a line its ink is looked at this far, in line thicknesses: a few pixels even of a hairline, and less than the
/// radius of its bends.
const END_REACH_THICKNESSES: f64 = 2.0;
const END_LEAST_REACH_PX: f64 = 4.0;

/// At the end of a line the middle of the ink in reach lies half the reach away; on the line it lies here, in a corner of 60° 0.43
/// of the reach away.
const END_OFFSET: f64 = 0.44;

/// Ends face one another when both point across the gap to within the angle of this cosine.
const FACING: f64 = 0.8;

/// Ink on more than this share of the picture, and more ends than this, are no drawing of lines.
const MOST_INK_SHARE: f64 = 0.125;
const MOST_ENDS: usize = 1024;

/// Lines thicker than this aren't an outline's, pixels.
const THICKEST_LINE_PX: f64 = 16.0;

/// The picture with gaps of up to `thicknesses` in its thin lines filled with their ink; `None` when it shows no thin lines. The lines
/// are what lies on the rarer side of `threshold`.
pub(super) fn closed(grey: &Grey, threshold: u16, regions: &Regions, thicknesses: f64) -> Option<Grey> {
    let light_pixels: u64 = regions.list.iter().filter(|region| region.light).map(|region| region.area).sum();
    let ink_is_light = 2 * light_pixels <= grey.as_raw().len() as u64;
    // Long lines count; letters are short.
    let drawn = regions.list.iter().filter(|region| region.light == ink_is_light);
    let longest = drawn.max_by(|a, b| a.diagonal().total_cmp(&b.diagonal()))?;
    let thickness = longest.mean_width();
    if thickness > THICKEST_LINE_PX {
        return None;
    }
    let radius = (thicknesses * thickness / 2.0 + HALF_PIXEL).ceil() as u8;
    let is_ink = |value: u16| (value > threshold) == ink_is_light;
    let (width, height) = grey.dimensions();
    let mut ink = GrayImage::new(width, height);
    for (pixel, &value) in ink.as_mut().iter_mut().zip(grey.as_raw()) {
        *pixel = if is_ink(value) { u8::MAX } else { 0 };
    }
    let joints = joints(&ink, thickness, thicknesses * thickness + 2.0 * HALF_PIXEL);
    close_mut(&mut ink, Norm::L2, radius);
    joints.into_iter().for_each(|(a, b)| stroke(&mut ink, a, b, thickness / 2.0));
    let levels = grey.as_raw().iter().copied();
    let level = if ink_is_light { levels.max() } else { levels.min() }?;
    let mut filled = grey.clone();
    for (pixel, closed) in filled.pixels_mut().zip(ink.as_raw()) {
        if *closed > 0 && !is_ink(pixel.0[0]) {
            *pixel = Luma([level]);
        }
    }
    Some(filled)
}

/// An end of a line: the pixel, and the direction in which the line would go on, times how clearly it ends.
type End = ((i64, i64), (f64, f64));

/// Pairs of ends of lines that face one another across at most `widest` pixels.
fn joints(ink: &GrayImage, thickness: f64, widest: f64) -> Vec<((i64, i64), (i64, i64))> {
    let ends = ends(ink, thickness);
    let mut joints = Vec::new();
    for (number, &((x, y), out)) in ends.iter().enumerate() {
        for &((to_x, to_y), back) in &ends[number + 1..] {
            let (dx, dy) = ((to_x - x) as f64, (to_y - y) as f64);
            let apart = dx.hypot(dy);
            // From the middle of one pixel to that of another it is a pixel farther than the gap is wide.
            let near = apart > 0.0 && apart <= widest + 1.0;
            let along = |(u, v): (f64, f64)| (u * dx + v * dy) / (apart * u.hypot(v));
            if near && along(out) > FACING && along(back) < -FACING {
                joints.push(((x, y), (to_x, to_y)));
            }
        }
    }
    joints
}

/// The ends of lines: the pixels from which the ink in reach lies farthest to one side. None in a picture of something else.
fn ends(ink: &GrayImage, thickness: f64) -> Vec<End> {
    let reach = (END_REACH_THICKNESSES * thickness).max(END_LEAST_REACH_PX);
    let steps = reach as i64;
    let disc: Vec<(i64, i64)> = (-steps..=steps)
        .flat_map(|dy| (-steps..=steps).map(move |dx| (dx, dy)))
        .filter(|&(dx, dy)| ((dx * dx + dy * dy) as f64) <= reach * reach)
        .collect();
    let size = (i64::from(ink.width()), i64::from(ink.height()));
    let is_ink =
        |x: i64, y: i64| x >= 0 && y >= 0 && x < size.0 && y < size.1 && ink.get_pixel(x as u32, y as u32).0[0] > 0;
    let mut found: Vec<End> = Vec::new();
    let inked = ink.as_raw().iter().filter(|&&value| value > 0).count();
    if inked as f64 > MOST_INK_SHARE * ink.as_raw().len() as f64 {
        return found;
    }
    for (column, row, _) in ink.enumerate_pixels().filter(|(.., pixel)| pixel.0[0] > 0) {
        let (x, y) = (i64::from(column), i64::from(row));
        // A tip lies at the ink's edge.
        if is_ink(x - 1, y) && is_ink(x + 1, y) && is_ink(x, y - 1) && is_ink(x, y + 1) {
            continue;
        }
        if found.len() > MOST_ENDS {
            return Vec::new();
        }
        let (mut count, mut sum) = (0_i64, (0, 0));
        for &(dx, dy) in disc.iter().filter(|&&(dx, dy)| is_ink(x + dx, y + dy)) {
            count += 1;
            sum = (sum.0 + dx, sum.1 + dy);
        }
        let out = (-sum.0 as f64 / count as f64, -sum.1 as f64 / count as f64);
        // A speck has no direction.
        let is_line = count as f64 >= END_OFFSET * reach * thickness.min(reach);
        if !is_line || out.0.hypot(out.1) < END_OFFSET * reach {
            continue;
        }
        let size = |end: &End| end.1.0.hypot(end.1.1);
        let rival = found.iter().position(|&((px, py), _)| ((px - x).pow(2) + (py - y).pow(2)) as f64 <= reach * reach);
        match rival {
            Some(index) if size(&found[index]) >= out.0.hypot(out.1) => {}
            Some(index) => found[index] = ((x, y), out),
            None => found.push(((x, y), out)),
        }
    }
    found
}

/// Inks what lies within `half` pixels of a straight piece.
fn stroke(ink: &mut GrayImage, (ax, ay): (i64, i64), (bx, by): (i64, i64), half: f64) {
    let (dx, dy) = ((bx - ax) as f64, (by - ay) as f64);
    let squared = (dx * dx + dy * dy).max(1.0);
    let around = half.ceil() as i64;
    let range = |a: i64, b: i64, size: u32| (a.min(b) - around).max(0)..=(a.max(b) + around).min(i64::from(size) - 1);
    for y in range(ay, by, ink.height()) {
        for x in range(ax, bx, ink.width()) {
            let off = ((x - ax) as f64, (y - ay) as f64);
            let t = ((off.0 * dx + off.1 * dy) / squared).clamp(0.0, 1.0);
            if (off.0 - t * dx).hypot(off.1 - t * dy) <= half {
                ink.put_pixel(x as u32, y as u32, Luma([u8::MAX]));
            }
        }
    }
}
