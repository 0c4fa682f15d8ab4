//! What an import changed or assumed.

use std::fmt;

/// A change or an assumption of an import.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ImportNote {
    /// Points of the centre line that nearly coincide with the one before were removed.
    PointsMerged {
        /// Number of points removed.
        count: usize,
    },
    /// The edge named left is on the right, so the edges were swapped.
    EdgesSwapped,
    /// A line was smoothed.
    Smoothed {
        /// The line.
        line: &'static str,
        /// The noise that was the reason; `None` if the options specify the smoothing.
        noise: Option<SurveyNoise>,
        /// Standard deviation of the Gaussian, metres.
        smoothing_m: f64,
        /// Mean distance that points moved, metres.
        mean_deviation_m: f64,
        /// Largest distance that a point moved, metres.
        largest_deviation_m: f64,
    },
    /// The line goes round more than once, and the road is the mean of its laps.
    LapsAveraged {
        /// Length of the line, in laps.
        rounds: f64,
        /// Length of a lap, metres.
        lap_m: f64,
        /// Mean distance between the outermost laps, metres.
        apart_m: f64,
    },
    /// Degrees were projected to metres.
    Projected {
        /// Longitude of (0 m, 0 m), degrees.
        longitude_deg: f64,
        /// Latitude of (0 m, 0 m), degrees.
        latitude_deg: f64,
    },
    /// An edge ran backwards inside a bend that is tighter than the road is wide. The points that did
    /// so were removed.
    FoldRemoved {
        /// The edge.
        side: &'static str,
        /// Place of the centre line, metres.
        x_m: f64,
        /// Place of the centre line, metres.
        y_m: f64,
        /// Distance that the edge ran back, metres.
        back_m: f64,
    },
    /// Two legs of the road overlapped, and both were clipped half way between.
    LegsClipped {
        /// Number of pairs of legs.
        places: usize,
        /// Place of the largest overlap, metres.
        x_m: f64,
        /// Place of the largest overlap, metres.
        y_m: f64,
        /// Largest overlap, metres.
        overlap_m: f64,
        /// Length of that overlap along the centre line, metres.
        length_m: f64,
    },
    /// The file states another length of the lap than the line in it has.
    LengthDiffers {
        /// Length that the file states, metres.
        stated_m: f64,
        /// Length of the centre line, metres.
        measured_m: f64,
    },
    /// Cones that are not part of an edge, or have the colour of the other one.
    Cones {
        /// Number of distinct cones.
        count: usize,
        /// How many are not part of an edge.
        unused: usize,
        /// How many have the colour of the other edge.
        recoloured: usize,
    },
    /// The road is the longest stroke of a drawing with several.
    Strokes {
        /// Number of strokes that lie on one another along the road; the widest gives its width.
        along: usize,
        /// Number of paths beside it, which were ignored.
        ignored: usize,
    },
    /// The road is of ways of a map.
    Ways {
        /// Number of ways.
        count: usize,
        /// Roads of the map beside it, each with its length.
        beside: Vec<String>,
    },
    /// The road is of linked roads of OpenDRIVE.
    Roads {
        /// Number of roads.
        count: usize,
        /// Number of other roads of the file.
        beside: usize,
    },
    /// The road is a part of a mesh.
    MeshPart {
        /// Name of the material or object.
        name: String,
        /// Whether the second axis of the file points upwards, not the third.
        is_y_up: bool,
        /// Number of triangles.
        triangles: usize,
    },
    /// Single widths of a file were not those of a road and were replaced by those beside them.
    WidthsReplaced {
        /// Number of points.
        count: usize,
    },
    /// The road is of lanelets of a map.
    Lanelets {
        /// Number of lanelets.
        count: usize,
        /// Number of other lanelets of the map.
        beside: usize,
    },
    /// The width of a road follows from its number of lanes.
    WidthOfLanes {
        /// Assumed width of a lane, metres.
        lane_m: f64,
        /// Fraction of the road's length where it does.
        fraction: f64,
    },
    /// A part of the road has no width in the file.
    WidthIncomplete {
        /// Fraction of the road's length without a width.
        fraction: f64,
        /// The width there, metres.
        width_m: f64,
    },
    /// The file has a width or edges, so that the width of the options is not used.
    WidthNotUsed,
    /// A column without a name holds no heights, because the road would be too steep.
    NoHeights {
        /// The steepest grade.
        grade: f64,
    },
    /// Heights have the noise of an elevation model and were smoothed.
    HeightsSmoothed {
        /// Standard deviation of the noise, metres.
        noise_m: f64,
        /// Standard deviation of the Gaussian along the line, metres.
        smoothing_m: f64,
        /// Largest change of a height, metres.
        largest_m: f64,
    },
    /// The heights of the two edges are too noisy for a banking, and both have their mean.
    BankingLeftOut {
        /// Standard deviation of the banking, rad.
        noise_rad: f64,
    },
    /// Some positions have no height, so none is used.
    HeightsIncomplete {
        /// Number of positions without a height.
        without: usize,
        /// Number of positions.
        count: usize,
    },
    /// A road that ends beside its start was closed.
    RoadClosed {
        /// Largest gap between the ends of an edge in the plane, metres.
        gap_m: f64,
        /// Largest gap in height, metres.
        height_m: f64,
        /// Length of the stretch that was moved, metres.
        length_m: f64,
    },
    /// Heights jump between segments; the following segment's hold.
    HeightsJump {
        /// Number of places.
        count: usize,
        /// Largest jump of an edge, metres.
        largest_m: f64,
        /// The segment that begins there.
        segment: String,
        /// Line of the segment in the file.
        line: usize,
    },
    /// Frictions of standard surfaces were assumed.
    SurfacesAssumed {
        /// The file that would define them; `None` if the track names none or it does not.
        file: Option<String>,
        /// Each surface with its friction.
        frictions: Vec<(String, f64)>,
    },
    /// Surfaces are defined nowhere.
    SurfacesUndefined {
        /// The surfaces.
        names: Vec<String>,
        /// Assumed friction of these surfaces.
        friction: f64,
    },
    /// Points that belong to no line were ignored.
    PointsBeside {
        /// Number of points ignored.
        count: usize,
    },
}

