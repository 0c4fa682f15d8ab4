//! The passes on a road in three dimensions: the tyres' limits change with the load, gravity acts
//! along and across.
//!
//! The relations are those of the level passes (`passes`), with w = v² and the load factor λ(w),
//! the lateral acceleration y(w) and gravity along the line g_x of [`Ground`]:
//!
//! ```text
//! cornering   y(w) ≤ μ λ(w) A_y(w)                                                           (1)
//! driving     a = min(t, drive(w) - drag of cornering) - resistance(w) - g_x                 (2)
//! braking     a = t + resistance(w) + g_x          t = μ λ A_x(w) (1 - (y / μ λ A_y)^p)^(1/p)  (3)
//! ```
//!
//! Since λ depends on w, no step has a closed form: each is one equation in w', solved by bisection
//! and the secant method within its bracket.

use super::ground::Ground;
use super::passes::{CoursePasses, FLOOR};
use raceline_car::{GgDiagram, SpeedCurve, Superellipse, Turning};

/// Relative accuracy of w.
const TOLERANCE: f64 = 1e-11;
/// Maximum number of evaluations of an equation; about six are usual.
const MAX_EVALUATIONS: usize = 80;
/// Fractions of the highest speed, 0 to 1, at which cornering is looked for its first violation.
/// More of them find a limit that is violated at a middle speed alone, at a cost in proportion.
const SPEEDS: [f64; 7] = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0];

/// A line on a road in three dimensions and its vehicle.
pub(super) struct SpatialPasses<'a> {
    pub diagram: &'a GgDiagram,
    /// Curvature in the surface that each axle drives, 1/m: front and rear.
    pub axles: [Vec<f64>; 2],
    /// Highest w of other limits at each point, m²/s².
    pub ceilings: Vec<f64>,
    pub turning: Turning,
    /// Lengths in space, m.
    pub step_lengths: Vec<f64>,
    pub grip: &'a [f64],
    pub grounds: &'a [Ground],
}

/// The tyres at a point and a speed.
struct PointTyres {
    /// Factor of grip and load on their longitudinal limits.
    load: f64,
    /// Lateral limit of the tyres, m/s².
    lateral: f64,
    /// Lateral acceleration that they must give, m/s².
    across: f64,
}

impl PointTyres {
    /// t, the longitudinal acceleration that they have left of a limit, m/s².
    fn left(&self, (limit, ellipse): (&SpeedCurve, Superellipse), w: f64) -> f64 {
        if self.across >= self.lateral {
            return 0.0;
        }
        self.load * limit.at(w) * ellipse.remaining(self.across / self.lateral) // t of equation (3)
    }
}

