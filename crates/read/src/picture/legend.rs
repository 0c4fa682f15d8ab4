//! A plot without its legend: what is drawn below the legend's box appears again.
//!
//! matplotlib puts the box where it hides the smallest number of points, which is often over the road, and
//! draws it with an opacity of 0.8: a colour c on the ground g becomes 0.8 g + 0.2 c, from which c follows
//! to five levels of 255. What is darker or lighter than that allows is the legend's own.

use std::ops::RangeInclusive;

use image::{Rgb, RgbImage};

/// Opacity of the box.
const OPACITY: f64 = 0.8;
/// The box's line differs from the ground by this, of 255, and its channels from one another by at most the second
/// number: a grey of 204 with the same opacity, blurred.
const BORDER: RangeInclusive<i32> = 18..=50;
const BORDER_TINT: i32 = 6;
/// Shortest piece of the box's line that counts, and its shortest length in all, px.
const MIN_PIECE_PX: u32 = 15;
const MIN_LINE_PX: u32 = 30;
/// The ends of the upper and the lower line differ by at most this, px: something may be drawn over them.
const ENDS_PX: u32 = 12;
/// The line with its blur is within this of the box's outermost pixels, px.
const REACH_PX: u32 = 3;
/// Rounding of blended colours, of 255.
const ROUNDING: f64 = 6.0;

/// The place of a legend: its outermost columns and rows.
struct Place {
    columns: [u32; 2],
    rows: [u32; 2],
}

/// Removes the legend's box within these columns and rows, if there is one.
pub(super) fn remove_legend(
    colours: &mut RgbImage,
    (columns, rows): (&RangeInclusive<u32>, &RangeInclusive<u32>),
    ground: Rgb<u8>,
) {
    let Some(Place { columns: [left, right], rows: [top, bottom] }) = place(colours, columns, rows, ground) else {
        return;
    };
    let inner = (left + REACH_PX..=right - REACH_PX, top + REACH_PX..=bottom - REACH_PX);
    let before = colours.clone();
    let is_ink = |column: u32, row: u32| {
        let pixel = before.get_pixel(column, row);
        pixel.0.iter().zip(ground.0).any(|(&value, ground)| {
            let darkest = OPACITY * f64::from(ground);
            let lightest = darkest + (1.0 - OPACITY) * 255.0;
            !(darkest - ROUNDING..=lightest + ROUNDING).contains(&f64::from(value))
        })
    };
    for row in inner.1.clone() {
        for column in inner.0.clone() {
            // The edge of a letter is blurred by a pixel.
            let is_own = (row - 1..=row + 1).any(|row| (column - 1..=column + 1).any(|column| is_ink(column, row)));
            let below = before.get_pixel(column, row);
            let seen = |channel: usize| {
                let (value, ground) = (f64::from(below.0[channel]), f64::from(ground.0[channel]));
                ((value - OPACITY * ground) / (1.0 - OPACITY)).round().clamp(0.0, 255.0) as u8
            };
            colours.put_pixel(column, row, if is_own { ground } else { Rgb([seen(0), seen(1), seen(2)]) });
        }
    }
    // Across the line from what is outside of it to what is inside.
    let steps = REACH_PX + 1;
    for column in inner.0.clone() {
        mend(colours, steps, |step| (column, (top - 1) + step));
        mend(colours, steps, |step| (column, (bottom + 1) - step));
    }
    for row in top..=bottom {
        let row = row.clamp(*inner.1.start(), *inner.1.end());
        mend(colours, steps, |step| ((left - 1) + step, row));
        mend(colours, steps, |step| ((right + 1) - step, row));
    }
    for row in (top..top + REACH_PX).chain(bottom + 1 - REACH_PX..=bottom) {
        for column in (left..left + REACH_PX).chain(right + 1 - REACH_PX..=right) {
            colours.put_pixel(column, row, ground);
        }
    }
}

