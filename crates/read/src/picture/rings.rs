//! Selects the road among a picture's regions.
//!
//! A road is a ring: it surrounds at least one large hole. If there is none, it may be a long,
//! narrow region with two ends. The route along a road that forks or crosses itself is determined
//! later, from its edges.

use super::children::Children;
use super::islands::ROAD_SLENDERNESS;
use super::obstacle::Obstacle;
use super::regions::{Region, Regions};
use super::{Grey, Pixel, RoadStyle, threshold::Histogram};
use raceline_numerics::math;

/// Rings whose bounding box is smaller than this fraction of the largest ring's are letters and
/// ornaments.
const SPECK_FRACTION: f64 = 0.25;

/// More rings of similar size are a pattern and not a road; examining each would take long.
const MAX_RINGS: usize = 32;

/// Smallest bounding-box diagonal of a road, pixels.
pub(super) const SMALLEST_ROAD_PX: f64 = 12.0;

/// Thinnest road, pixels: the two edges of a thinner one cannot be distinguished.
pub(super) const THINNEST_ROAD_PX: f64 = 2.0;

/// Maximum thickness of a line of an outline, pixels, or as a fraction of the road's width,
/// whichever is larger.
const LINE_PX: f64 = 4.0;
const LINE_FRACTION: f64 = 0.25;

/// Maximum ratio of the thicknesses of an outline's two lines.
const MAX_UNLIKE: f64 = 2.0;

/// Maximum difference of road and ground of an outline, as a fraction of their contrast to the
/// line. The unknown grey of an occupancy grid is at a fifth.
const SAME_LEVEL: f64 = 0.1;

/// An outline's inner line encloses at least this many times its own area; a line with a gap
/// encloses nothing.
const MIN_ENCLOSED: f64 = 0.5;

/// A region whose contact with the border exceeds this fraction of the picture's circumference is
/// ground.
const ROAD_BORDER_FRACTION: f64 = 0.2;

/// Maximum area of the second largest open road as a fraction of the largest; otherwise the choice
/// is ambiguous.
const RIVAL_FRACTION: f64 = 0.5;

/// Minimum length of a road with ends, or of one that leaves the picture, as a fraction of the
/// picture's diagonal.
const ROAD_DIAGONAL_FRACTION: f64 = 0.25;

/// Width of another piece of the same road, in widths of the road, and its minimum length, as a fraction of the
/// road's.
const REST_WIDTHS: std::ops::Range<f64> = 0.6..1.6;
const MIN_REST: f64 = 0.05;

/// The region of a road.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Road {
    /// The region.
    pub region: u32,
    /// The regions that fill its large holes, the largest first; none for an open road.
    pub holes: Vec<u32>,
    /// `Outline` when the region lies between two thin lines on a ground of its own brightness,
    /// else `Light` or `Dark`.
    pub style: RoadStyle,
}

/// The requirements on the road.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// How the road is shown.
    pub style: RoadStyle,
    /// Closed or open, if specified.
    pub closed: Option<bool>,
    /// A pixel on the road, if specified.
    pub at: Option<Pixel>,
    /// Whether the picture is a drawing, in which a road that crosses itself may be interrupted.
    pub may_have_bridges: bool,
    /// Whether the user specified the style; otherwise an outline must look like one.
    pub is_sure: bool,
}

impl Wanted {
    /// The style by which an outline is recognized.
    fn outline_style(&self) -> RoadStyle {
        if self.style == RoadStyle::Outline && !self.is_sure { RoadStyle::Auto } else { self.style }
    }
}

