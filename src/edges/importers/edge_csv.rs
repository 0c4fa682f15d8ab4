//! Two edges as a CSV: `x_left_m,y_left_m,x_right_m,y_right_m`, in any order of columns.

use super::centre_line_csv::{self, coordinate};
use super::edge_pair::{EdgePair, Sides};
use super::table::{self, Table};
use super::{ImportError, ImportOptions, Imported, SaidClosed};
use crate::geometry::Point;

const KNOWN: &str = "two edges have x_left_m, y_left_m, x_right_m and y_right_m";
const EXAMPLE: &str = "x_left_m,y_left_m,x_right_m,y_right_m";

/// The columns and their spellings, without unit.
const COLUMNS: [(&str, &[&str]); 4] = [
    ("x_left_m", &["x_left", "left_x", "x_l", "left_bound_x", "x_left_bound"]),
    ("y_left_m", &["y_left", "left_y", "y_l", "left_bound_y", "y_left_bound"]),
    ("x_right_m", &["x_right", "right_x", "x_r", "right_bound_x", "x_right_bound"]),
    ("y_right_m", &["y_right", "right_y", "y_r", "right_bound_y", "y_right_bound"]),
];

fn is_column(field: &str) -> bool {
    let plain = table::plain_name(field);
    COLUMNS.iter().any(|(_, spellings)| spellings.contains(&plain.as_str()))
}

/// Reads a CSV of either kind: two edges if the header names them, else a centre line.
///
/// # Errors
/// See [`ImportError`]; each names the line and the column.
pub fn csv(bytes: &[u8], closed: SaidClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let is_name = |field: &str| is_column(field) || centre_line_csv::is_column(field);
    let table = Table::read(table::text(bytes)?, is_name, "x_m,y_m,w_tr_right_m,w_tr_left_m")?;
    match &table.header {
        Some(header) if header.fields.iter().any(|field| is_column(field)) => from_table(&table, closed, options),
        _ => centre_line_csv::from_table(&table, closed, options),
    }
}

/// Reads two edges, one point of each per row. They remain polylines.
///
/// # Errors
/// See [`ImportError`]; each names the line and the column.
pub fn edge_csv(bytes: &[u8], closed: SaidClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let table = Table::read(table::text(bytes)?, is_column, EXAMPLE)?;
    from_table(&table, closed, options)
}

fn from_table(table: &Table, closed: SaidClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let indices = match (&table.header, table.rows.first()) {
        (Some(header), _) => {
            let found = table::columns(header, &COLUMNS)?;
            let mut indices = [0; COLUMNS.len()];
            for ((index, found), (name, _)) in indices.iter_mut().zip(found).zip(COLUMNS) {
                *index = found.ok_or_else(|| table::missing(header, name, KNOWN))?;
            }
            indices
        }
        (None, Some(row)) => {
            let known = "two edges need a header line: x_left_m,y_left_m,x_right_m,y_right_m";
            return Err(ImportError::ColumnCount { line: row.line, found: row.fields.len(), known });
        }
        (None, None) => return Err(ImportError::Empty { example: EXAMPLE }),
    };
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for row in &table.rows {
        let mut values = [0.0; COLUMNS.len()];
        for ((value, index), (name, _)) in values.iter_mut().zip(indices).zip(COLUMNS) {
            *value = coordinate(row, index, name)?;
        }
        let [x_left, y_left, x_right, y_right] = values;
        left.push(Point::new(x_left, y_left));
        right.push(Point::new(x_right, y_right));
    }
    EdgePair { first: left, second: right, sides: Sides::Named, in_travel_order: true }.imported(closed, options)
}
