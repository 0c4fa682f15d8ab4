//! Choice of the gear for vehicles whose game leaves it to the driver.
//!
//! With the engine's speed ω, the gear's ratio i from engine to wheel and the wheel's radius r, the
//! road turns the engine at v i / r. The gear goes up when the engine reaches a fraction of its
//! greatest speed, and down when the lower gear would turn it at no more than another fraction of it
//! after the change. A change takes time, and none follows it before it has ended: a change down
//! during a change up would undo it.

use crate::error::OptionsError;
use crate::options::{by_key, options, validate_rows};

/// Largest number of forward gears.
pub const MAX_GEARS: usize = 12;

options! {
    /// Options of [`Gearbox`].
    GearboxOptions, "gearbox." {
        /// Fraction of the engine's greatest speed at which the gear goes up.
        up_fraction: f64 = 0.985, [from 0.3 to 1];
        /// Fraction of it to which a change down may turn the engine.
        down_fraction: f64 = 0.85, [from 0.1 to up_fraction less 0.02];
        /// Time from one change to the next.
        change_s: f64 = 0.25, [from 0 to 5], "s";
        /// Fraction of the engine's greatest speed below which the clutch slips in the first gear.
        start_fraction: f64 = 0.5, [from 0.05 to 0.9];
    }
}

by_key!(GearboxOptions, " of the gearbox");

/// The drive of a vehicle: what a gearbox has to know.
///
/// ```
/// use raceline_follower::gearbox::{Drivetrain, MAX_GEARS};
///
/// let mut ratios = [0.0; MAX_GEARS];
/// ratios[..3].copy_from_slice(&[12.0, 8.0, 6.0]);
/// let drive = Drivetrain { ratios, wheel_radius_m: 0.3, redline_radps: 800.0 };
/// assert_eq!((drive.gears(), drive.engine_radps(2, 15.0)), (3, 400.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drivetrain {
    /// Engine speed by wheel speed of each forward gear, final drive included, falling; 0 for gears
    /// that it does not have.
    pub ratios: [f64; MAX_GEARS],
    /// Radius of the driven wheels, m.
    pub wheel_radius_m: f64,
    /// Greatest speed of the engine, rad/s.
    pub redline_radps: f64,
}

impl Drivetrain {
    /// Number of forward gears.
    pub fn gears(&self) -> usize {
        self.ratios.iter().take_while(|ratio| **ratio > 0.0).count()
    }

    /// Speed at which the road turns the engine in a gear, from 1, rad/s; infinite in one that it
    /// does not have.
    pub fn engine_radps(&self, gear: usize, speed_mps: f64) -> f64 {
        match gear.checked_sub(1).and_then(|index| self.ratios.get(index)) {
            Some(&ratio) if ratio > 0.0 => speed_mps.abs() * ratio / self.wheel_radius_m,
            _ => f64::INFINITY,
        }
    }
}

/// Gear and clutch for a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GearChoice {
    /// The gear: from 1 forwards, -1 reverse.
    pub gear: i32,
    /// The clutch pedal: 0 grips, 1 is open.
    pub clutch: f64,
}

/// Chooses the gear of one vehicle; a step does not allocate.
///
/// ```
/// use raceline_follower::gearbox::{Drivetrain, Gearbox, GearboxOptions, MAX_GEARS};
///
/// let mut ratios = [0.0; MAX_GEARS];
/// ratios[..2].copy_from_slice(&[12.0, 8.0]);
/// let drive = Drivetrain { ratios, wheel_radius_m: 0.3, redline_radps: 800.0 };
/// let mut gearbox = Gearbox::new(GearboxOptions::default(), drive)?;
/// // At 20 m/s the first gear turns the engine at its limit.
/// assert_eq!(gearbox.choose(20.0, 800.0, false, true, 0.02).gear, 2);
/// # Ok::<(), raceline_follower::OptionsError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gearbox {
    options: GearboxOptions,
    drivetrain: Drivetrain,
    gear: i32,
    since_s: f64,
}

impl Gearbox {
    /// A gearbox in first gear.
    ///
    /// # Errors
    /// The first number out of its documented range.
    pub fn new(options: GearboxOptions, drivetrain: Drivetrain) -> Result<Self, OptionsError> {
        options.validate()?;
        validate_rows(&[
            ("gearbox.wheel_radius_m", drivetrain.wheel_radius_m, [0.01, 5.0], "0.01 to 5 m"),
            ("gearbox.redline_radps", drivetrain.redline_radps, [10.0, 1e4], "10 to 10000 rad/s"),
            ("gearbox.ratios", drivetrain.gears() as f64, [1.0, MAX_GEARS as f64], "at least one above 0"),
        ])?;
        Ok(Self { options, drivetrain, gear: 1, since_s: f64::INFINITY })
    }

    /// The drive.
    pub fn drivetrain(&self) -> &Drivetrain {
        &self.drivetrain
    }

    /// Back to first gear.
    pub fn reset(&mut self) {
        (self.gear, self.since_s) = (1, f64::INFINITY);
    }

