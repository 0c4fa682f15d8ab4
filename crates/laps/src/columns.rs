//! Columns by their names, as the loggers spell them.

use super::log::Quantity;

/// A column by its name: what it holds, its unit where the name has one, and how much it is preferred
/// to others of the same quantity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    pub quantity: Quantity,
    pub unit: Option<String>,
    /// 0 is the best.
    pub rank: usize,
}

/// Plain names of each quantity, the preferred first. Names that begin with `gps` are listed without it.
const NAMES: [(Quantity, &[&str]); 16] = [
    (Quantity::Time, &["time", "timestamp", "t", "elapsed time", "session time", "utc time", "utc", "date time"]),
    (Quantity::Longitude, &["longitude", "long", "lon", "lng", "position long", "vbox long minutes"]),
    (Quantity::Latitude, &["latitude", "lat", "position lat", "vbox lat min"]),
    (Quantity::X, &["x", "x position", "pos x", "position x", "local x"]),
    (Quantity::Y, &["y", "y position", "pos y", "position y", "local y"]),
    (
        Quantity::Speed,
        &[
            "speed",
            "velocity",
            "ground speed",
            "forward",
            "v",
            "vx",
            "vehicle speed",
            "enhanced speed",
            "corr speed",
            "indicated vehicle speed",
            "wheel speed",
        ],
    ),
    (Quantity::Bearing, &["heading", "bearing", "course", "track angle"]),
    (Quantity::Height, &["height", "altitude", "enhanced altitude", "ele", "elevation"]),
    (
        Quantity::LateralAcceleration,
        &[
            "lateral acc",
            "latacc",
            "g force lat",
            "lateral acceleration",
            "lateral accel",
            "lat acc",
            "lat accel",
            "lateralacc",
            "lat g",
            "ay",
            "latg",
        ],
    ),
    (
        Quantity::Acceleration,
        &[
            "longitudinal acc",
            "lonacc",
            "longacc",
            "g force long",
            "longitudinal acceleration",
            "longitudinal accel",
            "long acc",
            "long accel",
            "inlineacc",
            "inline acc",
            "accel",
            "long g",
            "ax",
            "longg",
        ],
    ),
    (
        Quantity::Throttle,
        &[
            "throttle",
            "throttle pos",
            "throttle position",
            "pps",
            "throttle pedal",
            "accelerator pos",
            "tps",
            "gas",
            "driver throttle pos",
            "throttle pct",
        ],
    ),
    (
        Quantity::Brake,
        &[
            "brake",
            "brake pos",
            "brake position",
            "brake pressure",
            "brake press",
            "brake pres front",
            "brake pressure f",
            "brk",
            "brake pedal",
            "brake pct",
            "pbrake f",
        ],
    ),
    (Quantity::Pedal, &["pedal"]),
    (Quantity::Gear, &["gear", "gear calc"]),
    (Quantity::Lap, &["lap number", "lap", "lap #", "laps", "lap no", "number of lap"]),
    (Quantity::Satellites, &["satellites", "sats", "nsat", "locked satellites"]),
];

/// What the column `name` holds, if it is a known one: `GPS Speed`, `speed_mps`, `Speed (km/h) *gps`,
/// `velocity kmh`.
pub(super) fn named(name: &str) -> Option<Named> {
    // RaceChrono 2 writes the source behind a star.
    let (name, source) = name.split_once('*').map_or((name, ""), |(name, source)| (name.trim(), source));
    let (plain, unit) = match name.split_once(['(', '[']) {
        Some((plain, unit)) => (plain, Some(unit.trim_end_matches([')', ']', ' ']).trim().to_lowercase())),
        None => (name, None),
    };
    let plain = plain.trim().trim_start_matches("# ").trim().to_lowercase().replace(['_', '-', '.'], " ");
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_gps = plain.starts_with("gps ");
    let plain = plain.strip_prefix("gps ").unwrap_or(&plain);
    let found = |plain: &str| {
        NAMES.iter().find_map(|&(quantity, names)| Some((quantity, names.iter().position(|name| *name == plain)?)))
    };
    // Positions come from the satellites; the speed on the vehicle's bus lags and slips.
    let extra = if is_gps || source.starts_with("gps") { 0 } else { 100 };
    if let Some((quantity, rank)) = found(plain) {
        return Some(Named { quantity, unit, rank: rank + extra });
    }
    // A unit at the end of the name.
    let (front, last) = plain.rsplit_once(' ')?;
    let (quantity, rank) = found(front)?;
    super::units::factor(quantity, last)
        .filter(|_| unit.is_none() && !last.is_empty() && super::units::is_unit(last))?;
    Some(Named { quantity, unit: Some(last.to_owned()), rank: rank + extra })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_loggers() {
        let of = |name: &str| named(name).map(|found| (found.quantity, found.unit));
        let unit = |text: &str| Some(text.to_owned());
        assert_eq!(of("GPS Speed"), Some((Quantity::Speed, None)));
        assert_eq!(of("Speed (km/h) *gps"), Some((Quantity::Speed, unit("km/h"))));
        assert_eq!(of("velocity kmh"), Some((Quantity::Speed, unit("kmh"))));
        assert_eq!(of("forward_mps"), Some((Quantity::Speed, unit("mps"))));
        assert_eq!(of("GPS Latitude"), Some((Quantity::Latitude, None)));
        assert_eq!(of("Lap #"), Some((Quantity::Lap, None)));
        assert_eq!(of("lateral_accel_mps2"), Some((Quantity::LateralAcceleration, unit("mps2"))));
        assert_eq!(of("Timestamp (s)"), Some((Quantity::Time, unit("s"))));
        assert_eq!(of("# x_m"), Some((Quantity::X, unit("m"))));
        assert_eq!(of("fuel"), None);
        assert_eq!(of("lap_time"), None);
        assert_eq!(of("speed_accuracy"), None);
        assert!(named("GPS Speed").map(|found| found.rank) < named("Speed").map(|found| found.rank));
    }
}
