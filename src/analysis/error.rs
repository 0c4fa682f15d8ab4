//! Why a line cannot be analysed.

/// Why a line cannot be analysed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A sector's end that is not between the one before and the end of the lap.
    #[error(
        "sector bound {bound} m is not above {before} m and below the lap's {length} m: specify ascending distances from the start line"
    )]
    SectorBound {
        /// The bound, m.
        bound: f64,
        /// The bound before, m.
        before: f64,
        /// The lap's length, m.
        length: f64,
    },
    /// An option out of its range.
    #[error("{name} is {value}: it must be above 0")]
    NotPositive {
        /// The option.
        name: &'static str,
        /// Value.
        value: f64,
    },
    /// Fewer than two points.
    #[error("the line has fewer than two points: make it again")]
    TooShort,
}
