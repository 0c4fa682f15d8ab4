//! A photograph of a road from above, drawn with known edges: two straights and two half circles,
//! or two circles joined by two legs side by side.

use image::{Rgb, RgbImage};

/// Samples a pixel side.
const SAMPLES: u32 = 4;

/// What is drawn; lengths in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Photograph {
    pub size: (u32, u32),
    /// Half the length of the straights.
    pub half_straight: f64,
    /// Radius of the centre line in the half circles.
    pub radius: f64,
    pub road_width: f64,
    /// Distance of the centre lines of two legs side by side, which join two circles that stand
    /// `half_straight` from the middle. Without it, the road is two straights and two half circles.
    pub waist: Option<f64>,
    /// Radius of the bends between the legs and the circles.
    pub fillet: f64,
    /// Width of a kerb along the inner edge of the upper leg.
    pub leg_kerb: f64,
    /// By how much the picture is turned, radians.
    pub turn: f64,
    /// Width of the edge lines; their middles are the edges.
    pub line_width: f64,
    pub asphalt: [f64; 3],
    pub ground: [f64; 3],
    /// Kerbs along the left half circle, outside the edge.
    pub kerbs: bool,
    /// Shadows across the road and over its edges, as a fraction of the light.
    pub shadow: Option<f64>,
    /// A white line right across the road.
    pub start_line: bool,
    /// Cars on the road.
    pub cars: bool,
    /// Standard deviation of each channel's noise, levels.
    pub noise: f64,
    pub seed: u32,
}

impl Default for Photograph {
    fn default() -> Self {
        Self {
            size: (480, 320),
            half_straight: 110.3,
            radius: 90.4,
            road_width: 24.6,
            waist: None,
            fillet: 50.0,
            leg_kerb: 0.0,
            turn: 0.0,
            line_width: 0.8,
            asphalt: [98.0, 99.0, 103.0],
            ground: [70.0, 106.0, 56.0],
            kerbs: false,
            shadow: None,
            start_line: false,
            cars: false,
            noise: 4.0,
            seed: 1,
        }
    }
}

impl Photograph {
    fn centre(&self) -> (f64, f64) {
        (f64::from(self.size.0) / 2.0 + 0.37, f64::from(self.size.1) / 2.0 - 0.21)
    }

    /// A point of the picture before it was turned.
    fn turned_back(&self, x: f64, y: f64) -> (f64, f64) {
        let (cx, cy) = self.centre();
        let (sine, cosine) = self.turn.sin_cos();
        let (dx, dy) = (x - cx, y - cy);
        (cx + dx * cosine + dy * sine, cy + dy * cosine - dx * sine)
    }

    /// Distance of a point from the centre line, positive outside.
    pub fn off_centre(&self, x: f64, y: f64) -> f64 {
        let (x, y) = self.turned_back(x, y);
        self.off_centre_before_turning(x, y)
    }

    fn off_centre_before_turning(&self, x: f64, y: f64) -> f64 {
        let (cx, cy) = self.centre();
        let Some(waist) = self.waist else {
            let along = (x - cx).clamp(-self.half_straight, self.half_straight);
            return (x - cx - along).hypot(y - cy) - self.radius;
        };
        // By symmetry one quarter: the leg, the bend beside it, the circle.
        let (x, y) = ((x - cx).abs(), (y - cy).abs());
        let above = waist / 2.0 + self.fillet;
        let end = self.leg_end(waist);
        let (right, up) = (x - end, y - above);
        if right <= 0.0 {
            y - waist / 2.0
        } else if right * above + up * (self.half_straight - end) <= 0.0 {
            self.fillet - right.hypot(up)
        } else {
            (x - self.half_straight).hypot(y) - self.radius
        }
    }

    /// Where a leg ends and the bend begins, from the middle.
    fn leg_end(&self, waist: f64) -> f64 {
        let (apart, above) = (self.radius + self.fillet, waist / 2.0 + self.fillet);
        self.half_straight - (apart * apart - above * above).sqrt()
    }

    /// Length of the centre line.
    pub fn length(&self) -> f64 {
        let Some(waist) = self.waist else {
            return 4.0 * self.half_straight + std::f64::consts::TAU * self.radius;
        };
        let slope = ((waist / 2.0 + self.fillet) / (self.radius + self.fillet)).asin();
        let bend = self.fillet * (std::f64::consts::FRAC_PI_2 - slope);
        4.0 * (self.leg_end(waist) + bend + self.radius * (std::f64::consts::PI - slope))
    }

    /// Area of the road.
    pub fn area(&self) -> f64 {
        self.road_width * self.length()
    }