impl SpatialPasses<'_> {
    /// Lowers the speeds from point `begin` on to what `gain`, an acceleration by point and w in
    /// m/s², reaches from the point before in the order of the pass: `w' = w + d (gain(w) +
    /// gain(w'))`. `follow` gives the point that follows one in that order, and the number of the
    /// step between both.
    fn limit_by_steps(
        &self,
        follow: impl Fn(usize) -> (usize, usize),
        gain: impl Fn(usize, f64) -> f64,
        begin: usize,
        stop_where_settled: bool,
        speed_squared: &mut [f64],
    ) {
        let mut i = begin;
        for _ in 0..self.step_lengths.len() {
            let (next, number) = follow(i);
            let (step, limit, w) = (self.step_lengths[number], speed_squared[next], speed_squared[i]);
            let here = gain(i, w);
            let excess = |end: f64| end - w - step * (here + gain(next, end));
            let beyond = excess(limit);
            if limit > FLOOR && beyond > 0.0 {
                let guess = w + 2.0 * step * here;
                speed_squared[next] = root(excess, (FLOOR, -limit), (limit, beyond), guess).max(FLOOR);
            } else if stop_where_settled {
                return;
            }
            i = next;
        }
    }

    fn tyres(&self, i: usize, w: f64) -> PointTyres {
        let ground = &self.grounds[i];
        let loaded = |downforce: f64| self.grip[i] * ground.load_factor(w, downforce).max(0.0);
        let load = loaded(self.diagram.downforce_over_mass());
        let lateral_load =
            if self.diagram.grows_alike() { load } else { loaded(self.diagram.lateral_downforce_over_mass()) };
        let [front, rear] = [0, 1].map(|axle| (self.axles[axle][i] * w + ground.gravity_across).abs());
        PointTyres { lateral: lateral_load * self.diagram.lateral_limit(w), load, across: front.max(rear) }
    }

    fn driving(&self, i: usize, w: f64) -> f64 {
        let tyres = self.tyres(i, w);
        let drag = if tyres.across > 0.0 {
            self.turning.slip_drag_rad * tyres.across * tyres.across / tyres.lateral.max(f64::MIN_POSITIVE)
        } else {
            0.0
        };
        let drive = self.diagram.drive_limit(w) - drag.min(tyres.across);
        // Equation (2).
        tyres.left(self.diagram.driving(), w).min(drive) - self.diagram.resistance(w) - self.grounds[i].gravity_along
    }

    fn braking(&self, i: usize, w: f64) -> f64 {
        // Equation (3).
        self.tyres(i, w).left((self.diagram.longitudinal(), self.diagram.ellipse()), w)
            + self.diagram.resistance(w)
            + self.grounds[i].gravity_along
    }

    /// Lateral acceleration beyond the tyres' limit, m/s².
    fn excess(&self, i: usize, w: f64) -> f64 {
        let tyres = self.tyres(i, w);
        tyres.across - tyres.lateral // equation (1)
    }

    /// The highest speed at a point by cornering, up to which all speeds are possible. Where the
    /// road is so steep that low speeds are not, it is the end of the first range that is.
    fn cornering(&self, i: usize, ceiling: f64) -> f64 {
        let ceiling = ceiling
            .min(self.ceilings[i])
            .min(self.grounds[i].flying_speed_squared(self.diagram.lateral_downforce_over_mass()));
        if ceiling <= FLOOR {
            return FLOOR;
        }
        let mut below = (FLOOR, self.excess(i, FLOOR));
        let mut is_possible = below.1 <= 0.0;
        for fraction in SPEEDS {
            let w = (fraction * fraction * ceiling).max(FLOOR);
            let excess = self.excess(i, w);
            if is_possible && excess > 0.0 {
                let guess = 0.5 * (below.0 + w);
                return root(|w| self.excess(i, w), below, (w, excess), guess).max(FLOOR);
            }
            is_possible |= excess <= 0.0;
            below = (w, excess);
        }
        if is_possible { ceiling } else { FLOOR }
    }
}

/// The root of `f` between two places with their values, the first negative, the second positive,
/// from an estimate: the secant method of the Illinois kind. The values may be rough; they only
/// place the next estimate.
fn root(f: impl Fn(f64) -> f64, mut low: (f64, f64), mut high: (f64, f64), guess: f64) -> f64 {
    let mut w = guess.clamp(low.0, high.0);
    let mut was_low = None;
    for _ in 0..MAX_EVALUATIONS {
        let value = f(w);
        if value == 0.0 {
            return w;
        }
        let is_low = value < 0.0;
        // The value at an end that is kept twice in a row is halved, so that both ends move.
        if is_low {
            low = (w, value);
            high.1 *= if was_low == Some(true) { 0.5 } else { 1.0 };
        } else {
            high = (w, value);
            low.1 *= if was_low == Some(false) { 0.5 } else { 1.0 };
        }
        was_low = Some(is_low);
        let next = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
        if (next - w).abs() <= TOLERANCE * w {
            return next;
        }
        w = next;
    }
    w
}

impl CoursePasses for SpatialPasses<'_> {
    fn limit_by_cornering(&self, ceiling: f64, speed_squared: &mut Vec<f64>) {
        speed_squared.clear();
        speed_squared.extend((0..self.grounds.len()).map(|i| self.cornering(i, ceiling)));
    }

    fn limit_by_driving(&mut self, begin: usize, stop_where_settled: bool, speed_squared: &mut [f64]) {
        let n = speed_squared.len();
        let next = |i: usize| (if i + 1 == n { 0 } else { i + 1 }, i);
        self.limit_by_steps(next, |i, w| self.driving(i, w), begin, stop_where_settled, speed_squared);
    }

    fn limit_by_braking(&mut self, begin: usize, stop_where_settled: bool, speed_squared: &mut [f64]) {
        let n = speed_squared.len();
        let begin = if self.step_lengths.len() < n { n - 1 } else { begin };
        let previous = |i: usize| {
            let previous = if i == 0 { n - 1 } else { i - 1 };
            (previous, previous)
        };
        self.limit_by_steps(previous, |i, w| self.braking(i, w), begin, stop_where_settled, speed_squared);
    }
}

#[cfg(test)]
mod tests;
