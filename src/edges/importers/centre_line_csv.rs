//! Centre line with widths as a CSV, the format of TUM's race-track database
//! (<https://github.com/TUMFTM/racetrack-database>): `x_m,y_m,w_tr_right_m,w_tr_left_m`.

use super::centre_line::{CentreLine, Station};
use super::table::{self, Row, Table};
use super::{ImportError, ImportOptions, Imported, SaidClosed};
use crate::geometry::Point;

const KNOWN: &str = "a centre line has x_m, y_m and either w_tr_right_m and w_tr_left_m or width_m; \
                     two edges have x_left_m, y_left_m, x_right_m and y_right_m";
const KNOWN_COUNTS: &str = "3 are x_m, y_m, width_m; 4 are x_m, y_m, w_tr_right_m, w_tr_left_m; 5 have z_m after y_m; \
                            add a header line for any other";
const EXAMPLE: &str = "x_m,y_m,w_tr_right_m,w_tr_left_m";

/// The columns and their spellings, without unit.
const COLUMNS: [(&str, &[&str]); 5] = [
    ("x_m", &["x", "x_ref", "x_centre", "x_center"]),
    ("y_m", &["y", "y_ref", "y_centre", "y_center"]),
    ("w_tr_right_m", &["w_tr_right", "w_right", "width_right", "right_width", "width_tr_right"]),
    ("w_tr_left_m", &["w_tr_left", "w_left", "width_left", "left_width", "width_tr_left"]),
    ("width_m", &["width", "w", "w_tr", "track_width"]),
];

/// The column of each quantity.
struct Layout {
    x: usize,
    y: usize,
    widths: Widths,
}

enum Widths {
    Both { right: usize, left: usize },
    Full(usize),
}

/// Reads a centre line with widths. The columns are identified by a header or by their number: 3
/// are x, y and the full width; 4 are x, y, width to the right and to the left; 5 have z in third
/// place, which is ignored.
///
/// # Errors
/// See [`ImportError`]; each names the line and the column.
pub fn centre_line_csv(bytes: &[u8], closed: SaidClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let table = Table::read(table::text(bytes)?, is_column, EXAMPLE)?;
    from_table(&table, closed, options)
}

/// Whether a field of a header names a column of a centre line.
pub(super) fn is_column(field: &str) -> bool {
    let plain = table::plain_name(field);
    COLUMNS.iter().any(|(_, spellings)| spellings.contains(&plain.as_str()))
}

pub(super) fn from_table(table: &Table, closed: SaidClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let layout = match (&table.header, table.rows.first()) {
        (Some(header), _) => Layout::of_header(header)?,
        (None, Some(row)) => Layout::of_count(row)?,
        (None, None) => return Err(ImportError::Empty { example: EXAMPLE }),
    };
    let stations = table.rows.iter().map(|row| layout.station(row)).collect::<Result<_, _>>()?;
    CentreLine::new(stations).imported(closed, options)
}

impl Layout {
    fn of_header(header: &Row) -> Result<Self, ImportError> {
        let [x, y, right, left, full] = table::columns(header, &COLUMNS)?;
        let x = x.ok_or_else(|| table::missing(header, "x_m", KNOWN))?;
        let y = y.ok_or_else(|| table::missing(header, "y_m", KNOWN))?;
        let widths = match (right, left, full) {
            (Some(right), Some(left), _) => Widths::Both { right, left },
            (None, None, Some(full)) => Widths::Full(full),
            (None, Some(_), _) => return Err(table::missing(header, "w_tr_right_m", KNOWN)),
            (Some(_), None, _) => return Err(table::missing(header, "w_tr_left_m", KNOWN)),
            (None, None, None) => return Err(table::missing(header, "width_m", KNOWN)),
        };
        Ok(Self { x, y, widths })
    }

    fn of_count(row: &Row) -> Result<Self, ImportError> {
        let widths = match row.fields.len() {
            3 => Widths::Full(2),
            4 => Widths::Both { right: 2, left: 3 },
            5 => Widths::Both { right: 3, left: 4 },
            found => return Err(ImportError::ColumnCount { line: row.line, found, known: KNOWN_COUNTS }),
        };
        Ok(Self { x: 0, y: 1, widths })
    }

    fn station(&self, row: &Row) -> Result<Station, ImportError> {
        let position = Point::new(coordinate(row, self.x, "x_m")?, coordinate(row, self.y, "y_m")?);
        let (right_m, left_m) = match self.widths {
            Widths::Both { right, left } => (width(row, right, "w_tr_right_m")?, width(row, left, "w_tr_left_m")?),
            Widths::Full(full) => {
                let half = width(row, full, "width_m")? / 2.0;
                (half, half)
            }
        };
        Ok(Station { position, right_m, left_m, line: Some(row.line) })
    }
}

/// At a greater distance from the origin, a coordinate in metres has too few digits for curvature.
const FARTHEST_M: f64 = 1e8;
/// Largest number for a width. Whether it is in metres, `units` decides.
const WIDEST_M: f64 = 1e6;

/// A coordinate in metres.
pub(super) fn coordinate(row: &Row, index: usize, name: &'static str) -> Result<f64, ImportError> {
    let found = row.number(index, name)?;
    if found.abs() > FARTHEST_M {
        let must_be = "at most 100000 km: coordinates are in metres";
        return Err(ImportError::OutOfRange { line: row.line, column: index + 1, name, found, must_be });
    }
    Ok(found)
}

fn width(row: &Row, index: usize, name: &'static str) -> Result<f64, ImportError> {
    let found = row.number(index, name)?;
    if !(0.0..=WIDEST_M).contains(&found) {
        let must_be = "a width in metres, from 0 m";
        return Err(ImportError::OutOfRange { line: row.line, column: index + 1, name, found, must_be });
    }
    Ok(found)
}
