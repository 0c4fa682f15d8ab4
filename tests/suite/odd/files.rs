//! Pictures as bytes: PNG, JPEG with a quality, JPEG with an EXIF orientation.

#![allow(clippy::expect_used, reason = "a helper of a test fails the test")]

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GrayImage, ImageFormat};
use std::io::Cursor;

pub fn png(picture: impl Into<DynamicImage>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, ImageFormat::Png).expect("PNG takes every kind");
    bytes.into_inner()
}

pub fn jpeg(picture: &GrayImage, quality: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(picture).expect("JPEG takes grey");
    bytes
}

/// A JPEG whose EXIF block specifies how it is to be turned: 1 as it is, 3 half a turn, 6 a quarter
/// turn clockwise, 8 counter-clockwise (CIPA DC-008, tag 0x0112).
pub fn jpeg_with_orientation(picture: &GrayImage, orientation: u8) -> Vec<u8> {
    let plain = jpeg(picture, 95);
    let tiff: &[u8] = b"II*\0\x08\0\0\0";
    // One entry: tag, kind (short), count, value; no next directory.
    let entry = [1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0];
    let block = [b"Exif\0\0", tiff, &entry].concat();
    let length = (block.len() as u16 + 2).to_be_bytes();
    [&plain[..2], &[0xFF, 0xE1], &length, &block, &plain[2..]].concat()
}
