//! Which of several readings of a picture is its road.
//!
//! The first is that of [`picture::road_mask`](crate::picture::road_mask). If the road that it gives is
//! unlikely, or if it gives none, the other attempts are made, and the one that looks the most like a road
//! is taken. A road leads back to its start, has about the same width everywhere, and nothing of it is
//! left over.

use super::Error;
use super::extraction::Run;
use super::plausibility::{self, Doubt};
use crate::edges::EdgeError;
use crate::frame::Scale;
use crate::geometry::{Point, Segment};
use crate::picture::{
    Attempt, Attempts, MapYaml, Picture, PictureError, PictureOptions, Pixel, Preparation, RoadMask, RoadStyle,
    road_mask_of_map, without_axes,
};
use crate::tracing::{self, Traced};
use crate::track::{self, CrossSection, Track};

/// A road is whole if the line covers at least this fraction of what is drawn.
pub(super) const WHOLE: f64 = 0.98;

/// A road off the route is a part of the same road if it is at least this wide, in mean widths of the road, and
/// this long, as a fraction of its length.
const LEFT_OUT_WIDTHS: f64 = 0.6;
const LEFT_OUT_LENGTH: f64 = 0.03;

/// The narrowest and the third percentile of the widths of a sound road, in its median width.
const MIN_NARROWEST: f64 = 0.15;
const MIN_NARROW: f64 = 0.6;

/// Length of a sound road in its widths, and of one whose score is not reduced.
const MIN_SLENDERNESS: f64 = 12.0;
const SURE_SLENDERNESS: f64 = 40.0;

/// Width of a road whose score is not reduced, metres and pixels.
const USUAL_WIDTH_M: std::ops::RangeInclusive<f64> = 2.5..=45.0;
const USUAL_WIDTH_PX: f64 = 4.5;

/// Score of an open road where a circuit is possible, and of one with a doubt.
const OPEN_SCORE: f64 = 0.6;
const DOUBT_SCORE: f64 = 0.8;

/// An attempt replaces the first reading if its score is higher by this much, and replaces an error if it is at
/// least this.
const MIN_GAIN: f64 = 0.1;
const MIN_SCORE: f64 = 0.4;

/// No further attempt is made after a sound one of this score.
const SURE_SCORE: f64 = 0.95;

/// A circuit replaces an open road if it contains at least this fraction of it.
const MIN_CONTAINED: f64 = 0.9;

