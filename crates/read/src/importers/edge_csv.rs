//! Two edges as a CSV: `x_left_m,y_left_m,x_right_m,y_right_m`, in any order of columns.

use super::centre_line_csv::{self, coordinate, grip, height};
use raceline_file::shortened;
use raceline_file::table::{Row, Table, TableError, plain_name};
use raceline_road::construction::{EdgeLevel, EdgePair, Sides};
use raceline_road::construction::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed};
use raceline_road::edges::EdgeKind;
use raceline_road::geometry::Point;

const KNOWN: &str = "two edges have x_left_m, y_left_m, x_right_m and y_right_m";
const KNOWN_HEIGHTS: &str = "heights of edges are z_left_m and z_right_m";
const EXAMPLE: &str = "x_left_m,y_left_m,x_right_m,y_right_m";

/// The columns and their spellings, without unit.
const COLUMNS: [(&str, &[&str]); 11] = [
    ("x_left_m", &["x_left", "left_x", "x_l", "left_bound_x", "x_left_bound", "left_border_x"]),
    ("y_left_m", &["y_left", "left_y", "y_l", "left_bound_y", "y_left_bound", "left_border_y"]),
    ("x_right_m", &["x_right", "right_x", "x_r", "right_bound_x", "x_right_bound", "right_border_x"]),
    ("y_right_m", &["y_right", "right_y", "y_r", "right_bound_y", "y_right_bound", "right_border_y"]),
    ("z_left_m", &["z_left", "left_z", "z_l", "left_bound_z", "z_left_bound"]),
    ("z_right_m", &["z_right", "right_z", "z_r", "right_bound_z", "z_right_bound"]),
    ("grip_left", &["grip_left", "left_grip"]),
    ("grip_right", &["grip_right", "right_grip"]),
    ("grip", &["grip", "friction"]),
    ("kind_left", &["kind_left", "left_kind"]),
    ("kind_right", &["kind_right", "right_kind"]),
];
/// The first of them are required.
const REQUIRED: usize = 4;

/// The columns of height, grip and kind, left and right.
struct Levels {
    z: Option<[usize; 2]>,
    grip: [Option<usize>; 2],
    kind: [Option<usize>; 2],
}

/// Whether a field of a header names a coordinate of an edge.
fn is_column(field: &str) -> bool {
    let plain = plain_name(field);
    COLUMNS.iter().take(REQUIRED).any(|(_, spellings)| spellings.contains(&plain.as_str()))
}

/// Reads a CSV of either kind: two edges if the header names them, else a centre line.
///
/// # Errors
/// See [`ImportError`]; each names the line and the column.
pub fn csv(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let is_name = |field: &str| is_column(field) || centre_line_csv::is_column(field);
    let table = Table::read(bytes, is_name, "x_m,y_m,w_tr_right_m,w_tr_left_m")?;
    match &table.header {
        Some(header) if header.fields.iter().any(|field| is_column(field)) => {
            let mut imported = from_table(&table, closed, options)?;
            if options.width_m.is_some() {
                imported.notes.push(ImportNote::WidthNotUsed);
            }
            Ok(imported)
        }
        _ => centre_line_csv::from_table(&table, closed, options),
    }
}

/// Reads two edges, one point of each per row. They remain polylines.
///
/// # Errors
/// See [`ImportError`]; each names the line and the column.
pub fn edge_csv(bytes: &[u8], closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let table = Table::read(bytes, is_column, EXAMPLE)?;
    from_table(&table, closed, options)
}

fn from_table(table: &Table, closed: SpecifiedClosed, options: &ImportOptions) -> Result<Imported, ImportError> {
    let (indices, levels) = match (&table.header, table.rows.first()) {
        (Some(header), _) => {
            let found = header.columns(&COLUMNS)?;
            let mut indices = [0; REQUIRED];
            for ((index, found), (name, _)) in indices.iter_mut().zip(found).zip(COLUMNS) {
                *index = found.ok_or_else(|| header.missing(name, KNOWN))?;
            }
            (indices, Levels::of_header(header, &found)?)
        }
        (None, Some(row)) => {
            let known = "two edges need a header line: x_left_m,y_left_m,x_right_m,y_right_m";
            return Err(ImportError::ColumnCount { line: row.line, found: row.fields.len(), known });
        }
        (None, None) => return Err(TableError::Empty { example: EXAMPLE }.into()),
    };
    let (mut left, mut right) = (Vec::new(), Vec::new());
    let mut along = [Vec::new(), Vec::new()];
    for row in &table.rows {
        let mut values = [0.0; REQUIRED];
        for ((value, index), (name, _)) in values.iter_mut().zip(indices).zip(COLUMNS) {
            *value = coordinate(row, index, name)?;
        }
        let [x_left, y_left, x_right, y_right] = values;
        left.push(Point::new(x_left, y_left));
        right.push(Point::new(x_right, y_right));
        if let Some(levels) = &levels {
            for (side, edge) in along.iter_mut().enumerate() {
                edge.push(levels.at(row, side)?);
            }
        }
    }
    let levels = levels.map(|_| along);
    EdgePair { first: left, second: right, sides: Sides::Named, in_travel_order: true, levels }
        .imported(closed, options)
}

impl Levels {
    /// The columns that the header names; `None` if it names none of them.
    fn of_header(header: &Row, found: &[Option<usize>; COLUMNS.len()]) -> Result<Option<Self>, TableError> {
        let &[_, _, _, _, z_left, z_right, grip_left, grip_right, grip, kind_left, kind_right] = found;
        let z = match (z_left, z_right) {
            (Some(left), Some(right)) => Some([left, right]),
            (None, None) => None,
            (None, Some(_)) => return Err(header.missing("z_left_m", KNOWN_HEIGHTS)),
            (Some(_), None) => return Err(header.missing("z_right_m", KNOWN_HEIGHTS)),
        };
        let levels = Self { z, grip: [grip_left.or(grip), grip_right.or(grip)], kind: [kind_left, kind_right] };
        let has_any = z.is_some() || levels.grip.iter().chain(&levels.kind).any(Option::is_some);
        Ok(has_any.then_some(levels))
    }

    fn at(&self, row: &Row, side: usize) -> Result<EdgeLevel, ImportError> {
        let name = |names: [&'static str; 2]| names[side];
        let height_m = self.z.map_or(Ok(0.0), |columns| height(row, columns[side], name(["z_left_m", "z_right_m"])))?;
        let grip = self.grip[side].map_or(Ok(1.0), |index| grip(row, index, name(["grip_left", "grip_right"])))?;
        let kind =
            self.kind[side].map_or(Ok(EdgeKind::Line), |index| kind(row, index, name(["kind_left", "kind_right"])))?;
        Ok(EdgeLevel { height_m, grip, kind })
    }
}

/// The kind of an edge from this row on.
fn kind(row: &Row, index: usize, name: &'static str) -> Result<EdgeKind, ImportError> {
    let field = row.field(index);
    match field.to_ascii_lowercase().as_str() {
        "line" | "" => Ok(EdgeKind::Line),
        "kerb" | "curb" => Ok(EdgeKind::Kerb),
        "wall" => Ok(EdgeKind::Wall),
        _ => {
            let found = shortened(field);
            Err(ImportError::UnknownKind { line: row.line, column: index + 1, name, found })
        }
    }
}
