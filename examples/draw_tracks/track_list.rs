//! The tracks. All coordinates are metres; corners are x, y and radius in the order of travel.

use super::centre_line::{CentreLine, Corner};
use super::lettering::Title;
use super::picture::{Style, TrackDrawing};

/// All tracks, in the order of their names in the documentation.
pub fn tracks() -> Result<Vec<TrackDrawing>, String> {
    Ok(vec![oval()?, stadium()?, club()?, street()?, hairpin()?, outline()?, grid()?, kart()?, eight()?])
}

/// What nearly all tracks have in common: a grey road on a darker ground at half a metre a pixel.
fn plain(name: &'static str, corners: &[Corner], width: f64, size_px: [u32; 2]) -> Result<TrackDrawing, String> {
    let line = CentreLine::rounded(corners).map_err(|message| format!("{name}: {message}"))?;
    Ok(TrackDrawing {
        name,
        comments: Vec::new(),
        line,
        width,
        width_swing: 0.0,
        width_waves: 0.0,
        metres_per_pixel: 0.5,
        size_px,
        origin: [0.0, 0.0],
        style: Style::Filled { road: [255; 3], ground: [0; 3] },
        title: None,
        options: "vehicle = \"tum-racecar\"\n",
    })
}

fn oval() -> Result<TrackDrawing, String> {
    let corners = [[40.0, 45.0, 70.0], [420.0, 40.0, 80.0], [410.0, 250.0, 90.0], [50.0, 240.0, 85.0]];
    Ok(TrackDrawing {
        comments: vec!["An oval of four unequal corners, light road on dark ground.".into()],
        width_swing: 2.0,
        width_waves: 2.0,
        style: Style::Filled { road: [225; 3], ground: [45; 3] },
        ..plain("oval", &corners, 14.0, [920, 580])?
    })
}

/// Length of the stadium's straights, radius of its half circles.
const STADIUM: (f64, f64) = (300.0, 60.0);

fn stadium() -> Result<TrackDrawing, String> {
    let (straight, radius) = STADIUM;
    let (left, right) = (240.0 - straight / 2.0 - radius, 240.0 + straight / 2.0 + radius);
    let (low, high) = (80.0 - radius, 80.0 + radius);
    let corners = [[left, low, radius], [right, low, radius], [right, high, radius], [left, high, radius]];
    Ok(TrackDrawing {
        comments: vec![
            format!(
                "A stadium: two straights of {straight} m and two half circles of {radius} m about (90, 80) and (390, 80)."
            ),
            "With a margin of 1.7 m the shortest line has half circles of 55.7 m: 949.973 m.".into(),
        ],
        ..plain("stadium", &corners, 12.0, [960, 320])?
    })
}

fn club() -> Result<TrackDrawing, String> {
    let corners = [
        [90.0, 80.0, 30.0],
        [700.0, 80.0, 40.0],
        [735.0, 320.0, 40.0],
        [430.0, 240.0, 14.0],
        [720.0, 490.0, 45.0],
        [400.0, 510.0, 40.0],
        [350.0, 450.0, 15.0],
        [290.0, 490.0, 15.0],
        [80.0, 450.0, 60.0],
        [100.0, 290.0, 40.0],
        [240.0, 250.0, 35.0],
    ];
    Ok(TrackDrawing {
        comments: vec!["A club circuit with a hairpin, a chicane and a long straight; light road on green.".into()],
        metres_per_pixel: 0.8,
        width_swing: 1.0,
        width_waves: 3.0,
        style: Style::Filled { road: [222, 222, 216], ground: [38, 66, 40] },
        ..plain("club", &corners, 12.0, [1000, 700])?
    })
}

fn street() -> Result<TrackDrawing, String> {
    let corners = [
        [60.0, 50.0],
        [60.0, 200.0],
        [180.0, 200.0],
        [180.0, 310.0],
        [440.0, 310.0],
        [440.0, 240.0],
        [340.0, 240.0],
        [340.0, 150.0],
        [440.0, 150.0],
        [440.0, 50.0],
    ]
    .map(|[x, y]| [x, y, 9.0]);
    Ok(TrackDrawing {
        comments: vec!["A street course of right angles: a dark stroke on paper with a title beside it.".into()],
        style: Style::Filled { road: [40, 40, 46], ground: [243, 241, 233] },
        title: Some(Title::new("HAVEN", [95.0, 95.0], 46.0, 5.0)?),
        ..plain("street", &corners, 10.0, [1000, 720])?
    })
}

