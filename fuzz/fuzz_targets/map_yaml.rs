//! Any text as a map's YAML.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use raceline::picture::MapYaml;

fuzz_target!(|text: &str| {
    let _ = MapYaml::parse(Path::new("maps/fuzz.yaml"), text);
});
