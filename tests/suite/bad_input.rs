//! Bad input as a process meets it: the exit code, a message with file, place and remedy, and
//! nothing left behind.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use crate::drawing::{DISC, Disc, anti_aliased, binary};
use assert_cmd::Command;
use image::{GrayImage, ImageFormat, Luma};
use raceline::RacingLine;
use raceline::file::json;
use tempfile::TempDir;

/// A scale at which the vehicles fit on the roads that are drawn here: 13.7 pixels are 13.7 m.
const SCALE: [&str; 2] = ["--metres-per-pixel", "1"];

/// The exit code of a failed job.
const JOB_FAILED: i32 = 1;
/// The exit code of wrong usage.
const WRONG_USAGE: i32 = 2;

/// A folder of its own for each test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with a good picture, `ring.png`.
    fn with_ring() -> Self {
        Self::new().picture("ring.png", &anti_aliased(DISC.size, |x, y| DISC.contains(x, y)))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), contents).unwrap();
        self
    }

    fn picture(self, name: &str, picture: &GrayImage) -> Self {
        picture.save(self.path(name)).unwrap();
        self
    }

    fn folder(self, name: &str) -> Self {
        fs::create_dir(self.path(name)).unwrap();
        self
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("raceline").unwrap();
        command.current_dir(self.0.path()).env("NO_COLOR", "1").args(arguments);
        command
    }

    /// Runs `raceline optimize` with `arguments` behind the scale and [`Self::fails`].
    fn optimize_fails(&self, arguments: &[&str], words: &[&str]) {
        let arguments: Vec<&str> = ["optimize"].iter().chain(&SCALE).chain(arguments).copied().collect();
        self.fails(JOB_FAILED, &arguments, words);
    }

    /// Runs the program and asserts that it ends with `code`, prints each of `words` on stderr and
    /// nothing on stdout, doesn't panic, and leaves the folder as it was.
    fn fails(&self, code: i32, arguments: &[&str], words: &[&str]) {
        let before = contents(self.0.path());
        let output = self.command(arguments).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        println!("raceline {}\n{message}", arguments.join(" "));
        assert_eq!(output.status.code(), Some(code), "{message}");
        assert!(message.starts_with("error: "), "{message}");
        for word in words {
            assert!(message.contains(word), "{word:?} is missing in: {message}");
        }
        for noise in ["panicked", "RUST_BACKTRACE", "src/"] {
            assert!(!message.contains(noise), "{noise:?} doesn't belong in: {message}");
        }
        assert!(output.stdout.is_empty(), "nothing belongs on stdout");
        assert_eq!(contents(self.0.path()), before, "nothing may be written");
    }
}

/// Every file and folder below `folder` with its length, hidden ones too.
fn contents(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            found.extend(contents(&entry.path()));
        }
        found.push((entry.path(), entry.metadata().unwrap().len()));
    }
    found.sort();
    found
}

