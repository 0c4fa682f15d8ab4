//! The flow field leads from anywhere on and beside the road back onto the line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use proptest::prelude::*;
use raceline::RacingLine;
use raceline::formats::{Format, FormatError, FormatOptions};
use raceline::geometry::{Point, Polyline, SegmentIndex};
use raceline_follower::behaviours::FlowField;
use serde_json::Value;

use crate::sample_lines;

/// The grid of a line as a game reads it.
struct Grid {
    origin: [f64; 2],
    cell: f64,
    columns: usize,
    cells: Vec<[f32; 2]>,
}

fn options(cell: f64) -> FormatOptions {
    FormatOptions { flow_field_cell_m: Some(cell), ..FormatOptions::default() }
}

fn grid(line: &RacingLine, cell: f64) -> Grid {
    let bytes = Format::named("flow-field").unwrap().write(line, &options(cell)).unwrap();
    let file: Value = serde_json::from_slice(&bytes).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    let rows = file["velocities_mps"].as_array().unwrap();
    assert_eq!(rows.len() as u64, file["rows"].as_u64().unwrap());
    let cells = rows.iter().flat_map(|row| row.as_array().unwrap());
    Grid {
        origin: [number(&file["origin_m"][0]), number(&file["origin_m"][1])],
        cell: number(&file["cell_m"]),
        columns: file["columns"].as_u64().unwrap() as usize,
        cells: cells.map(|cell| [number(&cell[0]) as f32, number(&cell[1]) as f32]).collect(),
    }
}

impl Grid {
    fn field(&self) -> FlowField<'_> {
        FlowField::new(self.origin, self.cell, self.columns, &self.cells).unwrap()
    }
}

fn index(line: &RacingLine) -> SegmentIndex {
    let points = line.points.iter().map(|point| Point::new(point.x_m, point.y_m)).collect();
    SegmentIndex::new(&Polyline { points, closed: line.closed }, 5.0)
}

/// Follows the field for some metres; how far from the line it ends.
fn follow(field: &FlowField<'_>, line: &SegmentIndex, from: [f64; 2], metres: f64) -> f64 {
    let mut at = from;
    for _ in 0..(metres / 0.25) as usize {
        let [x, y] = field.velocity_mps(at);
        let speed = x.hypot(y);
        assert!(speed > 0.0, "the field stands still at {at:?}");
        at = [at[0] + 0.25 * x / speed, at[1] + 0.25 * y / speed];
    }
    line.nearest(Point::new(at[0], at[1])).unwrap().distance
}

#[test]
fn beside_a_circle_the_angle_is_that_of_the_offset() {
    // Radius 50 m at 20 m/s: L = 16 m.
    let line = sample_lines::circle(50.0, 400);
    let grid = grid(&line, 0.5);
    let field = grid.field();
    for (radius, angle) in [(50.0, 0.3_f64), (53.0, 1.0), (46.0, 2.5), (60.0, 4.0), (30.0, 5.5)] {
        let [x, y] = field.velocity_mps([radius * angle.cos(), radius * angle.sin()]);
        // To the left is inside.
        let offset: f64 = 50.0 - radius;
        let wanted = angle + std::f64::consts::FRAC_PI_2 - (offset / 16.0).atan();
        let turned = (y.atan2(x) - wanted).sin().abs();
        assert!(turned < 0.012, "{radius}: {turned}");
        let speed = 20.0 * (1.0 - offset / 50.0).min(1.0).sqrt() / (1.0 + (offset / 16.0).powi(2)).sqrt();
        assert!((x.hypot(y) - speed).abs() < 0.05, "{radius}: {} and {speed}", x.hypot(y));
    }
}

