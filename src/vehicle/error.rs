//! Errors about vehicles.

/// Why a vehicle cannot be used. Each message contains the vehicle, the key, its value and the
/// allowed values.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VehicleError {
    /// The text is not TOML, lacks a key or contains an unknown key.
    #[error("vehicle file {file}: {message}")]
    Toml {
        /// Name of the file.
        file: String,
        /// The parser's message, with line and column.
        message: String,
    },
    /// A number is outside its range.
    #[error("vehicle {vehicle}: {key} is {value}: give a number from {low} to {high} {unit}")]
    OutOfRange {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The smallest allowed value.
        low: f64,
        /// The largest allowed value.
        high: f64,
        /// The unit of all three.
        unit: &'static str,
    },
    /// The vehicle file cannot be read.
    #[error("vehicle file {file} can't be read: {message}")]
    Unreadable {
        /// Name of the file.
        file: String,
        /// The problem.
        message: String,
    },
    /// A table file named in the vehicle file cannot be used.
    #[error("vehicle file {file}: {place}: {message}")]
    TableFile {
        /// Name of the vehicle file.
        file: String,
        /// The key and the table's file.
        place: String,
        /// The problem, with its line, and the remedy.
        message: String,
    },
    /// A key that a g-g-v table replaces is specified beside it.
    #[error("vehicle {vehicle}: both ggv_table and {key} are specified: {fix}")]
    BesideGgvTable {
        /// Name of the vehicle.
        vehicle: String,
        /// The other key.
        key: &'static str,
        /// Which key to remove, and why.
        fix: &'static str,
    },
    /// A key lacks another one, without which it has no meaning.
    #[error("vehicle {vehicle}: {key} is specified without {needed}: specify both, or neither")]
    MissingBeside {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: &'static str,
        /// The missing key.
        needed: &'static str,
    },
    /// A point of a table over speed is outside its range or out of order.
    #[error("vehicle {vehicle}: point {number} of {key} is {point:?}: {fix}")]
    TablePoint {
        /// Name of the vehicle.
        vehicle: String,
        /// The table's key.
        key: &'static str,
        /// Number of the point, from 1.
        number: usize,
        /// Its numbers, beginning with the speed in m/s.
        point: Vec<f64>,
        /// The allowed values.
        fix: &'static str,
    },
    /// A table over speed has no points.
    #[error("vehicle {vehicle}: {key} is empty: give at least one point [speed m/s, {unit}]")]
    EmptyTable {
        /// Name of the vehicle.
        vehicle: String,
        /// The table's key.
        key: &'static str,
        /// Quantity and unit of the column beside the speed.
        unit: &'static str,
    },
    /// The rolling resistance is too large for the vehicle to start.
    #[error(
        "vehicle {vehicle}: rolling_resistance is {coefficient}, a deceleration of {deceleration:.3} m/s², but drive and \
         tyres reach only {acceleration:.3} m/s² at standstill: lower rolling_resistance or raise the limits \
         of drive and tyres"
    )]
    HeldByRolling {
        /// Name of the vehicle.
        vehicle: String,
        /// The coefficient.
        coefficient: f64,
        /// The deceleration by rolling resistance, m/s².
        deceleration: f64,
        /// The available acceleration at standstill, m/s².
        acceleration: f64,
    },
    /// There is no preset of this name.
    #[error(
        "there is no vehicle preset \"{name}\": choose one of {known}, or a vehicle file, whose name must end in .toml"
    )]
    UnknownPreset {
        /// The specified name.
        name: String,
        /// The available names.
        known: String,
    },
    /// The vehicle has no number with this key.
    #[error("vehicle {vehicle} has no number {key:?}: choose one of {known}")]
    UnknownParameter {
        /// Name of the vehicle.
        vehicle: String,
        /// The specified key.
        key: String,
        /// The available keys.
        known: String,
    },
    /// The value of the key is not a number.
    #[error("{key} of vehicle {vehicle} is {found}: specify a key whose value is one number")]
    NotANumber {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: String,
        /// Kind of the value.
        found: String,
    },
    /// The key does not accept this number.
    #[error("{key} of vehicle {vehicle} cannot be {value}: {message}")]
    ParameterValue {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: String,
        /// The number.
        value: f64,
        /// The reason.
        message: String,
    },
    /// The vehicle cannot be serialised.
    #[error("vehicle {vehicle}: {message}")]
    Unwritable {
        /// Name of the vehicle.
        vehicle: String,
        /// The serialiser's message.
        message: String,
    },
}