    /// Gear and clutch at the speed `speed_mps` with the engine turning at `engine_radps`; `grips` is
    /// whether the driven wheels carry load: the speed of a wheel in the air shows nothing.
    pub fn choose(&mut self, speed_mps: f64, engine_radps: f64, reverse: bool, grips: bool, dt_s: f64) -> GearChoice {
        let Self { options, drivetrain, .. } = *self;
        self.since_s += dt_s.max(0.0);
        if reverse {
            if self.gear > 0 {
                (self.gear, self.since_s) = (-1, 0.0);
            }
        } else if self.gear < 1 {
            (self.gear, self.since_s) = (1, 0.0);
        } else if self.since_s >= options.change_s {
            let gear = self.gear as usize;
            let by_road = |gear: usize| drivetrain.engine_radps(gear, speed_mps.max(0.0));
            let up = options.up_fraction * drivetrain.redline_radps;
            // The engine's speed is more exact, but not while the wheels spin.
            let spins = engine_radps > 1.15 * by_road(gear);
            let turns = if spins || !engine_radps.is_finite() { by_road(gear) } else { engine_radps };
            if gear < drivetrain.gears() && turns >= up && grips {
                (self.gear, self.since_s) = (self.gear + 1, 0.0);
            } else if gear > 1 && by_road(gear - 1) <= options.down_fraction * drivetrain.redline_radps {
                (self.gear, self.since_s) = (self.gear - 1, 0.0);
            }
        }
        // From a standstill the clutch grips as far as the road already turns the engine.
        let start = options.start_fraction * drivetrain.redline_radps;
        let turned = drivetrain.engine_radps(1, speed_mps);
        let clutch = if self.gear == 1 && turned < start {
            let missing = 1.0 - (engine_radps / start).clamp(0.0, 1.0);
            missing.min(1.0 - turned / start)
        } else {
            0.0
        };
        GearChoice { gear: self.gear, clutch: if clutch.is_nan() { 0.0 } else { clutch.clamp(0.0, 1.0) } }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Drivetrain, Gearbox, GearboxOptions, MAX_GEARS};

    /// Six gears, 0.33 m, 958 rad/s: 73 m/s in fifth at most.
    fn drivetrain() -> Drivetrain {
        let mut ratios = [0.0; MAX_GEARS];
        for (ratio, gear) in ratios.iter_mut().zip([3.0, 1.9, 1.4, 1.1, 0.9, 0.77]) {
            *ratio = 4.5 * gear;
        }
        Drivetrain { ratios, wheel_radius_m: 0.33, redline_radps: 958.0 }
    }

    #[test]
    fn the_gear_goes_up_at_a_fraction_of_the_redline_and_down_well_below_it() {
        let mut gearbox = Gearbox::new(GearboxOptions::default(), drivetrain()).unwrap();
        let mut changes = Vec::new();
        let mut run = |speeds: &mut dyn Iterator<Item = f64>| {
            let mut last = 0;
            for speed in speeds {
                let engine = drivetrain().engine_radps(gearbox.gear.max(1) as usize, speed);
                let gear = gearbox.choose(speed, engine, false, true, 0.02).gear;
                if gear != last {
                    changes.push((gear, speed));
                    last = gear;
                }
            }
        };
        run(&mut (0..8000).map(|i| f64::from(i) * 0.01));
        run(&mut (0..8000).rev().map(|i| f64::from(i) * 0.01));
        let gears: Vec<i32> = changes.iter().map(|change| change.0).collect();
        assert_eq!(gears, [1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1]);
        // Closed form: v = fraction · redline · r / i.
        for (change, gear) in changes[1..6].iter().zip(0..) {
            let speed = 0.985 * 958.0 * 0.33 / drivetrain().ratios[gear];
            assert!((change.1 - speed).abs() < 0.02, "{change:?}, {speed}");
        }
        for (change, gear) in changes[7..].iter().zip((0..5).rev()) {
            let speed = 0.85 * 958.0 * 0.33 / drivetrain().ratios[gear];
            assert!((change.1 - speed).abs() < 0.02, "{change:?}, {speed}");
        }
    }

    #[test]
    fn a_change_is_not_undone_before_its_time_and_none_follows_a_spinning_wheel() {
        let mut gearbox = Gearbox::new(GearboxOptions::default(), drivetrain()).unwrap();
        assert_eq!(gearbox.choose(5.0, 950.0, false, true, 0.02).gear, 1, "the wheels spin");
        assert_eq!(gearbox.choose(23.2, 950.0, false, false, 0.02).gear, 1, "in the air");
        assert_eq!(gearbox.choose(23.2, 950.0, false, true, 0.02).gear, 2);
        assert_eq!(gearbox.choose(10.0, 500.0, false, true, 0.02).gear, 2);
        assert_eq!(gearbox.choose(10.0, 500.0, false, true, 0.3).gear, 1);
        assert_eq!(gearbox.choose(0.0, 100.0, true, true, 0.02).gear, -1);
        assert_eq!(gearbox.choose(0.0, 100.0, false, true, 0.02).gear, 1);
    }

    #[test]
    fn the_clutch_is_open_at_standstill_and_grips_once_the_road_turns_the_engine() {
        let mut gearbox = Gearbox::new(GearboxOptions::default(), drivetrain()).unwrap();
        assert_eq!(gearbox.choose(0.0, 0.0, false, true, 0.02).clutch, 1.0);
        assert_eq!(gearbox.choose(0.0, 479.0, false, true, 0.02).clutch, 0.0, "it has its speed");
        assert!((gearbox.choose(0.0, 239.5, false, true, 0.02).clutch - 0.5).abs() < 1e-9);
        assert_eq!(gearbox.choose(12.0, 200.0, false, true, 0.02).clutch, 0.0);
    }

    #[test]
    fn a_drive_without_gears_is_reported() {
        let none = Drivetrain { ratios: [0.0; MAX_GEARS], ..drivetrain() };
        assert_eq!(Gearbox::new(GearboxOptions::default(), none).unwrap_err().field, "gearbox.ratios");
    }
}
