//! Centre line with widths as a CSV, the format of TUM's race-track database
//! (<https://github.com/TUMFTM/racetrack-database>): `x_m,y_m,w_tr_right_m,w_tr_left_m`.

use super::several_laps::{self, MeanLap};
use raceline_file::table::{Row, Table, TableError, plain_name};
use raceline_road::construction::Level;
use raceline_road::construction::{CentreLine, Station};
use raceline_road::construction::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed};
use raceline_road::geometry::Point;

const KNOWN: &str = "a centre line has x_m, y_m and either w_tr_right_m and w_tr_left_m or width_m, \
                     unless track_width_m is specified; \
                     two edges have x_left_m, y_left_m, x_right_m and y_right_m";
const KNOWN_COUNTS: &str = "2 are x_m, y_m, if track_width_m is specified; 3 are x_m, y_m, width_m; 4 are x_m, y_m, w_tr_right_m, w_tr_left_m; 5 have the height z_m after y_m; \
                            add a header line for any other";
const EXAMPLE: &str = "x_m,y_m,w_tr_right_m,w_tr_left_m";

/// The columns and their spellings, without unit.
const COLUMNS: [(&str, &[&str]); 8] = [
    ("x_m", &["x", "pos_x", "x_ref", "x_centre", "x_center"]),
    ("y_m", &["y", "pos_y", "y_ref", "y_centre", "y_center"]),
    ("w_tr_right_m", &["w_tr_right", "w_right", "width_right", "right_width", "width_tr_right"]),
    ("w_tr_left_m", &["w_tr_left", "w_left", "width_left", "left_width", "width_tr_left"]),
    ("width_m", &["width", "w", "w_tr", "track_width"]),
    ("z_m", &["z", "z_ref", "z_centre", "z_center", "height", "elevation"]),
    ("banking_rad", &["banking_rad", "banking", "bank_rad"]),
    ("grip", &["grip", "friction"]),
];

/// The column of each quantity.
struct Layout {
    x: usize,
    y: usize,
    widths: Widths,
    z: Option<usize>,
    banking: Option<usize>,
    grip: Option<usize>,
}

enum Widths {
    Both {
        right: usize,
        left: usize,
    },
    Full(usize),
    /// Half of the width that the options specify, m.
    Half(f64),
}

/// Reads a centre line with widths. The columns are identified by a header or by their number: 2 are x
/// and y, where the options specify a width; 3 are x, y and the full width; 4 are x, y, width to the right and to the left; 5 have the height z
/// in third place.
///
/// # Errors
/// See [`ImportError`]; each names the line and the column.
pub fn centre_line_csv(
    bytes: &[u8],
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let table = Table::read(bytes, is_column, EXAMPLE)?;
    from_table(&table, closed, options)
}

/// Whether a field of a header names a column of a centre line.
pub(super) fn is_column(field: &str) -> bool {
    let plain = plain_name(field);
    COLUMNS.iter().any(|(_, spellings)| spellings.contains(&plain.as_str()))
}

pub(super) fn from_table(
    table: &Table,
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let layout = match (&table.header, table.rows.first()) {
        (Some(header), _) => Layout::of_header(header, options)?,
        (None, Some(row)) => Layout::of_count(row, options)?,
        (None, None) => return Err(TableError::Empty { example: EXAMPLE }.into()),
    };
    let mut stations: Vec<Station> = table.rows.iter().map(|row| layout.station(row)).collect::<Result<_, _>>()?;
    let steepest = if table.header.is_none() && layout.z.is_some() { steepest_grade(&stations) } else { 0.0 };
    let is_height = steepest <= STEEPEST_GRADE;
    if !is_height {
        stations.iter_mut().for_each(|station| station.level = None);
    }
    let mut imported = match layout.mean_lap(&stations, closed) {
        Some((lap, half_m)) => lap.imported(half_m, options)?,
        None => CentreLine::new(stations).imported(closed, options)?,
    };
    if options.width_m.is_some() && !matches!(layout.widths, Widths::Half(_)) {
        imported.notes.push(ImportNote::WidthNotUsed);
    }
    if !is_height {
        imported.notes.push(ImportNote::NoHeights { grade: steepest });
    }
    Ok(imported)
}

