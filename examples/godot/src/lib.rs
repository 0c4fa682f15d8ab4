//! A node for Godot 4 that drives a vehicle along a racing line of raceline.

mod driver;

use godot::classes::{FileAccess, INode, Node};
use godot::prelude::*;

use driver::{Driver, Motion};

struct RacelineExtension;

// SAFETY: the library has no other entry point, and all calls go through the classes that Godot knows.
#[gdextension]
unsafe impl ExtensionLibrary for RacelineExtension {}

/// Reads the line of `line_file` when it enters the scene, and drives: call `step` in each physics
/// frame.
#[derive(GodotClass)]
#[class(base = Node, init)]
struct RacelineDriver {
    /// The file that `raceline optimize` wrote.
    #[export(file = "*.json")]
    line_file: GString,
    driver: Option<Driver>,
    base: Base<Node>,
}

#[godot_api]
impl INode for RacelineDriver {
    fn ready(&mut self) {
        let bytes = FileAccess::get_file_as_bytes(&self.line_file);
        match Driver::from_json(bytes.as_slice()) {
            Ok(driver) => self.driver = Some(driver),
            Err(error) => godot_error!("{}: {error}", self.line_file),
        }
    }
}

#[godot_api]
impl RacelineDriver {
    /// Whether a line was read.
    #[func]
    fn is_ready(&self) -> bool {
        self.driver.is_some()
    }

    /// Length of the line, m; 0 without a line.
    #[func]
    fn length(&self) -> f64 {
        self.driver.as_ref().map_or(0.0, Driver::length_m)
    }

    /// Where a vehicle is placed that starts `s` metres after the line's start. The front of a vehicle
    /// is its -z axis.
    #[func]
    fn place(&self, s: f64) -> Transform3D {
        self.driver.as_ref().map_or(Transform3D::IDENTITY, |driver| driver.place(s))
    }

    /// The command for a physics frame of `delta` seconds: x is the steering angle, radians, positive
    /// to the left; y is the pedal, 1 full throttle, -1 full brake. Without a line, the brake.
    #[func]
    fn step(&mut self, at: Transform3D, velocity: Vector3, angular_velocity: Vector3, delta: f64) -> Vector2 {
        let motion = Motion { at, velocity, angular_velocity };
        self.driver.as_mut().map_or(Vector2::new(0.0, -1.0), |driver| driver.step(&motion, delta))
    }
}
