//! Warnings about a result that was produced nevertheless.

use std::fmt;
use std::path::PathBuf;

use raceline_road::road_length::MAX_CLOSE_SECTIONS;
use raceline_verify::Rule;
use serde::{Serialize, Serializer};

use super::{Doubt, RoadStretch};
use crate::construction::ImportNote;
use crate::picture::Attempt;
use crate::solve::LineWarning;

/// A warning about a track or a line. Serialised as its text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A warning of another process, as its text: of a [`KeptExtraction`](super::KeptExtraction).
    Kept(String),
    /// The line violates a rule by a little, or the judge is inexact there, or a corner of the body is off the road.
    Unproven(raceline_verify::Check),
    /// The car's line, the default, violates a rule: the line is that of a point mass.
    CarRefused(raceline_verify::Check),
    /// A line that exists violates a rule, as it is.
    GivenLine(raceline_verify::Check),
    /// A line without a track has a road of a width that was assumed.
    RoadAssumed {
        /// Full width of the road, metres.
        width_m: f64,
    },
    /// The import of a track file changed or assumed something.
    Import(ImportNote),
    /// The road was found in another style than that of the first reading, or after a part of the picture was
    /// removed or drawn through.
    OtherReading(Attempt),
    /// An option that chooses a road, and a file that has one road.
    NoChoiceOfRoad {
        /// The option's key.
        key: &'static str,
    },
    /// The line covers only a part of the drawn road, which the options accept.
    Partial {
        /// How much it covers, 0 to 1.
        covered_fraction: f64,
    },
    /// A gap in the road was closed.
    GapClosed(RoadStretch),
    /// A road off the route was omitted.
    SideRoadLeftOut {
        /// The side road.
        road: RoadStretch,
        /// Whether another route covers nearly as much road as the selected one.
        has_rival: bool,
    },
    /// Small holes in the road were filled.
    HolesFilled {
        /// Number of holes.
        count: usize,
        /// Area of the largest, square pixels.
        largest_px2: f64,
    },
    /// Shapes beside the road were omitted.
    ShapesLeftOut {
        /// Number of shapes.
        count: usize,
    },
    /// The TOML beside the input is a vehicle, and no sidecar.
    VehicleInPlaceOfSidecar {
        /// The vehicle file.
        file: PathBuf,
    },
    /// The road would have too many cross-sections at the wanted spacing.
    SpacingRaised {
        /// Spacing by the options, or by the vehicle's length, metres.
        wanted_m: f64,
        /// Spacing that was used, metres.
        spacing_m: f64,
        /// Whether the options specify it.
        is_specified: bool,
    },
    /// The track is unlikely to be one.
    Doubtful(Doubt),
    /// What the exhaustive search of routes found, beside the graph search.
    RouteCompared {
        /// Number of routes compared.
        paths: usize,
        /// Score of the exhaustive search's route, s.
        score_s: f64,
        /// Estimated time, s.
        time_s: f64,
        /// Score of the graph search's route, s.
        graph_score_s: f64,
        /// Estimated time, s.
        graph_time_s: f64,
        /// Whether both are the same route, or two of the same score.
        is_same: bool,
    },
    /// The name of a corner is at a place in pixels, but the input is no picture.
    CornerWithoutPlace {
        /// The name.
        name: String,
    },
    /// Something about the search for the line, or about its result.
    Line(LineWarning),
    /// A vehicle requires more margin than the fixed line of a sweep keeps.
    FixedLineMargin {
        /// The line's margin, metres.
        kept_m: f64,
        /// The vehicle's margin, metres.
        needed_m: f64,
    },
    /// The curvature of a sweep's fixed line exceeds a vehicle's steering.
    FixedLineSteering {
        /// The line's largest curvature, 1/m.
        curvature_radpm: f64,
        /// The vehicle's largest curvature, 1/m.
        limit_radpm: f64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept(text) => f.write_str(text),
            Self::Import(note) => note.fmt(f),
            Self::OtherReading(attempt) => write!(f, "as drawn, no road is likely: {attempt} was taken"),
            Self::Partial { covered_fraction } => {
                write!(f, "the line covers {:.0} % of the drawn road", 100.0 * covered_fraction)
            }
            Self::GapClosed(RoadStretch { x_m, y_m, length_m }) => {
                write!(f, "a gap of {length_m:.1} m in the road at ({x_m:.1} m, {y_m:.1} m) was closed")
            }
            Self::SideRoadLeftOut { road: RoadStretch { x_m, y_m, length_m }, has_rival } => {
                let rival = if *has_rival { "; another route covers nearly as much" } else { "" };
                write!(f, "a side road of {length_m:.0} m around ({x_m:.1} m, {y_m:.1} m) was omitted{rival}")
            }
            Self::HolesFilled { count: 1, largest_px2 } => {
                write!(f, "1 hole of {largest_px2:.0} px² in the road was filled")
            }
            Self::HolesFilled { count, largest_px2 } => {
                write!(f, "{count} holes in the road were filled, the largest of {largest_px2:.0} px²")
            }
            Self::ShapesLeftOut { count: 1 } => write!(f, "1 shape beside the road was omitted"),
            Self::ShapesLeftOut { count } => write!(f, "{count} shapes beside the road were omitted"),
            Self::Unproven(check) if check.rule == Rule::Corner => write!(
                f,
                "{check}; the car turns as sharply there as it can: specify a shorter vehicle, a larger \
                 max_curvature_radpm or a wider road"
            ),
            Self::Unproven(check) => {
                write!(f, "{check}; where the heights of a road are bumpy, this may be the judge's error")
            }
            Self::CarRefused(check) => {
                write!(f, "the line is that of model = \"point-mass\", since that of the car is not sound: {check}")
            }
            Self::GivenLine(check) => write!(f, "the line stays as it is, but {check}"),
            Self::RoadAssumed { width_m } => write!(
                f,
                "the file has no road: its edges lie {:.2} m to either side of the line, where the vehicle fits twice; \
                 specify track_width_m, or the track",
                width_m / 2.0
            ),
            Self::SpacingRaised { wanted_m, spacing_m, is_specified } => write!(
                f,
                "at {} = {wanted_m} m the road would have more than {MAX_CLOSE_SECTIONS} cross-sections: their spacing is \
                 {spacing_m:.3} m",
                if *is_specified { "spacing_m" } else { "half the vehicle's length" }
            ),
            Self::Doubtful(doubt) => doubt.fmt(f),
            Self::RouteCompared { paths, score_s, time_s, graph_score_s, graph_time_s, is_same } => write!(
                f,
                "route: the best of {paths} routes scores {score_s:.2} s (estimated time {time_s:.2} s), that of the graph \
                 search {graph_score_s:.2} s ({graph_time_s:.2} s){}",
                if *is_same { ": the same" } else { "" }
            ),
            Self::Line(warning) => warning.fmt(f),
            Self::VehicleInPlaceOfSidecar { file } => write!(
                f,
                "{0} is a vehicle and no sidecar, and is not used: specify vehicle = {0} to drive it",
                file.display()
            ),
            Self::NoChoiceOfRoad { key } => {
                write!(f, "{key} is not used: it chooses a road in a picture or in streets, and this file has one road")
            }
            Self::CornerWithoutPlace { name } => {
                write!(
                    f,
                    "the corner \"{name}\" is at a place in pixels, but the input is no picture: give the place in metres"
                )
            }
            Self::FixedLineMargin { kept_m, needed_m } => {
                write!(f, "the line keeps a margin of {kept_m:.3} m, but this vehicle requires {needed_m:.3} m")
            }
            Self::FixedLineSteering { curvature_radpm, limit_radpm } => write!(
                f,
                "the line's curvature is {curvature_radpm:.3} 1/m, but this vehicle's steering allows at most {limit_radpm:.3} 1/m"
            ),
        }
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<ImportNote> for Warning {
    fn from(note: ImportNote) -> Self {
        Self::Import(note)
    }
}

impl From<LineWarning> for Warning {
    fn from(warning: LineWarning) -> Self {
        Self::Line(warning)
    }
}

#[cfg(test)]
mod tests {
    use super::{RoadStretch, Warning};

    #[test]
    fn a_count_of_one_is_singular() {
        let text = |warning: Warning| warning.to_string();
        assert_eq!(text(Warning::ShapesLeftOut { count: 1 }), "1 shape beside the road was omitted");
        assert_eq!(text(Warning::ShapesLeftOut { count: 2 }), "2 shapes beside the road were omitted");
        assert_eq!(
            text(Warning::HolesFilled { count: 3, largest_px2: 12.0 }),
            "3 holes in the road were filled, the largest of 12 px²"
        );
    }

    #[test]
    fn a_warning_is_serialised_as_its_text() {
        let warning = Warning::GapClosed(RoadStretch { x_m: 1.0, y_m: 2.0, length_m: 3.0 });
        let text = "a gap of 3.0 m in the road at (1.0 m, 2.0 m) was closed";
        assert_eq!(serde_json::to_value(&warning).unwrap(), text);
    }
}
