use crate::geometry::Point;
use crate::track::test_roads::{assert_near, ring, straight};
use crate::track::{EdgePiece, RoadSide, Track};

fn pieces(track: &Track, ends_m: [f64; 2], side: RoadSide) -> Vec<EdgePiece> {
    track.edge_pieces("no_go", 1, ends_m, side).unwrap()
}

#[test]
fn a_piece_of_an_open_edge_begins_and_ends_between_its_vertices() {
    let track = straight(&(0..=20).map(|i| 10.0 * f64::from(i)).collect::<Vec<_>>(), 8.0, 0.0);
    let both = pieces(&track, [25.0, 50.0], RoadSide::Both);
    assert_eq!(both.iter().map(|piece| piece.is_left).collect::<Vec<_>>(), [true, false]);
    for piece in &both {
        let y = if piece.is_left { 8.0 } else { 0.0 };
        // The vertex at the end is the end.
        let wanted = [25.0, 30.0, 40.0, 50.0].map(|x| Point::new(x, y));
        assert_eq!(piece.line.points, wanted);
        let [from, to] = piece.gates.unwrap();
        assert_eq!((from.left, to.right), (Point::new(25.0, 8.0), Point::new(50.0, 0.0)));
    }
    for (side, is_left) in [(RoadSide::Left, true), (RoadSide::Right, false)] {
        let one = pieces(&track, [25.0, 50.0], side);
        assert!(one.len() == 1 && one[0].is_left == is_left);
    }
    let all = &pieces(&track, [0.0, 200.0], RoadSide::Left)[0];
    assert!(all.gates.is_some() && all.line.points.len() == 21);
    assert!(track.edge_pieces("no_go", 4, [50.0, 25.0], RoadSide::Both).unwrap_err().to_string().contains("stretch 4"));
}

#[test]
fn a_piece_of_a_ring_leads_over_the_start_line() {
    let track = ring(50.0, 5.0, 40);
    let length = track.centre_line().length();
    let step = length / 40.0;
    let piece = &pieces(&track, [38.5 * step, 2.5 * step], RoadSide::Left)[0];
    let vertices = [39, 0, 1, 2].map(|i| track.left_edge.points[i]);
    assert_eq!(piece.line.points.len(), 6);
    assert_eq!(piece.line.points[1..5], vertices);
    assert_near(piece.line.length(), 4.0 * step * 0.9, 1e-9);
    let before = &pieces(&track, [2.5 * step, 38.5 * step], RoadSide::Right)[0];
    assert_eq!(before.line.points.len(), 38);
    assert_near(before.line.length(), 36.0 * step * 1.1, 1e-9);
    // A whole lap is the edge itself, without ends.
    let lap = &pieces(&track, [0.0, length], RoadSide::Right)[0];
    assert!(lap.gates.is_none() && lap.line == track.right_edge);
    let nearly = &pieces(&track, [0.0, 0.9 * length], RoadSide::Right)[0];
    assert!(nearly.gates.is_some() && !nearly.line.closed);
}
