//! A plot without its axes: the frame, the grid, the legend, and everything outside of the frame removed.
//!
//! Plotting programs draw a road in a frame of four thin lines with ticks, over a grid. The frame is
//! a closed line itself, and a grid divides the ground into cells that may be as wide as the road. A
//! frame is recognised by its ticks: two thin lines of an outline have none.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use image::{DynamicImage, Rgb, RgbImage};

use super::legend::remove_legend;
use super::{Grey, Picture, grey, ink};

/// A line of a frame is at most this thick, px.
const MAX_LINE_PX: u32 = 4;
/// A frame takes at least this fraction of the picture's width and of its height.
const MIN_EXTENT: f64 = 0.25;
/// The ends of two sides that meet differ by at most this, px.
const CORNER_PX: u32 = 3;
/// Ticks on the lower and on the left side, at least.
const MIN_TICKS: usize = 2;
/// The grid has its colour on at least this fraction of the lines through the ticks, and of one of them on at least
/// the second one: a road may cover the rest.
const MIN_GRID: f64 = 0.25;
const MIN_OF_LINE: f64 = 0.15;
/// A line of the grid lies at most this far beside its tick, px.
const REACH_PX: i64 = 2;
/// Channels of one colour differ by at most this, of 255.
const SAME_COLOUR: i32 = 24;
/// Ink that differs from the ground by less than this, of 255, is none.
const FAINT: i32 = 12;

/// The frame of a plot: the first and the last row and column of the ground within it.
struct Frame {
    columns: RangeInclusive<u32>,
    rows: RangeInclusive<u32>,
    /// Where the ticks are, along the lower and along the left side.
    ticks: [Vec<u32>; 2],
}

/// The road of a plot on plain ground; `None` for a picture without a frame that has ticks.
#[must_use]
pub fn without_axes(picture: &Picture) -> Option<Picture> {
    let inked = ink::ink(picture)?.grey;
    let frame = frame_of(&inked)?;
    let mut colours = match &picture.colours {
        Some(colours) => colours.clone(),
        None => {
            let level = |column, row| (picture.grey.get_pixel(column, row).0[0] / 257) as u8;
            RgbImage::from_fn(picture.grey.width(), picture.grey.height(), |column, row| Rgb([level(column, row); 3]))
        }
    };
    let ground = ground_within(&colours, &frame)?;
    remove_legend(&mut colours, (&frame.columns, &frame.rows), ground);
    let line = |is_column: bool| move |&at: &u32| Line { at, is_column };
    let [along, up] = &frame.ticks;
    let lines: Vec<Line> = along.iter().map(line(true)).chain(up.iter().map(line(false))).collect();
    let grid = grid_colours(&colours, &frame, &lines, ground);
    lines.into_iter().for_each(|line| remove_grid(&mut colours, &frame, line, &grid));
    for (column, row, pixel) in colours.enumerate_pixels_mut() {
        if !(frame.columns.contains(&column) && frame.rows.contains(&row)) {
            *pixel = ground;
        }
    }
    let (grey, colours) = grey::from_decoded(DynamicImage::ImageRgb8(colours));
    Some(Picture { name: picture.name.clone(), grey, colours })
}

/// Whether a pixel is inked by more than half; what is outside of the picture is not.
fn is_inked(ink: &Grey, column: u32, row: u32) -> bool {
    ink.get_pixel_checked(column, row).is_some_and(|pixel| pixel.0[0] < u16::MAX / 2)
}

/// The longest inked run of a row: its first and its last column.
fn longest_run(length: u32, is_inked: impl Fn(u32) -> bool) -> Option<[u32; 2]> {
    let mut longest: Option<[u32; 2]> = None;
    let mut from = None;
    for at in 0..=length {
        if at < length && is_inked(at) {
            from.get_or_insert(at);
        } else if let Some(first) = from.take()
            && longest.is_none_or(|[a, b]| at - 1 - first > b - a)
        {
            longest = Some([first, at - 1]);
        }
    }
    longest
}

