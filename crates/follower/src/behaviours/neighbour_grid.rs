//! The neighbours of each of many agents, found by a grid.

use std::ops::Range;

use super::vector::{Vector, dot, subtract};
use crate::bodies::Body;

/// Multiplier of a cell's row, whose upper half is where the row begins in the table: 2⁶⁴ by the
/// golden ratio (Knuth, *The Art of Computer Programming*, volume 3, section 6.4).
const ROW: u64 = 0x9E37_79B9_7F4A_7C15;

/// Cells in the usual radius: with more of them fewer agents are looked at in vain, and more cells.
const CELLS: f64 = 2.0;

/// Agents in the cells of a square grid, so that those near a place are found among a few.
///
/// With n agents, a behaviour that looks at all of them for each takes n² steps a frame. Rebuilt once
/// a frame, a grid gives each agent those within a radius, in steps that do not depend on n. The plane
/// has no borders: a cell's place in the table follows from a hash (Teschner et al., *Optimized Spatial
/// Hashing for Collision Detection of Deformable Objects*, VMV 2003, section 4), here of the row
/// alone, so that the cells of a row are neighbours in memory.
///
/// ```
/// use raceline_follower::behaviours::{Agent, Body, NeighbourGrid, Neighbourhood, separation};
///
/// let bodies = [[0.0, 0.0], [1.5, 0.0], [900.0, 0.0]]
///     .map(|position_m| Body { position_m, radius_m: 0.5, ..Body::default() });
/// let mut grid = NeighbourGrid::new(bodies.len(), 10.0);
/// grid.rebuild(&bodies);
/// let mut found = [Body::default(); 32];
/// let others = grid.others(0, 10.0, &mut found);
/// assert_eq!(others, &bodies[1..2]);
/// let agent = Agent { body: bodies[0], ..Agent::default() };
/// assert!(separation(&agent, others, &Neighbourhood::default())[0] < 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct NeighbourGrid {
    /// Side of a cell, m.
    cell_m: f64,
    /// For each place of the table, where its agents begin in `sorted`; and the number of all.
    starts: Vec<u32>,
    /// The agents by place, with their numbers and cells.
    sorted: Vec<Entry>,
    /// The positions of `sorted`, m: what is read of those that are not near.
    positions: Vec<Vector>,
    /// The agents by number.
    numbered: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    body: Body,
    number: u32,
    cell: [i64; 2],
}

impl NeighbourGrid {
    /// A grid for `capacity` agents, with cells that suit `reach_m`, metres, above 0: the usual radius.
    /// More agents allocate once more; other radii take longer.
    #[must_use]
    pub fn new(capacity: usize, reach_m: f64) -> Self {
        let places = (2 * capacity).next_power_of_two();
        Self {
            cell_m: if reach_m > 0.0 { reach_m / CELLS } else { 1.0 },
            starts: vec![0; places + 1],
            sorted: Vec::with_capacity(capacity),
            positions: Vec::with_capacity(capacity),
            numbered: Vec::with_capacity(capacity),
        }
    }

    /// Forgets all agents and takes these, whose numbers are their places in the slice. Positions that
    /// are not finite numbers are near nobody.
    pub fn rebuild(&mut self, bodies: &[Body]) {
        self.numbered.clear();
        for (number, body) in bodies.iter().enumerate() {
            self.numbered.push(Entry { body: *body, number: number as u32, cell: self.cell(body.position_m) });
        }
        if 2 * bodies.len() > self.starts.len() {
            self.starts = vec![0; (2 * bodies.len()).next_power_of_two() + 1];
        }
        self.sorted.clear();
        self.sorted.resize(bodies.len(), Entry::default());
        // Counting sort: how many agents a place has, where they begin, each to its own.
        self.starts.fill(0);
        let places = self.places();
        for entry in &self.numbered {
            if let Some(count) = self.starts.get_mut(place(places, entry.cell)) {
                *count += 1;
            }
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        // From behind, so that those of a place have the order of their numbers.
        for entry in self.numbered.iter().rev() {
            let Some(start) = self.starts.get_mut(place(places, entry.cell)) else { continue };
            *start -= 1;
            if let Some(sorted) = self.sorted.get_mut(*start as usize) {
                *sorted = *entry;
            }
        }
        self.positions.clear();
        self.positions.extend(self.sorted.iter().map(|entry| entry.body.position_m));
    }

    /// The numbers of all agents, cell by cell. Agents that are stepped in this order find their
    /// neighbours in the processor's cache.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.sorted.iter().map(|entry| entry.number as usize)
    }

