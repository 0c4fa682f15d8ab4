//! Telemetry as CSV with a header, also the trace of `raceline drive` as it is.

use super::driven::Driven;
use super::error::CalibrateError;
use super::telemetry::Run;
use raceline_car::STANDARD_GRAVITY;
use raceline_file::table::{Row, Table, TableError};

const EXAMPLE: &str = "time_s,speed_mps,lateral_accel_mps2,throttle,brake";
const KNOWN: &str = "telemetry has time_s, speed_mps and lateral_accel_mps2 or yaw_rate_radps; \
                     optional are accel_mps2, throttle, brake, gear, grip, grade_rad, banking_rad and others";

const KNOWN_PLACES: &str = "telemetry of driving a line has x_m and y_m in the frame of the line, beside time_s, \
                            speed_mps and lateral_accel_mps2 or yaw_rate_radps";

const KNOWN_DRIVEN: &str = "driving has x_m, y_m and heading_rad in the frame of the line, steering_rad, and throttle \
                            with brake or pedal, beside time_s, speed_mps and lateral_accel_mps2 or yaw_rate_radps";

/// A column: the name, its unit's endings without the underscore, and the plain spellings.
type Column = (&'static str, &'static [&'static str], &'static [&'static str]);

/// The columns of telemetry.
const TELEMETRY: [Column; 21] = [
    ("time_s", &["s", "sec"], &["time", "t", "timestamp"]),
    ("speed_mps", &["mps", "m/s", "ms-1"], &["speed", "v", "velocity", "vx", "forward", "forward_speed", "speed_x"]),
    ("leftward_mps", &["mps", "m/s", "ms-1"], &["leftward", "vy", "lateral_speed", "speed_y"]),
    (
        "accel_mps2",
        &["mps2", "m/s2", "m/s²", "m/s^2"],
        &["accel", "acceleration", "ax", "longitudinal_accel", "long_accel", "longitudinal_acceleration"],
    ),
    (
        "lateral_accel_mps2",
        &["mps2", "m/s2", "m/s²", "m/s^2"],
        &["lateral_accel", "ay", "lat_accel", "lateral_acceleration"],
    ),
    ("yaw_rate_radps", &["radps", "rad/s"], &["yaw_rate", "yawrate", "gyro_z", "r"]),
    ("throttle", &[], &["throttle", "gas", "accelerator", "throttle_pedal"]),
    ("brake", &[], &["brake", "brakes", "brake_pedal"]),
    ("pedal", &[], &["pedal"]),
    ("gear", &[], &["gear"]),
    ("grip", &[], &["grip", "mu", "friction"]),
    (
        "normal_accel_mps2",
        &["mps2", "m/s2", "m/s²", "m/s^2"],
        &["normal_accel", "az", "vertical_accel", "normal_acceleration", "vertical_acceleration"],
    ),
    ("grade_rad", &["rad"], &["grade", "slope", "pitch_of_road"]),
    ("banking_rad", &["rad"], &["banking", "bank", "camber"]),
    ("vertical_curvature_radpm", &["radpm", "1/m"], &["vertical_curvature"]),
    ("load_front_n", &["n"], &["load_front", "front_load", "fz_front"]),
    ("load_rear_n", &["n"], &["load_rear", "rear_load", "fz_rear"]),
    ("load_front_left_n", &["n"], &["load_front_left", "fz_fl"]),
    ("load_front_right_n", &["n"], &["load_front_right", "fz_fr"]),
    ("load_rear_left_n", &["n"], &["load_rear_left", "fz_rl"]),
    ("load_rear_right_n", &["n"], &["load_rear_right", "fz_rr"]),
];

/// What driving has beside telemetry: where the vehicle was and how it was steered.
const DRIVING: [Column; 5] = [
    ("x_m", &["m"], &["x", "pos_x", "position_x"]),
    ("y_m", &["m"], &["y", "pos_y", "position_y"]),
    ("heading_rad", &["rad"], &["heading", "yaw", "psi"]),
    ("steering_rad", &["rad"], &["steering", "steer", "steering_angle"]),
    ("wanted_steering_rad", &["rad"], &["wanted_steering"]),
];

/// Units that are converted: their endings, the unit to which they are, and the factor.
const CONVERTED: [(&[&str], &str, f64); 9] = [
    (&["kmh", "kph", "km/h", "kmph"], "mps", 1.0 / 3.6),
    (&["mph"], "mps", 0.44704),
    (&["g", "gs"], "mps2", STANDARD_GRAVITY),
    (&["deg", "°"], "rad", 0.017_453_292_519_943_295),
    (&["degps", "deg/s", "dps", "°/s"], "radps", 0.017_453_292_519_943_295),
    (&["ms", "msec"], "s", 1e-3),
    (&["kn"], "n", 1e3),
    (&["%", "pct", "percent"], "", 0.01),
    (&["kn", "kt", "knots"], "mps", 1852.0 / 3600.0),
];

/// Reads one run. The columns are found by their names in the header; upper case, blanks, units in
/// brackets and the usual other spellings are understood, further columns ignored. A unit in the name, such
/// as `speed_kmh` or `ay [g]`, is converted.
///
/// A `pedal` from -1 to 1 stands for brake and throttle in one. With both velocities of the body
/// (`forward_mps`, `leftward_mps`), the path's speed and direction are computed from them.
///
/// # Errors
/// [`CalibrateError`] with file, line and column.
pub fn read(bytes: &[u8], name: &str) -> Result<Run, CalibrateError> {
    Columns::read(bytes, name, &TELEMETRY, KNOWN)?.run()
}

/// Reads one run as [`read`] does, with the place of the vehicle in `x_m` and `y_m`, which are required.
///
/// # Errors
/// [`CalibrateError`] with file, line and column.
pub fn read_with_places(bytes: &[u8], name: &str) -> Result<(Run, Vec<[f64; 2]>), CalibrateError> {
    let columns = [TELEMETRY.as_slice(), &DRIVING].concat();
    let columns = Columns::read(bytes, name, &columns, KNOWN_PLACES)?;
    let required = |column| columns.values(column)?.ok_or_else(|| columns.missing(column));
    let (x_m, y_m) = (required("x_m")?, required("y_m")?);
    Ok((columns.run()?, x_m.into_iter().zip(y_m).map(|(x, y)| [x, y]).collect()))
}

/// Reads driving: telemetry as [`read`] does, with the place and the heading of the vehicle and what its
/// driver did with steering and pedals, all of which are required.
///
/// # Errors
/// [`CalibrateError`] with file, line and column; a pedal beyond 0 to 1 is one, too.
pub fn read_driven(bytes: &[u8], name: &str) -> Result<Driven, CalibrateError> {
    let columns = [TELEMETRY.as_slice(), &DRIVING].concat();
    let columns = Columns::read(bytes, name, &columns, KNOWN_DRIVEN)?;
    let run = columns.run()?;
    let required = |column| columns.values(column)?.ok_or_else(|| columns.missing(column));
    if run.throttle.is_none() {
        return Err(columns.missing("throttle"));
    }
    if run.brake.is_none() {
        return Err(columns.missing("brake"));
    }
    columns.check_pedals()?;
    Ok(Driven {
        lines: columns.table.rows.iter().map(|row| row.line).collect(),
        x_m: required("x_m")?,
        y_m: required("y_m")?,
        heading_rad: required("heading_rad")?,
        // What was demanded before what the wheels had reached.
        steering_rad: match columns.values("wanted_steering_rad")? {
            Some(wanted) => wanted,
            None => required("steering_rad")?,
        },
        run,
    })
}

/// A table whose columns are known.
struct Columns<'a> {
    name: &'a str,
    table: Table<'a>,
    columns: &'a [Column],
    /// Of each of `columns`, its place in the table and the factor from its unit.
    places: Vec<Option<(usize, f64)>>,
    known: &'static str,
}

impl<'a> Columns<'a> {
    fn read(
        bytes: &'a [u8],
        name: &'a str,
        columns: &'a [Column],
        known: &'static str,
    ) -> Result<Self, CalibrateError> {
        let of_table = |error| CalibrateError::Table { file: name.to_owned(), error };
        let table = Table::read(bytes, |field| column_of(field, columns).is_some(), EXAMPLE).map_err(of_table)?;
        let Some(header) = &table.header else {
            return Err(of_table(TableError::MissingColumn { line: 1, missing: "time_s", found: Vec::new(), known }));
        };
        let mut places = vec![None; columns.len()];
        for (index, field) in header.fields.iter().enumerate() {
            let Some((column, factor)) = column_of(field, columns) else { continue };
            if places[column].is_some() {
                let error = TableError::DoubleColumn { line: header.line, column: index + 1, name: field.to_string() };
                return Err(of_table(error));
            }
            places[column] = Some((index, factor));
        }
        Ok(Self { name, table, columns, places, known })
    }

    fn of_table(&self, error: TableError) -> CalibrateError {
        CalibrateError::Table { file: self.name.to_owned(), error }
    }

    fn missing(&self, missing: &'static str) -> CalibrateError {
        let known = self.known;
        self.of_table(match &self.table.header {
            Some(header) => header.missing(missing, known),
            None => TableError::MissingColumn { line: 1, missing, found: Vec::new(), known },
        })
    }

    fn place(&self, column: &str) -> Option<(usize, f64)> {
        self.columns.iter().position(|(name, ..)| *name == column).and_then(|i| self.places[i])
    }

    /// The numbers of a column in its unit, if the table has it.
    fn values(&self, column: &'static str) -> Result<Option<Vec<f64>>, CalibrateError> {
        let Some((index, factor)) = self.place(column) else { return Ok(None) };
        let value = |row: &Row| row.number(index, column).map(|value| value * factor);
        let values = self.table.rows.iter().map(value).collect::<Result<_, _>>();
        values.map(Some).map_err(|error| self.of_table(error))
    }

    fn run(&self) -> Result<Run, CalibrateError> {
        if self.place("lateral_accel_mps2").or(self.place("yaw_rate_radps")).is_none() {
            return Err(self.missing("lateral_accel_mps2"));
        }
        let mut run = Run {
            name: self.name.to_owned(),
            time_s: self.values("time_s")?.ok_or_else(|| self.missing("time_s"))?,
            speed_mps: self.values("speed_mps")?.ok_or_else(|| self.missing("speed_mps"))?,
            leftward_mps: self.values("leftward_mps")?,
            accel_mps2: self.values("accel_mps2")?,
            lateral_accel_mps2: self.values("lateral_accel_mps2")?,
            yaw_rate_radps: self.values("yaw_rate_radps")?,
            throttle: self.values("throttle")?,
            brake: self.values("brake")?,
            gear: self.values("gear")?,
            grip: self.values("grip")?,
            normal_accel_mps2: self.values("normal_accel_mps2")?,
            grade_rad: self.values("grade_rad")?,
            banking_rad: self.values("banking_rad")?,
            vertical_curvature_radpm: self.values("vertical_curvature_radpm")?,
            load_front_n: self.values("load_front_n")?,
            load_rear_n: self.values("load_rear_n")?,
        };
        for (axle, left, right) in [
            (&mut run.load_front_n, "load_front_left_n", "load_front_right_n"),
            (&mut run.load_rear_n, "load_rear_left_n", "load_rear_right_n"),
        ] {
            if let (None, Some(left), Some(right)) = (&axle, self.values(left)?, self.values(right)?) {
                *axle = Some(left.iter().zip(&right).map(|(left, right)| left + right).collect());
            }
        }
        if let (Some(pedal), None, None) = (self.values("pedal")?, &run.throttle, &run.brake) {
            run.throttle = Some(pedal.iter().map(|pedal| pedal.max(0.0)).collect());
            run.brake = Some(pedal.iter().map(|pedal| (-pedal).max(0.0)).collect());
        }
        for (index, pair) in run.time_s.windows(2).enumerate() {
            if pair[1] <= pair[0] {
                let line = self.table.rows.get(index + 1).map_or(0, |row| row.line);
                let (time_s, before_s) = (pair[1], pair[0]);
                return Err(CalibrateError::TimeOrder { file: self.name.to_owned(), line, time_s, before_s });
            }
        }
        Ok(run)
    }

    /// Refuses a pedal that is pressed by more than all or less than nothing.
    fn check_pedals(&self) -> Result<(), CalibrateError> {
        let pedals = [
            ("throttle", 0.0, "from 0 to 1: per cent are named in the header, as in throttle_pct"),
            ("brake", 0.0, "from 0 to 1: per cent are named in the header, as in brake_pct; a pressure is no pedal"),
            ("pedal", -1.0, "from -1, full braking, to 1, full throttle"),
        ];
        for (name, min, must_be) in pedals {
            let (Some((index, _)), Some(values)) = (self.place(name), self.values(name)?) else { continue };
            let wrong = values.iter().zip(&self.table.rows).find(|(value, _)| !(min..=1.0).contains(*value));
            if let Some((&found, row)) = wrong {
                let (line, column) = (row.line, index + 1);
                return Err(self.of_table(TableError::OutOfRange { line, column, name, found, must_be }));
            }
        }
        Ok(())
    }
}

/// The one of `columns` that a field of the header names, if any, and the factor from its unit to that of the
/// column.
fn column_of(field: &str, columns: &[Column]) -> Option<(usize, f64)> {
    let lower = field.trim().trim_start_matches('#').trim().to_lowercase();
    let (name, bracketed) = match lower.split_once(['[', '(']) {
        Some((name, unit)) => (name.trim(), Some(unit.trim_end_matches([']', ')']).trim())),
        None => (lower.as_str(), None),
    };
    let name = name.replace([' ', '-', '.'], "_");
    let name = name.trim_matches('_');
    for (index, (full, units, spellings)) in columns.iter().enumerate() {
        let is_plain = |plain: &str| spellings.contains(&plain);
        // The unit stands in brackets, at the name's end, or nowhere.
        let unit = match bracketed {
            Some(unit) if is_plain(name) || name == *full => unit,
            _ if is_plain(name) || name == *full => return Some((index, 1.0)),
            _ => match name.rsplit_once('_') {
                Some((plain, unit)) if is_plain(plain) => unit,
                _ => continue,
            },
        };
        if units.contains(&unit) || unit.is_empty() || unit == "-" {
            return Some((index, 1.0));
        }
        // Per cent are those of a number without a unit.
        let fits = |to: &str| if to.is_empty() { units.is_empty() } else { units.contains(&to) };
        let converted = CONVERTED.iter().find(|(endings, to, _)| endings.contains(&unit) && fits(to));
        if let Some((_, _, factor)) = converted {
            return Some((index, *factor));
        }
    }
    None
}
