//! Why telemetry cannot be read or calibrated. Each message contains the remedy.

use raceline_car::VehicleError;
use raceline_file::table::TableError;

/// Why a telemetry file cannot be read or a vehicle not be fitted to it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrateError {
    /// The file is not a table of numbers, or it lacks a column.
    #[error("{file}")]
    Table {
        /// Name of the file.
        file: String,
        /// The problem with its line.
        #[source]
        error: TableError,
    },
    /// Times that do not increase.
    #[error("{file}: line {line}: time_s is {time_s} after {before_s}: sort the rows by time, one file for each run")]
    TimeOrder {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The time, s.
        time_s: f64,
        /// The time of the row before, s.
        before_s: f64,
    },
    /// A column in another unit, by its name or by its size.
    #[error("{file}: {column} {found}: {fix}")]
    Unit {
        /// Name of the file.
        file: String,
        /// Name of the column.
        column: String,
        /// Why it is in another unit.
        found: String,
        /// The remedy.
        fix: String,
    },
    /// Too little telemetry.
    #[error(
        "the telemetry has {samples} samples in {seconds:.1} s at more than {min_mps} m/s: at least {wanted} samples in \
         {wanted_s} s are required; drive several laps at the limit"
    )]
    TooShort {
        /// Rows that can be used.
        samples: usize,
        /// Time of the usable rows, s.
        seconds: f64,
        /// Slower rows are not counted, m/s.
        min_mps: f64,
        /// Required number of rows.
        wanted: usize,
        /// Required time, s.
        wanted_s: f64,
    },
    /// Nothing in the telemetry shows what the drive can do.
    #[error(
        "the drive cannot be fitted: at no speed are there enough samples that accelerate on a straight (at most by \
         {max_mps2:.2} m/s²): record laps with full throttle, and check that accel_mps2 is positive forwards"
    )]
    NoDrive {
        /// The greatest acceleration, m/s².
        max_mps2: f64,
    },
    /// The base vehicle or the fitted one is not valid.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
}
