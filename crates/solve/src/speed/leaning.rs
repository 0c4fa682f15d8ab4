//! The speed of a vehicle on two wheels, by how fast it leans.
//!
//! With the lean angle φ(κ w), see [`lean`], its largest rate p and the acceleration a_x,
//!
//! ```text
//! √w |c w + 2 κ a_x| φ'(κ w) ≤ p           φ'(y) = g / (g² + y²)                             (1)
//! ```
//!
//! Where the lean grows, braking takes from it, and where it falls, driving does. So the highest w
//! of a point is that at which all of either that the vehicle has, a, keeps to (1):
//!
//! ```text
//! √w (|c| w - 2 |κ| a(w, κ)) φ'(κ w) ≤ p                                                     (2)
//! ```
//!
//! Between two points a step of length d apart,
//!
//! ```text
//! |φ(κ₂ w₂) - φ(κ₁ w₁)| ≤ p 2 d / (√w₁ + √w₂)                                                (3)
//! ```
//!
//! A profile that violates (3) is solved again with the w of the greater lean lowered to it, some
//! times: what is lowered is reached with more braking and left with less drive. Deviation: where
//! the lean changes its sign within a step, (3) holds by (2) alone, and no profile is proven to be
//! the fastest.

use super::turning::changes;
use raceline_car::{GgDiagram, STANDARD_GRAVITY, Turning, lean};
use raceline_numerics::math;

/// Largest number of profiles that are solved again for equation (3); three are usual.
pub(super) const LEANING_ROUNDS: usize = 12;
/// What a w may be above that of equation (3) without another round, as a fraction of it.
const LOWERED: f64 = 1e-3;
/// Newton's steps for equation (2) at no acceleration, and halvings for the rest of it.
const UPRIGHT_STEPS: usize = 8;
const HALVINGS: usize = 40;

/// A line whose vehicle leans no faster than it can.
pub(super) struct Leaning {
    /// In the road's surface, 1/m.
    curvature: Vec<f64>,
    /// m.
    step_lengths: Vec<f64>,
    wheelbase_m: f64,
    /// p, rad/s.
    rate_radps: f64,
}

impl Leaning {
    /// `None` for a vehicle that does not lean.
    pub fn new(curvature: &[f64], step_lengths: &[f64], turning: &Turning) -> Option<Self> {
        let Turning { wheelbase_m, lean_rate_radps: rate_radps, .. } = *turning;
        // Copies only where they are needed: lap times of hot loops come along here, too.
        (rate_radps > 0.0).then(|| Self {
            curvature: curvature.to_vec(),
            step_lengths: step_lengths.to_vec(),
            wheelbase_m,
            rate_radps,
        })
    }

    /// The highest w of each point by equation (2), m²/s²; infinite where cornering limits it more.
    pub fn ceilings(&self, diagram: &GgDiagram, grip: &[f64]) -> Vec<f64> {
        let changes = changes(&self.curvature, &self.step_lengths, self.wheelbase_m);
        (self.curvature.iter().zip(changes).zip(grip))
            .map(|((&kappa, change), &grip)| self.ceiling(kappa, change, diagram, grip))
            .collect()
    }

