use super::{FARTHEST_M, WIDEST_M};
use crate::construction::{CentreLine, EdgePair, ImportError, LONGEST_M};
use crate::edges::RoadShape;
use crate::geometry::Point;
use crate::track::{CrossSection, Direction, PointsError, Track, TrackOptions};

fn edge(y: f64) -> Vec<[f64; 2]> {
    (0..=20).map(|i| [10.0 * f64::from(i), y]).collect()
}

fn from_points(left: &[[f64; 2]], right: &[[f64; 2]]) -> Result<Track, PointsError> {
    Track::from_points(left, right, RoadShape::Open, &TrackOptions::default())
}

#[test]
fn the_edges_lead_through_the_ends_of_given_sections() {
    let section = |x: f64| CrossSection { right: Point::new(x, 0.0), left: Point::new(x, 8.0) };
    let sections: Vec<_> = [0.0, 5.0, 11.0].map(section).to_vec();
    for closed in [true, false] {
        let track = Track::from_sections(sections.clone(), closed, Direction::Clockwise, 2.5);
        assert_eq!((track.closed, track.direction, track.spacing_m), (closed, Direction::Clockwise, 2.5));
        assert_eq!((track.left_edge.closed, track.right_edge.closed), (closed, closed));
        assert_eq!(track.left_edge.points, sections.iter().map(|section| section.left).collect::<Vec<_>>());
        assert_eq!(track.right_edge.points, sections.iter().map(|section| section.right).collect::<Vec<_>>());
        assert_eq!((track.edge_uncertainty_m, track.crossings.len(), track.surface.as_ref()), (0.0, 0, None));
        assert_eq!(track.sections, sections);
    }
}

#[test]
fn swapped_edges_are_found() {
    assert_eq!(from_points(&edge(0.0), &edge(8.0)).err(), Some(PointsError::Swapped));
    assert!(from_points(&edge(8.0), &edge(0.0)).is_ok());
}

#[test]
fn each_number_has_its_range_and_is_named_with_its_place() {
    for (far, is_valid) in [(FARTHEST_M, true), (-FARTHEST_M, true), (1.01 * FARTHEST_M, false), (f64::NAN, false)] {
        for axis in [0, 1] {
            let mut left = edge(8.0);
            left[3][axis] = far;
            match EdgePair::from_arrays(&left, &edge(0.0)) {
                Err(PointsError::Number { what, index, found, .. }) if !is_valid => {
                    assert_eq!((what, index), ("left", 3));
                    assert!(found == far || found.is_nan());
                }
                Err(PointsError::Road(_)) if is_valid => {}
                other => panic!("{far}: {:?}", other.is_ok()),
            }
        }
    }
    let mut right = edge(0.0);
    right[20][1] = f64::INFINITY;
    assert!(matches!(
        EdgePair::from_arrays(&edge(8.0), &right),
        Err(PointsError::Number { what: "right", index: 20, .. })
    ));
    let with_width = |width: [f64; 2]| CentreLine::from_arrays(&edge(0.0), &[&[[5.0; 2]; 20][..], &[width]].concat());
    assert!(with_width([0.0, WIDEST_M]).is_ok());
    for width in [[-0.1, 5.0], [5.0, WIDEST_M + 1.0], [f64::NAN, 5.0]] {
        assert!(matches!(with_width(width), Err(PointsError::Number { what: "widths_m", index: 20, .. })));
    }
    assert_eq!(
        CentreLine::from_arrays(&edge(0.0), &[[5.0; 2]; 7]).err(),
        Some(PointsError::Lengths { points: 21, widths: 7 })
    );
}

#[test]
fn an_edge_longer_than_any_track_is_refused_on_either_side() {
    let zigzag: Vec<[f64; 2]> = (0..41).map(|i| [1e5 * f64::from(i % 2), f64::from(i)]).collect();
    for (left, right) in [(&zigzag, &edge(0.0)), (&edge(8.0), &zigzag)] {
        let message = EdgePair::from_arrays(left, right).err().unwrap();
        assert!(matches!(message, PointsError::Road(_)));
        let Some(ImportError::TooLong { length_km, limit_km }) =
            std::error::Error::source(&message).and_then(|error| error.downcast_ref())
        else {
            panic!("{message:?}")
        };
        assert!((length_km - 4000.0).abs() < 1e-3);
        assert_eq!(*limit_km, LONGEST_M / 1e3);
    }
}

#[test]
fn a_centre_line_has_its_widths_on_their_sides() {
    let track =
        Track::from_centre_line(&edge(0.0), &[[3.0, 7.0]; 21], RoadShape::Open, &TrackOptions::default()).unwrap();
    for section in &track.sections {
        assert!((section.left.y - 3.0).abs() < 1e-9 && (section.right.y + 7.0).abs() < 1e-9);
    }
    // Taken as they are, without smoothing.
    let noisy: Vec<[f64; 2]> = (0..60).map(|i| [2.0 * f64::from(i), if i % 2 == 0 { 0.1 } else { -0.1 }]).collect();
    let track = Track::from_centre_line(&noisy, &[[3.0, 7.0]; 60], RoadShape::Open, &TrackOptions::default()).unwrap();
    let [low, high] =
        [f64::min, f64::max].map(|of| track.left_edge.points.iter().map(|point| point.y).reduce(of).unwrap());
    assert!(low < 2.91 && high > 3.09, "{low} {high}");
}
