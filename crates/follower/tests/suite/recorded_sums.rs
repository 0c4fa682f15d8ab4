//! What the numbers of a test add up to, and the file that has these sums: `tests/recorded/traces.csv`.
//! `RACELINE_BLESS=1` writes it anew, for a reason that is stated.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use std::path::Path;

use raceline_follower::Command;

/// Sums of what is given frame by frame, each number with a weight of its frame, in three parts of a drive.
#[derive(Default)]
pub struct Sums {
    frames: Vec<Vec<f64>>,
}

impl Sums {
    pub fn add(&mut self, numbers: &[f64]) {
        self.frames.push(numbers.to_vec());
    }

    pub fn add_command(&mut self, command: &Command, more: &[f64]) {
        let switch = |is_on: bool| if is_on { 1.0 } else { 0.0 };
        let Command { pedal, steering_rad, target_speed_mps, target_point_m, s_m, cross_track_error_m, .. } = *command;
        let [x, y, z] = target_point_m;
        let [nearest_x, nearest_y, nearest_z] = command.nearest_point_m;
        let state = command.state as u8;
        let numbers = [
            pedal,
            steering_rad,
            target_speed_mps,
            x + 0.7 * y + 0.3 * z,
            nearest_x + 0.7 * nearest_y + 0.3 * nearest_z,
            s_m,
            cross_track_error_m,
            command.acceleration_mps2.unwrap_or(-1.0),
            switch(command.reverse) + 2.0 * switch(command.boost) + 4.0 * switch(command.arrived),
            f64::from(state) + 0.5 * switch(command.inside_corridor) + 0.25 * switch(command.event.is_some()),
        ];
        self.add(&[&numbers[..], more].concat());
    }

    /// One row: the sums of every column, in three thirds of the frames.
    pub fn row(&self) -> Vec<f64> {
        let columns = self.frames.first().map_or(0, Vec::len);
        let third = self.frames.len().div_ceil(3).max(1);
        let sum = |frames: &[Vec<f64>], column: usize| -> f64 {
            frames.iter().zip(0_u32..).map(|(frame, k)| frame[column] * (1.0 + f64::from(k % 7) / 7.0)).sum()
        };
        (0..columns).flat_map(|column| self.frames.chunks(third).map(move |frames| sum(frames, column))).collect()
    }
}

fn file() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/traces.csv")
}

/// Compares sums with those that are recorded under this name.
#[track_caller]
pub fn check_row(name: &str, row: &[f64]) {
    let text = std::fs::read_to_string(file()).unwrap();
    let line = text.lines().find(|line| line.split(',').next() == Some(name)).unwrap();
    let recorded: Vec<f64> = line.split(',').skip(1).map(|number| number.parse().unwrap()).collect();
    assert_eq!(recorded.len(), row.len());
    for (k, (found, recorded)) in row.iter().zip(&recorded).enumerate() {
        let tolerance = 1e-7 * recorded.abs().max(1.0);
        assert!((found - recorded).abs() <= tolerance, "{name}, sum {k}: {found} instead of {recorded}");
    }
}

/// Records the sums under their names, in place of all before.
pub fn record(rows: &[(&str, Vec<f64>)]) {
    let row = |(name, row): &(&str, Vec<f64>)| {
        let numbers: Vec<String> = row.iter().map(|number| format!("{number:e}")).collect();
        format!("{name},{}\n", numbers.join(","))
    };
    std::fs::write(file(), rows.iter().map(row).collect::<String>()).unwrap();
}

/// The names of all sums that are recorded.
pub fn recorded_names() -> Vec<String> {
    let text = std::fs::read_to_string(file()).unwrap();
    text.lines().filter_map(|line| line.split(',').next()).map(str::to_owned).collect()
}
