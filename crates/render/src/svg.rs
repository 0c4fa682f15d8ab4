//! A picture of a racing line, or of several: road, edges, candidates, the line coloured by speed
//! or another quantity, braking zones, corners, legend.
//!
//! Equal lines give equal bytes on every machine: no text is measured with a font, and
//! [`png`](super::png) uses its own font.

use super::backdrop::Backdrop;
use super::colour_scale::{ColourBy, ColourScale};
use super::corner_marks::{self, Ground};
use super::error::RenderError;
use super::layout::{Layout, MIN_SIDE_PX, NOMINAL_WIDTH};
use super::legend::{Entry, Legend, Sample, lap_time_text};
use super::markup::Markup;
use super::palette::{Background, Theme, plain_style};
use super::passed::PassedCounts;
use super::road_marks::RoadMarks;
use super::scene::{PlainLine, Scene};
use super::strip_chart::{self, CHART_HEIGHT, StripChart};
use raceline::RacingLine;
use raceline::analysis::{AnalysisOptions, analyse, braking_zones};
use raceline_file::ConstraintKind;

/// Opacity of the road's surface over a background picture.
const ROAD_OVER_PICTURE: f64 = 0.6;

/// Options of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderOptions {
    /// The quantity that the first line's colour shows. Default: speed.
    pub colour_by: ColourBy,
    /// Width, pixels, 240 to 16384. Default: 1600.
    pub width_px: u32,
    /// Height, pixels, 240 to 16384. Default: from the road's extent at that width.
    pub height_px: Option<u32>,
    /// Whether the cross-sections are drawn; the first line must then contain them. Default: no.
    pub sections: bool,
    /// Whether candidates whose points the lines contain are drawn. Default: yes.
    pub candidates: bool,
    /// Whether the first line's apexes and corner numbers are drawn. A number for which there is no
    /// space beside the road is skipped. Default: yes.
    pub corners: bool,
    /// Whether the first line's braking zones are drawn. Default: yes.
    pub braking: bool,
    /// Whether the steering, pedal, sideslip and yaw rate of a first line that has them are drawn below the
    /// map. Default: no.
    pub inputs: bool,
    /// Whether the first line is a driven lap of the second, as of
    /// [`driven_lap`](raceline::analysis::driven_lap): the legend states it. Default: no.
    pub driven: bool,
    /// The background. Default: light.
    pub background: Background,
    /// A picture behind the map. Default: none.
    pub backdrop: Option<Backdrop>,
    /// Obstacles, paths of other vehicles and contacts. Default: none.
    pub marks: RoadMarks,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            colour_by: ColourBy::Speed,
            width_px: 1600,
            height_px: None,
            sections: false,
            candidates: true,
            corners: true,
            braking: true,
            inputs: false,
            driven: false,
            background: Background::Light,
            backdrop: None,
            marks: RoadMarks::default(),
        }
    }
}

