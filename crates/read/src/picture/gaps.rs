//! Closing of gaps in thin lines: a scanned outline with a break, an edge from which a letter was
//! erased.
//!
//! Around the end of a line, the drawn pixels lie on one side. Two ends that face each other across
//! a gap of a few line thicknesses are joined by a straight piece of ink. A morphological closing
//! is not suitable: a disc that cannot pass a gap cannot pass between the two lines of a narrow
//! road either.

use image::Luma;

use super::Grey;
use super::regions::Regions;
use raceline_numerics::math;
use raceline_road::geometry::{Point, Segment};

/// Maximum width of a closed gap in line thicknesses; half a pixel more on either side for the
/// anti-aliasing of the ends.
const WIDEST_GAP_THICKNESSES: f64 = 3.0;
const END_BLUR_PX: f64 = 0.5;

/// Thicker lines do not belong to an outline, pixels.
const THICKEST_LINE_PX: f64 = 8.0;

/// Radius of the neighbourhood in line thicknesses, and its minimum, pixels. Only pixels that are
/// connected to the centre within it count, so that the far side of a narrow gap is excluded.
const REACH_THICKNESSES: f64 = 2.5;
const MIN_REACH_PX: f64 = 3.0;

/// Inside a line, the drawn pixels about one of its own are balanced; at its end, their mean is at
/// half the reach. The same is true of a sharp corner, but nothing faces a corner.
const END_OFFSET_FRACTION: f64 = 0.28;

/// A picture with more ends is not a line drawing.
const MAX_ENDS: usize = 2048;

/// Number of drawn pixels that are looked at about all pixels of lines together, each time anew. A
/// picture that needs more is not a line drawing; an outline of two lines 8 pixels thick and 15 000 long
/// needs 80 million.
pub(super) const MAX_LOOKS: u64 = 100_000_000;

/// Cosine of the largest angle between an end's direction and the direction to the other end.
const FACING: f64 = 0.75;

/// An end of a line.
#[derive(Clone, Copy, Debug)]
struct End {
    column: f64,
    row: f64,
    /// Unit vector pointing out of the line.
    outward: (f64, f64),
    /// Distance of the mean of the drawn pixels, as a fraction of the reach.
    offset: f64,
}

/// The picture with gaps in its thin lines filled with their ink; `None` if it contains no thin
/// lines or no gaps in them. The lines are the pixels on the rarer side of `threshold`. `looks` is the number
/// of pixels that may still be looked at, [`MAX_LOOKS`] for a picture; without any left no gap is found.
pub(super) fn closed(grey: &Grey, threshold: u16, regions: &Regions, looks: &mut u64) -> Option<Grey> {
    closed_up_to(WIDEST_GAP_THICKNESSES, grey, threshold, regions, looks)
}

/// Like [`closed`], for gaps of at most `widest` line thicknesses.
pub(super) fn closed_up_to(
    widest: f64,
    grey: &Grey,
    threshold: u16,
    regions: &Regions,
    looks: &mut u64,
) -> Option<Grey> {
    let light_pixels: u64 = regions.list.iter().filter(|region| region.light).map(|region| region.area).sum();
    let ink_is_light = 2 * light_pixels <= grey.as_raw().len() as u64;
    // Long lines count; letters are short.
    let drawn = regions.list.iter().filter(|region| region.light == ink_is_light);
    let longest = drawn.max_by(|a, b| a.diagonal().total_cmp(&b.diagonal()))?;
    let thickness = longest.mean_width();
    if thickness > THICKEST_LINE_PX {
        return None;
    }
    let lines = Lines { grey, threshold, ink_is_light, reach: (REACH_THICKNESSES * thickness).max(MIN_REACH_PX) };
    let ends = lines.ends(regions, thickness, looks);
    let widest = widest * thickness + 2.0 * END_BLUR_PX;
    let pairs = facing(&ends, widest);
    if pairs.is_empty() {
        return None;
    }
    let levels = grey.as_raw().iter().copied();
    let level = if ink_is_light { levels.max() } else { levels.min() }?;
    let mut filled = grey.clone();
    for (a, b) in pairs {
        draw(&mut filled, a, b, thickness / 2.0, level);
    }
    Some(filled)
}

struct Lines<'a> {
    grey: &'a Grey,
    threshold: u16,
    ink_is_light: bool,
    reach: f64,
}

