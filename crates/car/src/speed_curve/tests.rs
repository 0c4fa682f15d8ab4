use super::{Piece, SpeedCurve};

const FROM_STANDSTILL: [[f64; 2]; 4] = [[0.0, 5.0], [10.0, 4.0], [20.0, 6.0], [40.0, 3.0]];

#[track_caller]
fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{value} is not {expected}");
}

/// A curve of one piece at every speed.
fn piece(constant: f64, linear: f64, square: f64, inverse: f64) -> Piece {
    Piece { constant, linear, square, inverse, ..Piece::NOTHING }
}

/// `piece` from the speed `begin` to the speed `end`, m/s.
fn between(begin: f64, end: f64, piece: Piece) -> Piece {
    Piece { begin: begin * begin, end: end * end, ..piece }
}

/// Pieces that follow each other from standstill on, none of them empty.
#[track_caller]
fn assert_whole(curve: &SpeedCurve) {
    let pieces = curve.pieces();
    assert_eq!((pieces[0].begin, pieces[pieces.len() - 1].end), (0.0, f64::INFINITY));
    assert!(pieces.iter().all(|piece| piece.begin < piece.end), "{pieces:?}");
    assert!(pieces.windows(2).all(|pair| pair[0].end == pair[1].begin), "{pieces:?}");
}

/// The value and the slope by the speed that the module's text describes: lines between the points, constants beyond,
/// a mirror image before standstill, and around each point a slope that changes linearly.
fn described(points: &[[f64; 2]], v: f64) -> [f64; 2] {
    let mut all = points.to_vec();
    let [speed, value] = points[0];
    if speed > 0.0 {
        all.insert(0, [0.0, value]);
    } else if let Some([after, then]) = points.get(1) {
        all.insert(0, [-after, *then]);
    }
    let last = all[all.len() - 1];
    all.push([f64::MAX, last[1]]);
    let slope = |i: usize| (all[i + 1][1] - all[i][1]) / (all[i + 1][0] - all[i][0]);
    for i in 1..all.len() - 1 {
        let half = 0.125 * (all[i][0] - all[i - 1][0]).min(all[i + 1][0] - all[i][0]);
        if (v - all[i][0]).abs() < half {
            let (into, along) = (v - all[i][0] + half, (v - all[i][0] + half) / (2.0 * half));
            let [before, after] = [slope(i - 1), slope(i)];
            let corner = all[i][1] - before * half;
            return [corner + into * (before + 0.5 * along * (after - before)), before + along * (after - before)];
        }
    }
    let i = (0..all.len() - 1).rfind(|&i| all[i][0] <= v).unwrap();
    [all[i][1] + slope(i) * (v - all[i][0]), slope(i)]
}

#[test]
fn tables_are_what_the_text_describes() {
    let tables: [&[[f64; 2]]; 7] = [
        &FROM_STANDSTILL,
        &[[0.0, 7.3], [3.0, 7.0], [11.0, 2.0]],
        // The first interval is shorter than the speed of the first point, and longer.
        &[[7.0, 2.0], [10.0, 4.0], [30.0, 1.0]],
        &[[2.0, 3.0], [10.0, 5.0], [30.0, 5.0]],
        &[[7.0, 2.0]],
        &[[0.0, 2.0]],
        &[[0.0, 2.0], [5.0, 2.0], [9.0, 2.0]],
    ];
    for points in tables {
        let curve = SpeedCurve::table(points);
        assert_whole(&curve);
        for i in 1..2000 {
            let v = 0.0253 * f64::from(i);
            let ([value, slope], jet) = (described(points, v), curve.jet(v * v));
            assert_close(curve.at(v * v), value);
            assert_close(jet.value, value);
            assert_close(2.0 * v * jet.slope, slope);
        }
    }
}

