//! Whether points that move along given directions resolve a line.
//!
//! Three-point curvature is that of a curve only where the line turns little from point to point. A
//! reversal at one point is far cheaper than the bend that it stands for: between chords of length
//! d it costs `4/d`, however sharp it is. Where a road is wide against its bends, sections fan, and
//! their directions may come close to that of a line. Such a line would jump along one section and
//! back along the next. So a step that turns the line too far at a point, or along a direction, is
//! not taken there.

use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector, cross};

/// Largest change of heading at a point, radians. The chords of a line that is resolved turn by
/// about 0.1.
const MAX_TURN_RAD: f64 = 0.6;
/// Smallest sine of the angle at which the line crosses a direction.
const MIN_CROSSING_SINE: f64 = 0.25;
/// A point that is strained already may become worse by this, due to rounding.
const TOLERANCE: f64 = 1e-9;

/// Points of a line with the directions in which they move, to the left of travel.
pub(super) struct Moving<'a> {
    pub directions: &'a [Vector],
    pub closed: bool,
}

impl Moving<'_> {
    /// Indices of the points of `line` at which it turns too far or crosses a direction too
    /// obliquely, and more so than `before`.
    pub fn strained(&self, line: &[Point], before: &[Point]) -> Vec<usize> {
        let n = line.len();
        let chords = if self.closed { n } else { n.saturating_sub(1) };
        let mut strained = Vec::new();
        for i in 0..chords {
            let oblique = self.obliqueness(line, i);
            if oblique > -MIN_CROSSING_SINE && oblique > self.obliqueness(before, i) + TOLERANCE {
                strained.push(i);
            }
            let is_inner = self.closed || i > 0;
            if is_inner {
                let turn = turn(line, i);
                if turn > MAX_TURN_RAD && turn > self::turn(before, i) + TOLERANCE {
                    strained.push(i);
                }
            }
        }
        strained
    }

    /// Whether `line` turns too far at a point or crosses a direction too obliquely.
    pub fn is_strained(&self, line: &[Point]) -> bool {
        let n = line.len();
        let chords = if self.closed { n } else { n.saturating_sub(1) };
        (0..chords).any(|i| {
            let is_inner = self.closed || i > 0;
            self.obliqueness(line, i) > -MIN_CROSSING_SINE || (is_inner && turn(line, i) > MAX_TURN_RAD)
        })
    }

    /// The negative sine of the angle between the chord from point `i` and the more oblique of the
    /// directions at its ends.
    fn obliqueness(&self, line: &[Point], i: usize) -> f64 {
        let next = (i + 1) % line.len();
        let chord = line[next] - line[i];
        let sine = |direction: Vector| cross(chord, direction) / (chord.norm() * direction.norm());
        -sine(self.directions[i]).min(sine(self.directions[next]))
    }
}

/// Change of heading at point `i`, radians, without sign.
fn turn(line: &[Point], i: usize) -> f64 {
    let n = line.len();
    let (before, after) = (line[i] - line[(i + n - 1) % n], line[(i + 1) % n] - line[i]);
    math::atan2(cross(before, after), before.dot(&after)).abs()
}

#[cfg(test)]
mod tests {
    use super::Moving;
    use raceline_road::geometry::{Point, Vector};

    #[test]
    fn a_spike_is_strained_where_it_is_and_a_straight_line_nowhere() {
        let straight: Vec<Point> = (0..9).map(|i| Point::new(2.0 * f64::from(i), 0.0)).collect();
        let moving = Moving { directions: &[Vector::y(); 9], closed: false };
        assert_eq!(moving.strained(&straight, &straight), Vec::<usize>::new());
        let mut spike = straight.clone();
        spike[4].y = 9.0;
        assert_eq!(moving.strained(&spike, &straight), vec![3, 3, 4, 4, 5]);
        assert!(moving.is_strained(&spike) && !moving.is_strained(&straight));
        // What is strained already may be kept.
        assert_eq!(moving.strained(&spike, &spike), Vec::<usize>::new());
    }
}