impl Lines<'_> {
    fn is_ink(&self, column: i64, row: i64) -> bool {
        let place = u32::try_from(column).ok().zip(u32::try_from(row).ok());
        let value = place.and_then(|(column, row)| self.grey.get_pixel_checked(column, row));
        value.is_some_and(|value| (value.0[0] > self.threshold) == self.ink_is_light)
    }

    /// The ends of the lines, in raster order; none if the picture contains too many, or too much ink for
    /// the `looks` that are left.
    fn ends(&self, regions: &Regions, thickness: f64, looks: &mut u64) -> Vec<End> {
        let mut ends: Vec<End> = Vec::new();
        let mut about = Neighbourhood::new(self.reach);
        for row in 0..regions.size.1 {
            for run in regions.row(row) {
                let region = &regions.list[run.region as usize];
                // A long run along the row is the inside of a line.
                let margin = self.reach.ceil() as u32;
                if region.light != self.ink_is_light || region.mean_width() > THICKEST_LINE_PX {
                    continue;
                }
                for column in (run.start..run.end).filter(|&c| c < run.start + margin || c + margin >= run.end) {
                    let (end, looked) = self.end_at(column, row, &mut about);
                    let Some(left) = looks.checked_sub(looked) else {
                        *looks = 0;
                        return Vec::new();
                    };
                    *looks = left;
                    let Some(end) = end else { continue };
                    if ends.len() > MAX_ENDS {
                        return Vec::new();
                    }
                    // Of the pixels about one end, only the outermost is kept.
                    let near = |other: &&mut End| {
                        math::hypot(other.column - end.column, other.row - end.row) <= thickness.max(2.0) * 1.5
                    };
                    match ends.iter_mut().rev().take(MAX_NEAR).find(near) {
                        Some(other) if other.offset >= end.offset => {}
                        Some(other) => *other = end,
                        None => ends.push(end),
                    }
                }
            }
        }
        ends
    }

    /// The end at a drawn pixel, if the line ends there, and the number of drawn pixels about it.
    fn end_at(&self, column: u32, row: u32, about: &mut Neighbourhood) -> (Option<End>, u64) {
        let (mut count, mut right, mut down) = (0_i64, 0_i64, 0_i64);
        about.restart();
        while let Some((dx, dy)) = about.queue.pop() {
            if self.is_ink(i64::from(column) + dx, i64::from(row) + dy) {
                count += 1;
                right += dx;
                down += dy;
                about.enqueue_around(dx, dy);
            }
        }
        let mean = (right as f64 / count as f64, down as f64 / count as f64);
        let length = math::hypot(mean.0, mean.1);
        let offset = length / self.reach;
        let end = (offset >= END_OFFSET_FRACTION).then(|| End {
            column: f64::from(column) + 0.5,
            row: f64::from(row) + 0.5,
            outward: (-mean.0 / length, -mean.1 / length),
            offset,
        });
        (end, count.unsigned_abs())
    }
}

/// The places within reach of a pixel, as differences from it.
struct Neighbourhood {
    reach: i64,
    /// Whether each place of the square about the disc need not be looked at: because it was, or because it
    /// is out of reach.
    seen: Vec<bool>,
    beyond: Vec<bool>,
    queue: Vec<(i64, i64)>,
}

impl Neighbourhood {
    fn new(radius: f64) -> Self {
        // One more on each side, so that every neighbour of a place within reach is in the square.
        let reach = radius.ceil() as i64 + 1;
        let is_beyond = |dx: i64, dy: i64| (dx * dx + dy * dy) as f64 > radius * radius;
        let beyond: Vec<bool> =
            (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| is_beyond(dx, dy))).collect();
        Self { reach, seen: beyond.clone(), beyond, queue: Vec::new() }
    }

    /// Begins at the pixel itself.
    fn restart(&mut self) {
        self.seen.copy_from_slice(&self.beyond);
        self.queue.clear();
        self.enqueue(0, 0);
    }

    fn enqueue(&mut self, dx: i64, dy: i64) {
        let index = ((dy + self.reach) * (2 * self.reach + 1) + dx + self.reach) as usize;
        if !self.seen[index] {
            self.seen[index] = true;
            self.queue.push((dx, dy));
        }
    }

    fn enqueue_around(&mut self, dx: i64, dy: i64) {
        for y in dy - 1..=dy + 1 {
            for x in dx - 1..=dx + 1 {
                self.enqueue(x, y);
            }
        }
    }
}

/// Maximum number of ends in raster order between pixels about the same end.
const MAX_NEAR: usize = 64;

