//! Closed centre lines of straights and arcs: a polygon whose corners are rounded.

use std::f64::consts::{PI, TAU};

/// A corner of the polygon: x, y and the radius of the arc that rounds it, metres.
pub type Corner = [f64; 3];

/// A point of the plane, metres.
pub type Point = [f64; 2];

/// A piece of the centre line.
#[derive(Clone, Copy, Debug)]
enum Piece {
    Straight {
        from: Point,
        direction: Point,
        length: f64,
    },
    /// `sweep` is positive counter-clockwise.
    Arc {
        centre: Point,
        radius: f64,
        first_angle: f64,
        sweep: f64,
    },
}

/// A closed line of straights and arcs without kinks.
#[derive(Clone, Debug)]
pub struct CentreLine {
    /// Each with the distance of its beginning from that of the line.
    pieces: Vec<(f64, Piece)>,
    length: f64,
}

/// The place of the line next to a point.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Distance from the point, metres.
    pub distance: f64,
    /// Distance along the line, metres.
    pub along: f64,
    /// Unit vector from the line to the point.
    pub away: Point,
}

impl CentreLine {
    /// The polygon through `corners`, in the order of travel, with its corners rounded.
    pub fn rounded(corners: &[Corner]) -> Result<Self, String> {
        let n = corners.len();
        // Per corner: where its arc begins and ends, and the arc.
        let arcs =
            (0..n).map(|i| rounding(corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n])).collect::<Vec<_>>();
        let mut line = Self { pieces: Vec::new(), length: 0.0 };
        for i in 0..n {
            let ((_, arc_end, arc), (next_begin, ..)) = (arcs[i], arcs[(i + 1) % n]);
            line.push(arc);
            let (corner, next) = (corners[i], corners[(i + 1) % n]);
            let edge = unit([next[0] - corner[0], next[1] - corner[1]]);
            let gap = [next_begin[0] - arc_end[0], next_begin[1] - arc_end[1]];
            let length = gap[0] * edge[0] + gap[1] * edge[1];
            // The arcs of a stadium meet with no straight between them.
            if length < -1e-9 {
                return Err(format!("the arcs of corners {i} and {} overlap by {:.3} m", (i + 1) % n, -length));
            }
            if length > 1e-9 {
                line.push(Piece::Straight { from: arc_end, direction: edge, length });
            }
        }
        Ok(line)
    }

    fn push(&mut self, piece: Piece) {
        self.pieces.push((self.length, piece));
        self.length += match piece {
            Piece::Straight { length, .. } => length,
            Piece::Arc { radius, sweep, .. } => radius * sweep.abs(),
        };
    }

    /// Length of the line, metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The middle of the longest straight, metres.
    pub fn middle_of_longest_straight(&self) -> Point {
        let mut best = (0.0, [0.0, 0.0]);
        for (_, piece) in &self.pieces {
            if let Piece::Straight { from, direction, length } = *piece
                && length > best.0
            {
                best = (length, [from[0] + direction[0] * length / 2.0, from[1] + direction[1] * length / 2.0]);
            }
        }
        best.1
    }

    /// Signed area inside the line's polygon of pieces: positive when it is driven
    /// counter-clockwise. Only its sign is of use, so arcs count as their chords.
    pub fn is_counter_clockwise(&self) -> bool {
        let points: Vec<Point> = self
            .pieces
            .iter()
            .map(|(_, piece)| match *piece {
                Piece::Straight { from, .. } => from,
                Piece::Arc { centre, radius, first_angle, .. } => {
                    [centre[0] + radius * first_angle.cos(), centre[1] + radius * first_angle.sin()]
                }
            })
            .collect();
        let crosses = points.iter().zip(points.iter().cycle().skip(1)).map(|(a, b)| a[0] * b[1] - a[1] * b[0]);
        crosses.sum::<f64>() > 0.0
    }

    /// The foot that `reach` puts farthest inside: the greatest `reach(along) - distance`, with
    /// that value. For a road of half-width `reach` it is the signed distance to the road's edge,
    /// positive inside.
    pub fn deepest(&self, p: Point, reach: impl Fn(f64) -> f64) -> (f64, Foot) {
        let mut best = (f64::NEG_INFINITY, Foot { distance: f64::INFINITY, along: 0.0, away: [1.0, 0.0] });
        for &(begin, piece) in &self.pieces {
            if let Some(foot) = piece.foot(p) {
                let foot = Foot { along: begin + foot.along, ..foot };
                let depth = reach(foot.along) - foot.distance;
                if depth > best.0 {
                    best = (depth, foot);
                }
            }
        }
        best
    }
}

impl Piece {
    /// The foot of `p`; `None` beside an arc, where the ends of its neighbours are nearer.
    fn foot(&self, p: Point) -> Option<Foot> {
        match *self {
            Self::Straight { from, direction, length } => {
                let offset = [p[0] - from[0], p[1] - from[1]];
                let along = (offset[0] * direction[0] + offset[1] * direction[1]).clamp(0.0, length);
                let rest = [offset[0] - along * direction[0], offset[1] - along * direction[1]];
                Some(Foot { distance: norm(rest), along, away: unit(rest) })
            }
            Self::Arc { centre, radius, first_angle, sweep } => {
                let offset = [p[0] - centre[0], p[1] - centre[1]];
                let turned = ((offset[1].atan2(offset[0]) - first_angle) * sweep.signum()).rem_euclid(TAU);
                if turned > sweep.abs() {
                    return None;
                }
                let excess = norm(offset) - radius;
                let outwards = unit(offset);
                let away = [outwards[0] * excess.signum(), outwards[1] * excess.signum()];
                Some(Foot { distance: excess.abs(), along: turned * radius, away })
            }
        }
    }
}

/// Where the arc that rounds `corner` begins and ends, and the arc.
fn rounding(before: Corner, corner: Corner, after: Corner) -> (Point, Point, Piece) {
    let [x, y, radius] = corner;
    let arriving = unit([x - before[0], y - before[1]]);
    let leaving = unit([after[0] - x, after[1] - y]);
    let cross = arriving[0] * leaving[1] - arriving[1] * leaving[0];
    let turn = cross.atan2(arriving[0] * leaving[0] + arriving[1] * leaving[1]);
    let tangent = radius * (turn / 2.0).tan().abs();
    let begin = [x - arriving[0] * tangent, y - arriving[1] * tangent];
    let end = [x + leaving[0] * tangent, y + leaving[1] * tangent];
    // The centre lies on the side that the line turns to.
    let side = turn.signum();
    let centre = [begin[0] - arriving[1] * radius * side, begin[1] + arriving[0] * radius * side];
    let first_angle = arriving[1].atan2(arriving[0]) - side * PI / 2.0;
    (begin, end, Piece::Arc { centre, radius, first_angle, sweep: turn })
}

fn norm(v: Point) -> f64 {
    v[0].hypot(v[1])
}

/// `v` at length 1; any unit vector for none.
fn unit(v: Point) -> Point {
    let length = norm(v);
    if length > 0.0 { [v[0] / length, v[1] / length] } else { [1.0, 0.0] }
}