/// Mixes the pixels between the first and the last of `steps` steps.
fn mend(colours: &mut RgbImage, steps: u32, at: impl Fn(u32) -> (u32, u32)) {
    let pixel = |colours: &RgbImage, step: u32| *colours.get_pixel(at(step).0, at(step).1);
    let (first, last) = (pixel(colours, 0), pixel(colours, steps));
    for step in 1..steps {
        let fraction = f64::from(step) / f64::from(steps);
        let mixed = |channel: usize| {
            let (a, b) = (f64::from(first.0[channel]), f64::from(last.0[channel]));
            (a + fraction * (b - a)).round() as u8
        };
        let (column, row) = at(step);
        colours.put_pixel(column, row, Rgb([mixed(0), mixed(1), mixed(2)]));
    }
}

/// The box between two lines of one length, one above the other, with a line at one of its sides.
fn place(
    colours: &RgbImage,
    columns: &RangeInclusive<u32>,
    rows: &RangeInclusive<u32>,
    ground: Rgb<u8>,
) -> Option<Place> {
    let is_border = |column: u32, row: u32| {
        let pixel = colours.get_pixel(column, row);
        let differences =
            pixel.0.iter().zip(ground.0).map(|(&value, ground)| (i32::from(value) - i32::from(ground)).abs());
        let (low, high) = differences.fold((255, 0), |(low, high), value| (value.min(low), value.max(high)));
        BORDER.contains(&high) && high - low <= BORDER_TINT
    };
    let lines: Vec<(u32, [u32; 2])> =
        rows.clone().filter_map(|row| Some((row, line(columns, |column| is_border(column, row))?))).collect();
    let &(top, [left, right]) = lines.first()?;
    let is_below = |(row, [from, to]): &&(u32, [u32; 2])| {
        *row > top + 4 * REACH_PX && from.abs_diff(left) <= ENDS_PX && to.abs_diff(right) <= ENDS_PX
    };
    let &(bottom, [from, to]) = lines.iter().rev().find(is_below)?;
    let (left, right) = (left.min(from), right.max(to));
    let inside = left.saturating_sub(REACH_PX + 2).max(*columns.start())..=(right + REACH_PX + 2).min(*columns.end());
    let sides: Vec<u32> =
        inside.filter(|&column| line(&(top..=bottom), |row| is_border(column, row)).is_some()).collect();
    let (&first, &last) = (sides.first()?, sides.last()?);
    let [left, right] = [left.min(first), right.max(last)];
    let is_within = left > *columns.start() && right < *columns.end() && top > *rows.start() && bottom < *rows.end();
    (is_within && right > left + 4 * REACH_PX).then_some(Place { columns: [left, right], rows: [top, bottom] })
}