/// Pairs of ends that face each other across at most `widest` pixels, the nearest first; each end
/// is in one pair.
fn facing(ends: &[End], widest: f64) -> Vec<(End, End)> {
    let mut candidates = Vec::new();
    for (i, a) in ends.iter().enumerate() {
        for (j, b) in ends.iter().enumerate().skip(i + 1) {
            let (dx, dy) = (b.column - a.column, b.row - a.row);
            let distance = math::hypot(dx, dy);
            if distance <= 1.0 || distance > widest + 1.0 {
                continue;
            }
            let towards = |end: &End, sign: f64| sign * (end.outward.0 * dx + end.outward.1 * dy) / distance;
            if towards(a, 1.0) >= FACING && towards(b, -1.0) >= FACING {
                candidates.push((distance, i, j));
            }
        }
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken = vec![false; ends.len()];
    let mut pairs = Vec::new();
    for (_, i, j) in candidates {
        if !taken[i] && !taken[j] {
            (taken[i], taken[j]) = (true, true);
            pairs.push((ends[i], ends[j]));
        }
    }
    pairs
}

/// Fills the pixels whose centres lie within `half` of the straight piece between two ends.
fn draw(picture: &mut Grey, a: End, b: End, half: f64, level: u16) {
    let half = half.max(0.75);
    let piece = Segment::new(Point::new(a.column, a.row), Point::new(b.column, b.row));
    let first = |a: f64, b: f64| (a.min(b) - half).floor().max(0.0) as u32;
    let last = |a: f64, b: f64, size: u32| ((a.max(b) + half).ceil().max(0.0) as u32).min(size);
    for row in first(a.row, b.row)..last(a.row, b.row, picture.height()) {
        for column in first(a.column, b.column)..last(a.column, b.column, picture.width()) {
            if piece.distance(Point::new(f64::from(column) + 0.5, f64::from(row) + 0.5)) <= half {
                picture.put_pixel(column, row, Luma([level]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::regions::Regions;
    use super::{Grey, MAX_LOOKS, closed};

    const LEVEL: u16 = 32_767;

    /// A horizontal line 4 pixels thick with a gap of as much.
    fn broken_line() -> Grey {
        Grey::from_fn(200, 60, |column, row| {
            let is_ink = (28..32).contains(&row) && (10..190).contains(&column) && !(98..102).contains(&column);
            image::Luma([if is_ink { 0 } else { u16::MAX }])
        })
    }

    /// Cells of 8 pixels, the dark ones a little smaller so that they are the ink.
    fn chequerboard(side: u32) -> Grey {
        Grey::from_fn(side, side, |column, row| {
            let is_dark = (column / 8 + row / 8) % 2 == 0 && column + row > 0;
            image::Luma([if is_dark { 0 } else { u16::MAX }])
        })
    }

    fn looks_at(grey: &Grey, mut looks: u64) -> (Option<Grey>, u64) {
        let before = looks;
        let filled = closed(grey, LEVEL, &Regions::new(grey, LEVEL).unwrap(), &mut looks);
        (filled, before - looks)
    }

    #[test]
    fn a_gap_is_closed_as_long_as_pixels_may_be_looked_at() {
        let broken = broken_line();
        let (filled, looked) = looks_at(&broken, MAX_LOOKS);
        assert_eq!(filled.unwrap().get_pixel(100, 30).0, [0]);
        // Every pixel of the line, with at most the disc about it.
        let disc = std::f64::consts::PI * 10.0 * 10.0;
        assert!(looked > 0 && (looked as f64) < 176.0 * 4.0 * disc, "{looked}");
        assert!(looks_at(&broken, looked).0.is_some());
        assert!(looks_at(&broken, looked - 1).0.is_none());
    }

    #[test]
    fn the_ends_of_a_line_of_one_pixel_are_found() {
        let broken = Grey::from_fn(200, 60, |column, row| {
            let is_ink = row == 30 && (10..190).contains(&column) && !(99..101).contains(&column);
            image::Luma([if is_ink { 0 } else { u16::MAX }])
        });
        assert_eq!(looks_at(&broken, MAX_LOOKS).0.unwrap().get_pixel(99, 30).0, [0]);
    }

    #[test]
    fn the_ends_of_a_thin_line_are_those_of_its_next_three_pixels() {
        // Over much more than that, this bend has no end: the mean of its pixels is near its centre, not beyond it.
        let bend = Grey::from_fn(60, 60, |column, row| {
            let (right, down) = (f64::from(column) - 30.0, f64::from(row) - 30.0);
            let is_ink = (right.hypot(down) - 10.0).abs() < 0.5 && !(right > 0.0 && down.abs() < 1.5);
            image::Luma([if is_ink { 0 } else { u16::MAX }])
        });
        assert_eq!(bend.get_pixel(40, 30).0, [u16::MAX]);
        assert_eq!(looks_at(&bend, MAX_LOOKS).0.unwrap().get_pixel(40, 30).0, [0]);
    }

    #[test]
    fn a_chequerboard_is_no_line_drawing_however_large() {
        let (small, large) = (chequerboard(400), chequerboard(2400));
        let allowed = 2_000_000;
        for board in [small, large] {
            let (filled, looked) = looks_at(&board, allowed);
            assert!(filled.is_none());
            assert_eq!(looked, allowed);
        }
    }
}
