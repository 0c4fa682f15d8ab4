//! Any bytes as the files beside a line: obstacles and a driven lap, a reference line and a neural driver.

use std::path::PathBuf;
use std::sync::LazyLock;

use raceline::RacingLine;
use raceline::analysis::driven_lap;
use raceline::drive::read_obstacles;
use raceline::file::json;
use raceline::Options;
use raceline::options::Layer;
use raceline_follower::json::read_network;

use super::super::seeds;

static LINE: LazyLock<Option<RacingLine>> = LazyLock::new(|| json::read(seeds::line()).ok());
/// A folder of this process: a reference line is named by a sidecar, so that it is a file.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("raceline-fuzz-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    folder
});

/// One input.
pub fn run(bytes: &[u8]) {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    match kind % 4 {
        0 => drop(read_obstacles(bytes)),
        1 => {
            let Some(line) = &*LINE else { return };
            if let Ok(lap) = driven_lap(line, bytes) {
                assert!(lap.points.iter().all(|point| point.time_s.is_finite() && point.speed_mps.is_finite()));
            }
        }
        2 => drop(read_network(bytes)),
        _ => {
            if std::fs::write(FOLDER.join("like"), bytes).is_err() {
                return;
            }
            let sidecar = FOLDER.join("track.toml");
            if let Ok(layer) = Layer::from_toml(&sidecar, "like = \"like\"\n") {
                let _ = Options::from_layers(&[layer]);
            }
        }
    }
}
