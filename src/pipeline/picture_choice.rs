//! Which of several readings of a picture is its road.
//!
//! The first is that of [`picture::road_mask`](crate::picture::road_mask). If the road that it gives is
//! unlikely, or if it gives none, the other attempts are made, and the one that looks the most like a road
//! is taken. A road leads back to its start, has about the same width everywhere, and nothing of it is
//! left over.

use super::Error;
use super::extraction::Run;
use super::plausibility::{self, Doubt};
use super::road_likeness::{self, Appearance, USUAL_WIDTH_PX, Verdict};
use crate::edges::EdgeError;
use crate::frame::Scale;
use crate::geometry::Point;
use crate::picture::{
    Attempt, Attempts, MapYaml, Picture, PictureError, PictureOptions, Pixel, Preparation, RoadMask, RoadStyle,
    road_mask_of_map, without_axes,
};
use crate::tracing::{self, Traced};
use crate::track::{self, Track};

/// One reading of a picture: its mask, edges and cross-sections.
pub(super) struct Reading {
    pub mask: RoadMask,
    pub traced: Traced,
    pub track: Track,
    /// How much of the drawn road the line covers, 0 to 1.
    pub covered_fraction: f64,
    /// The attempt that found it, unless it is the first reading.
    pub attempt: Option<Attempt>,
    verdict: Verdict,
}

/// Which other attempts are made after the first reading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Further {
    None,
    /// Only its main stroke: an interrupted road may be one that something is drawn over.
    MainStroke,
    All,
}

/// What is left of a picture that has no reading.
pub(super) struct Failed {
    pub error: Error,
    pub mask: Option<RoadMask>,
    pub traced: Option<Traced>,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self { error, mask: None, traced: None }
    }
}

impl Run<'_> {
    /// The likeliest reading of `picture`.
    pub(super) fn read_picture(
        &self,
        picture: &Picture,
        map: Option<&MapYaml>,
        hints: &PictureOptions,
        (scale, origin): (Scale, Point),
    ) -> Result<Reading, Box<Failed>> {
        let shape = self.options.route.shape.specified();
        if let Some(map) = map {
            let mask =
                road_mask_of_map(picture, map, hints, shape).map_err(|error| Failed::from(Error::from(error)))?;
            return self.reading(mask, None, scale, origin);
        }
        let Some(plain) = without_axes(picture) else { return self.read_drawing(picture, hints, (scale, origin)) };
        let as_plot = |hints: &PictureOptions| {
            let reading = self.read_drawing(&plain, hints, (scale, origin))?;
            let attempt = Attempt { preparation: Preparation::WithoutAxes, style: reading.mask.style };
            not_one_line(&picture.name, Reading { attempt: Some(attempt), ..reading })
        };
        let of_plot = as_plot(hints).or_else(|failed| {
            // The ground between two lines of a small plot looks like a line itself.
            let is_one_line = matches!(failed.error, Error::Picture(PictureError::TooThin { .. }));
            if !is_one_line || hints.road != RoadStyle::Auto {
                return Err(failed);
            }
            let between_lines = as_plot(&PictureOptions { road: RoadStyle::Outline, ..hints.clone() });
            between_lines.ok().filter(|reading| reading.verdict.is_sound).ok_or(failed)
        });
        if of_plot.as_ref().is_ok_and(|reading| reading.verdict.is_sound) {
            return of_plot;
        }
        // The frame may be a part of the drawing; but of a plot nothing doubtful is taken as it is drawn.
        let as_drawn = self.read_drawing(picture, hints, (scale, origin));
        if as_drawn.as_ref().is_ok_and(|reading| reading.verdict.is_sound) { as_drawn } else { of_plot }
    }

    /// The likeliest reading of a picture that is no map.
    fn read_drawing(
        &self,
        picture: &Picture,
        hints: &PictureOptions,
        (scale, origin): (Scale, Point),
    ) -> Result<Reading, Box<Failed>> {
        let shape = self.options.route.shape.specified();
        let read = |mask, attempt| self.reading(mask, attempt, scale, origin);
        let failed = |error: PictureError| Box::new(Failed::from(Error::from(error)));
        self.progress.stage("finding the road");
        let mut attempts = Attempts::new(picture, hints, shape);
        let first = attempts.first().map_err(failed).and_then(|mask| read(mask, None));
        let further = match &first {
            Ok(reading) => reading.further_attempts(),
            Err(failed) => further_attempts_after(&failed.error),
        };
        if further == Further::None {
            return first;
        }
        self.progress.stage("trying other styles");
        let mut others = attempts.others();
        others.retain(|attempt| further == Further::All || attempt.preparation == Preparation::MainStroke);
        let mut best: Option<Reading> = None;
        for attempt in others {
            let Some(next) = attempts.mask(attempt).and_then(|mask| read(mask, Some(attempt)).ok()) else { continue };
            if best.as_ref().is_none_or(|best| next.verdict.exceeds(&best.verdict)) {
                let is_sure = next.verdict.is_sure();
                best = Some(next);
                if is_sure {
                    break;
                }
            }
        }
        if let Some(best) = best
            && best.replaces(first.as_ref().ok())
        {
            return Ok(best);
        }
        match first {
            Err(failed) if matches!(failed.error, Error::Picture(_)) => match attempts.last() {
                Some(mask) => read(mask, None),
                None => Err(failed),
            },
            first => first,
        }
    }

    fn reading(
        &self,
        mask: RoadMask,
        attempt: Option<Attempt>,
        scale: Scale,
        origin: Point,
    ) -> Result<Reading, Box<Failed>> {
        let file = || self.file.to_owned();
        self.progress.stage("tracing the edges");
        let traced = match tracing::trace(&mask, scale, origin, &self.options.route) {
            Ok(traced) => traced,
            Err(error) => {
                let error = Error::Edges { file: file(), error };
                return Err(Box::new(Failed { error, mask: Some(mask), traced: None }));
            }
        };
        self.progress.stage("cutting cross-sections");
        match track::cut_for(&traced.edges, &self.options.track, self.vehicle.length_m) {
            Ok(track) => Ok(self.judged(mask, traced, track, attempt)),
            Err(error) => {
                let error = Error::track(self.file, error);
                Err(Box::new(Failed { error, mask: Some(mask), traced: Some(traced) }))
            }
        }
    }

    fn judged(&self, mask: RoadMask, traced: Traced, track: Track, attempt: Option<Attempt>) -> Reading {
        let widths_m = Appearance::widths_m(&track);
        let length_m = track.centre_line().length();
        let metres_per_pixel = traced.edges.frame.map_or(1.0, |frame| frame.metres_per_pixel);
        // Of several roads, the user has chosen one.
        let rest_px = if self.options.picture.road_at.is_some() { 0.0 } else { mask.rest_px };
        let covered_fraction =
            road_likeness::covered_fraction(rest_px * metres_per_pixel, &traced.side_roads, length_m, widths_m[2]);
        let appearance = Appearance {
            covered_fraction,
            widths_m,
            length_m,
            metres_per_pixel,
            closed: track.closed,
            is_whole_lap: track.closed || self.options.route.shape.specified().is_some(),
            jumps: plausibility::doubts(&track, 0, 0.0).iter().any(|doubt| matches!(doubt, Doubt::WidthJump { .. })),
        };
        Reading { mask, traced, track, covered_fraction, attempt, verdict: appearance.verdict() }
    }
}

