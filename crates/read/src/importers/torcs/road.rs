//! The segments of a track, one after the other, as steps.

use super::heights::{HeightState, MAX_STEPS, Pair};
use super::placement::Placement;
use super::plan::{Course, Cut};
use super::segment::Shape;
use super::sides::{Side, Verge};
use super::surfaces::Surfaces;
use super::xml::{Document, Section};
use raceline_file::shortened;
use raceline_road::construction::{ImportError, ImportNote};
use raceline_road::edges::{EdgeKind, EdgePoint};
use raceline_road::geometry::Point;

/// Width of a road that gives none, metres, as in TORCS.
const USUAL_WIDTH_M: f64 = 15.0;
/// Surface of a road that gives none, as in TORCS.
const USUAL_SURFACE: &str = "asphalt";
/// Longer tracks are refused.
const LONGEST_M: f64 = 2e5;
/// Maximum distance between points of an edge, metres …
const PIECE_M: f64 = 2.0;
/// … and maximum deviation of a piece from the arc, metres.
const CHORD_M: f64 = 0.002;

/// Smaller jumps of the heights are rounding of the file's numbers, metres.
const MIN_JUMP_M: f64 = 0.02;

/// A step of a segment: even in curvature, and in slope along each edge.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Where it begins.
    pub from: Cut,
    /// How it goes on.
    pub course: Course,
    /// Heights of the edges at its start and end, metres.
    pub heights_m: [Pair; 2],
    /// What lies beside it, left and right.
    pub verges: [Verge; 2],
    /// What its edges are made of, left and right.
    kinds: [EdgeKind; 2],
    /// Friction of its surface.
    grip: f64,
}

/// A track as the file describes it, from the origin of its segments on.
pub(super) struct Road {
    pub width_m: f64,
    pub steps: Vec<Step>,
    /// Where the last step ends.
    pub end: Cut,
    /// Where it begins.
    pub placement: Placement,
    /// Whether the file has the older form, version 3.
    pub is_version_3: bool,
    /// The largest jump of the heights between two segments, and the number of jumps.
    pub jump: Option<Jump>,
}

/// A jump of the heights between two segments.
pub(super) struct Jump {
    /// Number of jumps.
    count: usize,
    /// The largest of an edge, metres.
    largest_m: f64,
    /// The segment that begins there, and its line.
    segment: String,
    line: usize,
}

impl Road {
    /// Reads the section `Main Track`.
    ///
    /// # Errors
    /// [`ImportError::TrackXml`] with the line and the segment.
    pub fn of(document: &Document, surfaces: &mut Surfaces) -> Result<Self, ImportError> {
        let (params, main, segments, is_version_3) = sections(&document.root)?;
        let width_m = main.number("width")?.unwrap_or(USUAL_WIDTH_M);
        if width_m <= 0.0 {
            return Err(main.error(format!("the width of the road is {width_m} m"), "give a width above 0"));
        }
        let mut surface = main.text("surface").unwrap_or(USUAL_SURFACE);
        let mut sides = [Side::of_track(main, 0)?, Side::of_track(main, 1)?];
        let placement = Placement::of(params, main, width_m)?;
        let step_m = main.number("profil steps length")?.unwrap_or(0.0);
        let mut heights = HeightState::new(width_m, step_m, placement.start_m);
        let mut road = Self { width_m, steps: Vec::new(), end: placement.start, placement, is_version_3, jump: None };
        let mut length_m = 0.0;
        for segment in &segments.sections {
            let shape = Shape::of(segment, width_m)?;
            length_m += shape.length_m();
            if length_m > LONGEST_M {
                return Err(ImportError::TooLong { length_km: length_m / 1e3, limit_km: LONGEST_M / 1e3 });
            }
            let profile = heights.next(segment, shape.length_m())?;
            surface = segment.text("surface").unwrap_or(surface);
            for side in &mut sides {
                side.advance(segment)?;
            }
            if road.steps.len() + profile.steps > MAX_STEPS {
                let problem = format!("the track has more than {MAX_STEPS} steps of its profile up to here");
                return Err(segment.error(problem, "give profil steps length in metres, some metres long"));
            }
            if shape.length_m() == 0.0 {
                continue;
            }
            road.add_jump(segment, profile.at(0.0));
            let grip = surfaces.grip(surface);
            for (index, course) in shape.courses(profile.steps).into_iter().enumerate() {
                let fractions = [index, index + 1].map(|step| step as f64 / profile.steps as f64);
                let verges = [0, 1].map(|side| sides[side].verge(fractions[0], fractions[1]));
                let kinds = [0, 1].map(|side| sides[side].kind(&verges[side], grip, surfaces));
                let heights_m = fractions.map(|fraction| profile.at(fraction));
                road.steps.push(Step { from: road.end, course, heights_m, verges, kinds, grip });
                road.end = road.end.after(&course, 1.0, width_m);
            }
        }
        if road.steps.is_empty() {
            return Err(segments.error("it has no segment with a length".to_owned(), "add segments"));
        }
        Ok(road)
    }

