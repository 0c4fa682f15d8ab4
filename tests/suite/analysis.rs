//! Corners, straights, sectors and extremes of known lines, and lines beside each other.

// Clippy exempts test functions but not the helpers beside them.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use raceline::RacingLine;
use raceline::analysis::{
    AnalysisError, AnalysisOptions, ComparisonError, CornerOptions, Lap, LossCause, Tendency, Turn, analyse,
    braking_zones, compare, losses,
};
use raceline::file::LinePoint;
use raceline::vehicle::GgDiagram;

use crate::sample_lines;

/// A piece of a line: its length, m, and its curvature, 1/m.
type Piece = (f64, f64);

/// A line of straights and arcs in the middle of a road 10 m wide, points every metre or so, all at one
/// speed.
fn line_of(pieces: &[Piece], closed: bool, speed_mps: f64) -> RacingLine {
    let mut points = Vec::new();
    let (mut x, mut y, mut heading, mut s) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for &(length, curvature) in pieces {
        let steps = length.round().max(1.0);
        let step = length / steps;
        for _ in 0..steps as usize {
            points.push(LinePoint {
                s_m: s,
                x_m: x,
                y_m: y,
                heading_rad: heading,
                curvature_radpm: curvature,
                speed_mps,
                accel_mps2: 0.0,
                time_s: s / speed_mps,
                left_m: 5.0,
                right_m: 5.0,
                z_m: None,
                banking_rad: None,
                grip: None,
                load: None,
                steering_rad: None,
                pedal: None,
                sideslip_rad: None,
                yaw_rate_radps: None,
            });
            let turn = curvature * step;
            let chord = if turn == 0.0 { step } else { (turn / 2.0).sin() * 2.0 / curvature };
            x += chord * (heading + turn / 2.0).cos();
            y += chord * (heading + turn / 2.0).sin();
            heading += turn;
            s += step;
        }
    }
    let mut line = sample_lines::circle(100.0, 8);
    let beside = |left_m: f64| {
        let place = |p: &LinePoint| [p.x_m - left_m * p.heading_rad.sin(), p.y_m + left_m * p.heading_rad.cos()];
        points.iter().map(place).collect()
    };
    (line.edges.left, line.edges.right) = (beside(5.0), beside(-5.0));
    line.points = points;
    (line.closed, line.length_m, line.lap_time_s) = (closed, s, s / speed_mps);
    if !closed {
        // The last point ends the line.
        line.length_m = line.points.last().unwrap().s_m;
        line.lap_time_s = line.points.last().unwrap().time_s;
    }
    line
}

/// Two straights of 200 m and two half circles of 50 m, counter-clockwise, from the middle of a
/// straight.
fn stadium() -> RacingLine {
    line_of(&[(100.0, 0.0), (PI * 50.0, 0.02), (200.0, 0.0), (PI * 50.0, 0.02), (100.0, 0.0)], true, 20.0)
}

fn options(curvature_radpm: f64) -> AnalysisOptions {
    let corners = CornerOptions { curvature_radpm: Some(curvature_radpm), ..CornerOptions::default() };
    AnalysisOptions { corners, ..AnalysisOptions::default() }
}

#[track_caller]
fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
}

