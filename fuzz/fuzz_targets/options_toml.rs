//! Any text as a sidecar and as a vehicle file.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use raceline::Options;
use raceline::options::Layer;
use raceline::vehicle::Vehicle;

fuzz_target!(|text: &str| {
    if let Ok(layer) = Layer::from_toml(Path::new("fuzz.toml"), text) {
        let _ = Options::from_layers(&[layer]);
    }
    let _ = Vehicle::from_toml(text, "fuzz.toml");
});