/// Finds the ring-shaped road among the regions, or returns the obstacle.
pub(super) fn find(grey: &Grey, histogram: &Histogram, regions: &Regions, wanted: Wanted) -> Result<Road, Obstacle> {
    let children = Children::of(regions);
    let specified = wanted.closed == Some(true);
    let mut roads =
        candidates(regions, &children, |region| region.border.is_none() || specified && is_narrow(regions, region));
    let is_open_road = |region: &Region| is_narrow(regions, region) && is_long(regions, region, false);
    if roads.is_empty() && specified && !regions.list.iter().any(is_open_road) {
        // A road all along the picture's border.
        roads = candidates(regions, &children, |region| region.slenderness() >= ROAD_SLENDERNESS);
    }
    let diagonal = |road: &Road| regions.list[road.region as usize].diagonal();
    // Beside a road with two ends, the rings in its title are specks too.
    let long = regions.list.iter().filter(|region| is_open_road(region));
    let largest = roads.iter().map(diagonal).chain(long.map(Region::diagonal)).fold(0.0, f64::max);
    let there = wanted.at.map(|place| regions.at(place));
    roads.retain(|road| diagonal(road) >= SPECK_FRACTION * largest || there == Some(road.region));
    let places = |roads: &[Road]| roads.iter().map(|road| regions.list[road.region as usize].middle()).collect();
    if roads.len() > MAX_RINGS {
        return Err(Obstacle::Several(places(&roads)));
    }
    let broken = mark_outlines(grey, histogram, regions, &children, wanted.outline_style(), &mut roads);
    mark_barred_outlines(grey, histogram, regions, wanted.outline_style(), &mut roads);
    without_merged_lines(regions, &mut roads);
    roads.retain(|road| wanted.style == RoadStyle::Auto || road.style == wanted.style);
    if let (Some(place), Some(there)) = (wanted.at, there) {
        roads.retain(|road| road.region == there);
        if roads.is_empty() {
            return Err(Obstacle::NotThere(place));
        }
    }
    let mut roads = without_neighbours(regions, roads);
    match roads.len() {
        0 => Err(at_border(regions, wanted.style).map_or(Obstacle::Nothing, Obstacle::Border)),
        1 => {
            let road = roads.remove(0);
            let region = &regions.list[road.region as usize];
            let width = region.mean_width();
            let is_line = width < THINNEST_ROAD_PX || broken.contains(&road.region);
            if is_line { Err(Obstacle::Thin(region.middle(), width)) } else { Ok(road) }
        }
        _ => Err(Obstacle::Several(places(&roads))),
    }
}

/// The regions that `fit` and surround a large hole.
fn candidates(regions: &Regions, children: &Children, fit: impl Fn(&Region) -> bool) -> Vec<Road> {
    let fitting = (0..).zip(&regions.list).filter(|(_, region)| region.diagonal() >= SMALLEST_ROAD_PX && fit(region));
    let road = |(region, of)| Road { region, holes: children.large(regions, region), style: solid_style(of) };
    fitting.map(road).filter(|road| !road.holes.is_empty()).collect()
}

/// Whether there is a similar but broken line beside a thin ring: the ring is then more likely one
/// line of an outline than the road.
pub(super) fn has_broken_twin(regions: &Regions, ring: &Road) -> bool {
    let of = &regions.list[ring.region as usize];
    regions.list.iter().enumerate().any(|(index, line)| {
        let beside = line.parent == of.parent || line.parent.is_some_and(|parent| ring.holes.contains(&parent));
        let alike = |a: f64, b: f64| a <= MAX_UNLIKE * b && b <= MAX_UNLIKE * a;
        index as u32 != ring.region
            && line.light == of.light
            && beside
            && alike(line.mean_width(), of.mean_width())
            && line.filled_slenderness() >= ROAD_SLENDERNESS
            && alike(line.area as f64, of.area as f64)
    })
}

