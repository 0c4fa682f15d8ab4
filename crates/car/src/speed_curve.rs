//! A limit over speed, compiled for evaluation at w = v², the squared speed, over which speed
//! profiles integrate.
//!
//! A curve consists of pieces of one form,
//!
//! ```text
//! f(v) = constant + linear v + square v² + inverse / v
//! ```
//!
//! This form covers all vehicle limits: a value that grows with downforce (`constant + square w`,
//! without a square root), a table between its points (`linear`), a rounded kink (`linear` and
//! `square`), a power (`inverse`).
//!
//! The pieces of a table follow it exactly except near its points, where a quadratic in v rounds
//! the kink over [`ROUNDED_FRACTION`] of the shorter neighbouring interval to either side. The slope
//! changes linearly from one side's to the other's, so the curve is continuously differentiable and
//! is monotonic where the table is. Below the first point and beyond the last it is constant. At
//! standstill dv/dw is infinite. A table that begins there is therefore continued to negative
//! speeds as its mirror image, whose kink is rounded like any other: there the curve is linear in
//! w, and all derivatives are finite.

use raceline_numerics::bisected;

/// Fraction of the shorter neighbouring interval over which a kink is rounded, to either side. A
/// larger value makes derivatives smoother, a smaller one stays closer to the table: a kink between
/// slopes l and r moves by (r - l) / 4 times this length.
const ROUNDED_FRACTION: f64 = 0.125;
/// The kink between force and power is rounded over this fraction of the speed where they meet; the
/// curve stays within a quarter of this fraction of the force.
const POWER_KNEE_FRACTION: f64 = 1.0 / 32.0;
/// Steps of bisection: more than a double has bits.
const BISECTIONS: usize = 128;

/// A value with its first and second derivatives with respect to w = v², the squared speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// First derivative with respect to w.
    pub slope: f64,
    /// Second derivative with respect to w; at the joint of two pieces, that of the faster
    /// side.
    pub bend: f64,
}

/// A limit over speed as pieces in w = v². There is at least one piece; the first begins at 0, the
/// last extends to infinity.
///
/// ```
/// use raceline_car::SpeedCurve;
///
/// // 10 m/s² at standstill, 0.002 m/s² more for each m²/s² of squared speed.
/// let limit = SpeedCurve::growing(10.0, 0.002);
/// assert_eq!(limit.at(50.0 * 50.0), 15.0);
/// assert_eq!(limit.jet(2500.0).slope, 0.002);
/// // A table by speed, constant beyond its ends.
/// let drive = SpeedCurve::table(&[[0.0, 8.0], [40.0, 4.0]]);
/// assert!((drive.at(20.0 * 20.0) - 6.0).abs() < 1e-12);
/// assert_eq!(drive.at(90.0 * 90.0), 4.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedCurve {
    pieces: Vec<Piece>,
    /// The minimum of f / w up to the end of each piece, which [`Self::first_crossing`] searches.
    min_ratios: Vec<f64>,
}

/// `constant + linear v + square v² + inverse / v` for `begin` ≤ w < `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// First w, m²/s².
    pub begin: f64,
    /// Last w, m²/s².
    pub end: f64,
    /// Coefficient of 1.
    pub constant: f64,
    /// Coefficient of v.
    pub linear: f64,
    /// Coefficient of v².
    pub square: f64,
    /// Coefficient of 1/v.
    pub inverse: f64,
}

impl SpeedCurve {
    /// `constant + growth w` at every speed.
    #[must_use]
    pub fn growing(constant: f64, growth: f64) -> Self {
        Self::of_pieces(vec![Piece { constant, square: growth, ..Piece::NOTHING }])
    }