/// The frame whose four sides are thin, meet at their ends, and have ticks below and on the left.
fn frame_of(ink: &Grey) -> Option<Frame> {
    let (width, height) = ink.dimensions();
    let near = |a: u32, b: u32| a.abs_diff(b) <= CORNER_PX;
    let is_long = |[from, to]: [u32; 2], of: u32| f64::from(to - from) >= MIN_EXTENT * f64::from(of);
    let across = |row: u32| longest_run(width, |column| is_inked(ink, column, row)).filter(|&run| is_long(run, width));
    let down = |column: u32| longest_run(height, |row| is_inked(ink, column, row)).filter(|&run| is_long(run, height));
    let sides: Vec<(u32, [u32; 2])> = (0..height).filter_map(|row| Some((row, across(row)?))).collect();
    let (top, [left, right]) = *sides.first()?;
    let (bottom, _) = *sides.iter().rev().find(|(_, [from, to])| near(*from, left) && near(*to, right))?;
    if bottom < top + (MIN_EXTENT * f64::from(height)) as u32 {
        return None;
    }
    // How thick the line is, from its outer pixel inwards.
    let reaches = |run: Option<[u32; 2]>| run.is_some_and(|[from, to]| near(from, top) && near(to, bottom));
    let spans = |run: Option<[u32; 2]>| run.is_some_and(|[from, to]| near(from, left) && near(to, right));
    let thickness = |holds: &dyn Fn(u32) -> bool| (0..=MAX_LINE_PX).take_while(|&by| holds(by)).count() as u32;
    let of_sides = [
        thickness(&|by| spans(across(top + by))),
        thickness(&|by| bottom >= by && spans(across(bottom - by))),
        thickness(&|by| reaches(down(left + by))),
        thickness(&|by| right >= by && reaches(down(right - by))),
    ];
    if of_sides.iter().any(|thickness| !(1..=MAX_LINE_PX).contains(thickness)) {
        return None;
    }
    let [above, below, before, behind] = of_sides;
    // Ticks stand outside of the frame, or inside.
    let below_it = ticks(left..=right, |column| is_inked(ink, column, bottom + 2));
    let inside_below = || {
        ticks(left + before..=right.saturating_sub(behind), |column| {
            is_inked(ink, column, bottom.saturating_sub(below + 2))
        })
    };
    let left_of_it = ticks(top..=bottom, |row| left >= 2 && is_inked(ink, left - 2, row));
    let inside_left = || ticks(top + above..=bottom.saturating_sub(below), |row| is_inked(ink, left + before + 2, row));
    let enough = |ticks: Vec<u32>| (ticks.len() >= MIN_TICKS).then_some(ticks);
    let along = enough(below_it).or_else(|| enough(inside_below()))?;
    let up = enough(left_of_it).or_else(|| enough(inside_left()))?;
    // The edge of a line is blurred by a pixel.
    Some(Frame {
        columns: left + before + 1..=right.checked_sub(behind + 1)?,
        rows: top + above + 1..=bottom.checked_sub(below + 1)?,
        ticks: [along, up],
    })
}

/// The middles of the inked runs that are as thin as a line.
fn ticks(range: RangeInclusive<u32>, is_inked: impl Fn(u32) -> bool) -> Vec<u32> {
    let end = *range.end();
    let mut found = Vec::new();
    let mut from = None;
    for at in range {
        if is_inked(at) {
            from.get_or_insert(at);
        }
        if let Some(first) = from.filter(|_| !is_inked(at) || at == end) {
            if at - first <= MAX_LINE_PX {
                found.push(first + (at - first) / 2);
            }
            from = None;
        }
    }
    found
}