#[test]
fn a_table_has_a_piece_for_every_line_and_every_kink() {
    for (points, count) in [
        // Half a kink at standstill, three kinks, and as many lines as intervals and one constant.
        (&FROM_STANDSTILL[..], 8),
        (&[[5.0, 2.0], [9.0, 3.0]][..], 5),
        (&[[5.0, 2.0]][..], 1),
        (&[][..], 1),
        // Points on one line leave no kink between them.
        (&[[1.0, 2.0], [2.0, 4.0], [5.0, 10.0]][..], 5),
        (&[[0.0, 2.0], [5.0, 2.0], [9.0, 1.0]][..], 5),
    ] {
        let curve = SpeedCurve::table(points);
        assert_eq!(curve.pieces().len(), count, "{points:?}");
        assert_eq!(curve.only_piece(), (count == 1).then_some(&curve.pieces()[0]), "{points:?}");
    }
    assert_eq!(SpeedCurve::table(&[]).at(9.0), 0.0);
}

#[test]
fn a_table_from_standstill_begins_without_a_root() {
    // Otherwise the derivative by the square of the speed is infinite there.
    for i in 1..50 {
        let (width, fall) = (0.7 + 0.1 * f64::from(i), 0.13 * f64::from(i));
        let curve = SpeedCurve::table(&[[0.0, 9.0], [width, 9.0 - fall], [2.0 * width, 9.0]]);
        assert!(curve.pieces()[0].is_rootless() && !curve.pieces()[1].is_rootless());
        // The kink of the mirror image: a slope of twice the first one over a quarter of the interval.
        let expected = 9.0 - fall / width * 0.125 * width / 2.0;
        assert_close(curve.at(0.0), expected);
        let jet = curve.jet(0.0);
        assert_close(jet.slope, -fall / width / (0.25 * width));
        assert_eq!(jet.bend, 0.0);
    }
}

#[test]
fn force_and_power_meet_in_a_parabola_that_touches_both() {
    for (highest, inverse) in [(10.0, 200.0), (4.0, 12.0), (0.7, 90.0)] {
        let curve = SpeedCurve::falling_with_speed(highest, inverse);
        assert_whole(&curve);
        let [force, knee, power] = curve.pieces() else { panic!("{curve:?}") };
        assert_eq!(*force, Piece { end: force.end, ..piece(highest, 0.0, 0.0, 0.0) });
        assert_eq!(*power, Piece { begin: power.begin, ..piece(0.0, 0.0, 0.0, inverse) });
        let kink = inverse / highest;
        let [begin, end] = [kink * (1.0 - 1.0 / 32.0 - 2.0 / 1024.0), kink * 33.0 / 32.0];
        assert_close(knee.begin, begin * begin);
        assert_close(knee.end, end * end);
        // A parabola in v by its top and by its slope at the end.
        let bend = -inverse / (end * end) / (end - begin);
        for i in 0..=20 {
            let v = begin + 0.05 * f64::from(i) * (end - begin);
            assert_close(knee.at(v * v), highest + 0.5 * bend * (v - begin) * (v - begin));
        }
        assert_close(knee.at(knee.end), inverse / end);
    }
}

#[test]
fn values_and_derivatives_are_those_of_the_four_terms() {
    let all = [3.0, 0.7, -0.2, 5.0];
    for present in 0..16 {
        let [constant, linear, square, inverse] =
            std::array::from_fn(|i| if present >> i & 1 == 1 { all[i] } else { 0.0 });
        let piece = piece(constant, linear, square, inverse);
        let curve = SpeedCurve::of_pieces(vec![piece]);
        for v in [0.3_f64, 1.0, 1.7, 9.0] {
            let (w, jet) = (v * v, curve.jet(v * v));
            let value = constant + linear * v + square * v * v + inverse / v;
            for found in [piece.at(w), curve.at(w), jet.value] {
                assert_close(found, value);
            }
            // By v, then by w: d/dw is 1/(2 v) d/dv.
            let (by_v, by_v_twice) =
                (linear + 2.0 * square * v - inverse / (v * v), 2.0 * square + 2.0 * inverse / (v * v * v));
            assert_close(jet.slope, by_v / (2.0 * v));
            assert_close(jet.bend, (by_v_twice - by_v / v) / (4.0 * v * v));
        }
        assert_eq!(piece.is_rootless(), linear == 0.0 && inverse == 0.0);
    }
    let still = SpeedCurve::growing(3.0, 0.5).jet(0.0);
    assert_eq!((still.value, still.slope, still.bend), (3.0, 0.5, 0.0));
}

