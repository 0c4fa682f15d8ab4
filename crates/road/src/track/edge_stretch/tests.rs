use crate::edges::EdgeKind::{Kerb, Line, Wall};
use crate::track::test_roads::{ring, straight};
use crate::track::{EdgeStretch, RoadSide, Track};

fn road() -> Track {
    straight(&(0..=20).map(|i| 10.0 * f64::from(i)).collect::<Vec<_>>(), 8.0, 0.0)
}

/// The sections with walls or kerbs on the left and on the right.
fn marked(track: &Track) -> [Vec<usize>; 2] {
    let surface = track.surface.as_ref().unwrap();
    let of = |is_marked: &dyn Fn(usize) -> bool| (0..surface.len()).filter(|&i| is_marked(i)).collect();
    [of(&|i| surface[i].left.kind != Line), of(&|i| surface[i].right.kind != Line)]
}

#[test]
fn a_kerb_counts_on_its_sections_and_a_wall_on_those_beside_them_too() {
    let stretch = |kind, side| EdgeStretch { from_m: 35.0, to_m: 62.0, side, kind };
    let with = |stretch: EdgeStretch| marked(&road().with_edge_kinds(&[stretch]).unwrap());
    assert_eq!(with(stretch(Kerb, RoadSide::Left)), [vec![4, 5, 6], vec![]]);
    assert_eq!(with(stretch(Kerb, RoadSide::Right)), [vec![], vec![4, 5, 6]]);
    assert_eq!(with(stretch(Wall, RoadSide::Both)), [vec![3, 4, 5, 6, 7], vec![3, 4, 5, 6, 7]]);
    // Between two sections.
    assert_eq!(with(EdgeStretch { from_m: 33.0, to_m: 36.0, ..stretch(Wall, RoadSide::Left) }), [vec![3, 4], vec![]]);
    assert_eq!(
        with(EdgeStretch { from_m: 33.0, to_m: 36.0, ..stretch(Kerb, RoadSide::Left) }),
        [vec![], Vec::<usize>::new()]
    );
    assert!(road().with_edge_kinds(&[]).unwrap().surface.is_none());
}

#[test]
fn the_last_of_overlapping_stretches_counts_and_each_has_its_number() {
    let wall = EdgeStretch { from_m: 20.0, to_m: 79.0, side: RoadSide::Both, kind: Wall };
    let line = EdgeStretch { from_m: 40.0, to_m: 60.0, side: RoadSide::Left, kind: Line };
    let [left, right] = marked(&road().with_edge_kinds(&[wall, line]).unwrap());
    assert_eq!((left, right), (vec![1, 2, 3, 7, 8], (1..=8).collect()));
    let late = EdgeStretch { to_m: 400.0, ..wall };
    assert!(road().with_edge_kinds(&[wall, late]).unwrap_err().to_string().starts_with("edge stretch 2"));
    assert_eq!(EdgeStretch { from_m: -1.0, ..wall }.validate().unwrap_err().0, -1.0);
    assert!(wall.validate().is_ok());
}

#[test]
fn a_wall_over_the_start_line_of_a_ring_counts_on_both_sides_of_it() {
    let track = ring(50.0, 5.0, 40);
    let piece = track.centre_line().length() / 40.0;
    let wall = EdgeStretch { from_m: 39.5 * piece, to_m: 39.8 * piece, side: RoadSide::Right, kind: Wall };
    assert_eq!(marked(&track.with_edge_kinds(&[wall]).unwrap()), [vec![], vec![0, 39]]);
}
