//! The structs of TORCS 1.3.7 on x86-64 as byte offsets: facts of its binary interface. The package
//! ships no headers; docs/notes/torcs.md states where the offsets come from and how they were checked.
//!
//! Nothing here dereferences a pointer: `interface` turns pointers into images of the sizes
//! below, and a read outside an image is 0.

use crate::image::Image;
use crate::pits::Pits;

/// Bytes of `tModInfo`, of which a module fills up to ten.
pub const MODULE_BYTES: usize = 40;
/// Bytes of `tRobotItf`.
pub const ROBOT_INTERFACE_BYTES: usize = 56;
/// Bytes of `tSituation`.
pub const SITUATION_BYTES: usize = 64;
/// Bytes of `tTrack` that are read.
pub const TRACK_BYTES: usize = 184;
/// Bytes of `tTrackSeg`.
pub const SEGMENT_BYTES: usize = 264;
/// Bytes of `tTrackSurface` that are read.
pub const SURFACE_BYTES: usize = 24;
/// Bytes of `tCarElt`.
pub const CAR_BYTES: usize = 2672;

/// Names of the four wheels in TORCS's order.
pub const WHEELS: [&str; 4] = ["front_right", "front_left", "rear_right", "rear_left"];

/// A segment of the track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Number.
    pub id: i32,
    /// 1 right, 2 left, 3 straight.
    pub kind: i32,
    /// Length of its middle, m.
    pub length_m: f64,
    /// Width, m.
    pub width_m: f64,
    /// Distance of its start from the start line, m.
    pub from_start_m: f64,
    /// Corners: start left, start right, end left, end right, m.
    pub corners_m: [[f64; 3]; 4],
    /// Centre of a bend, m.
    pub centre_m: [f64; 2],
    /// Angle of a bend, rad.
    pub arc_rad: f64,
    /// Friction of its surface.
    pub friction: f64,
}

impl Segment {
    /// From the images of a `tTrackSeg` and of its `tTrackSurface`.
    #[must_use]
    pub fn read(segment: Image<'_>, surface: Image<'_>) -> Self {
        let corner = |i: usize| segment.floats(72 + 12 * i);
        Self {
            id: segment.int(8),
            kind: segment.int(12),
            length_m: segment.float(24),
            width_m: segment.float(28),
            from_start_m: segment.float(40),
            corners_m: [corner(0), corner(1), corner(2), corner(3)],
            centre_m: segment.floats(60),
            arc_rad: segment.float(56),
            friction: surface.float(16),
        }
    }
}

impl Segment {
    /// Left and right edge at the fraction `share` of the segment, m.
    #[must_use]
    pub fn across(&self, fraction: f64) -> [[f64; 3]; 2] {
        [(0, 2), (1, 3)].map(|(start, end)| {
            let (a, b) = (self.corners_m[start], self.corners_m[end]);
            let mix = |i: usize| a[i] + fraction * (b[i] - a[i]);
            if self.kind == 3 {
                return [mix(0), mix(1), mix(2)];
            }
            let angle = fraction * if self.kind == 2 { self.arc_rad } else { -self.arc_rad };
            let ((sin, cos), [x, y]) = (angle.sin_cos(), self.centre_m);
            let (dx, dy) = (a[0] - x, a[1] - y);
            [x + cos * dx - sin * dy, y + sin * dx + cos * dy, mix(2)]
        })
    }
}

/// The track.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Name.
    pub name: String,
    /// Number of segments.
    pub count: i32,
    /// Length of its middle, m.
    pub length_m: f64,
    /// Width of its main strip, m.
    pub width_m: f64,
    /// From the start line on.
    pub segments: Vec<Segment>,
    /// The pits; `None` for a track without some beside the road.
    pub pits: Option<Pits>,
}

/// The road at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Road {
    /// rad, positive uphill.
    pub grade_rad: f64,
    /// rad, positive where the left is higher.
    pub banking_rad: f64,
    /// 1/m, positive in a dip.
    pub vertical_curvature_radpm: f64,
    /// Friction of the surface.
    pub friction: f64,
}

/// Half of the length over which grade and vertical curvature are taken, m: about that of a car, since
/// the road is a polyline.
const HALF_LENGTH_M: f64 = 6.0;

impl Track {
    /// The segment at a distance from the start line, m, and the fraction of it that is passed.
    #[must_use]
    pub fn segment_at(&self, from_start_m: f64) -> Option<(&Segment, f64)> {
        let s = from_start_m.rem_euclid(self.length_m.max(1e-3));
        let next = self.segments.partition_point(|segment| segment.from_start_m <= s);
        let segment = self.segments.get(next.saturating_sub(1))?;
        Some((segment, ((s - segment.from_start_m) / segment.length_m.max(1e-3)).clamp(0.0, 1.0)))
    }

    /// The road at a distance from the start line, m.
    #[must_use]
    pub fn road(&self, from_start_m: f64) -> Road {
        let across = |s: f64| self.segment_at(s).map_or([[0.0; 3]; 2], |(segment, fraction)| segment.across(fraction));
        let height = |s: f64| across(s).iter().map(|edge| 0.5 * edge[2]).sum::<f64>();
        let [before, here, after] = [-HALF_LENGTH_M, 0.0, HALF_LENGTH_M].map(|path| height(from_start_m + path));
        let [left, right] = across(from_start_m);
        let width = (left[0] - right[0]).hypot(left[1] - right[1]).max(0.1);
        Road {
            grade_rad: ((after - before) / (2.0 * HALF_LENGTH_M)).atan(),
            banking_rad: ((left[2] - right[2]) / width).atan(),
            vertical_curvature_radpm: (after - 2.0 * here + before) / (HALF_LENGTH_M * HALF_LENGTH_M),
            friction: self.segment_at(from_start_m).map_or(1.0, |(segment, _)| segment.friction),
        }
    }
}

