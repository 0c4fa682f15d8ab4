//! File or bytes → [`Picture`], with the header checked before anything large is allocated.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{Picture, PictureError, PictureOptions, grey};
use raceline_file::files::{self, LARGEST_PICTURE};

/// A deflate stream expands at most 1032-fold (258 bytes from 2 bits), so a PNG whose header
/// declares more is truncated or malicious.
const DEFLATE_MAX_EXPANSION: u64 = 1032;

/// What decoders may allocate above the pixels themselves: palettes, tables, compressed strips, and
/// what a file holds beside the pixels. A colour profile that is larger when inflated is ignored.
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
    decode(name, bytes, options)
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

fn decode(name: &str, bytes: &[u8], options: &PictureOptions) -> Result<DynamicImage, PictureError> {
    let length_bytes = bytes.len() as u64;
    let unknown = || PictureError::UnknownFormat { name: name.to_owned() };
    let damaged = |source| PictureError::Damaged { name: name.to_owned(), source };
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| damaged(image::ImageError::IoError(error)))?;
    let format = reader.format().ok_or_else(unknown)?;
    if !format.reading_enabled() {
        return Err(unknown());
    }
    let pixel_limit = u64::from(options.max_megapixels) * 1_000_000;
    // The header alone: a limit for the largest picture would be one for its colour profile too.
    reader.limits(limits_above(0));
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
    let is_cut_off = format == ImageFormat::WebP && !has_whole_chunks(bytes);
    if pixels == 0 || is_cut_off || promises_too_much(format, pixels, decoder.total_bytes(), length_bytes) {
        return Err(PictureError::TooShort { name: name.to_owned(), width, height, bytes: length_bytes });
    }
    decoder.set_limits(limits_above(decoder.total_bytes())).map_err(damaged)?;
    // The EXIF block of a photograph may specify a rotation.
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut decoded = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    decoded.apply_orientation(orientation);
    Ok(decoded)
}

/// The limits of a decoder whose pixels have this size.
fn limits_above(pixel_bytes: u64) -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(pixel_bytes.saturating_add(DECODER_HEADROOM_BYTES));
    limits
}

