//! One odd picture, what is to become of it, and what a track must hold to.

use raceline::edges::{EdgeError, RoadShape, RouteOptions};
use raceline::frame::{Scale, Spot};
use raceline::geometry::{Point, SegmentIndex, left_of};
use raceline::picture::{PictureError, PictureOptions, RoadMask, read_bytes, road_mask};
use raceline::tracing::{Traced, trace};
use raceline::track::{Track, TrackError, TrackOptions, cut};

/// What is to become of a picture.
#[derive(Clone)]
pub enum Expected {
    /// A circuit of about this length, pixels, to this fraction.
    Closed(f64, f64),
    /// A road with two ends of about this length, pixels, to this fraction.
    Open(f64, f64),
    /// An error of this variant whose message holds these words.
    Refused(&'static str, Vec<&'static str>),
}

/// A picture with its options.
#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub bytes: Vec<u8>,
    pub options: PictureOptions,
    pub route: RouteOptions,
    pub expected: Expected,
    pub must_hold: Option<fn(&Track) -> bool>,
}

#[derive(Debug)]
enum Failure {
    Picture(PictureError),
    Edges(EdgeError),
    Track(TrackError),
}

impl Failure {
    /// Variant and message.
    fn reported(&self) -> (String, String) {
        let (debug, message) = match self {
            Self::Picture(error) => (format!("{error:?}"), error.to_string()),
            Self::Edges(error) => (format!("{error:?}"), error.to_string()),
            Self::Track(error) => (format!("{error:?}"), error.to_string()),
        };
        (debug.chars().take_while(|c| c.is_alphanumeric()).collect(), message)
    }
}

impl Case {
    pub fn new(name: &str, bytes: Vec<u8>, expected: Expected) -> Self {
        let (options, route) = (PictureOptions::default(), RouteOptions::default());
        Self { name: name.to_owned(), bytes, options, route, expected, must_hold: None }
    }

    pub fn at(mut self, column: f64, row: f64) -> Self {
        self.options.road_at = Some(Spot::Pixels([column, row]));
        self
    }

    pub fn via(mut self, column: f64, row: f64) -> Self {
        self.route.via.push(Spot::Pixels([column, row]));
        self
    }

    pub fn shape(mut self, shape: RoadShape) -> Self {
        self.route.shape = shape;
        self
    }

    /// A further demand on the track.
    pub fn and(mut self, must_hold: fn(&Track) -> bool) -> Self {
        self.must_hold = Some(must_hold);
        self
    }

    fn extracted(&self) -> Result<(RoadMask, Traced, Track), Failure> {
        let picture = read_bytes(&self.name, &self.bytes, &self.options).map_err(Failure::Picture)?;
        let mask = road_mask(&picture, &self.options, self.route.shape.specified()).map_err(Failure::Picture)?;
        let traced = trace(&mask, Scale::MetresPerPixel(1.0), Point::origin(), &self.route).map_err(Failure::Edges)?;
        let track = cut(&traced.edges, &TrackOptions::default()).map_err(Failure::Track)?;
        Ok((mask, traced, track))
    }

    /// Runs the picture through the stages; the complaints are empty when all is as expected.
    pub fn run(&self) -> (String, Vec<String>) {
        let mut complaints = Vec::new();
        let outcome = match (self.extracted(), &self.expected) {
            (Ok((mask, traced, track)), expected) => {
                let kind = if track.closed { "closed" } else { "open" };
                let length = track.centre_line().length();
                let text = format!(
                    "{kind}, {length:.0} px, {} sections, {:?}, {} crossings, {} side roads{}",
                    track.sections.len(),
                    mask.style,
                    track.crossings.len(),
                    traced.side_roads.len(),
                    if traced.closed_gap.is_some() { ", a gap closed" } else { "" },
                );
                match *expected {
                    Expected::Closed(want, fraction) | Expected::Open(want, fraction) => {
                        if track.closed != matches!(expected, Expected::Closed(..)) {
                            complaints.push("closed for open or the reverse".to_owned());
                        }
                        if (length / want - 1.0).abs() > fraction {
                            complaints.push(format!("length {length:.1} for {want:.1} to {:.0} %", 100.0 * fraction));
                        }
                    }
                    Expected::Refused(variant, _) => complaints.push(format!("{variant} expected")),
                }
                let gap = traced.closed_gap.map(|gap| (gap.at, gap.length_m));
                complaints.extend(irregularities(&mask, &track, gap));
                if self.must_hold.is_some_and(|must_hold| !must_hold(&track)) {
                    complaints.push("it isn't the road that was meant".to_owned());
                }
                text
            }
            (Err(failure), expected) => {
                let (variant, message) = failure.reported();
                match expected {
                    Expected::Refused(wanted, words) => {
                        if variant != *wanted {
                            complaints.push(format!("{wanted} expected"));
                        }
                        complaints.extend(
                            words.iter().filter(|word| !message.contains(*word)).map(|word| format!("no `{word}`")),
                        );
                    }
                    _ => complaints.push("a track expected".to_owned()),
                }
                format!("{variant}: {message}")
            }
        };
        (format!("{:34} {outcome}", self.name), complaints)
    }
}

