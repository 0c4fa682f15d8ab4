//! From files to road masks: formats, colours, styles, and the error for each bad picture.

#![allow(clippy::expect_used, clippy::panic, reason = "a helper of a test fails the test")]

use std::path::Path;

use crate::drawing::{DISC, Disc, anti_aliased, binary, encoded, grid, mapped, paint, paint_frame, png};
use image::{DynamicImage, GrayImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage, Rgba, RgbaImage};
use raceline::picture::{
    Picture, PictureError, PictureOptions, Pixel, RoadMask, RoadStyle, read, read_bytes, road_mask,
};

fn options() -> PictureOptions {
    PictureOptions::default()
}

fn decoded(bytes: &[u8]) -> Picture {
    read_bytes("test", bytes, &options()).expect("a readable picture")
}

fn of_grey(grey: GrayImage) -> Picture {
    decoded(&encoded(grey, ImageFormat::Png))
}

fn mask_of(grey: GrayImage) -> Result<RoadMask, PictureError> {
    road_mask(&of_grey(grey), &options(), None)
}

/// Why a picture shows no road.
fn refused(grey: GrayImage) -> PictureError {
    match mask_of(grey) {
        Ok(mask) => panic!("a {:?} road of {} pixels", mask.style, area(&mask)),
        Err(error) => error,
    }
}

/// Area of the road by its coverage, pixels².
fn area(mask: &RoadMask) -> f64 {
    mask.coverage.as_raw().iter().map(|&v| f64::from(v) / 255.0).sum()
}

fn disc_area(disc: Disc) -> f64 {
    std::f64::consts::PI * (disc.outer.powi(2) - disc.inner.powi(2))
}

fn disc_mask() -> GrayImage {
    anti_aliased(DISC.size, |x, y| DISC.contains(x, y))
}

// --- Formats
// -------------------------------------------------------------------------------------------------------

#[test]
fn every_lossless_format_keeps_grey_levels() {
    let source = disc_mask();
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Tiff, ImageFormat::Pnm] {
        let picture = decoded(&encoded(source.clone(), format));
        for (&got, &drawn) in picture.grey.as_raw().iter().zip(source.as_raw()) {
            assert_eq!(got, u16::from(drawn) * 257, "{format:?}");
        }
    }
    // WebP has no grey kind.
    let picture = decoded(&encoded(DynamicImage::from(source.clone()).into_rgb8(), ImageFormat::WebP));
    for (&got, &drawn) in picture.grey.as_raw().iter().zip(source.as_raw()) {
        assert_eq!(got, u16::from(drawn) * 257, "WebP");
    }
}

#[test]
fn jpeg_keeps_the_road() {
    let mask = road_mask(&decoded(&encoded(disc_mask(), ImageFormat::Jpeg)), &options(), None).unwrap();
    assert_eq!(mask.style, RoadStyle::Light);
    assert!((area(&mask) / disc_area(DISC) - 1.0).abs() < 0.01, "area {}", area(&mask));
}

#[test]
fn sixteen_bit_levels_survive() {
    let deep = ImageBuffer::<Luma<u16>, _>::from_fn(64, 64, |x, y| Luma([(x * 64 + y) as u16 * 16 + 3]));
    for format in [ImageFormat::Png, ImageFormat::Tiff] {
        assert_eq!(decoded(&encoded(deep.clone(), format)).grey, deep, "{format:?}");
    }
}

#[test]
fn sixteen_bit_picture_in_a_narrow_band_of_levels() {
    // A 12 bit scanner's values in 16 bit words.
    let source = disc_mask();
    let deep = ImageBuffer::<Luma<u16>, Vec<u16>>::from_fn(DISC.size, DISC.size, |x, y| {
        Luma([700 + u16::from(source.get_pixel(x, y).0[0]) * 12])
    });
    let mask = road_mask(&decoded(&encoded(deep, ImageFormat::Png)), &options(), None).unwrap();
    assert!((area(&mask) / disc_area(DISC) - 1.0).abs() < 0.002);
}

#[test]
fn the_name_does_not_matter_the_content_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("track.jpg");
    std::fs::write(&path, encoded(disc_mask(), ImageFormat::Png)).unwrap();
    let picture = read(&path, &options()).unwrap();
    assert_eq!(picture.grey.dimensions(), (DISC.size, DISC.size));
    assert_eq!(picture.name, path.display().to_string());
}

#[test]
fn palette_png() {
    let (yellow, dark_blue) = ([250, 230, 40], [20, 20, 120]);
    let indices: Vec<u8> = disc_mask().as_raw().iter().map(|&v| u8::from(v > 127)).collect();
    let picture = decoded(&png::with_palette(DISC.size, [yellow, dark_blue], &indices));
    let mask = road_mask(&picture, &options(), None).unwrap();
    assert_eq!(mask.style, RoadStyle::Dark);
    assert!((area(&mask) / disc_area(DISC) - 1.0).abs() < 0.01);
}

