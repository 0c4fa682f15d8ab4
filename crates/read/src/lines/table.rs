//! A line in a table: columns by name, else by their order.
//!
//! Without names, the first column is the distance along the line where it grows as the next two
//! columns advance, as in TUM's and F1TENTH's files; otherwise the first two columns are the
//! coordinates, as in those of donkeycar.

use raceline_file::table::{Row, Table, TableError, plain_name};
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

use super::line_file::{LineFile, Positions};
use crate::importers::coordinate;

const EXAMPLE: &str = "x_m,y_m";
const KNOWN: &str = "a line has x_m and y_m, or longitude and latitude, and optionally its speed";

/// A column that is recognised by its name.
struct Named {
    /// Spellings, as [`plain_name`] returns them.
    spellings: &'static [&'static str],
    /// The column's unit in metres, or in metres a second.
    unit: f64,
}

const X: &[Named] = &[
    Named { spellings: &["x", "pos_x", "position_x", "px", "x_raceline", "x_racetraj", "east", "easting"], unit: 1.0 },
    Named { spellings: &["xcm"], unit: 0.01 },
];
const Y: &[Named] = &[
    Named {
        spellings: &["y", "pos_y", "position_y", "py", "y_raceline", "y_racetraj", "north", "northing"],
        unit: 1.0,
    },
    // The axis of Unreal Engine.
    Named { spellings: &["ycm"], unit: -0.01 },
];
const SPEED: &[Named] = &[
    Named {
        spellings: &[
            "speed_mps",
            "speed",
            "v",
            "vx",
            "vx_mps",
            "v_mps",
            "velocity",
            "velocity_mps",
            "target_speed",
            "vx_racetraj_mps",
            "speed[m/s]",
            "speed(m/s)",
        ],
        unit: 1.0,
    },
    Named { spellings: &["speed_kmh", "speed_kph", "speed[km/h]", "speed(km/h)", "speedkmh"], unit: 1.0 / 3.6 },
    Named { spellings: &["speedcmps"], unit: 0.01 },
];
const LATITUDE: &[&str] = &["latitude", "lat", "latitude_deg", "lat_deg", "latitude[deg]", "latitude(deg)"];
const LONGITUDE: &[&str] =
    &["longitude", "lon", "lng", "long", "longitude_deg", "lon_deg", "longitude[deg]", "longitude(deg)"];

/// Distances to the edges.
const LEFT: &[&str] = &["left", "d_left", "w_tr_left", "w_left", "width_left"];
const RIGHT: &[&str] = &["right", "d_right", "w_tr_right", "w_right", "width_right"];

/// Number of columns of TUM's race trajectory, whose sixth is the speed.
const TUM_COLUMNS: usize = 7;
/// Median of the relative difference of a step from that of a column of distances.
const DISTANCE_TOLERANCE: f64 = 0.05;

/// Reads the line in a table.
pub(super) fn read(bytes: &[u8]) -> Result<LineFile, ImportError> {
    let table = Table::read(bytes, is_column, EXAMPLE)?;
    match &table.header {
        Some(header) => by_name(&table, header),
        None => by_order(&table),
    }
}

/// Whether a field of a header names a coordinate.
fn is_column(field: &str) -> bool {
    let plain = plain_name(field);
    let is_named = |named: &[Named]| named.iter().any(|named| named.spellings.contains(&plain.as_str()));
    is_named(X) || plain == "x_ref" || LATITUDE.contains(&plain.as_str())
}

/// The column with one of these names, and its unit.
fn column(header: &Row, named: &[Named]) -> Option<(usize, f64)> {
    named.iter().find_map(|named| Some((of_name(header, named.spellings)?, named.unit)))
}

/// The column with the first of these names that there is.
fn of_name(header: &Row, spellings: &[&str]) -> Option<usize> {
    spellings.iter().find_map(|spelt| header.fields.iter().position(|field| plain_name(field) == *spelt))
}

