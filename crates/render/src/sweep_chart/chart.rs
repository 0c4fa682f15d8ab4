//! The choice of the picture by the numbers that vary.

use super::axis_values::TimeRange;
use super::{heat_map, line_chart};
use crate::error::RenderError;
use raceline::sweep::{Axis, Plan, Table};

/// Checks that a picture can show `plan`: one or two of its numbers take several values.
///
/// # Errors
/// [`RenderError::Axes`] with the numbers that vary and the remedy.
pub fn check(plan: &Plan) -> Result<(), RenderError> {
    varied(&plan.axes).map(|_| ())
}

/// The SVG of `table`, 1600 pixels wide: a map of the lap time when two numbers take several
/// values, a line when one does.
///
/// # Errors
/// [`RenderError::Axes`] for any other number of varied numbers, [`RenderError::NoLap`] when every
/// combination failed.
pub fn svg(table: &Table) -> Result<String, RenderError> {
    let range = TimeRange::of(table).ok_or(RenderError::NoLap)?;
    match varied(&table.axes)?[..] {
        [x, y] => Ok(heat_map::svg(table, x, y, range)),
        [x, ..] => Ok(line_chart::svg(table, x, range)),
        [] => Err(RenderError::NoLap),
    }
}

/// Indices of the axes with several values: one or two.
fn varied(axes: &[Axis]) -> Result<Vec<usize>, RenderError> {
    let varied: Vec<usize> = (0..axes.len()).filter(|&index| axes[index].values.len() > 1).collect();
    match varied.len() {
        0 => Err(RenderError::Axes {
            varied: "each has a single value".to_owned(),
            fix: "specify several values for one or two of them",
        }),
        1 | 2 => Ok(varied),
        _ => {
            let keys: Vec<&str> = varied.iter().map(|&index| axes[index].key.as_str()).collect();
            Err(RenderError::Axes {
                varied: format!("{} vary", keys.join(", ")),
                fix: "specify a single value for all but two of them",
            })
        }
    }
}
