//! A road as rows of numbers, and as the track file that raceline reads.

use std::fmt::Write;

/// A road by its stations.
#[derive(Clone, Debug)]
pub struct Road {
    /// In the order of travel.
    pub stations: Vec<Station>,
    /// Whether the last station leads back to the first.
    pub closed: bool,
}

/// A place of the centre line.
#[derive(Clone, Copy, Debug)]
pub struct Station {
    /// Position, m.
    pub at: [f64; 2],
    /// Distance to the left edge, m.
    pub left_m: f64,
    /// Distance to the right edge, m.
    pub right_m: f64,
    /// Height, m.
    pub z_m: Option<f64>,
    /// Banking, positive where the left edge is higher, rad.
    pub banking_rad: Option<f64>,
}

impl Road {
    /// The smallest width, m.
    pub fn min_width_m(&self) -> f64 {
        self.stations.iter().map(|station| station.left_m + station.right_m).fold(f64::INFINITY, f64::min)
    }

    /// The stations between which a station lies: those before and after it, itself at an open end.
    pub fn neighbours(&self, index: usize) -> [Station; 2] {
        let count = self.stations.len();
        let [before, after] = if self.closed {
            [(index + count - 1) % count, (index + 1) % count]
        } else {
            [index.saturating_sub(1), (index + 1).min(count - 1)]
        };
        [self.stations[before], self.stations[after]]
    }

    /// A CSV with the columns that the road has.
    pub fn csv(&self) -> Vec<u8> {
        let has_height = self.stations.iter().all(|station| station.z_m.is_some());
        let has_banking = self.stations.iter().all(|station| station.banking_rad.is_some());
        let mut text = "x_m,y_m,w_tr_right_m,w_tr_left_m".to_owned();
        text.push_str(if has_height { ",z_m" } else { "" });
        text.push_str(if has_banking { ",banking_rad" } else { "" });
        for station in &self.stations {
            let Station { at: [x, y], left_m, right_m, .. } = station;
            // Writing to a string cannot fail.
            let _ = write!(text, "\n{x:.7},{y:.7},{right_m:.7},{left_m:.7}");
            for value in [station.z_m, station.banking_rad].into_iter().flatten() {
                let _ = write!(text, ",{value:.9}");
            }
        }
        text.push('\n');
        text.into_bytes()
    }
}
