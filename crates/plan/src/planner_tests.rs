//! Planners beside one another on whole maps: what each must have in common with the others.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use image::{GrayImage, Luma};
use raceline_road::frame::PictureFrame;
use raceline_road::geometry::Point;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::taut::resampled;
use crate::{FreeSpace, MeshError, PlanError, PlanOptions, PlannerKind, PotentialEscape, plan, tasks};

fn space(width_px: u32, height_px: u32, needed_m: f64, is_wall: impl Fn(u32, u32) -> bool) -> FreeSpace {
    let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px, height_px };
    let picture = GrayImage::from_fn(width_px, height_px, |x, y| Luma([if is_wall(x, y) { 0 } else { 255 }]));
    FreeSpace::new(&picture, frame, needed_m)
}

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

#[test]
fn on_a_map_the_mesh_finds_a_path_where_the_cells_have_one_and_it_is_about_as_long() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let vehicle = raceline_car::preset("robot-car").unwrap();
    let (mut compared, mut without, mut excess) = (0, 0, 0.0);
    for _ in 0..12 {
        let blocks: Vec<[u32; 2]> =
            (0..40).map(|_| [random.random_range(0..150), random.random_range(0..110)]).collect();
        let frame =
            PictureFrame { metres_per_pixel: 0.1, origin_m: Point::new(-3.0, 2.0), width_px: 160, height_px: 120 };
        let picture = GrayImage::from_fn(160, 120, |column, row| {
            let is_wall =
                |&[left, top]: &[u32; 2]| (left..left + 10).contains(&column) && (top..top + 10).contains(&row);
            Luma([if blocks.iter().any(is_wall) { 0 } else { 255 }])
        });
        let space = FreeSpace::new(&picture, frame, 0.35);
        for stops in tasks(&space, 8, 1) {
            let of = |kind| plan(kind, &PlanOptions::default(), &space, &stops, false, &vehicle, 1);
            match (of(PlannerKind::NavigationMesh), of(PlannerKind::Dijkstra)) {
                (Ok(mesh), Ok(cells)) => {
                    compared += 1;
                    excess += mesh.length_m / cells.length_m - 1.0;
                    for place in resampled(&mesh.path, 0.02, false) {
                        assert!(space.clearance_at_m(place) >= 0.35 - 0.1, "{place}");
                    }
                }
                (Err(_), Err(_)) => without += 1,
                (mesh, cells) => unreachable!("{stops:?} {mesh:?} {cells:?}"),
            }
        }
    }
    assert!(compared > 40 && without > 3 && excess / f64::from(compared) < 0.02, "{compared} {without} {excess}");
}

#[test]
fn the_quadtree_finds_a_free_path_where_dijkstra_does_and_it_is_about_as_long() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let vehicle = raceline_car::preset("robot-car").unwrap();
    let (mut compared, mut without, mut excess) = (0, 0, 0.0);
    for _ in 0..12 {
        let blocks: Vec<[u32; 2]> =
            (0..40).map(|_| [random.random_range(0..150), random.random_range(0..110)]).collect();
        let space = space(160, 120, 0.35, |x, y| {
            blocks.iter().any(|&[left, top]| (left..left + 10).contains(&x) && (top..top + 10).contains(&y))
        });
        for stops in tasks(&space, 8, 1) {
            let of = |kind| plan(kind, &PlanOptions::default(), &space, &stops, false, &vehicle, 1);
            match (of(PlannerKind::Quadtree), of(PlannerKind::Dijkstra)) {
                (Ok(tree), Ok(cells)) => {
                    compared += 1;
                    assert!(tree.length_m >= (stops[1] - stops[0]).norm() - 1e-9);
                    excess += tree.length_m / cells.length_m - 1.0;
                    for place in resampled(&tree.path, 0.02, false) {
                        assert!(space.clearance_at_m(place) >= 0.35 - 0.1, "{place}");
                    }
                }
                (Err(_), Err(_)) => without += 1,
                (tree, cells) => unreachable!("{stops:?} {tree:?} {cells:?}"),
            }
        }
    }
    assert!(compared > 40 && without > 3 && excess / f64::from(compared) < 0.05, "{compared} {without} {excess}");
}

/// A hall of 16 m by 12 m with four brackets that are open to the left.
fn pockets() -> FreeSpace {
    let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px: 160, height_px: 120 };
    let picture = GrayImage::from_fn(160, 120, |column, row| {
        let (across, down) = (column % 80, row % 60);
        let is_back = (44..48).contains(&across) && (10..50).contains(&down);
        let is_arm = (24..48).contains(&across) && ((10..14).contains(&down) || (46..50).contains(&down));
        Luma([if is_back || is_arm { 0 } else { 255 }])
    });
    FreeSpace::new(&picture, frame, 0.4)
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
    let frame = PictureFrame { metres_per_pixel: 0.1, origin_m: Point::origin(), width_px: 100, height_px: 60 };
    let wall = GrayImage::from_fn(100, 60, |column, _| Luma([if column == 50 { 0 } else { 255 }]));
    let space = FreeSpace::new(&wall, frame, 0.4);
    let vehicle = raceline_car::preset("robot-car").unwrap();
    for escape in PotentialEscape::ALL {
        let options = PlanOptions { potential_escape: Some(escape), ..PlanOptions::default() };
        let stops = [Point::new(2.0, 3.0), Point::new(8.0, 3.0)];
        let found = plan(PlannerKind::PotentialField, &options, &space, &stops, false, &vehicle, 2);
        assert!(matches!(found, Err(PlanError::NoPath { .. })), "{escape:?}");
    }
}