#[test]
fn the_piece_of_a_speed_is_found_from_every_other_piece() {
    let curve = SpeedCurve::table(&FROM_STANDSTILL);
    let pieces = curve.pieces();
    for (number, piece) in pieces.iter().enumerate() {
        let middle = if piece.end.is_finite() { f64::midpoint(piece.begin, piece.end) } else { 2.0 * piece.begin };
        for w in [piece.begin, middle, piece.end.next_down()] {
            for start in 0..pieces.len() + 3 {
                let mut cursor = start;
                assert_eq!((curve.piece(w, &mut cursor), cursor), (piece, number), "{w} from {start}");
            }
        }
    }
    // Rounding may leave less than standstill, which has a piece too, and so has the end of the last one.
    let mut cursor = 3;
    assert_eq!(curve.piece(-1e-20, &mut cursor), &pieces[0]);
    assert_eq!(curve.piece(f64::INFINITY, &mut cursor), &pieces[7]);
}

#[test]
fn curves_through_knots_have_their_values_and_slopes_and_nothing_else_changes() {
    let base = SpeedCurve::table(&FROM_STANDSTILL);
    // From the middle of a piece to the middle of another, over whole pieces; from joint to joint.
    for (first, last) in [(5.0, 30.0), (8.75, 18.75), (9.0, 9.5), (41.0, 60.0)] {
        let speed = |i: usize| first + (last - first) * (0.1 * i as f64) * (1.1 - 0.01 * i as f64);
        let knots: Vec<[f64; 3]> = (0..=10)
            .map(|i| {
                let v: f64 = if i == 10 { last } else { speed(i) };
                [v, 3.0 + (0.4 * v).sin(), 0.4 * (0.4 * v).cos()]
            })
            .collect();
        let curve = base.through_knots(&knots);
        assert_whole(&curve);
        for &[v, value, slope] in &knots[..10] {
            assert_close(curve.at(v * v), value);
            assert_close(2.0 * v * curve.jet(v * v).slope, slope);
        }
        for pair in knots.windows(2) {
            // Both parabolas meet in the middle, with one slope; a parabola has its mean slope in its middle.
            let middle = f64::midpoint(pair[0][0], pair[1][0]);
            let w = middle * middle;
            let below = curve.pieces().iter().find(|piece| piece.end == w).unwrap();
            let above = curve.pieces().iter().find(|piece| piece.begin == w).unwrap();
            assert_close(below.at(w), above.at(w));
            let slope = |piece: &Piece| piece.linear + 2.0 * piece.square * middle;
            assert_close(slope(below), slope(above));
            // At its end, the upper one has what the next knot asks for.
            let [end, value, at_end] = pair[1];
            assert_close(above.at(end * end), value);
            assert_close(above.linear + 2.0 * above.square * end, at_end);
        }
        for v in [0.0, 2.0, first - 0.01, last + 0.01, 45.0, 70.0] {
            if v < first || v > last {
                assert_eq!(curve.at(v * v), base.at(v * v), "{v}");
            }
        }
    }
    assert_eq!(base.through_knots(&[]), base);
    // A parabola's own knots give the parabola.
    let parabola = |v: f64| [v, 2.0 - 0.3 * v + 0.04 * v * v, -0.3 + 0.08 * v];
    let curve = base.through_knots(&[3.0, 4.0, 7.0, 7.5].map(parabola));
    for i in 0..=90 {
        let v = 3.0 + 0.05 * f64::from(i);
        assert_close(curve.at((v * v).min(7.5 * 7.5 - 1e-9)), parabola((v * v).min(7.5 * 7.5 - 1e-9).sqrt())[1]);
    }
}

