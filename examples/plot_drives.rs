//! Draws steering angle and cross-track error over distance from traces of `raceline drive -o`, to
//! compare followers:
//!
//! ```text
//! cargo run --release --example plot_drives -- drives.svg before=old.csv after=new.csv
//! ```

use std::error::Error;
use std::fmt::Write as _;
use std::fs;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The columns that are drawn: name in the file, title, and half the height of the axis.
const PANELS: [(&str, &str, f64); 2] =
    [("steering_rad", "steering angle, rad", 0.2), ("cross_track_error_m", "cross-track error, m", 2.0)];
const COLOURS: [&str; 4] = ["#c0392b", "#1f6fb4", "#2e8b57", "#8e44ad"];
/// Size of a panel, its left edge and the distance between panels, px.
const PANEL: [f64; 2] = [900.0, 180.0];
const LEFT: f64 = 60.0;
const GAP: f64 = 50.0;
/// Distance between drawn points, m.
const SPACING_M: f64 = 3.0;

/// A trace's last lap: distance along the line, m, and the values of the panels.
struct Trace {
    label: String,
    rows: Vec<(f64, [f64; PANELS.len()])>,
}

fn read(argument: &str) -> Result<Trace> {
    let (label, file) = argument.split_once('=').ok_or_else(|| format!("{argument}: write LABEL=TRACE.csv"))?;
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let place = |name: &str| {
        header.iter().position(|column| *column == name).ok_or_else(|| format!("{file}: no column {name}"))
    };
    let (lap, s) = (place("lap")?, place("s_m")?);
    let columns = [place(PANELS[0].0)?, place(PANELS[1].0)?];
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|field| field.parse().unwrap_or(f64::NAN)).collect())
        .filter(|row: &Vec<f64>| row.len() == header.len())
        .collect();
    let last = rows.last().ok_or_else(|| format!("{file}: no rows"))?[lap];
    let mut rows: Vec<_> =
        rows.iter().filter(|row| row[lap] == last).map(|row| (row[s], columns.map(|c| row[c]))).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut drawn = f64::NEG_INFINITY;
    rows.retain(|row| {
        let keep = row.0 - drawn >= SPACING_M;
        if keep {
            drawn = row.0;
        }
        keep
    });
    Ok(Trace { label: label.to_owned(), rows })
}

fn draw(traces: &[Trace]) -> Result<String> {
    let length = traces.iter().flat_map(|trace| &trace.rows).map(|row| row.0).fold(1.0, f64::max);
    let height = PANELS.len() as f64 * (PANEL[1] + GAP);
    let mut svg = String::new();
    writeln!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>"##,
        LEFT + PANEL[0] + 20.0
    )?;
    for (panel, (_, title, half)) in PANELS.iter().enumerate() {
        let top = 30.0 + panel as f64 * (PANEL[1] + GAP);
        let middle = top + PANEL[1] / 2.0;
        let x = |s: f64| LEFT + s / length * PANEL[0];
        let y = |value: f64| middle - (value / half).clamp(-1.0, 1.0) * PANEL[1] / 2.0;
        writeln!(svg, r#"<text x="{LEFT}" y="{}">{title}</text>"#, top - 8.0)?;
        for value in [-half, 0.0, *half] {
            writeln!(
                svg,
                r##"<path d="M{LEFT} {y:.1}h{}" stroke="#cccccc"/><text x="{}" y="{:.1}" text-anchor="end">{value}</text>"##,
                PANEL[0],
                LEFT - 6.0,
                y(value) + 4.0,
                y = y(value),
            )?;
        }
        for kilometre in 0..=(length / 1000.0) as u32 {
            let at = x(1000.0 * f64::from(kilometre));
            let below = top + PANEL[1] + 14.0;
            writeln!(svg, r#"<text x="{at:.1}" y="{below}" text-anchor="middle">{kilometre} km</text>"#)?;
        }
        for (index, (trace, colour)) in traces.iter().zip(COLOURS).enumerate() {
            let points: String =
                trace.rows.iter().map(|(s, values)| format!("{:.1},{:.1} ", x(*s), y(values[panel]))).collect();
            writeln!(svg, r#"<polyline points="{}" fill="none" stroke="{colour}"/>"#, points.trim_end())?;
            let key = LEFT + 250.0 + 200.0 * index as f64;
            writeln!(svg, r#"<text x="{key}" y="{}" fill="{colour}">{}</text>"#, top - 8.0, trace.label)?;
        }
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(out), traces) = (arguments.next(), arguments.collect::<Vec<_>>()) else {
        return Err("usage: plot_drives OUT.svg LABEL=TRACE.csv …".into());
    };
    if traces.is_empty() || traces.len() > COLOURS.len() {
        return Err(format!("give one to {} traces", COLOURS.len()).into());
    }
    let traces = traces.iter().map(|argument| read(argument)).collect::<Result<Vec<_>>>()?;
    fs::write(&out, draw(&traces)?)?;
    Ok(())
}
