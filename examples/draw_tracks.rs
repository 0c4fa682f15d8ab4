//! Draws the tracks of `tracks/`: `cargo run --release --example draw_tracks -- [DIRECTORY]`.
//!
//! Every track is a closed form (straights and arcs), so its true edges are known; each picture has
//! a TOML beside it that specifies its scale, start, direction and vehicle. The same program draws
//! the same bytes.

#[path = "draw_tracks/mod.rs"]
mod draw_tracks;

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("tracks"), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    for track in draw_tracks::tracks()? {
        for (ending, bytes) in track.files()? {
            let path = directory.join(format!("{}.{ending}", track.name));
            std::fs::write(&path, &bytes)?;
            println!("{} ({} bytes)", path.display(), bytes.len());
        }
    }
    Ok(())
}
