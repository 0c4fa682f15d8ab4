//! What lies beside the road: a border, then a side, then a barrier.

use super::surfaces::Surfaces;
use super::xml::Section;
use raceline_road::construction::ImportError;
use raceline_road::edges::EdgeKind;

/// A barrier this near to the road stands at its edge, metres.
const AT_EDGE_M: f64 = 0.3;
/// A kerb to drive on is at least this wide, metres …
const MIN_KERB_M: f64 = 0.5;
/// … at most this high, metres …
const HIGHEST_KERB_M: f64 = 0.1;
/// … has at least this fraction of the road's friction …
const MIN_KERB_FRICTION: f64 = 0.7;
/// … and no barrier nearer to the road than this, metres: a vehicle that overhangs the edge keeps
/// clear of it.
const MIN_ROOM_M: f64 = 1.0;

/// Names of the sections of one side, and the beginning of their names in tracks of version 3.
const NAMES: [([&str; 3], [&str; 3]); 2] = [
    (["Left Side", "Left Border", "Left Barrier"], ["lside", "lborder", "lbarrier"]),
    (["Right Side", "Right Border", "Right Barrier"], ["rside", "rborder", "rbarrier"]),
];

/// One side of the road; each value holds until a segment has another.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// 0 for the left, 1 for the right.
    index: usize,
    /// Width of the border, metres.
    border_m: f64,
    border_height_m: f64,
    border_style: String,
    border_surface: String,
    /// Width of the side at the segment's start and end, metres.
    side_m: [f64; 2],
    /// Whether border and side continue the road's banking.
    is_tangent: bool,
}

/// The attributes of a part of a side in one section.
struct Part<'a> {
    section: &'a Section,
    /// What the names begin with; empty in a section of its own.
    prefix: &'static str,
}

impl<'a> Part<'a> {
    fn of(section: &'a Section, side: usize, part: usize) -> Self {
        let (names, prefixes) = NAMES[side];
        match section.section(names[part]) {
            Some(section) => Self { section, prefix: "" },
            None => Self { section, prefix: prefixes[part] },
        }
    }

    fn name(&self, name: &str) -> String {
        if self.prefix.is_empty() { name.to_owned() } else { format!("{} {name}", self.prefix) }
    }

    fn text(&self, name: &str) -> Option<String> {
        self.section.text(&self.name(name)).map(str::to_owned)
    }

    /// A width or a height.
    fn metres(&self, name: &str) -> Result<Option<f64>, ImportError> {
        let found = self.section.number(&self.name(name))?;
        // Below zero there is none.
        Ok(found.map(|metres| metres.max(0.0)))
    }
}

impl Side {
    /// The defaults in the section `Main Track`.
    ///
    /// # Errors
    /// Numbers that are none.
    pub fn of_track(main: &Section, index: usize) -> Result<Self, ImportError> {
        let (side, border) = (Part::of(main, index, 0), Part::of(main, index, 1));
        let width_m = side.metres("width")?.unwrap_or(0.0);
        Ok(Self {
            index,
            border_m: border.metres("width")?.unwrap_or(0.0),
            border_height_m: border.metres("height")?.unwrap_or(0.0),
            border_style: border.text("style").unwrap_or_default(),
            border_surface: border.text("surface").unwrap_or_default(),
            side_m: [width_m; 2],
            is_tangent: side.text("banking type").is_some_and(|kind| kind == "tangent"),
        })
    }

    /// Goes on to the next segment.
    ///
    /// # Errors
    /// Numbers that are none.
    pub fn advance(&mut self, segment: &Section) -> Result<(), ImportError> {
        let (side, border) = (Part::of(segment, self.index, 0), Part::of(segment, self.index, 1));
        let start_m = side.metres("start width")?.unwrap_or(self.side_m[1]);
        let width_m = side.metres("width")?.unwrap_or(start_m);
        self.side_m = [start_m, side.metres("end width")?.unwrap_or(width_m)];
        if let Some(kind) = side.text("banking type") {
            self.is_tangent = kind == "tangent";
        }
        self.border_m = border.metres("width")?.unwrap_or(self.border_m);
        self.border_height_m = border.metres("height")?.unwrap_or(self.border_height_m);
        self.border_style = border.text("style").unwrap_or_else(|| std::mem::take(&mut self.border_style));
        self.border_surface = border.text("surface").unwrap_or_else(|| std::mem::take(&mut self.border_surface));
        Ok(())
    }

    /// The side beside a step from `from` to `to`, as fractions of the segment.
    pub fn verge(&self, from: f64, to: f64) -> Verge {
        let width = |fraction: f64| self.side_m[0] + (self.side_m[1] - self.side_m[0]) * fraction;
        Verge { border_m: self.border_m, side_m: [width(from), width(to)], is_tangent: self.is_tangent }
    }

    /// What the edge beside this step is made of; `road` is the road's friction.
    pub fn kind(&self, verge: &Verge, road: f64, surfaces: &mut Surfaces) -> EdgeKind {
        let has_border = self.border_m > 0.0;
        let room_m = self.border_m + verge.side_m[0].min(verge.side_m[1]);
        let style = self.border_style.as_str();
        if (has_border && matches!(style, "wall" | "fence")) || room_m <= AT_EDGE_M {
            return EdgeKind::Wall;
        }
        let is_kerb = self.border_m >= MIN_KERB_M
            && room_m >= MIN_ROOM_M
            && (style == "plan" || (style == "curb" && self.border_height_m <= HIGHEST_KERB_M))
            && !self.border_surface.is_empty()
            && surfaces.friction(&self.border_surface) >= MIN_KERB_FRICTION * road;
        if is_kerb { EdgeKind::Kerb } else { EdgeKind::Line }
    }
}

/// What lies beside one step of the road.
#[derive(Clone, Copy, Debug)]
pub(super) struct Verge {
    /// Width of the border, metres.
    pub border_m: f64,
    /// Width of the side outside the border at the step's start and end, metres.
    pub side_m: [f64; 2],
    /// Whether it continues the road's banking; else it is level.
    pub is_tangent: bool,
}
