//! All methods on the same tracks, as Markdown tables and a sheet of pictures for each track:
//! `cargo run --release --example compare_methods TRACK… [--pictures FOLDER]`. Without a track it takes
//! the three that `docs/notes/methods.md` shows. The tables there are printed by this program.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use image::imageops::replace;
use image::{ImageFormat, Rgba, RgbaImage, load_from_memory};
use raceline::file::Method;
use raceline::options::{Layer, sidecar_of};
use raceline::pipeline::{Request, Silent, extract, optimize};
use raceline::solve::relaxation::Form;
use raceline::{Options, RacingLine};
use raceline_render::png;
use raceline_render::svg::RenderOptions;

/// A method, and the relaxation that is meant.
const METHODS: [(&str, Method, Form); 8] = [
    ("shortest-path", Method::ShortestPath, Form::CurvatureInterpolation),
    ("min-curvature", Method::MinCurvature, Form::CurvatureInterpolation),
    ("iterated-min-curvature", Method::IteratedMinCurvature, Form::CurvatureInterpolation),
    ("blend", Method::Blend, Form::CurvatureInterpolation),
    ("relaxation, curvature", Method::Relaxation, Form::CurvatureInterpolation),
    ("relaxation, springs", Method::Relaxation, Form::SpringsAndHinges),
    ("sampled", Method::Sampled, Form::CurvatureInterpolation),
    ("time-optimal", Method::TimeOptimal, Form::CurvatureInterpolation),
];

/// Size of a picture on the sheet, pixels.
const PICTURE: [u32; 2] = [640, 480];
/// Pictures beside each other.
const COLUMNS: u32 = 4;

/// A line, and the seconds of its search.
struct Found {
    name: &'static str,
    line: RacingLine,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = match arguments.iter().position(|argument| argument == "--pictures") {
        Some(i) => {
            arguments.remove(i);
            if i == arguments.len() {
                return Err("--pictures needs a folder".into());
            }
            Some(PathBuf::from(arguments.remove(i)))
        }
        None => None,
    };
    if arguments.is_empty() {
        arguments = ["club", "kart", "street"].map(|name| format!("tracks/{name}.png")).to_vec();
    }
    let tracks: Vec<Vec<Found>> = arguments.iter().map(|track| lines_of(Path::new(track))).collect::<Result<_, _>>()?;
    let squares = |one: &Found| format!("{:.3}", integral(&one.line, |k| k * k));
    print_table("Lap time, s", &tracks, |one| format!("{:.3}", one.line.lap_time_s));
    print_table("Seconds of the search", &tracks, |one| format!("{:.2}", one.seconds));
    print_table("∫ κ² ds, 1/m", &tracks, squares);
    print_table("∫ √κ ds, √m", &tracks, |one| format!("{:.1}", integral(&one.line, f64::sqrt)));
    print_table("Length, m", &tracks, |one| format!("{:.0}", one.line.length_m));
    if let Some(folder) = &folder {
        std::fs::create_dir_all(folder)?;
        for found in &tracks {
            sheet(found)?.save_with_format(folder.join(format!("{}.png", found[0].line.name)), ImageFormat::Png)?;
        }
    }
    Ok(())
}

/// A row per track, a column per method.
fn print_table(title: &str, tracks: &[Vec<Found>], cell: impl Fn(&Found) -> String) {
    println!(
        "{title}:\n\n| Track | {} |\n|---{}|",
        METHODS.map(|(name, ..)| name).join(" | "),
        "|---".repeat(METHODS.len())
    );
    for found in tracks {
        let cells: Vec<String> = found.iter().map(&cell).collect();
        println!("| {} | {} |", found[0].line.name, cells.join(" | "));
    }
    println!();
}

/// The lines of all methods on a track with its sidecar.
fn lines_of(track: &Path) -> Result<Vec<Found>, Box<dyn Error>> {
    let layers: Vec<Layer> = sidecar_of(track).map(|path| Layer::read(&path)).transpose()?.into_iter().collect();
    let mut options = Options::from_layers(&layers)?;
    let vehicle = options.load_vehicle()?;
    let extraction = extract(track, &options, &Silent)?;
    let mut found = Vec::new();
    for (name, method, relaxation) in METHODS {
        options.method = method;
        options.solve.relaxation = relaxation;
        let begun = Instant::now();
        let outcome = optimize(extraction.clone(), &Request::new(&options, &vehicle))?;
        found.push(Found { name, line: outcome.line, seconds: begun.elapsed().as_secs_f64() });
    }
    Ok(found)
}

/// The integral of a function of |κ| along a line, by the trapezoidal rule.
fn integral(line: &RacingLine, value: impl Fn(f64) -> f64) -> f64 {
    let points = &line.points;
    let closing = line.closed.then(|| (points.len() - 1, 0, line.length_m));
    let steps = (1..points.len()).map(|i| (i - 1, i, points[i].s_m)).chain(closing);
    steps
        .map(|(from, to, end_m)| {
            let [a, b] = [from, to].map(|i| value(points[i].curvature_radpm.abs()));
            (end_m - points[from].s_m) * (a + b) / 2.0
        })
        .sum()
}

/// The pictures of all lines beside each other, each coloured by its speed.
fn sheet(found: &[Found]) -> Result<RgbaImage, Box<dyn Error>> {
    let [width, height] = PICTURE;
    let rows = (found.len() as u32).div_ceil(COLUMNS);
    let mut sheet = RgbaImage::from_pixel(width * COLUMNS, height * rows, Rgba([255; 4]));
    for (i, one) in found.iter().enumerate() {
        let mut line = one.line.clone();
        line.name = format!("{}: {}", line.name, one.name);
        let options = RenderOptions {
            width_px: width,
            height_px: Some(height),
            candidates: false,
            corners: false,
            braking: false,
            ..RenderOptions::default()
        };
        let picture = load_from_memory(&png::render(&[line], &options)?)?.to_rgba8();
        let (column, row) = (i as u32 % COLUMNS, i as u32 / COLUMNS);
        replace(&mut sheet, &picture, i64::from(column * width), i64::from(row * height));
    }
    Ok(sheet)
}