    /// The colour at a point, without noise.
    fn colour(&self, x: f64, y: f64) -> [f64; 3] {
        let (cx, cy) = self.centre();
        let (x, y) = self.turned_back(x, y);
        let off_centre = self.off_centre_before_turning(x, y);
        let beyond = off_centre.abs() - self.road_width / 2.0;
        let is_leg_kerb = off_centre < 0.0 && y < cy && beyond < self.leg_kerb && (x - cx).abs() < self.half_straight;
        let on_lower = y > cy && beyond < 0.0;
        let mut colour = if beyond.abs() < self.line_width / 2.0 {
            [232.0; 3]
        } else if beyond < 0.0 {
            let texture = 5.0 * self.blotch(x, y, 3.0, 0) + 5.0 * self.blotch(x, y, 50.0, 1);
            self.asphalt.map(|v| v + texture)
        } else if self.kerbs && beyond < 2.6 && x < cx - self.half_straight {
            let red = ((y / 4.0).floor() as i64).rem_euclid(2) == 0;
            if red { [190.0, 40.0, 40.0] } else { [226.0; 3] }
        } else if is_leg_kerb {
            let red = ((x / 3.2).floor() as i64).rem_euclid(2) == 0;
            if red { [190.0, 40.0, 40.0] } else { [226.0; 3] }
        } else {
            let texture = 10.0 * self.blotch(x, y, 30.0, 2) + 8.0 * self.blotch(x, y, 5.0, 3);
            let tint = 8.0 * self.blotch(x, y, 40.0, 4);
            [self.ground[0] + texture + tint, self.ground[1] + 1.2 * texture, self.ground[2] + 0.7 * texture - tint]
        };
        if self.start_line && on_lower && (x - cx).abs() < 1.5 {
            colour = [232.0; 3];
        }
        let car = |at_x: f64, at_y: f64| (x - at_x).abs() < 4.5 && (y - at_y).abs() < 2.2;
        if self.cars && car(cx - 60.0, cy + self.radius + 3.0) {
            colour = [30.0, 60.0, 160.0];
        }
        if self.cars && car(cx + 70.0, cy - self.radius - 5.0) {
            colour = [24.0, 24.0, 28.0];
        }
        if let Some(light) = self.shadow {
            let tree = |at_x: f64, at_y: f64, r: f64| (x - at_x).hypot(y - at_y) < r;
            let shaded = tree(cx + 30.0, cy - self.radius - 18.0, 14.0)
                || tree(cx - 70.0, cy + self.radius - 16.0, 11.0)
                || (x - cx + 40.0 - 0.3 * (y - cy)).abs() < 7.0;
            if shaded {
                colour = colour.map(|v| v * light);
            }
        }
        colour
    }

    /// Smooth random values from -1 to 1 with bumps of about `scale` pixels.
    fn blotch(&self, x: f64, y: f64, scale: f64, layer: u32) -> f64 {
        let (x, y) = (x / scale, y / scale);
        let (column, row) = (x.floor(), y.floor());
        let ease = |t: f64| t * t * (3.0 - 2.0 * t);
        let (right, below) = (ease(x - column), ease(y - row));
        let at = |i: f64, j: f64| self.random((column + i) as i64 as u32, (row + j) as i64 as u32, layer) * 2.0 - 1.0;
        let top = at(0.0, 0.0) * (1.0 - right) + at(1.0, 0.0) * right;
        let bottom = at(0.0, 1.0) * (1.0 - right) + at(1.0, 1.0) * right;
        top * (1.0 - below) + bottom * below
    }

    /// A random number from 0 to 1 for three whole ones.
    fn random(&self, a: u32, b: u32, c: u32) -> f64 {
        let mut state = self.seed;
        for value in [a, b, c] {
            state = (state ^ value.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B);
            state ^= state >> 15;
            state = state.wrapping_mul(0xC2B2_AE35);
            state ^= state >> 13;
        }
        f64::from(state) / f64::from(u32::MAX)
    }

    pub fn drawn(&self) -> RgbImage {
        RgbImage::from_fn(self.size.0, self.size.1, |column, row| {
            let mut sum = [0.0; 3];
            for k in 0..SAMPLES * SAMPLES {
                let at = |v: u32, k: u32| f64::from(v) + (f64::from(k) + 0.5) / f64::from(SAMPLES);
                let colour = self.colour(at(column, k % SAMPLES), at(row, k / SAMPLES));
                (0..3).for_each(|channel| sum[channel] += colour[channel]);
            }
            let noisy = |channel: u32| {
                // Twelve uniform numbers are nearly a normal one.
                let noise: f64 = (0..12).map(|k| self.random(column, row, 100 + 12 * channel + k)).sum::<f64>() - 6.0;
                (sum[channel as usize] / f64::from(SAMPLES * SAMPLES) + self.noise * noise).round() as u8
            };
            Rgb([noisy(0), noisy(1), noisy(2)])
        })
    }
}