/// The first and the last place of a line that may be interrupted; `None` if too little of it is there.
fn line(range: &RangeInclusive<u32>, is_border: impl Fn(u32) -> bool) -> Option<[u32; 2]> {
    let (mut ends, mut length, mut from): (Option<[u32; 2]>, u32, Option<u32>) = (None, 0, None);
    for at in *range.start()..=*range.end() + 1 {
        if at <= *range.end() && is_border(at) {
            from.get_or_insert(at);
        } else if let Some(first) = from.take().filter(|&first| at - first >= MIN_PIECE_PX) {
            ends = Some([ends.map_or(first, |[from, _]| from), at - 1]);
            length += at - first;
        }
    }
    ends.filter(|_| length >= MIN_LINE_PX)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::remove_legend;

    #[test]
    fn a_line_below_a_legend_appears_again() {
        let line = Rgb([31, 119, 180]);
        let mut plot = RgbImage::from_pixel(200, 120, Rgb([255; 3]));
        for row in 0..120 {
            (90..93).for_each(|column| plot.put_pixel(column, row, line));
        }
        let clean = plot.clone();
        let blend = |over: f64, below: u8| (0.8 * over + 0.2 * f64::from(below)).round() as u8;
        for row in 30..=80 {
            for column in 40..=160 {
                let is_border = [30, 80].contains(&row) || [40, 160].contains(&column);
                let over = if is_border { 204.0 } else { 255.0 };
                let below = *plot.get_pixel(column, row);
                plot.put_pixel(column, row, Rgb(below.0.map(|value| blend(over, value))));
            }
        }
        // A sample of a line and a letter.
        for (columns, row) in [(50..70, 45), (120..126, 60)] {
            columns.for_each(|column| plot.put_pixel(column, row, Rgb([0; 3])));
        }
        remove_legend(&mut plot, (&(2..=197), &(2..=117)), Rgb([255; 3]));
        for (column, row, pixel) in plot.enumerate_pixels() {
            let wanted = clean.get_pixel(column, row);
            let off = pixel.0.iter().zip(wanted.0).map(|(&a, b)| a.abs_diff(b)).max().unwrap();
            assert!(off <= 3, "({column}, {row}): {pixel:?} instead of {wanted:?}");
        }
    }

    /// A plot of 300 × 200 px with a box over it, from `left_top` on, of this size, whose line has this colour on
    /// white, and what is left of its left side after `remove_legend`: whether it is gone.
    fn is_removed(size: [u32; 2], line: [u8; 3], is_drawn: impl Fn(u32, u32) -> bool) -> bool {
        let mut plot = RgbImage::from_pixel(300, 200, Rgb([255; 3]));
        let [width, height] = size;
        let is_line = |column: u32, row: u32| {
            let within = (40..=40 + width).contains(&column) && (30..=30 + height).contains(&row);
            within && (column == 40 || column == 40 + width || row == 30 || row == 30 + height)
        };
        for (column, row, pixel) in plot.enumerate_pixels_mut() {
            if is_line(column, row) && is_drawn(column, row) {
                *pixel = Rgb(line);
            }
        }
        remove_legend(&mut plot, (&(2..=297), &(2..=197)), Rgb([255; 3]));
        plot.pixels().all(|pixel| pixel.0 == [255; 3])
    }

    #[test]
    fn the_line_of_the_box_is_grey_and_long_enough() {
        let grey = [215; 3];
        assert!(is_removed([120, 50], grey, |_, _| true));
        assert!(!is_removed([25, 50], grey, |_, _| true), "a box of 25 px is none of a legend");
        assert!(is_removed([120, 50], [212, 215, 217], |_, _| true));
        assert!(!is_removed([120, 50], [207, 215, 217], |_, _| true), "a tinted line");
    }

    #[test]
    fn the_line_of_the_box_may_be_drawn_over() {
        let grey = [215; 3];
        // 20 px are missing in the middle of the upper line, and 8 px at an end of the lower one.
        assert!(is_removed([120, 50], grey, |column, row| row != 30 || !(90..110).contains(&column)));
        assert!(is_removed([120, 50], grey, |column, row| row != 80 || column > 48 || column == 40));
        assert!(!is_removed([120, 50], grey, |column, row| row != 80 || column > 60 || column == 40));
        // Dashes of 10 px are no line, of 18 px they are.
        assert!(!is_removed([120, 50], grey, |column, row| column == 40
            || column == 160
            || row % 50 != 30
            || column % 12 < 10));
        assert!(is_removed([120, 50], grey, |column, row| column == 40
            || column == 160
            || row % 50 != 30
            || column % 20 < 18));
    }

    #[test]
    fn what_the_rounding_of_blended_colours_explains_is_drawn_below() {
        // A line below the box in black, which the blending makes 204, and one of the legend's own, a little darker.
        let below = |value: u8| {
            let mut plot = RgbImage::from_pixel(300, 200, Rgb([255; 3]));
            for column in 40..=160 {
                plot.put_pixel(column, 30, Rgb([215; 3]));
                plot.put_pixel(column, 80, Rgb([215; 3]));
            }
            for row in 30..=80 {
                plot.put_pixel(40, row, Rgb([215; 3]));
                plot.put_pixel(160, row, Rgb([215; 3]));
            }
            (45..155).for_each(|column| (50..60).for_each(|row| plot.put_pixel(column, row, Rgb([value; 3]))));
            remove_legend(&mut plot, (&(2..=297), &(2..=197)), Rgb([255; 3]));
            plot.get_pixel(100, 55).0[0]
        };
        assert_eq!((below(204), below(200), below(196)), (0, 0, 255));
    }

    #[test]
    fn a_plot_without_a_legend_stays() {
        let mut plot = RgbImage::from_pixel(200, 120, Rgb([255; 3]));
        (20..180).for_each(|column| plot.put_pixel(column, 60, Rgb([0; 3])));
        let before = plot.clone();
        remove_legend(&mut plot, (&(2..=197), &(2..=117)), Rgb([255; 3]));
        assert_eq!(plot, before);
    }
}
