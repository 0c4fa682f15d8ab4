//! Streets and mazes: the outline of a figure of squares.
//!
//! A street circuit goes round a figure that grows square by square and stays in one piece without
//! holes. A maze goes round the squares of a random spanning tree, so that it passes every place of
//! a rectangle once: a Hamiltonian cycle.

use std::collections::BTreeSet;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::corners::Corners;
use super::rounding::MIN_RADIUS_WIDTHS;
use super::size::{Size, log_uniform};
use raceline_road::geometry::{Point, Polyline, turns_counterclockwise};

type Cell = (i32, i32);

/// Neighbours of a square, counter-clockwise, sides first at even places.
const AROUND: [Cell; 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
/// Length of the default street circuit in widths.
const USUAL_STREET_WIDTHS: f64 = 300.0;

/// The corners of a street circuit.
pub(super) fn street(random: &mut ChaCha8Rng, size: Size) -> Option<Corners> {
    let more = (size.widths() / USUAL_STREET_WIDTHS).sqrt().clamp(0.3, 5.0);
    let count = size.count(random, (4.0 * more, 12.0 * more), 1);
    let outline = outline(&grown(random, count));
    // Blocks of different sizes, and streets that are not quite at right angles.
    let reach = count as i32 + 1;
    let mut places = || -> Vec<f64> {
        let mut at = 0.0;
        let mut next = |_| {
            at += 0.6 + random.random::<f64>();
            at
        };
        (-reach..=reach).map(&mut next).collect()
    };
    let (columns, rows) = (places(), places());
    let slant = 0.35 * (random.random::<f64>() - 0.5);
    let place = |&(column, row): &Cell| {
        let (x, y) = (columns[(column + reach) as usize], rows[(row + reach) as usize]);
        Point::new(x + slant * y, y)
    };
    let square: Vec<Point> = outline.iter().map(place).collect();
    let points = with_diagonals(random, &square);
    let width = size.width_m;
    let radii_m = points.iter().map(|_| log_uniform(random, 0.75 * width, 3.0 * width)).collect();
    Some(Corners { closed: true, points, radii_m })
}

/// The corners of a maze.
pub(super) fn maze(random: &mut ChaCha8Rng, size: Size) -> Option<Corners> {
    // Distance between neighbouring legs, in widths: at least twice the smallest radius.
    let apart = 2.0 * MIN_RADIUS_WIDTHS + 0.15 + 0.8 * random.random::<f64>() * (1.0 - size.tameness);
    // The outline of a tree of n squares and their n - 1 links is 4 n sides long.
    let nodes = (size.widths() / (4.0 * apart)).floor().max(4.0);
    let aspect = 0.5 + random.random::<f64>();
    let columns = ((nodes * aspect).sqrt().round() as i32).max(2);
    let rows = ((nodes / f64::from(columns)).floor() as i32).max(2);
    let tree = spanning_tree(random, columns, rows);
    let points: Vec<Point> = outline(&tree).iter().map(|&(x, y)| Point::new(f64::from(x), f64::from(y))).collect();
    // Half the distance between the legs, as far as it fits: every dead end is a half circle.
    let radii_m = vec![2.0 * size.width_m; points.len()];
    Some(Corners { closed: true, points, radii_m })
}

/// A figure of `count` squares in one piece, without holes and without squares that meet only at a
/// corner.
fn grown(random: &mut ChaCha8Rng, count: usize) -> BTreeSet<Cell> {
    let mut figure = BTreeSet::from([(0, 0)]);
    while figure.len() < count {
        let free: Vec<Cell> = figure
            .iter()
            .flat_map(|&(x, y)| AROUND.iter().step_by(2).map(move |&(dx, dy)| (x + dx, y + dy)))
            .filter(|cell| !figure.contains(cell) && is_simple(&figure, *cell))
            .collect();
        // Any square on the outside can be added, at the latest one beyond the highest.
        let Some(&cell) = free.get(random.random_range(0..free.len().max(1))) else { break };
        figure.insert(cell);
    }
    figure
}

/// Whether a square can be added without a hole or a contact at a corner only: going round it, the
/// figure begins once.
fn is_simple(figure: &BTreeSet<Cell>, (x, y): Cell) -> bool {
    let filled: Vec<bool> = AROUND.iter().map(|&(dx, dy)| figure.contains(&(x + dx, y + dy))).collect();
    let begins = (0..8).filter(|&k| filled[k] && !filled[(k + 7) % 8]).count();
    let lonely_corner = (1..8).step_by(2).any(|k| filled[k] && !filled[k - 1] && !filled[(k + 1) % 8]);
    begins == 1 && !lonely_corner
}

/// The squares of a random tree through `columns` × `rows` places, by a walk that goes back where it
/// is stuck. A place (c, r) is the square (2 c, 2 r), a link the square between two places.
fn spanning_tree(random: &mut ChaCha8Rng, columns: i32, rows: i32) -> BTreeSet<Cell> {
    let mut tree = BTreeSet::from([(0, 0)]);
    let mut path = vec![(0, 0)];
    while let Some(&(x, y)) = path.last() {
        let inside = |&(x, y): &Cell| (0..2 * columns).contains(&x) && (0..2 * rows).contains(&y);
        let steps: Vec<Cell> = AROUND
            .iter()
            .step_by(2)
            .copied()
            .filter(|&(dx, dy)| inside(&(x + 2 * dx, y + 2 * dy)) && !tree.contains(&(x + 2 * dx, y + 2 * dy)))
            .collect();
        if steps.is_empty() {
            path.pop();
            continue;
        }
        let (dx, dy) = steps[random.random_range(0..steps.len())];
        tree.extend([(x + dx, y + dy), (x + 2 * dx, y + 2 * dy)]);
        path.push((x + 2 * dx, y + 2 * dy));
    }
    tree
}

/// The corners of the outline of a figure in one piece, counter-clockwise, without those on straight
/// sides. A square (x, y) has the corners (x, y) to (x + 1, y + 1).
fn outline(figure: &BTreeSet<Cell>) -> Vec<Cell> {
    // From the lower left corner of the lowest square of the leftmost column, eastwards along it.
    let Some(&first) = figure.first() else { return Vec::new() };
    let (mut at, mut heading) = (first, (1, 0));
    let mut corners = Vec::new();
    loop {
        // The squares ahead to the left and to the right of the corner `at`.
        let ahead = |(x, y): Cell, (dx, dy): Cell, left: bool| {
            let (lx, ly) = if left { (-dy, dx) } else { (dy, -dx) };
            figure.contains(&((2 * x + dx + lx - 1) / 2, (2 * y + dy + ly - 1) / 2))
        };
        let (dx, dy) = heading;
        let next = match (ahead(at, heading, true), ahead(at, heading, false)) {
            (_, true) => (dy, -dx),
            (true, false) => heading,
            (false, false) => (-dy, dx),
        };
        if next != heading {
            corners.push(at);
        }
        heading = next;
        at = (at.0 + heading.0, at.1 + heading.1);
        if at == first {
            break;
        }
    }
    // The first corner is the end of the tour.
    corners.push(first);
    corners
}

/// Some corners cut off by diagonals.
fn with_diagonals(random: &mut ChaCha8Rng, square: &[Point]) -> Vec<Point> {
    let n = square.len();
    let mut points = Vec::with_capacity(2 * n);
    for i in 0..n {
        let (before, here, after) = (square[(i + n - 1) % n], square[i], square[(i + 1) % n]);
        if random.random_bool(0.25) {
            let fraction = 0.25 + 0.2 * random.random::<f64>();
            points.extend([here + (before - here) * fraction, here + (after - here) * fraction]);
        } else {
            points.push(here);
        }
    }
    debug_assert!(turns_counterclockwise(&[&Polyline::closed(points.clone())]));
    points
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn area_and_length(corners: &[Cell]) -> (i32, i32) {
        let n = corners.len();
        let sides = (0..n).map(|i| (corners[i], corners[(i + 1) % n]));
        let area = sides.clone().map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<i32>() / 2;
        (area, sides.map(|(a, b)| (a.0 - b.0).abs() + (a.1 - b.1).abs()).sum())
    }

    #[test]
    fn the_outline_of_known_figures() {
        assert_eq!(outline(&BTreeSet::from([(0, 0)])), [(1, 0), (1, 1), (0, 1), (0, 0)]);
        let bent = BTreeSet::from([(0, 0), (1, 0), (0, 1)]);
        assert_eq!(outline(&bent), [(2, 0), (2, 1), (1, 1), (1, 2), (0, 2), (0, 0)]);
    }

    #[test]
    fn figures_have_no_holes_and_mazes_pass_every_place() {
        for seed in 0..200 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let figure = grown(&mut random, 30);
            // The outline of a figure with holes or contacts encloses another area.
            assert_eq!((figure.len(), area_and_length(&outline(&figure)).0), (30, 30), "{seed}");
            let tree = spanning_tree(&mut random, 7, 5);
            assert_eq!(area_and_length(&outline(&tree)), (69, 4 * 35), "{seed}");
        }
    }
}