/// What stays as it is during a race.
#[derive(Clone, Debug, PartialEq)]
pub struct CarFacts {
    /// Name of the car's model.
    pub model: String,
    /// Length, width and height, m.
    pub dimension_m: [f64; 3],
    /// The fuel tank, l.
    pub tank_l: f64,
    /// Largest steering angle, rad.
    pub steer_lock_rad: f64,
    /// Radii of the wheels, m.
    pub wheel_radius_m: [f64; 4],
    /// Highest speed of the engine and the speed at which it is cut, rad/s.
    pub engine_radps: [f64; 2],
    /// Ratios by gear, reverse first, final drive included.
    pub gear_ratios: [f64; 10],
    /// Number of gears, with reverse.
    pub gears: i32,
    /// Index of neutral in `gear_ratios`.
    pub gear_offset: i32,
}

impl CarFacts {
    /// From the image of a `tCarElt`.
    #[must_use]
    pub fn read(car: Image<'_>) -> Self {
        Self {
            model: car.text(68, 32),
            dimension_m: car.floats(160),
            tank_l: car.float(196),
            steer_lock_rad: car.float(200),
            wheel_radius_m: std::array::from_fn(|i| car.float(216 + 20 * i + 16)),
            engine_radps: car.floats(1356),
            gear_ratios: car.floats(1380),
            gears: car.int(1420),
            gear_offset: car.int(1424),
        }
    }
}

/// What changes: the car in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CarState {
    /// Centre of gravity, m.
    pub position_m: [f64; 3],
    /// Roll, pitch and yaw, rad.
    pub attitude_rad: [f64; 3],
    /// Velocity in the car's frame, m/s.
    pub velocity_mps: [f64; 3],
    /// Yaw rate, rad/s.
    pub yaw_rate_radps: f64,
    /// Acceleration in the car's frame, m/s².
    pub acceleration_mps2: [f64; 3],
    /// Velocity in the world's frame, m/s.
    pub world_velocity_mps: [f64; 3],
    /// To the left of the middle of the road, m.
    pub to_middle_m: f64,
    /// Seconds; 0 without a valid lap.
    pub best_lap_s: f64,
    /// Whether the current lap still counts.
    pub lap_counts: bool,
    /// Time in the current lap, s.
    pub lap_time_s: f64,
    /// Of the last lap, s.
    pub last_lap_s: f64,
    /// Number of the current lap, from 1; 0 before the line.
    pub laps: i32,
    /// Distance from the start line along the track, m.
    pub from_start_m: f64,
    /// Spin of the wheels, rad/s.
    pub spin_radps: [f64; 4],
    /// Place of the wheels ahead and to the left of the centre of gravity, m.
    pub wheel_place_m: [[f64; 2]; 4],
    /// The gear in use.
    pub gear: i32,
    /// l.
    pub fuel_l: f64,
    /// Speed of the engine, rad/s.
    pub engine_radps: f64,
    /// Loads of the wheels, N.
    pub loads_n: [f64; 4],
    /// Damage points.
    pub damage: i32,
}

impl CarState {
    /// From the image of a `tCarElt`.
    #[must_use]
    pub fn read(car: Image<'_>) -> Self {
        let wheel = |i: usize| 896 + 88 * i;
        Self {
            position_m: car.floats(328),
            attitude_rad: car.floats(340),
            velocity_mps: car.floats(352),
            yaw_rate_radps: car.float(372),
            acceleration_mps2: car.floats(376),
            world_velocity_mps: car.floats(424),
            to_middle_m: car.float(564),
            best_lap_s: car.double(680),
            lap_counts: car.bytes::<1>(688)[0] != 0,
            lap_time_s: car.double(704),
            last_lap_s: car.double(712),
            laps: car.int(736),
            from_start_m: car.float(788),
            spin_radps: std::array::from_fn(|i| car.float(wheel(i) + 24)),
            wheel_place_m: std::array::from_fn(|i| car.floats(wheel(i))),
            gear: car.int(1344),
            fuel_l: car.float(1348),
            engine_radps: car.float(1352),
            loads_n: car.floats(1444),
            damage: car.int(1496),
        }
    }
}

/// What the robot asks of the car.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Control {
    /// -1 to 1, positive to the left.
    pub steer: f64,
    /// 0 to 1.
    pub throttle: f64,
    /// 0 to 1.
    pub brake: f64,
    /// 0 grips, 1 is open.
    pub clutch: f64,
    /// -1 reverse, 0 neutral.
    pub gear: i32,
    /// Whether the car is to be served when it stops in its box.
    pub asks_for_pit: bool,
}

impl Control {
    /// Brakes: what a robot does whose checks fail.
    pub const BRAKE: Self = Self { steer: 0.0, throttle: 0.0, brake: 1.0, clutch: 0.0, gear: 0, asks_for_pit: false };

    /// Writes it into the image of a `tCarElt`.
    pub fn write(&self, car: &mut [u8]) {
        let mut put = |offset: usize, bytes: [u8; 4]| {
            if let Some(place) = car.get_mut(offset..offset + 4) {
                place.copy_from_slice(&bytes);
            }
        };
        for (i, value) in [self.steer, self.throttle, self.brake, self.clutch].into_iter().enumerate() {
            put(1536 + 4 * i, (value as f32).to_ne_bytes());
        }
        put(1552, self.gear.to_ne_bytes());
        put(1556, i32::from(self.asks_for_pit).to_ne_bytes());
    }
}