    /// The agents within `radius_m`, metres, of a place, with their numbers; in an order that follows
    /// from the agents alone.
    pub fn near(&self, place_m: [f64; 2], radius_m: f64) -> impl Iterator<Item = (usize, &Body)> {
        let [low, high] = [-radius_m, radius_m].map(|r| self.cell(place_m.map(|x| x + r)));
        let [columns, rows] = [0, 1].map(|k| (high[k] - low[k] + 1).max(0));
        // With more cells than places, all agents are looked at, once.
        let by_cell = columns.saturating_mul(rows) < self.places() as i64;
        let rows = if by_cell { low[1]..=high[1] } else { 0..=0 };
        let squared = radius_m * radius_m;
        rows.flat_map(move |row| {
            let parts = if by_cell { self.of_row(row, low[0], columns) } else { [0..self.sorted.len(), 0..0] };
            parts.into_iter().flat_map(move |part| {
                let positions = self.positions.get(part.clone()).unwrap_or_default();
                let entries = self.sorted.get(part).unwrap_or_default();
                positions.iter().zip(entries).filter_map(move |(position, entry)| {
                    let to = subtract(*position, place_m);
                    // Other rows may have the same places: each agent counts in its own row.
                    (dot(to, to) < squared && (!by_cell || entry.cell[1] == row))
                        .then_some((entry.number as usize, &entry.body))
                })
            })
        })
    }

    /// The agents within `radius_m`, metres, of the agent `number`, without that one, copied into
    /// `found`: what the behaviours take as `others`. Where more are near than `found` has room for,
    /// the rest is left out. Empty for a number that no agent has.
    pub fn others<'a>(&self, number: usize, radius_m: f64, found: &'a mut [Body]) -> &'a [Body] {
        let Some(Entry { body, .. }) = self.numbered.get(number) else { return &[] };
        let others = self.near(body.position_m, radius_m).filter(|(other, _)| *other != number);
        let count = found.iter_mut().zip(others).map(|(place, (_, other))| *place = *other).count();
        found.get(..count).unwrap_or_default()
    }

    /// Where `sorted` has so many cells of a row: two parts, since the table's end goes on at its
    /// beginning.
    fn of_row(&self, row: i64, column: i64, count: i64) -> [Range<usize>; 2] {
        let start = place(self.places(), [column, row]);
        let end = start + count as usize;
        let begin = |place: usize| self.starts.get(place).map_or(0, |&begin| begin as usize);
        let [first, second] = [start..end.min(self.places()), 0..end.saturating_sub(self.places())];
        [begin(first.start)..begin(first.end), begin(second.start)..begin(second.end)]
    }

    /// The number of places in the table.
    fn places(&self) -> usize {
        self.starts.len() - 1
    }

    /// Column and row; those of a number that is not finite are the last ones.
    fn cell(&self, position_m: Vector) -> [i64; 2] {
        /// Beyond it, cells are one; differences of two do not overflow.
        const LAST: f64 = 1e15;
        position_m.map(|x| (x / self.cell_m).floor().clamp(-LAST, LAST) as i64)
    }
}

/// The place of a cell in a table of so many places, a power of two.
fn place(places: usize, [column, row]: [i64; 2]) -> usize {
    let begin = (row as u64).wrapping_mul(ROW) >> 32;
    (begin.wrapping_add(column as u64) as usize) & (places - 1)
}