    /// The table through `points` (speed m/s, value), with rounded kinks. The speeds must increase
    /// from 0 or more and the values must be finite; an empty table is 0.
    #[must_use]
    pub fn table(points: &[[f64; 2]]) -> Self {
        let Some(&[first_speed, first]) = points.first() else { return Self::growing(0.0, 0.0) };
        let slope = |i: usize| (points[i + 1][1] - points[i][1]) / (points[i + 1][0] - points[i][0]);
        let intervals = points.len() - 1;
        let mut pieces = Vec::with_capacity(2 * points.len() + 1);
        // The current piece, which ends where the next begins.
        let mut current = Piece { constant: first, ..Piece::NOTHING };
        let mut push = |current: &mut Piece, begin: f64, next: Piece| {
            let begin = begin * begin;
            pieces.push(Piece { end: begin, ..*current });
            *current = Piece { begin, ..next };
        };
        for (i, &[speed, value]) in points.iter().enumerate() {
            let after = if i < intervals { slope(i) } else { 0.0 };
            let before = match i {
                0 if first_speed == 0.0 => -after,
                0 => 0.0,
                _ => slope(i - 1),
            };
            if before == after {
                // No kink: the line continues.
                continue;
            }
            let room_before = if i == 0 { speed } else { speed - points[i - 1][0] };
            let room_after = if i < intervals { points[i + 1][0] - speed } else { f64::INFINITY };
            let room = if room_before == 0.0 { room_after } else { room_before.min(room_after) };
            let half = ROUNDED_FRACTION * room;
            // before x + square (x + half)² with x from the point, multiplied out.
            let square = (after - before) / (4.0 * half);
            let rounded = Piece {
                constant: value - before * speed + square * (speed - half) * (speed - half),
                linear: before + 2.0 * square * (half - speed),
                square,
                ..Piece::NOTHING
            };
            if speed == 0.0 {
                current = Piece { linear: 0.0, ..rounded };
            } else {
                push(&mut current, speed - half, rounded);
            }
            push(&mut current, speed + half, line_through([speed, value], after));
        }
        pieces.push(current);
        Self::of_pieces(pieces)
    }

    /// The smaller of `highest` and `inverse / v`, with the kink between them rounded from below.
    #[must_use]
    pub fn falling_with_speed(highest: f64, inverse: f64) -> Self {
        // A parabola with zero slope at `begin` that touches inverse / v at `end`, at
        // (1 + POWER_KNEE_FRACTION) times the kink's speed.
        let kink = inverse / highest;
        let end = kink * (1.0 + POWER_KNEE_FRACTION);
        let begin = kink * (1.0 - POWER_KNEE_FRACTION - 2.0 * POWER_KNEE_FRACTION * POWER_KNEE_FRACTION);
        let square = -inverse / (2.0 * end * end * (end - begin));
        let knee = Piece {
            begin: begin * begin,
            end: end * end,
            constant: highest + square * begin * begin,
            linear: -2.0 * square * begin,
            square,
            inverse: 0.0,
        };
        Self::of_pieces(vec![
            Piece { end: knee.begin, constant: highest, ..Piece::NOTHING },
            knee,
            Piece { begin: knee.end, inverse, ..Piece::NOTHING },
        ])
    }

    /// The curve with the speeds between the first and the last of `knots` (speed m/s, value, slope
    /// with respect to v) replaced by parabolas through them, two between each two knots. It is
    /// continuously differentiable if the first and the last knot are on the curve, with its slope.
    #[must_use]
    pub(crate) fn through_knots(&self, knots: &[[f64; 3]]) -> Self {
        let (Some(&[first, ..]), Some(&[last, ..])) = (knots.first(), knots.last()) else { return self.clone() };
        let (first, last) = (first * first, last * last);
        let before = self.pieces.iter().filter(|piece| piece.begin < first);
        let mut pieces: Vec<Piece> = before.map(|piece| Piece { end: piece.end.min(first), ..*piece }).collect();
        for pair in knots.windows(2) {
            let [[v0, y0, s0], [v1, y1, s1]] = [pair[0], pair[1]];
            // The slope in the middle at which both parabolas meet (Schumaker, *On shape preserving
            // quadratic spline interpolation*, SIAM J. Numer. Anal. 20 (1983), theorem 2.1).
            let (middle, half) = (f64::midpoint(v0, v1), 0.5 * (v1 - v0));
            let between = (y1 - y0) / half - 0.5 * (s0 + s1);
            for ([v, y, s], square, [begin, end]) in [
                ([v0, y0, s0], (between - s0) / (2.0 * half), [v0, middle]),
                ([v1, y1, s1], (s1 - between) / (2.0 * half), [middle, v1]),
            ] {
                let (constant, linear) = (y - s * v + square * v * v, s - 2.0 * square * v);
                pieces.push(Piece { begin: begin * begin, end: end * end, constant, linear, square, inverse: 0.0 });
            }
        }
        let after = self.pieces.iter().filter(|piece| piece.end > last);
        pieces.extend(after.map(|piece| Piece { begin: piece.begin.max(last), ..*piece }));
        Self::of_pieces(pieces)
    }

