//! The one ring among a picture's regions: the road, between its two edges.

use super::regions::{Region, Regions};
use super::{Grey, PictureError, Place, RoadStyle, threshold::Histogram};

/// Rings whose bounding box is this much smaller than the largest ring's are letters and ornaments.
const SPECK_SHARE: f64 = 0.25;

/// More rings of similar size are a pattern, not a drawing of a road; looking at each would take long.
const MOST_RINGS: usize = 32;

/// Smallest bounding-box diagonal of a road, pixels.
const SMALLEST_ROAD_PX: f64 = 12.0;

/// Thinnest road, pixels: below it one can't tell its two edges apart.
const THINNEST_ROAD_PX: f64 = 2.0;

/// A line of an outline is at most this thick, pixels, or this share of the road's width, whichever is more.
const LINE_PX: f64 = 4.0;
const LINE_SHARE: f64 = 0.25;

/// The thicker of an outline's two lines is at most this many times as thick as the thinner.
const MOST_UNLIKE: f64 = 2.0;

/// Road and ground of an outline differ by at most this share of their contrast to the line. An occupancy grid's unknown
/// grey lies at a fifth.
const SAME_LEVEL: f64 = 0.1;

/// An outline's inner line encloses at least this many times its own area; one with a gap encloses nothing.
const LEAST_ENCLOSED: f64 = 0.5;

/// An island in the road larger than the square of the road's width, and than this many pixels, makes it fork.
const SMALLEST_ISLAND_PX: f64 = 36.0;

/// A border contact longer than this share of the picture's circumference is a ground's.
const ROAD_BORDER_SHARE: f64 = 0.2;

/// A road that leaves the picture is at least this long for its width, and this long for the picture's diagonal.
const ROAD_SLENDERNESS: f64 = 5.0;
const ROAD_DIAGONAL_SHARE: f64 = 0.25;

/// A ring-shaped region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ring {
    /// The region.
    pub region: u32,
    /// The region that fills its one large hole.
    pub hole: u32,
    /// `Outline` when the region lies between two thin lines on a ground of its own brightness, else `Light` or `Dark`.
    pub style: RoadStyle,
}

/// What keeps a threshold from showing one road, the most telling first.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Obstacle {
    /// Several rings, round these places.
    Several(Vec<Place>),
    /// An island, and its width and height.
    Fork(Place, u32, u32),
    /// A road at the border.
    Border(Place),
    /// A hairline ring and its thickness.
    Thin(Place, f64),
    /// No ring at all.
    Nothing,
}

impl Obstacle {
    /// The more telling of two, the earlier one when they are of a kind.
    pub fn or(self, other: Self) -> Self {
        if other.rank() < self.rank() { other } else { self }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Several(_) => 0,
            Self::Fork(..) => 1,
            Self::Border(_) => 2,
            Self::Thin(..) => 3,
            Self::Nothing => 4,
        }
    }

    /// The error that it means for the picture called `name`.
    pub fn into_error(self, name: &str, wanted: RoadStyle) -> PictureError {
        let name = name.to_owned();
        let looked_for = match wanted {
            RoadStyle::Auto => "looked for a light or dark band or a pair of lines",
            RoadStyle::Light => "looked for a light band",
            RoadStyle::Dark => "looked for a dark band",
            RoadStyle::Outline => "looked for a pair of lines",
            RoadStyle::Aerial => "looked for a band of one colour",
        };
        match self {
            Self::Several(places) => PictureError::SeveralRings { name, places },
            Self::Fork(place, width, height) => PictureError::Forked { name, place, width, height },
            Self::Border(place) => PictureError::TouchesBorder { name, place },
            Self::Thin(place, width_px) => PictureError::TooThin { name, place, width_px },
            Self::Nothing => PictureError::NoRing { name, looked_for },
        }
    }
}