fn by_name(table: &Table, header: &Row) -> Result<LineFile, ImportError> {
    let speed = column(header, SPEED);
    let speeds_mps = speed.map(|(index, unit)| numbers(table, index, "speed_mps", unit)).transpose()?;
    if let Some(reference) = of_reference(table, header)? {
        return Ok(LineFile { speeds_mps, ..reference });
    }
    if let (Some(latitude), Some(longitude)) = (of_name(header, LATITUDE), of_name(header, LONGITUDE)) {
        let place = |row: &Row| {
            let [longitude, latitude] =
                [row.number(longitude, "longitude_deg")?, row.number(latitude, "latitude_deg")?];
            if longitude.abs() <= 180.0 && latitude.abs() <= 90.0 {
                return Ok([longitude, latitude]);
            }
            Err(ImportError::NotDegrees { place: format!("line {}", row.line), longitude, latitude })
        };
        let degrees = table.rows.iter().map(place).collect::<Result<_, ImportError>>()?;
        let layout = named(header, &[longitude, latitude], speed);
        return Ok(LineFile {
            positions: Positions::Degrees(degrees),
            speeds_mps,
            ..LineFile::new(layout, Vec::new())
        });
    }
    let (x, x_unit) = column(header, X).ok_or_else(|| header.missing("x_m", KNOWN))?;
    let (mut y, mut y_unit) = column(header, Y).ok_or_else(|| header.missing("y_m", KNOWN))?;
    // Unity's table, whose second axis is z and whose y is the height.
    if let (Some(z), Some(_)) = (of_name(header, &["z"]), of_name(header, &["yaw_deg"])) {
        (y, y_unit) = (z, 1.0);
    }
    let point = |row: &Row| {
        let (x, y) = (coordinate(row, x, "x_m")? * x_unit, coordinate(row, y, "y_m")? * y_unit);
        Ok(Point::new(x, y))
    };
    let points = table.rows.iter().map(point).collect::<Result<_, TableError>>()?;
    // A road of such widths has the unit of the coordinates.
    let sides = of_name(header, LEFT).zip(of_name(header, RIGHT)).filter(|_| x_unit == 1.0);
    let width = |(left, right): (usize, usize)| {
        let of_row = |row: &Row| Ok([row.number(left, "left_m")?.max(0.0), row.number(right, "right_m")?.max(0.0)]);
        table.rows.iter().map(of_row).collect::<Result<Vec<[f64; 2]>, TableError>>()
    };
    let widths_m = sides.map(width).transpose()?.filter(|widths| widths.iter().any(|[left, right]| left + right > 0.0));
    Ok(LineFile { speeds_mps, widths_m, ..LineFile::new(named(header, &[x, y], speed), points) })
}

/// The line of a table that has it beside a reference line, as TUM's local planner does: its point
/// is the reference's and the distance along the normal.
fn of_reference(table: &Table, header: &Row) -> Result<Option<LineFile>, ImportError> {
    let names = [["x_ref"], ["y_ref"], ["x_normvec"], ["y_normvec"], ["alpha"]];
    let columns: Option<Vec<usize>> = names.iter().map(|name| of_name(header, name)).collect();
    let Some(columns) = columns else { return Ok(None) };
    let point = |row: &Row| {
        let value = |k: usize, name| coordinate(row, columns[k], name);
        let (alpha, normal) = (value(4, "alpha_m")?, [value(2, "x_normvec_m")?, value(3, "y_normvec_m")?]);
        Ok(Point::new(value(0, "x_ref_m")? + alpha * normal[0], value(1, "y_ref_m")? + alpha * normal[1]))
    };
    let points = table.rows.iter().map(point).collect::<Result<_, TableError>>()?;
    Ok(Some(LineFile::new(named(header, &columns, None), points)))
}

/// The columns in words.
fn named(header: &Row, columns: &[usize], speed: Option<(usize, f64)>) -> String {
    let names: Vec<&str> = columns.iter().copied().chain(speed.map(|(k, _)| k)).map(|k| header.field(k)).collect();
    let names: Vec<&str> = names.iter().map(|name| name.trim_start_matches('#').trim()).collect();
    format!("columns {} by name", names.join(", "))
}

fn numbers(table: &Table, index: usize, name: &'static str, unit: f64) -> Result<Vec<f64>, TableError> {
    table.rows.iter().map(|row| Ok(row.number(index, name)? * unit)).collect()
}

fn by_order(table: &Table) -> Result<LineFile, ImportError> {
    let count = table.rows.first().map_or(0, |row| row.fields.len());
    if count < 2 {
        let line = table.rows.first().map_or(1, |row| row.line);
        let known = "a line has two columns, x and y, or more";
        return Err(ImportError::ColumnCount { line, found: count, known });
    }
    let points = |from: usize| {
        let point = |row: &Row| Ok(Point::new(coordinate(row, from, "x_m")?, coordinate(row, from + 1, "y_m")?));
        table.rows.iter().map(point).collect::<Result<Vec<Point>, TableError>>()
    };
    if count >= 3
        && let Ok(after) = points(1)
        && is_distance(table, &after)
    {
        let layout = format!("{count} columns without names, the first the distance, then x and y");
        let speeds = if count == TUM_COLUMNS { Some(numbers(table, 5, "vx_mps", 1.0)?) } else { None };
        return Ok(LineFile { speeds_mps: speeds, ..LineFile::new(layout, after) });
    }
    Ok(LineFile::new(format!("{count} columns without names, the first two x and y"), points(0)?))
}