/// The SVG of `lines`. The first is coloured and names the picture; the rest are drawn dashed,
/// one colour each.
///
/// # Errors
/// No line, a size out of range, lines without extent, cross-sections that are to be drawn but
/// missing, and a deviation from a line that is missing or lies elsewhere.
pub fn render(lines: &[RacingLine], options: &RenderOptions) -> Result<String, RenderError> {
    let (first, others) = lines.split_first().ok_or(RenderError::NoLine)?;
    if options.sections && first.sections.is_empty() {
        return Err(RenderError::NoSections { name: first.name.clone() });
    }
    let theme = Theme::of(options.background);
    let scale = ColourScale::new(first, others.first(), options.colour_by)?;
    let corners = if options.corners {
        analyse(first, &AnalysisOptions::default()).map_err(|error| RenderError::analysis(first, error))?.corners
    } else {
        Vec::new()
    };
    let zones = if options.braking { braking_zones(first) } else { Vec::new() };
    let (plain_lines, mut entries) = contents(first, others, options);
    if !zones.is_empty() {
        entries.push(Entry { sample: Sample::Braking, text: "braking".to_owned() });
    }
    if !corners.is_empty() {
        entries.push(Entry { sample: Sample::Corner, text: "corners and apexes".to_owned() });
    }
    // A line with the same edges requires no second road.
    let roads: Vec<&RacingLine> = lines
        .iter()
        .enumerate()
        .filter(|&(index, line)| lines[..index].iter().all(|before| before.edges != line.edges))
        .map(|(_, line)| line)
        .collect();
    entries.extend(passed_entries(PassedCounts::of(&roads)));
    entries.extend(mark_entries(&options.marks));
    let nominal_unit = f64::from(options.width_px) / NOMINAL_WIDTH;
    let chart_px = (CHART_HEIGHT * nominal_unit).ceil() as u32;
    let mut charts: Vec<StripChart> =
        StripChart::speed_ratio(&scale).or_else(|| StripChart::elevation(first)).into_iter().collect();
    if options.inputs {
        charts.extend(StripChart::of_car(first));
    }
    if let Some(height_px) = options.height_px {
        // Half of the picture is for the map, and never less than a map needs; but one chart is always drawn.
        let room_px = (height_px / 2).min(height_px.saturating_sub(MIN_SIDE_PX));
        charts.truncate(((room_px / chart_px.max(1)) as usize).max(1));
    }
    let charts_px = chart_px * charts.len() as u32;
    let map_height_px = options.height_px.map(|height| height.saturating_sub(charts_px));
    let layout = Layout::new(options.width_px, map_height_px, extent(lines)?, entries.len())?;
    let road_opacity = if options.backdrop.is_some() { ROAD_OVER_PICTURE } else { 1.0 };
    let scene = Scene { layout: &layout, theme: &theme, road_opacity };
    let legend = Legend { layout: &layout, theme: &theme };

    let mut markup = Markup::new(layout.width_px, layout.height_px + charts_px, theme.page);
    if let Some(backdrop) = &options.backdrop {
        backdrop.draw(&mut markup, &layout);
    }
    for road in &roads {
        scene.road(&mut markup, road);
    }
    if options.sections {
        scene.sections(&mut markup, first);
    }
    scene.marks(&mut markup, &options.marks);
    if !zones.is_empty() {
        scene.braking(&mut markup, first, &zones);
    }
    for line in &plain_lines {
        scene.plain(&mut markup, line);
    }
    scene.coloured(&mut markup, first, &scale);
    for road in &roads {
        scene.passed(&mut markup, road);
    }
    let taken = scene.start(&mut markup, first, &roads);
    if !corners.is_empty() {
        corner_marks::draw(&mut markup, first, &corners, Ground::new(&layout, &roads, taken), &layout, &theme);
    }
    scene.contacts(&mut markup, &options.marks);
    legend.title(&mut markup, first);
    legend.scale(&mut markup, &scale);
    legend.entries(&mut markup, &entries, &scale.colours);
    legend.scale_bar(&mut markup);
    for (i, chart) in charts.iter().enumerate() {
        let place = (f64::from(layout.height_px + chart_px * i as u32), f64::from(layout.width_px), nominal_unit);
        strip_chart::draw(&mut markup, first, chart, place, &theme);
    }
    Ok(markup.finish())
}

