//! Any bytes as telemetry, and the vehicle that is fitted to it.

use raceline_calibrate::{Telemetry, calibrate, csv};
use raceline::vehicle::preset;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(run) = csv::read(bytes, "fuzz.csv") else { return };
    let Ok(base) = preset("gt") else { return };
    if let Ok(calibration) = calibrate(&Telemetry { runs: vec![run] }, &base) {
        assert!(calibration.vehicle.validate().is_ok());
    }
}