fn hairpin() -> Result<TrackDrawing, String> {
    let corners = [
        [25.0, 25.0, 15.0],
        [228.0, 25.0, 15.0],
        [228.0, 70.0, 10.0],
        [75.0, 72.0, 4.0],
        [226.0, 120.0, 12.0],
        [228.0, 155.0, 10.0],
        [25.0, 155.0, 15.0],
    ];
    Ok(TrackDrawing {
        comments: vec![
            "A hairpin whose centre line has a radius of 4 m on a road 11 m wide: its inner edge has a corner.".into(),
        ],
        metres_per_pixel: 0.25,
        ..plain("hairpin", &corners, 11.0, [1010, 720])?
    })
}

fn outline() -> Result<TrackDrawing, String> {
    let corners = [
        [60.0, 60.0, 30.0],
        [60.0, 290.0, 45.0],
        [180.0, 305.0, 30.0],
        [200.0, 190.0, 22.0],
        [290.0, 200.0, 22.0],
        [330.0, 300.0, 30.0],
        [440.0, 290.0, 45.0],
        [450.0, 90.0, 35.0],
        [370.0, 60.0, 25.0],
        [300.0, 130.0, 25.0],
        [250.0, 50.0, 35.0],
    ];
    Ok(TrackDrawing {
        comments: vec!["A winding circuit as two thin lines of 1.5 pixels.".into()],
        width_swing: 1.5,
        width_waves: 4.0,
        style: Style::Outline { line: [30; 3], ground: [236; 3], line_px: 1.5 },
        ..plain("outline", &corners, 12.0, [1000, 700])?
    })
}

fn grid() -> Result<TrackDrawing, String> {
    let corners = [
        [5.0, 5.0, 2.5],
        [34.0, 5.0, 2.5],
        [35.0, 25.0, 3.0],
        [24.0, 25.5, 2.2],
        [22.0, 14.0, 2.0],
        [14.0, 14.0, 2.0],
        [13.0, 25.0, 2.2],
        [5.0, 24.0, 2.5],
    ];
    Ok(TrackDrawing {
        comments: vec!["A corridor as occupancy grid at robot scale; grid.yaml says the same for map_server.".into()],
        metres_per_pixel: 0.05,
        origin: [-12.5, -8.0],
        style: Style::Grid { free: 254, wall: 0, unknown: 205, wall_px: 3.0 },
        options: "vehicle = \"robot-car\"\n",
        ..plain("grid", &corners, 2.4, [800, 600])?
    })
}

/// Two lobes of unequal size round a crossing at grade: the left one is driven counter-clockwise,
/// the right one clockwise.
fn eight() -> Result<TrackDrawing, String> {
    let corners = [[70.0, 70.0, 45.0], [500.0, 270.0, 60.0], [500.0, 60.0, 60.0], [70.0, 230.0, 45.0]];
    Ok(TrackDrawing {
        comments: vec![
            "A figure-eight with a crossing at grade: straights and circular arcs, light road on dark ground.".into(),
        ],
        ..plain("eight", &corners, 12.0, [1120, 640])?
    })
}

fn kart() -> Result<TrackDrawing, String> {
    let corners = [
        [18.0, 18.0, 12.0],
        [18.0, 118.0, 9.0],
        [46.0, 118.0, 8.0],
        [50.0, 50.0, 8.0],
        [85.0, 60.0, 8.0],
        [72.0, 122.0, 9.0],
        [178.0, 122.0, 12.0],
        [180.0, 86.0, 9.0],
        [105.0, 80.0, 8.0],
        [110.0, 50.0, 8.0],
        [182.0, 55.0, 9.0],
        [182.0, 18.0, 10.0],
    ];
    // Everything is proportional, so one factor makes the lap a kilometre.
    let factor = 1000.0 / CentreLine::rounded(&corners)?.length();
    Ok(TrackDrawing {
        comments: vec!["A kart track of one kilometre.".into()],
        metres_per_pixel: 0.25,
        style: Style::Filled { road: [70, 70, 74], ground: [196, 205, 176] },
        options: "vehicle = \"kart\"\n",
        ..plain("kart", &corners.map(|corner| corner.map(|value| value * factor)), 8.0, [1040, 740])?
    })
}
