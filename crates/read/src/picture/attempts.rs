//! Further attempts at a drawing whose road is doubtful: in each style, as ink on paper, and reduced
//! to its main stroke.
//!
//! Each attempt is one road mask. Which of them shows the road is decided by who traces them: a
//! mask alone does not show whether the road is whole and of about constant width.

use std::fmt;

use serde::Serialize;

use super::ink::{Ink, ink};
use super::regions::Regions;
use super::threshold::Histogram;
use super::{Grey, Picture, PictureError, PictureOptions, RoadMask, RoadStyle, gaps, photograph, strokes, style};

/// Longest gap in a line of an outline that is closed, in thicknesses of the line.
const LONG_GAP_THICKNESSES: f64 = 12.0;

/// How a picture is changed before its road is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preparation {
    /// Not at all.
    AsDrawn,
    /// The frame and the grid of a plot are removed, and what is outside of the frame.
    WithoutAxes,
    /// Every colour that is not the ground's is ink.
    Ink,
    /// Thinner lines, texts and filled shapes are removed, and the gaps in the main stroke are closed.
    MainStroke,
    /// Long gaps in lines are closed.
    ClosedLines,
}

/// An attempt at a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Attempt {
    /// What is done to the picture first.
    pub preparation: Preparation,
    /// The style in which the road is looked for.
    pub style: RoadStyle,
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = self.style.name();
        match self.preparation {
            Preparation::AsDrawn => write!(f, "a road of the style {style}"),
            Preparation::WithoutAxes => {
                write!(f, "a road of the style {style}, without the frame and the grid of the plot,")
            }
            Preparation::Ink => write!(f, "a road of the style {style} in any colour"),
            Preparation::MainStroke => {
                write!(f, "the main stroke, without what is drawn over and beside it, its gaps closed")
            }
            Preparation::ClosedLines => write!(f, "a road between two lines, long gaps in them closed"),
        }
    }
}

/// The attempts at one picture.
pub struct Attempts<'a> {
    picture: &'a Picture,
    options: &'a PictureOptions,
    closed: Option<bool>,
    /// Computed once, when it is needed.
    ink: Option<Option<Ink>>,
}

impl<'a> Attempts<'a> {
    /// Attempts at `picture`. `closed` specifies whether the road is a circuit, if that is known.
    #[must_use]
    pub fn new(picture: &'a Picture, options: &'a PictureOptions, closed: Option<bool>) -> Self {
        Self { picture, options, closed, ink: None }
    }

    /// The road of [`road_mask`](super::road_mask), which may treat a drawing as a photograph only if it is
    /// photographic.
    ///
    /// # Errors
    /// Those of [`road_mask`](super::road_mask).
    pub fn first(&self) -> Result<RoadMask, PictureError> {
        style::drawn_road_mask(self.picture, self.options, self.closed)
    }

    /// The road if the drawing is treated as a photograph, for which [`road_mask`](super::road_mask) does so when
    /// nothing else is found.
    #[must_use]
    pub fn last(&self) -> Option<RoadMask> {
        style::photographed_road_mask(self.picture, self.options)
    }

    /// The other attempts, the most likely first. None for a photograph, and where the options specify a threshold
    /// or a colour.
    #[must_use]
    pub fn others(&self) -> Vec<Attempt> {
        use Preparation::{AsDrawn, ClosedLines, Ink, MainStroke};
        let options = self.options;
        let is_photograph = options.road == RoadStyle::Aerial
            || self.picture.colours.is_some() && photograph::is_photographic(&self.picture.grey);
        if options.threshold.is_some() || options.road_colour.is_some() || is_photograph {
            return Vec::new();
        }
        let all = [
            (Ink, RoadStyle::Outline),
            (Ink, RoadStyle::Dark),
            (MainStroke, RoadStyle::Dark),
            (AsDrawn, RoadStyle::Dark),
            (AsDrawn, RoadStyle::Light),
            (ClosedLines, RoadStyle::Outline),
        ];
        // Ink is dark whatever the ground is.
        let is_wanted = |preparation: Preparation, style: RoadStyle| match options.road {
            RoadStyle::Auto => true,
            wanted => {
                style == wanted || wanted == RoadStyle::Light && style == RoadStyle::Dark && preparation != AsDrawn
            }
        };
        let wanted = all.into_iter().filter(|&(preparation, style)| is_wanted(preparation, style));
        wanted.map(|(preparation, style)| Attempt { preparation, style }).collect()
    }

    /// The mask of one attempt; `None` if it shows no road.
    pub fn mask(&mut self, attempt: Attempt) -> Option<RoadMask> {
        let Attempt { preparation, style } = attempt;
        if preparation == Preparation::AsDrawn {
            return self.mask_in(self.picture.grey.clone(), style, None);
        }
        let ink = self.ink.get_or_insert_with(|| ink(self.picture)).as_ref()?;
        let ground_is_light = ink.ground_is_light;
        // Halfway between the ground and the strongest ink: the lines of a grid are fainter.
        let strongest = ink.grey.iter().copied().min().unwrap_or(0);
        let half_inked = strongest + (u16::MAX - strongest) / 2;
        let grey = match preparation {
            Preparation::AsDrawn | Preparation::WithoutAxes | Preparation::Ink => ink.grey.clone(),
            Preparation::MainStroke => strokes::reduced(&ink.grey, half_inked)?,
            Preparation::ClosedLines => with_closed_lines(&ink.grey)?,
        };
        let mask = self.mask_in(grey, style, Some(half_inked))?;
        let as_drawn = match mask.style {
            RoadStyle::Dark if !ground_is_light => RoadStyle::Light,
            RoadStyle::Light if !ground_is_light => RoadStyle::Dark,
            style => style,
        };
        (self.options.road == RoadStyle::Auto || self.options.road == as_drawn)
            .then_some(RoadMask { style: as_drawn, ..mask })
    }

    fn mask_in(&self, grey: Grey, style: RoadStyle, first_threshold: Option<u16>) -> Option<RoadMask> {
        style::road_mask_in(self.picture, grey, style, first_threshold, self.options, self.closed).ok()
    }
}

/// The picture with long gaps in its lines closed.
fn with_closed_lines(grey: &Grey) -> Option<Grey> {
    let mut looks = gaps::MAX_LOOKS;
    let thresholds = Histogram::of(grey).thresholds();
    thresholds.into_iter().find_map(|threshold| {
        let regions = Regions::new(grey, threshold)?;
        gaps::closed_up_to(LONG_GAP_THICKNESSES, grey, threshold, &regions, &mut looks)
    })
}

#[cfg(test)]
mod tests {
    use super::{Grey, with_closed_lines};

    #[test]
    fn gaps_of_ten_thicknesses_in_an_outline_are_closed() {
        // A rectangle of lines 3 px thick, the upper one interrupted.
        let closed = |gap: u32| {
            let drawn = Grey::from_fn(300, 200, |column, row| {
                let is_line =
                    |at: u32, from: u32, to: u32| (from..from + 3).contains(&at) || (to - 3..to).contains(&at);
                let is_within = (20..280).contains(&column) && (20..180).contains(&row);
                let is_ink = is_within && (is_line(column, 20, 280) || is_line(row, 20, 180));
                let is_gap = row < 25 && (150 - gap / 2..150 + gap.div_ceil(2)).contains(&column);
                image::Luma([if is_ink && !is_gap { 0 } else { u16::MAX }])
            });
            with_closed_lines(&drawn).is_some_and(|filled| filled.get_pixel(150, 21).0 == [0])
        };
        assert!(closed(30) && !closed(60));
    }
}
