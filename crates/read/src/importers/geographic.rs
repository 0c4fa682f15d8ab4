//! Lines and polygons in degrees → the road: a centre line with a width, two edges, or a polygon with
//! one hole. The readers of GeoJSON, KML and GPX give what they find as a [`Geographic`].

use super::banking_noise::{self, HeightsOfEdge, LevelAcross};
use super::centre_line_csv::HIGHEST_M;
use super::elevation::{self, Smoothed};
use super::several_laps;
use raceline_file::shortened;
use raceline_road::construction::Level;
use raceline_road::construction::counted;
use raceline_road::construction::{CentreLine, Station};
use raceline_road::construction::{EdgeLevel, EdgePair, Sides};
use raceline_road::construction::{ImportError, ImportNote, ImportOptions, Imported, SpecifiedClosed};
use raceline_road::edges::Edges;
use raceline_road::geometry::{Point, Projection};

/// Positions farther from the middle do not belong to one track, and the projection becomes
/// inaccurate.
const FARTHEST_M: f64 = 1e5;
/// A stated length that differs by more than this fraction from the measured one is reported.
const LENGTH_TOLERANCE: f64 = 0.01;

/// Lines in a message, at most.
const MAX_LISTED: usize = 12;
/// What stands between the names of two edges in the option `part`.
const AND: &str = " + ";

const FIX: &str = "give one centre line, and its width by track_width_m or its property width_m; two lines along the \
                   edges; or one polygon with one hole; of several lines, name the one or the two edges that are \
                   meant by the option part, as in part = \"inner + outer\"";

/// A line in degrees with what the file states of it.
pub(super) struct Line {
    /// Where in the file, for messages.
    pub place: String,
    pub positions: Vec<Place>,
    /// Full width of the road, metres.
    pub width_m: Option<f64>,
    /// Full width at each position, metres, where it changes along the line.
    pub widths_m: Option<Vec<f64>>,
    pub side: Option<Side>,
    pub name: Option<String>,
    /// Length of the lap that the file states, metres.
    pub length_m: Option<f64>,
}

/// A position: longitude and latitude, degrees, and height, if it has one, metres.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub degrees: [f64; 2],
    pub height_m: Option<f64>,
}

impl Place {
    /// The place at a fraction of the short path to `other`.
    pub fn towards(self, other: Self, fraction: f64) -> Self {
        let [east, north] = [other.degrees[0] - self.degrees[0], other.degrees[1] - self.degrees[1]];
        // Across the 180th meridian too.
        let east = (east + 540.0).rem_euclid(360.0) - 180.0;
        let height = |from: f64, to: f64| from + fraction * (to - from);
        Self {
            degrees: [self.degrees[0] + fraction * east, self.degrees[1] + fraction * north],
            height_m: self.height_m.zip(other.height_m).map(|(from, to)| height(from, to)),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    /// The side that a name of an edge contains, as in `spa_left`.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        match (name.contains("left"), name.contains("right")) {
            (true, false) => Some(Self::Left),
            (false, true) => Some(Self::Right),
            _ => None,
        }
    }
}

/// The contents of a file in degrees.
#[derive(Default)]
pub(super) struct Geographic {
    pub lines: Vec<Line>,
    /// Rings of polygons, the outer one first.
    pub polygons: Vec<(String, Vec<Vec<Place>>)>,
    /// Number of points that belong to no line, which are ignored.
    pub points: usize,
}

impl Place {
    /// The position, checked. A third coordinate that is no height of a road counts as none. `place`
    /// gives its place in the file for a message.
    pub(super) fn new(
        degrees: [f64; 2],
        height_m: Option<f64>,
        place: impl Fn() -> String,
    ) -> Result<Self, ImportError> {
        let [longitude, latitude] = degrees;
        if longitude.abs() <= 180.0 && latitude.abs() <= 90.0 {
            return Ok(Self { degrees, height_m: height_m.filter(|height| height.abs() <= HIGHEST_M) });
        }
        Err(ImportError::NotDegrees { place: place(), longitude, latitude })
    }
}

