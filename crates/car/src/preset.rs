//! The vehicle presets. Each is a TOML file like a user's own; `docs/reference/vehicle-keys.md` documents the
//! source of every number.

use super::{Vehicle, VehicleError};

/// A vehicle preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name used in options and files.
    pub name: &'static str,
    /// Other names that options accept.
    pub aliases: &'static [&'static str],
    /// A short description.
    pub summary: &'static str,
    /// Source of its numbers.
    pub source: &'static str,
    /// The vehicle file, including comments.
    pub toml: &'static str,
}

const PRESETS: [Preset; 6] = [
    Preset {
        name: "tum-racecar",
        aliases: &[],
        summary: "electric racing car, 1200 kg, the reference of the comparisons",
        source: "TUMFTM/global_racetrajectory_optimization (params/racecar.ini and its g-g-v and drive tables), with \
                 friction-ellipse exponent 2",
        toml: include_str!("presets/tum-racecar.toml"),
    },
    Preset {
        name: "gt",
        aliases: &["gt3"],
        summary: "GT3 car with downforce, 1300 kg, 390 kW at the wheels",
        source: "published dimensions, mass and power of the BMW M4 GT3; tyres and aerodynamics are estimates for the \
                 class",
        toml: include_str!("presets/gt.toml"),
    },
    Preset {
        name: "kart",
        aliases: &[],
        summary: "direct-drive 125 cm³ kart with driver, 150 kg",
        source: "mass and dimensions from the OK class's regulations (CIK-FIA, FFSA, Motorsport UK); tyres, power and \
                 drag are estimates",
        toml: include_str!("presets/kart.toml"),
    },
    Preset {
        name: "robot-car",
        aliases: &["f1tenth", "roboracer"],
        summary: "1:10 robot car of the F1TENTH class, 3.74 kg",
        source: "default parameters of f1tenth/f1tenth_gym (identified on the real car); drag, which they do not \
                 include, is 0; driven at all of its grip in that gym",
        toml: include_str!("presets/robot-car.toml"),
    },
    Preset {
        name: "formula",
        aliases: &["f1", "formula-1"],
        summary: "Formula 1 car of 2017, 733 kg, 611 kW at the wheels",
        source: "TUMFTM/laptime-simulation (vehicles/F1_Shanghai.ini), its two axles and tyres reduced to a point mass; \
                 length and steering are estimates",
        toml: include_str!("presets/formula.toml"),
    },
    Preset {
        name: "torcs-car1-trb1",
        aliases: &[],
        summary: "the TORCS simulator's car1-trb1 on a surface of friction 1, 1170 kg",
        source: "parameters of TORCS's car1-trb1 and of its physics (simuv2), reduced to a point mass; fuel and safety \
                 distance are choices",
        toml: include_str!("presets/torcs-car1-trb1.toml"),
    },
];

/// All presets, the default first.
#[must_use]
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

/// The vehicle of the preset called `name`, or with this alias.
///
/// # Errors
/// [`VehicleError::UnknownPreset`] lists the available names.
pub fn preset(name: &str) -> Result<Vehicle, VehicleError> {
    match PRESETS.iter().find(|preset| preset.name == name || preset.aliases.contains(&name)) {
        Some(preset) => Vehicle::from_toml(preset.toml, preset.name),
        None => Err(VehicleError::UnknownPreset {
            name: name.to_owned(),
            known: PRESETS.map(|preset| preset.name).join(", "),
        }),
    }
}