/// Where `value` falls through zero for the first time, by small steps and then by halves.
fn first_fall(value: impl Fn(f64) -> f64, from: f64, to: f64) -> Option<f64> {
    let step = (to - from) / 20_000.0;
    let i = (0..20_000).find(|&i| value(from + step * f64::from(i + 1)) < 0.0)?;
    let (mut low, mut high) = (from + step * f64::from(i), from + step * f64::from(i + 1));
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if value(middle) < 0.0 { high = middle } else { low = middle }
    }
    Some(low)
}

/// Curves that fall and rise: tables, one of them with a dip, a power, constants.
fn curves() -> [SpeedCurve; 6] {
    [
        SpeedCurve::table(&FROM_STANDSTILL),
        SpeedCurve::table(&[[10.0, 4.0], [20.0, 2.0], [40.0, 3.0]]),
        SpeedCurve::table(&[[0.0, 12.0], [10.0, 2.0], [12.0, 60.0], [20.0, 55.0], [30.0, 70.0]]),
        SpeedCurve::falling_with_speed(50.0, 500.0),
        SpeedCurve::growing(12.0, 0.001),
        SpeedCurve::growing(3.0, 0.0),
    ]
}

#[test]
fn the_first_crossing_is_where_a_search_by_small_steps_finds_it() {
    for (number, curve) in curves().iter().enumerate() {
        for i in 0..60 {
            let ratio = 3.0 * 0.85_f64.powi(i);
            let expected = first_fall(|v| curve.at(v * v) - ratio * v * v, 1e-9, 300.0);
            let found = curve.first_crossing(ratio).sqrt();
            match expected {
                Some(expected) => {
                    assert!((found / expected - 1.0).abs() < 1e-9, "{number} {ratio}: {found} {expected}");
                }
                None => assert!(found >= 300.0, "{number} {ratio}: {found}"),
            }
        }
    }
    assert_eq!(SpeedCurve::growing(12.0, 0.001).first_crossing(0.001), f64::INFINITY);
    assert_eq!(SpeedCurve::growing(3.0, 0.0).first_crossing(0.0), f64::INFINITY);
    assert_close(SpeedCurve::growing(12.0, 0.001).first_crossing(0.004), 4000.0);
}