#[test]
fn a_stadium_has_two_corners_and_two_straights() {
    let analysis = analyse(&stadium(), &options(0.01)).unwrap();
    assert_eq!(analysis.corners.len(), 2);
    for (i, corner) in analysis.corners.iter().enumerate() {
        assert_eq!((corner.number.to_string(), corner.direction), ((i + 1).to_string(), Turn::Left));
        let entry = 100.0 + i as f64 * (PI * 50.0 + 200.0);
        // Curvature jumps between two points, so ends lie within half a step.
        assert_near(corner.entry_s_m, entry, 0.51);
        assert_near(corner.exit_s_m, entry + PI * 50.0, 0.51);
        assert_near(corner.length_m, PI * 50.0, 1.1);
        assert_near(corner.angle_rad, PI, 0.03);
        assert_near(corner.min_radius_m, 50.0, 1e-9);
        assert_near(corner.time_s, PI * 50.0 / 20.0, 0.06);
        assert_eq!((corner.entry_speed_mps, corner.apex_speed_mps, corner.lowest_speed_mps), (20.0, 20.0, 20.0));
    }
    assert_eq!(analysis.straights.len(), 2);
    assert_near(analysis.straights[0].length_m, 200.0, 1.1);
    // The second goes over the start line.
    assert_near(analysis.straights[1].length_m, 200.0, 1.1);
    assert_near(analysis.straights[1].time_s, 10.0, 0.06);
    let all: f64 = analysis.corners.iter().map(|c| c.time_s).chain(analysis.straights.iter().map(|s| s.time_s)).sum();
    assert_near(all, stadium().lap_time_s, 1e-9);
}

#[test]
fn a_corner_over_the_start_line_is_one() {
    let half = PI * 25.0;
    let line = line_of(&[(half, 0.02), (200.0, 0.0), (PI * 50.0, 0.02), (200.0, 0.0), (half, 0.02)], true, 20.0);
    let analysis = analyse(&line, &options(0.01)).unwrap();
    assert_eq!(analysis.corners.len(), 2);
    let over = analysis.corners.iter().find(|corner| corner.exit_s_m < corner.entry_s_m).unwrap();
    assert_near(over.length_m, PI * 50.0, 1.1);
    assert_near(over.angle_rad, PI, 0.03);
    assert_near(over.time_s, PI * 50.0 / 20.0, 0.06);
    assert_near(analysis.straights.iter().map(|s| s.length_m).sum(), 400.0, 2.2);
}

#[test]
fn a_ring_is_one_corner_and_a_straight_none() {
    let ring = line_of(&[(TAU * 50.0, -0.02)], true, 20.0);
    let analysis = analyse(&ring, &options(0.01)).unwrap();
    let [corner] = &analysis.corners[..] else { panic!("{:?}", analysis.corners) };
    assert_eq!(corner.direction, Turn::Right);
    assert_near(corner.angle_rad, -TAU, 1e-9);
    assert_near(corner.time_s, ring.lap_time_s, 1e-12);
    assert!(analysis.straights.is_empty(), "{:?}", analysis.straights);
    let straight = line_of(&[(300.0, 0.0)], false, 20.0);
    let analysis = analyse(&straight, &options(0.01)).unwrap();
    assert!(analysis.corners.is_empty());
    assert_near(analysis.straights[0].length_m, 299.0, 1e-9);
    assert_near(analysis.straights[0].time_s, straight.lap_time_s, 1e-12);
}

#[test]
fn an_open_line_may_begin_and_end_in_a_corner() {
    let line = line_of(&[(60.0, 0.02), (100.0, 0.0), (60.0, -0.02)], false, 10.0);
    let analysis = analyse(&line, &options(0.01)).unwrap();
    assert_eq!(analysis.corners.iter().map(|corner| corner.direction).collect::<Vec<_>>(), [Turn::Left, Turn::Right]);
    assert_eq!((analysis.corners[0].entry_s_m, analysis.corners[1].exit_s_m), (0.0, line.length_m));
    assert_eq!(analysis.straights.len(), 1);
}

#[test]
fn bends_to_one_side_close_together_are_one_corner_and_to_both_sides_two() {
    let numbers = |gap: f64, second: f64, speed: f64| {
        let pieces = [(300.0, 0.0), (60.0, 0.02), (gap, 0.0), (60.0, second), (300.0, 0.0)];
        numbers(&line_of(&pieces, false, speed), 0.01)
    };
    // Less than two widths apart it is one corner of the road, whatever the speed.
    assert_eq!(numbers(6.0, 0.02, 20.0), ["1"]);
    assert_eq!(numbers(6.0, 0.02, 5.0), ["1"]);
    assert_eq!(numbers(6.0, -0.02, 20.0), ["1", "2"]);
    // Farther apart there are two, which who passes 60 m in less than half a second drives as one.
    assert_eq!(numbers(60.0, 0.02, 20.0), ["1", "2"]);
    assert_eq!(numbers(60.0, 0.02, 150.0), ["1-2"]);
}