/// Whether the chunks of a WebP (RFC 9649, section 2) that are read whole end within the file.
/// Memory is reserved for their stated length.
fn has_whole_chunks(bytes: &[u8]) -> bool {
    /// The signature, the length of the file and the format.
    const HEADER_BYTES: usize = 12;
    let mut rest = bytes.get(HEADER_BYTES..).unwrap_or_default();
    while let Some((header, data)) = rest.split_first_chunk::<8>() {
        let [kind @ .., a, b, c, d] = header;
        let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        if length > data.len() && [b"EXIF", b"ICCP", b"XMP "].contains(&kind) {
            return false;
        }
        // Chunks begin at even places.
        rest = data.get(length.saturating_add(length % 2)..).unwrap_or_default();
    }
    true
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{GrayImage, ImageFormat, Luma};

    use super::{DECODER_HEADROOM_BYTES, Picture, PictureError, PictureOptions, read_bytes};

    /// Bytes of a PNG of 100 × 100 pixels, from dark to light.
    fn png() -> Vec<u8> {
        let picture = GrayImage::from_fn(100, 100, |column, _| Luma([2 * column as u8]));
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    /// The PNG with one more chunk behind its header.
    fn with_chunk(png: &[u8], kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        /// The signature, and the header with its length, kind and checksum.
        const HEADER_BYTES: usize = 8 + 25;
        let checked: Vec<u8> = kind.iter().chain(data).copied().collect();
        let (header, rest) = png.split_at(HEADER_BYTES);
        let length = u32::try_from(data.len()).unwrap().to_be_bytes();
        [header, &length, &checked, &crc32(&checked).to_be_bytes(), rest].concat()
    }

    /// The checksum of a PNG's chunks (ISO 3309).
    fn crc32(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
        !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
    }

    /// A zlib stream of `13 / 8` bytes for every 258 zeros: one literal, then matches of the greatest length
    /// at the distance 1, in one block of fixed codes (RFC 1951, section 3.2.6).
    fn deflated_zeros(repetitions: usize) -> Vec<u8> {
        let match_258 = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0];
        let start = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0];
        let bits = start.into_iter().chain((0..repetitions).flat_map(|_| match_258)).chain([0; 7]);
        let mut stream = vec![0x78, 0x01];
        let (mut byte, mut count) = (0_u8, 0);
        for bit in bits {
            byte |= bit << count;
            count += 1;
            if count == 8 {
                stream.push(byte);
                (byte, count) = (0, 0);
            }
        }
        stream.push(byte);
        let zeros = 1 + 258 * repetitions as u64;
        // Adler-32: the sum of the bytes and 1, and the sum of these sums.
        stream.extend_from_slice(&(((zeros % 65_521) as u32) << 16 | 1).to_be_bytes());
        stream
    }

    /// The picture, and the most memory that was allocated at once, bytes.
    fn decoded(bytes: &[u8]) -> (Picture, u64) {
        let mut picture = None;
        let use_of = allocation_counter::measure(|| {
            picture = Some(read_bytes("in.png", bytes, &PictureOptions::default()).unwrap());
        });
        (picture.unwrap(), use_of.bytes_max)
    }

    #[test]
    fn what_a_png_holds_beside_its_pixels_takes_no_memory() {
        const INFLATED_BYTES: usize = 400 << 20;
        let plain = png();
        let (expected, _) = decoded(&plain);
        let zeros = deflated_zeros(INFLATED_BYTES / 258);
        for (kind, before) in
            [(b"iCCP", &b"profile\0\0"[..]), (b"zTXt", b"Comment\0\0"), (b"iTXt", b"Comment\0\x01\0\0\0")]
        {
            let (picture, bytes) = decoded(&with_chunk(&plain, kind, &[before, &zeros].concat()));
            assert_eq!(picture, expected);
            // A vector doubles as it grows, so it may have been copied once.
            assert!(bytes < 2 * DECODER_HEADROOM_BYTES, "{bytes} bytes for {kind:?}");
        }
    }

    /// An extended WebP of 4 × 3 pixels with a chunk of this stated length.
    fn webp_with(kind: &[u8; 4], stated: u32, data: &[u8]) -> Vec<u8> {
        let mut plain = Cursor::new(Vec::new());
        GrayImage::new(4, 3).write_to(&mut plain, ImageFormat::WebP).unwrap();
        let plain = plain.into_inner();
        let pixels = plain.get(12..).unwrap();
        let flags = if kind == b"EXIF" { 0x08 } else { 0x20 };
        let extended = [&b"VP8X"[..], &10_u32.to_le_bytes(), &[flags, 0, 0, 0, 3, 0, 0, 2, 0, 0]].concat();
        let chunks = [&extended, pixels, kind, &stated.to_le_bytes(), data].concat();
        let length = u32::try_from(4 + chunks.len()).unwrap().to_le_bytes();
        [&b"RIFF"[..], &length, b"WEBP", &chunks].concat()
    }

    #[test]
    fn a_chunk_of_a_webp_that_is_longer_than_the_file_takes_no_memory() {
        let orientation = [0_u8; 16];
        assert!(read_bytes("in.webp", &webp_with(b"EXIF", 16, &orientation), &PictureOptions::default()).is_ok());
        for kind in [b"EXIF", b"ICCP"] {
            let bytes = webp_with(kind, u32::MAX - 1, &orientation);
            let mut result = None;
            let use_of = allocation_counter::measure(|| {
                result = Some(read_bytes("in.webp", &bytes, &PictureOptions::default()));
            });
            assert!(matches!(result, Some(Err(PictureError::TooShort { .. }))), "{result:?}");
            assert!(use_of.bytes_max < 1 << 20, "{} bytes", use_of.bytes_max);
        }
    }

    #[test]
    fn a_small_profile_is_within_the_limit() {
        // The test above would also pass if every such file were read without its chunk.
        let with = with_chunk(&png(), b"iCCP", &[&b"profile\0\0"[..], &deflated_zeros(100)].concat());
        let mut reader = image::ImageReader::new(Cursor::new(&with)).with_guessed_format().unwrap();
        reader.limits(super::limits_above(0));
        let profile = image::ImageDecoder::icc_profile(&mut reader.into_decoder().unwrap()).unwrap();
        assert_eq!(profile.map(|profile| profile.len()), Some(1 + 258 * 100));
    }
}