/// Noise of a surveyed line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurveyNoise {
    /// Standard deviation across the line, metres.
    pub deviation_m: f64,
    /// Usual distance between points, metres.
    pub step_m: f64,
}

impl fmt::Display for ImportNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PointsMerged { count: 1 } => {
                write!(f, "1 point of the centre line was removed because it nearly coincides with the point before")
            }
            Self::PointsMerged { count } => {
                write!(
                    f,
                    "{count} points of the centre line were removed because each nearly coincides with the point before"
                )
            }
            Self::EdgesSwapped => {
                write!(f, "the left edge lies to the right of the order of the points: the edges were swapped")
            }
            Self::Smoothed { line, noise, smoothing_m, mean_deviation_m, largest_deviation_m } => {
                write!(f, "{line} ")?;
                if let Some(SurveyNoise { deviation_m, step_m }) = noise {
                    let deviation_mm = 1e3 * deviation_m;
                    write!(f, "is noisy, by {deviation_mm:.1} mm at points {step_m:.2} m apart; it ")?;
                }
                write!(
                    f,
                    "was smoothed with smoothing_m = {smoothing_m:.2} and moved by {mean_deviation_m:.4} m on average, \
                     {largest_deviation_m:.4} m at most"
                )
            }
            Self::LapsAveraged { rounds, lap_m, apart_m } => write!(
                f,
                "the line goes round {rounds:.2} times, {lap_m:.0} m each: the road is the mean of these laps, which are \
                 {apart_m:.1} m apart on average"
            ),
            Self::Projected { longitude_deg, latitude_deg } => {
                write!(f, "(0 m, 0 m) is at longitude {longitude_deg:.7}°, latitude {latitude_deg:.7}°")
            }
            Self::FoldRemoved { side, x_m, y_m, back_m } => {
                let back_cm = 1e2 * back_m;
                write!(
                    f,
                    "the {side} edge ran back by {back_cm:.0} cm at ({x_m:.1} m, {y_m:.1} m), where the road is wider than \
                     its bend: the points that did so were removed"
                )
            }
            Self::LegsClipped { places, x_m, y_m, overlap_m, length_m } => {
                let more =
                    if *places > 1 { format!("; so do others, at {places} places in all") } else { String::new() };
                write!(
                    f,
                    "two legs of the road overlap by up to {overlap_m:.2} m near ({x_m:.1} m, {y_m:.1} m), over \
                     {length_m:.0} m{more}: both were clipped half way between"
                )
            }
            Self::LengthDiffers { stated_m, measured_m } => write!(
                f,
                "the file states a length of {stated_m:.0} m, and its line is {measured_m:.0} m long, {:+.1} %: \
                 check whether the line is the whole lap",
                100.0 * (measured_m / stated_m - 1.0)
            ),
            Self::Cones { count, unused, recoloured } => write!(
                f,
                "of {count} cones {unused} are not part of an edge, and {recoloured} have the colour of the other edge"
            ),
            Self::HeightsSmoothed { noise_m, smoothing_m, largest_m } => write!(
                f,
                "the heights have a noise of {noise_m:.2} m, as those of elevation models have, and were smoothed with \
                 {smoothing_m:.0} m along the road, by at most {largest_m:.2} m; smoothing_m = 0 leaves them as they are"
            ),
            Self::BankingLeftOut { noise_rad } => write!(
                f,
                "the banking between the edges has a noise of {:.1}°, so both have their mean height; \
                 smoothing_m = 0 leaves them as they are",
                noise_rad.to_degrees()
            ),
            Self::Strokes { along, ignored } => {
                write!(f, "the road is the longest stroke of the drawing")?;
                if *along > 1 {
                    write!(f, ", as wide as the widest of the {along} strokes along it")?;
                }
                match ignored {
                    0 => Ok(()),
                    ignored => write!(
                        f,
                        "; {} beside it ignored",
                        match ignored {
                            1 => "1 path was".to_owned(),
                            more => format!("{more} paths were"),
                        }
                    ),
                }
            }
            Self::Ways { count, beside } => {
                let ways = if *count == 1 { "1 way".to_owned() } else { format!("{count} ways") };
                write!(f, "the road is made of {ways} of the map")?;
                if beside.is_empty() { Ok(()) } else { write!(f, "; beside it are {}", beside.join(", ")) }
            }
            Self::Roads { count, beside } => {
                write!(f, "the road is made of {}", super::counted(*count, "linked road"))?;
                if *beside == 0 { Ok(()) } else { write!(f, "; {beside} more of the file are not part of it") }
            }
            Self::MeshPart { name, is_y_up, triangles } => write!(
                f,
                "the road is {name:?} of the mesh, with {triangles} triangles; its {} axis points upwards",
                if *is_y_up { "y" } else { "z" }
            ),
            Self::WidthsReplaced { count: 1 } => {
                write!(f, "the width at 1 point is not that of a road: those beside it were taken")
            }
            Self::WidthsReplaced { count } => {
                write!(f, "the widths at {count} points are not those of a road: those beside them were taken")
            }
            Self::Lanelets { count, beside } => {
                write!(f, "the road is made of {}", super::counted(*count, "lanelet"))?;
                if *beside == 0 { Ok(()) } else { write!(f, "; {beside} more of the map are not part of it") }
            }
            Self::WidthOfLanes { lane_m, fraction } => write!(
                f,
                "{:.0} % of the road have a number of lanes and no width: {lane_m} m a lane were assumed",
                100.0 * fraction
            ),
            Self::WidthIncomplete { fraction, width_m } => write!(
                f,
                "{:.0} % of the road have no width in the file: {width_m:.1} m were assumed there",
                100.0 * fraction
            ),
            Self::WidthNotUsed => write!(f, "track_width_m is not used: the file has the width of the road itself"),
            Self::NoHeights { grade } => write!(
                f,
                "the third column holds no heights, since the road would climb {grade:.1} m in a metre: it was ignored"
            ),
            Self::HeightsIncomplete { without, count } => {
                write!(f, "{without} of {count} positions have no height: the road was taken for level")
            }
            Self::HeightsJump { count, largest_m, segment, line } => {
                let places = if *count == 1 { "one place" } else { &format!("{count} places") };
                write!(
                    f,
                    "heights jump in {places} between segments, by at most {largest_m:.3} m, where section \"{segment}\" \
                     (line {line}) begins: they are smoothed with the road's heights"
                )
            }
            Self::RoadClosed { gap_m, height_m, length_m } => {
                let height = if *height_m >= 0.001 { format!(" and {height_m:.3} m in height") } else { String::new() };
                write!(
                    f,
                    "the road ends {gap_m:.3} m{height} from its start: the gap was spread over its last {length_m:.0} m"
                )
            }
            Self::SurfacesAssumed { file, frictions } => {
                let frictions: Vec<String> =
                    frictions.iter().map(|(name, friction)| format!("{name} {friction}")).collect();
                let frictions = frictions.join(", ");
                match file {
                    Some(file) => write!(f, "the file of surfaces {file} was not found: ")?,
                    None => write!(f, "surfaces that the file does not define: ")?,
                }
                write!(f, "the frictions of TORCS were assumed: {frictions}")
            }
            Self::SurfacesUndefined { names, friction } => {
                let names = names.join(", ");
                write!(f, "surfaces that are defined nowhere got the friction {friction}, as in TORCS: {names}")
            }
            Self::PointsBeside { count: 1 } => write!(f, "1 point beside the road was ignored"),
            Self::PointsBeside { count } => write!(f, "{count} points beside the road were ignored"),
        }
    }
}
