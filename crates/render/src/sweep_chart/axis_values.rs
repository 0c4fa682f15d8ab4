//! The ranges of a sweep's pictures: an axis with its values in rising order, and the range of lap
//! times.

use super::canvas::{labels_fit, value_text};
use crate::legend::round_values;
use raceline::sweep::{Axis, Table};

/// Number of labels at an axis with too many values to label each.
const ROUND_TICKS: usize = 10;
/// Smallest distance between two of these, pixels.
const MIN_TICK_STEP: f64 = 90.0;

/// The fastest and the slowest lap, s.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeRange {
    pub(super) fastest: f64,
    pub(super) slowest: f64,
}

impl TimeRange {
    /// The range of every lap and the base's.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let (fastest, slowest) = (table.fastest()?.lap?, table.slowest()?.lap?);
        Some(Self { fastest: fastest.lap_time_s, slowest: slowest.lap_time_s })
    }

    /// The range with a margin at both ends, so that it is not empty.
    pub(super) fn widened(self, fraction: f64) -> Self {
        let room = (fraction * (self.slowest - self.fastest)).max(1e-3 * self.slowest).max(0.002);
        Self { fastest: self.fastest - room, slowest: self.slowest + room }
    }

    /// The colour of a lap: the faster, the lighter.
    pub(super) fn colour(self, colours: &[String], lap_time_s: f64) -> usize {
        let fraction =
            if self.slowest > self.fastest { (self.slowest - lap_time_s) / (self.slowest - self.fastest) } else { 1.0 };
        (fraction.clamp(0.0, 1.0) * (colours.len() - 1) as f64).round() as usize
    }
}

/// An axis with its values in rising order.
pub(super) struct AxisValues<'a> {
    pub(super) axis: &'a Axis,
    pub(super) values: Vec<f64>,
}

impl<'a> AxisValues<'a> {
    pub(super) fn new(axis: &'a Axis) -> Self {
        let mut values = axis.values.clone();
        values.sort_by(f64::total_cmp);
        Self { axis, values }
    }

    /// Position of `value` among the values, as a fractional index; `None` beyond them.
    pub(super) fn index_of(&self, value: f64) -> Option<f64> {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
        if let Some(index) = self.values.iter().position(|&other| near(other, value)) {
            return Some(index as f64);
        }
        let above = self.values.iter().position(|&other| other > value)?;
        let below = above.checked_sub(1)?;
        let (low, high) = (self.values[below], self.values[above]);
        Some(below as f64 + (value - low) / (high - low))
    }

    pub(super) fn own_index(&self) -> Option<f64> {
        self.axis.own.and_then(|own| self.index_of(own))
    }

    /// Positions of the labels as fractional indices: at each value if each has `room` pixels,
    /// otherwise at round values.
    pub(super) fn ticks(&self, room: f64, vertical: bool) -> Vec<(f64, String)> {
        let texts: Vec<String> = self.values.iter().map(|&value| value_text(value)).collect();
        if labels_fit(&texts, room, vertical) {
            return texts.into_iter().enumerate().map(|(index, text)| (index as f64, text)).collect();
        }
        let ends = (self.values[0], self.values[self.values.len() - 1]);
        let mut ticks: Vec<(f64, String)> = Vec::new();
        for value in round_values(ends.0, ends.1, ROUND_TICKS) {
            // Values of a list may be close together: then some labels are skipped.
            let far = |index: f64| ticks.last().is_none_or(|&(last, _)| (index - last) * room > MIN_TICK_STEP);
            if let Some(index) = self.index_of(value).filter(|&index| far(index)) {
                ticks.push((index, value_text(value)));
            }
        }
        ticks
    }
}
