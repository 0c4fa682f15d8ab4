use crate::edges::EdgeKind;
use crate::track::test_roads::{assert_near, ring_edges, stadium_edges, straight_edges};
use crate::track::{SectionSurface, SurfaceEnd, Track, TrackOptions, cut};

fn surfaced(mut track: Track) -> Track {
    let end = |height_m: f64, grip: f64, kind| SurfaceEnd { height_m, grip, kind };
    let surface = |i: usize| SectionSurface {
        right: end(0.1 * i as f64, 1.0 - 0.001 * i as f64, EdgeKind::Kerb),
        left: end(0.2 * i as f64, 0.9, EdgeKind::Wall),
    };
    track.surface = Some((0..track.sections.len()).map(surface).collect());
    track
}

#[test]
fn a_finer_track_has_half_the_spacing_and_the_same_start_direction_and_surface() {
    let track = surfaced(cut(&straight_edges(200.0, 8.0), &TrackOptions::default()).unwrap());
    let track = Track { edge_uncertainty_m: 0.3, ..track };
    let finer = track.finer().unwrap();
    assert_eq!((finer.spacing_m, finer.edge_uncertainty_m), (0.5 * track.spacing_m, 0.3));
    assert_eq!(finer.sections.len(), 2 * (track.sections.len() - 1) + 1);
    assert_eq!((&finer.left_edge, &finer.right_edge), (&track.left_edge, &track.right_edge));
    let rise = 0.1 * (track.sections.len() - 1) as f64 / 200.0;
    for (section, surface) in finer.sections.iter().zip(finer.surface.as_ref().unwrap()) {
        assert_near(surface.right.height_m, rise * section.right.x, 1e-3);
        assert_near(surface.left.height_m, 2.0 * rise * section.left.x, 1e-3);
        assert_near(surface.right.grip, 1.0 - 0.01 * rise * section.right.x, 1e-4);
        assert_eq!((surface.left.grip, surface.right.kind, surface.left.kind), (0.9, EdgeKind::Kerb, EdgeKind::Wall));
    }
    for edges in [ring_edges(40.0, 52.0), stadium_edges(60.0, 20.0, 28.0)] {
        for track in [cut(&edges, &TrackOptions::default()).unwrap()].map(|track| [track.reversed(), track]).concat() {
            let finer = track.finer().unwrap();
            assert_eq!((finer.direction, finer.closed), (track.direction, true));
            assert!((finer.sections[0].middle() - track.sections[0].middle()).norm() < 0.05);
            assert!(finer.surface.is_none());
        }
    }
}