/// Length of the other pieces of the road's colour and of about its width, pixels. Short ones, such as letters,
/// and what goes round the road, such as a frame, do not count.
pub(super) fn rest_px(regions: &Regions, road: &Road) -> f64 {
    let of = &regions.list[road.region as usize];
    let length = |region: &Region| region.slenderness() * region.mean_width();
    let is_piece = |&(index, region): &(usize, &Region)| {
        index as u32 != road.region
            && region.light == of.light
            && region.slenderness() >= ROAD_SLENDERNESS
            && REST_WIDTHS.contains(&(region.mean_width() / of.mean_width()))
            && length(region) >= MIN_REST * length(of)
            && is_narrow(regions, region)
            && !encloses(region, of)
    };
    regions.list.iter().enumerate().filter(is_piece).map(|(_, region)| length(region)).sum()
}

/// Finds the one long, narrow region with ends, or returns the obstacle.
pub(super) fn find_open(regions: &Regions, wanted: Wanted) -> Result<Road, Obstacle> {
    let children = Children::of(regions);
    let is_there = |index: u32| wanted.at.is_none_or(|place| regions.at(place) == index);
    let mut roads: Vec<(u32, &Region)> = (0..).zip(&regions.list).filter(|(index, _)| is_there(*index)).collect();
    roads.retain(|&(index, region)| {
        style_fits(region, wanted.style) && is_long(regions, region, !children.large(regions, index).is_empty())
    });
    // The surroundings of a page are not a road, however narrow they are.
    roads.retain(|(_, region)| is_narrow(regions, region));
    roads.sort_by_key(|(index, region)| (std::cmp::Reverse(region.area), *index));
    let Some(&(index, region)) = roads.first() else {
        return Err(wanted.at.map_or(Obstacle::Nothing, Obstacle::NotThere));
    };
    if let Some((_, second)) = roads.get(1)
        && second.area as f64 > RIVAL_FRACTION * region.area as f64
    {
        return Err(Obstacle::Several(vec![region.middle(), second.middle()]));
    }
    if region.mean_width() < THINNEST_ROAD_PX {
        return Err(Obstacle::Thin(region.middle(), region.mean_width()));
    }
    // A circuit cut by the border has lost one of its edges there.
    let holes = children.large(regions, index);
    match region.border {
        Some(place) if !holes.is_empty() && wanted.closed.is_none() => Err(Obstacle::Border(place)),
        _ => Ok(Road { region: index, holes, style: solid_style(region) }),
    }
}

fn solid_style(region: &Region) -> RoadStyle {
    if region.light { RoadStyle::Light } else { RoadStyle::Dark }
}

fn style_fits(region: &Region, wanted: RoadStyle) -> bool {
    wanted == RoadStyle::Auto || wanted == RoadStyle::Outline || wanted == solid_style(region)
}

/// Marks rings between two thin lines as the roads of outlines, and removes the lines from the
/// list. Returns the outer lines of outlines whose inner line has a gap.
fn mark_outlines(
    grey: &Grey,
    histogram: &Histogram,
    regions: &Regions,
    children: &Children,
    wanted: RoadStyle,
    roads: &mut Vec<Road>,
) -> Vec<u32> {
    let mut lines = Vec::new();
    let mut broken = Vec::new();
    for road in roads.iter_mut() {
        let region = &regions.list[road.region as usize];
        let (Some(outer), Some(&inner)) = (region.parent, road.holes.first()) else { continue };
        let reported = matches!(wanted, RoadStyle::Light | RoadStyle::Dark);
        if !lies_between_lines(regions, outer, road, wanted) || (reported && wanted != road.style) {
            continue;
        }
        let ground = regions.list[outer as usize].parent;
        let infield = children.largest(regions, inner);
        let level = |region| median(grey, histogram, regions, region);
        let (Some(road_level), Some(line_level)) = (level(road.region), level(outer)) else { continue };
        let allowed = SAME_LEVEL * (road_level - line_level).abs();
        let same = |region: Option<u32>| {
            region.and_then(level).is_none_or(|ground_level| (ground_level - road_level).abs() <= allowed)
        };
        let hole = &regions.list[inner as usize];
        let is_outline = wanted == RoadStyle::Outline || (!reported && same(ground) && same(infield));
        if is_outline && ((hole.filled_area - hole.area) as f64) < MIN_ENCLOSED * hole.area as f64 {
            broken.push(outer);
            lines.extend([road.region, inner]);
            continue;
        }
        lines.push(outer);
        lines.extend(&road.holes);
        if is_outline {
            road.style = RoadStyle::Outline;
        }
    }
    roads.retain(|road| !lines.contains(&road.region));
    broken
}