#[test]
fn the_other_leg_of_a_hairpin_attracts_nobody() {
    // Two straights 16 m apart, the road 10 m wide: a place 1 m outside the lower leg's upper edge is
    // nearer to the upper leg's line if that runs at its lower edge, but not to its road.
    let corners = [[0., 0.], [100., 0.], [200., 0.], [210., 8.], [200., 16.], [100., 16.], [0., 16.], [-10., 8.]];
    let line = sample_lines::circuit("hairpins", &corners, 10.0);
    let grid = grid(&line, 0.5);
    for x in [60.0, 100.0, 140.0] {
        for (y, forwards) in [(0.0, true), (4.5, true), (6.5, true), (9.5, false), (11.5, false), (16.0, false)] {
            let [along, _] = grid.field().velocity_mps([x, y]);
            assert_eq!(along > 0.0, forwards, "({x}, {y}): {along}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn from_anywhere_it_leads_onto_the_line(x in 0.0_f64..1.0, y in 0.0_f64..1.0, which in 0_usize..2) {
        let line = [sample_lines::stadium(), sample_lines::winding()][which].clone();
        let grid = grid(&line, 2.0);
        let rows = grid.cells.len() / grid.columns;
        let from = [
            grid.origin[0] + x * grid.columns as f64 * grid.cell,
            grid.origin[1] + y * rows as f64 * grid.cell,
        ];
        let away = follow(&grid.field(), &index(&line), from, line.length_m);
        prop_assert!(away < 0.7, "from {from:?}: {away} m");
    }
}

#[test]
fn it_stands_still_beyond_the_end_of_an_open_line() {
    let mut line = sample_lines::stadium();
    line.closed = false;
    line.points.truncate(20);
    let last = line.points[19];
    (line.length_m, line.lap_time_s) = (last.s_m, last.time_s);
    line.candidates.clear();
    line.sections.clear();
    let grid = grid(&line, 1.0);
    let ahead = |metres: f64| {
        grid.field()
            .velocity_mps([last.x_m + metres * last.heading_rad.cos(), last.y_m + metres * last.heading_rad.sin()])
    };
    assert_eq!(ahead(4.0), [0.0; 2]);
    assert!(ahead(-4.0)[0].hypot(ahead(-4.0)[1]) > 1.0);
}

#[test]
fn the_picture_holds_the_same_field() {
    let line = sample_lines::winding();
    let grid = grid(&line, 4.0);
    let bytes = Format::named("flow-field-png").unwrap().write(&line, &options(4.0)).unwrap();
    let picture = image::load_from_memory(&bytes).unwrap().to_rgb8();
    assert_eq!(picture.width() as usize, grid.columns);
    let fastest = line.points.iter().map(|point| point.speed_mps).fold(0.0, f64::max);
    let rows = grid.cells.len() / grid.columns;
    for (cell, [x, y]) in grid.cells.iter().enumerate() {
        let (column, row) = (cell % grid.columns, rows - 1 - cell / grid.columns);
        let [red, green, blue] = picture.get_pixel(column as u32, row as u32).0.map(|byte| f64::from(byte) / 255.0);
        let speed = f64::from(x.hypot(*y));
        assert!((speed / fastest - blue).abs() < 0.003);
        assert!((f64::from(*x) / speed - (2.0 * red - 1.0)).abs() < 0.01);
        assert!((f64::from(*y) / speed - (2.0 * green - 1.0)).abs() < 0.01);
    }
}

#[test]
fn sizes_that_make_no_grid_are_refused() {
    let line = sample_lines::stadium();
    let format = Format::named("flow-field").unwrap();
    for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(format.write(&line, &options(cell)), Err(FormatError::Grid { .. })), "{cell}");
    }
    let wide = FormatOptions { flow_field_margin_m: Some(-1.0), ..FormatOptions::default() };
    assert!(matches!(format.write(&line, &wide), Err(FormatError::Grid { field: "flow_field_margin_m", .. })));
    let message = format.write(&line, &options(0.01)).unwrap_err().to_string();
    assert!(message.contains("make the cells larger"), "{message}");
}