impl Geographic {
    /// One line from each of two files: the left edge and the right one.
    pub(super) fn with_right(mut self, mut right: Self) -> Result<Self, ImportError> {
        let single = |contents: &mut Self, side: &str| {
            let count = (contents.lines.len(), contents.polygons.len());
            match (contents.lines.pop(), count) {
                (Some(line), (1, 0)) => Ok(line),
                (_, (lines, polygons)) => Err(ImportError::Geometry {
                    place: format!("the file of the {side} edge"),
                    problem: format!("it contains {} and {}", counted(lines, "line"), counted(polygons, "polygon")),
                    fix: "give each of the two files one line along its edge of the road",
                }),
            }
        };
        let left = Line { side: Some(Side::Left), ..single(&mut self, "left")? };
        let right_line = Line { side: Some(Side::Right), ..single(&mut right, "right")? };
        Ok(Self { lines: vec![left, right_line], polygons: Vec::new(), points: self.points + right.points })
    }

    /// The line that `part` names, or the two edges, as in `inner + outer`; all without it.
    pub(super) fn chosen(mut self, part: Option<&str>) -> Result<Self, ImportError> {
        let Some(part) = part else { return Ok(self) };
        let chosen = part.split(AND).map(|name| self.named(name.trim())).collect::<Result<Vec<usize>, _>>()?;
        let mut lines: Vec<Option<Line>> = self.lines.drain(..).map(Some).collect();
        self.lines = chosen.into_iter().filter_map(|index| lines.get_mut(index)?.take()).collect();
        self.polygons.clear();
        Ok(self)
    }

    /// The line of this name, or else of this number, from 1.
    fn named(&self, name: &str) -> Result<usize, ImportError> {
        let is_named = |line: &Line| line.name.as_deref().is_some_and(|own| own.trim().eq_ignore_ascii_case(name));
        let named: Vec<usize> = (0..self.lines.len()).filter(|&index| is_named(&self.lines[index])).collect();
        match named.as_slice() {
            [one] => Ok(*one),
            [] => match name.parse::<usize>() {
                Ok(number) if (1..=self.lines.len()).contains(&number) => Ok(number - 1),
                _ => Err(ImportError::NoSuchPart { part: shortened(name), known: self.list() }),
            },
            several => Err(ImportError::Geometry {
                place: "the file".to_owned(),
                problem: format!("{} lines are called {:?}", several.len(), shortened(name)),
                fix: "name the one that is meant by its number, from 1",
            }),
        }
    }

    /// The lines, by name or number, with their lengths.
    fn list(&self) -> String {
        let label = |(index, line): (usize, &Line)| {
            let degrees: Vec<[f64; 2]> = line.positions.iter().map(|place| place.degrees).collect();
            let projection = Projection::about(&degrees);
            let points: Vec<Point> = degrees.iter().map(|&degrees| projection.project(degrees)).collect();
            let length_m: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
            let name = line.name.as_deref().map_or_else(|| (index + 1).to_string(), shortened);
            format!("{name} ({:.2} km)", length_m / 1e3)
        };
        let labels: Vec<String> = self.lines.iter().enumerate().take(MAX_LISTED).map(label).collect();
        if labels.is_empty() { "no line".to_owned() } else { labels.join(", ") }
    }

    /// Removes the racing line from a file that has both edges of its road, as our exports do.
    fn drop_racing_line(&mut self) {
        let has = |side| self.lines.iter().filter(|line| line.side == Some(side)).count() == 1;
        if self.lines.len() == 3 && self.polygons.is_empty() && has(Side::Left) && has(Side::Right) {
            self.lines.retain(|line| line.side.is_some());
        }
    }