    /// Counts a jump from the end of the last segment to the heights at which the next begins.
    fn add_jump(&mut self, segment: &Section, heights_m: Pair) {
        let Some(last) = self.steps.last() else { return };
        let rises = [0, 1].map(|side| (heights_m[side] - last.heights_m[1][side]).abs());
        let rise_m = rises[0].max(rises[1]);
        if rise_m < MIN_JUMP_M {
            return;
        }
        let (count, largest_m) = self.jump.as_ref().map_or((0, 0.0), |jump| (jump.count, jump.largest_m));
        if rise_m > largest_m {
            let (segment, line) = (shortened(&segment.name), segment.line);
            self.jump = Some(Jump { count, largest_m: rise_m, segment, line });
        }
        if let Some(jump) = &mut self.jump {
            jump.count += 1;
        }
    }

    /// What is remarkable about it.
    pub fn note(&self) -> Option<ImportNote> {
        let Jump { count, largest_m, segment, line } = self.jump.as_ref()?;
        Some(ImportNote::HeightsJump { count: *count, largest_m: *largest_m, segment: segment.clone(), line: *line })
    }

    /// Points along both edges, without the last ones, and their distances along the road's middle.
    pub fn points(&self) -> Points {
        let mut points = Points { edges: [Vec::new(), Vec::new()], along_m: Vec::new(), length_m: 0.0 };
        let mut before = None;
        for step in &self.steps {
            let parts = step.course.parts(self.width_m, PIECE_M, CHORD_M);
            for part in 0..parts {
                let fraction = part as f64 / parts as f64;
                let cut = step.from.after(&step.course, fraction, self.width_m);
                // Between two surfaces, the less grippy one holds.
                let grip = if part == 0 { step.grip.min(before.unwrap_or(step.grip)) } else { step.grip };
                points.push(&cut, step.heights_at(fraction), grip, step.kinds);
                points.along_m.push(points.length_m + step.course.length_m() * fraction);
            }
            points.length_m += step.course.length_m();
            before = Some(step.grip);
        }
        points
    }

    /// Adds where the road ends.
    pub fn add_end(&self, points: &mut Points) {
        if let Some(step) = self.steps.last() {
            points.push(&self.end, step.heights_at(1.0), step.grip, step.kinds);
            points.along_m.push(points.length_m);
        }
    }
}

/// Points along both edges.
pub(super) struct Points {
    /// Left and right.
    pub edges: [Vec<EdgePoint>; 2],
    /// Distance of each pair along the middle of the road, metres.
    pub along_m: Vec<f64>,
    /// Length of the road, metres.
    pub length_m: f64,
}

impl Points {
    fn push(&mut self, cut: &Cut, heights: Pair, grip: f64, kinds: [EdgeKind; 2]) {
        for (side, edge) in self.edges.iter_mut().enumerate() {
            edge.push(EdgePoint { position: cut.ends[side], height_m: heights[side], grip, kind: kinds[side] });
        }
    }

    /// The middle of the road.
    pub fn middles(&self) -> Vec<Point> {
        let [left, right] = &self.edges;
        left.iter().zip(right).map(|(left, right)| nalgebra::center(&left.position, &right.position)).collect()
    }
}

impl Step {
    fn heights_at(&self, fraction: f64) -> Pair {
        let [from, to] = self.heights_m;
        [0, 1].map(|side| from[side] + (to[side] - from[side]) * fraction)
    }
}

/// The file's element, the section of the track in it, the one of its segments, and whether they are of
/// version 3.
fn sections(root: &Section) -> Result<(&Section, &Section, &Section, bool), ImportError> {
    const FIX: &str = "give a track of TORCS or Speed Dreams";
    let found = root.sections.iter().find_map(|params| Some((params, params.section("Main Track")?)));
    let (params, main) = found.ok_or_else(|| ImportError::TrackXml {
        line: root.sections.first().map_or(1, |params| params.line),
        place: "the file".to_owned(),
        problem: "it has no section \"Main Track\"".to_owned(),
        fix: FIX,
    })?;
    if let Some(segments) = main.section("Track Segments") {
        return Ok((params, main, segments, false));
    }
    let segments = main.section("segments");
    let segments = segments.ok_or_else(|| main.error("it has no section \"Track Segments\"".to_owned(), FIX))?;
    Ok((params, main, segments, true))
}
