//! A Bevy plugin that drives entities along a racing line of raceline.
//!
//! Insert a [`RacingLine`], spawn an entity with a [`Driver`], and read its [`Driving`] in a system
//! of your own that moves the vehicle by your physics: after [`DriverSystems`] in `FixedUpdate`.
//! [`RollingCar`] with [`roll`] is such physics in a few lines, for tests and first tries.
//!
//! Bevy's y axis points up, and a vehicle looks along its local -z axis; raceline's z axis points up.
//! A point (x, y, z) of a line is (x, z, -y) in Bevy.

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use raceline_follower::json::{self, JsonError};
use raceline_follower::{Follower, FollowerOptions, OptionsError, Path, Scene, VehicleGeometry, VehicleState};

/// Drives all [`Driver`]s once in each fixed update.
pub struct RacelinePlugin;

impl Plugin for RacelinePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(FixedUpdate, drive.in_set(DriverSystems));
    }
}

/// The systems that write [`Driving`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DriverSystems;

/// The line that the drivers follow.
#[derive(Resource)]
pub struct RacingLine {
    /// The line with its edges and speeds.
    pub path: Path,
    /// The vehicle that it was computed for.
    pub vehicle: VehicleGeometry,
    /// Lap time of its speed profile, s.
    pub lap_time_s: f64,
}

impl RacingLine {
    /// The contents of a racing-line file, which `raceline optimize` writes.
    ///
    /// # Errors
    /// Bytes that are no such file; the message names the key.
    pub fn from_json(bytes: &[u8]) -> Result<Self, JsonError> {
        let line = json::read(bytes)?;
        Ok(Self { path: line.path, vehicle: line.vehicle, lap_time_s: line.lap_time_s })
    }

    /// Place and direction of the line, `s_m` metres from its start: where a vehicle is spawned.
    #[must_use]
    pub fn transform(&self, s_m: f64) -> Transform {
        let [here, ahead] = [s_m, s_m + 0.5].map(|s_m| translation(self.path.sample(s_m).position_m));
        Transform::from_translation(here).looking_at(ahead, Vec3::Y)
    }
}

/// A driver of raceline on an entity with a [`Transform`].
#[derive(Component)]
#[require(Transform, Driving)]
pub struct Driver {
    follower: Follower,
    /// Speed along the vehicle's direction, m/s. Your physics keeps it up to date.
    pub speed_mps: f64,
}

impl Driver {
    /// A driver for racing with the vehicle of the line.
    ///
    /// # Errors
    /// A vehicle with a size or an angle out of its range.
    pub fn new(line: &RacingLine) -> Result<Self, OptionsError> {
        Ok(Self { follower: Follower::new(FollowerOptions::for_racing(), line.vehicle)?, speed_mps: 0.0 })
    }
}

/// The driver's command of this fixed update.
#[derive(Component, Default, Clone, Copy)]
pub struct Driving(pub Option<raceline_follower::Command>);

/// Asks each driver for its command.
fn drive(
    line: Option<Res<RacingLine>>,
    time: Res<Time<Fixed>>,
    mut drivers: Query<(&mut Driver, &Transform, &mut Driving)>,
) {
    let Some(line) = line else { return };
    for (mut driver, transform, mut driving) in &mut drivers {
        let forward = transform.forward();
        let state = VehicleState::new(
            position_m(transform.translation),
            f64::from(-forward.z).atan2(f64::from(forward.x)),
            driver.speed_mps,
        );
        let command = driver.follower.step(&line.path, &state, &Scene::EMPTY, time.delta_secs_f64());
        driving.0 = Some(command);
    }
}

/// A place of a line in Bevy's axes.
#[expect(clippy::cast_possible_truncation, reason = "Bevy's positions are single")]
fn translation([x_m, y_m, z_m]: [f64; 3]) -> Vec3 {
    Vec3::new(x_m as f32, z_m as f32, -y_m as f32)
}

/// A place of Bevy in the axes of lines, m.
fn position_m(place: Vec3) -> [f64; 3] {
    [f64::from(place.x), f64::from(-place.z), f64::from(place.y)]
}

/// A car that rolls without slip, beside a [`Driver`].
#[derive(Component)]
pub struct RollingCar {
    /// Acceleration of the full pedal, m/s².
    pub full_pedal_mps2: f64,
}

/// Moves the rolling cars: add it to `FixedUpdate` after [`DriverSystems`].
#[expect(clippy::cast_possible_truncation, reason = "Bevy's positions are single")]
pub fn roll(
    line: Res<RacingLine>,
    time: Res<Time<Fixed>>,
    mut cars: Query<(&RollingCar, &Driving, &mut Driver, &mut Transform)>,
) {
    let frame_s = time.delta_secs_f64();
    for (car, driving, mut driver, mut transform) in &mut cars {
        let Some(command) = &driving.0 else { continue };
        driver.speed_mps = (driver.speed_mps + command.pedal * car.full_pedal_mps2 * frame_s).max(0.0);
        let yaw_rate_radps = driver.speed_mps * command.steering_rad.tan() / line.vehicle.wheelbase_m;
        transform.rotate_y((yaw_rate_radps * frame_s) as f32);
        let forward = transform.forward();
        transform.translation += forward * (driver.speed_mps * frame_s) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_return_through_bevys_axes() {
        let place = [12.0, -7.5, 0.25];
        assert_eq!(position_m(translation(place)), place);
        // North of a line is Bevy's -z, up is y.
        assert_eq!(translation([0.0, 1.0, 0.0]), Vec3::NEG_Z);
        assert_eq!(translation([0.0, 0.0, 1.0]), Vec3::Y);
    }

    #[test]
    fn a_vehicle_is_spawned_along_the_line() {
        let line = RacingLine::from_json(include_bytes!("../../../tracks/kart.raceline.json")).unwrap();
        let transform = line.transform(20.0);
        let [here, ahead] = [20.0, 21.0].map(|s_m| translation(line.path.sample(s_m).position_m));
        assert!(transform.forward().dot((ahead - here).normalize()) > 0.99);
        assert!((transform.translation - here).length() < 1e-3);
    }

    #[test]
    fn without_a_line_nobody_is_driven() {
        let line = RacingLine::from_json(include_bytes!("../../../tracks/kart.raceline.json")).unwrap();
        let mut app = App::new();
        app.insert_resource(Time::<Fixed>::from_hz(60.0)).add_plugins(RacelinePlugin);
        let car = app.world_mut().spawn(Driver::new(&line).unwrap()).id();
        app.world_mut().run_schedule(FixedUpdate);
        assert!(app.world().get::<Driving>(car).unwrap().0.is_none());
    }
}
