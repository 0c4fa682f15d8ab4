//! A track and its files: picture, sidecar TOML and, for an occupancy grid, the map server's YAML.

use std::f64::consts::TAU;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

use super::centre_line::{CentreLine, Point};
use super::coverage::{Depth, covered};
use super::lettering::Title;

/// A colour, red, green and blue.
pub type Colour = [u8; 3];

/// How a track is drawn.
#[derive(Clone, Debug)]
pub enum Style {
    /// The road in one colour, the ground in another.
    Filled { road: Colour, ground: Colour },
    /// Two lines of `line_px` pixels centred on the road's edges.
    Outline { line: Colour, ground: Colour, line_px: f64 },
    /// Free space, walls of `wall_px` pixels outside it, unknown beyond; no anti-aliasing, as a
    /// mapper saves it.
    Grid { free: u8, wall: u8, unknown: u8, wall_px: f64 },
}

/// A track with everything that its files contain.
#[derive(Clone, Debug)]
pub struct TrackDrawing {
    /// Name of the files.
    pub name: &'static str,
    /// The comment that its TOML begins with; a line each.
    pub comments: Vec<String>,
    /// In picture metres: (0, 0) is the lower left corner.
    pub line: CentreLine,
    /// Mean width of the road, metres.
    pub width: f64,
    /// How far the width rises and falls about the mean, metres.
    pub width_swing: f64,
    /// How often it does so in a lap.
    pub width_waves: f64,
    /// Metres a pixel.
    pub metres_per_pixel: f64,
    /// Width and height of the picture, pixels.
    pub size_px: [u32; 2],
    /// World position of the lower left corner, metres; only where a YAML specifies it.
    pub origin: Point,
    /// How it is drawn.
    pub style: Style,
    /// A title beside the road.
    pub title: Option<Title>,
    /// Further lines of the TOML.
    pub options: &'static str,
}

impl TrackDrawing {
    /// The files by their ending.
    pub fn files(&self) -> Result<Vec<(&'static str, Vec<u8>)>, image::ImageError> {
        let mut files = vec![("png", self.png()?), ("toml", self.toml().into_bytes())];
        if matches!(self.style, Style::Grid { .. }) {
            files.push(("yaml", self.yaml().into_bytes()));
        }
        Ok(files)
    }

    fn depth(&self, p: Point) -> Depth {
        let length = self.line.length();
        let half_width =
            |along: f64| (self.width + self.width_swing * (TAU * self.width_waves * along / length).cos()) / 2.0;
        let (depth, foot) = self.line.deepest(p, half_width);
        (depth, [-foot.away[0], -foot.away[1]])
    }

    /// The colour of the pixel whose centre is `p`.
    fn colour(&self, p: Point) -> Colour {
        let pixel = self.metres_per_pixel;
        let road = |threshold: f64| covered(p, pixel, threshold, &|q| self.depth(q));
        let title = self.title.as_ref().map_or(0.0, |title| covered(p, pixel, 0.0, &|q| title.depth(q)));
        match self.style {
            Style::Filled { road: colour, ground } => mix(ground, colour, road(0.0).max(title)),
            Style::Outline { line, ground, line_px } => {
                let half = line_px / 2.0 * pixel;
                mix(ground, line, (road(-half) - road(half)).max(title))
            }
            Style::Grid { free, wall, unknown, wall_px } => {
                let (depth, _) = self.depth(p);
                let value = if depth > 0.0 {
                    free
                } else if depth > -wall_px * pixel {
                    wall
                } else {
                    unknown
                };
                [value; 3]
            }
        }
    }

    fn png(&self) -> Result<Vec<u8>, image::ImageError> {
        let [width, height] = self.size_px;
        let place = |column: u32, row: u32| {
            let (x, y) = (f64::from(column) + 0.5, f64::from(height - row) - 0.5);
            [x * self.metres_per_pixel, y * self.metres_per_pixel]
        };
        let pixels: Vec<Colour> = (0..height)
            .flat_map(|row| (0..width).map(move |column| (column, row)))
            .map(|(c, r)| self.colour(place(c, r)))
            .collect();
        let grey = pixels.iter().all(|[r, g, b]| r == g && g == b);
        let (bytes, kind): (Vec<u8>, _) = if grey {
            (pixels.iter().map(|p| p[0]).collect(), ExtendedColorType::L8)
        } else {
            (pixels.into_iter().flatten().collect(), ExtendedColorType::Rgb8)
        };
        let mut file = Vec::new();
        PngEncoder::new_with_quality(&mut file, CompressionType::Best, FilterType::Adaptive)
            .write_image(&bytes, width, height, kind)?;
        Ok(file)
    }

    fn toml(&self) -> String {
        let mut text = String::new();
        for comment in &self.comments {
            text += &format!("# {comment}\n");
        }
        text += &format!("# Centre line {:.3} m, road {} m wide", self.line.length(), self.width);
        if self.width_swing > 0.0 {
            text += &format!(" on average, {} to {} m", self.width - self.width_swing, self.width + self.width_swing);
        }
        text += ".\n";
        text += &format!("metres_per_pixel = {:?}\n", self.metres_per_pixel);
        if matches!(self.style, Style::Grid { .. }) {
            text += &format!("origin_m = [{:?}, {:?}]\n", self.origin[0], self.origin[1]);
        }
        let [x, y] = self.line.middle_of_longest_straight();
        text += &format!("start = [{:.2}, {:.2}]\n", x + self.origin[0], y + self.origin[1]);
        let direction = if self.line.is_counter_clockwise() { "counterclockwise" } else { "clockwise" };
        text += &format!("direction = \"{direction}\"\n{}", self.options);
        text
    }

    fn yaml(&self) -> String {
        format!(
            "image: {}.png\nresolution: {:?}\norigin: [{:?}, {:?}, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n",
            self.name, self.metres_per_pixel, self.origin[0], self.origin[1]
        )
    }
}

fn mix(ground: Colour, paint: Colour, fraction: f64) -> Colour {
    std::array::from_fn(|i| {
        let (from, to) = (f64::from(ground[i]), f64::from(paint[i]));
        (from + (to - from) * fraction).round() as u8
    })
}
