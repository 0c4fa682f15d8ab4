//! Start and direction of a reference line.

use std::path::Path;

use raceline_file::Direction;
use serde::de::IgnoredAny;

use super::OptionsError;
use crate::files::{self, LARGEST_LINE_FILE};
use crate::geometry::{Point, Polyline, turns_counterclockwise};
use crate::table::{Row, Table};

/// A line is closed if the gap between its ends is at most this many mean steps.
const CLOSED_STEPS: f64 = 3.0;
/// Minimum number of points.
const MIN: usize = 3;
/// Names of the coordinates in a header, in lower case.
const X_NAMES: [&str; 5] = ["x_m", "x", "x_ref_m", "x_raceline_m", "pos_x"];
const Y_NAMES: [&str; 5] = ["y_m", "y", "y_ref_m", "y_raceline_m", "pos_y"];

/// Where and in which direction a lap begins.
pub(super) struct Reference {
    /// The first point, metres.
    pub start_m: [f64; 2],
    /// The direction; `None` for an open line.
    pub direction: Option<Direction>,
}

impl Reference {
    /// Reads a racing-line file or a CSV.
    ///
    /// # Errors
    /// [`OptionsError::Reference`] with the file and the problem.
    pub fn read(path: &Path) -> Result<Self, OptionsError> {
        let wrong = |message: String| OptionsError::Reference { file: path.display().to_string(), message };
        let bytes = files::read(path, LARGEST_LINE_FILE).map_err(|error| wrong(error.to_string()))?;
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{') {
            let line =
                raceline_file::read::<IgnoredMap, IgnoredMap>(&bytes).map_err(|error| wrong(error.to_string()))?;
            let first = line.points.first().ok_or_else(|| wrong("it has no points".to_owned()))?;
            let direction = line.closed.then_some(line.direction);
            return Ok(Self { start_m: [first.x_m, first.y_m], direction });
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| wrong("it is neither JSON nor text".to_owned()))?;
        let points = points_of(text).map_err(wrong)?;
        let first = points[0];
        let direction = is_closed(&points).then(|| {
            let line = Polyline::closed(points);
            if turns_counterclockwise(&[&line]) { Direction::Counterclockwise } else { Direction::Clockwise }
        });
        Ok(Self { start_m: [first.x, first.y], direction })
    }
}

/// Any object.
#[derive(serde::Deserialize)]
struct IgnoredMap {
    #[serde(flatten)]
    _all: std::collections::BTreeMap<String, IgnoredAny>,
}

/// The points of a table: by the columns that its header names, else the first two columns.
fn points_of(text: &str) -> Result<Vec<Point>, String> {
    let is_one_of = |names: [&str; 5], field: &str| names.contains(&field.to_lowercase().as_str());
    let table = Table::read_uneven(text, |field| is_one_of(X_NAMES, field) || is_one_of(Y_NAMES, field))
        .map_err(|error| error.to_string())?;
    let not_a_number =
        |line: usize, column: usize| format!("line {line}, column {}: expected a number in metres", column + 1);
    let mut columns = [0, 1];
    if let Some(header) = &table.header {
        let place = |names: [&str; 5]| header.fields.iter().position(|field| is_one_of(names, field));
        match (place(X_NAMES), place(Y_NAMES)) {
            (Some(x), Some(y)) => columns = [x, y],
            // Of a comment nothing is required.
            _ if table.header_is_comment => {}
            _ => return Err(not_a_number(header.line, columns[0])),
        }
    }
    let number = |row: &Row, index: usize| row.number(index, "").map_err(|_| not_a_number(row.line, index));
    let point = |row| Ok(Point::new(number(row, columns[0])?, number(row, columns[1])?));
    let mut points: Vec<Point> = table.rows.iter().map(point).collect::<Result<_, String>>()?;
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    if points.len() < MIN {
        return Err(format!("it has {} points of the {MIN} required: give columns x_m and y_m", points.len()));
    }
    Ok(points)
}

fn is_closed(points: &[Point]) -> bool {
    let length: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    let gap = (points[0] - points[points.len() - 1]).norm();
    gap <= CLOSED_STEPS * length / (points.len() - 1) as f64
}

#[cfg(test)]
mod tests {
    use super::{is_closed, points_of};

    #[test]
    fn columns_follow_the_header() {
        let with_header = points_of("# s_m; x_m; y_m\n0;1;2\n1;3;4\n2;5;7\n").unwrap();
        let without = points_of("1,2,9\n3,4,9\n5,7,9\n").unwrap();
        assert_eq!(with_header, without);
        assert_eq!(points_of("x_m,\"the \"\"y\"\"\",y_m\r\n1,\"a,b\",2\r\n3,,4\r\n5,,7").unwrap(), without);
        assert!(points_of("1,2\n3,x\n5,6\n").unwrap_err().starts_with("line 2, column 2"));
        assert!(points_of("x_m,y_m\n1,2\n").unwrap_err().starts_with("it has 1 points"));
    }

    #[test]
    fn a_line_that_leads_back_is_closed() {
        let square = points_of("0,0\n1,0\n1,1\n0,1\n").unwrap();
        assert!(is_closed(&square));
        assert!(!is_closed(&points_of("0,0\n1,0\n2,0\n3,0\n4,0\n").unwrap()));
    }
}
