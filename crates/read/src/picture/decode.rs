//! File or bytes → [`Picture`], with the header checked before anything large is allocated.

use std::io::{BufRead, Cursor, Seek};
use std::path::Path;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{Picture, PictureError, PictureOptions, grey};
use raceline_file::files::{self, LARGEST_PICTURE};

/// A deflate stream expands at most 1032-fold (258 bytes from 2 bits), so a PNG whose header
/// declares more is truncated or malicious.
const DEFLATE_MAX_EXPANSION: u64 = 1032;

/// What decoders may allocate above the pixels themselves: palettes, tables, compressed strips.
const DECODER_HEADROOM_BYTES: u64 = 64 << 20;

/// Reads and decodes the picture at `path`. The format is detected from the content, not from the
/// name.
///
/// # Errors
/// [`PictureError::Unreadable`], [`PictureError::UnknownFormat`], [`PictureError::TooLarge`],
/// [`PictureError::TooShort`] and [`PictureError::Damaged`].
pub fn read(path: &Path, options: &PictureOptions) -> Result<Picture, PictureError> {
    let unreadable = |source| PictureError::Unreadable { path: path.to_owned(), source };
    let bytes = files::read(path, LARGEST_PICTURE).map_err(unreadable)?;
    read_bytes(&path.display().to_string(), &bytes, options)
}

/// A picture in memory with its colours, upright. Errors as [`read`].
pub fn decoded(name: &str, bytes: &[u8], options: &PictureOptions) -> Result<DynamicImage, PictureError> {
    decode(name, Cursor::new(bytes), bytes.len() as u64, options)
}

/// Decodes a picture in memory; `name` is its name in messages. Errors as [`read`].
pub fn read_bytes(name: &str, bytes: &[u8], options: &PictureOptions) -> Result<Picture, PictureError> {
    decoded(name, bytes, options).map(|decoded| picture(name, decoded))
}

fn picture(name: &str, decoded: DynamicImage) -> Picture {
    let (grey, colours) = grey::from_decoded(decoded);
    Picture { name: name.to_owned(), grey, colours }
}

/// Checks by its first bytes that `bytes` is in a format that can be decoded.
///
/// # Errors
/// [`PictureError::UnknownFormat`].
pub fn check_format(name: &str, bytes: &[u8]) -> Result<(), PictureError> {
    match image::guess_format(bytes) {
        Ok(format) if format.reading_enabled() => Ok(()),
        _ => Err(PictureError::UnknownFormat { name: name.to_owned() }),
    }
}

fn decode<R: BufRead + Seek>(
    name: &str,
    source: R,
    length_bytes: u64,
    options: &PictureOptions,
) -> Result<DynamicImage, PictureError> {
    let unknown = || PictureError::UnknownFormat { name: name.to_owned() };
    let damaged = |source| PictureError::Damaged { name: name.to_owned(), source };
    let mut reader =
        ImageReader::new(source).with_guessed_format().map_err(|error| damaged(image::ImageError::IoError(error)))?;
    let format = reader.format().ok_or_else(unknown)?;
    if !format.reading_enabled() {
        return Err(unknown());
    }
    let pixel_limit = u64::from(options.max_megapixels) * 1_000_000;
    let mut limits = Limits::default();
    // Eight bytes per pixel is the largest supported kind (16 bit colour with alpha).
    limits.max_alloc = Some(pixel_limit.saturating_mul(8).saturating_add(DECODER_HEADROOM_BYTES));
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > pixel_limit {
        let needed = pixels.div_ceil(1_000_000);
        return Err(PictureError::TooLarge {
            name: name.to_owned(),
            width,
            height,
            limit: options.max_megapixels,
            needed,
        });
    }
    if pixels == 0 || promises_too_much(format, pixels, decoder.total_bytes(), length_bytes) {
        return Err(PictureError::TooShort { name: name.to_owned(), width, height, bytes: length_bytes });
    }
    // The EXIF block of a photograph may specify a rotation.
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut decoded = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    decoded.apply_orientation(orientation);
    Ok(decoded)
}

/// Whether the file is too short to contain the pixels. Formats without a fixed limit on their
/// expansion pass; their decoders stop at the end of the data.
fn promises_too_much(format: ImageFormat, pixels: u64, decoded_bytes: u64, length_bytes: u64) -> bool {
    match format {
        // At least one bit per pixel goes into the deflate stream, however it is stored.
        ImageFormat::Png => pixels / 8 > length_bytes.saturating_mul(DEFLATE_MAX_EXPANSION),
        // Plain and packed bitmaps alike contain at least one bit per pixel.
        ImageFormat::Pnm => decoded_bytes.min(pixels / 8) > length_bytes,
        _ => false,
    }
}
