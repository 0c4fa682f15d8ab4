//! The line of a track: read, or made by raceline.

use std::fs;
use std::path::Path;

use anyhow::Context;
use raceline::Options;
use raceline::file::{RacingLine, json};
use raceline::options::Layer;
use raceline::pipeline::{self, Request, Silent};
use raceline::vehicle::{self, Vehicle};

use super::installation::TrackPlace;

/// The vehicle by a file's path or a preset's name.
pub fn load_vehicle(given: Option<&str>, car: &str) -> anyhow::Result<Vehicle> {
    let name = given.map_or_else(|| preset_of(car), str::to_owned);
    if name.ends_with(".toml") {
        return Vehicle::read(Path::new(&name)).with_context(|| name.clone());
    }
    vehicle::preset(&name).with_context(|| format!("the car {car}: specify --vehicle"))
}

/// What TORCS's own physics asks for. Its wheels press along the world's vertical, so that banking
/// adds less load in a bend than the road's curvature does: on michigan, banked by 0.13 rad, the
/// wheels carry 7 to 10 % more than on a level road, where the surface would give 20 %.
const OF_TORCS: &str = "banking_share = 0.3\n";

/// Above it for cars without a preset, on which nothing of the driver was tuned: he strays from their lines by up to
/// 1.5 m, and a wall may stand 1 m beyond a kerb's inner edge.
const OF_OTHER_CARS: &str = "kerb_overhang_m = 0.0\n";

/// Options of a run with `car`: TORCS's, and those of a sidecar above them.
pub fn load_options(car: &str, sidecar: Option<&Path>) -> anyhow::Result<Options> {
    let layer = |text| Layer::from_toml(Path::new("raceline-torcs"), text);
    let mut layers = vec![layer(OF_TORCS)?];
    if vehicle::preset(&preset_of(car)).is_err() {
        layers.push(layer(OF_OTHER_CARS)?);
    }
    if let Some(path) = sidecar {
        layers.push(Layer::read(path)?);
    }
    Ok(Options::from_layers(&layers)?)
}

/// The name that the preset of `car` has.
fn preset_of(car: &str) -> String {
    format!("torcs-{car}")
}

/// Finds the line of a track file or a picture.
pub fn make(name: &str, input: &Path, options: &Options, vehicle: &Vehicle) -> anyhow::Result<RacingLine> {
    let outcome = pipeline::optimize(input, &Request::new(options, vehicle))?;
    for warning in &outcome.warnings {
        eprintln!("{name}: {warning}");
    }
    Ok(outcome.line)
}

/// Makes the line from a picture of the track, which is drawn to `picture`.
pub fn make_from_picture(
    track: &TrackPlace,
    picture: &Path,
    options: &Options,
    vehicle: &Vehicle,
) -> anyhow::Result<RacingLine> {
    let extraction = pipeline::extract(&track.xml, options, &Silent)?;
    let options = super::picture::draw(&extraction.track, picture, options)?;
    make(&track.name, picture, &options, vehicle)
}

/// Reads a line.
pub fn read(path: &Path) -> anyhow::Result<RacingLine> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    json::read(&bytes).with_context(|| path.display().to_string())
}

/// Writes a line.
pub fn write(line: &RacingLine, path: &Path) -> anyhow::Result<()> {
    fs::write(path, json::write(line)?).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::load_options;

    #[test]
    fn a_car_without_a_preset_stays_off_the_kerbs_unless_the_sidecar_lets_it() {
        let overhang_m = |car: &str, sidecar: Option<&str>| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("line.toml");
            std::fs::write(&file, sidecar.unwrap_or_default()).unwrap();
            let options = load_options(car, sidecar.map(|_| file.as_path())).unwrap();
            options.clearance.kerb_overhang_m
        };
        assert_eq!(overhang_m("car1-ow1", None), 0.0);
        assert_eq!(overhang_m("car1-ow1", Some("kerb_overhang_m = 0.2")), 0.2);
        assert!(overhang_m("car1-trb1", None) > 0.0);
    }
}