/// The numbers of the corners above a curvature, as they are shown.
fn numbers(line: &RacingLine, curvature_radpm: f64) -> Vec<String> {
    analyse(line, &options(curvature_radpm)).unwrap().corners.iter().map(|corner| corner.number.to_string()).collect()
}

#[test]
fn a_corner_of_the_road_that_does_not_limit_the_vehicle_keeps_its_number() {
    let pieces = [(200.0, 0.0), (60.0, 0.02), (200.0, 0.0), (100.0, -0.005), (200.0, 0.0), (60.0, -0.02), (200.0, 0.0)];
    let line = line_of(&pieces, false, 20.0);
    assert_eq!(numbers(&line, 0.002), ["1", "2", "3"]);
    assert_eq!(numbers(&line, 0.01), ["1", "3"]);
}

#[test]
fn numbers_follow_from_the_road_and_not_from_the_line() {
    let pieces = [(200.0, 0.0), (60.0, 0.02), (200.0, 0.0), (60.0, -0.02), (200.0, 0.0), (60.0, 0.02), (100.0, 0.0)];
    let road = line_of(&pieces, false, 20.0);
    // Another line on it, 3 m to the right, that does not turn in the second corner.
    let mut other = road.clone();
    for point in &mut other.points {
        point.x_m += 3.0 * point.heading_rad.sin();
        point.y_m -= 3.0 * point.heading_rad.cos();
        (point.left_m, point.right_m) = (8.0, 2.0);
        if point.curvature_radpm < 0.0 {
            point.curvature_radpm = 0.0;
        }
    }
    assert_eq!(numbers(&road, 0.01), ["1", "2", "3"]);
    assert_eq!(numbers(&other, 0.01), ["1", "3"]);
    // A swerve on a straight is no corner.
    let mut swerving = road.clone();
    for point in swerving.points.iter_mut().filter(|point| (60.0..90.0).contains(&point.s_m)) {
        point.curvature_radpm = 0.02;
    }
    assert_eq!(numbers(&swerving, 0.01), ["1", "2", "3"]);
}

#[test]
fn two_bends_of_a_line_in_one_corner_of_the_road_are_one_corner() {
    let mut line = line_of(&[(200.0, 0.0), (150.0, 0.02), (200.0, 0.0)], false, 20.0);
    for point in line.points.iter_mut().filter(|point| (250.0..300.0).contains(&point.s_m)) {
        point.curvature_radpm = 0.0;
    }
    let analysis = analyse(&line, &options(0.01)).unwrap();
    assert_eq!(analysis.corners.len(), 1);
    assert_near(analysis.corners[0].length_m, 150.0, 1.1);
}

#[test]
fn edges_that_are_far_apart_cost_no_more_than_their_vertices() {
    // A width of 1e11 times the length would be smoothed over more places than there is memory for.
    let mut line = line_of(&[(10.0, 0.0), (5.0, 0.02), (10.0, 0.0)], false, 20.0);
    for (edge, far_m) in [(&mut line.edges.left, 1e12), (&mut line.edges.right, -1e12)] {
        edge.iter_mut().for_each(|vertex| vertex[1] += far_m);
    }
    assert!(numbers(&line, 0.01).is_empty());
}

#[test]
fn a_line_without_a_road_has_its_own_bends() {
    let mut line = line_of(&[(200.0, 0.0), (60.0, 0.02), (200.0, 0.0), (60.0, -0.02), (200.0, 0.0)], false, 20.0);
    line.edges.left.truncate(1);
    assert_eq!(numbers(&line, 0.01), ["1", "2"]);
}

