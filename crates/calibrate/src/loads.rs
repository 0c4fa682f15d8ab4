//! What follows from the loads of the wheels: mass and downforce, and the load at every moment.
//!
//! The sum of the loads is `m n + D v²` with what presses on the road, n: g on the flat. Without
//! columns of the road, its mean over hills is close to g. Once mass and downforce are known, the loads
//! give n itself, with all crests and bumps.

use super::calibration::Estimate;
use super::regression::Rows;
use super::samples::Samples;

/// Samples whose load differs from that of a quiet car by more than this fraction are not used: the
/// tyres do not follow bumps so fast.
const MAX_BUMP: f64 = 0.12;

/// Mass, kg, and downforce, kg/m; `None` where the loads are not known.
pub(super) fn by_loads(samples: &Samples) -> Option<[Estimate; 2]> {
    let mut rows = Rows::new(2);
    for sample in samples.all.iter().filter(|sample| sample.load.is_finite()) {
        rows.push(sample.clock_s, &[sample.normal, sample.speed * sample.speed], sample.load);
    }
    let fit = rows.fit(0.0, f64::INFINITY)?;
    let estimate =
        |i: usize| Estimate { value: fit.values[i], standard_error: Some(fit.standard_errors[i]), samples: rows.len() };
    (fit.values[0] > 0.0).then(|| [estimate(0), estimate(1)])
}

impl Samples {
    /// Takes what presses on the road from the loads, and leaves out the bumps.
    pub fn use_loads(&mut self, mass: f64, downforce: f64) {
        self.all.retain_mut(|sample| {
            if !sample.load.is_finite() {
                return true;
            }
            let by_air = downforce * sample.speed * sample.speed;
            let quiet = mass * sample.normal + by_air;
            sample.normal = (sample.load - by_air) / mass;
            (sample.load / quiet - 1.0).abs() < MAX_BUMP
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Sample, Samples};

    #[test]
    fn bumps_are_left_out_and_hills_kept() {
        // 1 000 kg and 1 kg/m at 40 m/s on the flat: 11 410 N.
        let sample = |factor: f64| Sample {
            clock_s: 0.0,
            speed: 40.0,
            along: 0.0,
            across: 0.0,
            normal: 9.81,
            grip: 1.0,
            throttle: 0.0,
            brake: 0.0,
            shifts: false,
            load: factor * (9810.0 + 1600.0),
        };
        let mut samples = Samples { all: [0.87, 0.89, 1.0, 1.11, 1.13].map(sample).to_vec(), ..Samples::default() };
        samples.use_loads(1000.0, 1.0);
        let normals: Vec<f64> = samples.all.iter().map(|sample| sample.normal).collect();
        assert_eq!(normals.len(), 3, "{normals:?}");
        for (normal, factor) in normals.iter().zip([0.89, 1.0, 1.11]) {
            assert!((normal - (factor * 11_410.0 - 1600.0) / 1000.0).abs() < 1e-9, "{normals:?}");
        }
    }
}
