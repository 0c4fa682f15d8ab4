//! Any text as a map's YAML.

use std::path::Path;

use raceline::picture::MapYaml;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = MapYaml::parse(Path::new("maps/fuzz.yaml"), text);
}
