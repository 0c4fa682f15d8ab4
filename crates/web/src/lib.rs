//! The editor of a track for JavaScript: what [`raceline_editor::Session`] does, in the types of a browser.
//!
//! The app calls it from a worker, so that the page stays responsive; a long run is ended by ending the worker.

use std::cell::RefCell;
use std::path::Path;

use js_sys::{Function, Uint8Array};
use raceline::pipeline::Progress;
use raceline_editor::{DrivenLap, KeptPreviewer, Previewer, Session, SessionError};
use raceline_read::input::{LogKind, log_without_road};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// A track that is edited, with its line.
#[wasm_bindgen]
pub struct Track {
    session: Session,
}

#[wasm_bindgen]
impl Track {
    /// The track among files in memory: their names, and their bytes in the same order.
    ///
    /// # Errors
    /// An `Error` of JavaScript whose message names the file and what to give instead.
    #[wasm_bindgen(constructor)]
    pub fn new(names: Vec<String>, contents: Vec<Uint8Array>) -> Result<Self, JsError> {
        console_error_panic_hook::set_once();
        let files = names.into_iter().zip(contents.iter().map(Uint8Array::to_vec)).collect();
        Ok(Self { session: Session::new(files).map_err(error)? })
    }

    /// The track that was driven in a log: the one among the files, or else the road of its laps. `drive` is what the
    /// reader of logs found, as JSON.
    ///
    /// # Errors
    /// Those of the constructor.
    #[wasm_bindgen(js_name = ofLog)]
    pub fn of_log(name: &str, drive: &str, names: Vec<String>, contents: Vec<Uint8Array>) -> Result<Self, JsError> {
        let files = names.into_iter().zip(contents.iter().map(Uint8Array::to_vec)).collect();
        Ok(Self { session: Session::of_log(name, serde_json::from_str(drive)?, files).map_err(error)? })
    }

    /// Whether the page of a line is shown with laps of the log.
    #[wasm_bindgen(js_name = awaitsLaps)]
    pub fn awaits_laps(&self) -> bool {
        self.session.awaits_laps()
    }

    /// Lays laps beside the line, as the reader of logs has them in JSON.
    ///
    /// # Errors
    /// There is no line yet, or the laps lie elsewhere.
    #[wasm_bindgen(js_name = layLaps)]
    pub fn lay_laps(&mut self, laps: &str) -> Result<(), JsError> {
        let laps: Vec<DrivenLap> = serde_json::from_str(laps)?;
        self.session.lay_laps(&laps).map_err(error)
    }

    /// Shows the line without the laps of the log, which could not be laid on it.
    #[wasm_bindgen(js_name = withoutLaps)]
    pub fn without_laps(&mut self) {
        self.session.without_laps();
    }

