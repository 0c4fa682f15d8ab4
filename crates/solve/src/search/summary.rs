//! How a search ended, and the numbers of its line.

use raceline_file::Method;

use crate::Model;

/// How the search for a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStatus {
    /// The method ended as it should: its programs converged, or its search had all its steps.
    Solved,
    /// The method ended before it converged: the line keeps its margin, but may not be optimal. The
    /// warnings give the place in the search.
    NotConverged,
    /// The method's own line was not faster, or not sound: this is the line of another method.
    Replaced {
        /// The method that found it.
        by: Method,
    },
}

/// Summary of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateSummary {
    /// The method.
    pub method: Method,
    /// The model of the vehicle whose lap it is: laps of two models are not comparable.
    pub model: Model,
    /// Lap time, s.
    pub lap_time_s: f64,
    /// Length, m.
    pub length_m: f64,
    /// Highest speed, m/s.
    pub top_speed_mps: f64,
    /// Lowest speed, m/s.
    pub lowest_speed_mps: f64,
}

/// The energy of a car's lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LapEnergy {
    /// Work of the drive at the tyres, less the part of the brakes' work that returns, J.
    pub energy_j: f64,
    /// Seconds that one more joule saves; 0 where energy is not limited.
    pub seconds_per_joule: f64,
}