/// Handles outlines whose two lines are joined by a bar, such as a start line: the line is replaced
/// by a slender area inside it that encloses all other areas. The bar becomes a gap in the road,
/// which is found later.
fn mark_barred_outlines(grey: &Grey, histogram: &Histogram, regions: &Regions, wanted: RoadStyle, roads: &mut [Road]) {
    if !matches!(wanted, RoadStyle::Auto | RoadStyle::Outline) {
        return;
    }
    let of = |region: u32| &regions.list[region as usize];
    let level = |region: u32| median(grey, histogram, regions, region);
    for road in roads.iter_mut().filter(|road| road.style != RoadStyle::Outline && road.holes.len() > 1) {
        let line = of(road.region);
        let goes_round = |hole: u32| road.holes.iter().all(|&other| hole == other || encloses(of(hole), of(other)));
        // The inside of a loop also encloses the areas beside it: between a pit lane and the road, in a label. They
        // are small; the infield of a road is not.
        let has_infield = |hole: u32| {
            let others = road.holes.iter().filter(|&&other| other != hole);
            others.map(|&other| of(other).filled_area).sum::<u64>() as f64 >= MIN_ENCLOSED * of(hole).area as f64
        };
        let between = road.holes.iter().copied().find(|&hole| {
            let thin = line.mean_width() <= LINE_PX.max(LINE_FRACTION * of(hole).mean_width());
            thin && line.mean_width() < of(hole).mean_width()
                && of(hole).filled_slenderness() >= ROAD_SLENDERNESS
                && goes_round(hole)
                && has_infield(hole)
        });
        let (Some(between), Some(ground)) = (between, line.parent) else { continue };
        let (Some(road_level), Some(line_level)) = (level(between), level(road.region)) else { continue };
        let same = |region: u32| {
            level(region)
                .is_some_and(|level| (level - road_level).abs() <= SAME_LEVEL * (road_level - line_level).abs())
        };
        if wanted == RoadStyle::Outline || (same(ground) && road.holes.iter().all(|&hole| same(hole))) {
            *road = Road { region: between, holes: Vec::new(), style: RoadStyle::Outline };
        }
    }
}

/// Whether the bounding box of one region contains the other's with space on every side.
fn encloses(outer: &Region, inner: &Region) -> bool {
    let before = |a: Pixel, b: Pixel| a.column < b.column && a.row < b.row;
    before(outer.low, inner.low) && before(inner.high, outer.high)
}

/// Whether the boundaries of a road on either side are lines: narrower than the road, of similar
/// thickness, and at least one of them thin. Where two legs are parallel, their lines merge into a
/// thicker one.
fn lies_between_lines(regions: &Regions, outer: u32, road: &Road, wanted: RoadStyle) -> bool {
    let width = |region: u32| regions.list[region as usize].mean_width();
    let between = width(road.region);
    let widths = || road.holes.iter().chain([&outer]).map(|&line| width(line));
    let (thinner, thicker) = (widths().fold(f64::INFINITY, f64::min), widths().fold(0.0, f64::max));
    let reported = wanted == RoadStyle::Outline;
    thicker < between
        && (reported || (thinner <= LINE_PX.max(LINE_FRACTION * between) && thicker <= MAX_UNLIKE * thinner))
}

