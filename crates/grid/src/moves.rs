//! The moves of searches on cells, with their costs.

/// Cost of a move over a side of a cell.
pub const SIDE_COST: u64 = 1000;
/// Cost of a move over a corner: √2 sides, rounded down.
pub const CORNER_COST: u64 = 1414;

/// The free cells beside one with the cost of the move.
pub fn moves<F: Fn(u32) -> bool>(cell: u32, size: (u32, u32), is_free: F) -> impl Iterator<Item = (u32, u64)> + use<F> {
    const MOVES: [[i64; 2]; 8] = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
    let free_at = move |offset| beside(cell, size, offset).filter(|&next| is_free(next));
    MOVES.into_iter().filter_map(move |[dx, dy]| {
        let is_corner = dx != 0 && dy != 0;
        if is_corner && (free_at([dx, 0]).is_none() || free_at([0, dy]).is_none()) {
            return None;
        }
        Some((free_at([dx, dy])?, if is_corner { CORNER_COST } else { SIDE_COST }))
    })
}

/// The cell so many columns and rows from another, of a map of this width and height; `None` beyond it.
#[must_use]
pub fn beside(cell: u32, (width, height): (u32, u32), [columns, rows]: [i64; 2]) -> Option<u32> {
    let (x, y) = (i64::from(cell % width) + columns, i64::from(cell / width) + rows);
    let is_inside = (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y);
    is_inside.then(|| (y * i64::from(width) + x) as u32)
}

/// The columns and the rows between two cells of a map of this width.
#[must_use]
pub fn apart(width: u32, a: u32, b: u32) -> (u32, u32) {
    ((a % width).abs_diff(b % width), (a / width).abs_diff(b / width))
}

/// The cost between two cells of a map of this width without obstacles.
#[must_use]
pub fn octile(width: u32, a: u32, b: u32) -> u64 {
    let (columns, rows) = apart(width, a, b);
    let (long, short) = (u64::from(columns.max(rows)), u64::from(columns.min(rows)));
    SIDE_COST * (long - short) + CORNER_COST * short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_over_a_corner_needs_both_cells_beside_it() {
        // In the middle of three by three cells, with the one above blocked.
        let found: Vec<(u32, u64)> = moves(4, (3, 3), |cell| cell != 1).collect();
        let corners = found.iter().filter(|(_, cost)| *cost == CORNER_COST).map(|(cell, _)| *cell);
        assert_eq!(corners.collect::<Vec<_>>(), [8, 6]);
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn cells_beyond_the_map_are_beside_none() {
        assert_eq!(moves(0, (3, 2), |_| true).map(|(cell, _)| cell).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(
            (beside(4, (3, 2), [1, -1]), beside(5, (3, 2), [1, 0]), beside(5, (3, 2), [0, 1])),
            (Some(2), None, None)
        );
    }

    #[test]
    fn the_cost_without_obstacles_takes_corners_first() {
        assert_eq!(octile(10, 0, 34), 3 * CORNER_COST + SIDE_COST);
        assert_eq!(octile(10, 34, 0), octile(10, 0, 34));
    }
}
