//! Start and direction of a reference line.

use std::path::Path;

use raceline_file::Direction;
use serde::de::IgnoredAny;

use super::OptionsError;
use crate::files::{self, LARGEST_LINE_FILE};
use crate::geometry::{Point, Polyline, turns_counterclockwise};

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

/// The points of a CSV: by the columns that its header names, else the first two columns.
fn points_of(text: &str) -> Result<Vec<Point>, String> {
    let mut columns = [0, 1];
    let mut points = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fields: Vec<&str> = line
            .trim_start_matches(['#', '\u{feff}'])
            .split([',', ';', '\t'])
            .map(|field| field.trim().trim_matches('"'))
            .collect();
        let place = |names: [&str; 5]| fields.iter().position(|field| names.contains(&field.to_lowercase().as_str()));
        if let (Some(x), Some(y)) = (place(X_NAMES), place(Y_NAMES)) {
            columns = [x, y];
            continue;
        }
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let number = |column: usize| {
            let value = fields.get(column).and_then(|field| field.parse().ok()).filter(|value: &f64| value.is_finite());
            value.ok_or_else(|| format!("line {}, column {}: expected a number in metres", index + 1, column + 1))
        };
        points.push(Point::new(number(columns[0])?, number(columns[1])?));
    }
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