// --- Colour and alpha
// ------------------------------------------------------------------------------------------------

#[test]
fn colours_of_equal_luma_keep_their_contrast() {
    // Both colours have a luma of 0.2126 · 200: a conversion to luma would blank the picture.
    let source = disc_mask();
    let red_on_green = RgbImage::from_fn(DISC.size, DISC.size, |x, y| {
        let t = f64::from(source.get_pixel(x, y).0[0]) / 255.0;
        Rgb([(200.0 * t).round() as u8, (59.0 * (1.0 - t)).round() as u8, 0])
    });
    let mask = road_mask(&decoded(&encoded(red_on_green, ImageFormat::Png)), &options(), None).unwrap();
    assert!((area(&mask) / disc_area(DISC) - 1.0).abs() < 0.005);
}

#[test]
fn drawn_pixels_stand_out_from_a_transparent_ground() {
    let source = disc_mask();
    for (level, style) in [(20, RoadStyle::Dark), (240, RoadStyle::Light)] {
        // The transparent pixels' colour is that of the road: it must not count.
        let drawn =
            RgbaImage::from_fn(DISC.size, DISC.size, |x, y| Rgba([level, level, level, source.get_pixel(x, y).0[0]]));
        let mask = road_mask(&decoded(&encoded(drawn, ImageFormat::Png)), &options(), None).unwrap();
        assert_eq!(mask.style, style);
        assert!(mask.anti_aliased);
        assert!((area(&mask) / disc_area(DISC) - 1.0).abs() < 0.005);
    }
}

#[test]
fn grey_with_alpha_and_deep_colour() {
    let source = disc_mask();
    let size = DISC.size;
    let grey_alpha = ImageBuffer::<image::LumaA<u8>, Vec<u8>>::from_fn(size, size, |x, y| {
        image::LumaA([30, source.get_pixel(x, y).0[0]])
    });
    let deep = ImageBuffer::<Rgb<u16>, Vec<u16>>::from_fn(size, size, |x, y| {
        let v = u16::from(source.get_pixel(x, y).0[0]) * 200;
        Rgb([v, v, v])
    });
    let deep_alpha = ImageBuffer::<Rgba<u16>, Vec<u16>>::from_fn(size, size, |x, y| {
        Rgba([60000, 60000, 0, u16::from(source.get_pixel(x, y).0[0]) * 257])
    });
    for picture in [DynamicImage::from(grey_alpha), deep.into(), deep_alpha.into()] {
        let mask = road_mask(&decoded(&encoded(picture, ImageFormat::Png)), &options(), None).unwrap();
        assert!((area(&mask) / disc_area(DISC) - 1.0).abs() < 0.005);
    }
}

// --- Styles
// ----------------------------------------------------------------------------------------------------------

#[test]
fn light_road_on_dark() {
    let mask = mask_of(disc_mask()).unwrap();
    assert_eq!((mask.style, mask.anti_aliased, mask.dropped_shapes), (RoadStyle::Light, true, 0));
    assert_eq!(mask.coverage, disc_mask());
}

#[test]
fn dark_road_with_a_title_beside_it() {
    let mut picture = mapped(disc_mask(), |t| 245.0 - 215.0 * t);
    // Three letters: a bar, an O, a bar.
    paint(&mut picture, 4..6, 4..12, 30);
    paint_frame(&mut picture, (9, 4), (15, 12), 2, 30, 245);
    paint(&mut picture, 18..20, 4..12, 30);
    let mask = mask_of(picture).unwrap();
    assert_eq!((mask.style, mask.anti_aliased), (RoadStyle::Dark, true));
    assert_eq!(mask.dropped_shapes, 4, "three letters and the hole in one of them");
    for (got, want) in mask.coverage.as_raw().iter().zip(disc_mask().as_raw()) {
        assert!(got.abs_diff(*want) <= 1, "{got} for {want}");
    }
}

#[test]
fn outlines_dark_on_light_and_light_on_dark() {
    let lines = anti_aliased(DISC.size, |x, y| DISC.lines(1.5, x, y));
    for picture in [lines.clone(), mapped(lines, |t| 240.0 - 200.0 * t)] {
        let mask = mask_of(picture).unwrap();
        assert_eq!((mask.style, mask.anti_aliased), (RoadStyle::Outline, true));
        assert!((area(&mask) / disc_area(DISC) - 1.0).abs() < 0.005, "area {}", area(&mask));
    }
}

#[test]
fn occupancy_grid_free_space_is_the_road() {
    let mask = mask_of(grid(DISC)).unwrap();
    assert_eq!((mask.style, mask.anti_aliased), (RoadStyle::Light, false));
    assert_eq!(mask.coverage, binary(DISC.size, |x, y| DISC.contains(x, y)));
}