    fn of_pieces(pieces: Vec<Piece>) -> Self {
        let mut lowest = f64::INFINITY;
        let min_ratios = pieces
            .iter()
            .map(|piece| {
                lowest = lowest.min(piece.min_ratio());
                lowest
            })
            .collect();
        Self { pieces, min_ratios }
    }

    /// The value at the squared speed `w` ≥ 0, m²/s².
    #[inline]
    #[must_use]
    pub fn at(&self, w: f64) -> f64 {
        self.piece(w, &mut 0).at(w)
    }

    /// The value at the squared speed `w` ≥ 0, m²/s², and its derivatives with respect to w.
    #[must_use]
    pub fn jet(&self, w: f64) -> Jet {
        let Piece { constant, linear, square, inverse, .. } = *self.piece(w, &mut 0);
        let mut jet = Jet { value: constant + square * w, slope: square, bend: 0.0 };
        if linear != 0.0 || inverse != 0.0 {
            // Pieces with such terms begin above standstill.
            let v = w.sqrt();
            jet.value += linear * v + inverse / v;
            jet.slope += (linear - inverse / w) / (2.0 * v);
            jet.bend += (3.0 * inverse / w - linear) / (4.0 * w * v);
        }
        jet
    }

    /// The piece that contains `w`; the search starts from the piece `cursor`, which is updated.
    /// Along a lap the speed changes little between points, so the piece is nearly always the same.
    #[inline]
    pub fn piece(&self, w: f64, cursor: &mut usize) -> &Piece {
        let last = self.pieces.len() - 1;
        let mut at = (*cursor).min(last);
        while at < last && w >= self.pieces[at].end {
            at += 1;
        }
        while at > 0 && w < self.pieces[at].begin {
            at -= 1;
        }
        *cursor = at;
        &self.pieces[at]
    }

    /// The pieces in order of increasing speed.
    #[inline]
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The only piece of a curve that has one piece.
    #[must_use]
    pub fn only_piece(&self) -> Option<&Piece> {
        if let [piece] = &self.pieces[..] { Some(piece) } else { None }
    }

    /// The lowest w at which the curve falls below the line `ratio` w through the origin; infinite
    /// where there is none. The curve must be positive at standstill.
    #[must_use]
    pub fn first_crossing(&self, ratio: f64) -> f64 {
        let index = self.min_ratios.partition_point(|&lowest| lowest >= ratio);
        match self.pieces.get(index) {
            // The piece begins on or above the line, so the required root of f(v) - ratio v² is the
            // one at which it falls.
            Some(piece) => {
                Piece { square: piece.square - ratio, ..*piece }.falling_root().max(piece.begin).min(piece.end)
            }
            None => f64::INFINITY,
        }
    }

