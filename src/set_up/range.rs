//! Free numbers of one vehicle: their ranges in the keys' units, and the vehicles in them.

use super::{Free, SetUpError};
use crate::speed::changes_the_road;
use crate::sweep::{Amount, to_digits};
use crate::vehicle::{Vehicle, VehicleError, unit_of};

/// Largest number of free numbers, of which those that move together are one.
pub const MAX_FREE: usize = 32;
/// Digits of a value: more than a person sets.
const DIGITS: usize = 6;

/// A key with its ends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KeyRange {
    pub key: String,
    pub unit: &'static str,
    /// The vehicle's own value, or the default that the model uses; `None` without either.
    pub own: Option<f64>,
    pub from: f64,
    pub to: f64,
}

/// The free numbers of a vehicle. A place has one coordinate per free number, from 0 at the first
/// end to 1 at the second.
#[derive(Clone, Debug)]
pub(super) struct Ranges<'a> {
    pub vehicle: &'a Vehicle,
    /// For each free number, the keys that move together.
    pub free: Vec<Vec<KeyRange>>,
}

impl KeyRange {
    /// Value at `place`, rounded to the digits that a person sets.
    pub fn at(&self, place: f64) -> f64 {
        to_digits(self.from + place * (self.to - self.from), DIGITS)
    }
}

impl<'a> Ranges<'a> {
    /// # Errors
    /// A key that the vehicle does not have, that is repeated or changes the road, a range without a
    /// length, and a number of free numbers that is out of its range.
    pub fn new(vehicle: &'a Vehicle, free: &[Free]) -> Result<Self, SetUpError> {
        if free.is_empty() || free.len() > MAX_FREE {
            return Err(SetUpError::Count { count: free.len(), max: MAX_FREE });
        }
        let filled = vehicle.with_defaults();
        let mut known: Vec<&str> = Vec::new();
        let mut ranges = Vec::with_capacity(free.len());
        for together in free {
            let mut keys = Vec::with_capacity(together.keys.len());
            for free in &together.keys {
                let key = free.key.as_str();
                if known.contains(&key) {
                    return Err(SetUpError::KeyTwice { key: key.to_owned() });
                }
                if changes_the_road(key) {
                    return Err(SetUpError::Road { key: key.to_owned() });
                }
                known.push(key);
                let own = filled.parameter(key)?;
                let value = |amount: Amount| {
                    amount.of(own).map_err(|own| SetUpError::NoBase {
                        key: key.to_owned(),
                        text: amount.to_string(),
                        vehicle: vehicle.name.clone(),
                        own,
                    })
                };
                let (from, to) = (value(free.from)?, value(free.to)?);
                if to_digits(from, DIGITS) == to_digits(to, DIGITS) {
                    return Err(SetUpError::EmptyRange { key: key.to_owned(), value: from });
                }
                keys.push(KeyRange { key: key.to_owned(), unit: unit_of(key), own, from, to });
            }
            if keys.is_empty() {
                return Err(SetUpError::Form { text: String::new() });
            }
            ranges.push(keys);
        }
        Ok(Self { vehicle, free: ranges })
    }

    /// The place nearest to the vehicle as given; in the middle where it has no value. Numbers that
    /// move together are where the first of them is.
    pub fn start(&self) -> Vec<f64> {
        let of = |keys: &Vec<KeyRange>| {
            let first = &keys[0];
            first.own.map_or(0.5, |own| ((own - first.from) / (first.to - first.from)).clamp(0.0, 1.0))
        };
        self.free.iter().map(of).collect()
    }

    /// The vehicle at `place`, not validated, and with the limits of the vehicle as given.
    ///
    /// # Errors
    /// A place that cannot be a vehicle.
    pub fn vehicle_at(&self, place: &[f64]) -> Result<Vehicle, VehicleError> {
        self.with_values(place, KeyRange::at)
    }

    /// The vehicle at `place` without rounding, for derivatives.
    ///
    /// # Errors
    /// A place that cannot be a vehicle.
    pub fn vehicle_near(&self, place: &[f64]) -> Result<Vehicle, VehicleError> {
        self.with_values(place, |range, place| range.from + place * (range.to - range.from))
    }

    fn with_values(&self, place: &[f64], value: impl Fn(&KeyRange, f64) -> f64) -> Result<Vehicle, VehicleError> {
        let keys = self.free.iter().zip(place).flat_map(|(keys, &place)| keys.iter().map(move |range| (range, place)));
        let changes: Vec<(&str, f64)> = keys.map(|(range, place)| (range.key.as_str(), value(range, place))).collect();
        self.vehicle.with_parameters(&changes)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_FREE, Ranges};
    use crate::set_up::{Free, SetUpError};
    use crate::vehicle::{VehicleError, preset};

    fn frees(texts: &[&str]) -> Vec<Free> {
        texts.iter().map(|text| text.parse().expect("a free number")).collect()
    }

    #[test]
    fn a_place_is_a_vehicle_whose_keys_move_together() {
        let gt = preset("gt").expect("the preset exists");
        let wing = frees(&["downforce_kgpm=1:3,drag_kgpm=0.7:1.1", "front_brake_fraction=0.5:0.58", "mass_kg=1x:+10%"]);
        let ranges = Ranges::new(&gt, &wing).expect("keys of the vehicle");
        // Its own downforce is 1.5 kg/m, its brake balance 0.6, beyond the range.
        assert_eq!(ranges.start(), [0.25, 1.0, 0.0]);
        let vehicle = ranges.vehicle_at(&[0.5, 0.25, 1.0]).expect("a vehicle");
        assert_eq!((vehicle.downforce_kgpm, vehicle.drag_kgpm), (2.0, 0.9));
        assert_eq!((vehicle.front_brake_fraction, vehicle.mass_kg), (Some(0.52), 1430.0));
    }

    #[test]
    fn a_key_that_is_omitted_begins_at_the_default_that_the_model_uses() {
        let gt = preset("gt").expect("the preset exists");
        assert!(gt.rear_grip_reserve.is_none());
        let ranges = Ranges::new(&gt, &frees(&["rear_grip_reserve=0:0.1"])).expect("a key of vehicles");
        assert_eq!(ranges.free[0][0].own, Some(gt.handling().rear_grip_reserve));
    }

    #[test]
    fn each_refusal_names_its_key() {
        let gt = preset("gt").expect("the preset exists");
        let refused = |texts: &[&str]| Ranges::new(&gt, &frees(texts)).expect_err("refused");
        assert!(matches!(refused(&["mass_kg=1000:1200", "mass_kg=1:2"]), SetUpError::KeyTwice { .. }));
        assert!(matches!(refused(&["width_m=1:2"]), SetUpError::Road { .. }));
        assert!(matches!(refused(&["mass_kg=1000:1000"]), SetUpError::EmptyRange { .. }));
        assert!(matches!(refused(&["rolling_resistance=0.9x:2"]), SetUpError::NoBase { own: "none", .. }));
        assert!(matches!(refused(&["wings=1:2"]), SetUpError::Vehicle(VehicleError::UnknownParameter { .. })));
        let many: Vec<Free> = frees(&["mass_kg=1:2"]).into_iter().cycle().take(MAX_FREE + 1).collect();
        assert!(matches!(Ranges::new(&gt, &many), Err(SetUpError::Count { count: 33, .. })));
        assert!(matches!(Ranges::new(&gt, &[]), Err(SetUpError::Count { count: 0, .. })));
        assert!(matches!(Ranges::new(&gt, &[Free { keys: Vec::new() }]), Err(SetUpError::Form { .. })));
    }
}
