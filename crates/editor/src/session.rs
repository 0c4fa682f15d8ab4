//! An editor without files: a track and its sidecar in memory, and the line that is made of them.

use std::path::PathBuf;

use raceline::analysis::Losses;
use raceline::file::{Streets, json};
use raceline::formats::{Format, FormatOptions};
use raceline::options::{Layer, OptionsError};
use raceline::pipeline::{self, Progress, Request};
use raceline::{Options, RacingLine};
use raceline_car::Vehicle;
use raceline_file::with_causes;
use raceline_read::input::Input;
use raceline_read::picture::check_format;
use raceline_render::RenderError;
use raceline_render::html::ReadingTools;

use super::comparison::{Comparison, ComparisonError};
use super::drive_note::drive_note;
use super::given_track::{GivenTrack, is_sidecar};
use super::history::{History, Step};
use super::logged_drive::{DrivenLap, Logged, LoggedDrive, laps_beside};
use super::made_line::MadeLine;
use super::pages::{DraftOnPage, Pages, PictureOnPage, SidecarOnPage, reading_tools};
use super::preview::{Preview, Previewer};
use super::session_error::SessionError;
use super::sidecar_edit::{Edit, edited};
use super::state::State;
use super::track_source::{Problem, ReadTrack, Source};

/// A track that is edited, with its line. No file is written, and none is read but those that the track or the sidecar
/// names, which a browser does not have.
#[derive(Clone, Debug)]
pub struct Session {
    track: PathBuf,
    source: Source,
    log: Option<Logged>,
    sidecar: String,
    history: History,
    pages: Pages,
    page: String,
    read: Option<ReadTrack>,
    made: Option<MadeLine>,
    comparison: Comparison,
    previewer: Option<Previewer>,
    state: State,
}

impl Session {
    /// A session about the track among `files`, each with its name: a track file or a picture, the picture that
    /// a map's YAML names or the other edge of the road, and the track's sidecar, a TOML. Until [`make`](Self::make) its page
    /// is the [draft](Self::draft).
    ///
    /// # Errors
    /// The first six variants of [`SessionError`], and [`SessionError::Options`] for a sidecar that is not valid.
    pub fn new(files: Vec<(String, Vec<u8>)>) -> Result<Self, SessionError> {
        let GivenTrack { name, input, sidecar } = GivenTrack::among(files)?;
        let mut pages = Pages::default();
        match &input {
            Input::Picture(bytes) => {
                check_format(&name, bytes)?;
                pages.set_picture(Some(PictureOnPage { name: &name, bytes }));
            }
            Input::Map { map, image, .. } => {
                let name = &map.image.to_string_lossy();
                pages.set_picture(Some(PictureOnPage { name, bytes: image }));
            }
            _ => {}
        }
        Self::begun(PathBuf::from(&name), Source::File(Box::new(input)), sidecar, pages)
    }

    /// A session about the track that was driven in the log of the name `name`: the one among `files`, or the road of
    /// the laps where these have no track. The vehicle is the one that was fitted to the log, unless the
    /// sidecar names one. After each [`make`](Self::make) the page follows with [`lay_laps`](Self::lay_laps), as long as
    /// it [awaits them](Self::awaits_laps).
    ///
    /// # Errors
    /// Those of [`Self::new`], and [`SessionError::Vehicle`] for a vehicle of the log that is not valid.
    pub fn of_log(name: &str, drive: LoggedDrive, files: Vec<(String, Vec<u8>)>) -> Result<Self, SessionError> {
        let is_track = |(name, _): &(String, Vec<u8>)| !is_sidecar(name);
        let vehicle = drive.vehicle.as_deref().map(|text| Vehicle::from_toml(text, name)).transpose()?;
        let notes = drive.notes.clone();
        let mut session = if files.iter().any(is_track) {
            Self::new(files)?
        } else {
            let sidecar = files.first().map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
            let source = Source::Laps(Box::new(drive));
            Self::begun(PathBuf::from(name), source, sidecar.unwrap_or_default(), Pages::default())?
        };
        session.log = Some(Logged { vehicle, notes, is_compared: true, left_out: Vec::new() });
        Ok(session)
    }

    fn begun(track: PathBuf, source: Source, sidecar: String, pages: Pages) -> Result<Self, SessionError> {
        let session = Self {
            track,
            source,
            log: None,
            sidecar,
            history: History::default(),
            pages,
            page: String::new(),
            read: None,
            made: None,
            comparison: Comparison::default(),
            previewer: None,
            // That of the draft.
            state: State { page: 1, ..State::default() },
        };
        session.options()?;
        Ok(session)
    }