/// One reading of a picture: its mask, edges and cross-sections.
pub(super) struct Reading {
    pub mask: RoadMask,
    pub traced: Traced,
    pub track: Track,
    /// How much of the drawn road the line covers, 0 to 1.
    pub covered_fraction: f64,
    /// The attempt that found it, unless it is the first reading.
    pub attempt: Option<Attempt>,
    score: f64,
    is_sound: bool,
    /// Whether it is sound but for being open.
    is_even: bool,
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
            between_lines.ok().filter(|reading| reading.is_sound).ok_or(failed)
        });
        if of_plot.as_ref().is_ok_and(|reading| reading.is_sound) {
            return of_plot;
        }
        // The frame may be a part of the drawing; but of a plot nothing doubtful is taken as it is drawn.
        let as_drawn = self.read_drawing(picture, hints, (scale, origin));
        if as_drawn.as_ref().is_ok_and(|reading| reading.is_sound) { as_drawn } else { of_plot }
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
            if best.as_ref().is_none_or(|best| best.score < next.score) {
                // Nothing is gained by looking for a better one.
                let is_sure = next.is_sound && next.score >= SURE_SCORE;
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
        let mut widths: Vec<f64> = track.sections.iter().map(CrossSection::width).collect();
        widths.sort_by(f64::total_cmp);
        let at = |fraction: f64| widths.get((fraction * widths.len() as f64) as usize).copied().unwrap_or(0.0);
        let (narrowest, narrow, median, wide) = (at(0.0), at(0.03), at(0.5), at(0.97));
        let length_m = track.centre_line().length();
        let metres_per_pixel = traced.edges.frame.map_or(1.0, |frame| frame.metres_per_pixel);
        // Of several roads, the user has chosen one.
        let rest_px = if self.options.picture.road_at.is_some() { 0.0 } else { mask.rest_px };
        let covered_fraction = covered_fraction(rest_px * metres_per_pixel, &traced, length_m, median);
        let slenderness = length_m / median.max(1e-9);
        let is_whole_lap = track.closed || self.options.route.shape.specified().is_some();
        let jumps = plausibility::doubts(&track, 0, 0.0).iter().any(|doubt| matches!(doubt, Doubt::WidthJump { .. }));
        let unusual = if median < *USUAL_WIDTH_M.start() {
            median / USUAL_WIDTH_M.start()
        } else {
            (USUAL_WIDTH_M.end() / median.max(1e-9)).min(1.0)
        };
        let even = (narrow / (0.75 * median)).min(1.0) * (1.6 * median / wide.max(1e-9)).min(1.0);
        let score = covered_fraction
            * even
            * unusual
            * (slenderness / SURE_SLENDERNESS).min(1.0)
            * (median / metres_per_pixel / USUAL_WIDTH_PX).min(1.0)
            * if is_whole_lap { 1.0 } else { OPEN_SCORE }
            * if jumps || narrowest < MIN_NARROWEST * median { DOUBT_SCORE } else { 1.0 };
        let is_even = covered_fraction >= WHOLE
            && narrow >= MIN_NARROW * median
            && narrowest >= MIN_NARROWEST * median
            && !jumps
            && slenderness >= MIN_SLENDERNESS
            && median <= *USUAL_WIDTH_M.end();
        let is_sound = is_whole_lap && is_even;
        Reading { mask, traced, track, covered_fraction, attempt, score, is_sound, is_even }
    }
}

impl Reading {
    fn further_attempts(&self) -> Further {
        match (self.is_sound, self.is_even) {
            (true, _) => Further::None,
            (false, true) => Further::MainStroke,
            (false, false) => Further::All,
        }
    }

    /// Whether it is so much better than the first reading that it takes its place.
    fn replaces(&self, first: Option<&Self>) -> bool {
        let Some(first) = first else {
            return self.score >= MIN_SCORE && self.covered_fraction >= WHOLE && self.track.closed;
        };
        let is_better = self.score >= first.score + MIN_GAIN;
        // A sound open road is one unless a circuit goes on where it ends.
        is_better && (first.track.closed || first.score < OPEN_SCORE * MIN_SCORE || self.contains(&first.track))
    }

    /// Whether most of another road's middle lies on this one.
    fn contains(&self, other: &Track) -> bool {
        let stride = |count: usize| (count / 200).max(1);
        let own: Vec<&CrossSection> = self.track.sections.iter().collect();
        let reach = own.iter().map(|section| section.width()).fold(0.0, f64::max) / 2.0;
        let middles: Vec<Point> = own.iter().map(|section| section.middle()).collect();
        let is_near = |p: Point| middles.windows(2).any(|pair| Segment::new(pair[0], pair[1]).distance(p) <= reach);
        let sampled = other.sections.iter().step_by(stride(other.sections.len()));
        let (mut near, mut total) = (0_usize, 0_usize);
        for section in sampled {
            near += usize::from(is_near(section.middle()));
            total += 1;
        }
        near as f64 >= MIN_CONTAINED * total as f64
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

/// How much of the drawn road its route covers. What leads back to the route is another route and no rest.
fn covered_fraction(rest_m: f64, traced: &Traced, length_m: f64, width_m: f64) -> f64 {
    let is_rest = |road: &&tracing::SideRoad| {
        road.is_dead_end && road.width_m >= LEFT_OUT_WIDTHS * width_m && road.length_m >= LEFT_OUT_LENGTH * length_m
    };
    let left_out: f64 = traced.side_roads.iter().filter(is_rest).map(|road| road.length_m).sum();
    length_m / (length_m + left_out + rest_m).max(1e-9)
}