impl Reading {
    fn further_attempts(&self) -> Further {
        match (self.verdict.is_sound, self.verdict.is_even) {
            (true, _) => Further::None,
            (false, true) => Further::MainStroke,
            (false, false) => Further::All,
        }
    }

    /// Whether it is so much better than the first reading that it takes its place.
    fn replaces(&self, first: Option<&Self>) -> bool {
        match first {
            None => self.verdict.replaces_error(),
            Some(first) => self.verdict.replaces(&first.verdict, || road_likeness::contains(&self.track, &first.track)),
        }
    }
}

/// The reading of a plot, unless its road is a line of the plot: one edge of a road whose other one is interrupted,
/// as below a legend.
fn not_one_line(name: &str, reading: Reading) -> Result<Reading, Box<Failed>> {
    let metres_per_pixel = reading.traced.edges.frame.map_or(1.0, |frame| frame.metres_per_pixel);
    let width_px = reading.track.mean_width() / metres_per_pixel;
    if reading.mask.style == RoadStyle::Outline || width_px >= USUAL_WIDTH_PX {
        return Ok(reading);
    }
    let (width, height) = reading.mask.coverage.dimensions();
    let place = Pixel { column: width / 2, row: height / 2 };
    let error = PictureError::TooThin { name: name.to_owned(), place, width_px };
    Err(Box::new(Failed { error: error.into(), mask: Some(reading.mask), traced: Some(reading.traced) }))
}

/// The attempts that may help: none against what the user specified, and none where the user must choose between
/// several roads.
fn further_attempts_after(error: &Error) -> Further {
    match error {
        Error::Picture(
            PictureError::Blank { .. }
            | PictureError::OutsidePicture { .. }
            | PictureError::NotThere { .. }
            | PictureError::SeveralRings { .. },
        ) => Further::None,
        Error::Edges { error, .. } => match error {
            EdgeError::OffRoad { .. }
            | EdgeError::NoRouteVia
            | EdgeError::NeedsPixels { .. }
            | EdgeError::TooLong(_)
            | EdgeError::LeavesPicture { .. } => Further::None,
            EdgeError::Gap { .. } => Further::MainStroke,
            _ => Further::All,
        },
        _ => Further::All,
    }
}
