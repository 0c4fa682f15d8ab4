//! From a drawing to a line, step by step, as an animated SVG:
//! `cargo run --release --example draw_steps [PICTURE [OUTPUT.svg]]`. Without arguments it draws
//! `docs/pictures/steps.svg`, which README.md shows.

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use raceline::Options;
use raceline::file::Method;
use raceline::options::{Layer, sidecar_of};
use raceline::pipeline::{self, Request};
use raceline_render::Backdrop;
use raceline_render::palette::speed_colours;

/// Width of the drawing, pixels.
const WIDTH: f64 = 1000.0;
/// Room for the caption below it, pixels.
const CAPTION: f64 = 70.0;
/// Time that each step is shown alone, and the last one, s.
const STEP_S: f64 = 1.6;
const LAST_S: f64 = 5.0;
/// Every so many cross-sections one is drawn.
const SECTION_STEP: usize = 3;

/// The positions of a world in metres on the drawing.
struct Frame {
    low: [f64; 2],
    height: f64,
    scale: f64,
}

impl Frame {
    fn pixel(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.low[0]) * self.scale, self.height - (y - self.low[1]) * self.scale]
    }

    /// The `d` of a path through points.
    fn path(&self, points: impl IntoIterator<Item = [f64; 2]>, closed: bool) -> String {
        let mut text = String::new();
        for (i, point) in points.into_iter().enumerate() {
            let [x, y] = self.pixel(point);
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{x:.1} {y:.1}", if i == 0 { "M" } else { "L" });
        }
        if closed {
            text.push('Z');
        }
        text
    }
}

/// A step: its caption, and its drawing.
struct Step {
    caption: String,
    drawing: String,
    /// Whether it stays beside the next ones.
    stays: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let picture = arguments.next().unwrap_or_else(|| PathBuf::from("tracks/club.png"));
    let output = arguments.next().unwrap_or_else(|| PathBuf::from("docs/pictures/steps.svg"));

    let layers: Vec<Layer> =
        sidecar_of(&picture).map(|sidecar| Layer::read(&sidecar)).transpose()?.into_iter().collect();
    let options = Options { method: Method::TimeOptimal, ..Options::from_layers(&layers)? };
    let vehicle = options.load_vehicle()?;
    let line = pipeline::optimize(&picture, &Request::new(&options, &vehicle).detail(true))?.line;
    let bytes = std::fs::read(&picture)?;
    let [low, high] = Backdrop::new(&picture.display().to_string(), &bytes, &line)?.corners_m();
    let scale = WIDTH / (high[0] - low[0]);
    let frame = Frame { low, height: (high[1] - low[1]) * scale, scale };

