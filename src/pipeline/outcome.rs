//! From a track's source to its racing line.

use std::path::Path;

use super::extracted_track::Extraction;
use super::finished_line::racing_line;
use super::given_line::GivenLine;
use super::judging::prove;
use super::report::ExtractionReport;
use super::request::Request;
use super::track_source::TrackSource;
use super::{Error, Warning, extraction, places, profile};
use crate::file::{Method, RacingLine};
use crate::frame::Spot;
use crate::geometry::Point;
use crate::options::Options;
use crate::solve::passing::Decisions;
use crate::solve::{
    self, CandidateSummary, Detail, LapEnergy, Line, LineWarning, Model, Progress, optimize_with_progress,
};
use crate::track::Track;
use crate::vehicle::Vehicle;
use crate::verify::VerifyError;

/// Searches between more and more cross-sections: each halves the distance between them and takes about
/// twice the time.
pub(crate) const MAX_REFINEMENTS: usize = 2;
/// The stage of a search between more cross-sections.
pub(crate) const FINER_STAGE: &str = "searching again with more cross-sections";

/// A finished run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The racing line.
    pub line: RacingLine,
    /// The line that the search started from, with its speeds, where the options have one.
    pub initial: Option<RacingLine>,
    /// The findings in the input and their confidence.
    pub extraction: ExtractionReport,
    /// One entry for each of the line's candidates, in the same order.
    pub summaries: Vec<CandidateSummary>,
    /// The energy of the lap, where the line is a car's.
    pub energy: Option<LapEnergy>,
    /// How obstacles are passed and pick-ups taken, where there are any.
    pub decisions: Option<Decisions>,
    /// The warnings.
    pub warnings: Vec<Warning>,
    /// Details of the solvers.
    pub details: Vec<Detail>,
}

/// Finds the racing line of `track` with the options of `request`: of a file, which is read for the
/// vehicle of the request, or of an [`Extraction`].
///
/// # Errors
/// See [`extract`](super::extract); also [`Error::Solve`] if the vehicle does not fit the road or no line is found, and
/// [`Error::Unsound`] if the line that was found is not sound.
pub fn optimize<'a>(track: impl Into<TrackSource<'a>>, request: &Request) -> Result<Outcome, Error> {
    line_of(extracted(track, request)?, request)
}

/// The track of a request: read for its vehicle, or as it was extracted.
///
/// # Errors
/// See [`extract`](super::extract).
pub fn extracted<'a>(track: impl Into<TrackSource<'a>>, request: &Request) -> Result<Extraction, Error> {
    match track.into() {
        TrackSource::Extracted(extraction) => Ok(*extraction),
        source => extraction::extract_source(&source, request),
    }
}

/// The racing line of an extracted track.
fn line_of(extraction: Extraction, request: &Request) -> Result<Outcome, Error> {
    let &Request { options, vehicle, verify, progress, .. } = request;
    let resolved = options.resolved()?;
    let options = &*places::in_metres(&resolved, extraction.frame, extraction.source.geographic_origin_deg);
    let initial = options.initial_line.as_deref().map(|file| initial_line(file, &extraction, request)).transpose()?;
    let (initial_points, initial) = initial.unzip();
    let line_options =
        solve::LineOptions { initial_line: initial_points, prices: request.prices, ..options.line_options() };
    let mut extraction = extraction;
    let mut found = optimize_with_progress(&extraction.track, vehicle, &line_options, progress)
        .map_err(|error| Error::Solve { file: extraction.file.clone(), error })?;
    if options.track.spacing_m.is_none() {
        within_margin(&mut found, &mut extraction.track, vehicle, &line_options, progress);
    }
    let mut warnings = extraction.warnings_for(vehicle);
    warnings.extend(found.warnings.iter().copied().map(Warning::Line));
    let without_place = options.corner.iter().filter(|corner| !matches!(corner.at, Spot::Metres(_)));
    warnings.extend(without_place.map(|corner| Warning::CornerWithoutPlace { name: corner.name.clone() }));
    let summaries: Vec<CandidateSummary> = found.candidates().map(|candidate| candidate.summary()).collect();
    let line = racing_line(&extraction, options, request, &found);
    if verify {
        match prove(&line) {
            Ok(doubts) => warnings.extend(doubts.into_iter().map(Warning::Unproven)),
            Err(VerifyError::Unsound(refused)) if options.solve.model.is_none() && found.energy.is_some() => {
                let mut options = request.options.clone();
                options.solve.model = Some(Model::PointMass);
                let mut outcome = line_of(extraction, &Request { options: &options, ..*request })?;
                outcome.warnings.push(Warning::CarRefused(refused.first));
                return Ok(outcome);
            }
            Err(error) => return Err(Error::Unsound { file: extraction.file, line: Box::new(line), error }),
        }
    }
    let (energy, decisions, details) = (found.energy, found.decisions, found.details);
    Ok(Outcome { line, initial, extraction: extraction.report, summaries, energy, decisions, warnings, details })
}

