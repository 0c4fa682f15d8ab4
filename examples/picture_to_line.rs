//! A picture in, a racing-line file out: `cargo run --example picture_to_line [PICTURE [OUTPUT]]`.

use std::error::Error;
use std::path::PathBuf;

use raceline::Options;
use raceline::file::json;
use raceline::options::{Layer, sidecar_of};
use raceline::pipeline::{self, Request};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let picture = arguments.next().unwrap_or_else(|| PathBuf::from("tracks/oval.png"));
    let output = arguments.next().unwrap_or_else(|| std::env::temp_dir().join("oval.raceline.json"));

    // The sidecar beside the picture specifies the scale, the start and the vehicle.
    let layers: Vec<Layer> =
        sidecar_of(&picture).map(|sidecar| Layer::read(&sidecar)).transpose()?.into_iter().collect();
    let options = Options::from_layers(&layers)?;
    let vehicle = options.load_vehicle()?;

    let outcome = pipeline::optimize(&picture, &Request::new(&options, &vehicle))?;
    for warning in &outcome.warnings {
        eprintln!("warning: {warning}");
    }
    std::fs::write(&output, json::write(&outcome.line)?)?;
    let line = &outcome.line;
    println!("{}: {:.2} s over {:.0} m, written to {}", line.name, line.lap_time_s, line.length_m, output.display());
    Ok(())
}
