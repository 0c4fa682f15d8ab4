//! Units and decimals for readers: how finely lengths and speeds of a track are shown.
//!
//! Tables, messages and pictures ask [`Decimals`], so that a track has the same decimals everywhere.
//! Files are not concerned: they have SI units and decimals of their own.

/// Kilometres per hour in a metre per second.
pub const KMH_PER_MPS: f64 = 3.6;

/// A track of less length is one for small vehicles, m.
const SMALL_LENGTH_M: f64 = 200.0;
/// A road of less width is one for small vehicles, m.
const SMALL_WIDTH_M: f64 = 2.0;
/// Less than this is shown to the centimetre as a whole, m.
const TINY_LENGTH_M: f64 = 20.0;

/// Numbers of decimals for a track, and whether it is one for small vehicles. On such a track
/// metres per second stand beside kilometres per hour, which are too coarse there.
///
/// ```
/// use raceline::units::Decimals;
///
/// assert_eq!(Decimals::of(2263.4, 12.0).length(2263.4), "2263 m");
/// assert_eq!(Decimals::of(50.23, 1.2).length(50.23), "50.2 m");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimals {
    /// Of the track's length, in metres, in titles and sentences.
    pub length: usize,
    /// Of places along it and coordinates, in metres, in tables.
    pub place: usize,
    /// Of widths of its road, in metres.
    pub width: usize,
    /// Of radii, in metres.
    pub radius: usize,
    /// Whether it is a track for small vehicles.
    pub is_small: bool,
}

impl Decimals {
    /// The decimals for a track of `length_m`, whose road is `width_m` wide on average.
    #[must_use]
    pub fn of(length_m: f64, width_m: f64) -> Self {
        if length_m >= SMALL_LENGTH_M && width_m >= SMALL_WIDTH_M {
            return Self { length: 0, place: 1, width: 1, radius: 1, is_small: false };
        }
        let length = if length_m < TINY_LENGTH_M { 2 } else { 1 };
        Self { length, place: 2, width: 2, radius: 2, is_small: true }
    }

    /// The length of the track, as `2263 m` or `50.2 m`.
    #[must_use]
    pub fn length(self, metres: f64) -> String {
        format!("{metres:.*} m", self.length)
    }

    /// A place along the track without its unit, as in columns of tables.
    #[must_use]
    pub fn place(self, metres: f64) -> String {
        format!("{metres:.*}", self.place)
    }

    /// A radius without its unit.
    #[must_use]
    pub fn radius(self, metres: f64) -> String {
        format!("{metres:.*}", self.radius)
    }

    /// A width of the road without its unit.
    #[must_use]
    pub fn width(self, metres: f64) -> String {
        format!("{metres:.*}", self.width)
    }

    /// The headings of a speed's columns: `names` in m/s and km/h, the first only for small vehicles.
    #[must_use]
    pub fn speed_headings(self, names: [&'static str; 2]) -> Vec<&'static str> {
        if self.is_small { names.to_vec() } else { vec![names[1]] }
    }

    /// The cells of a speed below [`Self::speed_headings`].
    #[must_use]
    pub fn speeds(self, mps: f64) -> Vec<String> {
        let kmh = format!("{:.1}", mps * KMH_PER_MPS);
        if self.is_small { vec![format!("{mps:.2}"), kmh] } else { vec![kmh] }
    }

    /// A difference of speeds in the same units, with its sign.
    #[must_use]
    pub fn speed_changes(self, mps: f64) -> Vec<String> {
        let kmh = format!("{:+.1}", mps * KMH_PER_MPS);
        if self.is_small { vec![format!("{mps:+.2}"), kmh] } else { vec![kmh] }
    }
}

#[cfg(test)]
mod tests {
    use super::Decimals;

    #[test]
    fn decimals_follow_the_track() {
        let circuit = Decimals::of(2263.4, 12.0);
        assert_eq!(
            (circuit.length(2263.4), circuit.place(12.34), circuit.radius(25.04)),
            ("2263 m".into(), "12.3".into(), "25.0".into())
        );
        assert_eq!(circuit.speeds(10.0), ["36.0"]);
        assert_eq!(circuit.speed_headings(["a m/s", "a km/h"]), ["a km/h"]);
        let hall = Decimals::of(50.21, 2.4);
        assert_eq!(
            (hall.length(50.21), hall.place(12.345), hall.radius(0.804)),
            ("50.2 m".into(), "12.35".into(), "0.80".into())
        );
        assert_eq!(hall.speeds(2.5), ["2.50", "9.0"]);
        assert_eq!(hall.speed_changes(-0.5), ["-0.50", "-1.8"]);
        assert_eq!(hall.speed_headings(["a m/s", "a km/h"]), ["a m/s", "a km/h"]);
        // A long track of a narrow road is one for small vehicles, and a table-top one shows centimetres.
        assert!(Decimals::of(300.0, 1.2).is_small);
        assert_eq!(Decimals::of(7.125, 0.4).length(7.125), "7.12 m");
        // The ends of the ranges.
        assert!(!Decimals::of(200.0, 2.0).is_small && Decimals::of(199.9, 2.0).is_small);
    }
}
