//! Numbers as integer multiples of a quantum, each as the difference from the previous one. This
//! requires a third of the digits of plain JSON.

use serde::Serialize;

use raceline::RacingLine;

/// Length of a lap above which a page rounds ten times as coarsely, m. It limits the page of a 100
/// km line to one or two megabytes.
const LONG_LAP_M: f64 = 20_000.0;

/// A column of numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Column {
    /// Steps per unit.
    per_unit: f64,
    /// The first number in steps, then the differences.
    steps: Vec<i64>,
}

impl Column {
    /// `values` in steps of a `per_unit`-th.
    fn new(per_unit: f64, values: impl Iterator<Item = f64>) -> Self {
        let mut before = 0;
        let step = |value: f64| {
            let here = (value * per_unit).round() as i64;
            here.saturating_sub(std::mem::replace(&mut before, here))
        };
        Self { per_unit, steps: values.map(step).collect() }
    }
}

/// Resolution of the columns of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Precision {
    coarser: f64,
}

impl Precision {
    /// The file's resolution, or a tenth of it for a long lap.
    pub(super) fn of(line: &RacingLine) -> Self {
        Self { coarser: if line.length_m > LONG_LAP_M { 10.0 } else { 1.0 } }
    }

    /// Largest deviation of a drawn edge from the file's, in road widths: visible only at high
    /// zoom.
    pub(super) fn edge_fraction(self) -> f64 {
        if self.coarser > 1.0 { 5e-3 } else { 1e-3 }
    }

    /// Lengths and positions, m: millimetres.
    pub(super) fn lengths(self, values: impl Iterator<Item = f64>) -> Column {
        Column::new(1e3 / self.coarser, values)
    }

    /// Times, s: tenths of a millisecond.
    pub(super) fn times(self, values: impl Iterator<Item = f64>) -> Column {
        Column::new(1e4 / self.coarser, values)
    }

    /// Speeds, m/s, and accelerations, m/s²: thousandths.
    pub(super) fn speeds(self, values: impl Iterator<Item = f64>) -> Column {
        Column::new(1e3 / self.coarser, values)
    }

    /// Curvatures, 1/m: millionths.
    pub(super) fn curvatures(self, values: impl Iterator<Item = f64>) -> Column {
        Column::new(1e6 / self.coarser, values)
    }

    /// Positions as two columns.
    pub(super) fn path(self, places: &[[f64; 2]]) -> Path {
        Path {
            x_m: self.lengths(places.iter().map(|place| place[0])),
            y_m: self.lengths(places.iter().map(|place| place[1])),
        }
    }
}

/// Positions, m.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Path {
    x_m: Column,
    y_m: Column,
}
