//! What the command line adds to the library's errors and warnings: the flag or the command that
//! solves the problem.

use std::error::Error;
use std::io;

use raceline::batch::{FindError, TaskError};
use raceline::options::OptionsError;
use raceline::pipeline::{self, Doubt, Warning};
use raceline_car::{VehicleError, preset, presets};
use raceline_plan::PlanError;
use raceline_read::input::InputError;
use raceline_read::picture::PictureError;
use raceline_render::RenderError;
use raceline_road::edges::EdgeError;
use raceline_road::frame::ScaleError;
use raceline_solve::SolveError;

/// The error, its causes and the remedy, separated by colons.
pub fn with_advice(error: &(dyn Error + 'static)) -> String {
    let (mut text, mut last, mut advice) = (String::new(), String::new(), None);
    let mut next = Some(error);
    while let Some(error) = next {
        let message = message(error);
        // Errors of other libraries repeat their causes.
        if text.is_empty() {
            text.clone_from(&message);
        } else if !last.contains(&message) {
            text.push_str(&format!(": {message}"));
        }
        last = message;
        advice = advice.or_else(|| advice_on(error));
        next = error.source();
    }
    if let Some(advice) = advice {
        // After a part of several lines, the next part begins on a new line.
        text.push_str(if text.contains('\n') { "\n" } else { ": " });
        text.push_str(&advice);
    }
    text
}

/// The warning and its remedy.
pub fn warning_with_advice(warning: &Warning) -> String {
    match warning {
        Warning::SideRoadLeftOut { has_rival: true, .. } => format!("{warning}: pass --via X,Y to select it"),
        Warning::OtherReading(_) => {
            format!("{warning}: pass --road light, dark, outline or aerial, or --road-at X,Ypx, to choose otherwise")
        }
        Warning::Doubtful(doubt) => match on_doubt(doubt) {
            Some(advice) => format!("{warning}: {advice}"),
            None => warning.to_string(),
        },
        _ => warning.to_string(),
    }
}

fn on_doubt(doubt: &Doubt) -> Option<&'static str> {
    match doubt {
        Doubt::Wide { .. } => Some(
            "check the scale of a picture (--metres-per-pixel, --track-length-m or --track-width-m), or choose another \
             --vehicle",
        ),
        Doubt::WidthJump { .. } => Some(
            "draw them apart, or show the place to `raceline extract --explain` and pass --via X,Y or --road-at X,Y",
        ),
        Doubt::Short { .. } => Some("pass --road-at X,Y to select the road, or --closed or --open for its shape"),
        Doubt::Long { .. } => {
            Some("check the scale of a picture: --metres-per-pixel, --track-length-m or --track-width-m")
        }
        Doubt::Crossings { .. } => Some("pass --via X,Y to select the route"),
        Doubt::Fragment { .. } => Some("pass --via X,Y to include the rest, or --road to specify the style"),
    }
}

/// The error's own message, or plain text for a common error of the operating system.
fn message(error: &(dyn Error + 'static)) -> String {
    match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::NotFound) => "there is no such file or folder".to_owned(),
        Some(io::ErrorKind::IsADirectory) => "it is a folder".to_owned(),
        Some(io::ErrorKind::NotADirectory) => "it is a file, not a folder".to_owned(),
        _ => error.to_string(),
    }
}

/// The remedy, if it is a flag or a command.
fn advice_on(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<pipeline::Error>() {
        return on_pipeline(error);
    }
    if let Some(error) = error.downcast_ref::<TaskError>() {
        return on_task(error);
    }
    if let Some(error) = error.downcast_ref::<OptionsError>() {
        return on_options(error);
    }
    let advice = error
        .downcast_ref::<FindError>()
        .and_then(on_folder)
        .or_else(|| error.downcast_ref::<VehicleError>().and_then(on_vehicle))
        .or_else(|| error.downcast_ref::<RenderError>().and_then(on_picture_of_line));
    advice.map(str::to_owned)
}

fn on_pipeline(error: &pipeline::Error) -> Option<String> {
    match error {
        pipeline::Error::Input(InputError::Read { error, .. } | InputError::MapImage { error, .. }) => {
            match error.kind() {
                io::ErrorKind::NotFound => Some("check the name and the folder".to_owned()),
                io::ErrorKind::IsADirectory => Some("name a file in it".to_owned()),
                _ => None,
            }
        }
        pipeline::Error::Picture(error) => on_picture(error),
        pipeline::Error::Streets { .. } => Some("or pass --from X,Y and --to X,Y for a route through its streets".to_owned()),
        pipeline::Error::Scale { error, .. } => on_scale(error).map(str::to_owned),
        pipeline::Error::Edges { error, .. } => on_edges(error),
        pipeline::Error::Partial { .. } => Some(
            "show what was found with --explain found.png, pass --road, --road-at X,Ypx or --via X,Ypx to include the rest, \
             or --partial if the line is to be that of a part"
                .to_owned(),
        ),
        pipeline::Error::Absurd { .. } => Some(
            "a picture's scale is --metres-per-pixel, --track-length-m or --track-width-m; coordinates must be in metres"
                .to_owned(),
        ),
        pipeline::Error::Plan { error: PlanError::NoEnd { missing }, .. } => {
            Some(format!("pass --{missing} X,Y in metres or X,Ypx in pixels"))
        }
        pipeline::Error::Solve { error: SolveError::RoadTooNarrow { width_m, .. }, .. } => on_narrow_road(*width_m),
        _ => None,
    }
}

