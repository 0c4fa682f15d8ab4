//! A vehicle of your own, and what each of its parameters is worth:
//! `cargo run --example own_vehicle`.

use std::error::Error;
use std::path::Path;

use raceline::Options;
use raceline::pipeline::{self, Request};
use raceline::speed::{Effect, Sensitivity};
use raceline::vehicle::{Vehicle, preset};

fn main() -> Result<(), Box<dyn Error>> {
    // A preset with other numbers. `Vehicle::read` reads a TOML file instead.
    let light = Vehicle { name: "light".to_owned(), mass_kg: 1000.0, width_m: 1.8, ..preset("gt")? };
    light.validate()?;

    let mut options = Options::default();
    options.scale.metres_per_pixel = Some(0.5);
    let outcome = pipeline::optimize(Path::new("tracks/oval.png"), &Request::new(&options, &light))?;
    println!("lap time {:.2} s", outcome.line.lap_time_s);

    // Seconds that one percent more of each parameter changes, on this line.
    let again = pipeline::redrive(&outcome.line)?;
    for Sensitivity { key, effect, .. } in again.sensitivities(&light)? {
        if let Effect::LapTime { s_per_percent: Some(seconds), .. } = effect {
            println!("{key:>24}: {seconds:+.4} s");
        }
    }
    Ok(())
}
