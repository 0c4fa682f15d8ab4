//! Gaps across the whole road, closed by their shape alone: a lorry, a bridge, a deep shadow.
//!
//! Such a gap is a compact patch with road at two opposite ends. Closing also fills the inside of a
//! bend and the strip between two parallel roads, but these touch the road in one stretch or in
//! long ones.

use super::morphology::{Bits, MAX_RADIUS};
use crate::picture::regions::Region;

/// Radii of the closing discs, in widths of the road: a gap as long as the radius is nearly filled.
/// Small discs come first, because large ones add slivers along bends that may merge with a gap.
const GAP_FRACTIONS: [f64; 3] = [0.5, 1.0, 1.7];

/// Area of the largest patch, in squares of the road's width: a disc leaves no longer gap.
const MAX_AREA: f64 = 3.0;

/// Range of the length of a patch's contact with one end of the road, in widths of the road.
const CONTACT: std::ops::Range<f64> = 0.2..2.2;

/// The road with its gaps filled.
pub(super) fn joined(road: Bits, width: f64) -> Bits {
    GAP_FRACTIONS.iter().fold(road, |road, fraction| {
        let radius = ((fraction * width).round() as usize).clamp(1, MAX_RADIUS);
        joined_within(road, width, radius)
    })
}

/// The road with the gaps filled into which no disc of `radius` fits.
fn joined_within(road: Bits, width: f64, radius: usize) -> Bits {
    let patches = road.closed_round(radius).with(&road, |a, b| a & (1 - b));
    let Some(regions) = patches.regions() else { return road };
    let may_be_gap = |region: &Region| region.light && (region.area as f64) < MAX_AREA * width * width;
    let mut result = road.clone();
    for (index, region) in (0..).zip(&regions.list).filter(|(_, region)| may_be_gap(region)) {
        let runs: Vec<_> = regions.runs_of(index).collect();
        let mut patch = Patch::new(region, &road);
        for (row, run) in &runs {
            (run.start..run.end).for_each(|column| patch.set(column as usize, *row as usize));
        }
        let contacts = patch.contacts();
        if contacts.len() == 2 && contacts.iter().all(|&length| CONTACT.contains(&(length as f64 / width))) {
            for (row, run) in runs {
                result.data[row as usize * road.width..][run.start as usize..run.end as usize].fill(1);
            }
        }
    }
    result
}

/// A patch and the road's pixels round it.
struct Patch<'a> {
    road: &'a Bits,
    /// Column and row of the window's first pixel.
    low: (usize, usize),
    columns: usize,
    rows: usize,
    is_patch: Vec<bool>,
}

impl<'a> Patch<'a> {
    fn new(region: &Region, road: &'a Bits) -> Self {
        let low = (region.low.column.saturating_sub(1) as usize, region.low.row.saturating_sub(1) as usize);
        let high = (
            (region.high.column as usize + 1).min(road.width - 1),
            (region.high.row as usize + 1).min(road.height - 1),
        );
        let (columns, rows) = (high.0 - low.0 + 1, high.1 - low.1 + 1);
        Self { road, low, columns, rows, is_patch: vec![false; columns * rows] }
    }

    fn set(&mut self, column: usize, row: usize) {
        self.is_patch[(row - self.low.1) * self.columns + column - self.low.0] = true;
    }

    /// The window's pixels about one of them, itself included.
    fn about(&self, at: usize) -> impl Iterator<Item = usize> + use<> {
        let (columns, rows) = (self.columns, self.rows);
        let (column, row) = (at % columns, at / columns);
        let rows = row.saturating_sub(1)..=(row + 1).min(rows - 1);
        let columns_about = column.saturating_sub(1)..=(column + 1).min(columns - 1);
        rows.flat_map(move |row| columns_about.clone().map(move |column| row * columns + column))
    }

    /// Pixels in each connected stretch of road along the patch.
    fn contacts(&self) -> Vec<usize> {
        let is_contact = |at: usize| {
            let pixel = (self.low.1 + at / self.columns) * self.road.width + self.low.0 + at % self.columns;
            self.road.data[pixel] != 0 && self.about(at).any(|other| self.is_patch[other])
        };
        let contact: Vec<bool> = (0..self.is_patch.len()).map(is_contact).collect();
        let mut is_done = vec![false; contact.len()];
        let mut lengths = Vec::new();
        for start in 0..contact.len() {
            if !contact[start] || is_done[start] {
                continue;
            }
            is_done[start] = true;
            let (mut length, mut open) = (0, vec![start]);
            while let Some(at) = open.pop() {
                length += 1;
                // Diagonal neighbours would connect the two ends of a narrow gap.
                let sides = self.about(at).filter(|&other| {
                    other % self.columns == at % self.columns || other / self.columns == at / self.columns
                });
                for other in sides {
                    if contact[other] && !is_done[other] {
                        is_done[other] = true;
                        open.push(other);
                    }
                }
            }
            lengths.push(length);
        }
        lengths
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, joined};

    const WIDTH: usize = 40;
    const MARGIN: usize = 150;
    const COLUMNS: usize = 800;
    const ROWS: usize = 640;

    /// A ring of straight legs with a gap of `length` pixels across its upper leg.
    fn ring(length: usize) -> Bits {
        let is_road = |column: usize, row: usize| {
            let within = |low: usize, columns: usize, rows: usize| {
                (low..columns - low).contains(&column) && (low..rows - low).contains(&row)
            };
            let is_gap = row < 220 && (360..360 + length).contains(&column);
            within(MARGIN, COLUMNS, ROWS) && !within(MARGIN + WIDTH, COLUMNS, ROWS) && !is_gap
        };
        let places: Vec<(usize, usize)> =
            (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row))).collect();
        Bits::from_values(COLUMNS, ROWS, &places, |&(column, row)| is_road(column, row))
    }

    #[test]
    fn gaps_up_to_a_width_and_a_half_are_filled_and_no_longer_ones() {
        let whole = ring(0);
        for length in [12, WIDTH, 3 * WIDTH / 2] {
            // What is left is what no disc reaches, at the edges of the road.
            let (left, gap) = (whole.count() - joined(ring(length), WIDTH as f64).count(), length * WIDTH);
            assert!(2 * left < gap, "{left} of {gap} pixels of a gap of {length} px are left");
        }
        assert_eq!(joined(ring(4 * WIDTH), WIDTH as f64), ring(4 * WIDTH));
        // The inside of the ring and those of its bends are no gaps.
        assert_eq!(joined(whole.clone(), WIDTH as f64), whole);
    }
}
