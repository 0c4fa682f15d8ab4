//! Whether lines cross themselves or one another.

#[cfg(feature = "picture")]
use crate::geometry::cross;
use crate::geometry::{Point, Polyline};

/// Side of a cell in mean piece lengths: few pieces a cell, few cells a piece.
const CELL_PIECES: f64 = 2.0;

/// Whether any two pieces of the lines cross in their interiors. About linear in the pieces.
#[cfg(feature = "picture")]
pub(super) fn any(lines: &[&Polyline]) -> bool {
    let pieces: Vec<(Point, Point)> = lines.iter().flat_map(|line| line.pieces()).collect();
    let cell = cell_side(lines);
    if !(cell.is_finite() && cell > 0.0) {
        return false;
    }
    let mut entries: Vec<(i64, i64, u32)> = Vec::new();
    for (number, &piece) in pieces.iter().enumerate() {
        for_each_cell(piece, cell, |column, row| entries.push((column, row, number as u32)));
    }
    entries.sort_unstable();
    entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).any(|cell| {
        let of = |entry: &(i64, i64, u32)| pieces[entry.2 as usize];
        cell.iter().enumerate().any(|(k, first)| cell[k + 1..].iter().any(|second| meet(of(first), of(second))))
    })
}

/// Calls `visit` with the column and row of every cell that a piece passes through. The cells of all pieces are about linear in
/// their number when `cell` isn't much smaller than their mean length.
pub(super) fn for_each_cell((a, b): (Point, Point), cell: f64, mut visit: impl FnMut(i64, i64)) {
    let index = |value: f64| (value / cell).floor() as i64;
    // Long pieces are entered in every cell that they pass through, column by column.
    let (left, right) = if a.x <= b.x { (a, b) } else { (b, a) };
    let slope = (right.y - left.y) / (right.x - left.x);
    for column in index(left.x)..=index(right.x) {
        let y_at = |x: f64| left.y + slope * (x.clamp(left.x, right.x) - left.x);
        let (from, to) = (y_at(column as f64 * cell), y_at((column + 1) as f64 * cell));
        // An upright piece has no slope.
        let (from, to) = if from.is_finite() && to.is_finite() { (from, to) } else { (left.y, right.y) };
        for row in index(from.min(to))..=index(from.max(to)) {
            visit(column, row);
        }
    }
}

/// Side of a cell in which few of the lines' pieces lie, and few cells to a piece.
pub(super) fn cell_side(lines: &[&Polyline]) -> f64 {
    let pieces: usize = lines.iter().map(|line| line.piece_count()).sum();
    CELL_PIECES * lines.iter().map(|line| line.length()).sum::<f64>() / pieces.max(1) as f64
}

/// Whether the pieces cross strictly inside of both.
#[cfg(feature = "picture")]
fn meet((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let side = |from: Point, to: Point, p: Point| cross(to - from, p - from);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}
