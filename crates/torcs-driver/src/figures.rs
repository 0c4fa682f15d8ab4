//! What the car's parameter files give beyond the binary interface: TORCS's library reads them, the
//! set-up before the car's own file.

use crate::engine::Engine;

/// Figures of the car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Without fuel, kg.
    pub mass_kg: f64,
    /// Braking torque at full pedal of a front and of a rear wheel, N m.
    pub brake_nm: [f64; 2],
    /// Place of the axles along the car, m.
    pub axles_m: [f64; 2],
    /// Fraction of the weight on the front axle.
    pub front_weight: f64,
    /// Whether the engine drives the front and the rear wheels.
    pub driven: [bool; 2],
    /// Torque, if the files have it.
    pub engine: Option<Engine>,
}

impl Figures {
    /// With `number`, which gives a parameter in SI units by section, key and default, and `text`,
    /// which gives a text. `None` where they make no car.
    pub fn read(number: impl Fn(&str, &str, f64) -> f64, text: impl Fn(&str, &str) -> Option<String>) -> Option<Self> {
        let pressure = number("Brake System", "max pressure", 0.0);
        let front = number("Brake System", "front-rear brake repartition", 0.5);
        let torque = |side: &str, fraction: f64| {
            let section = format!("{side} Brake");
            let radius = 0.5 * number(&section, "disk diameter", 0.0);
            pressure * fraction * radius * number(&section, "piston area", 0.0) * number(&section, "mu", 0.0)
        };
        let drive = text("Drivetrain", "type").unwrap_or_else(|| "RWD".to_owned());
        let figures = Self {
            mass_kg: number("Car", "mass", 0.0),
            brake_nm: [torque("Front Right", front), torque("Rear Right", 1.0 - front)],
            axles_m: [number("Front Axle", "xpos", 0.0), number("Rear Axle", "xpos", 0.0)],
            front_weight: number("Car", "front-rear weight repartition", 0.5),
            driven: [drive != "RWD", drive != "FWD"],
            engine: Engine::read(&number),
        };
        let usable = (100.0..=1e5).contains(&figures.mass_kg)
            && figures.brake_nm.iter().all(|torque| (1.0..=1e6).contains(torque))
            && (0.5..=10.0).contains(&figures.wheelbase_m())
            && (0.1..=0.9).contains(&figures.front_weight);
        usable.then_some(figures)
    }

    /// Distance between the axles, m.
    #[must_use]
    pub fn wheelbase_m(&self) -> f64 {
        self.axles_m[0] - self.axles_m[1]
    }

    /// What all brakes at full pedal give with wheels of these radii, N.
    #[must_use]
    pub fn full_brake_n(&self, radii_m: &[f64; 4]) -> f64 {
        2.0 * (self.brake_nm[0] / radii_m[0] + self.brake_nm[1] / radii_m[2])
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Figures;

    #[test]
    fn brakes_are_pressure_area_friction_and_radius() {
        let number = |section: &str, key: &str, default: f64| match (section, key) {
            ("Brake System", "max pressure") => 29e6,
            ("Brake System", _) => 0.54,
            ("Front Right Brake", "disk diameter") => 0.38,
            ("Front Right Brake", "piston area") => 50e-4,
            ("Rear Right Brake", "disk diameter") => 0.33,
            ("Rear Right Brake", "piston area") => 25e-4,
            (_, "mu") => 0.4,
            ("Car", "mass") => 1150.0,
            ("Front Axle", "xpos") => 1.22,
            ("Rear Axle", "xpos") => -1.42,
            _ => default,
        };
        let figures = Figures::read(number, |_, _| None).unwrap();
        assert!((figures.brake_nm[0] - 5950.8).abs() < 0.1 && (figures.brake_nm[1] - 2201.1).abs() < 0.1);
        assert!((figures.wheelbase_m() - 2.64).abs() < 1e-9);
        let full = figures.full_brake_n(&[0.33; 4]);
        assert!((full - 2.0 * (5950.8 + 2201.1) / 0.33).abs() < 1.0);
        assert_eq!(figures.driven, [false, true]);
        assert!(Figures::read(|_, _, default| default, |_, _| None).is_none());
    }
}
