//! What the damage of a car comes from: which contacts with other cars and with walls.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use raceline_follower::Neighbour;
use raceline_numerics::wrap_angle;
use serde::{Deserialize, Serialize};

use crate::layout::CarState;

/// Cars nearer than this where damage rises have touched, m: they bounce within a frame.
const TOUCHED_M: f64 = 0.6;
/// Damage within this time of the last with the same kind is of the same contact, s.
const SAME_S: f64 = 0.5;
/// Cars further away than this are not written, m.
const WRITTEN_M: f64 = 60.0;

/// What was touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Touched {
    /// A car with this car's front.
    Ahead,
    /// A car beside.
    Beside,
    /// A car that came from behind.
    Behind,
    /// No car: a wall.
    Wall,
}

/// A contact that did damage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// Time of the race, s.
    pub time_s: f64,
    /// Number of the lap.
    pub lap: i32,
    /// Distance from the start line, m.
    pub from_start_m: f64,
    /// What was touched.
    pub touched: Touched,
    /// Damage points.
    pub damage: i32,
    /// Speed before it, m/s.
    pub speed_mps: f64,
    /// Middle of the other car ahead and to the left of the car's own before it, m; 0 for a wall.
    pub place_m: [f64; 2],
    /// Velocity less the car's own, ahead and to the left, m/s.
    pub relative_mps: [f64; 2],
}

/// What the car wants, for the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intent {
    /// Distance to the left of the line, m.
    pub cross_track_m: f64,
    /// Distance of the shifted line to the left of the line, m.
    pub shift_m: f64,
    /// m/s.
    pub target_mps: f64,
    /// -1 to 1.
    pub pedal: f64,
}

/// Finds the contacts of one car.
#[derive(Debug, Default)]
pub struct Contacts {
    damage: Option<i32>,
    /// The last frame's cars.
    before: Vec<Place>,
    found: Vec<Contact>,
    file: Option<BufWriter<File>>,
}

/// Another car as seen from one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    ahead: f64,
    left: f64,
    relative: [f64; 2],
    turned: f64,
    /// Distance between the outlines of both cars, m.
    apart: f64,
}

impl Contacts {
    /// Writes the cars of every frame as well.
    ///
    /// # Errors
    /// That of the file system.
    pub fn writing(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        writeln!(
            file,
            "time_s,lap,s_m,cross_track_m,speed_mps,shift_m,target_mps,pedal,damage,\
             ahead_m,left_m,faster_mps,leftwards_mps,turned_rad,apart_m"
        )?;
        Ok(Self { file: Some(file), ..Self::default() })
    }

    /// Adds a frame: the car with a body of `size`, m, the other cars and what it wants.
    pub fn add(&mut self, time_s: f64, car: &CarState, size: [f64; 2], others: &[Neighbour], intent: Intent) {
        let now: Vec<Place> = others.iter().map(|other| Place::of(other, car, size)).collect();
        let damage = car.damage - self.damage.replace(car.damage).unwrap_or(car.damage);
        if damage > 0 {
            let nearest = |places: &[Place]| {
                let touches = places.iter().filter(|place| place.apart < TOUCHED_M);
                touches.min_by(|a, b| a.apart.total_cmp(&b.apart)).copied()
            };
            // Before the contact: it changes the velocities.
            let other = nearest(&self.before).or_else(|| nearest(&now));
            let touched = other.map_or(Touched::Wall, |place| place.touched(size));
            let place = other.unwrap_or_default();
            let contact = Contact {
                time_s,
                lap: car.laps,
                from_start_m: car.from_start_m,
                touched,
                damage,
                speed_mps: car.velocity_mps[0],
                place_m: [place.ahead, place.left],
                relative_mps: place.relative,
            };
            match self.found.last_mut() {
                Some(last) if last.touched == touched && time_s - last.time_s < SAME_S => last.damage += damage,
                _ => self.found.push(contact),
            }
        }
        if let Some(file) = &mut self.file {
            let own = format!(
                "{time_s:.3},{},{:.2},{:.3},{:.3},{:.3},{:.3},{:.3},{}",
                car.laps,
                car.from_start_m,
                intent.cross_track_m,
                car.velocity_mps[0],
                intent.shift_m,
                intent.target_mps,
                intent.pedal,
                car.damage,
            );
            for place in now.iter().filter(|place| place.apart < WRITTEN_M) {
                let Place { ahead, left, relative: [faster, leftwards], turned, apart } = place;
                let _ = writeln!(file, "{own},{ahead:.3},{left:.3},{faster:.3},{leftwards:.3},{turned:.4},{apart:.3}");
            }
        }
        self.before = now;
    }

