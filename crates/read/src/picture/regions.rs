//! A thresholded picture as a tree of nested regions.
//!
//! Rows are divided into runs of one colour, and runs that touch are united (union-find with the
//! lower label as root, so that labels are in raster order). Dark and light have opposite
//! connectivities: the rarer colour, with which thin lines are drawn, connects across corners, the
//! other does not. Therefore each region that does not touch the border is surrounded by exactly
//! one region of the other colour (A. Rosenfeld, "Adjacency in digital pictures", Information and
//! Control 26, 1974), and the regions form a tree.
//!
//! Runs are stored instead of pixels: a drawn picture has only a few per row.

use super::islands::slenderness;
use super::{Grey, Pixel};
use raceline_numerics::math;

/// More than one run per this many pixels means noise; labelling stops there to limit the memory.
const PIXELS_PER_RUN: usize = 6;

/// Number of runs that are always allowed, so that small pictures may be noisy.
const RUNS_ALWAYS_ALLOWED: usize = 1 << 16;

/// A horizontal stretch of one colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// First column.
    pub start: u32,
    /// Column after the last.
    pub end: u32,
    /// Index of the region it belongs to.
    pub region: u32,
}

/// A connected set of pixels of one colour.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// Whether its pixels lie above the threshold.
    pub light: bool,
    /// Number of its pixels.
    pub area: u64,
    /// Number of its pixels and of all that it surrounds.
    pub filled_area: u64,
    /// Number of pixel sides shared with regions of the other colour.
    pub cracks: u64,
    /// Number of those pixel sides that are shared with the surrounding region.
    pub outer_cracks: u64,
    /// Top-left pixel of the bounding box.
    pub low: Pixel,
    /// Bottom-right pixel of the bounding box.
    pub high: Pixel,
    /// First pixel on the picture's border, in raster order.
    pub border: Option<Pixel>,
    /// How many of its pixels lie on the picture's border.
    pub border_pixels: u32,
    /// The region that surrounds it; `None` for one at the border.
    pub parent: Option<u32>,
    first: Pixel,
}

impl Region {
    /// Length of its boundary, outer and inner, pixels. A line in a random direction crosses 4/π
    /// pixel sides per pixel.
    fn boundary(&self) -> f64 {
        self.cracks as f64 * std::f64::consts::FRAC_PI_4
    }

    /// Mean width of an elongated region, pixels.
    pub fn mean_width(&self) -> f64 {
        2.0 * self.area as f64 / self.boundary().max(1.0)
    }

    /// Length over width of an elongated region.
    pub fn slenderness(&self) -> f64 {
        self.boundary() / 2.0 / self.mean_width().max(1e-9)
    }

    /// Length over width of its shape with all its holes filled.
    pub fn filled_slenderness(&self) -> f64 {
        slenderness(self.outer_cracks as f64 * std::f64::consts::FRAC_PI_4, self.filled_area as f64)
    }

    /// Width and height of the bounding box, pixels.
    pub fn extent(&self) -> (u32, u32) {
        (self.high.column - self.low.column + 1, self.high.row - self.low.row + 1)
    }

    /// Diagonal of the bounding box, pixels.
    pub fn diagonal(&self) -> f64 {
        let (width, height) = self.extent();
        math::hypot(f64::from(width), f64::from(height))
    }

    /// Middle of the bounding box.
    pub fn middle(&self) -> Pixel {
        Pixel { column: (self.low.column + self.high.column) / 2, row: (self.low.row + self.high.row) / 2 }
    }
}

/// Every region of a picture at one threshold; parents come before their children.
pub(super) struct Regions {
    /// The regions in raster order of their first pixels.
    pub list: Vec<Region>,
    /// Width and height of the picture, pixels.
    pub size: (u32, u32),
    runs: Vec<Run>,
    /// `rows[r]..rows[r + 1]` are row r's runs.
    rows: Vec<usize>,
    /// The runs ordered by region, and for each region where its runs begin: one region is visited without
    /// the others in its rows, or nested rings would take the square of their number.
    by_region: Vec<u32>,
    starts: Vec<u32>,
}