/// The most frequent colour within the frame.
fn ground_within(colours: &RgbImage, frame: &Frame) -> Option<Rgb<u8>> {
    let mut counts = BTreeMap::new();
    for row in frame.rows.clone() {
        for column in frame.columns.clone() {
            *counts.entry(colours.get_pixel(column, row).0).or_insert(0_u32) += 1;
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(colour, _)| Rgb(colour))
}

/// A row or a column of a picture.
#[derive(Clone, Copy)]
struct Line {
    at: u32,
    is_column: bool,
}

impl Line {
    /// Where it leads within a frame.
    fn range(self, frame: &Frame) -> RangeInclusive<u32> {
        if self.is_column { frame.rows.clone() } else { frame.columns.clone() }
    }

    /// Column and row at `along` on the line that is `across` beside this one.
    fn place(self, along: u32, across: i64) -> Option<(u32, u32)> {
        let beside = u32::try_from(i64::from(self.at) + across).ok()?;
        Some(if self.is_column { (beside, along) } else { (along, beside) })
    }

    /// The pixel at [`Self::place`].
    fn pixel(self, colours: &RgbImage, along: u32, across: i64) -> Option<Rgb<u8>> {
        let (column, row) = self.place(along, across)?;
        colours.get_pixel_checked(column, row).copied()
    }
}

/// The colours of the grid: those that are not the ground's and that the lines through the ticks have.
fn grid_colours(colours: &RgbImage, frame: &Frame, lines: &[Line], ground: Rgb<u8>) -> Vec<Rgb<u8>> {
    let mut counts = BTreeMap::new();
    let mut length = 0;
    for line in lines {
        for along in line.range(frame) {
            length += 1;
            for across in -REACH_PX..=REACH_PX {
                let colour = line.pixel(colours, along, across).filter(|&colour| difference(colour, ground) >= FAINT);
                colour.into_iter().for_each(|colour| *counts.entry(colour.0).or_insert(0_usize) += 1);
            }
        }
    }
    let is_grid = |count: usize| count as f64 >= MIN_GRID * f64::from(length);
    counts.into_iter().filter(|&(_, count)| is_grid(count)).map(|(colour, _)| Rgb(colour)).collect()
}

/// Draws what lies beside it over the line of a grid through a tick.
fn remove_grid(colours: &mut RgbImage, frame: &Frame, line: Line, grid: &[Rgb<u8>]) {
    let is_of_grid = |colour: Rgb<u8>| grid.iter().any(|&grid| difference(colour, grid) <= SAME_COLOUR);
    let range = line.range(frame);
    let on_grid = |across: i64| {
        let inked = range.clone().filter(|&along| line.pixel(colours, along, across).is_some_and(is_of_grid)).count();
        inked as f64 >= MIN_OF_LINE * range.clone().count() as f64
    };
    let of_grid: Vec<i64> = (-REACH_PX..=REACH_PX).filter(|&across| on_grid(across)).collect();
    let (Some(&first), Some(&last)) = (of_grid.first(), of_grid.last()) else { return };
    for along in range {
        let beside = [line.pixel(colours, along, first - 1), line.pixel(colours, along, last + 1)];
        let [Some(before), Some(behind)] = beside else { continue };
        for &across in &of_grid {
            if !line.pixel(colours, along, across).is_some_and(is_of_grid) {
                continue;
            }
            let to_before = (across - first + 1) as f64 / (last - first + 2) as f64;
            let mixed = |channel: usize| {
                let (a, b) = (f64::from(before.0[channel]), f64::from(behind.0[channel]));
                (a + to_before * (b - a)).round() as u8
            };
            if let Some((column, row)) = line.place(along, across) {
                colours.put_pixel(column, row, Rgb([mixed(0), mixed(1), mixed(2)]));
            }
        }
    }
}

fn difference(a: Rgb<u8>, b: Rgb<u8>) -> i32 {
    a.0.iter().zip(b.0).map(|(&a, b)| (i32::from(a) - i32::from(b)).abs()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, Rgb, RgbImage};

    use super::{Picture, grey, without_axes};

    const BLACK: Rgb<u8> = Rgb([0; 3]);
    const GRID: Rgb<u8> = Rgb([176; 3]);
    const ROAD: Rgb<u8> = Rgb([31, 119, 180]);

    /// A frame from (20, 10) to (180, 110), a grid every 40 px under a filled box, ticks where `has_ticks`, and a
    /// label outside.
    fn plot(has_ticks: bool, grid_on_top: bool) -> RgbImage {
        let mut picture = RgbImage::from_pixel(200, 130, Rgb([255; 3]));
        let mut fill = |columns: std::ops::RangeInclusive<u32>, rows: std::ops::RangeInclusive<u32>, colour| {
            for row in rows {
                columns.clone().for_each(|column| picture.put_pixel(column, row, colour));
            }
        };
        if grid_on_top {
            fill(50..=150, 40..=80, ROAD);
        }
        for column in [40, 80, 120, 160] {
            fill(column..=column, 10..=110, GRID);
        }
        for row in [30, 70] {
            fill(20..=180, row..=row, GRID);
        }
        if !grid_on_top {
            fill(50..=150, 40..=80, ROAD);
        }
        fill(20..=180, 10..=10, BLACK);
        fill(20..=180, 110..=110, BLACK);
        fill(20..=20, 10..=110, BLACK);
        fill(180..=180, 10..=110, BLACK);
        if has_ticks {
            [40, 80, 120, 160].into_iter().for_each(|column| fill(column..=column, 111..=115, BLACK));
            [30, 70].into_iter().for_each(|row| fill(15..=19, row..=row, BLACK));
        }
        fill(60..=90, 120..=124, BLACK);
        picture
    }

    fn cleaned(plot: RgbImage) -> Option<RgbImage> {
        let (grey, colours) = grey::from_decoded(DynamicImage::ImageRgb8(plot));
        without_axes(&Picture { name: "plot.png".to_owned(), grey, colours })?.colours
    }

    #[test]
    fn the_box_alone_remains_of_a_plot() {
        for grid_on_top in [false, true] {
            let found = cleaned(plot(true, grid_on_top)).unwrap();
            for (column, row, pixel) in found.enumerate_pixels() {
                let is_road = (50..=150).contains(&column) && (40..=80).contains(&row);
                let wanted = if is_road { ROAD } else { Rgb([255; 3]) };
                assert_eq!(*pixel, wanted, "{grid_on_top}: {column}, {row}");
            }
        }
    }

    #[test]
    fn a_frame_without_ticks_may_be_a_road() {
        assert_eq!(cleaned(plot(false, false)), None);
        assert_eq!(cleaned(RgbImage::from_pixel(50, 40, BLACK)), None);
    }
}
