//! The lap time of a line that another program made: `cargo run --example lap_time [LINE.csv]`. A
//! row of the CSV is `x_m,y_m`; rows that begin with `#` are comments. The line is closed.

use std::error::Error;

use raceline::geometry::Point;
use raceline::speed::DrivenLine;
use raceline::vehicle::preset;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "examples/ellipse.csv".to_owned());
    let mut points = Vec::new();
    for (index, row) in std::fs::read_to_string(&file)?.lines().enumerate() {
        if row.starts_with('#') || row.trim().is_empty() {
            continue;
        }
        let (x, y) = row.split_once(',').ok_or_else(|| format!("{file}, line {}: no comma", index + 1))?;
        points.push(Point::new(x.trim().parse()?, y.trim().parse()?));
    }

    for name in ["kart", "gt", "formula"] {
        let driven = DrivenLine::through(&points, true, &preset(name)?)?;
        let (lowest, top) = (driven.lowest_speed_mps(), driven.top_speed_mps());
        println!("{name:>8}: {:.2} s, {lowest:.1} to {top:.1} m/s", driven.lap_time_s());
    }
    Ok(())
}
