use super::{Extent, LENGTH_TOLERANCE_M, Stretch, check_ends};

const OPEN: Extent = Extent { length_m: 100.0, closed: false };
const CLOSED: Extent = Extent { length_m: 100.0, closed: true };

fn fit(ends: [f64; 2], extent: Extent) -> Result<Stretch, String> {
    Stretch::fit("grip", 3, ends, extent).map_err(|error| error.to_string())
}

#[test]
fn ends_are_distances() {
    assert!(check_ends(0.0, 1e7).is_ok());
    assert_eq!(check_ends(-0.1, 5.0).unwrap_err().0, -0.1);
    assert_eq!(check_ends(5.0, 1.1e7).unwrap_err().0, 1.1e7);
    assert!(check_ends(f64::NAN, 5.0).is_err());
}

#[test]
fn a_stretch_fits_its_road_or_is_refused_with_its_number() {
    for (ends, extent, wanted) in [
        ([-1.0, 5.0], OPEN, "grip stretch 3: -1 must be a distance"),
        ([5.0, 100.0 + LENGTH_TOLERANCE_M + 0.1], OPEN, "grip stretch 3: 101.1 m lies beyond the end"),
        ([20.0, 20.0], OPEN, "grip stretch 3 from 20 m to 20 m has no length: to_m must be greater than from_m"),
        ([30.0, 20.0], OPEN, "grip stretch 3 from 30 m to 20 m has no length: to_m must be greater than from_m"),
        ([20.0, 20.0], CLOSED, "grip stretch 3 from 20 m to 20 m has no length: to_m must be another place"),
    ] {
        let message = fit(ends, extent).unwrap_err();
        assert!(message.starts_with(wanted), "{message}");
    }
    // Displayed lengths are rounded: up to a metre beyond the end is the end.
    for extent in [OPEN, CLOSED] {
        let last = fit([90.0, 100.0 + LENGTH_TOLERANCE_M], extent).unwrap();
        assert_eq!((last.from_m, last.reach_m), (90.0, 10.0));
    }
    let over = fit([90.0, 15.0], CLOSED).unwrap();
    assert_eq!((over.from_m, over.reach_m), (90.0, 25.0));
}

#[test]
fn the_distance_to_the_nearer_end_is_known_inside_alone() {
    let open = fit([20.0, 60.0], OPEN).unwrap();
    for (s, wanted) in
        [(19.9, None), (20.0, Some(0.0)), (25.0, Some(5.0)), (50.0, Some(10.0)), (60.0, Some(0.0)), (60.1, None)]
    {
        assert_eq!(open.distance_to_end(s), wanted);
    }
    let over = fit([90.0, 15.0], CLOSED).unwrap();
    for (s, wanted) in
        [(89.0, None), (92.0, Some(2.0)), (0.0, Some(10.0)), (10.0, Some(5.0)), (15.0, Some(0.0)), (16.0, None)]
    {
        assert_eq!(over.distance_to_end(s), wanted, "{s}");
    }
    let lap = fit([0.0, 100.0], CLOSED).unwrap();
    assert!([0.0, 50.0, 100.0].iter().all(|&s| lap.distance_to_end(s) == Some(f64::INFINITY)));
    assert_eq!(fit([0.0, 100.0], OPEN).unwrap().distance_to_end(30.0), Some(30.0));
}

#[test]
fn a_part_of_the_road_is_covered_where_it_overlaps_the_stretch() {
    let stretch = fit([20.0, 60.0], OPEN).unwrap();
    for (from, to, wanted) in [
        (0.0, 19.0, false),
        (0.0, 20.0, true),
        (0.0, 21.0, true),
        (10.0, 80.0, true),
        (30.0, 40.0, true),
        (50.0, 70.0, true),
        (61.0, 80.0, false),
    ] {
        assert_eq!(stretch.covers_part_of(from, to), wanted, "{from} {to}");
    }
}
