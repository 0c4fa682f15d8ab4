//! Whether a road folds or touches itself.
//!
//! A road of half width h folds where its centre line's curvature exceeds 1/h. Two legs of it touch
//! where points that are far apart along the line come nearer to each other than 2 h. A line whose
//! curvature is at most κ cannot come back near a point within π/κ along it (Schur's theorem: a chord
//! is at least as long as that of a circle of curvature κ), so only points farther apart are compared.

use super::road::CentreLine;
use raceline_road::geometry::{Ends, Segment, Vector, cross};

/// Largest curvature times half the width.
pub(super) const MAX_FOLD: f64 = 0.85;
/// Minimum distance between the centre lines of two legs, in widths.
pub(super) const MIN_DISTANCE_WIDTHS: f64 = 1.2;
/// Along the line, points nearer than this are not compared, in widths: π/κ of the tightest bend that
/// `rounding` makes.
const NEIGHBOURS_WIDTHS: f64 = 2.1;
/// Sine of the smallest angle of a crossing.
const MIN_CROSSING_SIN: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// Along either leg, points this near to a crossing belong to it, in widths: the distance above over
/// the sine, and a bit for bent legs.
const CROSSING_REACH_WIDTHS: f64 = 2.2;
/// Maximum number of crossings of a road.
const MAX_CROSSINGS: usize = 12;

/// Whether the road of this width neither folds nor touches itself; with `crossings` it must cross
/// itself at least once.
pub(super) fn is_sound(line: &CentreLine, width_m: f64, crossings: bool) -> bool {
    let count = line.points.len();
    let positions = line.curve.positions();
    let sharpest = positions[..count].iter().map(|&s| line.curve.at(s).curvature().abs()).fold(0.0, f64::max);
    if sharpest * width_m / 2.0 > MAX_FOLD {
        return false;
    }
    let pairs = near_pairs(line, width_m);
    if !crossings {
        return pairs.is_empty();
    }
    let crossed: Vec<(usize, usize)> =
        pairs.iter().copied().filter(|&(i, j)| cross_sin(line, i, j).is_some()).collect();
    let reach = CROSSING_REACH_WIDTHS * width_m;
    let belongs = |&(i, j): &(usize, usize)| {
        crossed.iter().any(|&(a, b)| {
            let near = |k, l| line.apart_m(k, l) <= reach;
            near(i, a) && near(j, b) || near(i, b) && near(j, a)
        })
    };
    (1..=MAX_CROSSINGS).contains(&crossed.len())
        && crossed.iter().all(|&(i, j)| cross_sin(line, i, j).is_some_and(|sin| sin >= MIN_CROSSING_SIN))
        && pairs.iter().all(belongs)
}

/// Pairs of points that are near to each other but not along the line, in the order of x.
fn near_pairs(line: &CentreLine, width_m: f64) -> Vec<(usize, usize)> {
    let reach = MIN_DISTANCE_WIDTHS * width_m;
    let mut order: Vec<usize> = (0..line.points.len()).collect();
    order.sort_by(|&a, &b| line.points[a].x.total_cmp(&line.points[b].x).then(a.cmp(&b)));
    let mut pairs = Vec::new();
    for (rank, &i) in order.iter().enumerate() {
        let here = line.points[i];
        for &j in &order[rank + 1..] {
            let off: Vector = line.points[j] - here;
            if off.x >= reach {
                break;
            }
            if off.norm_squared() < reach * reach && line.apart_m(i, j) > NEIGHBOURS_WIDTHS * width_m {
                pairs.push((i, j));
            }
        }
    }
    pairs
}

/// Sine of the angle at which the pieces after points `i` and `j` cross; `None` where they don't.
fn cross_sin(line: &CentreLine, i: usize, j: usize) -> Option<f64> {
    let n = line.points.len();
    let piece = |k: usize| {
        let has_next = k + 1 < n || line.curve.is_closed();
        has_next.then(|| Segment::new(line.points[k], line.points[(k + 1) % n]))
    };
    let (one, other) = (piece(i)?, piece(j)?);
    let (along, across) = (one.vector(), other.vector());
    one.meets(other, Ends::Starts).then(|| cross(along, across).abs() / (along.norm() * across.norm()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raceline_road::geometry::{Point, SplineCurve};

    fn line(points: Vec<Point>, closed: bool) -> CentreLine {
        CentreLine { curve: SplineCurve::through(&points, closed).unwrap(), points }
    }

    fn circle(radius: f64) -> CentreLine {
        let point = |i: i32| {
            let angle = f64::from(i) / 200.0 * std::f64::consts::TAU;
            Point::new(radius * angle.cos(), radius * angle.sin())
        };
        line((0..200).map(point).collect(), true)
    }

    #[test]
    fn a_circle_folds_where_half_its_width_exceeds_its_radius() {
        assert!(is_sound(&circle(10.0), 16.0, false));
        assert!(!is_sound(&circle(10.0), 17.1, false));
    }

    #[test]
    fn two_legs_touch_below_the_distance() {
        let u_turn = |gap: f64| {
            let leg = |i: i32| Point::new(f64::from(i), 0.0);
            let arc = (1..40).map(|i| {
                let angle = f64::from(i) / 40.0 * std::f64::consts::PI;
                Point::new(60.0 + gap / 2.0 * angle.sin(), gap / 2.0 * (1.0 - angle.cos()))
            });
            let back = (0..=60).map(|i| Point::new(60.0 - f64::from(i), gap));
            line((0..=60).map(leg).chain(arc).chain(back).collect(), false)
        };
        assert!(near_pairs(&u_turn(10.0), 10.0 / 1.25).is_empty());
        assert!(!near_pairs(&u_turn(10.0), 10.0 / 1.15).is_empty());
    }

    #[test]
    fn an_eight_is_sound_where_crossings_are_asked_for() {
        // The lemniscate of Gerono crosses itself at a right angle if it is as high as wide.
        let point = |i: i32| {
            let t = (f64::from(i) + 0.3) / 400.0 * std::f64::consts::TAU;
            Point::new(100.0 * t.sin(), 100.0 * t.sin() * t.cos())
        };
        let eight = line((0..400).map(point).collect(), true);
        assert!(is_sound(&eight, 6.0, true));
        assert!(!is_sound(&eight, 6.0, false));
        assert!(!is_sound(&circle(20.0), 6.0, true), "a circle does not cross itself");
    }
}
