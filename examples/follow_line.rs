//! The follower in a game loop: `cargo run --example follow_line [LINE.raceline.json]`. A game
//! replaces the few lines that move the car by its own physics.

use std::error::Error;

use raceline_follower::{Follower, FollowerOptions, Scene, VehicleState, json};

/// Length of a frame, s.
const FRAME_S: f64 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "tracks/kart.raceline.json".to_owned());
    let line = json::read(&std::fs::read(file)?)?;
    let geometry = line.vehicle;
    let options = FollowerOptions::for_racing();
    let mut follower = Follower::new(options, geometry)?;

    // The car of this example rolls without slip: its yaw rate follows from speed, steering and
    // wheelbase.
    let [start, next] = [0.0, 1.0].map(|s_m| line.path.sample(s_m).position_m);
    let (mut position, mut speed) = (start, 0.0_f64);
    let mut heading = (next[1] - start[1]).atan2(next[0] - start[0]);
    let (mut time_s, mut length_m) = (0.0, 0.0);
    while length_m < line.path.length_m() && time_s < 600.0 {
        let state = VehicleState::new(position, heading, speed);
        let command = follower.step(&line.path, &state, &Scene::EMPTY, FRAME_S);
        speed = (speed + command.pedal * 5.0 * FRAME_S).max(0.0);
        heading += speed * command.steering_rad.tan() / geometry.wheelbase_m * FRAME_S;
        position[0] += speed * heading.cos() * FRAME_S;
        position[1] += speed * heading.sin() * FRAME_S;
        length_m += speed * FRAME_S;
        time_s += FRAME_S;
    }
    println!("{}: one lap in {time_s:.1} s; the line's own profile takes {:.1} s", line.name, line.lap_time_s);
    Ok(())
}