#[test]
fn a_kink_is_no_corner() {
    let line = line_of(&[(100.0, 0.0), (5.0, 0.02), (100.0, 0.0)], false, 20.0);
    assert!(analyse(&line, &options(0.01)).unwrap().corners.is_empty());
    let all = CornerOptions { curvature_radpm: Some(0.01), min_angle_rad: 0.03, ..CornerOptions::default() };
    let all = AnalysisOptions { corners: all, ..AnalysisOptions::default() };
    assert_eq!(analyse(&line, &all).unwrap().corners.len(), 1);
}

#[test]
fn the_apex_lies_where_the_inner_edge_is_nearest() {
    let mut line = stadium();
    let arc = 100.0 + 110.0;
    for point in &mut line.points {
        point.left_m = 2.0 + ((point.s_m - arc) / 30.0).powi(2).min(6.0);
    }
    let corner = analyse(&line, &options(0.01)).unwrap().corners[0].clone();
    assert_near(corner.apex_s_m, arc, 7.0);
}

#[test]
fn the_threshold_follows_the_lateral_limit_at_top_speed() {
    let line = stadium();
    let analysis = analyse(&line, &AnalysisOptions::default()).unwrap();
    assert_near(analysis.corner_curvature_radpm, line.vehicle.lateral_limit_mps2 / 400.0, 1e-12);
}

#[test]
fn sectors_are_thirds_or_as_asked_and_add_up() {
    let line = stadium();
    let thirds = analyse(&line, &options(0.01)).unwrap().sectors;
    assert_eq!(thirds.len(), 3);
    assert!(thirds.iter().all(|sector| (sector.length_m - line.length_m / 3.0).abs() < 1e-9));
    assert_near(thirds.iter().map(|sector| sector.time_s).sum(), line.lap_time_s, 1e-9);
    let asked = AnalysisOptions { sectors_m: vec![100.0, 400.0], ..options(0.01) };
    let asked = analyse(&line, &asked).unwrap().sectors;
    assert_eq!(asked.iter().map(|sector| sector.from_s_m).collect::<Vec<_>>(), [0.0, 100.0, 400.0]);
    assert_near(asked[1].time_s, 15.0, 1e-9);
    for bad in [vec![200.0, 100.0], vec![0.0], vec![5000.0], vec![f64::NAN]] {
        let error = analyse(&line, &AnalysisOptions { sectors_m: bad, ..options(0.01) }).unwrap_err();
        assert!(matches!(error, AnalysisError::SectorBound { .. }), "{error}");
    }
    let error = analyse(&line, &options(0.0)).unwrap_err();
    assert_eq!(error.to_string(), "corner_curvature_radpm is 0: it must be above 0");
}

#[test]
fn time_between_points_is_that_of_constant_acceleration() {
    let mut line = line_of(&[(200.0, 0.0)], false, 1.0);
    // From 10 m/s at 4 m/s²: v² = 100 + 8 s.
    for point in &mut line.points {
        point.speed_mps = (100.0 + 8.0 * point.s_m).sqrt();
        point.time_s = (point.speed_mps - 10.0) / 4.0;
    }
    line.points.retain(|point| (point.s_m as usize).is_multiple_of(50));
    let last = *line.points.last().unwrap();
    (line.length_m, line.lap_time_s) = (last.s_m, last.time_s);
    for s in [0.0, 10.0, 49.0, 73.0, 130.0] {
        let here = Lap::new(&line).at(s);
        let speed = (100.0 + 8.0 * s).sqrt();
        assert_near(here.speed_mps, speed, 1e-12);
        assert_near(here.time_s, (speed - 10.0) / 4.0, 1e-12);
    }
}