/// Whether the ground about a pixel is a small hole in the road, which extraction fills: fewer than
/// `max` pixels.
fn is_mark(mask: &RoadMask, column: u32, row: u32, max: usize) -> bool {
    let (width, height) = mask.coverage.dimensions();
    let mut hole = vec![(column, row)];
    let mut next = 0;
    while let Some(&(x, y)) = hole.get(next) {
        next += 1;
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else { return false };
            if x >= width || y >= height || hole.len() > max {
                return false;
            }
            if mask.coverage.get_pixel(x, y).0[0] <= 127 && !hole.contains(&(x, y)) {
                hole.push((x, y));
            }
        }
    }
    true
}

/// What is wrong with a track on its mask, a gap in which may have been closed.
fn irregularities(mask: &RoadMask, track: &Track, gap: Option<(Point, f64)>) -> Vec<String> {
    let mut wrong = Vec::new();
    if let Err(error) = track.validate() {
        wrong.push(error.to_string());
    }
    let height = f64::from(mask.coverage.height());
    let is_road = |p: Point| {
        let (column, row) = (p.x.floor(), (height - p.y).floor());
        let inside = column >= 0.0 && row >= 0.0 && column < f64::from(mask.coverage.width()) && row < height;
        let (column, row) = (column as u32, row as u32);
        inside
            && (mask.coverage.get_pixel(column, row).0[0] > 127
                || gap.is_some_and(|(at, length)| (p - at).norm() <= length / 2.0 + 1.0)
                || is_mark(mask, column, row, 100))
    };
    let mean_width = track.sections.iter().map(|section| section.width()).sum::<f64>() / track.sections.len() as f64;
    let crossed = |p: Point| track.crossings.iter().flatten().any(|end| (end - p).norm() < 2.0 * mean_width);
    let (left, right) = (SegmentIndex::new(&track.left_edge, 4.0), SegmentIndex::new(&track.right_edge, 4.0));
    for (number, section) in track.sections.iter().enumerate() {
        let middle = section.middle();
        let at = || format!("section {number} at ({:.1}, {:.1})", middle.x, height - middle.y);
        // The middle of a one-pixel isthmus may round to its neighbour.
        if !is_road(middle) && !crossed(middle) && section.width() > 1.5 {
            wrong.push(format!("{} is off the road", at()));
        }
        if section.width().is_nan() || section.width() <= 0.0 {
            wrong.push(format!("{} has no width", at()));
        }
        let on_edge = |index: &SegmentIndex, p| index.nearest(p).is_some_and(|nearest| nearest.distance < 1e-6);
        if !on_edge(&left, section.left) || !on_edge(&right, section.right) {
            wrong.push(format!("{} doesn't end on the edges", at()));
        }
        let last = number + 1 == track.sections.len();
        if last && !track.closed {
            continue;
        }
        let next = track.sections[if last { 0 } else { number + 1 }];
        let step = next.middle() - middle;
        // Sections that fan about an inner corner have a common end and still go forwards.
        if step.dot(&-left_of(section.span())) < 0.0 && step.dot(&-left_of(next.span())) < 0.0 {
            wrong.push(format!("{} is followed by one behind it", at()));
        }
        if step.norm() > 3.0 * track.spacing_m.max(mean_width / 4.0) + section.width() / 2.0 {
            wrong.push(format!("{} is {:.1} from the next", at(), step.norm()));
        }
    }
    wrong.truncate(3);
    wrong
}

/// Runs every picture, prints a line for each, and fails with those that came out otherwise than
/// expected.
pub fn check(cases: &[Case]) {
    let mut failed = Vec::new();
    for case in cases {
        let (line, complaints) = case.run();
        println!("{line}");
        if !complaints.is_empty() {
            println!("    !! {}", complaints.join("; "));
            failed.push(format!("{line}\n    {}", complaints.join("; ")));
        }
    }
    assert!(failed.is_empty(), "{} of {} pictures:\n{}", failed.len(), cases.len(), failed.join("\n"));
}