fn on_task(error: &TaskError) -> Option<String> {
    let advice = match error {
        TaskError::Pipeline(error) => return on_pipeline(error),
        TaskError::Options { error, .. } => return on_options(error),
        TaskError::OneOutput { .. } => "rename one of them, or exclude one with --skip",
        TaskError::NothingKept { .. } => "run `raceline batch` without --check and keep the files that it writes",
        TaskError::Damaged { .. } => "run `raceline batch` without --check to make it again",
        TaskError::Threads { .. } => "pass a smaller --jobs",
        _ => return None,
    };
    Some(advice.to_owned())
}

fn on_options(error: &OptionsError) -> Option<String> {
    let advice = match error {
        OptionsError::UnknownKey { near: None, .. } => {
            "`raceline optimize --help` lists them, with dashes for underscores"
        }
        OptionsError::Vehicle(error) | OptionsError::VehicleFile { error, .. } => on_vehicle(error)?,
        _ => return None,
    };
    Some(advice.to_owned())
}

fn on_folder(error: &FindError) -> Option<&'static str> {
    match error {
        FindError::Unlistable { error, .. } => match error.kind() {
            io::ErrorKind::NotFound => Some("check the name"),
            io::ErrorKind::NotADirectory => Some("name its folder, or use `raceline optimize`"),
            _ => None,
        },
    }
}

fn on_vehicle(error: &VehicleError) -> Option<&'static str> {
    match error {
        VehicleError::Toml { .. } => Some("`raceline vehicles tum-racecar` prints a complete file to start from"),
        _ => None,
    }
}

fn on_picture_of_line(error: &RenderError) -> Option<&'static str> {
    match error {
        RenderError::NoSections { .. } => {
            Some("make it again with `raceline optimize --detail`, or draw it without them")
        }
        _ => None,
    }
}