#[test]
fn extremes_and_margins_state_where() {
    let mut line = stadium();
    line.points[7].speed_mps = 30.0;
    line.points[9].accel_mps2 = -8.0;
    line.points[200].left_m = 1.25;
    let analysis = analyse(&line, &options(0.01)).unwrap();
    let extremes = analysis.extremes;
    assert_eq!((extremes.top_speed_mps.value, extremes.top_speed_mps.s_m), (30.0, line.points[7].s_m));
    assert_eq!((extremes.braking_mps2.value, extremes.braking_mps2.s_m), (-8.0, line.points[9].s_m));
    assert_eq!((extremes.left_m.value, extremes.left_m.s_m), (1.25, line.points[200].s_m));
    assert_near(extremes.lateral_mps2.value, 8.0, 1e-12);
    let margin = line.vehicle.margin_m();
    assert_near(analysis.margins.min_spare_m, 1.25 - margin, 1e-12);
    assert_eq!(analysis.margins.fraction_at_margin, 0.0);
    for point in &mut line.points {
        point.right_m = margin;
    }
    assert_near(analyse(&line, &options(0.01)).unwrap().margins.fraction_at_margin, 1.0, 1e-12);
}

#[test]
fn a_line_beside_itself_differs_nowhere() {
    for line in [stadium(), line_of(&[(60.0, 0.02), (100.0, 0.0), (60.0, -0.02)], false, 10.0)] {
        let comparison = compare(&line, &line, &options(0.01)).unwrap();
        assert_eq!((comparison.lap_difference_s, comparison.length_difference_m), (0.0, 0.0));
        for here in &comparison.along {
            assert!(here.time_difference_s.abs() < 1e-9 && here.offset_m.abs() < 1e-9, "{here:?}");
        }
        let parts = comparison.corners.iter().chain(&comparison.straights).chain(&comparison.sectors);
        assert!(parts.into_iter().all(|part| part.difference_s.abs() < 1e-9));
    }
}

#[test]
fn time_is_lost_in_the_corner_that_is_driven_slower() {
    let fast = stadium();
    let mut slow = fast.clone();
    // The second half circle at 16 instead of 20 m/s.
    let (from, to) = (100.0 + PI * 50.0 + 200.0, 100.0 + 2.0 * PI * 50.0 + 200.0);
    let lost = |s: f64| (s.clamp(from, to) - from) * (1.0 / 16.0 - 1.0 / 20.0);
    for point in &mut slow.points {
        if point.s_m >= from && point.s_m < to {
            point.speed_mps = 16.0;
        }
        point.time_s += lost(point.s_m);
    }
    slow.lap_time_s += lost(slow.length_m);
    let comparison = compare(&fast, &slow, &options(0.01)).unwrap();
    let whole = PI * 50.0 * (1.0 / 16.0 - 1.0 / 20.0);
    assert_near(comparison.lap_difference_s, whole, 1e-9);
    assert_near(comparison.corners[0].difference_s, 0.0, 1e-9);
    assert_near(comparison.corners[1].difference_s, whole, 0.02);
    assert_near(comparison.corners[1].other_lowest_mps, 16.0, 1e-9);
    assert_near(comparison.straights.iter().map(|straight| straight.difference_s).sum(), 0.0, 0.02);
    assert_near(comparison.sectors.iter().map(|sector| sector.difference_s).sum(), whole, 1e-9);
    assert_near(comparison.along.last().unwrap().time_difference_s, whole, 1e-9);
}

#[test]
fn an_offset_is_seen_where_it_is_and_on_its_side() {
    let line = stadium();
    let mut moved = line.clone();
    for point in &mut moved.points {
        if (60.0..80.0).contains(&point.s_m) {
            point.y_m += 0.2;
        }
    }
    let comparison = compare(&line, &moved, &options(0.01)).unwrap();
    for here in &comparison.along {
        let expected = if (60.0..79.9).contains(&here.s_m) { 0.2 } else { 0.0 };
        let beside = (here.s_m - 59.5).abs() < 1.0 || (here.s_m - 79.5).abs() < 1.0;
        assert!(beside || (here.offset_m - expected).abs() < 1e-6, "{here:?}");
    }
}