/// The plain lines and the legend's rows.
fn contents(first: &RacingLine, others: &[RacingLine], options: &RenderOptions) -> (Vec<PlainLine>, Vec<Entry>) {
    let row = |sample: Sample, name: &str, lap_time_s: f64| Entry {
        sample,
        text: format!("{name}  {}", lap_time_text(lap_time_s)),
    };
    let mut lines = Vec::new();
    let first_name = if options.driven { "driven" } else { first.method.name() };
    let mut entries = vec![row(Sample::Coloured, first_name, first.lap_time_s)];
    if options.candidates {
        // The candidates contain the selected line too.
        for candidate in first.candidates.iter().filter(|c| c.method != first.method && !c.line.is_empty()) {
            let style = plain_style(lines.len());
            entries.push(row(Sample::Plain(style), candidate.method.name(), candidate.lap_time_s));
            lines.push(PlainLine { points: candidate.line.clone(), closed: first.closed, style });
        }
    }
    for other in others {
        let style = plain_style(lines.len());
        let name = if options.driven && lines.is_empty() {
            other.method.name().to_owned()
        } else if other.name == first.name {
            format!("{}, {}", other.method.name(), other.vehicle.name)
        } else {
            format!("{}, {}", other.name, other.method.name())
        };
        entries.push(row(Sample::Plain(style), &name, other.lap_time_s));
        let points = other.points.iter().map(|point| [point.x_m, point.y_m]).collect();
        lines.push(PlainLine { points, closed: other.closed, style });
    }
    if options.sections {
        entries.push(Entry { sample: Sample::Section, text: "cross-sections".to_owned() });
    }
    entries.push(Entry { sample: Sample::Start, text: "start and direction".to_owned() });
    (lines, entries)
}

/// The legend's rows of the obstacles, pick-ups, pins, speed caps and regions that the lines' options list.
fn passed_entries(counts: PassedCounts) -> impl Iterator<Item = Entry> {
    let rows = [
        (counts.obstacles, Sample::Passed, "obstacle", "passed"),
        (counts.pick_ups_taken, Sample::PickUp { taken: true }, "pick-up", "taken"),
        (counts.pick_ups_left, Sample::PickUp { taken: false }, "pick-up", "left"),
        (counts.pins, Sample::Pin, "pin", "passed"),
        (counts.caps, Sample::SpeedCap, "speed cap", "kept"),
        (counts.grip, Sample::Region(ConstraintKind::Grip), "grip area", "passed"),
        (counts.no_go, Sample::Region(ConstraintKind::NoGo), "no-go area", "avoided"),
    ];
    rows.into_iter().filter(|&(count, ..)| count > 0).map(|(count, sample, noun, done)| {
        let plural = if count == 1 { "" } else { "s" };
        Entry { sample, text: format!("{count} {noun}{plural} {done}") }
    })
}

/// The legend's rows of what else is on the road.
fn mark_entries(marks: &RoadMarks) -> impl Iterator<Item = Entry> {
    let rows = [
        (marks.paths_m.len(), Sample::Path, "other vehicle"),
        (marks.obstacles_m.len(), Sample::Obstacle, "obstacle"),
        (marks.contacts_m.len(), Sample::Contact, "contact"),
    ];
    rows.into_iter().filter(|&(count, ..)| count > 0).map(|(count, sample, noun)| {
        let plural = if count == 1 { "" } else { "s" };
        Entry { sample, text: format!("{count} {noun}{plural}") }
    })
}

/// The corners of the rectangle round every edge and point, metres. A side that is very short
/// compared with the other, as of a straight road, is lengthened to limit the picture's aspect
/// ratio.
fn extent(lines: &[RacingLine]) -> Result<([f64; 2], [f64; 2]), RenderError> {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for line in lines {
        let edges = line.edges.left.iter().chain(&line.edges.right).copied();
        for vertex in edges.chain(line.points.iter().map(|point| [point.x_m, point.y_m])) {
            for axis in 0..2 {
                low[axis] = low[axis].min(vertex[axis]);
                high[axis] = high[axis].max(vertex[axis]);
            }
        }
    }
    let longest = (high[0] - low[0]).max(high[1] - low[1]);
    if !(longest.is_finite() && longest > 0.0) {
        return Err(RenderError::NoExtent { name: lines[0].name.clone() });
    }
    for axis in 0..2 {
        let missing = (longest / 4.0 - (high[axis] - low[axis])).max(0.0);
        low[axis] -= missing / 2.0;
        high[axis] += missing / 2.0;
    }
    Ok((low, high))
}
