//! The driver in Godot's axes: y points up, where the z axis of a line does. A point (x, y, z) of a
//! line is (x, z, -y) in Godot.

use std::error::Error;

use godot::builtin::{Basis, Transform3D, Vector2, Vector3};
use raceline_follower::json::{self, RacingLine};
use raceline_follower::{Follower, FollowerOptions, Scene, VehicleState};

/// Where a body of Godot's physics is, and how it moves.
pub struct Motion {
    pub at: Transform3D,
    /// m/s, in the axes of the world.
    pub velocity: Vector3,
    /// rad/s, in the axes of the world.
    pub angular_velocity: Vector3,
}

/// A line and its follower.
pub struct Driver {
    line: RacingLine,
    follower: Follower,
}

impl Driver {
    /// The driver of a racing-line file.
    ///
    /// # Errors
    /// Bytes that are no such file; the message names the key.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Box<dyn Error>> {
        let line = json::read(bytes)?;
        let follower = Follower::new(FollowerOptions::for_racing(), line.vehicle)?;
        Ok(Self { line, follower })
    }

    pub fn length_m(&self) -> f64 {
        self.line.path.length_m()
    }

    /// The line's place and direction `s_m` after its start.
    pub fn place(&self, s_m: f64) -> Transform3D {
        let [here, ahead] = [s_m, s_m + 0.5].map(|s_m| place(self.line.path.sample(s_m).position_m));
        // Godot's own `looking_at` needs the engine.
        let back = (here - ahead).normalized();
        let right = Vector3::UP.cross(back).normalized();
        Transform3D::new(Basis::from_cols(right, back.cross(right), back), here)
    }

    /// Steering angle, rad, and pedal for a frame.
    #[expect(clippy::cast_possible_truncation, reason = "Godot's vectors are single")]
    pub fn step(&mut self, motion: &Motion, frame_s: f64) -> Vector2 {
        let forward = -motion.at.basis.col_c();
        let state = VehicleState {
            velocity_mps: position_m(motion.velocity),
            // Up is an axis of both, so the sense of rotation is equal.
            yaw_rate_radps: f64::from(motion.angular_velocity.y),
            ..VehicleState::new(
                position_m(motion.at.origin),
                f64::from(-forward.z).atan2(f64::from(forward.x)),
                f64::from(motion.velocity.dot(forward)),
            )
        };
        let command = self.follower.step(&self.line.path, &state, &Scene::EMPTY, frame_s);
        Vector2::new(command.steering_rad as f32, command.pedal as f32)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "Godot's vectors are single")]
fn place([x_m, y_m, z_m]: [f64; 3]) -> Vector3 {
    Vector3::new(x_m as f32, z_m as f32, -y_m as f32)
}

fn position_m(place: Vector3) -> [f64; 3] {
    [f64::from(place.x), f64::from(-place.z), f64::from(place.y)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = include_bytes!("../../../tracks/kart.raceline.json");
    const FRAME_S: f64 = 1.0 / 60.0;

    #[test]
    fn places_return_through_godots_axes() {
        assert_eq!(position_m(place([12.0, -7.5, 0.25])), [12.0, -7.5, 0.25]);
        assert_eq!(place([0.0, 1.0, 0.0]), Vector3::FORWARD);
        assert_eq!(place([0.0, 0.0, 1.0]), Vector3::UP);
    }

    #[test]
    fn a_file_that_is_no_line_is_refused_with_the_reason() {
        let message = Driver::from_json(b"{}").err().unwrap().to_string();
        assert!(message.contains("\"format\" is missing"), "{message}");
    }

    #[test]
    fn a_vehicle_drives_a_lap() {
        let mut driver = Driver::from_json(LINE).unwrap();
        let length_m = driver.length_m();
        let mut at = driver.place(0.0);
        let (mut speed, mut time_s, mut driven_m, mut farthest_m) = (0.0_f64, 0.0, 0.0, 0.0_f32);
        let mut yaw_rate = 0.0;
        while driven_m < length_m {
            assert!(time_s < 3.0 * driver.line.lap_time_s);
            let forward = -at.basis.col_c();
            let motion =
                Motion { at, velocity: forward * speed as f32, angular_velocity: Vector3::UP * yaw_rate as f32 };
            let command = driver.step(&motion, FRAME_S);
            // Rolls without slip.
            speed = (speed + f64::from(command.y) * 5.0 * FRAME_S).max(0.0);
            yaw_rate = speed * f64::from(command.x).tan() / driver.line.vehicle.wheelbase_m;
            at.basis = at.basis.rotated(Vector3::UP, (yaw_rate * FRAME_S) as f32);
            at.origin -= at.basis.col_c() * (speed * FRAME_S) as f32;
            driven_m += speed * FRAME_S;
            time_s += FRAME_S;
            let nearest = (0..driver.line.path.waypoints().len())
                .map(|i| (place(driver.line.path.waypoints()[i].position_m) - at.origin).length())
                .fold(f32::INFINITY, f32::min);
            farthest_m = farthest_m.max(nearest);
        }
        assert!(farthest_m < 2.0, "{farthest_m} m from the waypoints");
    }
}