    fn ceiling(&self, kappa: f64, change: f64, diagram: &GgDiagram, grip: f64) -> f64 {
        let steady = steady_ceiling(kappa, change, self.rate_radps);
        let grows = kappa * change > 0.0;
        let (kappa, change) = (kappa.abs(), change.abs());
        // Grip μ is a lateral limit μ times as high: that of the curvature κ / μ.
        let highest = diagram.cornering_speed_squared(kappa / grip);
        if steady >= highest {
            return f64::INFINITY;
        }
        let keeps = |w: f64| {
            let curvature = kappa / grip;
            let helps = if grows {
                grip * diagram.tyre_acceleration(w, curvature) + diagram.resistance(w)
            } else {
                diagram.acceleration(w, curvature).max(0.0)
            };
            let by_time = w.sqrt() * (change * w - 2.0 * kappa * helps);
            by_time * lean::lean_rad_per_mps2(kappa * w).value <= self.rate_radps
        };
        if keeps(highest) {
            return f64::INFINITY;
        }
        let (mut low, mut high) = (steady, highest);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if keeps(middle) { low = middle } else { high = middle }
        }
        low
    }

    /// Lowers `ceilings` of w to equation (3) about the profile `speed_squared`, m²/s². Returns
    /// whether one of its points is above.
    pub fn lower(&self, speed_squared: &[f64], ceilings: &mut [f64]) -> bool {
        let mut lowered = speed_squared.to_vec();
        let (n, steps) = (lowered.len(), self.step_lengths.len());
        // Twice around a closed line, so that what is lowered at its end counts at its beginning.
        let around = if steps == n { 2 * n } else { steps };
        for i in (0..around).map(|i| i % n) {
            self.lower_end(i, [i, (i + 1) % n], &mut lowered);
        }
        for i in (0..around).rev().map(|i| i % n) {
            self.lower_end(i, [(i + 1) % n, i], &mut lowered);
        }
        let mut is_above = false;
        for ((ceiling, after), before) in ceilings.iter_mut().zip(lowered).zip(speed_squared) {
            if after < *before {
                *ceiling = ceiling.min(after);
                is_above |= after < (1.0 - LOWERED) * before;
            }
        }
        is_above
    }

    /// Lowers w at the second of the ends of a step where its lean is the greater one.
    fn lower_end(&self, step: usize, [from, to]: [usize; 2], w: &mut [f64]) {
        let lean = |i: usize| lean::lean_rad(self.curvature[i] * w[i]);
        let (before, after) = (lean(from), lean(to));
        let time = 2.0 * self.step_lengths[step] / (w[from].sqrt() + w[to].sqrt());
        let allowed = after.signum() * before + self.rate_radps * time;
        if allowed > 0.0 && allowed < after.abs() {
            w[to] = STANDARD_GRAVITY * math::tan(allowed) / self.curvature[to].abs();
        }
    }
}

/// The lowest w at which equation (1) is an equality at a constant speed; infinite where there is
/// none, since the lean changes ever less by the acceleration.
fn steady_ceiling(kappa: f64, change: f64, rate: f64) -> f64 {
    // The speed v with v³ |c| g = p (g² + κ² v⁴): the left side is greatest against the right one
    // where κ v² = √3 g.
    let (change, g) = (change.abs(), STANDARD_GRAVITY);
    let excess = |v: f64| v * v * v * change * g - rate * (g * g + kappa * kappa * math::powi(v, 4));
    let steepest = (3.0_f64.sqrt() * g / kappa.abs()).sqrt();
    if change == 0.0 || (steepest.is_finite() && excess(steepest) <= 0.0) {
        return f64::INFINITY;
    }
    // Upright, the smallest possible speed: from there Newton's steps rise to the solution.
    let mut v = math::cbrt(rate * g / change);
    for _ in 0..UPRIGHT_STEPS {
        let slope = 3.0 * v * v * change * g - 4.0 * rate * kappa * kappa * v * v * v;
        v -= excess(v) / slope;
    }
    v * v
}

#[cfg(test)]
mod tests {
    use super::{Leaning, steady_ceiling};
    use raceline_car::{GgDiagram, STANDARD_GRAVITY, Turning, lean::lean_rad, preset};

    /// Equation (1) at the speed that is found.
    #[test]
    fn the_ceiling_is_that_of_its_equation() {
        for (kappa, change) in [(0.0, 0.004), (0.02, -0.003), (-0.05, 0.02), (0.01, 0.001)] {
            let w = steady_ceiling(kappa, change, 1.2);
            let across: f64 = kappa * w;
            let g = STANDARD_GRAVITY;
            let rate = w.sqrt() * change.abs() * w * g / (g * g + across * across);
            assert!((rate - 1.2).abs() < 1e-12, "{kappa} {change}: {rate}");
            assert!(across.abs() < 3.0_f64.sqrt() * g);
        }
        assert_eq!(steady_ceiling(0.03, 0.0, 1.2), f64::INFINITY);
        // In a bend so tight, the lean changes too little by the acceleration.
        assert_eq!(steady_ceiling(0.2, 0.001, 1.2), f64::INFINITY);
    }

