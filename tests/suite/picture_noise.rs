//! Whatever the bytes and pixels, reading ends in a mask or an error.

use crate::drawing::{binary, encoded};
use image::{ImageFormat, Luma};
use proptest::prelude::*;
use raceline::picture::{Grey, Picture, PictureOptions, RoadStyle, read_bytes, road_mask};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_bytes_never_panic(kind in 0_usize..8, noise in proptest::collection::vec(any::<u8>(), 0..400)) {
        let starts: [&[u8]; 8] =
            [b"", b"\x89PNG\r\n\x1a\n", b"BM", b"II*\0", b"MM\0*", b"RIFF\x40\0\0\0WEBPVP8 ", b"P5 9 9 255\n", b"\xff\xd8\xff\xe0"];
        let bytes = [starts[kind], &noise].concat();
        let small = PictureOptions { max_megapixels: 1, ..PictureOptions::default() };
        if let Ok(picture) = read_bytes("noise", &bytes, &small) {
            let _ = road_mask(&picture, &small, None);
        }
    }

    #[test]
    fn damaged_pictures_never_panic(format in 0_usize..5, at in 0.0_f64..1.0, value in any::<u8>(), cut in 0.3_f64..1.0) {
        let formats = [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Tiff, ImageFormat::Pnm, ImageFormat::Jpeg];
        let small = binary(24, |x, y| (6.0..10.0).contains(&(x - 12.0).hypot(y - 12.0)));
        let mut bytes = encoded(small, formats[format]);
        let place = (at * bytes.len() as f64) as usize;
        bytes[place] = value;
        bytes.truncate((cut * bytes.len() as f64) as usize);
        if let Ok(picture) = read_bytes("damaged", &bytes, &PictureOptions { max_megapixels: 1, ..PictureOptions::default() }) {
            let _ = road_mask(&picture, &PictureOptions::default(), None);
        }
    }

    #[test]
    fn noise_never_panics(
        width in 1_u32..40, height in 1_u32..40, levels in proptest::collection::vec(any::<u8>(), 1600), road in 0_usize..4,
    ) {
        let grey = Grey::from_fn(width, height, |x, y| Luma([u16::from(levels[(y * 40 + x) as usize]) * 257]));
        let road = [RoadStyle::Auto, RoadStyle::Light, RoadStyle::Dark, RoadStyle::Outline][road];
        let result = road_mask(&Picture { name: "noise".into(), grey, colours: None }, &PictureOptions { road, ..PictureOptions::default() }, None);
        if let Ok(mask) = result {
            prop_assert_eq!(mask.coverage.dimensions(), (width, height));
            prop_assert!(mask.style != RoadStyle::Auto);
        }
    }
}