fn on_picture(error: &PictureError) -> Option<String> {
    let advice = match error {
        PictureError::TooLarge { needed, .. } => {
            return Some(format!("scale it down, or raise --max-megapixels to {needed}"));
        }
        PictureError::Damaged { .. } => "save it again, as PNG if in doubt",
        PictureError::NoRing { .. } => {
            "the road must be one unbroken ring that does not touch the picture's border, unless --open is passed; close its \
             gaps, specify its style with --road light, dark, outline or aerial, or specify its place with --road-at X,Ypx; \
             for a path through a hall, pass --from X,Y and --to X,Y"
        }
        PictureError::NoBand { .. } => {
            "specify a place on the road with --road-at X,Ypx, or its colour with --road-colour #rrggbb"
        }
        PictureError::SeveralRings { .. } => "select one with --road-at X,Ypx, or crop the picture",
        PictureError::TouchesBorder { .. } => {
            "pad the picture with ground on that side, or pass --closed if its edge lies there, --open if it starts or \
             ends there"
        }
        PictureError::NotThere { .. } => {
            "specify a pixel on the road's surface, not on its lines, with --road-at X,Ypx"
        }
        PictureError::OutsidePicture { .. } => "specify a pixel of the picture with --road-at X,Ypx",
        PictureError::TooThin { .. } => {
            "if it is one edge of an outline, close the gap in the other edge; if it is the road, draw the picture \
             larger, or pass --road light or dark if it is more than two pixels wide"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

fn on_scale(error: &ScaleError) -> Option<&'static str> {
    match error {
        ScaleError::Missing => Some(
            "pass one of --metres-per-pixel, --track-length-m and --track-width-m, or put one of the keys into the sidecar \
             TOML",
        ),
        ScaleError::NotForCoordinates { .. } => {
            Some("remove the flag, or the key from the sidecar TOML; --no-sidecar ignores that file")
        }
        _ => None,
    }
}

/// The presets that are narrow enough.
fn on_narrow_road(width_m: f64) -> Option<String> {
    let fits = |name: &&str| preset(name).is_ok_and(|vehicle| 2.0 * vehicle.margin_m() < width_m);
    let names: Vec<&str> = presets().iter().map(|preset| preset.name).filter(fits).collect();
    match names.as_slice() {
        [] => Some("no preset is narrow enough".to_owned()),
        names => Some(format!("these presets fit: --vehicle {}", names.join(", "))),
    }
}

fn on_edges(error: &EdgeError) -> Option<String> {
    let advice = match error {
        EdgeError::NotClosed { .. } => "close its gaps, or pass --open for a stage with two ends",
        EdgeError::NoEnds { .. } => "remove --open",
        EdgeError::LeavesPicture { .. } => {
            "pad the picture so that all of the road is in it, or pass --open if it starts and ends there"
        }
        EdgeError::Gap { .. } => "close the gap between them, or pass --open if the road starts and ends there",
        EdgeError::OffRoad { .. } => "specify a point on the road with --via",
        EdgeError::NoRouteVia => "remove one --via",
        EdgeError::NeedsPixels { x, y } => {
            return Some(format!("pass --metres-per-pixel, or specify the point in pixels, as --via {x},{y}px"));
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use raceline_read::picture::Pixel;

    use super::*;

    fn picture(error: PictureError) -> String {
        with_advice(&pipeline::Error::Picture(error))
    }

    fn edges(error: EdgeError) -> String {
        with_advice(&pipeline::Error::Edges { file: PathBuf::from("a.png"), error })
    }

    #[test]
    fn each_picture_error_names_the_flag_that_solves_it() {
        let (name, place) = (|| "a.png".to_owned(), Pixel { column: 3, row: 4 });
        let cases = [
            (
                PictureError::TooLarge { name: name(), width: 9, height: 9, limit: 400, needed: 1600 },
                "--max-megapixels to 1600",
            ),
            (PictureError::NoRing { name: name(), looked_for: "any" }, "--open"),
            (PictureError::NoRing { name: name(), looked_for: "any" }, "--road light"),
            (PictureError::NoRing { name: name(), looked_for: "any" }, "--road-at X,Ypx"),
            (PictureError::NoBand { name: name() }, "--road-at X,Ypx, or its colour with --road-colour"),
            (PictureError::SeveralRings { name: name(), places: vec![place] }, "--road-at X,Ypx"),
            (PictureError::TouchesBorder { name: name(), place }, "(3, 4): pad the picture"),
            (PictureError::TouchesBorder { name: name(), place }, "--open"),
            (PictureError::NotThere { name: name(), place }, "--road-at X,Ypx"),
            (
                PictureError::OutsidePicture { name: name(), place: "9,9px".to_owned(), width: 5, height: 5 },
                "specify a pixel of the picture with --road-at",
            ),
            (PictureError::TooThin { name: name(), place, width_px: 1.0 }, "close the gap"),
        ];
        for (error, advice) in cases {
            let text = picture(error);
            assert!(text.contains(advice), "{advice:?} is missing in {text:?}");
        }
    }

    #[test]
    fn each_edge_error_names_the_flag_that_solves_it() {
        let (left, top, right, bottom) = (1.0, 2.0, 3.0, 4.0);
        let (column, row, back_column, back_row) = (1.0, 2.0, 3.0, 4.0);
        let cases = [
            (EdgeError::NotClosed { left, top, right, bottom }, "or pass --open"),
            (EdgeError::NoEnds { left, top, right, bottom }, ": remove --open"),
            (EdgeError::LeavesPicture { column, row, back_column, back_row }, "pad the picture so"),
            (EdgeError::Gap { column, row, back_column, back_row }, ": close the gap between them, or pass --open"),
            (EdgeError::OffRoad { column, row, distance_px: 9.0 }, "specify a point on the road with --via"),
            (EdgeError::NoRouteVia, "remove one --via"),
            (EdgeError::NeedsPixels { x: 1.0, y: 2.0 }, "as --via 1,2px"),
        ];
        for (error, advice) in cases {
            let text = edges(error);
            assert!(text.starts_with("a.png: ") && text.contains(advice), "{advice:?} is missing in {text:?}");
        }
    }

    #[test]
    fn a_chain_is_one_line_with_the_advice_at_its_end() {
        let error = pipeline::Error::Scale { file: PathBuf::from("a.png"), error: ScaleError::Missing };
        let text = with_advice(&error);
        assert!(text.starts_with("a.png: pixels can't be converted to metres: the picture has no scale: none of"));
        for flag in ["--metres-per-pixel", "--track-length-m", "--track-width-m", "sidecar TOML"] {
            assert!(text.contains(flag), "{flag} is missing in {text:?}");
        }
        let task = TaskError::from(error);
        assert_eq!(with_advice(&task), text);
        let missing = io::Error::from(io::ErrorKind::NotFound);
        let text =
            with_advice(&pipeline::Error::Input(InputError::Read { file: PathBuf::from("b.png"), error: missing }));
        assert_eq!(text, "b.png: can't be read: there is no such file or folder: check the name and the folder");
        let folder = FindError::Unlistable { folder: PathBuf::from("c"), error: io::ErrorKind::NotADirectory.into() };
        let text = with_advice(&folder);
        assert_eq!(text, "c: can't be listed: it is a file, not a folder: name its folder, or use `raceline optimize`");
        let sections = with_advice(&RenderError::NoSections { name: "c".to_owned() });
        assert!(sections.contains("no cross-sections: make it again with `raceline optimize --detail`"));
    }

    #[test]
    fn advice_after_several_lines_has_a_line_of_its_own() {
        let error = VehicleError::Toml { file: "a.toml".to_owned(), message: "1 | x\n  | ^\nwrong".to_owned() };
        let text = with_advice(&OptionsError::from(error));
        assert!(
            text.ends_with("wrong\n`raceline vehicles tum-racecar` prints a complete file to start from"),
            "{text}"
        );
    }
}