    /// Braking with all that the tyres have beside cornering keeps the lean at its rate, and more
    /// speed does not.
    #[test]
    fn where_the_lean_grows_the_brakes_help() {
        let diagram = GgDiagram::new(&preset("kart").unwrap()).unwrap();
        let turning = Turning { lean_rate_radps: 1.2, wheelbase_m: 1.4, ..Turning::default() };
        let curvature: Vec<f64> = (0..60).map(|i| 0.0015 * f64::from(i)).collect();
        let steps = [1.0; 59];
        let line = Leaning::new(&curvature, &steps, &turning).unwrap();
        for grip in [1.0, 0.8] {
            let ceilings = line.ceilings(&diagram, &[grip; 60]);
            let mut bound = 0;
            for (i, (&kappa, &w)) in curvature.iter().zip(&ceilings).enumerate().skip(1).take(58) {
                let steady = steady_ceiling(kappa, 0.0015, 1.2);
                assert!(w >= steady, "{i}: {w} {steady}");
                if w.is_finite() {
                    bound += 1;
                    let brakes = grip * diagram.tyre_acceleration(w, kappa / grip) + diagram.resistance(w);
                    let by_time = w.sqrt() * (0.0015 * w - 2.0 * kappa * brakes);
                    let g = STANDARD_GRAVITY;
                    let rate = by_time * g / (g * g + kappa * kappa * w * w);
                    assert!((rate - 1.2).abs() < 1e-6, "{i}: {rate}");
                    assert!(w <= diagram.cornering_speed_squared(kappa / grip), "{i}: {w}");
                }
            }
            assert!(bound > 5, "{ceilings:?}");
        }
        assert!(Leaning::new(&curvature, &steps, &Turning::default()).is_none());
    }

    /// Bends of both directions, in which the lean grows and falls, and their mirror image.
    #[test]
    fn a_mirrored_line_has_the_same_ceilings() {
        let diagram = GgDiagram::new(&preset("kart").unwrap()).unwrap();
        let turning = Turning { lean_rate_radps: 1.2, wheelbase_m: 1.4, ..Turning::default() };
        let curvature: Vec<f64> = (0..80).map(|i| 0.08 * (0.16 * f64::from(i)).sin()).collect();
        let mirrored: Vec<f64> = curvature.iter().map(|kappa| -kappa).collect();
        let ceilings = |line: &[f64]| Leaning::new(line, &[1.0; 79], &turning).unwrap().ceilings(&diagram, &[1.0; 80]);
        let [one, other] = [ceilings(&curvature), ceilings(&mirrored)];
        assert_eq!(one, other);
        assert!(one.iter().filter(|w| w.is_finite()).count() > 20, "{one:?}");
    }

    /// A lean of 0.5 rad within a step of 0.2 s, to either side and at the seam.
    #[test]
    fn what_leans_too_fast_is_lowered() {
        let w = vec![100.0; 4];
        let turning = Turning { lean_rate_radps: 1.0, wheelbase_m: 1.4, ..Turning::default() };
        let line = |curvature: &[f64], steps: &[f64]| Leaning::new(curvature, steps, &turning).unwrap();
        for sign in [1.0, -1.0] {
            let curvature: Vec<f64> =
                [0.0, 0.5, 0.5, 0.0].map(|lean: f64| sign * STANDARD_GRAVITY * lean.tan() / 100.0).to_vec();
            let bend = line(&curvature, &[2.0; 4]);
            let mut ceilings = vec![f64::INFINITY; 4];
            assert!(bend.lower(&w, &mut ceilings));
            assert_eq!((ceilings[0], ceilings[3]), (f64::INFINITY, f64::INFINITY));
            for i in [1, 2] {
                // A little more than 0.2 rad: the second round knows that the step takes longer.
                let lean = lean_rad(curvature[i] * ceilings[i]).abs();
                assert!((0.2..0.26).contains(&lean), "{i}: {lean}");
            }
            let slower: Vec<f64> = w.iter().zip(&ceilings).map(|(w, ceiling)| w.min(*ceiling)).collect();
            assert!(!bend.lower(&slower, &mut ceilings));
        }
        // In the middle of a line, and over the end of a closed one, as at its beginning.
        for (around, steps) in [(0, 8), (0, 7), (4, 8), (5, 8), (6, 8)] {
            let mut leans = [0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0];
            leans.rotate_left(around);
            let curvature = leans.map(|lean: f64| STANDARD_GRAVITY * lean.tan() / 100.0);
            let mut ceilings = [f64::INFINITY; 8];
            assert!(line(&curvature, &[3.0; 8][..steps]).lower(&[100.0; 8], &mut ceilings));
            for (i, (lean, ceiling)) in leans.iter().zip(ceilings).enumerate() {
                // 0.3 rad, and a little more for the time that the slower end takes.
                let lowered = lean_rad(curvature[i] * ceiling.min(1e6));
                assert!(
                    if *lean == 0.0 { ceiling.is_infinite() } else { (0.3..0.37).contains(&lowered) },
                    "{around} {i}"
                );
            }
        }
        let straight = line(&[0.0; 4], &[2.0; 3]);
        assert!(!straight.lower(&w, &mut [f64::INFINITY; 4]));
    }
}
