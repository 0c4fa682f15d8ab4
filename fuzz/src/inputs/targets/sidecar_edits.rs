//! Any text as a sidecar, and any bytes as edits of the page: a valid sidecar or a reason, and never a file
//! that the sidecar did not name before.

use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};
use raceline::Options;
use raceline::options::Layer;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok((sidecar, edits)) = <(&str, &[u8])>::arbitrary_take_rest(Unstructured::new(bytes)) else { return };
    match raceline_cli::edited_by(sidecar, edits) {
        Ok(after) => {
            let layer = Layer::from_toml(Path::new("sidecar.toml"), &after).expect("a valid sidecar");
            assert!(Options::from_layers(&[layer]).is_ok());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