impl Regions {
    /// Divides `grey` at `threshold`, above which values are light. `None` if the result is noise.
    pub fn new(grey: &Grey, threshold: u16) -> Option<Self> {
        let size = grey.dimensions();
        let max_runs = (grey.as_raw().len() / PIXELS_PER_RUN).max(RUNS_ALWAYS_ALLOWED);
        let (mut runs, mut rows) = (Vec::new(), vec![0]);
        let mut light_pixels = 0;
        let mut labels = Labels { parents: Vec::new() };
        let mut first_light = Vec::with_capacity(size.1 as usize);
        for row in grey.as_raw().chunks_exact(size.0 as usize) {
            first_light.push(row[0] > threshold);
            let mut light = row[0] > threshold;
            let mut start = 0;
            while start < row.len() {
                let rest = &row[start..];
                let length = rest.iter().position(|&v| (v > threshold) != light).unwrap_or(rest.len());
                light_pixels += if light { length } else { 0 };
                runs.push(Run { start: start as u32, end: (start + length) as u32, region: 0 });
                start += length;
                light = !light;
            }
            rows.push(runs.len());
            if runs.len() > max_runs {
                return None;
            }
        }
        let light_across_corners = light_pixels * 2 <= grey.as_raw().len();
        let mut list = Vec::new();
        for r in 0..rows.len() - 1 {
            let (above, current) = runs.split_at_mut(rows[r]);
            let above = if r == 0 { &[][..] } else { &above[rows[r - 1]..] };
            let current = &mut current[..rows[r + 1] - rows[r]];
            let row = Row { number: r as u32, light: first_light[r], above_light: r > 0 && first_light[r - 1] };
            row.join(current, above, light_across_corners, &mut labels, &mut list, size);
        }
        let mut regions = Self { list, size, runs, rows, by_region: Vec::new(), starts: Vec::new() };
        regions.settle(&mut labels);
        regions.order_runs();
        Some(regions)
    }

    /// The runs of row `row`.
    pub fn row(&self, row: u32) -> &[Run] {
        &self.runs[self.rows[row as usize]..self.rows[row as usize + 1]]
    }

    /// The runs of one region with their rows, in raster order. The work is that of these runs and of the
    /// region's rows.
    pub fn runs_of(&self, region: u32) -> impl Iterator<Item = (u32, Run)> + '_ {
        let own = self.starts[region as usize] as usize..self.starts[region as usize + 1] as usize;
        let mut row = self.list[region as usize].low.row;
        self.by_region[own].iter().map(move |&index| {
            while self.rows[row as usize + 1] <= index as usize {
                row += 1;
            }
            (row, self.runs[index as usize])
        })
    }

    /// The region that a pixel belongs to.
    pub fn at(&self, place: Pixel) -> u32 {
        let runs = self.row(place.row);
        let index = runs.partition_point(|run| run.end <= place.column);
        runs[index.min(runs.len() - 1)].region
    }

    /// Orders the runs by region; those of one region stay in raster order.
    fn order_runs(&mut self) {
        self.starts = vec![0; self.list.len() + 1];
        for run in &self.runs {
            self.starts[run.region as usize + 1] += 1;
        }
        for index in 1..self.starts.len() {
            self.starts[index] += self.starts[index - 1];
        }
        let mut next = self.starts.clone();
        self.by_region = vec![0; self.runs.len()];
        for (index, run) in (0..).zip(&self.runs) {
            let place = &mut next[run.region as usize];
            self.by_region[*place as usize] = index;
            *place += 1;
        }
    }

    /// Merges provisional regions into their roots, numbers the roots in order, and finds parents
    /// and filled areas.
    fn settle(&mut self, labels: &mut Labels) {
        let mut number = vec![0; self.list.len()];
        let mut roots: Vec<Region> = Vec::new();
        for (label, region) in std::mem::take(&mut self.list).into_iter().enumerate() {
            let root = labels.root(label as u32) as usize;
            if root == label {
                number[label] = roots.len() as u32;
                roots.push(region);
            } else {
                number[label] = number[root];
                roots[number[root] as usize].absorb(&region);
            }
        }
        for run in &mut self.runs {
            run.region = number[run.region as usize];
        }
        self.list = roots;
        for index in 0..self.list.len() {
            let region = &self.list[index];
            // The pixel above a region's first one lies outside its outer boundary, hence in the
            // surrounding region.
            if region.border.is_none() {
                let above = Pixel { column: region.first.column, row: region.first.row - 1 };
                self.list[index].parent = Some(self.at(above));
            }
        }
        for index in (0..self.list.len()).rev() {
            self.list[index].filled_area += self.list[index].area;
            // The sides shared with its children are subtracted.
            self.list[index].outer_cracks = self.list[index].cracks.saturating_sub(self.list[index].outer_cracks);
            if let Some(parent) = self.list[index].parent {
                self.list[parent as usize].filled_area += self.list[index].filled_area;
                self.list[parent as usize].outer_cracks += self.list[index].outer_cracks;
            }
        }
    }
}

