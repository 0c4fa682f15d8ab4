//! Any bytes as what a browser sends to the page's server: whole answers, and a valid sidecar after them.

use std::path::PathBuf;
use std::sync::LazyLock;

use raceline::options::Layer;

static SIDECAR: LazyLock<PathBuf> =
    LazyLock::new(|| std::env::temp_dir().join(format!("raceline-fuzz-{}.toml", std::process::id())));

/// One input.
pub fn run(bytes: &[u8]) {
    let _ = std::fs::remove_file(&*SIDECAR);
    let answers = raceline_cli::answers(bytes, &SIDECAR, Box::new(|path, bytes| std::fs::write(path, bytes)));
    let Ok(answers) = answers else { return };
    assert!(answers.is_empty() || answers.starts_with(b"HTTP/1."), "an answer that is no HTTP");
    if let Ok(text) = std::fs::read_to_string(&*SIDECAR) {
        assert!(Layer::from_toml(&SIDECAR, &text).is_ok(), "a sidecar that is not valid");
        assert!(!text.contains("like"), "an edit leads to a file");
    }
}