/// Whether the first column is the distance along `points`.
fn is_distance(table: &Table, points: &[Point]) -> bool {
    let Ok(distances) = numbers(table, 0, "s_m", 1.0) else { return false };
    let steps = points.windows(2).map(|ends| (ends[1] - ends[0]).norm());
    let off = distances.windows(2).zip(steps).map(|(ends, step)| (ends[1] - ends[0] - step).abs() / step.max(1e-9));
    let mut off: Vec<f64> = off.collect();
    let middle = off.len() / 2;
    if off.len() < 2 || distances.windows(2).any(|ends| ends[1] < ends[0]) {
        return false;
    }
    *off.select_nth_unstable_by(middle, f64::total_cmp).1 < DISTANCE_TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::{LineFile, Point, Positions, read};

    fn line(text: &str) -> LineFile {
        read(text.as_bytes()).unwrap()
    }

    /// Three points of a line, from each order and name in which programs write them.
    #[test]
    fn names_and_orders_of_programs_give_the_points() {
        let points = [[3.0, 0.0], [3.0, 4.0], [6.0, 8.0]].map(Point::from).to_vec();
        let cases = [
            "x_m,y_m\n3,0\n3,4\n6,8\n",
            "y [m];x [m]\n0;3\n4;3\n8;6\n",
            "pos_x,pos_y\n3,0\n3,4\n6,8\n",
            // donkeycar, with its throttle.
            "3,0,0.5\n3,4,0.5\n6,8,0.2\n",
            // TUM and F1TENTH, with and without names.
            "# a\n# b\n# s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2\n0;3;0;1;0;5;0\n4;3;4;1;0;6;0\n9;6;8;1;0;7;0\n",
            "0;3;0;1;0;5;0\n4;3;4;1;0;6;0\n9;6;8;1;0;7;0\n",
            "# x_m, y_m, yaw_rad, speed_mps\n3, 0, 1, 5\n3, 4, 1, 6\n6, 8, 1, 7\n",
            // Unity and Unreal Engine.
            "x_m,y_m,z_m,yaw_deg\n3,0,0,9\n3,0,4,9\n6,0,8,9\n",
            "---,XCm,YCm,ZCm,SpeedCmps\n0,300,0,0,500\n1,300,-400,0,600\n2,600,-800,0,700\n",
            // TUM's local planner.
            "# x_ref_m; y_ref_m; width_right_m; width_left_m; x_normvec_m; y_normvec_m; alpha_m\n2;0;5;5;1;0;1\n2;4;5;5;1;0;1\n6;9;5;5;0;1;-1\n",
        ];
        for text in cases {
            assert_eq!(line(text).positions, Positions::Metres(points.clone()), "{text}");
        }
        for (text, speeds) in
            [(cases[4], true), (cases[5], true), (cases[6], true), (cases[8], true), (cases[3], false)]
        {
            assert_eq!(line(text).speeds_mps, speeds.then(|| vec![5.0, 6.0, 7.0]), "{text}");
        }
    }

    #[test]
    fn degrees_are_longitude_and_latitude_by_name() {
        let found = line("lat,lon,speed_kmh\n48.1,11.5,36\n48.2,11.6,72\n");
        assert_eq!(found.positions, Positions::Degrees(vec![[11.5, 48.1], [11.6, 48.2]]));
        assert_eq!(found.speeds_mps, Some(vec![10.0, 20.0]));
        assert_eq!(found.layout, "columns lon, lat, speed_kmh by name");
        assert!(read(b"lat,lon\n481,11\n").is_err());
    }

    #[test]
    fn the_time_at_the_speeds_of_the_file_counts_the_closing_step() {
        let square = line("x_m,y_m,v\n0,0,10\n10,0,10\n10,10,10\n0,10,10\n");
        let points = square.positions.about([0.0; 2]);
        assert_eq!(square.stated_lap_time_s(&points, true), Some(4.0));
        assert_eq!(square.stated_lap_time_s(&points, false), Some(3.0));
        let at_rest = line("x_m,y_m,v\n0,0,0\n10,0,0\n");
        assert_eq!(at_rest.stated_lap_time_s(&at_rest.positions.about([0.0; 2]), false), None);
    }
}