#[test]
fn another_start_line_is_no_difference() {
    let line = stadium();
    let mut turned = line.clone();
    turned.points.rotate_left(50);
    let (s0, t0) = (turned.points[0].s_m, turned.points[0].time_s);
    for point in &mut turned.points {
        point.s_m = (point.s_m - s0).rem_euclid(line.length_m);
        point.time_s = (point.time_s - t0).rem_euclid(line.lap_time_s);
    }
    let comparison = compare(&line, &turned, &options(0.01)).unwrap();
    assert!(comparison.along.iter().all(|here| here.time_difference_s.abs() < 1e-6 && here.offset_m.abs() < 1e-6));
}

#[test]
fn legs_side_by_side_are_not_taken_for_each_other() {
    // A hairpin whose legs lie 4 m apart.
    let line = line_of(&[(200.0, 0.0), (2.0 * PI, 0.5), (200.0, 0.0)], false, 10.0);
    let comparison = compare(&line, &line, &options(0.1)).unwrap();
    assert!(comparison.along.iter().all(|here| here.offset_m.abs() < 1e-9 && here.time_difference_s.abs() < 1e-9));
}

#[test]
fn lines_of_different_tracks_are_reported() {
    let line = stadium();
    let mut reversed = line.clone();
    for point in &mut reversed.points {
        point.y_m = -point.y_m;
    }
    let error = compare(&line, &reversed, &options(0.01)).unwrap_err();
    assert!(matches!(error, ComparisonError::Apart { .. }), "{error}");
    let open = line_of(&[(100.0, 0.0), (FRAC_PI_2 * 50.0, 0.02)], false, 20.0);
    assert_eq!(compare(&line, &open, &options(0.01)).unwrap_err(), ComparisonError::Shapes);
}

/// A lap of which the file specifies that the car rolls straight with its front wheels 0.06 rad to
/// the left, at `pedal`.
fn steered(mut line: RacingLine, pedal: f64) -> RacingLine {
    line.vehicle.peak_slip_rad = None;
    for point in &mut line.points {
        (point.steering_rad, point.pedal) = (Some(0.06), Some(pedal));
        (point.sideslip_rad, point.yaw_rate_radps) = (Some(0.0), Some(0.0));
    }
    line
}

#[test]
fn the_axle_that_slips_more_shows_the_balance() {
    let analysis = analyse(&steered(stadium(), 0.0), &options(0.01)).unwrap();
    let balance = analysis.balance.unwrap();
    assert_eq!(balance.corners.len(), 2);
    for corner in &balance.corners {
        // Half of the usual slip of the peak, 0.12 rad, at the front and nothing at the rear.
        assert_near(corner.slip_difference, 0.5, 1e-6);
        assert_eq!(corner.tendency, Tendency::Understeer);
        assert!(corner.front_use > 0.8 && corner.rear_use < 0.1, "{corner:?}");
    }
    assert_near(balance.drive_energy_j.max(balance.brake_energy_j), 0.0, 1e-9);
    // The same slip out of a corner to the right.
    let mut right = stadium();
    right.points.iter_mut().for_each(|point| point.curvature_radpm = -point.curvature_radpm);
    let balance = analyse(&steered(right, 0.0), &options(0.01)).unwrap().balance.unwrap();
    assert!(balance.corners.iter().all(|corner| corner.tendency == Tendency::Oversteer), "{balance:?}");
}

#[test]
fn energy_is_force_times_distance() {
    let line = steered(stadium(), -0.5);
    let limit = GgDiagram::new(&line.vehicle).unwrap().longitudinal_limit(400.0);
    let balance = analyse(&line, &options(0.01)).unwrap().balance.unwrap();
    let work = 0.5 * limit * line.vehicle.mass_kg * line.length_m;
    assert_near(balance.brake_energy_j / work, 1.0, 1e-9);
    assert_near(balance.drive_energy_j, 0.0, 1e-9);
    assert!(analyse(&stadium(), &options(0.01)).unwrap().balance.is_none());
}

/// Gives the points in `zones` of a line, from one point to another, this acceleration.
fn braked(line: &mut RacingLine, zones: &[std::ops::Range<usize>], accel_mps2: f64) {
    for zone in zones.iter().cloned() {
        line.points[zone].iter_mut().for_each(|point| point.accel_mps2 = accel_mps2);
    }
}

