//! The files in `tracks/` are what `examples/draw_tracks.rs` draws, and their own descriptions
//! are true.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::panic, clippy::unwrap_used)]

use std::path::Path;

use raceline::Options;
use raceline::track::Direction;
use raceline::vehicle::preset;

use crate::draw_tracks;

fn committed(name: &str) -> Vec<u8> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tracks").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_committed_files_are_what_the_example_draws() {
    let tracks = draw_tracks::tracks().unwrap();
    assert!(tracks.len() >= 8);
    for track in tracks {
        for (ending, drawn) in track.files().unwrap() {
            let name = format!("{}.{ending}", track.name);
            let file = committed(&name);
            if ending != "png" {
                assert_eq!(String::from_utf8_lossy(&file), String::from_utf8_lossy(&drawn), "{name}");
                continue;
            }
            let (file, drawn) = (image::load_from_memory(&file).unwrap(), image::load_from_memory(&drawn).unwrap());
            assert_eq!(
                (file.color(), file.width(), file.height()),
                (drawn.color(), drawn.width(), drawn.height()),
                "{name}"
            );
            // Another machine's sine may round differently at the border of two levels.
            let worst = file.as_bytes().iter().zip(drawn.as_bytes()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(worst <= Some(1), "{name}: pixels differ by {worst:?} levels; run the example again");
        }
    }
}

#[test]
fn every_sidecar_is_a_set_of_options_with_a_known_vehicle_and_no_unknown_key() {
    for track in draw_tracks::tracks().unwrap() {
        let text = String::from_utf8(committed(&format!("{}.toml", track.name))).unwrap();
        let options: Options = toml::from_str(&text).unwrap();
        preset(options.vehicle.as_deref().unwrap_or(Options::DEFAULT_VEHICLE)).unwrap();
        assert!(options.track.start.is_some());
        assert_eq!(options.track.direction == Some(Direction::Counterclockwise), track.line.is_counter_clockwise());
        // The vehicle is not among the serialised options; every other key is.
        let known = toml::Table::try_from(&options).unwrap();
        let printed: toml::Table = toml::from_str(&text).unwrap();
        for key in printed.keys() {
            assert!(key == "vehicle" || known.contains_key(key), "{}: unknown key {key}", track.name);
        }
    }
}

#[test]
fn drawn_roads_have_the_area_of_their_closed_form() {
    // The road of constant width w about a line of length l without tight bends has the area w l.
    for track in draw_tracks::tracks().unwrap() {
        if !["stadium", "kart", "grid"].contains(&track.name) {
            continue;
        }
        let picture = image::load_from_memory(&committed(&format!("{}.png", track.name))).unwrap().to_luma8();
        let corner = f64::from(picture.get_pixel(0, 0)[0]);
        let (road, ground) = match track.name {
            "stadium" => (255.0, 0.0),
            "kart" => (
                f64::from(
                    image::load_from_memory(&committed("kart.png")).unwrap().to_luma8().iter().copied().min().unwrap(),
                ),
                corner,
            ),
            _ => (254.0, 205.0),
        };
        let fraction = |value: u8| match track.name {
            "grid" => f64::from(u8::from(value == 254)),
            _ => (f64::from(value) - ground) / (road - ground),
        };
        let pixels: f64 = picture.iter().map(|&value| fraction(value)).sum();
        let area = pixels * track.metres_per_pixel.powi(2);
        let exact = track.width * track.line.length();
        // Half a grey level in each of the thousands of pixels along the edge for kart, whole
        // pixels for grid.
        let tolerance = if track.name == "stadium" { 2e-4 } else { 5e-3 };
        assert!((area / exact - 1.0).abs() < tolerance, "{}: {area} m² instead of {exact}", track.name);
    }
}

#[test]
fn the_tracks_that_have_one_state_their_closed_form_length() {
    let length = |name: &str| {
        let tracks = draw_tracks::tracks().unwrap();
        tracks.iter().find(|track| track.name == name).unwrap().line.length()
    };
    assert!((length("stadium") - (600.0 + 120.0 * std::f64::consts::PI)).abs() < 1e-9);
    assert!((length("kart") - 1000.0).abs() < 1e-9);
}
