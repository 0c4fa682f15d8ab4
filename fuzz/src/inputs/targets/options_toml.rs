//! Any text as a sidecar and as a vehicle file.

use std::path::Path;

use raceline::Options;
use raceline::options::Layer;
use raceline::vehicle::Vehicle;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(layer) = Layer::from_toml(Path::new("fuzz.toml"), text) {
        let _ = Options::from_layers(&[layer]);
    }
    let _ = Vehicle::from_toml(text, "fuzz.toml");
}