#[test]
fn a_style_that_is_specified_is_kept_to() {
    let lines = mapped(anti_aliased(DISC.size, |x, y| DISC.lines(2.0, x, y)), |t| 255.0 - 255.0 * t);
    let printed = |road| road_mask(&of_grey(lines.clone()), &PictureOptions { road, ..options() }, None);
    let between = printed(RoadStyle::Light).unwrap();
    assert_eq!(between.style, RoadStyle::Light);
    let narrower = Disc { outer: DISC.outer - 1.0, inner: DISC.inner + 1.0, ..DISC };
    // The lines' far sides leave grey levels below one half.
    assert!((area(&between) / disc_area(narrower) - 1.0).abs() < 0.04, "area {}", area(&between));
    assert_eq!(printed(RoadStyle::Outline).unwrap().style, RoadStyle::Outline);
    // Both lines are dark rings.
    assert!(matches!(printed(RoadStyle::Dark), Err(PictureError::SeveralRings { places, .. }) if places.len() == 2));
}

#[test]
fn ground_inside_a_frame_is_not_a_road() {
    let mut picture = mapped(disc_mask(), |t| 255.0 - 255.0 * t);
    let size = DISC.size;
    for edge in [0..1, size - 1..size] {
        paint(&mut picture, 0..size, edge.clone(), 0);
        paint(&mut picture, edge, 0..size, 0);
    }
    let mask = mask_of(picture).unwrap();
    assert_eq!(mask.style, RoadStyle::Dark);
    assert!((area(&mask) / disc_area(DISC) - 1.0).abs() < 0.002);
}

// --- The errors for bad pictures
// --------------------------------------------------------------------------------------

#[test]
fn missing_file() {
    let error = read(Path::new("no/such/track.png"), &options()).unwrap_err();
    assert!(matches!(error, PictureError::Unreadable { .. }));
    assert!(error.to_string().contains("no/such/track.png"), "{error}");
}

#[test]
fn a_folder_is_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(read(folder.path(), &options()), Err(PictureError::Unreadable { .. })));
}

#[test]
fn text_file_named_png() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("track.png");
    std::fs::write(&path, "Monza, first draft").unwrap();
    let error = read(&path, &options()).unwrap_err();
    assert!(matches!(error, PictureError::UnknownFormat { .. }), "{error}");
    assert!(error.to_string().contains("track.png") && error.to_string().contains("PNG, JPEG"), "{error}");
    std::fs::write(&path, "").unwrap();
    assert!(matches!(read(&path, &options()), Err(PictureError::UnknownFormat { .. })), "an empty file");
}

#[test]
fn truncated_png() {
    let bytes = encoded(disc_mask(), ImageFormat::Png);
    for kept in [bytes.len() / 2, 40, 20, 10] {
        let error = read_bytes("cut.png", &bytes[..kept], &options()).unwrap_err();
        assert!(matches!(error, PictureError::Damaged { .. }), "{kept} bytes: {error}");
        assert!(error.to_string().starts_with("cut.png is damaged"), "{error}");
    }
}

