//! The varied numbers and the vehicles of all their combinations.

use super::error::SweepError;
use super::variation::Variation;
use crate::vehicle::{Vehicle, unit_of};

/// Largest number of combinations in one sweep.
pub const MAX_COMBINATIONS: usize = 100_000;

/// A number that varies.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Key.
    pub key: String,
    /// Unit; empty for a number without one.
    pub unit: &'static str,
    /// The vehicle's own value; `None` for a number that the vehicle does not specify.
    pub own: Option<f64>,
    /// Values, at least one, in the order written, without repetition.
    pub values: Vec<f64>,
}

/// The product of all variations.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The numbers that vary, at least one.
    pub axes: Vec<Axis>,
}

impl Plan {
    /// Plans `variations` of `vehicle`.
    ///
    /// # Errors
    /// A key that the vehicle does not have, that is not a number or that is repeated, invalid or
    /// repeated values, and more than [`MAX_COMBINATIONS`] combinations.
    pub fn new(vehicle: &Vehicle, variations: &[Variation]) -> Result<Self, SweepError> {
        if variations.is_empty() {
            return Err(SweepError::Empty);
        }
        // Checked before the values are computed, which may not fit in memory.
        let product = variations.iter().try_fold(1usize, |product, variation| product.checked_mul(variation.count()));
        match product {
            Some(count) if count <= MAX_COMBINATIONS => {}
            _ => {
                let count = product.map_or_else(|| format!("more than {}", usize::MAX), |count| count.to_string());
                return Err(SweepError::TooMany { count, max: MAX_COMBINATIONS });
            }
        }
        let mut axes: Vec<Axis> = Vec::with_capacity(variations.len());
        for variation in variations {
            let key = &variation.key;
            if axes.iter().any(|axis| axis.key == *key) {
                return Err(SweepError::KeyTwice { key: key.clone() });
            }
            let own = vehicle.parameter(key)?;
            let values = variation.resolve(&vehicle.name, own)?;
            for &value in &values {
                // Whether the key accepts the type; a value out of range is a failure of one
                // combination.
                vehicle.with_parameters(&[(key, value)])?;
            }
            axes.push(Axis { key: key.clone(), unit: unit_of(key), own, values });
        }
        Ok(Self { axes })
    }

    /// Number of combinations.
    #[must_use]
    pub fn count(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// The values of the combination `index`, one per axis; the last axis changes fastest.
    #[must_use]
    pub fn combination(&self, index: usize) -> Vec<f64> {
        let mut rest = index;
        let mut values: Vec<f64> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            values.push(axis.values[rest % axis.values.len()]);
            rest /= axis.values.len();
        }
        values.reverse();
        values
    }

    /// The vehicles of all combinations, in their order, not validated.
    ///
    /// # Errors
    /// A combination that cannot be a vehicle.
    pub fn vehicles(&self, vehicle: &Vehicle) -> Result<Vec<Vehicle>, SweepError> {
        let of = |index: usize| {
            let values = self.combination(index);
            let changes: Vec<(&str, f64)> = self.axes.iter().map(|axis| axis.key.as_str()).zip(values).collect();
            Ok(vehicle.with_parameters(&changes)?)
        };
        (0..self.count()).map(of).collect()
    }
}
