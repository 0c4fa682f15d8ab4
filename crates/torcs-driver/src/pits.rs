//! The pits of a track, a car's own box and what is asked for there: bytes of TORCS's structs, as in
//! [`layout`](crate::layout).

use crate::image::Image;

/// Bytes of `tTrackOwnPit`.
pub const BOX_BYTES: usize = 80;
/// Offset of the address of the own `tTrackOwnPit` in `tCarElt`; 0 where the car has none.
pub const BOX_OFFSET: usize = 800;

/// `tTrackPitInfo` in `tTrack`, its kind of pits beside the track, and the left side.
const PITS: usize = 64;
const BESIDE_TRACK: i32 = 1;
const LEFT: i32 = 2;

/// The pits of a track. Distances are from the start line along its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pits {
    /// On which side of the road they are.
    pub is_left: bool,
    /// Length and width of a box, m.
    pub box_m: [f64; 2],
    /// Speed limit between `start_m` and `end_m`, m/s.
    pub limit_mps: f64,
    /// From here on the route in may cross the road's edge, m.
    pub entry_m: f64,
    /// First and last place with boxes, m.
    pub start_m: f64,
    /// m.
    pub end_m: f64,
    /// Up to here the route out may cross the road's edge, m.
    pub exit_m: f64,
}

impl Pits {
    /// From the image of a `tTrack` and those of `tTrackSeg` by their address. `None` without pits beside
    /// the track.
    pub fn read<'a>(track: Image<'_>, segment: impl Fn(usize) -> Option<Image<'a>>) -> Option<Self> {
        if track.int(PITS) != BESIDE_TRACK {
            return None;
        }
        let start = |offset: usize| Some(segment(track.address(PITS + offset))?.float(40));
        let end = |offset: usize| segment(track.address(PITS + offset)).map(|it| it.float(40) + it.float(24));
        Some(Self {
            is_left: track.int(PITS + 12) == LEFT,
            box_m: track.floats(PITS + 16),
            limit_mps: track.float(PITS + 24),
            entry_m: start(32)?,
            start_m: start(40)?,
            end_m: end(48)?,
            exit_m: end(56)?,
        })
    }
}

/// The middle of a car's box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnBox {
    /// Distance from the start line, m.
    pub from_start_m: f64,
    /// Distance from the middle of the road, m.
    pub aside_m: f64,
}

impl OwnBox {
    /// From the images of a `tTrackOwnPit` and of its `tTrackSeg`.
    #[must_use]
    pub fn read(own: Image<'_>, segment: Image<'_>) -> Self {
        // The distance from the middle is positive on both sides.
        Self { from_start_m: segment.float(40) + own.float(12), aside_m: own.float(20).abs() }
    }
}

/// What is done at a stop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Service {
    /// Fuel to load, l.
    pub fuel_l: f64,
    /// Damage points to repair.
    pub repair: i32,
}

impl Service {
    /// Writes it into the image of a `tCarElt`.
    pub fn write(&self, car: &mut [u8]) {
        let stop_for_service = 0_i32;
        let fields = [(self.fuel_l as f32).to_ne_bytes(), self.repair.to_ne_bytes(), stop_for_service.to_ne_bytes()];
        for (i, bytes) in fields.into_iter().enumerate() {
            if let Some(place) = car.get_mut(1708 + 4 * i..1712 + 4 * i) {
                place.copy_from_slice(&bytes);
            }
        }
    }
}