    /// The road. Positions are projected to metres about their middle, which is reported in the notes.
    pub(super) fn imported(
        mut self,
        closed: SpecifiedClosed,
        options: &ImportOptions,
    ) -> Result<Imported, ImportError> {
        self.drop_racing_line();
        let rings = self.polygons.iter().flat_map(|(_, rings)| rings.iter());
        let all: Vec<Place> = self.lines.iter().map(|line| &line.positions).chain(rings).flatten().copied().collect();
        let projection = Projection::about(&all.iter().map(|place| place.degrees).collect::<Vec<_>>());
        let metres =
            |places: &[Place]| -> Vec<Point> { places.iter().map(|place| projection.project(place.degrees)).collect() };
        let without = all.iter().filter(|place| place.height_m.is_none()).count();
        let mut smoothings = Vec::new();
        if without == 0 && options.smoothing_m != Some(0.0) {
            let lines = self.lines.iter_mut().map(|line| &mut line.positions);
            let rings = self.polygons.iter_mut().flat_map(|(_, rings)| rings);
            let mut edges: Vec<&mut Vec<Place>> = lines.chain(rings).collect();
            let smooth = |places: &mut &mut Vec<Place>| smooth_heights(&metres(places), places);
            let found: Vec<Option<Smoothed>> = edges.iter_mut().map(smooth).collect();
            if let ([first, second], [one, other]) = (edges.as_mut_slice(), found.as_slice()) {
                smoothings.extend(level_across([first, second], [one.as_ref(), other.as_ref()], metres));
            }
            smoothings.extend(found.iter().flatten().map(note_of));
        }
        let heights = |places: &[Place]| -> Option<Vec<f64>> {
            if without == 0 { places.iter().map(|place| place.height_m).collect() } else { None }
        };
        let levels = |first: &[Place], second: &[Place]| {
            let level = |height_m| EdgeLevel { height_m, ..EdgeLevel::default() };
            let edge = |places: &[Place]| Some(heights(places)?.into_iter().map(level).collect());
            Some([edge(first)?, edge(second)?])
        };
        let extent = metres(&all).iter().map(|point| point.coords.norm()).fold(0.0, f64::max);
        if extent > FARTHEST_M {
            return Err(ImportError::TooLarge { extent_km: extent / 1e3, limit_km: FARTHEST_M / 1e3 });
        }
        let needs_width = matches!(self.lines.as_slice(), [Line { width_m: None, .. }]) && self.polygons.is_empty();
        // Who gives a width for each position reports what became of that of the options.
        let has_widths = self.lines.iter().any(|line| line.widths_m.is_some());
        let mut imported = match (self.lines.as_slice(), self.polygons.as_slice()) {
            ([line], []) => {
                along_line(line, &metres(&line.positions), heights(&line.positions).as_deref(), closed, options)?
            }
            ([first, second], []) => {
                let swapped = first.side == Some(Side::Right) || second.side == Some(Side::Left);
                let (left, right) = if swapped { (second, first) } else { (first, second) };
                let named = left.side == Some(Side::Left) || right.side == Some(Side::Right);
                let contradiction = left.side == Some(Side::Right) || right.side == Some(Side::Left);
                let pair = EdgePair {
                    first: metres(&left.positions),
                    second: metres(&right.positions),
                    sides: if named && !contradiction { Sides::Named } else { Sides::Unknown },
                    in_travel_order: true,
                    levels: levels(&left.positions, &right.positions),
                };
                pair.imported(closed, options)?
            }
            ([], [(place, rings)]) => match rings.as_slice() {
                [outer, hole] => {
                    let pair = EdgePair {
                        first: metres(hole),
                        second: metres(outer),
                        sides: Sides::Unknown,
                        in_travel_order: false,
                        levels: levels(hole, outer),
                    };
                    pair.imported(Some(true), options)?
                }
                rings => {
                    let problem = format!("the polygon has {}", counted(rings.len().saturating_sub(1), "hole"));
                    return Err(ImportError::Geometry { place: place.clone(), problem, fix: FIX });
                }
            },
            (lines, polygons) => {
                let list = if lines.is_empty() { String::new() } else { format!(": {}", self.list()) };
                let lines = lines.len();
                let found = format!("{} and {}{list}", counted(lines, "line"), counted(polygons.len(), "polygon"));
                return Err(ImportError::SeveralLines { lines, found, fix: FIX });
            }
        };
        if options.width_m.is_some() && !needs_width && !has_widths {
            imported.notes.push(ImportNote::WidthNotUsed);
        }
        if let [line] = self.lines.as_slice() {
            imported.notes.extend(line.length_note(&imported.edges));
            imported.name.clone_from(&line.name);
        }
        imported.notes.extend(smoothings);
        imported.geographic_origin_deg = Some(projection.middle);
        let [longitude_deg, latitude_deg] = projection.middle;
        imported.notes.push(ImportNote::Projected { longitude_deg, latitude_deg });
        if without > 0 && without < all.len() {
            imported.notes.push(ImportNote::HeightsIncomplete { without, count: all.len() });
        }
        if self.points > 0 {
            imported.notes.push(ImportNote::PointsBeside { count: self.points });
        }
        Ok(imported)
    }
}