    /// Name of the track.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.session.name()
    }

    /// The page of the track without a line, a whole HTML file.
    ///
    /// # Errors
    /// None in practice: it is made of texts and numbers.
    pub fn draft(&self) -> Result<String, JsError> {
        Ok(self.session.draft()?)
    }

    /// The page, a whole HTML file; empty before the first line.
    #[wasm_bindgen(getter)]
    pub fn page(&self) -> String {
        self.session.page().to_owned()
    }

    /// The text of the sidecar.
    #[wasm_bindgen(getter)]
    pub fn sidecar(&self) -> String {
        self.session.sidecar().to_owned()
    }

    /// The state that the page asks for, as JSON.
    ///
    /// # Errors
    /// None in practice: the state is made of texts and numbers.
    pub fn state(&self) -> Result<String, JsError> {
        Ok(serde_json::to_string(self.session.state())?)
    }

    /// Makes edits, a list in JSON as the page sends it.
    ///
    /// # Errors
    /// An edit that is not valid; the sidecar then stays as it is.
    pub fn edit(&mut self, edits: &str) -> Result<(), JsError> {
        self.session.edit(edits).map_err(error)
    }

    /// What makes coarse lines of the track as it was read last, as JSON, for a [`Sketch`] in another worker; nothing
    /// before the first line.
    ///
    /// # Errors
    /// None in practice: it is made of texts and numbers.
    pub fn previewer(&self) -> Result<Option<String>, JsError> {
        let kept = self.session.previewer().map(KeptPreviewer::from);
        Ok(kept.map(|kept| serde_json::to_string(&kept)).transpose()?)
    }

    /// Makes a change of the comparison, as the page sends it; `content` is that of the file that it names.
    ///
    /// # Errors
    /// There is no line yet, there are five already, or the file has neither a line nor a lap of this track.
    pub fn compare(&mut self, change: &str, content: Option<Vec<u8>>) -> Result<(), JsError> {
        self.session.compare(change, content.as_deref()).map_err(error)
    }

    /// The comparison as files in turn: a name and its bytes.
    ///
    /// # Errors
    /// None in practice: a line was read or made before.
    #[wasm_bindgen(js_name = comparisonFiles)]
    pub fn comparison_files(&self) -> Result<Vec<JsValue>, JsError> {
        let files = self.session.comparison_files().map_err(error)?;
        let pair = |(name, bytes): &(String, Vec<u8>)| [JsValue::from_str(name), Uint8Array::from(&**bytes).into()];
        Ok(files.iter().flat_map(pair).collect())
    }

    /// Sets the comparison to what another track's `comparisonFiles` were.
    ///
    /// # Errors
    /// A file that is no line.
    #[wasm_bindgen(js_name = restoreComparison)]
    pub fn restore_comparison(&mut self, files: Vec<JsValue>) -> Result<(), JsError> {
        let pair = |pair: &[JsValue]| (pair[0].as_string().unwrap_or_default(), Uint8Array::new(&pair[1]).to_vec());
        self.session.restore_comparison(files.chunks_exact(2).map(pair).collect()).map_err(error)
    }

    /// The page without tools, one file that needs no app.
    ///
    /// # Errors
    /// There is no line yet.
    #[wasm_bindgen(js_name = sharedPage)]
    pub fn shared_page(&self) -> Result<String, JsError> {
        self.session.shared_page().map_err(error)
    }

    /// Takes the last edit back.
    ///
    /// # Errors
    /// There is no edit.
    pub fn undo(&mut self) -> Result<(), JsError> {
        self.session.undo().map_err(error)
    }

    /// Makes the edit again that was taken back last.
    ///
    /// # Errors
    /// No edit was taken back, or another one was made since.
    pub fn redo(&mut self) -> Result<(), JsError> {
        self.session.redo().map_err(error)
    }

    /// Makes the line and its page; a problem is in the state. `stage` is called with the name of each stage.
    pub fn make(&mut self, stage: Option<Function>) {
        LISTENER.with_borrow_mut(|listener| *listener = stage);
        self.session.make(&Stages);
        LISTENER.with_borrow_mut(Option::take);
    }

    /// The line as a racing-line file.
    ///
    /// # Errors
    /// There is no line yet.
    #[wasm_bindgen(js_name = lineFile)]
    pub fn line_file(&self) -> Result<Vec<u8>, JsError> {
        self.session.line_file().map_err(error)
    }
}

/// Makes coarse lines of a track, in a worker of its own, so that they do not wait while a line is made.
#[wasm_bindgen]
pub struct Sketch {
    previewer: Previewer,
}

#[wasm_bindgen]
impl Sketch {
    /// Of what a [`Track`] has as its previewer.
    ///
    /// # Errors
    /// Another text.
    #[wasm_bindgen(constructor)]
    pub fn new(previewer: &str) -> Result<Self, JsError> {
        console_error_panic_hook::set_once();
        let kept: KeptPreviewer = serde_json::from_str(previewer)?;
        Ok(Self { previewer: kept.into() })
    }

    /// The coarse line after edits that are not made, of the sidecar with this text, as JSON.
    ///
    /// # Errors
    /// An edit is not valid, or no line can be made with it.
    pub fn preview(&mut self, sidecar: &str, edits: &str) -> Result<String, JsError> {
        let preview = self.previewer.preview(Path::new("track.toml"), sidecar, edits).map_err(error)?;
        Ok(serde_json::to_string(&preview)?)
    }
}

/// Whether a file is the log of a drive: "log", "road" for one whose positions are read as a road too, or nothing.
#[wasm_bindgen(js_name = logKind)]
pub fn log_kind(bytes: &[u8]) -> Option<String> {
    let kind = if log_without_road(bytes).is_some() { "log" } else { "road" };
    LogKind::of(bytes).filter(|&log| kind == "log" || log.is_road_too()).map(|_| kind.to_owned())
}

thread_local! {
    /// Who is called with the stages of the run: a function of JavaScript belongs to its thread.
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Passes the stages of a run on.
struct Stages;

impl Progress for Stages {
    fn stage(&self, name: &str) {
        LISTENER.with_borrow(|listener| {
            if let Some(listener) = listener {
                // The run goes on without a listener that fails.
                let _ = listener.call1(&JsValue::NULL, &JsValue::from_str(name));
            }
        });
    }
}

fn error(error: SessionError) -> JsError {
    JsError::from(error)
}