#[test]
fn braking_that_stops_for_a_moment_is_one_zone() {
    // At 20 m/s points every metre are 0.05 s apart.
    let line = line_of(&[(300.0, 0.0)], false, 20.0);
    let zones = |pause: usize| {
        let mut line = line.clone();
        braked(&mut line, &[50..80, 80 + pause..150], -6.0);
        braking_zones(&line).iter().map(|zone| (zone.from_s_m, zone.to_s_m)).collect::<Vec<_>>()
    };
    // 0.15 s and 0.25 s.
    assert_eq!(zones(3), [(50.0, 150.0)]);
    assert_eq!(zones(5), [(50.0, 80.0), (85.0, 150.0)]);
}

/// The line with these speeds, and the times of constant acceleration between two points.
fn driven_at(line: &RacingLine, speed_mps: impl Fn(f64) -> f64) -> RacingLine {
    let mut line = line.clone();
    let mut time = 0.0;
    for i in 0..line.points.len() {
        let speed = speed_mps(line.points[i].s_m);
        if i > 0 {
            let before = &line.points[i - 1];
            time += 2.0 * (line.points[i].s_m - before.s_m) / (speed + before.speed_mps);
        }
        (line.points[i].speed_mps, line.points[i].time_s) = (speed, time);
    }
    line.lap_time_s = time;
    line
}

/// A straight of 300 m, a quarter circle of 40 m, and a straight.
fn bend() -> RacingLine {
    line_of(&[(300.0, 0.0), (20.0 * PI, 1.0 / 40.0), (200.0, 0.0)], false, 30.0)
}

/// Speed at `s` of who brakes by 8 m/s² from 40 m/s down to `lowest`, which is reached `early` metres before the
/// middle of the bend, keeps it up to there, and accelerates by 4 m/s².
fn through_the_bend(s: f64, lowest: f64, early: f64) -> f64 {
    let beyond = s - (300.0 + 10.0 * PI);
    let gained = if beyond < 0.0 { 16.0 * (-beyond - early).max(0.0) } else { 8.0 * beyond };
    (lowest.powi(2) + gained).sqrt().min(40.0)
}

#[test]
fn braking_ten_metres_early_is_seen_as_such() {
    let reference = driven_at(&bend(), |s| through_the_bend(s, 15.0, 0.0));
    let driven = driven_at(&bend(), |s| through_the_bend(s, 15.0, 10.0));
    let found = losses(&reference, &driven, &options(0.01)).unwrap();
    let [corner] = &found.corners[..] else { panic!("{:?}", found.corners) };
    assert_near(corner.brakes_earlier_m.unwrap(), 10.0, 1.0);
    assert_eq!(corner.cause, Some(LossCause::Braking));
    assert_near(corner.braking_s, driven.lap_time_s - reference.lap_time_s, 0.02);
}

#[test]
fn who_slows_down_by_a_twentieth_does_not_brake() {
    let brakes = |fraction: f64| {
        let line = driven_at(&bend(), |s| through_the_bend(s, fraction * 40.0, 0.0));
        losses(&line, &line, &options(0.01)).unwrap().corners[0].brakes_earlier_m
    };
    assert_eq!((brakes(0.95), brakes(0.88)), (None, Some(0.0)));
}

#[test]
fn a_loss_of_some_milliseconds_has_no_cause() {
    let reference = driven_at(&bend(), |s| through_the_bend(s, 15.0, 0.0));
    let cause = |lowest: f64| {
        let driven = driven_at(&bend(), |s| through_the_bend(s, lowest, 0.0));
        let found = losses(&reference, &driven, &options(0.01)).unwrap();
        (found.total_s, found.corners[0].cause)
    };
    let (small, large) = (cause(14.98), cause(14.8));
    assert!(small.0 > 0.0 && small.0 < 0.005 && large.0 > 0.01, "{small:?} {large:?}");
    assert_eq!((small.1, large.1), (None, Some(LossCause::ApexSpeed)));
}
