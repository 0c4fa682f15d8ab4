//! The limit of a lap's energy, and the price of a joule in its program; see `energy`.

use super::tariff::{Tariff, Uses};
use raceline_numerics::math;

/// The energy that a lap may take.
///
/// ```
/// use raceline_solve::car::{Energy, EnergyLimit};
///
/// // A budget of 2 MJ, with 60 % of the brakes' work returned.
/// let energy = Energy { limit: EnergyLimit::Budget(2e6), recuperation: 0.6 };
/// assert_ne!(energy, Energy::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// The limit. Default: none.
    pub limit: EnergyLimit,
    /// η: the fraction of the brakes' work that returns, 0 to 1. Default: 0.
    pub recuperation: f64,
}

/// The limit of the energy of a lap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum EnergyLimit {
    /// No limit: the shortest time.
    #[default]
    None,
    /// A price, s/J: the smallest sum of the time and this price for each joule.
    Price(f64),
    /// A budget, J: the shortest time of a lap that takes no more.
    Budget(f64),
}

/// The price of energy in a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// λ: the price of a joule, s/J.
    pub seconds_per_joule: f64,
    /// η: the fraction of the brakes' work that returns, 0 to 1.
    pub recuperation: f64,
    /// ε: the pedal about which the change from driving to braking is rounded, m/s².
    pub rounding_mps2: f64,
    /// The prices of a stint: its cost by time is then in the place of m u e, and λ is 1.
    pub tariff: Option<Tariff>,
}

impl Price {
    /// Energy costs nothing.
    #[cfg(test)]
    pub const NONE: Self =
        Self { seconds_per_joule: 0.0, recuperation: 0.0, rounding_mps2: ROUNDING_MPS2, tariff: None };

    /// Whether a lap costs the same by `other`: no price of one is another than one of the other.
    pub fn is_like(self, other: Self) -> bool {
        self == other || (self.is_free() && other.is_free())
    }

    /// Whether nothing has a price.
    pub fn is_free(&self) -> bool {
        self.tariff.map_or(self.seconds_per_joule == 0.0, |tariff| tariff.prices == Uses::default())
    }

    /// Whether `other` differs in its prices alone, by factors whose logarithms are at most
    /// `max_ln`.
    pub fn is_near(self, other: Self, max_ln: f64) -> bool {
        let near = |price: f64, other: f64| price == other || math::ln(other / price).abs() <= max_ln;
        let tariffs = match (self.tariff, other.tariff) {
            (Some(own), Some(other)) => own.is_near(&other, near),
            (own, other) => own == other,
        };
        let alone = Self { seconds_per_joule: self.seconds_per_joule, tariff: self.tariff, ..other };
        self == alone && tariffs && near(self.seconds_per_joule, other.seconds_per_joule)
    }

    /// e = p₊ + η p₋ with its first and second derivative by the pedal p, m/s².
    pub fn work(self, p: f64) -> [f64; 3] {
        let (sum, rest) = (0.5 * (1.0 + self.recuperation), 0.5 * (1.0 - self.recuperation));
        // Equation (1) of `energy`: (1 + η)/2 p + (1 - η)/2 √(p² + ε²).
        let root = math::hypot(p, self.rounding_mps2);
        let bend = self.rounding_mps2 * self.rounding_mps2 / (root * root * root);
        [sum * p + rest * root, sum + rest * p / root, rest * bend]
    }
}

/// Largest price, relative to the price at which the fastest lap's energy costs as much as its
/// time. A higher price hardly lowers the energy of a lap.
pub const MAX_PRICE: f64 = 1e3;

/// ε of the laps before the last: where a car coasts, which is on much of a lap, p is at the bend
/// of E, and with a sharp bend Newton's method takes many short steps.
pub const EARLIER_MPS2: [f64; 2] = [1.0, 0.2];

/// ε of a lap, m/s². A pedal that is not pressed counts as half of it: less than a hundredth of the
/// acceleration of any drive, and a tenth of a car's rolling resistance.
pub const ROUNDING_MPS2: f64 = 0.04;

#[cfg(test)]
mod tests {
    use super::Price;

    #[test]
    fn prices_are_alike_if_they_are_equal_or_both_nothing() {
        let of = |seconds_per_joule: f64, rounding_mps2: f64| Price { seconds_per_joule, rounding_mps2, ..Price::NONE };
        assert!(of(1e-5, 0.1).is_like(of(1e-5, 0.1)) && of(0.0, 0.1).is_like(of(0.0, 0.2)));
        assert!(!of(1e-5, 0.1).is_like(of(1e-5, 0.2)) && !of(1e-5, 0.1).is_like(of(0.0, 0.1)));
        assert!(!of(0.0, 0.1).is_like(of(1e-5, 0.1)));
    }

    #[test]
    fn work_has_its_derivatives_and_is_that_of_drive_and_brakes_far_from_zero() {
        let price = Price { seconds_per_joule: 1e-5, recuperation: 0.4, rounding_mps2: 0.3, tariff: None };
        let h = 1e-5;
        for k in -40..=40 {
            let p = 0.23 * f64::from(k);
            let ([_, slope, bend], after, before) = (price.work(p), price.work(p + h), price.work(p - h));
            assert!(((after[0] - before[0]) / (2.0 * h) - slope).abs() < 1e-8, "{p}");
            assert!(((after[1] - before[1]) / (2.0 * h) - bend).abs() < 1e-8, "{p}");
        }
        let sharp = Price { rounding_mps2: 0.0, ..price };
        assert_eq!([sharp.work(5.0)[0], sharp.work(-5.0)[0]], [5.0, 0.4 * -5.0]);
    }
}
