//! What the app in the browser needs after its first line, in the types of JavaScript: the logs of track days, the drive
//! of a line, and the formats of other programs.
//!
//! A program of its own, so that the first line does not wait for it, in a worker of its own, so that the next line is
//! made or looked at while this one is driven. Lines come and go as racing-line files.

use raceline::file::json;
use raceline::formats::{FORMATS, Format, FormatOptions};
use raceline::pipeline::log_reference;
use raceline_calibrate::{CoachOptions, Telemetry, calibrate, run_of};
use raceline_editor::{DrivenLap, LoggedDrive};
use raceline_file::with_causes;
use raceline_laps::{Log, LogError, RoadOptions, Session, SessionOptions, read};
use serde::Serialize;
use serde::de::IgnoredAny;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Laps that are laid beside a line: a page compares five lines, and one of these is to be the reader's own.
const LAPS: usize = 3;

/// The log of a drive.
#[wasm_bindgen]
pub struct DriverLog {
    name: String,
    log: Log,
    session: Session,
}

#[wasm_bindgen]
impl DriverLog {
    /// Reads a log of the name `name` and finds its laps.
    ///
    /// # Errors
    /// An `Error` of JavaScript for a file that is no log, and for a log without a whole lap.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8]) -> Result<Self, JsError> {
        console_error_panic_hook::set_once();
        let log = read(bytes, name).map_err(|error| of_log(name, &error))?;
        let session = Session::new(&log, &SessionOptions::default()).map_err(|error| of_log(name, &error))?;
        Ok(Self { name: name.to_owned(), log, session })
    }

    /// The road of the laps and the vehicle that is fitted to them, as JSON: a [`LoggedDrive`].
    ///
    /// # Errors
    /// A log without a whole lap.
    pub fn drive(&self) -> Result<String, JsError> {
        let path = RoadOptions { width_m: None, vehicle_width_m: 0.0, margin_m: 0.0 };
        let no_lap = || JsError::new(&format!("{}: no lap leads from the start line to it", self.name));
        let road = self.session.road(&path).ok_or_else(no_lap)?;
        let mut notes: Vec<String> = self.session.notes.iter().map(ToString::to_string).collect();
        let vehicle = match self.fitted() {
            Ok((vehicle, of_fit)) => {
                notes.extend(of_fit);
                Some(vehicle)
            }
            Err(reason) => {
                notes.push(format!("no vehicle can be fitted to the log: {reason}"));
                None
            }
        };
        let geographic_origin_deg = self.session.geographic_origin_deg;
        Ok(serde_json::to_string(&LoggedDrive { road, geographic_origin_deg, vehicle, notes })?)
    }

    /// The fastest laps beside the line in a racing-line file, as JSON: a list of [`DrivenLap`].
    ///
    /// # Errors
    /// A file that has no line, and laps that lie elsewhere.
    pub fn laps(&self, line: &[u8]) -> Result<String, JsError> {
        let line = raceline_file::read::<IgnoredAny, IgnoredAny>(line)?;
        let options = SessionOptions { reference: Some(log_reference(&line)), ..SessionOptions::default() };
        let session = Session::new(&self.log, &options).map_err(|error| of_log(&self.name, &error))?;
        let mut whole: Vec<_> = session.table.whole().collect();
        whole.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
        let lap = |number| Ok(DrivenLap { name: format!("lap {number}"), table: session.driven(number)? });
        let laps = whole.iter().take(LAPS).map(|of| lap(of.number)).collect::<Result<Vec<_>, LogError>>();
        Ok(serde_json::to_string(&laps.map_err(|error| of_log(&self.name, &error))?)?)
    }

    /// The text of the vehicle that is fitted to the log, and what to know of the fit; else why none fits.
    fn fitted(&self) -> Result<(String, Vec<String>), String> {
        let base = raceline_car::preset(CoachOptions::BASE).map_err(|error| with_causes(&error))?;
        let telemetry = Telemetry { runs: vec![run_of(&self.session, &self.name)] };
        let mut fitted = calibrate(&telemetry, &base).map_err(|error| with_causes(&error))?;
        self.name.split('.').next().unwrap_or(&self.name).clone_into(&mut fitted.vehicle.name);
        let text = fitted.vehicle.to_toml().map_err(|error| with_causes(&error))?;
        Ok((text, fitted.notes.iter().map(ToString::to_string).collect()))
    }
}

/// The error of a log for readers who have no command line.
fn of_log(name: &str, error: &LogError) -> JsError {
    let reason = match error {
        LogError::NoLap { problem } => {
            format!("no lap was found: {problem}; give a log that leads twice or more through one place of the track")
        }
        error => with_causes(error),
    };
    JsError::new(&format!("{name}: {reason}"))
}

/// How the follower drives one lap of the line in a racing-line file, as a sentence.
///
/// # Errors
/// A file that has no line.
#[wasm_bindgen(js_name = driveNote)]
pub fn drive_note(line: &[u8]) -> Result<String, JsError> {
    console_error_panic_hook::set_once();
    Ok(raceline_editor::drive_note(&json::read(line)?))
}

/// The line in a racing-line file in the format of another program.
///
/// # Errors
/// A file that has no line, no such format, or a format that needs what the line does not have.
#[wasm_bindgen(js_name = exportLine)]
pub fn export_line(line: &[u8], format: &str) -> Result<Vec<u8>, JsError> {
    console_error_panic_hook::set_once();
    let known = Format::named(format).ok_or_else(|| JsError::new(&format!("there is no format {format}")))?;
    let written = known.write(&json::read(line)?, &FormatOptions::default());
    written.map_err(|error| JsError::new(&format!("the line can't be written: {}", with_causes(&error))))
}

/// A format of other programs, for a menu.
#[derive(Serialize)]
struct FormatEntry {
    name: &'static str,
    extension: &'static str,
    description: &'static str,
}

/// The formats of other programs as a list in JSON: name, extension and description of each.
///
/// # Errors
/// None in practice: the list is made of texts.
#[wasm_bindgen]
pub fn formats() -> Result<String, JsError> {
    let entry = |format: &Format| FormatEntry {
        name: format.name,
        extension: format.extension,
        description: format.description,
    };
    Ok(serde_json::to_string(&FORMATS.iter().map(entry).collect::<Vec<_>>())?)
}
