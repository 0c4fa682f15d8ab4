//! The passes: upper bounds on each point's speed by cornering, driving and braking.

use super::drive_step::DriveStep;
use super::tyres::Tyres;
use raceline_car::GgDiagram;

/// Lowest speed of a profile, m/s. Unbounded curvature would stop the vehicle, and the lap time
/// would be infinite. At this speed such a point costs much time, but lap times remain comparable.
pub const SPEED_FLOOR_MPS: f64 = 0.01;
/// Lowest w = v², m²/s².
pub(super) const FLOOR: f64 = SPEED_FLOOR_MPS * SPEED_FLOOR_MPS;

/// The passes over one line, which the solver repeats until its profile has converged.
pub(super) trait CoursePasses {
    /// Sets each point to the limit by cornering and `ceiling`.
    fn limit_by_cornering(&self, ceiling: f64, speed_squared: &mut Vec<f64>);

    /// Forward pass from `begin`: lowers speeds that the vehicle cannot reach by driving. A pass
    /// may end at the first point that it leaves alone.
    fn limit_by_driving(&mut self, begin: usize, stop_where_settled: bool, speed_squared: &mut [f64]);

    /// Backward pass from `begin` (on an open course from its end): lowers speeds from which the
    /// vehicle cannot brake.
    fn limit_by_braking(&mut self, begin: usize, stop_where_settled: bool, speed_squared: &mut [f64]);
}

/// A factor on both tyre limits at each point.
pub(super) trait Grip: Copy {
    fn at(self, index: usize) -> f64;
}

/// Further bounds on the vehicle at each point.
pub(super) trait Burden: Copy {
    /// Acceleration that the drive loses to the tyres' slip, m/s², at the squared speed `w` and the
    /// tyres' lateral limit `lateral`, m/s².
    fn loss(self, index: usize, w: f64, lateral: impl FnOnce() -> f64) -> f64;
    /// Highest w, m²/s².
    fn ceiling(self, index: usize) -> f64;
}

/// No further bounds.
#[derive(Clone, Copy)]
pub(super) struct NoBurden;

impl Burden for NoBurden {
    #[inline(always)]
    fn loss(self, _index: usize, _w: f64, _lateral: impl FnOnce() -> f64) -> f64 {
        0.0
    }

    #[inline(always)]
    fn ceiling(self, _index: usize) -> f64 {
        f64::INFINITY
    }
}

/// Numbers for each point.
#[derive(Clone, Copy)]
pub(super) struct PointBurden<'a> {
    /// The loss divided by w² and multiplied by the lateral limit, 1/m².
    pub slip_drag: &'a [f64],
    pub ceiling: &'a [f64],
}

impl Burden for PointBurden<'_> {
    #[inline(always)]
    fn loss(self, index: usize, w: f64, lateral: impl FnOnce() -> f64) -> f64 {
        self.slip_drag[index] * w * w / lateral()
    }

    #[inline(always)]
    fn ceiling(self, index: usize) -> f64 {
        self.ceiling[index]
    }
}

/// Grip that is 1 everywhere.
#[derive(Clone, Copy)]
pub(super) struct EvenGrip;

impl Grip for EvenGrip {
    #[inline(always)]
    fn at(self, _index: usize) -> f64 {
        1.0
    }
}

impl Grip for &[f64] {
    #[inline(always)]
    fn at(self, index: usize) -> f64 {
        self[index]
    }
}

/// A line and its vehicle. With grip μ, cornering is that at curvature κ / μ on a grip of 1, and
/// the longitudinal acceleration is μ times that at κ / μ.
pub(super) struct Passes<'a, T, G, B> {
    pub diagram: &'a GgDiagram,
    /// The tyres while cornering and braking.
    pub tyres: T,
    /// The tyres while driving.
    pub driving: T,
    pub drive: DriveStep<'a>,
    pub curvature: &'a [f64],
    pub step_lengths: &'a [f64],
    pub grip: G,
    pub burden: B,
}