impl Layout {
    fn of_header(header: &Row, options: &ImportOptions) -> Result<Self, TableError> {
        let [x, y, right, left, full, z, banking, grip] = header.columns(&COLUMNS)?;
        let x = x.ok_or_else(|| header.missing("x_m", KNOWN))?;
        let y = y.ok_or_else(|| header.missing("y_m", KNOWN))?;
        let widths = match (right, left, full, options.width_m) {
            (Some(right), Some(left), ..) => Widths::Both { right, left },
            (None, None, Some(full), _) => Widths::Full(full),
            (None, None, None, Some(width)) => Widths::Half(width / 2.0),
            (None, Some(_), ..) => return Err(header.missing("w_tr_right_m", KNOWN)),
            (Some(_), None, ..) => return Err(header.missing("w_tr_left_m", KNOWN)),
            (None, None, None, None) => return Err(header.missing("width_m", KNOWN)),
        };
        Ok(Self { x, y, widths, z, banking, grip })
    }

    fn of_count(row: &Row, options: &ImportOptions) -> Result<Self, ImportError> {
        let widths = match (row.fields.len(), options.width_m) {
            (2, Some(width)) => Widths::Half(width / 2.0),
            (3, _) => Widths::Full(2),
            (4, _) => Widths::Both { right: 2, left: 3 },
            (5, _) => Widths::Both { right: 3, left: 4 },
            (found, _) => return Err(ImportError::ColumnCount { line: row.line, found, known: KNOWN_COUNTS }),
        };
        let z = (row.fields.len() == 5).then_some(2);
        Ok(Self { x: 0, y: 1, widths, z, banking: None, grip: None })
    }

    fn station(&self, row: &Row) -> Result<Station, TableError> {
        let position = Point::new(coordinate(row, self.x, "x_m")?, coordinate(row, self.y, "y_m")?);
        let (right_m, left_m) = match self.widths {
            Widths::Both { right, left } => (width(row, right, "w_tr_right_m")?, width(row, left, "w_tr_left_m")?),
            Widths::Full(full) => {
                let half = width(row, full, "width_m")? / 2.0;
                (half, half)
            }
            Widths::Half(half) => (half, half),
        };
        let level = if self.z.or(self.banking).or(self.grip).is_some() { Some(self.level(row)?) } else { None };
        Ok(Station { position, right_m, left_m, line: Some(row.line), level })
    }

    /// The mean lap of positions that go round more than once, and half the road's width; `None` where rows
    /// have more than a position.
    fn mean_lap(&self, stations: &[Station], closed: SpecifiedClosed) -> Option<(MeanLap, f64)> {
        let Widths::Half(half_m) = self.widths else { return None };
        if closed == Some(false) || self.banking.or(self.grip).is_some() {
            return None;
        }
        let points: Vec<Point> = stations.iter().map(|station| station.position).collect();
        let heights: Option<Vec<f64>> = stations.iter().map(|station| Some(station.level?.height_m)).collect();
        Some((several_laps::mean_lap(&points, heights.as_deref(), 2.0 * half_m)?, half_m))
    }

    fn level(&self, row: &Row) -> Result<Level, TableError> {
        Ok(Level {
            height_m: self.z.map_or(Ok(0.0), |index| height(row, index, "z_m"))?,
            banking_rad: self.banking.map_or(Ok(0.0), |index| banking(row, index))?,
            grip: self.grip.map_or(Ok(1.0), |index| grip(row, index, "grip"))?,
        })
    }
}