/// Finds the road of the `wanted` style among the regions, or says what is in the way.
pub(super) fn find(grey: &Grey, histogram: &Histogram, regions: &Regions, wanted: RoadStyle) -> Result<Ring, Obstacle> {
    let children = Children::of(regions);
    let mut rings = Vec::new();
    let mut forks = Vec::new();
    for (index, region) in regions.list.iter().enumerate() {
        if region.border.is_some() || region.diagonal() < SMALLEST_ROAD_PX {
            continue;
        }
        let index = index as u32;
        let Some((hole, second)) = children.two_largest(regions, index) else { continue };
        let island = SMALLEST_ISLAND_PX.max(region.mean_width().powi(2));
        if (regions.list[hole as usize].filled_area as f64) < island {
            continue;
        }
        match second.map(|second| &regions.list[second as usize]) {
            Some(second) if second.filled_area as f64 > island => forks.push((index, second)),
            _ => rings.push(Ring { region: index, hole, style: solid_style(region) }),
        }
    }
    let diagonal = |ring: &Ring| regions.list[ring.region as usize].diagonal();
    let largest = rings.iter().map(diagonal).fold(0.0, f64::max);
    rings.retain(|ring| diagonal(ring) >= SPECK_SHARE * largest);
    let places = |rings: &[Ring]| rings.iter().map(|ring| regions.list[ring.region as usize].middle()).collect();
    if rings.len() > MOST_RINGS {
        return Err(Obstacle::Several(places(&rings)));
    }
    let broken = mark_outlines(grey, histogram, regions, &children, wanted, &mut rings);
    rings.retain(|ring| match wanted {
        RoadStyle::Auto => true,
        wanted => ring.style == wanted,
    });
    let rings = without_neighbours(regions, rings);
    // A line or wall that touches itself, where legs run side by side, encloses an island as well; it's no road.
    let bounds =
        |index: u32, ring: &Ring| ring.hole == index || regions.list[ring.region as usize].parent == Some(index);
    let clear_fork = forks
        .into_iter()
        .filter(|&(index, _)| !rings.iter().any(|ring| bounds(index, ring)))
        .filter(|&(index, _)| style_fits(&regions.list[index as usize], wanted))
        .filter(|&(index, _)| regions.list[index as usize].diagonal() > largest)
        .max_by_key(|&(index, _)| regions.list[index as usize].filled_area);
    match (rings.as_slice(), clear_fork) {
        (_, Some((_, island))) => {
            let (width, height) = island.extent();
            Err(Obstacle::Fork(island.middle(), width, height))
        }
        ([], None) => Err(at_border(regions, wanted).map_or(Obstacle::Nothing, Obstacle::Border)),
        (&[ring], None) => {
            let region = &regions.list[ring.region as usize];
            let width = region.mean_width();
            let is_line = width < THINNEST_ROAD_PX || broken.contains(&ring.region);
            if is_line { Err(Obstacle::Thin(region.middle(), width)) } else { Ok(ring) }
        }
        (rings, None) => Err(Obstacle::Several(places(rings))),
    }
}

fn solid_style(region: &Region) -> RoadStyle {
    if region.light { RoadStyle::Light } else { RoadStyle::Dark }
}

fn style_fits(region: &Region, wanted: RoadStyle) -> bool {
    wanted == RoadStyle::Auto || wanted == RoadStyle::Outline || wanted == solid_style(region)
}