    /// The highest w at which the curve is at least `constant + growth w`, where neither is
    /// negative; infinite where it always is, 0 where it never is.
    #[must_use]
    pub fn last_reaching(&self, constant: f64, growth: f64) -> f64 {
        // From the fastest piece down: the first piece that reaches the line contains the result.
        for piece in self.pieces.iter().rev() {
            let over = Piece { constant: piece.constant - constant, square: piece.square - growth, ..*piece };
            if over.is_nowhere_negative_at_its_end() {
                return piece.end;
            }
            let root = over.falling_root();
            if root >= piece.begin && root <= piece.end {
                return root;
            }
            if over.at_begin() >= 0.0 {
                // Rounding has moved the root just outside the piece, to either side.
                return if root > piece.end { piece.end } else { piece.begin };
            }
        }
        0.0
    }
}

impl Piece {
    const NOTHING: Self =
        Self { begin: 0.0, end: f64::INFINITY, constant: 0.0, linear: 0.0, square: 0.0, inverse: 0.0 };

    /// Whether the value is linear in w, so that no square root is needed.
    #[inline]
    #[must_use]
    pub fn is_rootless(&self) -> bool {
        self.linear == 0.0 && self.inverse == 0.0
    }

    /// The value at `w`, which may lie outside the piece.
    #[inline]
    #[must_use]
    pub fn at(&self, w: f64) -> f64 {
        let rootless = self.constant + self.square * w;
        if self.is_rootless() {
            return rootless;
        }
        let v = w.sqrt();
        let value = rootless + self.linear * v;
        if self.inverse == 0.0 { value } else { value + self.inverse / v }
    }

    fn at_begin(&self) -> f64 {
        self.at(self.begin)
    }

    fn is_nowhere_negative_at_its_end(&self) -> bool {
        if self.end.is_finite() {
            return self.at(self.end) >= 0.0;
        }
        // Determined by the term that grows fastest.
        let terms = [self.square, self.linear, self.constant, self.inverse];
        terms.into_iter().find(|&term| term != 0.0).is_none_or(|term| term > 0.0)
    }

    /// The w at which the value falls through zero, possibly outside the piece; NaN or negative
    /// where there is none.
    fn falling_root(&self) -> f64 {
        let Self { constant, linear, square, inverse, .. } = *self;
        if inverse != 0.0 {
            return self.falling_root_by_bisection();
        }
        // Of the two roots of a parabola in v, the value falls at (-linear - √d) / (2 square), for
        // any signs.
        let root = (linear * linear - 4.0 * square * constant).sqrt();
        let v = if linear > 0.0 { (-linear - root) / (2.0 * square) } else { 2.0 * constant / (root - linear) };
        if v > 0.0 { v * v } else { f64::NAN }
    }

    /// With `inverse`, the value decreases monotonically if the other terms do not increase, which
    /// holds for all vehicles.
    fn falling_root_by_bisection(&self) -> f64 {
        let mut low = self.begin.max(f64::MIN_POSITIVE);
        if self.at(low) < 0.0 {
            return f64::NAN;
        }
        let mut high = if self.end.is_finite() { self.end } else { (2.0 * low).max(1.0) };
        while self.at(high) > 0.0 && high.is_finite() {
            (low, high) = (high, 2.0 * high);
        }
        let [root, _] = bisected([low, high], BISECTIONS, |w| self.at(w) >= 0.0);
        root
    }

    /// The minimum of f / w in the piece.
    fn min_ratio(&self) -> f64 {
        let at = |w: f64| match w {
            0.0 => f64::INFINITY,
            f64::INFINITY => self.square,
            _ => self.at(w) / w,
        };
        let ends = at(self.begin).min(at(self.end));
        // In terms of x = 1/v it is the parabola constant x² + linear x + square.
        let inside = 2.0 * self.constant / self.linear;
        if self.constant > 0.0 && self.linear < 0.0 && inside * inside > self.begin && inside * inside < self.end {
            return ends.min(self.square - self.linear * self.linear / (4.0 * self.constant));
        }
        ends
    }
}

/// The line through `point` with a given slope with respect to v.
fn line_through([speed, value]: [f64; 2], slope: f64) -> Piece {
    Piece { constant: value - slope * speed, linear: slope, ..Piece::NOTHING }
}

#[cfg(test)]
mod tests;