#[test]
fn huge_header_without_data() {
    let bytes = png::header_only(40_000, 40_000);
    let error = read_bytes("huge.png", &bytes, &options()).unwrap_err();
    assert!(matches!(error, PictureError::TooLarge { needed: 1600, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("40000 × 40000") && text.contains("the limit of 400 megapixels"), "{text}");
    let generous = PictureOptions { max_megapixels: 1600, ..options() };
    let error = read_bytes("huge.png", &bytes, &generous).unwrap_err();
    assert!(matches!(error, PictureError::TooShort { width: 40_000, height: 40_000, .. }), "{error}");
}

#[test]
fn huge_header_of_a_bitmap_that_states_its_size_in_words() {
    let error = read_bytes("huge.pgm", b"P5 40000 40000 255\n", &options()).unwrap_err();
    assert!(matches!(error, PictureError::TooLarge { .. }), "{error}");
    let error = read_bytes("short.pgm", b"P5 4000 4000 255\n", &options()).unwrap_err();
    assert!(matches!(error, PictureError::TooShort { .. }), "{error}");
}

#[test]
fn blank_picture() {
    let error = refused(GrayImage::from_pixel(64, 48, Luma([128])));
    assert!(matches!(error, PictureError::Blank { width: 64, height: 48, .. }), "{error}");
}

#[test]
fn no_ring() {
    let error = refused(anti_aliased(96, |x, y| (x - 48.0).hypot(y - 48.0) < 30.0));
    assert!(matches!(error, PictureError::NoRing { .. }), "{error}");
    assert!(error.to_string().contains("no closed road"), "{error}");
}

#[test]
fn several_rings_are_placed() {
    let mut picture = GrayImage::new(160, 80);
    paint_frame(&mut picture, (10, 10), (70, 70), 8, 255, 0);
    paint_frame(&mut picture, (90, 20), (150, 60), 8, 255, 0);
    let error = refused(picture);
    let PictureError::SeveralRings { places, .. } = &error else { panic!("{error}") };
    let mut places = places.clone();
    places.sort();
    assert_eq!(places, [Pixel { column: 39, row: 39 }, Pixel { column: 119, row: 39 }]);
}

#[test]
fn a_ring_in_a_ring_is_two_roads() {
    let mut picture = GrayImage::new(160, 160);
    paint_frame(&mut picture, (10, 10), (150, 150), 10, 255, 0);
    paint_frame(&mut picture, (50, 50), (110, 110), 10, 255, 0);
    assert!(matches!(mask_of(picture), Err(PictureError::SeveralRings { places, .. }) if places.len() == 2));
}

#[test]
fn a_target_of_circles_is_refused() {
    let circles =
        anti_aliased(400, |x, y| (x - 200.0).hypot(y - 200.0) < 190.0 && (x - 200.0).hypot(y - 200.0) % 5.0 < 2.5);
    assert!(matches!(refused(circles), PictureError::SeveralRings { places, .. } if places.len() > 20));
}

#[test]
fn walls_that_merge_between_two_legs() {
    // Two legs of a grid six cells apart, with walls three cells thick: one thick wall between
    // them.
    let mut picture = GrayImage::from_pixel(120, 60, Luma([205]));
    paint(&mut picture, 7..113, 7..41, 0);
    paint(&mut picture, 10..110, 10..38, 254);
    paint(&mut picture, 20..100, 20..26, 0);
    let mask = mask_of(picture).unwrap();
    assert_eq!(mask.style, RoadStyle::Light);
    assert_eq!(area(&mask), 100.0 * 28.0 - 80.0 * 6.0);
}

#[test]
fn an_outline_that_touches_itself_between_two_legs() {
    let mut road = GrayImage::new(160, 120);
    paint_frame(&mut road, (10, 10), (150, 110), 14, 255, 0);
    // The road goes round a slot from above, three pixels wide but for a wider place in the middle.
    paint(&mut road, 56..92, 10..80, 255);
    paint(&mut road, 72..75, 10..66, 0);
    paint(&mut road, 67..81, 28..50, 0);
    let in_road = |column: i64, row: i64| road.get_pixel(column.clamp(0, 159) as u32, row.clamp(0, 119) as u32).0[0];
    let lines = GrayImage::from_fn(160, 120, |column, row| {
        let near = (-1..3).flat_map(|dy| (-1..3).map(move |dx| (dx, dy)));
        let levels = near.map(|(dx, dy)| in_road(i64::from(column) + dx, i64::from(row) + dy));
        let (low, high) = levels.fold((255, 0), |(low, high), v| (v.min(low), v.max(high)));
        Luma([255 - (high - low)])
    });
    let mask = mask_of(lines).unwrap();
    assert_eq!(mask.style, RoadStyle::Outline);
    let drawn = f64::from(road.as_raw().iter().filter(|&&v| v > 0).count() as u32);
    assert!((area(&mask) / drawn - 1.0).abs() < 0.1, "{} for {drawn}", area(&mask));
}

#[test]
fn road_at_the_border_is_placed() {
    let mut picture = GrayImage::new(160, 120);
    paint_frame(&mut picture, (20, 20), (150, 110), 10, 255, 0);
    paint(&mut picture, 20..30, 0..60, 255);
    let error = refused(picture);
    assert!(matches!(error, PictureError::TouchesBorder { place: Pixel { column: 20, row: 0 }, .. }), "{error}");
    assert!(error.to_string().ends_with("border at (20, 0)"), "{error}");
}

#[test]
fn one_broken_line_of_an_outline() {
    let size = DISC.size;
    let gap =
        |x: f64, y: f64| (x - DISC.centre.0).hypot(y - DISC.centre.1) < 40.0 && x > 80.0 && (y - 66.0).abs() < 4.0;
    let drawn = |thickness: f64| anti_aliased(size, |x, y| DISC.lines(thickness, x, y) && !gap(x, y));
    // Five times as wide as the line is thick.
    let error = refused(drawn(1.5));
    let PictureError::TooThin { width_px, .. } = error else { panic!("{error}") };
    assert!((width_px / 1.5 - 1.0).abs() < 0.25, "{width_px}");
    assert!(error.to_string().contains("pixels thick"), "{error}");
    // Less than three times.
    let mask = mask_of(drawn(3.0)).unwrap();
    assert_eq!(mask.style, RoadStyle::Outline);
    let want = std::f64::consts::PI * (DISC.outer.powi(2) - DISC.inner.powi(2));
    assert!((area(&mask) / want - 1.0).abs() < 0.01, "{} for {want}", area(&mask));
}