/// Which regions each region surrounds.
struct Children {
    /// `members[starts[i]..starts[i + 1]]` are region i's children.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Children {
    fn of(regions: &Regions) -> Self {
        let mut starts = vec![0_u32; regions.list.len() + 1];
        for parent in regions.list.iter().filter_map(|region| region.parent) {
            starts[parent as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts.last().map_or(0, |&n| n as usize)];
        for (index, region) in regions.list.iter().enumerate() {
            if let Some(parent) = region.parent {
                members[next[parent as usize] as usize] = index as u32;
                next[parent as usize] += 1;
            }
        }
        Self { starts, members }
    }

    /// The child with the largest filled area, and the runner-up.
    fn two_largest(&self, regions: &Regions, index: u32) -> Option<(u32, Option<u32>)> {
        let of = &self.members[self.starts[index as usize] as usize..self.starts[index as usize + 1] as usize];
        let area = |child: u32| regions.list[child as usize].filled_area;
        let (mut first, mut second) = (None, None);
        for &child in of {
            if first.is_none_or(|kept| area(child) > area(kept)) {
                (first, second) = (Some(child), first);
            } else if second.is_none_or(|kept| area(child) > area(kept)) {
                second = Some(child);
            }
        }
        first.map(|first| (first, second))
    }
}

/// Tells rings that lie between two thin lines as the roads of outlines, and strikes the lines off the list. Returns the outer
/// lines of outlines whose inner line has a gap.
fn mark_outlines(
    grey: &Grey,
    histogram: &Histogram,
    regions: &Regions,
    children: &Children,
    wanted: RoadStyle,
    rings: &mut Vec<Ring>,
) -> Vec<u32> {
    let mut lines = Vec::new();
    let mut broken = Vec::new();
    for ring in rings.iter_mut() {
        let road = &regions.list[ring.region as usize];
        let Some(outer) = road.parent else { continue };
        let told = matches!(wanted, RoadStyle::Light | RoadStyle::Dark);
        if !lies_between_lines(regions, outer, ring, wanted) || (told && wanted != ring.style) {
            continue;
        }
        let ground = regions.list[outer as usize].parent;
        let infield = children.two_largest(regions, ring.hole).map(|(infield, _)| infield);
        let level = |region| median(grey, histogram, regions, region);
        let (Some(road_level), Some(line_level)) = (level(ring.region), level(outer)) else { continue };
        let allowed = SAME_LEVEL * (road_level - line_level).abs();
        let same = |region: Option<u32>| {
            region.and_then(level).is_none_or(|ground_level| (ground_level - road_level).abs() <= allowed)
        };
        let hole = &regions.list[ring.hole as usize];
        let is_outline = wanted == RoadStyle::Outline || (!told && same(ground) && same(infield));
        if is_outline && ((hole.filled_area - hole.area) as f64) < LEAST_ENCLOSED * hole.area as f64 {
            broken.push(outer);
            lines.extend([ring.region, ring.hole]);
            continue;
        }
        lines.extend([outer, ring.hole]);
        if is_outline {
            ring.style = RoadStyle::Outline;
        }
    }
    rings.retain(|ring| !lines.contains(&ring.region));
    broken
}

/// Whether what bounds a ring on either side are two lines: narrower than the ring, alike, and at least one of them thin.
/// Where two legs run side by side their lines merge into a thicker one.
fn lies_between_lines(regions: &Regions, outer: u32, ring: &Ring, wanted: RoadStyle) -> bool {
    let width = |region: u32| regions.list[region as usize].mean_width();
    let road = width(ring.region);
    let thinner = width(outer).min(width(ring.hole));
    let thicker = width(outer).max(width(ring.hole));
    let told = wanted == RoadStyle::Outline;
    thicker < road && (told || (thinner <= LINE_PX.max(LINE_SHARE * road) && thicker <= MOST_UNLIKE * thinner))
}

/// Median grey value of a region.
pub(super) fn median(grey: &Grey, histogram: &Histogram, regions: &Regions, region: u32) -> Option<f64> {
    let mut values = histogram.emptied();
    let width = regions.size.0 as usize;
    for (row, run) in regions.runs_of(region) {
        let row = &grey.as_raw()[row as usize * width..][..width];
        row[run.start as usize..run.end as usize].iter().for_each(|&value| values.add(value));
    }
    values.median()
}

/// How many shapes there are beside the road: regions that neither bound it, nor lie in it, nor are the ground or the infield.
pub(super) fn others(regions: &Regions, ring: Ring) -> usize {
    let of = |region: u32| &regions.list[region as usize];
    let mut around = vec![ring.region];
    while let Some(parent) = around.last().and_then(|&last| of(last).parent) {
        around.push(parent);
    }
    let ground_is_light = around.last().is_some_and(|&outermost| of(outermost).light);
    let is_other = |&(index, region): &(usize, &Region)| {
        let index = index as u32;
        let bounds = index == ring.hole || around.contains(&index);
        let is_ground = region.border.is_some() && region.light == ground_is_light;
        // An outline's ground or a grid's unknown, inside the inner line or wall.
        let is_infield = region.parent == Some(ring.hole) && region.filled_area * 2 > of(ring.hole).filled_area;
        !(bounds || is_ground || is_infield || region.parent == Some(ring.region))
    };
    regions.list.iter().enumerate().filter(is_other).count()
}

/// Keeps the most slender of rings that share an edge: a page inside a frame, or an infield round which a road
/// leads, is a ring as well, but a plump one. Most slender first.
fn without_neighbours(regions: &Regions, mut rings: Vec<Ring>) -> Vec<Ring> {
    let slenderness = |ring: &Ring| regions.list[ring.region as usize].slenderness();
    rings.sort_by(|a, b| slenderness(b).total_cmp(&slenderness(a)));
    let mut kept: Vec<Ring> = Vec::new();
    for ring in rings {
        let beside = |other: &Ring| {
            regions.list[other.region as usize].parent == Some(ring.region)
                || regions.list[ring.region as usize].parent == Some(other.region)
        };
        if !kept.iter().any(beside) {
            kept.push(ring);
        }
    }
    kept
}

/// Where a long, narrow region meets the picture's border.
fn at_border(regions: &Regions, wanted: RoadStyle) -> Option<Place> {
    let (width, height) = (f64::from(regions.size.0), f64::from(regions.size.1));
    let is_road = |region: &&Region| {
        style_fits(region, wanted)
            && f64::from(region.border_pixels) <= ROAD_BORDER_SHARE * 2.0 * (width + height)
            && region.diagonal() >= ROAD_DIAGONAL_SHARE * width.hypot(height)
            && region.slenderness() >= ROAD_SLENDERNESS
    };
    let touching = regions.list.iter().filter(|region| region.border.is_some());
    touching.filter(is_road).max_by(|a, b| a.slenderness().total_cmp(&b.slenderness())).and_then(|region| region.border)
}