/// A line that was found on the road of `extraction` for the vehicle of `request`, as a file has it; judged
/// where the request asks for it.
///
/// # Errors
/// [`Error::Unsound`] for a line that the judge refuses.
pub(crate) fn line_in_file(extraction: &Extraction, request: &Request, found: &Line) -> Result<RacingLine, Error> {
    let resolved = request.options.resolved()?;
    let options = &*places::in_metres(&resolved, extraction.frame, extraction.source.geographic_origin_deg);
    let line = racing_line(extraction, options, request, found);
    if request.verify
        && let Err(error) = prove(&line)
    {
        return Err(Error::Unsound { file: extraction.file.clone(), line: Box::new(line), error });
    }
    Ok(line)
}

/// Searches again between cross-sections at half the distance, as long as the line misses its margin and
/// that helps: between two sections the bounds of a line are interpolated.
pub(crate) fn within_margin(
    found: &mut Line,
    track: &mut Track,
    vehicle: &Vehicle,
    options: &solve::LineOptions,
    progress: &dyn Progress,
) {
    for _ in 0..MAX_REFINEMENTS {
        let missing_m = missing_m(found.method, &found.warnings);
        if missing_m == 0.0 {
            return;
        }
        // The line that was found stays where the road cannot be searched more finely.
        let Some(finer) = more_finely(track) else { return };
        progress.stage(FINER_STAGE);
        let Ok(mut again) = optimize_with_progress(&finer, vehicle, options, progress) else { return };
        if self::missing_m(again.method, &again.warnings) >= missing_m {
            return;
        }
        again.details.push(Detail::Finer { spacing_m: finer.spacing_m, missing_m });
        (*found, *track) = (again, finer);
    }
}

/// The road with its cross-sections at half the distance; `None` where it cannot be cut so.
pub(crate) fn more_finely(track: &Track) -> Option<Track> {
    track.finer().ok().filter(|finer| finer.spacing_m < track.spacing_m)
}

/// By how much the line of `method` is reported to miss its margin, m; 0 if it is not.
pub(crate) fn missing_m<'a>(method: Method, warnings: impl IntoIterator<Item = &'a LineWarning>) -> f64 {
    let missing = |warning: &LineWarning| match *warning {
        LineWarning::MarginMissed { method: of, missing_m, .. } if of == method => Some(missing_m),
        _ => None,
    };
    warnings.into_iter().find_map(missing).unwrap_or(0.0)
}

/// The points of the line in `file` that a search starts from, and that line with its speeds, on the
/// track of `extraction`.
fn initial_line(file: &str, extraction: &Extraction, request: &Request) -> Result<(Vec<Point>, RacingLine), Error> {
    let options = Options { format_hint: None, ..request.options.clone() };
    let given = GivenLine::read(Path::new(file), &options)?;
    profile::initial(&given, extraction, request)
}
