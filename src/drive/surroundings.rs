//! What else is on the road of a drive: obstacles and other vehicles.

use raceline_vehicle_simulation::check_range;

use super::error::DriveError;
use crate::table::{Row, Table, TableError};

/// Largest numbers of obstacles and of other vehicles.
const MAX_OBSTACLES: usize = 10_000;
const MAX_TRAFFIC: u32 = 200;
const HEADER: &str = "x_m,y_m,radius_m";

/// A round obstacle that does not move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Middle, m to the right and up.
    pub at_m: [f64; 2],
    /// Radius, m, 0 to 100.
    pub radius_m: f64,
}

/// What else is on the road. The follower is given it and drives with a
/// [local planner](raceline_follower::LocalPlanner), and so do the other vehicles.
#[derive(Clone, Debug, PartialEq)]
pub struct Surroundings {
    /// Obstacles, at most 10 000; default none.
    pub obstacles: Vec<Obstacle>,
    /// Other vehicles of the same kind, evenly spread along the line, 0 to 200; default 0.
    pub traffic: u32,
    /// The lowest and the highest fraction of the profile's speed that the other vehicles aim for,
    /// each drawn evenly from these, 0.05 to 1; default 0.5 and 0.8.
    pub traffic_speeds: [f64; 2],
    /// Seed of their speeds; default 0.
    pub seed: u64,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self { obstacles: Vec::new(), traffic: 0, traffic_speeds: [0.5, 0.8], seed: 0 }
    }
}

impl Surroundings {
    /// Whether the road is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.obstacles.is_empty() && self.traffic == 0
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`DriveError::Option`] names the first option that is out of its range.
    pub fn validate(&self) -> Result<(), DriveError> {
        check_range("obstacles", self.obstacles.len() as f64, 0.0, MAX_OBSTACLES as f64, "at most 10000")?;
        for obstacle in &self.obstacles {
            for value in obstacle.at_m {
                check_range("obstacles", value, -1e7, 1e7, "a place within 10000 km")?;
            }
            check_range("obstacles", obstacle.radius_m, 0.0, 100.0, "a radius from 0 to 100 m")?;
        }
        check_range("traffic", f64::from(self.traffic), 0.0, f64::from(MAX_TRAFFIC), "from 0 to 200")?;
        let [low, high] = self.traffic_speeds;
        check_range("traffic_speeds", low, 0.05, 1.0, "from 0.05 to 1")?;
        check_range("traffic_speeds", high, low, 1.0, "from the lower one to 1")?;
        Ok(())
    }
}

/// Reads obstacles from a CSV with the columns `x_m`, `y_m` and `radius_m`, a row each. The header may
/// be missing.
///
/// # Errors
/// [`TableError`] with line and column.
pub fn read_obstacles(bytes: &[u8]) -> Result<Vec<Obstacle>, TableError> {
    const NAMES: [&str; 3] = ["x_m", "y_m", "radius_m"];
    let table = Table::read(bytes, |field| NAMES.contains(&field), HEADER)?;
    let mut places = [0, 1, 2];
    if let Some(header) = &table.header {
        for (place, name) in places.iter_mut().zip(NAMES) {
            *place =
                header.position(name).ok_or_else(|| header.missing(name, "obstacles have x_m, y_m and radius_m"))?;
        }
    }
    let obstacle = |row: &Row<'_>| {
        let number = |k: usize| row.number(places[k], NAMES[k]);
        Ok(Obstacle { at_m: [number(0)?, number(1)?], radius_m: number(2)? })
    };
    table.rows.iter().map(obstacle).collect()
}
