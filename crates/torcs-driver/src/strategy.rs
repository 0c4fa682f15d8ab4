//! When to stop in the pits and what to do there: the plan of [`raceline_tactics::race`], made again each
//! time that the route in comes near.

use raceline_follower::Path;
use raceline_tactics::race::{Race, Situation, plan};

use crate::pits::Service;

/// Times of TORCS's rules at a stop: at least, per litre and per damage point, s.
const STOP_S: f64 = 2.0;
const REFUEL_SPL: f64 = 0.125;
const REPAIR_S: f64 = 0.007;
/// Fuel of a racing car, l/km, until it is measured; and how much of it is planned with.
const FUEL_LPKM: f64 = 0.65;
const FUEL_MARGIN: f64 = 1.02;
/// Fuel that is to be left at a stop or at the end: laps, and l. A stop loads this part of a lap's more, so
/// that a lap that takes a little more does not lead to another stop.
const RESERVE_LAPS: f64 = 0.15;
const RESERVE_L: f64 = 0.5;
const LOADED_LAPS: f64 = 0.15;
/// Who has this much more than the rest of the race takes does not stop for fuel, l.
const MIN_SPARE_L: f64 = 0.2;
/// Part of a lap's time for each litre on board, as measured between 20 and 94 l, and part of the drag for
/// each damage point.
const LAP_PER_L: f64 = 9e-5;
const DRAG_PER_DAMAGE: f64 = 1e-4;
/// From this part of the drive on the drive limits a line's speed.
const FULL_DRIVE: f64 = 0.9;
/// Distance between places where the drive is looked at, m.
const SPACING_M: f64 = 4.0;
/// Damage from which on a stop is made in any case, since TORCS takes out who has 10 000.
const TOO_MUCH_DAMAGE: i32 = 7000;
/// What a stop costs against driving past where the pits are not known, without the stop itself, s.
pub const USUAL_LOSS_S: f64 = 22.0;

/// A race of a car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strategy {
    /// Laps of the race.
    pub laps: u32,
    /// A lap, s.
    pub lap_time_s: f64,
    /// Fuel per lap, l.
    pub fuel_per_lap_l: f64,
    /// The tank, l.
    pub tank_l: f64,
    /// What a stop costs against driving past, without the stop itself, s.
    pub loss_s: f64,
    /// Time per lap for each damage point, s.
    pub damage_spl: f64,
    /// Fuel at the start of the lap, l, and the number of laps that were measured.
    lap_began_l: Option<f64>,
    measured: u32,
}

/// A car on its route.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Laps that are done, with the part of the current one.
    pub laps: f64,
    /// Fuel on board, l.
    pub fuel_l: f64,
    /// Damage points.
    pub damage: i32,
}

impl Strategy {
    /// For a race over `laps` laps of `lap_time_s` and `length_m`.
    #[must_use]
    pub fn new(laps: u32, [lap_time_s, length_m]: [f64; 2], tank_l: f64, loss_s: f64, damage_spl: f64) -> Self {
        let fuel_per_lap_l = FUEL_LPKM * 1e-3 * length_m;
        Self { laps, lap_time_s, fuel_per_lap_l, tank_l, loss_s, damage_spl, lap_began_l: None, measured: 0 }
    }

    fn race(&self, damage: i32) -> Race {
        let damage = f64::from(damage.max(0));
        Race {
            laps: self.laps,
            lap_time_s: self.lap_time_s,
            fuel_per_lap_kg: self.planned_l(),
            tank_kg: (self.tank_l - self.reserve_l()).max(self.planned_l()),
            lap_s_per_kg: LAP_PER_L * self.lap_time_s,
            wear_s_per_lap: 0.0,
            tyre_life_laps: None,
            pit_loss_s: self.loss_s.max(0.0) + STOP_S,
            change_loss_s: 0.0,
            refuel_s_per_kg: REFUEL_SPL,
            damage_s_per_lap: self.damage_spl * damage,
            repair_loss_s: Some(REPAIR_S * damage),
            safety_car: None,
        }
    }

    /// Fuel per lap that is planned with, l.
    fn planned_l(&self) -> f64 {
        FUEL_MARGIN * self.fuel_per_lap_l
    }

    fn reserve_l(&self) -> f64 {
        RESERVE_LAPS * self.planned_l() + RESERVE_L
    }

