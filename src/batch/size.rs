//! How much a task needs, told from its input without reading it.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use image::ImageReader;

/// Memory that each pixel takes at most at one time, bytes: the decoded picture, its grey values, the regions of one threshold, the mask.
const BYTES_PER_PIXEL: u64 = 100;
/// What a line takes beside its picture, bytes.
const LINE_BYTES: u64 = 24 << 20;
/// What a track file takes for each of its own bytes.
const BYTES_PER_TRACK_BYTE: u64 = 60;
/// Work that is as long as that on one pixel, in bytes of a track file.
const PIXELS_PER_TRACK_BYTE: u64 = 20;
/// Work on the line itself, in pixels.
const LINE_PIXELS: u64 = 2_000_000;

/// The size of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Pixels of the picture; 0 when the input is no picture, or none that can be read.
    pub pixels: u64,
    /// Bytes of a track file; 0 when the input is a picture.
    pub track_bytes: u64,
}

impl Size {
    /// The size of the picture at `path`, from its header.
    pub fn of_picture(path: &Path) -> Self {
        let dimensions = File::open(path)
            .ok()
            .and_then(|file| ImageReader::new(BufReader::new(file)).with_guessed_format().ok())
            .and_then(|reader| reader.into_dimensions().ok());
        let pixels = dimensions.map_or(0, |(width, height)| u64::from(width) * u64::from(height));
        Self { pixels, track_bytes: 0 }
    }

    /// The size of the track file at `path`.
    pub fn of_track_file(path: &Path) -> Self {
        Self { pixels: 0, track_bytes: fs::metadata(path).map_or(0, |metadata| metadata.len()) }
    }

    /// Upper estimate of the memory that the task takes, bytes.
    pub fn memory_bytes(self) -> u64 {
        LINE_BYTES + self.pixels * BYTES_PER_PIXEL + self.track_bytes * BYTES_PER_TRACK_BYTE
    }

    /// How long the task takes, in a unit of its own, to sort by.
    pub fn work(self) -> u64 {
        LINE_PIXELS + self.pixels + self.track_bytes * PIXELS_PER_TRACK_BYTE
    }
}
