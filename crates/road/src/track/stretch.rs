//! Stretches of road between two distances along its centre line.

/// A stretch of road that does not fit its track.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StretchError {
    /// A number out of its range.
    #[error("{list} stretch {number}: {value} must be {range}")]
    OutOfRange {
        /// `grip`, `edge`, `speed_cap` or `no_go`.
        list: &'static str,
        /// Number of the stretch, from 1.
        number: usize,
        /// As specified.
        value: f64,
        /// The allowed range.
        range: &'static str,
    },
    /// A place beyond the end of the road.
    #[error(
        "{list} stretch {number}: {value} m lies beyond the end of the road, whose centre line is {length_m:.1} m long"
    )]
    BeyondEnd {
        /// `grip`, `edge`, `speed_cap` or `no_go`.
        list: &'static str,
        /// Number of the stretch, from 1.
        number: usize,
        /// As specified, metres.
        value: f64,
        /// Length of the centre line, metres.
        length_m: f64,
    },
    /// A polygon that is not in metres.
    #[error("{list} {number} has a vertex that is not in metres: specify it in metres, or in pixels of a picture")]
    NotInMetres {
        /// `grip`.
        list: &'static str,
        /// Number of the polygon, from 1.
        number: usize,
    },
    /// A stretch without length, or one that runs backwards on an open road.
    #[error("{list} stretch {number} from {from_m} m to {to_m} m has no length: to_m must be {fix}")]
    Empty {
        /// `grip`, `edge`, `speed_cap` or `no_go`.
        list: &'static str,
        /// Number of the stretch, from 1.
        number: usize,
        /// Beginning of the stretch, metres.
        from_m: f64,
        /// End of the stretch, metres.
        to_m: f64,
        /// The requirement.
        fix: &'static str,
    },
}

/// A distance may exceed the road's length by this, because displayed lengths are rounded.
pub(super) const LENGTH_TOLERANCE_M: f64 = 1.0;

/// The length of a road's centre line, and whether it is closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub length_m: f64,
    pub closed: bool,
}

/// A stretch that fits its road.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub from_m: f64,
    /// Length of the stretch, metres.
    pub reach_m: f64,
    extent: Extent,
}

/// Checks that both ends of a stretch are distances, m.
///
/// # Errors
/// The first one that is none, and the range.
pub fn check_ends(from_m: f64, to_m: f64) -> Result<(), (f64, &'static str)> {
    match [from_m, to_m].into_iter().find(|distance| !(0.0..=1e7).contains(distance)) {
        Some(distance) => Err((distance, "a distance of 0 m or more")),
        None => Ok(()),
    }
}

impl Stretch {
    /// The stretch with this number in `list`.
    pub fn fit(
        list: &'static str,
        number: usize,
        [from_m, to_m]: [f64; 2],
        extent: Extent,
    ) -> Result<Self, StretchError> {
        let Extent { length_m, closed } = extent;
        check_ends(from_m, to_m).map_err(|(value, range)| StretchError::OutOfRange { list, number, value, range })?;
        for value in [from_m, to_m] {
            if value > length_m + LENGTH_TOLERANCE_M {
                return Err(StretchError::BeyondEnd { list, number, value, length_m });
            }
        }
        let (from_m, to_m) = (from_m.min(length_m), to_m.min(length_m));
        let fix = match closed {
            true if from_m == to_m => Some("another place than from_m"),
            false if from_m >= to_m => Some("greater than from_m"),
            _ => None,
        };
        if let Some(fix) = fix {
            return Err(StretchError::Empty { list, number, from_m, to_m, fix });
        }
        let mut reach_m = to_m - from_m;
        if closed && reach_m < 0.0 {
            reach_m += length_m;
        }
        Ok(Self { from_m, reach_m, extent })
    }

    /// How far a place in the stretch is from its nearer end, metres; `None` outside. A stretch of
    /// a whole lap has no ends.
    pub fn distance_to_end(&self, distance_m: f64) -> Option<f64> {
        let Extent { length_m, closed } = self.extent;
        let mut inside = distance_m - self.from_m;
        if closed {
            if self.reach_m >= length_m {
                return Some(f64::INFINITY);
            }
            inside = inside.rem_euclid(length_m);
        }
        let from_end = inside.min(self.reach_m - inside);
        (from_end >= 0.0).then_some(from_end)
    }

    /// Whether some of the road from one distance to a greater one is in the stretch.
    pub fn covers_part_of(&self, from_m: f64, to_m: f64) -> bool {
        (from_m..to_m).contains(&self.from_m) || [from_m, to_m].iter().any(|&end| self.distance_to_end(end).is_some())
    }
}

#[cfg(test)]
mod tests;
