//! Columns of text with names and units → channels.

use crate::columns::{self, Named};
use crate::error::LogError;
use crate::log::{Channel, Quantity};
use crate::units::{Dimension, factor};

/// A column of a file, before it is known what it holds.
#[derive(Clone, Debug, Default)]
pub(super) struct RawColumn {
    /// The name.
    pub name: String,
    /// The unit by a row of units; empty where there is none.
    pub unit: String,
    /// Where the logger has it from.
    pub source: String,
}

/// The columns that were recognised, the best for each quantity, with their places; and the names of the
/// others.
pub(super) struct Chosen {
    pub columns: Vec<(usize, Quantity, String)>,
    pub unused: Vec<String>,
}

/// Recognises the columns. `default_unit` gives the format's own unit of a quantity.
pub(super) fn choose(columns: &[RawColumn], default_unit: impl Fn(Quantity) -> &'static str) -> Chosen {
    let mut best: Vec<(usize, Named)> = Vec::new();
    for (place, column) in columns.iter().enumerate() {
        let Some(mut named) = columns::named(&column.name) else { continue };
        if column.source.to_lowercase().contains("gps") {
            named.rank = named.rank.saturating_sub(100);
        }
        match best.iter_mut().find(|(_, other)| other.quantity == named.quantity) {
            Some(other) if named.rank < other.1.rank => *other = (place, named),
            Some(_) => {}
            None => best.push((place, named)),
        }
    }
    best.sort_by_key(|&(place, _)| place);
    let is_used = |place: usize| best.iter().any(|&(used, _)| used == place);
    let unused = (0..columns.len()).filter(|&place| !is_used(place)).filter_map(|place| columns.get(place));
    let unused = unused.map(|column| column.name.clone()).filter(|name| !name.is_empty()).collect();
    let unit_of = |place: usize, named: &Named| {
        let of_row = columns.get(place).map(|column| column.unit.trim()).filter(|unit| !unit.is_empty());
        let stated = of_row.map(str::to_owned).or_else(|| named.unit.clone());
        stated.unwrap_or_else(|| default_unit(named.quantity).to_owned())
    };
    let columns = best.iter().map(|(place, named)| (*place, named.quantity, unit_of(*place, named))).collect();
    Chosen { columns, unused }
}

/// A channel in the units of [`Quantity`] from values in `unit`.
///
/// # Errors
/// [`LogError::Unit`].
pub(super) fn channel(quantity: Quantity, name: &str, unit: &str, mut values: Vec<f64>) -> Result<Channel, LogError> {
    let wrong = || LogError::Unit { column: name.to_owned(), unit: unit.to_owned(), quantity: quantity.name() };
    // Times have been converted when they were read.
    let mut factor = if quantity == Quantity::Time { 1.0 } else { factor(quantity, unit).ok_or_else(wrong)? };
    if quantity.dimension() == Dimension::Fraction {
        let highest = values.iter().copied().filter(|value| value.is_finite()).fold(0.0_f64, |a, b| a.max(b.abs()));
        // Without a unit, pedals above 1 are per cent.
        if factor.is_nan() {
            factor = if highest > 0.0 { 1.0 / highest } else { 1.0 };
        } else if unit.is_empty() && highest > 1.5 {
            factor = if highest <= 110.0 { 0.01 } else { 1.0 / highest };
        }
    }
    for value in &mut values {
        *value = if value.is_finite() { *value * factor } else { f64::NAN };
    }
    Ok(Channel { quantity, name: name.to_owned(), unit: unit.to_owned(), values })
}

/// The channels of columns with their quantities, names and units: those that have a value, and of several for one
/// quantity the first.
///
/// # Errors
/// [`LogError::Unit`].
pub(super) fn known<'a>(
    columns: impl Iterator<Item = (Quantity, &'a str, &'a str, Vec<f64>)>,
) -> Result<Vec<Channel>, LogError> {
    let mut channels: Vec<Channel> = Vec::new();
    for (quantity, name, unit, values) in columns {
        let is_new = channels.iter().all(|channel| channel.quantity != quantity);
        if is_new && values.iter().any(|value| value.is_finite()) {
            channels.push(channel(quantity, name, unit, values)?);
        }
    }
    Ok(channels)
}

/// A number as a logger writes it, with a decimal point or a decimal comma.
pub(super) fn number(field: &str) -> f64 {
    let field = field.trim();
    field.parse().ok().or_else(|| field.replace(',', ".").parse().ok()).unwrap_or(f64::NAN)
}
