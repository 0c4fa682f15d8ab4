//! Routes by turtle graphics: straight legs, arcs and sharp corners.

use raceline_follower::Waypoint;

use crate::terrain::Terrain;

/// A point of a route in the plane with the corridor's widths and whether there are walls along its
/// edges.
#[derive(Clone, Copy, Debug)]
pub struct RoutePoint {
    /// x and y, metres.
    pub at_m: [f64; 2],
    /// Width of the corridor to the left, metres.
    pub left_m: f64,
    /// Width of the corridor to the right, metres.
    pub right_m: f64,
    /// Whether there are walls along both edges of the corridor from here to the next point.
    pub walled: bool,
}

/// A route under construction: the points so far and the turtle's pose and settings.
#[derive(Clone, Debug)]
pub struct Route {
    points: Vec<RoutePoint>,
    at_m: [f64; 2],
    heading_rad: f64,
    half_width_m: f64,
    spacing_m: f64,
    walled: bool,
}

impl Route {
    /// Starts at `at_m`, facing `heading_deg`, with a corridor of ± `half_width_m` and waypoints
    /// `spacing_m` apart.
    #[must_use]
    pub fn start(at_m: [f64; 2], heading_deg: f64, half_width_m: f64, spacing_m: f64) -> Self {
        let mut route = Self {
            points: Vec::new(),
            at_m,
            heading_rad: heading_deg.to_radians(),
            half_width_m,
            spacing_m,
            walled: false,
        };
        route.put();
        route
    }

    fn put(&mut self) {
        let half = self.half_width_m;
        self.points.push(RoutePoint { at_m: self.at_m, left_m: half, right_m: half, walled: self.walled });
    }

    /// Changes the corridor's half width from here on.
    #[must_use]
    pub fn width(mut self, half_width_m: f64) -> Self {
        self.half_width_m = half_width_m;
        if let Some(last) = self.points.last_mut() {
            (last.left_m, last.right_m) = (half_width_m, half_width_m);
        }
        self
    }

    /// Walls along both edges from here on, or none.
    #[must_use]
    pub fn walls(mut self, walled: bool) -> Self {
        self.walled = walled;
        if let Some(last) = self.points.last_mut() {
            last.walled = walled;
        }
        self
    }

    /// Adds a straight leg.
    #[must_use]
    pub fn ahead(mut self, length_m: f64) -> Self {
        let steps = (length_m / self.spacing_m).round().max(1.0);
        for _ in 0..steps as usize {
            let step = length_m / steps;
            self.at_m = offset(self.at_m, self.heading_rad, step, 0.0);
            self.put();
        }
        self
    }

    /// Adds an arc; a positive angle turns left.
    #[must_use]
    pub fn arc(mut self, radius_m: f64, angle_deg: f64) -> Self {
        let angle = angle_deg.to_radians();
        let steps = (radius_m * angle.abs() / self.spacing_m).ceil().max(2.0);
        let chord = 2.0 * radius_m * (angle.abs() / steps / 2.0).sin();
        for _ in 0..steps as usize {
            self.heading_rad += angle / steps / 2.0;
            self.at_m = offset(self.at_m, self.heading_rad, chord, 0.0);
            self.heading_rad += angle / steps / 2.0;
            self.put();
        }
        self
    }

    /// Adds a sharp corner: the next leg starts at an angle, like legs planned on a coarse grid.
    #[must_use]
    pub fn corner(mut self, angle_deg: f64) -> Self {
        self.heading_rad += angle_deg.to_radians();
        self
    }

    /// Adds a waving leg: `waves` full sines of `amplitude_m` sideways, each over `length_m` ahead.
    #[must_use]
    pub fn waves(mut self, amplitude_m: f64, length_m: f64, waves: usize) -> Self {
        let (from, heading) = (self.at_m, self.heading_rad);
        let total = length_m * waves as f64;
        let steps = (total / self.spacing_m).round().max(4.0);
        for i in 1..=steps as usize {
            let along = total * i as f64 / steps;
            let sideways = amplitude_m * (std::f64::consts::TAU * along / length_m).sin();
            self.at_m = offset(from, heading, along, sideways);
            self.put();
        }
        self
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[RoutePoint] {
        &self.points
    }

    /// The position at arc length `along_m` and `left_m` to the left, and the heading there.
    #[must_use]
    pub fn beside(&self, along_m: f64, left_m: f64) -> ([f64; 2], f64) {
        let mut rest = along_m;
        let mut last = (self.at_m, self.heading_rad);
        for pair in self.points.windows(2) {
            let [a, b] = [pair[0].at_m, pair[1].at_m];
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let length = dx.hypot(dy);
            let heading = dy.atan2(dx);
            if rest <= length {
                return (offset(a, heading, rest, left_m), heading);
            }
            rest -= length;
            last = (b, heading);
        }
        (offset(last.0, last.1, 0.0, left_m), last.1)
    }

    /// Arc length in the plane, metres.
    #[must_use]
    pub fn length_m(&self) -> f64 {
        self.points.windows(2).map(|p| (p[1].at_m[0] - p[0].at_m[0]).hypot(p[1].at_m[1] - p[0].at_m[1])).sum()
    }

    /// The waypoints on `terrain`, without a speed profile.
    #[must_use]
    pub fn waypoints(&self, terrain: &Terrain) -> Vec<Waypoint> {
        waypoints(&self.points, terrain)
    }
}

/// The waypoints of `points` on `terrain`, without a speed profile.
#[must_use]
pub fn waypoints(points: &[RoutePoint], terrain: &Terrain) -> Vec<Waypoint> {
    points
        .iter()
        .map(|point| Waypoint {
            position_m: [point.at_m[0], point.at_m[1], terrain.height_m(point.at_m[0], point.at_m[1])],
            left_m: point.left_m,
            right_m: point.right_m,
            ..Waypoint::default()
        })
        .collect()
}

/// `from` moved ahead along a heading and to the left of it.
#[must_use]
pub fn offset(from: [f64; 2], heading_rad: f64, ahead_m: f64, left_m: f64) -> [f64; 2] {
    let (sin, cos) = heading_rad.sin_cos();
    [from[0] + ahead_m * cos - left_m * sin, from[1] + ahead_m * sin + left_m * cos]
}