    /// Fuel to start with, l: that of the plan's first stint.
    #[must_use]
    pub fn start_fuel_l(&self) -> f64 {
        let planned = plan(&self.race(0), None).map_or(f64::INFINITY, |plan| plan.start_fuel_kg);
        (planned + self.reserve_l()).min(self.tank_l)
    }

    /// Measures what the lap took that has ended.
    pub fn lap_ended(&mut self, fuel_l: f64) {
        if let Some(before) = self.lap_began_l.replace(fuel_l) {
            let used = before - fuel_l;
            // After a stop there is more.
            if used > 0.0 {
                self.measured += 1;
                let rate = (1.0 / f64::from(self.measured)).max(0.2);
                self.fuel_per_lap_l += rate * (used - self.fuel_per_lap_l);
            }
        }
    }

    /// What to do at a stop at the end of this lap; `None` to drive on.
    #[must_use]
    pub fn stop(&self, progress: &Progress) -> Option<Service> {
        let done = progress.laps.round().max(0.0);
        let left = f64::from(self.laps) - done;
        if left < 1.0 {
            return None;
        }
        let per_lap_l = self.planned_l();
        let then_l = progress.fuel_l - self.fuel_per_lap_l * (done - progress.laps);
        // The reserve is no reason to stop for who comes home without it.
        let lasts = then_l >= left * self.fuel_per_lap_l + MIN_SPARE_L;
        let fuel_laps = if lasts { left } else { ((then_l - self.reserve_l()) / per_lap_l).floor().clamp(0.0, left) };
        let mut race = self.race(progress.damage);
        race.tank_kg = race.tank_kg.max(fuel_laps * per_lap_l);
        let now =
            Situation { lap: done as u32, fuel_laps: fuel_laps as u32, tyre_laps: 0, is_damaged: progress.damage > 0 };
        let stop = plan(&race, Some(&now)).ok().and_then(|plan| plan.stops.first().copied());
        let room_l = (self.tank_l - then_l).max(0.0);
        let needed_l = |laps: f64| {
            let fuel_l = (laps + LOADED_LAPS) * per_lap_l;
            (fuel_l + self.reserve_l() - then_l).clamp(0.0, room_l)
        };
        match stop {
            Some(stop) if stop.lap == now.lap => Some(Service {
                // To the next stop, with the reserve again.
                fuel_l: needed_l((fuel_laps + stop.fuel_kg / per_lap_l).min(left)),
                repair: if stop.repair { progress.damage } else { 0 },
            }),
            // The plan knows neither that the fuel could be short nor that the damage could be too much.
            _ if fuel_laps < 1.0 || progress.damage > TOO_MUCH_DAMAGE => {
                Some(Service { fuel_l: needed_l(left), repair: progress.damage })
            }
            _ => None,
        }
    }
}