    /// Name of the track, without the ending of its file.
    #[must_use]
    pub fn name(&self) -> String {
        self.track.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The text of the sidecar.
    #[must_use]
    pub fn sidecar(&self) -> &str {
        &self.sidecar
    }

    /// The page, a whole HTML file; empty before the first [`make`](Self::make).
    #[must_use]
    pub fn page(&self) -> &str {
        &self.page
    }

    /// The page of the track without a line, a whole HTML file. A line that comes soon needs none.
    ///
    /// # Errors
    /// Those of [`Pages::draft`].
    pub fn draft(&self) -> Result<String, RenderError> {
        self.draft_page(self.state.page)
    }

    /// The state, for the page.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The line; `None` where none was made yet.
    #[must_use]
    pub fn line(&self) -> Option<&RacingLine> {
        self.made.as_ref().map(|made| &made.line)
    }

    /// Makes `edits`, a list in JSON as the page sends it, in the sidecar. The line stays as it is until
    /// [`make`](Self::make).
    ///
    /// # Errors
    /// [`SessionError::Edits`] and [`SessionError::Edit`]; the sidecar then stays as it is.
    pub fn edit(&mut self, edits: &str) -> Result<(), SessionError> {
        let edits: Vec<Edit> = serde_json::from_str(edits)?;
        let after = edited(&self.sidecar_path(), &self.sidecar, &edits)?;
        let before = std::mem::replace(&mut self.sidecar, after.clone());
        self.history.changed(Some(before), after);
        self.state.offer(&self.history);
        Ok(())
    }

    /// Takes the last edit back.
    ///
    /// # Errors
    /// [`HistoryError::NothingToUndo`](super::HistoryError::NothingToUndo).
    pub fn undo(&mut self) -> Result<(), SessionError> {
        self.step(Step::Undo)
    }

    /// Makes the edit again that was taken back last.
    ///
    /// # Errors
    /// [`HistoryError::NothingToRedo`](super::HistoryError::NothingToRedo).
    pub fn redo(&mut self) -> Result<(), SessionError> {
        self.step(Step::Redo)
    }

    fn step(&mut self, step: Step) -> Result<(), SessionError> {
        self.sidecar = self.history.target(step, Some(&self.sidecar))?.unwrap_or_default();
        self.history.made(step);
        self.state.offer(&self.history);
        Ok(())
    }

    /// Makes the line, and its page. Where that fails, the line and the page before stay, and the state has the
    /// problem. The stages of the work are reported to `progress`.
    pub fn make(&mut self, progress: &dyn Progress) {
        let made = self.make_line(progress);
        self.state.note = None;
        match made {
            Ok(warnings) => {
                (self.state.problem, self.state.missing) = (None, None);
                let of_log = self.log.iter().flat_map(|log| log.notes.iter().cloned());
                self.state.warnings = of_log.chain(warnings).collect();
                self.set_laps(Vec::new(), None);
                // With a log the page follows when its laps are laid on the line.
                if !self.awaits_laps() {
                    self.show();
                }
            }
            Err(Problem { text, missing }) => {
                (self.state.problem, self.state.missing) = (Some(text), missing);
                self.state.warnings.clear();
                // The page of the line before has the same tools.
                if self.made.is_none() {
                    self.show_draft();
                }
            }
        }
    }

    /// Whether the page of a line is shown with laps of the log.
    #[must_use]
    pub fn awaits_laps(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.is_compared)
    }

    /// Lays laps of the log beside the line, the fastest first, and shows the page of both.
    ///
    /// # Errors
    /// [`SessionError::NoLine`], and [`SessionError::Comparison`] for laps elsewhere; the page then is that of the
    /// line.
    pub fn lay_laps(&mut self, laps: &[DrivenLap]) -> Result<(), SessionError> {
        let line = self.line().ok_or(SessionError::NoLine)?;
        let is_wanted = |lap: &&DrivenLap| !self.log.as_ref().is_some_and(|log| log.left_out.contains(&lap.name));
        let laps: Vec<DrivenLap> = laps.iter().filter(is_wanted).cloned().collect();
        let (driven, lost) = match laps_beside(line, &laps) {
            Ok(laid) => laid,
            Err(error) => {
                self.without_laps();
                return Err(error);
            }
        };
        self.set_laps(driven, lost);
        self.show();
        Ok(())
    }

