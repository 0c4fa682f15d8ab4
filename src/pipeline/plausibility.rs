//! Whether a track looks like one, judged before anything is solved.

use std::fmt;

use raceline_road::construction::WIDE_M;

use crate::geometry::Point;
use crate::track::{CrossSection, Track};
use crate::vehicle::Vehicle;

/// A road wider than this many vehicle widths is not for a vehicle that is smaller than a car.
const WIDE_VEHICLES: f64 = 20.0;
/// Vehicles narrower than this are not cars, metres.
const SMALL_VEHICLE_M: f64 = 1.0;
/// A road shorter than this many of its widths is rather a hall or a yard.
const SHORT_WIDTHS: f64 = 8.0;
/// A longer lap is not that of a circuit, metres: the longest have 25 000.
const LONG_M: f64 = 30_000.0;
/// No circuit crosses itself more often.
const MANY_CROSSINGS: usize = 4;
/// A width that falls by more than this fraction within one mean width, or grows from it, is
/// probably not the road's.
const JUMP_FRACTION: f64 = 0.5;
/// Roads wider than this are refused, metres: the widest runways have 80.
const WIDEST_M: f64 = 200.0;
/// Longer roads are refused, metres.
const LONGEST_M: f64 = 200_000.0;

/// Something about a track that is unlikely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// The road is very wide for the vehicle.
    Wide {
        /// Mean width, metres.
        width_m: f64,
        /// Width of the vehicle, metres.
        vehicle_m: f64,
    },
    /// The width changes abruptly, as where two legs are merged.
    WidthJump {
        /// Place, metres.
        x_m: f64,
        /// Place, metres.
        y_m: f64,
        /// Width before, metres.
        from_m: f64,
        /// Width behind, metres.
        to_m: f64,
    },
    /// The road is hardly longer than wide.
    Short {
        /// Length, metres.
        length_m: f64,
        /// Mean width, metres.
        width_m: f64,
        /// Whether it leads back to its start.
        closed: bool,
    },
    /// The lap is longer than any circuit's.
    Long {
        /// Length, metres.
        length_m: f64,
    },
    /// The road crosses itself many times.
    Crossings {
        /// Number of crossings.
        count: usize,
    },
    /// Most of what is drawn was omitted.
    Fragment {
        /// Length of the road, metres.
        length_m: f64,
        /// Length of the omitted roads, metres.
        omitted_m: f64,
    },
}

/// A track that cannot be one in metres.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "the road is {width_m:.0} m wide and {length_km:.1} km long: {}",
    .likely.map_or("check the scale".to_owned(), |likely| format!("the scale looks like {likely} per pixel"))
)]
pub struct AbsurdScale {
    /// Mean width, metres.
    pub width_m: f64,
    /// Length, km.
    pub length_km: f64,
    /// The unit that was probably meant.
    pub likely: Option<&'static str>,
}

/// Refuses a scale at which nothing is a road.
///
/// # Errors
/// [`AbsurdScale`] with the unit that was probably meant.
pub(super) fn check_scale(track: &Track) -> Result<(), AbsurdScale> {
    let width_m = mean_width(track);
    let length_m = track.centre_line().length();
    if width_m <= WIDEST_M && length_m <= LONGEST_M {
        return Ok(());
    }
    let usual = |factor: f64| (2.0..WIDE_M).contains(&(factor * width_m));
    let likely = [("centimetres", 1e-2), ("millimetres", 1e-3)].into_iter().find(|&(_, factor)| usual(factor));
    Err(AbsurdScale { width_m, length_km: length_m / 1e3, likely: likely.map(|(name, _)| name) })
}

/// What is unlikely about a track with this number of crossings, made from a source of whose roads
/// `omitted_m` metres were omitted.
pub(super) fn doubts(track: &Track, crossings: usize, omitted_m: f64) -> Vec<Doubt> {
    let (length_m, width_m, closed) = (track.centre_line().length(), mean_width(track), track.closed);
    let mut doubts = Vec::new();
    doubts.extend((length_m < SHORT_WIDTHS * width_m).then_some(Doubt::Short { length_m, width_m, closed }));
    doubts.extend((closed && length_m > LONG_M).then_some(Doubt::Long { length_m }));
    doubts.extend((crossings > MANY_CROSSINGS).then_some(Doubt::Crossings { count: crossings }));
    doubts.extend(width_jump(track));
    doubts.extend((omitted_m > length_m).then_some(Doubt::Fragment { length_m, omitted_m }));
    doubts
}

/// What is unlikely about the track for this vehicle.
pub(super) fn doubts_for(track: &Track, vehicle: &Vehicle) -> Vec<Doubt> {
    let width_m = mean_width(track);
    let limit_m = if vehicle.width_m < SMALL_VEHICLE_M { WIDE_VEHICLES * vehicle.width_m } else { WIDE_M };
    Vec::from_iter((width_m > limit_m).then_some(Doubt::Wide { width_m, vehicle_m: vehicle.width_m }))
}

fn mean_width(track: &Track) -> f64 {
    track.sections.iter().map(CrossSection::width).sum::<f64>() / track.sections.len().max(1) as f64
}

/// The largest change of the width within a mean width. Chords in bends are longer than the road is
/// wide, so the distance of both edges from the middle is compared.
fn width_jump(track: &Track) -> Option<Doubt> {
    let mean = mean_width(track);
    let sections = &track.sections;
    let n = sections.len();
    let middles: Vec<Point> = sections.iter().map(CrossSection::middle).collect();
    let mut worst: Option<(f64, Doubt)> = None;
    for i in 0..n {
        let mut travelled = 0.0;
        for k in 1..n {
            let j = if track.closed { (i + k) % n } else { i + k };
            if j >= n {
                break;
            }
            travelled += (middles[j] - middles[(j + n - 1) % n]).norm();
            if travelled > mean {
                break;
            }
            let (from_m, to_m) = (sections[i].width(), sections[j].width());
            let fraction = (to_m - from_m).abs() / from_m.max(to_m);
            if fraction > JUMP_FRACTION && worst.as_ref().is_none_or(|(max, _)| fraction > *max) {
                let at = nalgebra::center(&middles[i], &middles[j]);
                worst = Some((fraction, Doubt::WidthJump { x_m: at.x, y_m: at.y, from_m, to_m }));
            }
        }
    }
    worst.map(|(_, doubt)| doubt)
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wide { width_m, vehicle_m } => {
                write!(f, "the road is {width_m:.1} m wide, which is much for a vehicle of {vehicle_m:.2} m width")
            }
            Self::WidthJump { x_m, y_m, from_m, to_m } => write!(
                f,
                "at ({x_m:.1} m, {y_m:.1} m) the width changes from {from_m:.1} m to {to_m:.1} m within one width: two legs may \
                 be merged there"
            ),
            Self::Short { length_m, width_m, closed } => {
                let what = if *closed { "circuit" } else { "open road" };
                write!(f, "the {what} is {length_m:.0} m long and {width_m:.1} m wide: it may be a hall, not a road")
            }
            Self::Long { length_m } => {
                write!(f, "the lap is {:.1} km long, longer than that of any circuit", length_m / 1e3)
            }
            Self::Crossings { count } => {
                write!(f, "the road crosses itself {count} times: it may be several roads, or points out of order")
            }
            Self::Fragment { length_m, omitted_m } => write!(
                f,
                "the road is {length_m:.0} m long, but {omitted_m:.0} m of road were omitted: it may be a part of the track"
            ),
        }
    }
}
