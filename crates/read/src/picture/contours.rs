//! Closed contours of a grey picture at its half level (marching squares after W. E. Lorensen and
//! H. E. Cline, "Marching cubes", SIGGRAPH 1987, in the plane), followed one after the other.
//!
//! The grid's nodes are the pixel centres, with one more row and column of ground all round. A
//! contour crosses the links between a node inside and a node outside; it is followed from cell to
//! cell with the inside on its left (seen with y upwards), so outer contours run counter-clockwise
//! and holes clockwise.

use image::GrayImage;

/// A link between two neighbouring nodes, one inside and one outside; nodes are (column, row).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The node inside the contour.
    pub inside: (i64, i64),
    /// The node outside.
    pub outside: (i64, i64),
}

/// Whether a pixel lies inside: more than half covered.
#[must_use]
pub fn is_inside(value: u8) -> bool {
    value > 127
}

/// The value at a node, zero beyond the picture.
#[must_use]
pub(crate) fn value_at(picture: &GrayImage, (column, row): (i64, i64)) -> u8 {
    match (u32::try_from(column), u32::try_from(row)) {
        (Ok(column), Ok(row)) if column < picture.width() && row < picture.height() => {
            picture.get_pixel(column, row).0[0]
        }
        _ => 0,
    }
}

/// Calls `visit` with the crossings of every contour in order; the contours are in raster order of
/// their first crossings.
pub fn for_each_contour(picture: &GrayImage, mut visit: impl FnMut(&[Crossing])) {
    let (width, height) = (i64::from(picture.width()), i64::from(picture.height()));
    let columns = width as usize;
    // A contour that crosses a row does so downwards at least once, at a link whose right node is
    // inside: (column - 1, column).
    let mut visited = vec![0_u64; (columns * height as usize).div_ceil(64)];
    let bit = |(column, row): (i64, i64)| (row as usize * columns + column as usize) as u64;
    let mut contour = Vec::new();
    for row in 0..height {
        let values = &picture.as_raw()[row as usize * columns..][..columns];
        let mut before = false;
        for column in 0..width {
            let inside = is_inside(values[column as usize]);
            let start = bit((column, row));
            if inside && !before && visited[start as usize / 64] & 1 << (start % 64) == 0 {
                contour.clear();
                let first = Crossing { inside: (column, row), outside: (column - 1, row) };
                let mut crossing = first;
                loop {
                    contour.push(crossing);
                    if crossing.outside.0 == crossing.inside.0 - 1 {
                        let passed = bit(crossing.inside);
                        visited[passed as usize / 64] |= 1 << (passed % 64);
                    }
                    crossing = next(picture, crossing);
                    if crossing == first {
                        break;
                    }
                }
                visit(&contour);
            }
            before = inside;
        }
    }
}

/// The link through which the contour leaves the cell that it enters through `crossing`.
///
/// The cell's far corners are the nodes one step ahead of the inside and of the outside node. When
/// only the far inside one lies on the other side, the contour turns about a node; when both are
/// swapped (a saddle) the mean of the four values decides whether the two inside corners are
/// joined.
fn next(picture: &GrayImage, Crossing { inside, outside }: Crossing) -> Crossing {
    // With the inside on the left and rows downwards, ahead is the step from outside to inside
    // turned clockwise on screen.
    let (dx, dy) = (inside.0 - outside.0, inside.1 - outside.1);
    let ahead = (-dy, dx);
    let far_inside = (inside.0 + ahead.0, inside.1 + ahead.1);
    let far_outside = (outside.0 + ahead.0, outside.1 + ahead.1);
    let values = [inside, outside, far_inside, far_outside].map(|node| value_at(picture, node));
    let joined = || values.iter().map(|&v| u32::from(v)).sum::<u32>() > 2 * 255;
    match (is_inside(values[2]), is_inside(values[3])) {
        (true, false) => Crossing { inside: far_inside, outside: far_outside },
        (false, false) => Crossing { inside, outside: far_inside },
        (true, true) => Crossing { inside: far_outside, outside },
        (false, true) if joined() => Crossing { inside: far_outside, outside },
        (false, true) => Crossing { inside, outside: far_inside },
    }
}