    let edges = [&line.edges.left, &line.edges.right].map(|edge| frame.path(edge.iter().copied(), line.closed));
    let sections: String = line.sections.iter().step_by(SECTION_STEP).map(|ends| frame.path(*ends, false)).collect();
    let mut steps = vec![
        Step { caption: "A picture of a track".to_owned(), drawing: String::new(), stays: true },
        Step {
            caption: "its edges".to_owned(),
            drawing: format!(r#"<path class="edge" d="{}{}"/>"#, edges[0], edges[1]),
            stays: true,
        },
        Step {
            caption: format!("{} cross-sections", line.sections.len()),
            drawing: format!(r#"<path class="section" d="{sections}"/>"#),
            stays: false,
        },
    ];
    for (method, class, name) in [
        (Method::ShortestPath, "shortest", "the shortest path"),
        (Method::MinCurvature, "smooth", "the minimum-curvature line"),
    ] {
        let found = line.candidates.iter().find(|candidate| candidate.method == method);
        let candidate = found.ok_or_else(|| format!("no candidate by {}", method.name()))?;
        steps.push(Step {
            caption: format!("{name}: {:.2} s", candidate.lap_time_s),
            drawing: format!(
                r#"<path class="{class}" d="{}"/>"#,
                frame.path(candidate.line.iter().copied(), line.closed)
            ),
            stays: false,
        });
    }
    steps.push(Step {
        caption: format!("the line of minimum lap time, coloured by speed: {:.2} s", line.lap_time_s),
        drawing: format!(
            r#"<g class="fast"><path class="road" d="{}{}"/>{}</g>"#,
            edges[0],
            edges[1],
            coloured(&line, &frame)
        ),
        stays: true,
    });
    let media = match picture.extension().and_then(|ending| ending.to_str()) {
        Some("jpg" | "jpeg") => "jpeg",
        _ => "png",
    };
    let image = format!("data:image/{media};base64,{}", STANDARD.encode(&bytes));
    std::fs::write(&output, svg(&steps, &image, &frame))?;
    println!("{}: {} steps of {}", output.display(), steps.len(), line.name);
    Ok(())
}

/// The line in the colours of its speeds, a path for each stretch of one colour.
fn coloured(line: &raceline::RacingLine, frame: &Frame) -> String {
    let colours = speed_colours();
    let speeds = || line.points.iter().map(|point| point.speed_mps);
    let (slowest, fastest) = (speeds().fold(f64::INFINITY, f64::min), speeds().fold(0.0, f64::max));
    let colour = |speed: f64| {
        let fraction = (speed - slowest) / (fastest - slowest).max(1e-9);
        (fraction * (colours.len() - 1) as f64).round() as usize
    };
    let n = line.points.len();
    let last = if line.closed { n } else { n - 1 };
    let mut text = String::new();
    let mut begin = 0;
    while begin < last {
        let here = colour(line.points[begin].speed_mps);
        let end = (begin..last).find(|&i| colour(line.points[i].speed_mps) != here).unwrap_or(last);
        let points = (begin..=end).map(|i| [line.points[i % n].x_m, line.points[i % n].y_m]);
        let _ = write!(text, r#"<path stroke="{}" d="{}"/>"#, colours[here], frame.path(points, false));
        begin = end;
    }
    text
}

/// The whole drawing. Without animation, as for readers who ask for less motion, its last picture is
/// shown.
fn svg(steps: &[Step], image: &str, frame: &Frame) -> String {
    let total_s = STEP_S * (steps.len() - 1) as f64 + LAST_S;
    let percent = |time_s: f64| 100.0 * time_s / total_s;
    let fade = percent(0.3);
    let height = frame.height + CAPTION;
    let mut style = String::from(
        "text{font:26px system-ui,sans-serif;fill:#24272e;text-anchor:middle}\
         path{fill:none;stroke-linejoin:round;stroke-linecap:round}\
         .edge{stroke:#d23f6b;stroke-width:2.5}.section{stroke:#6e3ca0;stroke-width:1}\
         .shortest{stroke:#d55e00;stroke-width:3.5}.smooth{stroke:#0072b2;stroke-width:3.5}\
         .fast path{stroke-width:5}.fast .road{fill:#24272e;fill-rule:evenodd;stroke:#24272e;stroke-width:2.5}",
    );
    let mut body = String::new();
    for (i, step) in steps.iter().enumerate() {
        let begin = percent(STEP_S * i as f64);
        let is_last = i + 1 == steps.len();
        let end = if is_last { 100.0 } else { percent(STEP_S * (i + 1) as f64) };
        // A step fades in, and out where the next one begins or all begins anew.
        let shown = |name: &str, until: f64| {
            format!(
                "@keyframes {name}{{0%,{begin:.2}%{{opacity:{}}}{:.2}%,{:.2}%{{opacity:1}}{until:.2}%,100%{{opacity:0}}}}\
                 .{name}{{animation:{name} {total_s:.1}s infinite}}",
                u8::from(i == 0),
                begin + fade,
                until - fade,
            )
        };
        style.push_str(&shown(&format!("c{i}"), end));
        style.push_str(&shown(&format!("s{i}"), if step.stays { 100.0 } else { end }));
        // At rest, what stays is visible, and of the captions the last.
        if !step.stays {
            let _ = write!(style, ".s{i}{{opacity:0}}");
        }
        if !is_last {
            let _ = write!(style, ".c{i}{{opacity:0}}");
        }
        let _ = write!(
            body,
            r#"<g class="s{i}">{}</g><text class="c{i}" x="{:.0}" y="{:.0}">{}</text>"#,
            step.drawing,
            0.5 * WIDTH,
            frame.height + 0.6 * CAPTION,
            step.caption,
        );
    }
    let captions: Vec<&str> = steps.iter().map(|step| step.caption.as_str()).collect();
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0} {height:.0}" role="img" aria-label="{}"><style>{style}@media(prefers-reduced-motion:reduce){{*{{animation:none!important}}}}</style><rect width="{WIDTH:.0}" height="{height:.0}" fill="#fbfaf6"/><image width="{WIDTH:.0}" height="{:.1}" href="{image}"/>{body}</svg>
"##,
        captions.join(", "),
        frame.height,
    )
}
