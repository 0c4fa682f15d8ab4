//! What can be wrong with a vehicle.

/// Why a vehicle can't be used. Each message names the vehicle, the key, its value and what is allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VehicleError {
    /// The text is no TOML, lacks a key, or has a key that no vehicle has.
    #[error("vehicle file {file}: {message}")]
    Toml {
        /// Name of the file.
        file: String,
        /// What the parser says, with line and column.
        message: String,
    },
    /// A number lies outside its range.
    #[error("vehicle {vehicle}: {key} is {value}: give a number from {low} to {high} {unit}")]
    OutOfRange {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The lowest value allowed.
        low: f64,
        /// The highest value allowed.
        high: f64,
        /// The unit of all three.
        unit: &'static str,
    },
    /// The vehicle file can't be read.
    #[error("vehicle file {file} can't be read: {message}")]
    Unreadable {
        /// Name of the file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// A table's file that the vehicle file names can't be used.
    #[error("vehicle file {file}: {place}: {message}")]
    TableFile {
        /// Name of the vehicle file.
        file: String,
        /// The key and the table's file.
        place: String,
        /// What is wrong with it, with its line, and what mends it.
        message: String,
    },
    /// A g-g-v table beside something that it replaces.
    #[error("vehicle {vehicle}: both ggv_table and {key} are given: {fix}")]
    BesideGgvTable {
        /// Name of the vehicle.
        vehicle: String,
        /// The other key.
        key: &'static str,
        /// Which to leave out, and why.
        fix: &'static str,
    },
    /// A point of a table over speed lies outside its range or out of order.
    #[error("vehicle {vehicle}: point {number} of {key} is {point:?}: {fix}")]
    TablePoint {
        /// Name of the vehicle.
        vehicle: String,
        /// The table's key.
        key: &'static str,
        /// Number of the point, from 1.
        number: usize,
        /// Its numbers, the speed in m/s first.
        point: Vec<f64>,
        /// What is allowed.
        fix: &'static str,
    },
    /// A table over speed has no points.
    #[error("vehicle {vehicle}: {key} is empty: give at least one point [speed m/s, {unit}]")]
    EmptyTable {
        /// Name of the vehicle.
        vehicle: String,
        /// The table's key.
        key: &'static str,
        /// What stands beside the speed.
        unit: &'static str,
    },
    /// Rolling resistance holds the vehicle where it stands.
    #[error(
        "vehicle {vehicle}: rolling_resistance is {coefficient}, which decelerates by {deceleration:.3} m/s², but drive and tyres give only \
         {acceleration:.3} m/s² at standstill: lower it or raise them"
    )]
    HeldByRolling {
        /// Name of the vehicle.
        vehicle: String,
        /// The coefficient.
        coefficient: f64,
        /// What it takes, m/s².
        deceleration: f64,
        /// What there is, m/s².
        acceleration: f64,
    },
    /// No preset has that name.
    #[error("there is no vehicle preset \"{name}\": there are {known}; a vehicle file's name ends in .toml")]
    UnknownPreset {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A key that no number of the vehicle has.
    #[error("vehicle {vehicle} has no number {key:?}: there are {known}")]
    UnknownParameter {
        /// Name of the vehicle.
        vehicle: String,
        /// The key that was asked for.
        key: String,
        /// The keys that there are.
        known: String,
    },
    /// A key whose value isn't a number.
    #[error("{key} of vehicle {vehicle} is {found}: name a key that holds one number")]
    NotANumber {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: String,
        /// What it holds.
        found: String,
    },
    /// A number that a key can't take.
    #[error("{key} of vehicle {vehicle} can't be {value}: {message}")]
    ParameterValue {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: String,
        /// The number.
        value: f64,
        /// Why not.
        message: String,
    },
    /// The vehicle can't be serialised.
    #[error("vehicle {vehicle}: {message}")]
    Unwritable {
        /// Name of the vehicle.
        vehicle: String,
        /// What the writer says.
        message: String,
    },
}
