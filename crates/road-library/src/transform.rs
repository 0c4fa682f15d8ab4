//! Other descriptions of the same road, on which a lap takes the same time.

use raceline::vehicle::{DriveLimit, Vehicle};

use crate::road::{Road, Station};

/// A change of a road's description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// Turned by an angle.
    Rotated,
    /// Left and right exchanged.
    Mirrored,
    /// With coordinates of a projection such as UTM.
    Moved,
    /// Twice as large, with the vehicle that makes the lap the square root of two slower.
    Scaled,
    /// With its rows in the reverse order, driven from the last to the first.
    Reversed,
    /// With half the distance between the cross-sections.
    SpacingHalved,
    /// With another first row; a closed road only.
    StartMoved,
    /// With a row more between each two.
    Resampled,
}

/// A lap is at most this much longer or shorter, as a fraction.
const TOLERANCE: f64 = 1e-4;
/// The tolerance where the cross-sections are others.
const SPACING_TOLERANCE: f64 = 5e-4;
/// The angle of a rotated road, rad.
const ANGLE_RAD: f64 = 0.7;
/// Where UTM places a road, m.
const UTM_M: [f64; 2] = [500_000.0, 5_400_000.0];
/// The factor of a scaled road.
const SCALE: f64 = 2.0;

/// A road in another description.
pub struct Transformed {
    /// The road.
    pub road: Road,
    /// The vehicle that drives it.
    pub vehicle: Vehicle,
    /// The lap time divided by that of the road itself.
    pub time_factor: f64,
    /// Whether the lap goes from the last row to the first.
    pub backwards: bool,
    /// Factor of all lengths of the road and the vehicle.
    pub length_factor: f64,
    /// Factor of the distance between cross-sections.
    pub spacing_factor: f64,
    /// The largest difference of the lap times, as a fraction.
    pub tolerance: f64,
}

impl Transform {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Rotated,
        Self::Mirrored,
        Self::Moved,
        Self::Scaled,
        Self::Reversed,
        Self::SpacingHalved,
        Self::StartMoved,
        Self::Resampled,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rotated => "rotated",
            Self::Mirrored => "mirrored",
            Self::Moved => "moved",
            Self::Scaled => "scaled",
            Self::Reversed => "reversed",
            Self::SpacingHalved => "spacing-halved",
            Self::StartMoved => "start-moved",
            Self::Resampled => "resampled",
        }
    }

    /// The road in this description; `None` where the road has none.
    pub fn apply(self, road: &Road, vehicle: &Vehicle) -> Option<Transformed> {
        let mut transformed = Transformed {
            road: road.clone(),
            vehicle: vehicle.clone(),
            time_factor: 1.0,
            backwards: false,
            length_factor: 1.0,
            spacing_factor: 1.0,
            tolerance: TOLERANCE,
        };
        let stations = &mut transformed.road.stations;
        match self {
            Self::Rotated => {
                let (sin, cos) = ANGLE_RAD.sin_cos();
                for station in stations {
                    let [x, y] = station.at;
                    station.at = [cos * x - sin * y, sin * x + cos * y];
                }
            }
            Self::Mirrored => {
                for station in stations {
                    station.at[1] = -station.at[1];
                    (station.left_m, station.right_m) = (station.right_m, station.left_m);
                    station.banking_rad = station.banking_rad.map(|angle| -angle);
                }
            }
            Self::Moved => {
                for station in stations {
                    station.at = [station.at[0] + UTM_M[0], station.at[1] + UTM_M[1]];
                }
            }
            Self::Scaled => {
                for station in stations {
                    station.at = station.at.map(|value| SCALE * value);
                    station.left_m *= SCALE;
                    station.right_m *= SCALE;
                    station.z_m = station.z_m.map(|height| SCALE * height);
                }
                transformed.vehicle = scaled(vehicle, SCALE);
                transformed.time_factor = SCALE.sqrt();
                transformed.length_factor = SCALE;
                transformed.spacing_factor = SCALE;
            }
            Self::Reversed => {
                stations.reverse();
                for station in stations {
                    (station.left_m, station.right_m) = (station.right_m, station.left_m);
                    station.banking_rad = station.banking_rad.map(|angle| -angle);
                }
                transformed.backwards = true;
            }
            Self::SpacingHalved => {
                transformed.spacing_factor = 0.5;
                transformed.tolerance = SPACING_TOLERANCE;
            }
            Self::StartMoved => {
                if !road.closed {
                    return None;
                }
                let count = stations.len();
                stations.rotate_left(count / 3);
            }
            Self::Resampled => {
                *stations = resampled(road);
                transformed.tolerance = SPACING_TOLERANCE;
            }
        }
        Some(transformed)
    }
}

/// The road with a row in the middle between each two, on the cubic through four.
fn resampled(road: &Road) -> Vec<Station> {
    let mut stations = Vec::with_capacity(2 * road.stations.len());
    for (i, &station) in road.stations.iter().enumerate() {
        stations.push(station);
        let [_, next] = road.neighbours(i);
        if !road.closed && i + 1 == road.stations.len() {
            break;
        }
        let [before, _] = road.neighbours(i);
        let [_, after] = road.neighbours((i + 1) % road.stations.len());
        let middle = |of: fn(&Station) -> f64| (9.0 * (of(&station) + of(&next)) - of(&before) - of(&after)) / 16.0;
        stations.push(Station {
            at: [middle(|s| s.at[0]), middle(|s| s.at[1])],
            left_m: middle(|s| s.left_m),
            right_m: middle(|s| s.right_m),
            z_m: station.z_m.map(|_| middle(|s| s.z_m.unwrap_or_default())),
            banking_rad: station.banking_rad.map(|_| middle(|s| s.banking_rad.unwrap_or_default())),
        });
    }
    stations
}

/// The vehicle that drives a road `scale` times as large with equal accelerations: speeds and times
/// grow by the root of the scale.
fn scaled(vehicle: &Vehicle, scale: f64) -> Vehicle {
    let root = scale.sqrt();
    let mut large = vehicle.clone();
    for length_m in [&mut large.width_m, &mut large.length_m, &mut large.wheelbase_m, &mut large.safety_distance_m] {
        *length_m *= scale;
    }
    large.centre_of_gravity_m = vehicle.centre_of_gravity_m.map(|height| scale * height);
    large.yaw_inertia_kgm2 = vehicle.yaw_inertia_kgm2.map(|inertia| scale * scale * inertia);
    large.steering_rate_radps = vehicle.steering_rate_radps.map(|rate| rate / root);
    large.max_speed_mps *= root;
    large.max_curvature_radpm /= scale;
    large.drag_kgpm /= scale;
    large.downforce_kgpm /= scale;
    large.table_downforce_kgpm = vehicle.table_downforce_kgpm.map(|value| value / scale);
    large.gear_change_s *= root;
    for speed_mps in &mut large.gear_change_speeds_mps {
        *speed_mps *= root;
    }
    for row in &mut large.ggv_table {
        row[0] *= root;
    }
    for row in &mut large.driving_limit_table {
        row[0] *= root;
    }
    match &mut large.drive {
        DriveLimit::TableMps2(rows) | DriveLimit::TableN(rows) => {
            for row in rows {
                row[0] *= root;
            }
        }
        DriveLimit::PowerAndForce { power_w, .. } => *power_w *= root,
    }
    large
}