/// Removes lines and walls that merge where legs are parallel: they enclose several areas, like a
/// road that forks, but are thin compared with the slender ring that they bound.
fn without_merged_lines(regions: &Regions, roads: &mut Vec<Road>) {
    let of = |region: u32| &regions.list[region as usize];
    let is_line_of = |line: &Road, road: &Road| {
        let bounds = road.holes.contains(&line.region) || of(road.region).parent == Some(line.region);
        let thin = of(line.region).mean_width() <= LINE_PX.max(LINE_FRACTION * of(road.region).mean_width());
        bounds && thin && of(road.region).slenderness() >= ROAD_SLENDERNESS
    };
    let all = roads.clone();
    roads.retain(|line| line.holes.len() < 2 || !all.iter().any(|road| is_line_of(line, road)));
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

/// Number of shapes beside the road: regions that neither bound it, nor lie in it, nor are the
/// ground or the infield.
pub(super) fn others(regions: &Regions, road: &Road) -> usize {
    let of = |region: u32| &regions.list[region as usize];
    let mut around = vec![road.region];
    while let Some(parent) = around.last().and_then(|&last| of(last).parent) {
        around.push(parent);
    }
    let ground_is_light = around.last().is_some_and(|&outermost| of(outermost).light);
    let is_other = |&(index, region): &(usize, &Region)| {
        let index = index as u32;
        let bounds = road.holes.contains(&index) || around.contains(&index);
        let is_ground = region.border.is_some() && region.light == ground_is_light;
        // The ground of an outline or the unknown area of a grid, inside the inner line or wall.
        let hole = road.holes.iter().find(|&&hole| region.parent == Some(hole));
        let is_infield = hole.is_some_and(|&hole| region.filled_area * 2 > of(hole).filled_area);
        let is_beside = road.style == RoadStyle::Outline && region.parent == of(road.region).parent;
        !(bounds || is_ground || is_infield || is_beside || region.parent == Some(road.region))
    };
    regions.list.iter().enumerate().filter(is_other).count()
}

/// Keeps the most slender of rings with an edge in common: a page inside a frame, or an infield
/// enclosed by a road, is also a ring, but a wide one. Most slender first.
fn without_neighbours(regions: &Regions, mut roads: Vec<Road>) -> Vec<Road> {
    let slenderness = |road: &Road| regions.list[road.region as usize].slenderness();
    roads.sort_by(|a, b| slenderness(b).total_cmp(&slenderness(a)));
    let mut kept: Vec<Road> = Vec::new();
    for road in roads {
        let beside = |other: &Road| {
            regions.list[other.region as usize].parent == Some(road.region)
                || regions.list[road.region as usize].parent == Some(other.region)
        };
        if !kept.iter().any(beside) {
            kept.push(road);
        }
    }
    kept
}

/// Where a long, narrow region meets the picture's border.
fn at_border(regions: &Regions, wanted: RoadStyle) -> Option<Pixel> {
    let is_road =
        |region: &&Region| style_fits(region, wanted) && is_narrow(regions, region) && is_long(regions, region, true);
    let touching = regions.list.iter().filter(|region| region.border.is_some());
    touching.filter(is_road).max_by(|a, b| a.slenderness().total_cmp(&b.slenderness())).and_then(|region| region.border)
}

/// Whether a region occupies a small part of the picture's border; a ground occupies a large part.
pub(super) fn is_narrow(regions: &Regions, region: &Region) -> bool {
    let (width, height) = (f64::from(regions.size.0), f64::from(regions.size.1));
    f64::from(region.border_pixels) <= ROAD_BORDER_FRACTION * 2.0 * (width + height)
}

/// Whether a region is extended and long for its width, with its holes or, if it encloses none of
/// them, without.
fn is_long(regions: &Regions, region: &Region, goes_round: bool) -> bool {
    let slenderness = if goes_round { region.slenderness() } else { region.filled_slenderness() };
    let (width, height) = (f64::from(regions.size.0), f64::from(regions.size.1));
    region.diagonal() >= SMALLEST_ROAD_PX.max(ROAD_DIAGONAL_FRACTION * math::hypot(width, height))
        && slenderness >= ROAD_SLENDERNESS
}