    /// The contacts so far.
    #[must_use]
    pub fn found(&self) -> &[Contact] {
        &self.found
    }

    /// Writes what is buffered.
    ///
    /// # Errors
    /// That of the file system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Place {
    fn of(other: &Neighbour, car: &CarState, size: [f64; 2]) -> Self {
        let (sin, cos) = car.attitude_rad[2].sin_cos();
        let turn = |[x, y]: [f64; 2]| [x * cos + y * sin, y * cos - x * sin];
        let difference = |a: &[f64; 3], b: &[f64; 3]| turn([a[0] - b[0], a[1] - b[1]]);
        let [ahead, left] = difference(&other.position_m, &car.position_m);
        let turned = other.heading_rad - car.attitude_rad[2];
        Self {
            ahead,
            left,
            relative: difference(&other.velocity_mps, &car.world_velocity_mps),
            turned: wrap_angle(turned),
            apart: apart([ahead, left], turned, size, [other.length_m, other.width_m]),
        }
    }

    fn touched(&self, [length, width]: [f64; 2]) -> Touched {
        // Where most of the other car lies, in lengths and widths of this one.
        let (along, across) = (self.ahead / length, self.left / width);
        if along.abs() < 0.75 && across.abs() > 0.6 {
            Touched::Beside
        } else if along > 0.0 {
            Touched::Ahead
        } else {
            Touched::Behind
        }
    }
}

/// Largest separation of two rectangles along an axis of either, the second at a place and turned.
fn apart(place: [f64; 2], turned: f64, size: [f64; 2], other: [f64; 2]) -> f64 {
    let (sin, cos) = turned.sin_cos();
    let axes = [[1.0, 0.0], [0.0, 1.0], [cos, sin], [-sin, cos]];
    let half = |[x, y]: [f64; 2], [length, width]: [f64; 2]| 0.5 * (length * x.abs() + width * y.abs());
    let separation = |axis: &[f64; 2]| {
        let [x, y] = *axis;
        let own = half([x, y], size);
        let theirs = half([x * cos + y * sin, y * cos - x * sin], other);
        (place[0] * x + place[1] * y).abs() - own - theirs
    };
    axes.iter().map(separation).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::{Contacts, Intent, Touched, apart};
    use crate::layout::CarState;
    use raceline_follower::Neighbour;

    #[test]
    fn rectangles_are_as_far_apart_as_their_nearest_sides() {
        let size = [4.0, 2.0];
        for (place, turned, expected) in [
            ([6.0, 0.0], 0.0, 2.0),
            ([0.0, -3.0], 0.0, 1.0),
            ([6.0, 0.0], std::f64::consts::FRAC_PI_2, 3.0),
            ([1.0, 0.5], 0.0, -1.5),
        ] {
            assert!((apart(place, turned, size, size) - expected).abs() < 1e-12, "{place:?}");
        }
    }

    #[test]
    fn damage_is_reported_from_whom() {
        let mut contacts = Contacts::default();
        let mut car =
            CarState { velocity_mps: [40.0, 0.0, 0.0], world_velocity_mps: [40.0, 0.0, 0.0], ..CarState::default() };
        let other = |x: f64, y: f64, speed: f64| Neighbour {
            position_m: [x, y, 0.0],
            velocity_mps: [speed, 0.0, 0.0],
            heading_rad: 0.0,
            length_m: 4.5,
            width_m: 2.0,
        };
        let near = [other(4.6, 0.3, 35.0), other(-30.0, 0.0, 40.0)];
        let frames: [(f64, i32, &[Neighbour]); 6] = [
            (1.00, 0, &near),
            (1.02, 50, &near),
            (1.04, 60, &near),
            (3.00, 65, &near[1..]),
            (5.00, 75, &[other(-4.6, 0.0, 45.0)]),
            (7.00, 80, &[other(0.5, 2.2, 40.0)]),
        ];
        for (time_s, damage, others) in frames {
            car.damage = damage;
            contacts.before.clear();
            contacts.add(time_s, &car, [4.5, 2.0], others, Intent::default());
        }
        let found: Vec<_> = contacts.found().iter().map(|contact| (contact.touched, contact.damage)).collect();
        assert_eq!(found, [(Touched::Ahead, 60), (Touched::Wall, 5), (Touched::Behind, 10), (Touched::Beside, 5)]);
        assert_eq!(contacts.found()[0].relative_mps, [-5.0, 0.0]);
    }
}