impl Region {
    fn absorb(&mut self, other: &Self) {
        self.area += other.area;
        self.cracks += other.cracks;
        self.low.column = self.low.column.min(other.low.column);
        self.low.row = self.low.row.min(other.low.row);
        self.high.column = self.high.column.max(other.high.column);
        self.high.row = self.high.row.max(other.high.row);
        self.border_pixels += other.border_pixels;
        let raster = |place: Pixel| (place.row, place.column);
        self.border = match (self.border, other.border) {
            (Some(a), Some(b)) => Some(if raster(a) <= raster(b) { a } else { b }),
            (a, b) => a.or(b),
        };
    }
}

/// A row during labelling.
struct Row {
    number: u32,
    /// Colour of the row's first run; the following runs alternate.
    light: bool,
    above_light: bool,
}

impl Row {
    /// Assigns each run of the row a label: that of the runs above that it touches, or a new one.
    fn join(
        &self,
        current: &mut [Run],
        above: &[Run],
        light_across_corners: bool,
        labels: &mut Labels,
        list: &mut Vec<Region>,
        size: (u32, u32),
    ) {
        let mut next = 0;
        for index in 0..current.len() {
            let (start, end) = (current[index].start, current[index].end);
            let light = self.light == index.is_multiple_of(2);
            let reach = u32::from(light == light_across_corners);
            let mut label = None;
            let mut cracks = 0;
            while above.get(next).is_some_and(|run| run.end + reach <= start) {
                next += 1;
            }
            let mut j = next;
            while let Some(run) = above.get(j).filter(|run| run.start < end + reach) {
                let same = light == (self.above_light == j.is_multiple_of(2));
                if same {
                    label = Some(labels.unite(label.unwrap_or(run.region), run.region));
                } else {
                    let shared = u64::from(run.end.min(end).saturating_sub(run.start.max(start)));
                    cracks += shared;
                    list[run.region as usize].cracks += shared;
                }
                j += 1;
            }
            // A run that touches only this one's corner may also touch the next.
            next = j.saturating_sub(2).max(next);
            let sides = u64::from(index > 0) + u64::from(index + 1 < current.len());
            let piece = self.region(start, end, light, cracks + sides, size);
            current[index].region = match label {
                Some(label) => {
                    list[label as usize].absorb(&piece);
                    label
                }
                None => {
                    list.push(piece);
                    labels.fresh()
                }
            };
        }
    }

    fn region(&self, start: u32, end: u32, light: bool, cracks: u64, (width, height): (u32, u32)) -> Region {
        let low = Pixel { column: start, row: self.number };
        let whole = self.number == 0 || self.number + 1 == height;
        let border_pixels = if whole { end - start } else { u32::from(start == 0) + u32::from(end == width) };
        let border =
            (border_pixels > 0).then_some(if whole || start == 0 { low } else { Pixel { column: end - 1, ..low } });
        Region {
            light,
            area: u64::from(end - start),
            filled_area: 0,
            cracks,
            outer_cracks: 0,
            low,
            high: Pixel { column: end - 1, row: self.number },
            border,
            border_pixels,
            parent: None,
            first: low,
        }
    }
}

/// Union-find over provisional labels.
struct Labels {
    parents: Vec<u32>,
}

impl Labels {
    fn fresh(&mut self) -> u32 {
        let label = self.parents.len() as u32;
        self.parents.push(label);
        label
    }

    fn root(&mut self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            let up = self.parents[self.parents[label as usize] as usize];
            self.parents[label as usize] = up;
            label = up;
        }
        label
    }

    fn unite(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
        a.min(b)
    }
}
