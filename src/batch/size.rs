//! The estimated memory and time of a task, from its input's header or length.

use std::fs;
use std::io::BufReader;
use std::path::Path;

use image::{ImageDecoder, ImageReader};

use crate::files;

/// Memory for each byte of a grey picture's pixels. Measured on masks, outlines and grids: 3 to 4.
const GREY_BYTES: u64 = 8;
/// Memory for each byte of the pixels of a coloured picture, which may be a photograph. Measured:
/// 12 to 16, 35 to 47 a pixel.
const COLOUR_BYTES: u64 = 20;
/// Memory for a line in addition to its picture, bytes.
const LINE_BYTES: u64 = 24 << 20;
/// Memory for each byte of a track file.
const BYTES_PER_TRACK_BYTE: u64 = 60;
/// Number of grey pixels that take as long as one pixel of a coloured picture, if it is a
/// photograph.
const GREY_PIXELS_PER_COLOURED: u64 = 100;
/// Number of grey pixels that take as long as one byte of a track file.
const GREY_PIXELS_PER_TRACK_BYTE: u64 = 100;

/// The size of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    memory_bytes: u64,
    work: u64,
}

impl Size {
    /// The size of the picture at `path`, from its header; that of an empty picture if it cannot be
    /// read.
    #[must_use]
    pub fn of_picture(path: &Path) -> Self {
        let header = files::open(path)
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
    #[must_use]
    pub fn of_track_file(path: &Path) -> Self {
        let bytes = fs::metadata(path).map_or(0, |metadata| metadata.len());
        Self { memory_bytes: LINE_BYTES + bytes * BYTES_PER_TRACK_BYTE, work: bytes * GREY_PIXELS_PER_TRACK_BYTE }
    }

    /// Upper estimate of the task's memory, bytes.
    #[must_use]
    pub fn memory_bytes(self) -> u64 {
        self.memory_bytes
    }

    /// Estimate of the task's time, in an arbitrary unit, as the sort key.
    #[must_use]
    pub fn work(self) -> u64 {
        self.work
    }

    /// The size of a grey picture.
    #[cfg(test)]
    pub(super) fn grey(pixels: u64) -> Self {
        Self::of_pixels(pixels, 1, false)
    }
}