    fn set_laps(&mut self, laps: Vec<RacingLine>, lost: Option<Losses>) {
        self.comparison.set_laps(laps);
        self.pages.set_losses(lost);
    }

    /// Laps of the log that are no longer compared, as they were `before`, do not come back with the next line.
    fn forget_laps_taken_out(&mut self, before: &[RacingLine]) {
        let left = self.comparison.laps();
        let Some(log) = self.log.as_mut().filter(|_| left.len() < before.len()) else { return };
        log.leave_out(before, left);
        // Where time is lost is that of the fastest lap.
        if left.first() != before.first() {
            self.pages.set_losses(None);
        }
    }

    /// Shows the page of the line without laps of the log, which could not be laid on it.
    pub fn without_laps(&mut self) {
        self.set_laps(Vec::new(), None);
        self.show();
    }

    /// Drives the line with the follower, and reports that in the state.
    pub fn drive(&mut self) {
        let Some(line) = self.line() else { return };
        self.state.note = Some(drive_note(line));
    }

    /// The line as a racing-line file.
    ///
    /// # Errors
    /// [`SessionError::NoLine`] and [`SessionError::NotWritten`].
    pub fn line_file(&self) -> Result<Vec<u8>, SessionError> {
        let line = self.line().ok_or(SessionError::NoLine)?;
        json::write(line).map_err(|error| SessionError::NotWritten { reason: with_causes(&error) })
    }

    /// The line in the format of another program, one of [`FORMATS`](raceline::formats::FORMATS).
    ///
    /// # Errors
    /// [`SessionError::NoLine`], [`SessionError::UnknownFormat`] and [`SessionError::NotWritten`].
    pub fn export(&self, format: &str) -> Result<Vec<u8>, SessionError> {
        let line = self.line().ok_or(SessionError::NoLine)?;
        let known = Format::named(format).ok_or_else(|| SessionError::UnknownFormat { name: format.to_owned() })?;
        known
            .write(line, &FormatOptions::default())
            .map_err(|error| SessionError::NotWritten { reason: with_causes(&error) })
    }

    /// The coarse line after `edits`, a list in JSON as the page sends it, while something is dragged. Nothing is
    /// changed.
    ///
    /// # Errors
    /// [`SessionError::NoLine`] before the first line, and those of [`Previewer::preview`].
    pub fn preview(&mut self, edits: &str) -> Result<Preview, SessionError> {
        let (path, sidecar) = (self.sidecar_path(), &self.sidecar);
        self.previewer.as_mut().ok_or(SessionError::NoLine)?.preview(&path, sidecar, edits)
    }

    /// What makes coarse lines of the track as it was read last; `None` before the first line.
    #[must_use]
    pub fn previewer(&self) -> Option<&Previewer> {
        self.previewer.as_ref()
    }

    /// Makes a change of the comparison, an object in JSON as the page sends it, and shows it. `bytes` are those of the
    /// file that the change names, if it names one.
    ///
    /// # Errors
    /// [`SessionError::Comparison`]; the comparison then stays as it is.
    pub fn compare(&mut self, change: &str, bytes: Option<&[u8]>) -> Result<(), SessionError> {
        let change = Comparison::read_change(change.as_bytes())?;
        let given = |name: &str| {
            let reason = || "its content is missing".to_owned();
            bytes
                .map(<[u8]>::to_vec)
                .ok_or_else(|| ComparisonError::NotRead { name: name.to_owned(), reason: reason() })
        };
        let before = self.comparison.laps().to_vec();
        self.comparison.change(self.made.as_ref().map(|made| &made.line), change, given)?;
        self.forget_laps_taken_out(&before);
        self.show();
        Ok(())
    }

    /// The comparison as files, each with its name, for [`restore_comparison`](Self::restore_comparison).
    ///
    /// # Errors
    /// [`SessionError::Comparison`] for one that JSON cannot express.
    pub fn comparison_files(&self) -> Result<Vec<(String, Vec<u8>)>, SessionError> {
        Ok(self.comparison.files()?)
    }

    /// Sets the comparison to that of another session of this track, by its [`comparison_files`](Self::comparison_files).
    ///
    /// # Errors
    /// [`SessionError::Comparison`] for files that are no lines.
    pub fn restore_comparison(&mut self, files: Vec<(String, Vec<u8>)>) -> Result<(), SessionError> {
        self.comparison = Comparison::restored(files)?;
        self.show();
        Ok(())
    }