/// Time per lap that one damage point costs on a line, s: more drag where the drive limits the speed. To
/// first order, with e for what is missing in v²,
///
/// ```text
/// e' = 2 c v² d + e ∂(drive - c v²)/∂(v²)·2        ΔT = ∫ e / (2 v³) ds
/// ```
///
/// and e = 0 where the car brakes or holds back.
#[must_use]
pub fn damage_spl(line: &Path) -> f64 {
    let Some(dynamics) = line.dynamics() else { return 0.0 };
    let (drag, step_mps) = (dynamics.drag_radpm, 0.5);
    let count = (line.length_m() / SPACING_M).ceil().max(1.0);
    let spacing = line.length_m() / count;
    let (mut missing, mut time) = (0.0, 0.0);
    // Twice, since the start may lie on a straight.
    for i in 0..2 * count as usize {
        let sample = line.sample(i as f64 * spacing);
        let speed = sample.speed_mps.max(1.0);
        let drive = |speed: f64| dynamics.drive_mps2.at(speed);
        let used = (sample.acceleration_mps2 + drag * speed * speed) / drive(speed).max(1e-3);
        if used < FULL_DRIVE {
            missing = 0.0;
            continue;
        }
        let slope = (drive(speed + step_mps) - drive(speed - step_mps)) / (4.0 * speed * step_mps) - drag;
        missing += spacing * (2.0 * drag * speed * speed * DRAG_PER_DAMAGE + 2.0 * slope * missing);
        if i >= count as usize {
            time += spacing * missing / (2.0 * speed.powi(3));
        }
    }
    time
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Progress, Strategy};

    const LAP: [f64; 2] = [90.0, 5000.0];

    #[test]
    fn a_race_within_one_tank_has_no_stop() {
        let strategy = Strategy::new(10, LAP, 94.0, 22.0, 4e-4);
        let start = strategy.start_fuel_l();
        assert!((start - (10.15 * 1.02 * 3.25 + 0.5)).abs() < 1e-9, "{start}");
        for lap in 1..10 {
            let fuel_l = start - f64::from(lap) * 3.25;
            assert_eq!(strategy.stop(&Progress { laps: f64::from(lap) - 0.05, fuel_l, damage: 0 }), None, "{lap}");
        }
    }

    #[test]
    fn nobody_stops_for_a_reserve() {
        let strategy = Strategy::new(10, LAP, 94.0, 22.0, 4e-4);
        // 4.05 laps are left.
        let stop = |fuel_l: f64| strategy.stop(&Progress { laps: 5.95, fuel_l, damage: 0 });
        assert_eq!(stop(4.05 * 3.25 + 0.25), None);
        // A stop for what is missing may come later, but not after the fuel.
        let short = |laps: f64, fuel_l: f64| strategy.stop(&Progress { laps, fuel_l, damage: 0 });
        assert!(short(8.95, 0.9 * 3.25).is_some_and(|service| service.fuel_l > 0.15 * 3.25));
    }

    /// Drives a race; the laps at whose end it stopped, and the fuel that was loaded.
    fn drive(mut strategy: Strategy, fuel_per_lap: f64, damage: impl Fn(u32) -> i32) -> Vec<(u32, f64, i32)> {
        let mut fuel_l = strategy.start_fuel_l();
        assert!(fuel_l <= strategy.tank_l);
        let mut stops = Vec::new();
        let mut repaired = 0;
        strategy.lap_ended(fuel_l);
        for lap in 1..=strategy.laps {
            fuel_l -= 0.95 * fuel_per_lap;
            assert!(fuel_l > 0.0, "lap {lap}: {stops:?}");
            let damage = damage(lap) - repaired;
            let progress = Progress { laps: f64::from(lap) - 0.05, fuel_l, damage };
            if let Some(service) = strategy.stop(&progress) {
                stops.push((lap, service.fuel_l, service.repair));
                fuel_l = (fuel_l + service.fuel_l).min(strategy.tank_l);
                repaired += service.repair;
            }
            fuel_l -= 0.05 * fuel_per_lap;
            assert!(fuel_l > 0.0, "lap {lap}: {stops:?}");
            strategy.lap_ended(fuel_l);
        }
        stops
    }

    #[test]
    fn fifty_laps_take_one_stop_and_no_fuel_is_carried_home() {
        // 162.5 l are needed, the tank holds 94.
        for fuel_per_lap in [3.1, 3.25, 3.5] {
            let stops = drive(Strategy::new(50, LAP, 94.0, 22.0, 4e-4), fuel_per_lap, |_| 0);
            assert_eq!(stops.len(), 1, "{fuel_per_lap}: {stops:?}");
            let total = 94.0 + stops[0].1;
            let max_l = 51.0 * fuel_per_lap * 1.05 + 0.5;
            assert!((50.0 * fuel_per_lap..max_l).contains(&total), "{total}");
        }
    }

    #[test]
    fn small_damage_waits_for_the_stop_and_large_damage_does_not() {
        let strategy = Strategy::new(50, LAP, 94.0, 22.0, 4e-4);
        let stops = drive(strategy, 3.25, |_| 800);
        assert_eq!((stops.len(), stops[0].2), (1, 800), "{stops:?}");
        let stops = drive(strategy, 3.25, |lap| if lap > 3 { 7500 } else { 0 });
        assert_eq!((stops[0].0, stops[0].2), (4, 7500), "{stops:?}");
        // At the end of the race a repair does not pay.
        let stops = drive(strategy, 3.25, |lap| if lap > 46 { 1500 } else { 0 });
        assert_eq!(stops.iter().map(|stop| stop.2).sum::<i32>(), 0, "{stops:?}");
    }
}
