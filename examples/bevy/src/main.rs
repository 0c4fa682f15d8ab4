//! Three karts drive a lap without a window: `cargo run [LINE.raceline.json]`.

use std::error::Error;

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use raceline_bevy_example::{Driver, DriverSystems, Driving, RacelinePlugin, RacingLine, RollingCar, roll};

/// Length of a fixed update, s.
const FRAME_S: f64 = 1.0 / 60.0;
/// Karts, and the distance between two of them at the start, m.
const KARTS: (u32, f64) = (3, 8.0);

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "../../tracks/kart.raceline.json".to_owned());
    let line = RacingLine::from_json(&std::fs::read(file)?)?;
    let (length_m, lap_time_s) = (line.path.length_m(), line.lap_time_s);

    let mut app = App::new();
    app.add_plugins((TimePlugin, RacelinePlugin))
        .insert_resource(Time::<Fixed>::from_seconds(FRAME_S))
        // One fixed update in each update, whatever the clock shows.
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(FixedUpdate, roll.after(DriverSystems));
    let mut karts = Vec::new();
    for kart in 0..KARTS.0 {
        let driver = Driver::new(&line)?;
        let start = line.transform(f64::from(kart) * KARTS.1);
        karts.push(app.world_mut().spawn((driver, start, RollingCar { full_pedal_mps2: 5.0 })).id());
    }
    app.insert_resource(line);

    // From rest, a lap takes longer than its profile.
    let (mut time_s, mut driven_m, mut farthest_m) = (0.0, vec![0.0; karts.len()], 0.0_f64);
    while driven_m.iter().any(|&driven_m| driven_m < length_m) {
        if time_s > 3.0 * lap_time_s {
            return Err("no lap within three times the profile's".into());
        }
        app.update();
        time_s += FRAME_S;
        for (&kart, driven_m) in karts.iter().zip(&mut driven_m) {
            let world = app.world();
            *driven_m += world.get::<Driver>(kart).map_or(0.0, |driver| driver.speed_mps * FRAME_S);
            let command = world.get::<Driving>(kart).and_then(|driving| driving.0.as_ref());
            farthest_m = farthest_m.max(command.map_or(0.0, |command| command.cross_track_error_m.abs()));
        }
    }
    println!(
        "{} karts: a lap in {time_s:.1} s from rest, at most {farthest_m:.2} m from the line; its profile takes {lap_time_s:.1} s",
        karts.len(),
    );
    Ok(())
}