    /// The page without tools, one file that needs no app.
    ///
    /// # Errors
    /// [`SessionError::NoLine`] and [`SessionError::NotWritten`].
    pub fn shared_page(&self) -> Result<String, SessionError> {
        let line = self.line().ok_or(SessionError::NoLine)?;
        let page = self.pages.without_tools(line, &self.comparison);
        page.map_err(|error| SessionError::NotWritten { reason: with_causes(&error) })
    }

    fn sidecar_path(&self) -> PathBuf {
        self.track.with_extension("toml")
    }

    fn options(&self) -> Result<Options, OptionsError> {
        let layer = Layer::from_toml(&self.sidecar_path(), &self.sidecar)?;
        Ok(Options::from_layers(&[layer])?.resolved()?.into_owned())
    }

    /// Makes the line, from the track as it was read last where the options allow that; its warnings.
    fn make_line(&mut self, progress: &dyn Progress) -> Result<Vec<String>, Problem> {
        let mut options = self.options()?;
        let mut vehicle = match self.log.as_ref().and_then(|log| log.fitted(&options)) {
            Some(fitted) => options.adapt_vehicle(fitted.clone()).map_err(OptionsError::from)?,
            None => options.load_vehicle()?,
        };
        let road = self.source.road(&options, &vehicle)?;
        let reading = self.source.reading_options(&options);
        if let Some(road) = &road {
            options = pipeline::options_of_driven_road(road, &options);
            // What the laps used is the road: no more of it is given away.
            vehicle.safety_distance_m = options.safety_distance_m.unwrap_or(0.0);
        }
        let by = (&options, &reading);
        let extraction = self.source.track(&self.track, road.as_ref(), by, &vehicle, &mut self.read, progress)?;
        self.previewer = Some(Previewer::new(extraction.clone(), &options, &vehicle));
        let centre_line_m = extraction.track.centre_line().points.iter().map(|point| [point.x, point.y]).collect();
        let (frame, direction) = (extraction.frame, extraction.track.direction);
        let read = reading_tools(&options, &extraction);
        // The road of laps has no width of its own.
        let reading = ReadingTools { width: read.width || road.is_some(), ..read };
        let request = Request::new(&options, &vehicle).detail(true).progress(progress);
        let outcome = pipeline::optimize(extraction, &request).map_err(|error| {
            let is_default = options.vehicle.is_none() && vehicle.name == Options::DEFAULT_VEHICLE;
            let problem = Problem::from(error);
            // What nobody chose may be too large for the road.
            Problem { missing: problem.missing.or(is_default.then_some("vehicle")), ..problem }
        })?;
        self.made = Some(MadeLine { line: outcome.line, frame, direction, centre_line_m, reading });
        Ok(outcome.warnings.iter().map(ToString::to_string).collect())
    }

    /// Shows the line with those that it is compared with, as far as they are of this track.
    fn show(&mut self) {
        let Some(made) = &self.made else { return };
        let name = self.sidecar_name();
        let page = self.pages.of_line(made.on_page(&self.comparison), Some(self.on_page(&name)), self.state.page + 1);
        self.turn_to(page);
    }

    fn show_draft(&mut self) {
        let page = self.draft_page(self.state.page + 1);
        self.turn_to(page);
    }

    fn draft_page(&self, number: u64) -> Result<String, RenderError> {
        let (title, streets, name) = (self.name(), self.streets(), self.sidecar_name());
        let shown = DraftOnPage { title: &title, streets: streets.as_ref() };
        self.pages.draft(shown, Some(self.on_page(&name)), number)
    }

    fn sidecar_name(&self) -> String {
        self.sidecar_path().to_string_lossy().into_owned()
    }

    /// The sidecar of this name.
    fn on_page<'a>(&'a self, name: &'a str) -> SidecarOnPage<'a> {
        SidecarOnPage { name, text: &self.sidecar }
    }

    /// The streets of the file, where no line was made yet for another reason than that they cannot be read.
    fn streets(&self) -> Option<Streets> {
        self.state.problem.as_ref()?;
        self.source.streets(&self.track, &self.options().ok()?)
    }

    /// Shows the next page; where it could not be made, the page before stays.
    fn turn_to(&mut self, page: Result<String, RenderError>) {
        match page {
            Ok(page) => {
                self.page = page;
                self.state.page += 1;
            }
            Err(error) => self.state.problem = Some(with_causes(&error)),
        }
    }
}
