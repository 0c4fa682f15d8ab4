//! What was driven, a line a frame, as CSV.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::layout::{CarState, Control, Road};

/// The columns.
pub const HEADER: &str = "time_s,lap,s_m,x_m,y_m,z_m,heading_rad,pitch_rad,roll_rad,speed_mps,lateral_speed_mps,\
yaw_rate_radps,accel_mps2,lateral_accel_mps2,steering_rad,throttle,brake,gear,engine_radps,slip_front,slip_rear,\
wheel_fr_n,wheel_fl_n,wheel_rr_n,wheel_rl_n,load_front_n,load_rear_n,cross_track_m,planned_speed_mps,\
grip,grade_rad,banking_rad,vertical_curvature_radpm";

/// A frame.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// s.
    pub time_s: f64,
    /// The car.
    pub car: &'a CarState,
    /// What it is asked for.
    pub control: &'a Control,
    /// Angle of the front wheels, rad.
    pub steering_rad: f64,
    /// Greatest slip along of the front and of the rear wheels, by size.
    pub slip: [f64; 2],
    /// m, positive to the left of the line.
    pub cross_track_m: f64,
    /// Of the line, m/s.
    pub planned_mps: f64,
    /// Below the car.
    pub road: Road,
}

/// Writes the file.
#[derive(Debug)]
pub struct Telemetry {
    file: BufWriter<File>,
}

impl Telemetry {
    /// Begins a file.
    ///
    /// # Errors
    /// That of the file system.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        writeln!(file, "{HEADER}")?;
        Ok(Self { file })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// That of the file system.
    pub fn add(&mut self, row: &Row<'_>) -> io::Result<()> {
        let Row { time_s, car, control, steering_rad, slip, cross_track_m, planned_mps, road } = *row;
        let [x, y, z] = car.position_m;
        let [roll, pitch, heading] = car.attitude_rad;
        write!(self.file, "{time_s:.3},{},{:.2},{x:.3},{y:.3},{z:.3}", car.laps, car.from_start_m)?;
        write!(self.file, ",{heading:.5},{pitch:.4},{roll:.4}")?;
        write!(self.file, ",{:.4},{:.4},{:.5}", car.velocity_mps[0], car.velocity_mps[1], car.yaw_rate_radps)?;
        write!(self.file, ",{:.4},{:.4}", car.acceleration_mps2[0], car.acceleration_mps2[1])?;
        write!(self.file, ",{steering_rad:.5},{:.4},{:.4}", control.throttle, control.brake)?;
        write!(self.file, ",{},{:.1},{:.4},{:.4}", car.gear, car.engine_radps, slip[0], slip[1])?;
        for load in car.loads_n {
            write!(self.file, ",{load:.0}")?;
        }
        let [fr, fl, rr, rl] = car.loads_n;
        write!(self.file, ",{:.0},{:.0},{cross_track_m:.3},{planned_mps:.3}", fr + fl, rr + rl)?;
        let Road { grade_rad, banking_rad, vertical_curvature_radpm, friction } = road;
        writeln!(self.file, ",{friction:.3},{grade_rad:.5},{banking_rad:.5},{vertical_curvature_radpm:.6}")
    }

    /// Writes what is buffered: TORCS doesn't always report when it ends.
    ///
    /// # Errors
    /// That of the file system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
