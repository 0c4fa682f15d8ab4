//! Planners beside one another on whole maps: what each must have in common with the others.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use raceline_road::geometry::Point;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::taut::resampled;
use crate::test_maps::{space, space_about};
use crate::{FreeSpace, MeshError, PlanError, PlanOptions, PlannerKind, PotentialEscape, plan, tasks};

#[test]
fn on_a_floor_the_mesh_and_the_cells_agree() {
    // A ring of eight trapezoids about a square hole, 4 m wide, turned by an eighth.
    let corner = |radius: f64, k: u32| {
        let (sin, cos) = (std::f64::consts::FRAC_PI_4 * (f64::from(k) + 0.5)).sin_cos();
        Point::new(20.0 + radius * cos, -7.0 + radius * sin)
    };
    let ring: Vec<Vec<Point>> =
        (0..8).map(|k| vec![corner(6.0, k), corner(10.0, k), corner(10.0, k + 1), corner(6.0, k + 1)]).collect();
    let space = FreeSpace::of_floor(&ring, 0.5).unwrap();
    assert_eq!(space.frame.metres_per_pixel, 0.125);
    let area: f64 = space.floor().unwrap().triangles().map(|[a, b, c]| (b - a).perp(&(c - a)) / 2.0).sum();
    let octagon = |radius: f64| 2.0 * 2_f64.sqrt() * radius * radius;
    assert!((area - octagon(10.0) + octagon(6.0)).abs() < 1e-3);
    let cells = (0..space.cell_count() as u32).filter(|&cell| !space.is_obstacle(cell)).count();
    assert!((cells as f64 * 0.125 * 0.125 / area - 1.0).abs() < 0.01, "{cells}");
    let vehicle = raceline_car::preset("robot-car").unwrap();
    for stops in tasks(&space, 10, 2) {
        let of = |kind| plan(kind, &PlanOptions::default(), &space, &stops, false, &vehicle, 1).unwrap().length_m;
        let (mesh, cells) = (of(PlannerKind::NavigationMesh), of(PlannerKind::Voronoi));
        assert!((mesh / cells - 1.0).abs() < 0.03, "{mesh} {cells}");
    }
    let flat = vec![vec![Point::origin(), Point::new(1.0, 0.0), Point::new(2.0, 0.0)]];
    assert!(matches!(FreeSpace::of_floor(&flat, 0.5), Err(MeshError::Empty { .. })));
    assert!(matches!(FreeSpace::of_floor(&[], 0.5), Err(MeshError::Empty { .. })));
}

/// Compares a planner with Dijkstra's on maps of random blocks about `origin_m`: a free path wherever there is one, no
/// shorter than the straight line and longer than Dijkstra's by at most `max_excess` on the mean.
fn compare_with_dijkstra(kind: PlannerKind, origin_m: Point, seed: u64, max_excess: f64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let vehicle = raceline_car::preset("robot-car").unwrap();
    let (mut compared, mut without, mut excess) = (0, 0, 0.0);
    for _ in 0..12 {
        let blocks: Vec<[u32; 2]> =
            (0..40).map(|_| [random.random_range(0..150), random.random_range(0..110)]).collect();
        let space = space_about(origin_m, [160, 120], 0.35, |x, y| {
            blocks.iter().any(|&[left, top]| (left..left + 10).contains(&x) && (top..top + 10).contains(&y))
        });
        for stops in tasks(&space, 8, 1) {
            let of = |kind| plan(kind, &PlanOptions::default(), &space, &stops, false, &vehicle, 1);
            match (of(kind), of(PlannerKind::Dijkstra)) {
                (Ok(found), Ok(cells)) => {
                    compared += 1;
                    assert!(found.length_m >= (stops[1] - stops[0]).norm() - 1e-9);
                    excess += found.length_m / cells.length_m - 1.0;
                    for place in resampled(&found.path, 0.02, false) {
                        assert!(space.clearance_at_m(place) >= 0.35 - 0.1, "{place}");
                    }
                }
                (Err(_), Err(_)) => without += 1,
                (found, cells) => unreachable!("{stops:?} {found:?} {cells:?}"),
            }
        }
    }
    let mean_excess = excess / f64::from(compared);
    assert!(compared > 40 && without > 3 && mean_excess < max_excess, "{compared} {without} {mean_excess}");
}

#[test]
fn on_a_map_the_mesh_finds_a_path_where_the_cells_have_one_and_it_is_about_as_long() {
    compare_with_dijkstra(PlannerKind::NavigationMesh, Point::new(-3.0, 2.0), 8, 0.02);
}

#[test]
fn the_quadtree_finds_a_free_path_where_dijkstra_does_and_it_is_about_as_long() {
    compare_with_dijkstra(PlannerKind::Quadtree, Point::origin(), 6, 0.05);
}

/// A hall of 16 m by 12 m with four brackets that are open to the left.
fn pockets() -> FreeSpace {
    space(160, 120, 0.4, |column, row| {
        let (across, down) = (column % 80, row % 60);
        let is_back = (44..48).contains(&across) && (10..50).contains(&down);
        let is_arm = (24..48).contains(&across) && ((10..14).contains(&down) || (46..50).contains(&down));
        is_back || is_arm
    })
}

#[test]
fn each_escape_leaves_pockets_by_a_free_path_no_shorter_than_the_straight_line() {
    let space = pockets();
    let vehicle = raceline_car::preset("robot-car").unwrap();
    for escape in PotentialEscape::ALL {
        let options = PlanOptions { potential_escape: Some(escape), ..PlanOptions::default() };
        let mut held = 0;
        for stops in tasks(&space, 25, 4).into_iter().chain([[Point::new(1.05, 3.05), Point::new(15.05, 3.05)]]) {
            let found = plan(PlannerKind::PotentialField, &options, &space, &stops, false, &vehicle, 2);
            let found = found.unwrap_or_else(|error| unreachable!("{escape:?} {stops:?}: {error}"));
            held += usize::from(!found.minima.is_empty());
            assert!(found.length_m >= (stops[1] - stops[0]).norm() - 1e-9);
            assert!(found.cost >= found.length_m - 1e-6, "{} {}", found.cost, found.length_m);
            for place in resampled(&found.path, 0.01, false) {
                assert!(space.clearance_at_m(place) >= 0.4 - 0.1, "{escape:?} {stops:?} {place}");
            }
        }
        assert!(held > 3, "{escape:?} {held}");
    }
}

#[test]
fn without_a_path_each_reports_so() {
    let space = space(100, 60, 0.4, |column, _| column == 50);
    let vehicle = raceline_car::preset("robot-car").unwrap();
    for escape in PotentialEscape::ALL {
        let options = PlanOptions { potential_escape: Some(escape), ..PlanOptions::default() };
        let stops = [Point::new(2.0, 3.0), Point::new(8.0, 3.0)];
        let found = plan(PlannerKind::PotentialField, &options, &space, &stops, false, &vehicle, 2);
        assert!(matches!(found, Err(PlanError::NoPath { .. })), "{escape:?}");
    }
}
