//! The moves of searches on cells, with their costs.

/// Cost of a move over a side of a cell.
const SIDE_COST: u64 = 1000;
/// Cost of a move over a corner: √2 sides, rounded down.
const CORNER_COST: u64 = 1414;

/// The free cells beside one with the cost of the move.
pub(super) fn moves<F: Fn(u32) -> bool>(
    cell: u32,
    (width, height): (u32, u32),
    is_free: F,
) -> impl Iterator<Item = (u32, u64)> + use<F> {
    const MOVES: [(i64, i64); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];
    let (column, row) = (cell % width, cell / width);
    let free_at = move |dx: i64, dy: i64| {
        let (x, y) = (i64::from(column) + dx, i64::from(row) + dy);
        let is_inside = (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y);
        let next = if is_inside { (y * i64::from(width) + x) as u32 } else { u32::MAX };
        (is_inside && is_free(next)).then_some(next)
    };
    MOVES.into_iter().filter_map(move |(dx, dy)| {
        let is_corner = dx != 0 && dy != 0;
        if is_corner && (free_at(dx, 0).is_none() || free_at(0, dy).is_none()) {
            return None;
        }
        Some((free_at(dx, dy)?, if is_corner { CORNER_COST } else { SIDE_COST }))
    })
}

/// The cost of a path without obstacles that leads so many columns and rows away.
pub(super) fn octile(columns: u32, rows: u32) -> u64 {
    let (long, short) = (u64::from(columns.max(rows)), u64::from(columns.min(rows)));
    SIDE_COST * (long - short) + CORNER_COST * short
}