/// Smooths the heights of `places`, which are at `points`, if they are noisy.
fn smooth_heights(points: &[Point], places: &mut [Place]) -> Option<Smoothed> {
    let heights: Vec<f64> = places.iter().filter_map(|place| place.height_m).collect();
    let found = elevation::smoothed(points, &heights)?;
    for (place, &height_m) in places.iter_mut().zip(&found.heights_m) {
        place.height_m = Some(height_m);
    }
    Some(found)
}

fn note_of(found: &Smoothed) -> ImportNote {
    let &Smoothed { noise_m, smoothing_m, largest_m, .. } = found;
    ImportNote::HeightsSmoothed { noise_m, smoothing_m, largest_m }
}

/// Gives both edges their mean height if the noise of the smoothed ones would be the road's banking.
fn level_across(
    edges: [&mut Vec<Place>; 2],
    found: [Option<&Smoothed>; 2],
    metres: impl Fn(&[Place]) -> Vec<Point>,
) -> Option<ImportNote> {
    let of_edge = |edge: &Vec<Place>, found: Option<&Smoothed>| HeightsOfEdge {
        points: metres(edge),
        heights_m: edge.iter().filter_map(|place| place.height_m).collect(),
        noise_m: found.map_or(0.0, |found| found.left_m),
    };
    let [first, second] = [of_edge(edges[0], found[0]), of_edge(edges[1], found[1])];
    let LevelAcross { noise_rad, heights_m } = banking_noise::level_across([&first, &second])?;
    for (edge, mean_m) in edges.into_iter().zip(heights_m) {
        for (place, height_m) in edge.iter_mut().zip(mean_m) {
            place.height_m = Some(height_m);
        }
    }
    Some(ImportNote::BankingLeftOut { noise_rad })
}

impl Line {
    /// A note if the file states another length than the line in it has.
    fn length_note(&self, edges: &Edges) -> Option<ImportNote> {
        let stated_m = self.length_m?;
        let measured_m = f64::midpoint(edges.left.length(), edges.right.length());
        let differs = (measured_m / stated_m - 1.0).abs() > LENGTH_TOLERANCE;
        differs.then_some(ImportNote::LengthDiffers { stated_m, measured_m })
    }
}

fn along_line(
    line: &Line,
    points: &[Point],
    heights: Option<&[f64]>,
    closed: SpecifiedClosed,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let width_m =
        line.width_m.or(options.width_m).or(line.widths_m.as_ref().and_then(|widths| widths.first().copied()));
    let half = width_m.map(|width| width / 2.0).ok_or_else(|| ImportError::NoWidth {
        place: line.place.clone(),
        problem: "the line has no width",
        fix: "specify track_width_m, the full width of the road in metres, give the line a property width_m, \
              or give two lines along its edges",
    })?;
    let several = line.widths_m.is_none() && closed != Some(false);
    if let Some(lap) = several.then(|| several_laps::mean_lap(points, heights, 2.0 * half)).flatten() {
        return lap.imported(half, options);
    }
    let station = |(index, &position): (usize, &Point)| {
        let height_m = heights.and_then(|heights| heights.get(index));
        let level = height_m.map(|&height_m| Level { height_m, banking_rad: 0.0, grip: 1.0 });
        let half = line.widths_m.as_ref().and_then(|widths| widths.get(index)).map_or(half, |width| width / 2.0);
        Station { position, right_m: half, left_m: half, line: None, level }
    };
    CentreLine::new(points.iter().enumerate().map(station).collect()).imported(closed, options)
}
