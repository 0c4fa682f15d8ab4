//! Delayed commands.

use raceline_vehicle_simulation::{Actuators, Controls};

use crate::cars::pedal;

#[test]
fn a_command_acts_after_its_delay() {
    let mut actuators = Actuators::new(0.05);
    actuators.command(0.0, pedal(1.0));
    actuators.command(0.02, pedal(0.5));
    assert_eq!(actuators.acting(0.049).pedal, 0.0);
    assert_eq!(actuators.acting(0.05).pedal, 1.0);
    assert_eq!(actuators.acting(0.069).pedal, 1.0);
    assert_eq!(actuators.acting(0.07).pedal, 0.5);
    actuators.command(0.08, Controls { pedal: f64::NAN, steering_rad: f64::INFINITY, reverse: true });
    assert_eq!(actuators.acting(0.2), Controls { reverse: true, ..Controls::default() });
}