#[test]
fn the_last_speed_that_reaches_a_line_is_where_a_search_from_above_finds_it() {
    for (number, curve) in curves().iter().enumerate() {
        for constant in [0.0, 0.2, 2.5, 3.5, 5.9, 49.0, 65.0] {
            for growth in [0.0, 0.0005, 0.004, 0.013, 0.06, 0.3, 2.0] {
                let over = |v: f64| curve.at(v * v) - constant - growth * v * v;
                let found = curve.last_reaching(constant, growth).sqrt();
                // From 5000 m/s down, what is below the line rises through it.
                let expected = if over(5000.0) >= 0.0 {
                    f64::INFINITY
                } else {
                    let near = first_fall(|back| -over(400.0 - back), 0.0, 400.0).map(|back| 400.0 - back);
                    if over(400.0) >= 0.0 { first_fall(over, 400.0, 5000.0).unwrap() } else { near.unwrap_or(0.0) }
                };
                let error = (found - expected).abs();
                assert!(
                    found == expected || error < 1e-7 * expected.max(0.1),
                    "{number} {constant} {growth}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn a_line_through_a_joint_of_two_pieces_is_reached_there_whatever_the_rounding() {
    // For a few of these many lines, the root of either piece lies on the other side of the joint.
    for curve in [SpeedCurve::table(&[[3.0, 9.0], [10.0, 4.0], [20.0, 1.7]]), SpeedCurve::falling_with_speed(7.0, 31.0)]
    {
        for pair in curve.pieces().windows(2) {
            let joint = pair[0].end;
            for growth in (1..20_000).map(|i| 0.000_037 * f64::from(i)) {
                for constant in [pair[0].at(joint) - growth * joint, pair[1].at(joint) - growth * joint] {
                    if constant >= 0.0 {
                        let found = curve.last_reaching(constant, growth);
                        assert!((found / joint - 1.0).abs() < 1e-9, "{joint} {growth}: {found}");
                    }
                }
            }
        }
    }
}

#[test]
fn roots_are_exact_where_terms_nearly_cancel() {
    for (constant, linear, square, speed) in [
        (1.0, 1.0, -1e-12, 1e12),
        (1.0, -1.0, -1e-12, 1.0),
        (1.0, -1.0, 1e-12, 1.0),
        (9.0, 0.0, -4.0, 1.5),
        (6.0, -0.2, 0.0, 30.0),
        (6.0, 1.0, -1.0, 3.0),
        // The two roots of (v - 2) (v - 5): the value falls at the smaller one.
        (10.0, -7.0, 1.0, 2.0),
    ] {
        let found = piece(constant, linear, square, 0.0).falling_root();
        assert!((found.sqrt() / speed - 1.0).abs() < 1e-9, "{constant} {linear} {square}: {found}");
    }
    // A rise through zero, and no zero at all.
    for none in [piece(-2.0, 1.0, 0.0, 0.0), piece(-2.0, 0.0, 1.0, 0.0), piece(2.0, 0.1, 1.0, 0.0)] {
        let found = none.falling_root();
        assert!(found.is_nan() || found < 0.0, "{none:?}: {found}");
    }
    // Far above all speeds, in a number of steps that grows with its logarithm.
    assert_close(SpeedCurve::falling_with_speed(50.0, 500.0).last_reaching(1e-3, 0.0).sqrt() / 5e5, 1.0);
    // With a power the root is found outside of the piece too, but not before its begin.
    let power = |constant: f64, square: f64| between(4.0, 9.0, piece(constant, 0.0, square, 500.0));
    assert_close(power(-100.0, 0.0).falling_root(), 25.0);
    assert_close(power(0.0, -0.004).falling_root().sqrt(), 50.0);
    assert!(power(-200.0, 0.0).falling_root().is_nan());
    let endless = Piece { end: f64::INFINITY, ..power(0.0, -0.5) };
    assert_close(endless.falling_root().sqrt(), 10.0);
    assert_close(Piece { begin: 0.0, ..endless }.falling_root().sqrt(), 10.0);
}

#[test]
fn the_smallest_ratio_of_a_piece_is_that_of_many_places() {
    let speeds = [0.5, 2.0, 4.0, 7.0, 20.0];
    for constant in [-3.0, 0.5, 10.0, 40.0] {
        for linear in [-8.0, -1.0, 0.0, 3.0] {
            for pair in speeds.windows(2) {
                let piece = between(pair[0], pair[1], piece(constant, linear, 0.3, 0.0));
                let ratio = |i: u32| {
                    let v = pair[0] + (pair[1] - pair[0]) * f64::from(i) / 20_000.0;
                    piece.at(v * v) / (v * v)
                };
                let expected = (0..=20_000).map(ratio).fold(f64::INFINITY, f64::min);
                // A place next to the smallest one has nearly its value, for it is flat there.
                let found = piece.min_ratio();
                assert!((found - expected).abs() < 1e-6 * (1.0 + expected.abs()), "{piece:?}: {found} {expected}");
            }
        }
    }
    // At standstill the ratio is infinite, and at an infinite speed that of the fastest term.
    assert_close(piece(10.0, 0.0, 0.3, 0.0).min_ratio(), 0.3);
    assert_close(piece(10.0, -2.0, 0.3, 0.0).min_ratio(), 0.2);
    assert_close(between(2.0, 5.0, piece(0.0, 0.0, 0.0, 500.0)).min_ratio(), 4.0);
    assert_close(Piece { begin: 4.0, ..piece(0.0, 0.0, 0.0, 500.0) }.min_ratio(), 0.0);
}
