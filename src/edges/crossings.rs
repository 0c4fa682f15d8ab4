//! Whether lines cross themselves or one another.

use crate::geometry::{Point, Polyline, cross};

/// Side of a cell in mean piece lengths: few pieces a cell, few cells a piece.
const CELL_PIECES: f64 = 2.0;

/// Whether any two pieces of the lines cross in their interiors. About linear in the pieces.
pub(super) fn any(lines: &[&Polyline]) -> bool {
    let pieces: Vec<(Point, Point)> = lines.iter().flat_map(|line| line.pieces()).collect();
    let total: f64 = lines.iter().map(|line| line.length()).sum();
    if !(total.is_finite() && total > 0.0) {
        return false;
    }
    let cell = CELL_PIECES * total / pieces.len() as f64;
    let index = |value: f64| (value / cell).floor() as i64;
    // Long pieces are entered in every cell that they pass through, column by column.
    let mut entries: Vec<(i64, i64, u32)> = Vec::new();
    for (number, &(a, b)) in pieces.iter().enumerate() {
        let (left, right) = if a.x <= b.x { (a, b) } else { (b, a) };
        let slope = (right.y - left.y) / (right.x - left.x);
        for column in index(left.x)..=index(right.x) {
            let y_at = |x: f64| left.y + slope * (x.clamp(left.x, right.x) - left.x);
            let (from, to) = (y_at(column as f64 * cell), y_at((column + 1) as f64 * cell));
            // An upright piece has no slope.
            let (from, to) = if from.is_finite() && to.is_finite() { (from, to) } else { (left.y, right.y) };
            for row in index(from.min(to))..=index(from.max(to)) {
                entries.push((column, row, number as u32));
            }
        }
    }
    entries.sort_unstable();
    entries.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).any(|cell| {
        let of = |entry: &(i64, i64, u32)| pieces[entry.2 as usize];
        cell.iter().enumerate().any(|(k, first)| cell[k + 1..].iter().any(|second| meet(of(first), of(second))))
    })
}

/// Whether the pieces cross strictly inside of both.
fn meet((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let side = |from: Point, to: Point, p: Point| cross(to - from, p - from);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}