/// The points of one line, as an edge of the road in a file of its own, and their heights, if it has
/// any. The columns `x_m`, `y_m` and `z_m` are identified by a header or are the first three.
pub(super) fn line(bytes: &[u8]) -> Result<(Vec<Point>, Option<Vec<f64>>), ImportError> {
    const EXAMPLE: &str = "x_m,y_m";
    const KNOWN: &str = "an edge has x_m, y_m and optionally z_m";
    let table = Table::read(bytes, is_column, EXAMPLE)?;
    let [x, y, _, _, _, z, _, _] = match (&table.header, table.rows.first()) {
        (Some(header), _) => header.columns(&COLUMNS)?,
        (None, Some(row)) => {
            let third = (row.fields.len() > 2).then_some(2);
            [Some(0), Some(1), None, None, None, third, None, None]
        }
        (None, None) => return Err(TableError::Empty { example: EXAMPLE }.into()),
    };
    let place = table.header.as_ref().or(table.rows.first());
    let missing = |name| place.map_or(TableError::Empty { example: EXAMPLE }, |row| row.missing(name, KNOWN));
    let x = x.ok_or_else(|| missing("x_m"))?;
    let y = y.ok_or_else(|| missing("y_m"))?;
    let point = |row: &Row| Ok(Point::new(coordinate(row, x, "x_m")?, coordinate(row, y, "y_m")?));
    let points = table.rows.iter().map(point).collect::<Result<_, TableError>>()?;
    let heights = z.map(|z| table.rows.iter().map(|row| height(row, z, "z_m")).collect()).transpose()?;
    Ok((points, heights))
}

/// A column without a name in which the road would be steeper than this holds no heights.
const STEEPEST_GRADE: f64 = 0.5;

/// The steepest grade from one station to the next.
fn steepest_grade(stations: &[Station]) -> f64 {
    let grade = |pair: &[Station]| {
        let rise = pair[1].level?.height_m - pair[0].level?.height_m;
        let run = (pair[1].position - pair[0].position).norm();
        (run > 0.0).then_some((rise / run).abs())
    };
    stations.windows(2).filter_map(grade).fold(0.0, f64::max)
}

/// At a greater distance from the origin, a coordinate in metres has too few digits for curvature.
const FARTHEST_M: f64 = 1e8;
/// Largest number for a width. Whether it is in metres, `units` decides.
const WIDEST_M: f64 = 1e6;

/// A coordinate in metres.
pub(crate) fn coordinate(row: &Row, index: usize, name: &'static str) -> Result<f64, TableError> {
    let found = row.number(index, name)?;
    if found.abs() > FARTHEST_M {
        let must_be = "at most 100000 km: coordinates are in metres";
        return Err(TableError::OutOfRange { line: row.line, column: index + 1, name, found, must_be });
    }
    Ok(found)
}

fn width(row: &Row, index: usize, name: &'static str) -> Result<f64, TableError> {
    let found = row.number(index, name)?;
    if !(0.0..=WIDEST_M).contains(&found) {
        let must_be = "a width in metres, from 0 m";
        return Err(TableError::OutOfRange { line: row.line, column: index + 1, name, found, must_be });
    }
    Ok(found)
}

/// Largest height, metres.
pub(super) const HIGHEST_M: f64 = 1e5;
/// Largest banking, radians. Larger numbers are degrees.
const MAX_BANKING_RAD: f64 = 1.2;
/// Largest grip.
const MAX_GRIP: f64 = 10.0;

/// A height in metres.
pub(super) fn height(row: &Row, index: usize, name: &'static str) -> Result<f64, TableError> {
    let found = row.number(index, name)?;
    if found.abs() > HIGHEST_M {
        let must_be = "a height in metres, at most 100 km";
        return Err(TableError::OutOfRange { line: row.line, column: index + 1, name, found, must_be });
    }
    Ok(found)
}

fn banking(row: &Row, index: usize) -> Result<f64, TableError> {
    let (name, found) = ("banking_rad", row.number(index, "banking_rad")?);
    if found.abs() > MAX_BANKING_RAD {
        let must_be = "a banking in radians, from -1.2 to 1.2";
        return Err(TableError::OutOfRange { line: row.line, column: index + 1, name, found, must_be });
    }
    Ok(found)
}

/// A factor on the tyre limits.
pub(super) fn grip(row: &Row, index: usize, name: &'static str) -> Result<f64, TableError> {
    let found = row.number(index, name)?;
    if !(found > 0.0 && found <= MAX_GRIP) {
        let must_be = "a factor on the grip, above 0 and at most 10";
        return Err(TableError::OutOfRange { line: row.line, column: index + 1, name, found, must_be });
    }
    Ok(found)
}
