//! Closed outlines → the exact fraction of each pixel's area that they enclose.
//!
//! Every piece of an outline adds to each pixel on its right the area between the piece and the
//! pixel's right side, signed by whether it leads down or up. The running sum along a row is the
//! mean winding number over the pixel. Where a smoothed outline overlaps itself, the sum is clamped
//! to 0 … 1.

use image::GrayImage;
use rayon::prelude::*;

use raceline_road::geometry::Point;

/// A piece of an outline within one row: columns at both ends, and its height, positive downwards,
/// all in pixels.
#[derive(Clone, Copy)]
struct Piece {
    row: u32,
    from: f32,
    to: f32,
    down: f32,
}

/// The coverage of a picture of `size` by what the outlines enclose; outer ones lead down on their
/// left side.
pub(super) fn coverage((width, height): (u32, u32), outlines: &[Vec<Point>]) -> GrayImage {
    let mut pieces = Vec::new();
    for outline in outlines {
        for (index, &from) in outline.iter().enumerate() {
            cut_by_rows(from, outline[(index + 1) % outline.len()], (width, height), &mut pieces);
        }
    }
    pieces.sort_by_key(|piece| piece.row);
    let mut coverage = GrayImage::new(width, height);
    let columns = width as usize;
    coverage.par_chunks_mut(columns.max(1)).enumerate().for_each(|(row, target)| {
        let first = pieces.partition_point(|piece| (piece.row as usize) < row);
        let here = pieces[first..].iter().take_while(|piece| piece.row as usize == row);
        let mut areas = vec![0.0_f32; columns + 2];
        here.for_each(|piece| add(piece, &mut areas));
        let mut sum = 0.0;
        for (pixel, area) in target.iter_mut().zip(areas) {
            sum += area;
            *pixel = (sum.clamp(0.0, 1.0) * 255.0).round() as u8;
        }
    });
    coverage
}

fn cut_by_rows(from: Point, to: Point, (width, height): (u32, u32), pieces: &mut Vec<Piece>) {
    let (low, high) = (from.y.min(to.y).max(0.0), from.y.max(to.y).min(f64::from(height)));
    if high <= low {
        return;
    }
    let down = if to.y > from.y { 1.0 } else { -1.0 };
    let column = |y: f64| {
        let fraction = (y - from.y) / (to.y - from.y);
        (from.x + (to.x - from.x) * fraction).clamp(0.0, f64::from(width)) as f32
    };
    let mut top = low;
    while top < high {
        let row = top.floor();
        let bottom = (row + 1.0).min(high);
        pieces.push(Piece {
            row: (row as u32).min(height - 1),
            from: column(top),
            to: column(bottom),
            down: ((bottom - top) * down) as f32,
        });
        top = bottom;
    }
}

/// Adds the increments of a piece along its row.
fn add(piece: &Piece, areas: &mut [f32]) {
    let (left, right) = (piece.from.min(piece.to), piece.from.max(piece.to));
    let (first, last) = (left.floor() as usize, right.floor() as usize);
    if first == last {
        // The part of the pixel to the right of the piece's middle.
        let covered = 1.0 - (0.5 * (left + right) - first as f32);
        areas[first] += piece.down * covered;
        areas[first + 1] += piece.down * (1.0 - covered);
        return;
    }
    let per_column = piece.down / (right - left);
    let mut before = 0.0;
    for (column, area) in areas.iter_mut().enumerate().take(last + 1).skip(first) {
        // Mean height passed over this column's width: 0 left of the piece, all of it to the right.
        let (start, end) = (left.max(column as f32), right.min(column as f32 + 1.0));
        let inside = (end - start).max(0.0);
        let passed = (start - left) * per_column;
        let covered = passed * inside + 0.5 * inside * inside * per_column + piece.down * (column as f32 + 1.0 - end);
        *area += covered - before;
        before = covered;
    }
    areas[last + 1] += piece.down - before;
}