impl<T: Tyres, G: Grip, B: Burden> CoursePasses for Passes<'_, T, G, B> {
    fn limit_by_cornering(&self, ceiling: f64, speed_squared: &mut Vec<f64>) {
        speed_squared.clear();
        // Equation (1).
        speed_squared.extend(self.curvature.iter().enumerate().map(|(i, kappa)| {
            let limit = self.tyres.cornering(kappa.abs() / self.grip.at(i), ceiling).min(self.burden.ceiling(i));
            if limit > FLOOR { limit } else { FLOOR }
        }));
    }

    fn limit_by_driving(&mut self, begin: usize, stop_where_settled: bool, speed_squared: &mut [f64]) {
        let n = self.curvature.len();
        let (drag, twice_rolling) = (self.diagram.drag_over_mass(), 2.0 * self.diagram.rolling_deceleration());
        let mut i = begin;
        let mut w = speed_squared[begin];
        // The acceleration at point i before resistance, from the previous step.
        let mut known: Option<f64> = None;
        // Its change over that step, which is the estimate for the next.
        let mut change = 0.0;
        for _ in 0..self.step_lengths.len() {
            let next = if i + 1 == n { 0 } else { i + 1 };
            let (step, limit) = (self.step_lengths[i], speed_squared[next]);
            // Equation (2): w' (1 + drag step) = w (1 - drag step) + step (min(t, d)(w) - 2 rolling
            // + min(t, d)(w')), arranged so that few operations depend on w.
            let (dragged, inverse) = (drag * step, (1.0 + drag * step).recip());
            let gain = step * inverse;
            let coasting = w * ((1.0 - dragged) * inverse) - gain * twice_rolling;
            // The loss at the end of the step is taken at the speed of its beginning.
            let losses = [i, next].map(|point| self.burden.loss(point, w, || self.driving.lateral(w)));
            let reached = if limit <= coasting - gain * (losses[0] + losses[1]) {
                // Coasting alone reaches this limit, so the drive need not be evaluated.
                None
            } else {
                let available = match known {
                    Some(available) => available,
                    None => {
                        let (mu, drive) = (self.grip.at(i), self.drive.at(w) - losses[0]);
                        let kappa = self.curvature[i].abs() / mu;
                        if drive <= 0.0 || self.driving.carry(drive, mu, w, kappa) {
                            drive
                        } else {
                            mu * self.driving.left(w, kappa)
                        }
                    }
                };
                let base = coasting + gain * available;
                let end = self.drive_to(next, base, gain, available + change, limit, losses[1]);
                change = end.map_or(0.0, |(_, there)| there - available);
                end
            };
            match reached {
                Some((end, available)) => {
                    w = end;
                    known = Some(available);
                    speed_squared[next] = w;
                }
                None if stop_where_settled => return,
                None => (w, known, change) = (limit, None, 0.0),
            }
            i = next;
        }
    }

    fn limit_by_braking(&mut self, begin: usize, stop_where_settled: bool, speed_squared: &mut [f64]) {
        let n = self.curvature.len();
        let (drag, twice_rolling) = (self.diagram.drag_over_mass(), 2.0 * self.diagram.rolling_deceleration());
        let mut i = if self.step_lengths.len() < n { n - 1 } else { begin };
        let mut w = speed_squared[i];
        // Remaining tyre acceleration at point i, from the previous step.
        let mut known: Option<f64> = None;
        for _ in 0..self.step_lengths.len() {
            let previous = if i == 0 { n - 1 } else { i - 1 };
            let (step, limit) = (self.step_lengths[previous], speed_squared[previous]);
            // No braking is needed.
            let allowed = if limit <= w {
                None
            } else {
                let left = match known {
                    Some(left) => left,
                    None => {
                        let mu = self.grip.at(i);
                        mu * self.tyres.left(w, self.curvature[i].abs() / mu)
                    }
                };
                // Equation (3): w' (1 - drag step) = w (1 + drag step) + step (t(w) + 2 rolling +
                // t(w'))
                let dragged = drag * step;
                if dragged < 1.0 {
                    let inverse = (1.0 - dragged).recip();
                    let gain = step * inverse;
                    let base = w * ((1.0 + dragged) * inverse) + gain * (left + twice_rolling);
                    self.brake_from(previous, base, gain, limit, left)
                } else {
                    None
                }
            };
            match allowed {
                Some((start, left)) => {
                    w = start;
                    known = Some(left);
                    speed_squared[previous] = w;
                }
                None if stop_where_settled => return,
                None => (w, known) = (limit, None),
            }
            i = previous;
        }
    }
}

impl<T: Tyres, G: Grip, B: Burden> Passes<'_, T, G, B> {
    /// Solves the driven step at `next`, w' = `base` + `gain` min(t, d - `loss`)(w'); returns w'
    /// with that minimum there, or `None` where w' is not below `limit`.
    #[inline(always)]
    fn drive_to(&mut self, next: usize, base: f64, gain: f64, guess: f64, limit: f64, loss: f64) -> Option<(f64, f64)> {
        if base >= limit {
            return None;
        }
        let mu = self.grip.at(next);
        let kappa = self.curvature[next].abs() / mu;
        // The step is the lower of the step with the drive alone and the step with the tyres alone.
        let (end, drive) = self.drive.step(base - gain * loss, gain, guess + loss);
        let drive = drive - loss;
        if end < limit {
            if drive <= 0.0 || self.driving.carry(drive, mu, end, kappa) {
                return Some((end.max(FLOOR), drive));
            }
        } else if self.driving.carry(limit - base, gain * mu, limit, kappa) {
            return None;
        }
        let tyres = mu * self.driving.step(base, gain * mu, kappa, guess / mu);
        let end = base + gain * tyres;
        (end < limit).then_some((end.max(FLOOR), tyres))
    }

    /// Solves the braked step at `previous`, w' = `base` + `gain` t(w'); returns w' with t there,
    /// or `None` where w' is not below `limit`.
    #[inline(always)]
    fn brake_from(&mut self, previous: usize, base: f64, gain: f64, limit: f64, guess: f64) -> Option<(f64, f64)> {
        if base >= limit {
            return None;
        }
        let mu = self.grip.at(previous);
        let kappa = self.curvature[previous].abs() / mu;
        if self.tyres.carry(limit - base, gain * mu, limit, kappa) {
            return None;
        }
        let left = mu * self.tyres.step(base, gain * mu, kappa, guess / mu);
        let start = base + gain * left;
        (start < limit).then_some((start.max(FLOOR), left))
    }
}
