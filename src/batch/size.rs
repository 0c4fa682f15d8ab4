//! How much a task needs, told from its input without reading it.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use image::{ImageDecoder, ImageReader};

/// Memory for each byte of a grey picture's pixels. Measured on masks, outlines and grids: 3 to 4.
const GREY_BYTES: u64 = 8;
/// The same for a coloured picture, which may be a photograph. Measured: 12 to 16, 35 to 47 a pixel.
const COLOUR_BYTES: u64 = 20;
/// What a line takes beside its picture, bytes.
const LINE_BYTES: u64 = 24 << 20;
/// What a track file takes for each of its own bytes.
const BYTES_PER_TRACK_BYTE: u64 = 60;
/// A coloured picture's pixel takes as long as so many grey ones, if it is a photograph.
const GREY_PIXELS_PER_COLOURED: u64 = 100;
/// A track file's byte takes as long as so many grey pixels.
const GREY_PIXELS_PER_TRACK_BYTE: u64 = 100;

/// The size of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    memory_bytes: u64,
    work: u64,
}

impl Size {
    /// The size of the picture at `path`, from its header; of one that can't be read, which soon fails, that of an empty one.
    pub fn of_picture(path: &Path) -> Self {
        let header = File::open(path)
            .ok()
            .and_then(|file| ImageReader::new(BufReader::new(file)).with_guessed_format().ok())
            .and_then(|reader| reader.into_decoder().ok())
            .map(|decoder| (decoder.dimensions(), decoder.color_type()));
        let Some(((width, height), colour)) = header else { return Self { memory_bytes: LINE_BYTES, work: 0 } };
        Self::of_pixels(u64::from(width) * u64::from(height), u64::from(colour.bytes_per_pixel()), colour.has_color())
    }

    fn of_pixels(pixels: u64, bytes_per_pixel: u64, coloured: bool) -> Self {
        let (memory, work) = if coloured { (COLOUR_BYTES, GREY_PIXELS_PER_COLOURED) } else { (GREY_BYTES, 1) };
        let bytes = pixels.saturating_mul(bytes_per_pixel).saturating_mul(memory);
        Self { memory_bytes: LINE_BYTES.saturating_add(bytes), work: pixels.saturating_mul(work) }
    }

    /// The size of the track file at `path`.
    pub fn of_track_file(path: &Path) -> Self {
        let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
        Self { memory_bytes: LINE_BYTES + bytes * BYTES_PER_TRACK_BYTE, work: bytes * GREY_PIXELS_PER_TRACK_BYTE }
    }

    /// Upper estimate of the memory that the task takes, bytes.
    pub fn memory_bytes(self) -> u64 {
        self.memory_bytes
    }

    /// How long the task takes, in a unit of its own, to sort by.
    pub fn work(self) -> u64 {
        self.work
    }

    /// The size of a grey picture.
    #[cfg(test)]
    pub(super) fn grey(pixels: u64) -> Self {
        Self::of_pixels(pixels, 1, false)
    }
}