fn png(picture: &GrayImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

// ---- The picture as a file

#[test]
fn no_such_picture() {
    Folder::new().optimize_fails(&["nowhere/none.png"], &["nowhere/none.png", "no such file", "check"]);
}

#[test]
fn a_folder_in_place_of_a_picture() {
    Folder::new().folder("pictures").optimize_fails(&["pictures"], &["pictures", "is a folder", "name a file in it"]);
}

#[test]
fn a_text_file_named_png() {
    Folder::new()
        .file("text.png", "This is no picture.\n")
        .optimize_fails(&["text.png"], &["text.png", "not in a supported picture format", "PNG, JPEG"]);
}

#[test]
fn an_empty_file_named_png() {
    Folder::new().file("empty.png", "").optimize_fails(
        &["empty.png"],
        &["empty.png: it is an empty file, not a track", "name a picture, a map YAML, or a track"],
    );
}

#[test]
fn a_truncated_png() {
    let bytes = png(&anti_aliased(DISC.size, |x, y| DISC.contains(x, y)));
    for kept in [20, bytes.len() / 2, bytes.len() - 20] {
        Folder::new()
            .file("half.png", &bytes[..kept])
            .optimize_fails(&["half.png"], &["half.png", "truncated", "save it again"]);
    }
}

/// A header that promises 40 000 × 40 000 pixels and no data behind it, in each format where that
/// is easily written.
fn huge_headers() -> [(&'static str, Vec<u8>); 4] {
    const SIDE: u32 = 40_000;
    // A real one-pixel PNG, with the size in its header raised and the checksum set right.
    let mut png = png(&GrayImage::new(1, 1));
    png.truncate(33);
    png[16..20].copy_from_slice(&SIDE.to_be_bytes());
    png[20..24].copy_from_slice(&SIDE.to_be_bytes());
    let checksum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&checksum.to_be_bytes());
    // An empty data chunk and the end, without which the decoder has no header to speak of.
    for kind in [b"IDAT", b"IEND"] {
        png.extend(0u32.to_be_bytes());
        png.extend(kind);
        png.extend(crc32(kind).to_be_bytes());
    }
    let mut bitmap = Cursor::new(Vec::new());
    image::RgbImage::new(1, 1).write_to(&mut bitmap, ImageFormat::Bmp).unwrap();
    let mut bitmap = bitmap.into_inner();
    bitmap[18..22].copy_from_slice(&SIDE.to_le_bytes());
    bitmap[22..26].copy_from_slice(&SIDE.to_le_bytes());
    bitmap.truncate(54);
    [
        ("huge.png", png),
        ("huge.bmp", bitmap),
        ("huge.tif", huge_tiff(SIDE)),
        ("huge.pgm", format!("P5 {SIDE} {SIDE} 255\n").into()),
    ]
}

/// The checksum of a PNG chunk (ISO/IEC 15948, annex D), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

/// A grey TIFF of one strip that lies beyond the end of the file.
fn huge_tiff(side: u32) -> Vec<u8> {
    const SHORT: u16 = 3;
    const LONG: u16 = 4;
    let entries = [
        (256u16, LONG, side),
        (257, LONG, side),
        (258, SHORT, 8),
        (259, SHORT, 1),
        (262, SHORT, 1),
        (273, LONG, 4096),
        (277, SHORT, 1),
        (278, LONG, side),
        (279, LONG, side.saturating_mul(side)),
    ];
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(1u32.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend(0u32.to_le_bytes());
    bytes
}

#[test]
fn a_header_of_40_000_by_40_000_pixels_without_data() {
    for (name, bytes) in huge_headers() {
        let words = [name, "40000 × 40000 pixels", "scale it down", "--max-megapixels to 1600"];
        Folder::new().file(name, bytes).optimize_fails(&[name], &words);
    }
}

#[test]
fn a_huge_header_without_data_where_its_size_is_allowed() {
    for (name, bytes) in huge_headers() {
        Folder::new()
            .file(name, bytes)
            .optimize_fails(&[name, "--max-megapixels", "1600"], &[name, "truncated", "it again"]);
    }
}

// ---- The road in the picture

#[test]
fn a_blank_picture() {
    let blank = GrayImage::from_pixel(100, 80, Luma([200]));
    Folder::new()
        .picture("blank.png", &blank)
        .optimize_fails(&["blank.png"], &["blank.png", "blank", "100 × 80 pixels"]);
}

#[test]
fn a_disc_is_no_ring() {
    let disc = anti_aliased(DISC.size, |x, y| DISC.contains(x, y) || (x - 63.0).hypot(y - 65.0) < 40.0);
    let words = ["disc.png", "no closed road", "close its gaps", "--road"];
    Folder::new().picture("disc.png", &disc).optimize_fails(&["disc.png"], &words);
}

#[test]
fn noise_is_no_ring() {
    // A linear congruential generator (Knuth's MMIX constants): the same noise on every machine.
    let mut state = 1u64;
    let noise = GrayImage::from_fn(160, 160, |_, _| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Luma([(state >> 56) as u8])
    });
    Folder::new().picture("noise.png", &noise).optimize_fails(&["noise.png"], &["noise.png", "road"]);
}

#[test]
fn several_rings() {
    let at = |x: f64| Disc { centre: (x, 64.0), outer: 50.0, inner: 36.0, ..DISC };
    let (west, east) = (at(64.0), at(192.0));
    let both = binary(256, |x, y| west.contains(x, y) || east.contains(x, y));
    let words = ["two.png", "2 closed roads", "(63, 63)", "(191, 63)", "crop"];
    Folder::new().picture("two.png", &both).optimize_fails(&["two.png"], &words);
}

#[test]
fn a_road_that_touches_the_border() {
    let cut_off = Disc { centre: (40.0, 64.0), ..DISC };
    let picture = anti_aliased(DISC.size, |x, y| cut_off.contains(x, y));
    let words = ["border.png", "touches the picture's border", "(0, ", "pad the picture"];
    Folder::new().picture("border.png", &picture).optimize_fails(&["border.png"], &words);
}

#[test]
fn a_road_narrower_than_the_vehicle() {
    let arguments = ["optimize", "ring.png", "--metres-per-pixel", "0.2"];
    // 13.7 pixels are 2.74 m; the car of 2 m keeps 0.7 m to either side.
    let words = ["ring.png", "2.7", " m wide at (", "needs 3.440 m", "safety_distance_m"];
    Folder::with_ring().fails(JOB_FAILED, &arguments, &words);
}

// ---- The scale

#[test]
fn no_scale() {
    let words = ["ring.png", "no scale", "--metres-per-pixel", "--track-length-m", "--track-width-m", "sidecar"];
    Folder::with_ring().fails(JOB_FAILED, &["optimize", "ring.png"], &words);
}

#[test]
fn a_scale_of_zero() {
    let words = ["--metres-per-pixel is 0", "above 0 m"];
    Folder::with_ring().fails(WRONG_USAGE, &["optimize", "ring.png", "--metres-per-pixel", "0"], &words);
    let words = ["ring.toml, line 1: track_width_m is 0", "above 0 m"];
    Folder::with_ring().file("ring.toml", "track_width_m = 0").fails(JOB_FAILED, &["optimize", "ring.png"], &words);
}

#[test]
fn a_scale_that_is_not_a_number() {
    for value in ["NaN", "inf"] {
        let words = ["--metres-per-pixel", value, "finite number"];
        Folder::with_ring().fails(WRONG_USAGE, &["optimize", "ring.png", "--metres-per-pixel", value], &words);
    }
    let words = ["ring.toml, line 1: metres_per_pixel is nan", "expected a number"];
    Folder::with_ring().file("ring.toml", "metres_per_pixel = nan").fails(
        JOB_FAILED,
        &["optimize", "ring.png"],
        &words,
    );
}

#[test]
fn a_negative_scale() {
    let words = ["--track-length-m is -900", "above 0 m"];
    Folder::with_ring().fails(WRONG_USAGE, &["optimize", "ring.png", "--track-length-m", "-900"], &words);
}

#[test]
fn two_scales_at_once() {
    let arguments = ["optimize", "ring.png", "--metres-per-pixel", "1", "--track-width-m", "12"];
    let words = ["--metres-per-pixel", "--track-width-m", "both specify the scale", "remove one of them"];
    Folder::with_ring().fails(WRONG_USAGE, &arguments, &words);
}

#[test]
fn a_scale_that_leaves_no_room_for_a_lap() {
    // The whole ring would be 2 cm long.
    let words = ["ring.png", "0.001 m wide", "check the scale"];
    Folder::with_ring().fails(JOB_FAILED, &["optimize", "ring.png", "--track-length-m", "0.02"], &words);
}

// ---- The output

#[test]
fn an_output_in_a_folder_that_is_missing() {
    let words = ["can't write nowhere/line.json", "no folder nowhere", "create it"];
    Folder::with_ring().optimize_fails(&["ring.png", "-o", "nowhere/line.json"], &words);
}

#[test]
fn an_output_below_a_file() {
    let words = ["can't write ring.png/line.json", "ring.png is not a folder"];
    Folder::with_ring().optimize_fails(&["ring.png", "-o", "ring.png/line.json"], &words);
    Folder::with_ring().optimize_fails(&["ring.png", "-o", "ring.png/"], &["ring.png", "is a file: specify a folder"]);
}

#[test]
fn a_folder_in_place_of_the_output() {
    let words = ["can't write ring.raceline.json", "it is a folder", "specify a file in it"];
    Folder::with_ring().folder("ring.raceline.json").optimize_fails(&["ring.png"], &words);
    let arguments = ["extract", "ring.png", "--metres-per-pixel", "1", "-o", "tracks"];
    Folder::with_ring().folder("tracks").fails(JOB_FAILED, &arguments, &["can't write tracks", "it is a folder"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_takes_no_bytes() {
    // `/dev/full` is always full, and nobody can make files in `/proc`, not even root.
    Folder::with_ring().optimize_fails(&["ring.png", "-o", "/dev/full"], &["can't write /dev/full", "No space left"]);
    let words = ["can't write /proc/line.json", "no file can be created in /proc"];
    Folder::with_ring().optimize_fails(&["ring.png", "-o", "/proc/line.json"], &words);
}

// ---- Options and sidecar

#[test]
fn an_unknown_vehicle() {
    let words = ["no vehicle preset \"tank\"", "tum-racecar", "kart"];
    let mut arguments = vec!["optimize", "ring.png", "--vehicle", "tank"];
    arguments.extend(SCALE);
    Folder::with_ring().fails(WRONG_USAGE, &arguments, &words);
    let words = ["ring.toml: ", "no vehicle preset \"tank\"", "tum-racecar", "kart"];
    Folder::with_ring().file("ring.toml", "vehicle = \"tank\"").optimize_fails(&["ring.png"], &words);
}

#[test]
fn a_vehicle_file_with_an_impossible_number() {
    let kart = raceline::vehicle::preset("kart").unwrap().to_toml().unwrap();
    let mass = kart.lines().find(|line| line.starts_with("mass_kg")).unwrap();
    let weightless = kart.replace(mass, "mass_kg = 0.0");
    Folder::with_ring()
        .file("weightless.toml", weightless)
        .file("ring.toml", "vehicle = \"weightless.toml\"")
        .optimize_fails(
            &["ring.png"],
            &["weightless.toml can't be used: vehicle kart: mass_kg is 0", "give a number from"],
        );
}

#[test]
fn a_sidecar_that_is_no_toml() {
    Folder::with_ring().file("ring.toml", "# Ring\nmetres_per_pixel 0.5\n").fails(
        JOB_FAILED,
        &["optimize", "ring.png"],
        &["ring.toml, line 2", "TOML", "key = value"],
    );
}

#[test]
fn a_sidecar_that_is_no_text() {
    Folder::with_ring().file("ring.toml", [0xFF, 0xFE, 0x00, 0x41]).fails(
        JOB_FAILED,
        &["optimize", "ring.png"],
        &["ring.toml", "UTF-8"],
    );
}

#[test]
fn an_unknown_key_in_the_sidecar() {
    Folder::with_ring().file("ring.toml", "metres_per_pixel = 1\nspaceing_m = 2\n").fails(
        JOB_FAILED,
        &["optimize", "ring.png"],
        &["ring.toml, line 2", "spaceing_m", "did you mean spacing_m?"],
    );
}

#[test]
fn a_start_off_the_road() {
    let words = ["ring.png", "start = [64, 64]", "off the road", "give a point on the road, in metres"];
    Folder::with_ring().optimize_fails(&["ring.png", "--start", "64,64"], &words);
}

#[test]
fn a_spacing_of_zero() {
    let mut arguments = vec!["optimize", "ring.png", "--spacing-m", "0"];
    arguments.extend(SCALE);
    Folder::with_ring().fails(WRONG_USAGE, &arguments, &["--spacing-m is 0", "above 0 m"]);
}

#[test]
fn a_population_too_small_to_breed() {
    let mut arguments = vec!["optimize", "ring.png", "--population", "3"];
    arguments.extend(SCALE);
    Folder::with_ring().fails(WRONG_USAGE, &arguments, &["--population is 3", "from 4 to 100000"]);
}

// ---- Maps, extracted tracks, lines

const MAP: &str = "image: ring.png\nresolution: 1.0\norigin: [0, 0, 0]\n";

#[test]
fn a_map_without_an_image() {
    Folder::with_ring().file("map.yaml", MAP.replace("image: ring.png\n", "")).fails(
        JOB_FAILED,
        &["optimize", "map.yaml"],
        &["map.yaml", "image", "resolution and origin"],
    );
}

#[test]
fn a_map_whose_image_is_missing() {
    Folder::new().file("map.yaml", MAP).fails(
        JOB_FAILED,
        &["optimize", "map.yaml"],
        &["ring.png", "no such file", "map.yaml", "image"],
    );
}

#[test]
fn a_map_with_a_resolution_of_zero() {
    Folder::with_ring().file("map.yaml", MAP.replace("resolution: 1.0", "resolution: 0")).fails(
        JOB_FAILED,
        &["optimize", "map.yaml"],
        &["map.yaml", "resolution is 0", "above zero"],
    );
}

/// The extracted track of the ring, as text.
fn extracted_track() -> String {
    let output = Folder::with_ring().command(&["extract", "ring.png", "--metres-per-pixel", "1"]).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_extracted_track_of_another_version() {
    let track = extracted_track();
    let other = track.replacen("\"version\": 1", "\"version\": 2", 1);
    assert_ne!(track, other);
    let words = ["ring.track.json", "\"version\" is 2", "reads version 1", "raceline extract"];
    Folder::new().file("ring.track.json", other).fails(JOB_FAILED, &["optimize", "ring.track.json"], &words);
}

#[test]
fn an_extracted_track_that_is_cut_short() {
    let track = extracted_track();
    let words = ["ring.track.json", "line ", "column ", "EOF", "truncated"];
    Folder::new().file("ring.track.json", &track[..track.len() / 2]).fails(
        JOB_FAILED,
        &["optimize", "ring.track.json"],
        &words,
    );
}

#[test]
fn a_racing_line_in_place_of_an_extracted_track() {
    let folder = Folder::with_ring();
    let arguments = ["optimize", "ring.png", "--metres-per-pixel", "1", "--method", "shortest-path", "-o", "line.json"];
    folder.command(&arguments).assert().success();
    let words = ["line.json", "it is a racing line, not a track", "--start", "raceline inspect"];
    folder.fails(JOB_FAILED, &["optimize", "line.json"], &words);
}

#[test]
fn a_truncated_line_is_not_rendered() {
    let folder = Folder::with_ring();
    let arguments = ["optimize", "ring.png", "--metres-per-pixel", "1", "--method", "shortest-path", "-o", "line.json"];
    folder.command(&arguments).assert().success();
    let bytes = fs::read(folder.path("line.json")).unwrap();
    let whole: RacingLine = json::read(&bytes).unwrap();
    assert_eq!(whole.name, "ring");
    // At the end of a row: within a number, the message would be that it is invalid.
    let half = bytes.len() / 2;
    let end = bytes[..half].iter().rposition(|&byte| byte == b'\n').unwrap();
    let folder = Folder::new().file("line.json", &bytes[..end]);
    for output in ["line.svg", "line.png"] {
        folder.fails(JOB_FAILED, &["render", "line.json", "-o", output], &["line.json", "line ", "EOF", "truncated"]);
    }
}
