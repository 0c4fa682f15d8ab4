//! Why a log cannot be read, or holds no laps. Each message contains the remedy.

use raceline_file::table::TableError;

/// Why a log cannot be read or divided into laps.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file is no log.
    #[error(
        "it is no log that is known: give a VBO, GPX or KML with times, FIT, MoTeC LD, or a CSV of RaceChrono, AiM, MoTeC or \
         with a header that names time, and latitude and longitude or x and y"
    )]
    Unknown,
    /// Positions without times.
    #[error(
        "it is {format} without times, which laps need: export it with them, or make a road of it by `raceline optimize`, \
         with the road's width by --track-width-m"
    )]
    NoTimes {
        /// What it is.
        format: &'static str,
    },
    /// The table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A part of the file that its format requires is missing or damaged.
    #[error("{place}: {problem}: {fix}")]
    Format {
        /// Place in the file.
        place: String,
        /// The problem.
        problem: String,
        /// The remedy.
        fix: &'static str,
    },
    /// A column that is required is missing.
    #[error("it has no column of {missing}{}: export the log with it", among(.found))]
    Missing {
        /// What is missing.
        missing: &'static str,
        /// The columns that it has.
        found: Vec<String>,
    },
    /// A column in a unit that is not known.
    #[error("column {column} is in {unit:?}, which is no known unit of {quantity}: export it in another")]
    Unit {
        /// Name of the column.
        column: String,
        /// The unit.
        unit: String,
        /// What it holds.
        quantity: &'static str,
    },
    /// Too little of a drive.
    #[error("it has {samples} positions in {seconds:.0} s: at least {needed} are required")]
    TooShort {
        /// Number of positions.
        samples: usize,
        /// From the first to the last, s.
        seconds: f64,
        /// Required number.
        needed: usize,
    },
    /// Positions that do not belong to one place.
    #[error("the positions are up to {extent_km:.0} km apart: a log of one circuit has at most {limit_km:.0} km")]
    TooLarge {
        /// Largest distance from the middle, km.
        extent_km: f64,
        /// Largest distance that is accepted, km.
        limit_km: f64,
    },
    /// No place is passed twice in one direction.
    #[error("no lap was found: {problem}; give a place on the track that is passed on every lap by the option start")]
    NoLap {
        /// What was tried.
        problem: String,
    },
    /// The log is not of the track.
    #[error(
        "the driven path lies {distance_m:.0} m from the track on average ({of} of its laps were compared): give the \
         track that was driven, in its direction of travel"
    )]
    Elsewhere {
        /// Mean distance after the best fit, m.
        distance_m: f64,
        /// Number of laps.
        of: usize,
    },
    /// There is no lap of this number.
    #[error("there is no lap {number}: the whole laps are {}", .whole.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    NoSuchLap {
        /// The number.
        number: usize,
        /// Numbers of the whole laps.
        whole: Vec<usize>,
    },
}

fn among(found: &[String]) -> String {
    if found.is_empty() { String::new() } else { format!(" among {}", found.join(", ")) }
}
