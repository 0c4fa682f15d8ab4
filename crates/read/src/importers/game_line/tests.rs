//! Lines that the tests write themselves.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use super::*;
use raceline_road::construction::ImportOptions;

/// A ring of a radius of 100 m, driven counter-clockwise on a map, whose line lies 3 m inside the middle of a
/// road that is 10 m wide and rises by a tenth outwards.
const COUNT: usize = 200;

fn assetto_corsa(with_details: bool) -> Vec<u8> {
    let mut bytes: Vec<u8> = [7, COUNT as i32, 0, COUNT as i32].iter().flat_map(|n: &i32| n.to_le_bytes()).collect();
    let floats = |bytes: &mut Vec<u8>, numbers: &[f64]| {
        bytes.extend(numbers.iter().flat_map(|&number| (number as f32).to_le_bytes()));
    };
    let angle = |i: usize| TAU * i as f64 / COUNT as f64;
    for i in 0..COUNT {
        // y upwards, and z towards the viewer of a map.
        floats(&mut bytes, &[97.0 * angle(i).cos(), 20.0, -97.0 * angle(i).sin(), 97.0 * angle(i)]);
        bytes.extend((i as i32).to_le_bytes());
    }
    if with_details {
        bytes.extend((COUNT as i32).to_le_bytes());
        for i in 0..COUNT {
            let mut detail = [0.0; 18];
            (detail[5], detail[6]) = (2.0, 8.0);
            if i == 50 {
                detail[6] = 60.0;
            }
            // Outwards it rises, so that the normal leans inwards.
            let lean = 0.1 / 1.01_f64.sqrt();
            (detail[9], detail[10], detail[11]) = (-lean * angle(i).cos(), lean * 10.0, lean * angle(i).sin());
            floats(&mut bytes, &detail);
        }
    }
    bytes
}

#[test]
fn a_line_of_assetto_corsa_has_both_edges_heights_and_banking() {
    let bytes = assetto_corsa(true);
    assert!(is_game_line(&bytes));
    let imported = game_line(&bytes, None, &ImportOptions::default()).unwrap();
    let (left, right) = (imported.edges.left.length(), imported.edges.right.length());
    assert!(imported.edges.is_closed());
    assert!((left - TAU * 95.0).abs() < 0.5 && (right - TAU * 105.0).abs() < 0.5, "{left} {right}");
    assert!(imported.edges.left.signed_area() > 0.0);
    let surface = imported.edges.surface.as_ref().unwrap();
    let mean = |points: &[raceline_road::edges::EdgePoint]| {
        points.iter().map(|point| point.height_m).sum::<f64>() / points.len() as f64
    };
    let (left, right) = (mean(&surface.left), mean(&surface.right));
    assert!((left - 19.8).abs() < 0.02 && (right - 20.8).abs() < 0.02, "{left} {right}");
    let notes: Vec<String> = imported.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("1 point")), "{notes:?}");
}

#[test]
fn a_line_without_details_takes_the_width_of_the_options() {
    let bytes = assetto_corsa(false);
    let message = game_line(&bytes, None, &ImportOptions::default()).unwrap_err().to_string();
    assert!(message.contains("track_width_m"), "{message}");
    let wide = ImportOptions { width_m: Some(9.0), ..ImportOptions::default() };
    let imported = game_line(&bytes, None, &wide).unwrap();
    assert!((imported.edges.mean_width() - 9.0).abs() < 0.01);
    for cut in [20, bytes.len() - 1] {
        assert!(!assetto_corsa::is_line(&bytes[..cut]), "{cut}");
    }
    let whole = assetto_corsa(true);
    assert!(game_line(&whole[..whole.len() - 4], None, &wide).unwrap_err().to_string().contains("cut off"));
}

#[test]
fn waypoints_of_rfactor_are_the_lap_without_the_pit_lane() {
    let mut text = "[Waypoint]\r\ntrackstate=7680\r\nlap_length=(609.0)\r\n".to_owned();
    for i in 0..COUNT + 20 {
        let angle = TAU * i as f64 / COUNT as f64;
        let (branch, radius) = if i < COUNT { (0, 97.0) } else { (1, 60.0) };
        let _ = write!(
            text,
            "wp_pos=({:.4},20.0,{:.4})\r\nwp_perp=(1,0,0)\r\nwp_normal=(0,1,0)\r\nwp_width=(2.0,8.0,4.0,16.0)\r\n\
             wp_branchID=({branch})\r\n",
            radius * angle.cos(),
            radius * angle.sin()
        );
    }
    assert!(is_game_line(text.as_bytes()));
    let imported = game_line(text.as_bytes(), None, &ImportOptions::default()).unwrap();
    let (left, right) = (imported.edges.left.length(), imported.edges.right.length());
    assert!((left - TAU * 95.0).abs() < 0.5 && (right - TAU * 105.0).abs() < 0.5, "{left} {right}");
    let wrong = text.replacen("wp_width=(2.0", "wp_width=(two", 1);
    let message = game_line(wrong.as_bytes(), None, &ImportOptions::default()).unwrap_err().to_string();
    assert!(message.contains("line 7: wp_width"), "{message}");
}
