//! Errors about vehicles.

use std::fmt;

/// Why a vehicle cannot be used. Each message contains the vehicle, the key, its value and the
/// allowed values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VehicleError {
    /// The text is not TOML, lacks a key or contains an unknown key.
    Toml {
        /// Name of the file.
        file: String,
        /// The parser's message, with line and column.
        message: String,
    },
    /// A number is outside its range.
    OutOfRange {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: &'static str,
        /// Value of the parameter.
        value: f64,
        /// The smallest allowed value.
        low: f64,
        /// The largest allowed value.
        high: f64,
        /// The unit of all three.
        unit: &'static str,
    },
    /// The vehicle file cannot be read.
    Unreadable {
        /// Name of the file.
        file: String,
        /// The problem.
        message: String,
    },
    /// A table file named in the vehicle file cannot be used.
    TableFile {
        /// Name of the vehicle file.
        file: String,
        /// The key and the table's file.
        place: String,
        /// The problem, with its line, and the remedy.
        message: String,
    },
    /// A key that a g-g-v table replaces is specified beside it.
    BesideGgvTable {
        /// Name of the vehicle.
        vehicle: String,
        /// The other key.
        key: &'static str,
        /// Which key to remove, and why.
        fix: &'static str,
    },
    /// A key lacks another one, without which it has no meaning.
    MissingBeside {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: &'static str,
        /// The missing key.
        needed: &'static str,
    },
    /// A point of a table over speed is outside its range or out of order.
    TablePoint {
        /// Name of the vehicle.
        vehicle: String,
        /// The table's key.
        key: &'static str,
        /// Number of the point, from 1.
        number: usize,
        /// Numbers of the point, beginning with the speed in m/s.
        point: Vec<f64>,
        /// The allowed values.
        fix: &'static str,
    },
    /// A table over speed has no points.
    EmptyTable {
        /// Name of the vehicle.
        vehicle: String,
        /// The table's key.
        key: &'static str,
        /// Quantity and unit of the column beside the speed.
        unit: &'static str,
    },
    /// The rolling resistance is too large for the vehicle to start.
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
    /// The car overturns before it corners at its lateral limit.
    Overturns {
        /// Name of the vehicle.
        vehicle: String,
        /// The lateral limit, m/s².
        lateral: f64,
        /// The acceleration at which both inner wheels lift, m/s².
        largest: f64,
        /// Height of the centre of gravity, m.
        height: f64,
    },
    /// The front wheels don't turn as far as the largest curvature needs.
    SteersTooLittle {
        /// Name of the vehicle.
        vehicle: String,
        /// Largest angle of the front wheels, rad.
        steering_rad: f64,
        /// Largest curvature, 1/m.
        curvature_radpm: f64,
        /// The curvature at that angle without slip, 1/m.
        reached_radpm: f64,
        /// The angle that the largest curvature needs without slip, rad.
        needed_rad: f64,
    },
    /// There is no preset of this name.
    UnknownPreset {
        /// The specified name.
        name: String,
        /// The available names.
        known: String,
    },
    /// The vehicle has no number with this key.
    UnknownParameter {
        /// Name of the vehicle.
        vehicle: String,
        /// The specified key.
        key: String,
        /// The available keys.
        known: String,
    },
    /// The value of the key is not a number.
    NotANumber {
        /// Name of the vehicle.
        vehicle: String,
        /// The key.
        key: String,
        /// Kind of the value.
        found: String,
    },
    /// The key does not accept this number.
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
    Unwritable {
        /// Name of the vehicle.
        vehicle: String,
        /// The serialiser's message.
        message: String,
    },
}

impl fmt::Display for VehicleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Toml { file, message } => write!(f, "vehicle file {file}: {message}"),
            Self::OutOfRange { vehicle, key, value, low, high, unit } => {
                write!(f, "vehicle {vehicle}: {key} is {value}: give a number from {low} to {high} {unit}")
            }
            Self::Unreadable { file, message } => write!(f, "vehicle file {file} can't be read: {message}"),
            Self::TableFile { file, place, message } => write!(f, "vehicle file {file}: {place}: {message}"),
            Self::BesideGgvTable { vehicle, key, fix } => {
                write!(f, "vehicle {vehicle}: both ggv_table and {key} are specified: {fix}")
            }
            Self::MissingBeside { vehicle, key, needed } => {
                write!(f, "vehicle {vehicle}: {key} is specified without {needed}: specify both, or neither")
            }
            Self::TablePoint { vehicle, number, key, point, fix } => {
                write!(f, "vehicle {vehicle}: point {number} of {key} is {point:?}: {fix}")
            }
            Self::EmptyTable { vehicle, key, unit } => {
                write!(f, "vehicle {vehicle}: {key} is empty: give at least one point [speed m/s, {unit}]")
            }
            Self::HeldByRolling { vehicle, coefficient, deceleration, acceleration } => write!(
                f,
                "vehicle {vehicle}: rolling_resistance is {coefficient}, a deceleration of {deceleration:.3} m/s², but drive and tyres reach only {acceleration:.3} m/s² at standstill: lower rolling_resistance or raise the limits of drive and tyres"
            ),
            Self::Overturns { vehicle, lateral, largest, height } => write!(
                f,
                "vehicle {vehicle}: its lateral limit is {lateral:.2} m/s², but with centre_of_gravity_m = {height:.3} and these track widths both inner wheels lift at {largest:.2} m/s²: lower the limit or centre_of_gravity_m, or raise front_track_width_m and rear_track_width_m"
            ),
            Self::SteersTooLittle { vehicle, steering_rad, curvature_radpm, reached_radpm, needed_rad } => write!(
                f,
                "vehicle {vehicle}: max_steering_rad is {steering_rad}, a curvature of {reached_radpm:.4} 1/m, but max_curvature_radpm is {curvature_radpm}: lower max_curvature_radpm to {reached_radpm:.4}, or raise max_steering_rad to {needed_rad:.4}"
            ),
            Self::UnknownPreset { name, known } => write!(
                f,
                "there is no vehicle preset \"{name}\": choose one of {known}, or a vehicle file, whose name must end in .toml"
            ),
            Self::UnknownParameter { vehicle, key, known } => {
                write!(f, "vehicle {vehicle} has no number {key:?}: choose one of {known}")
            }
            Self::NotANumber { key, vehicle, found } => {
                write!(f, "{key} of vehicle {vehicle} is {found}: specify a key whose value is one number")
            }
            Self::ParameterValue { key, vehicle, value, message } => {
                write!(f, "{key} of vehicle {vehicle} cannot be {value}: {message}")
            }
            Self::Unwritable { vehicle, message } => write!(f, "vehicle {vehicle}: {message}"),
        }
    }
}

impl std::error::Error for VehicleError {}
