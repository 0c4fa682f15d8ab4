//! The layout of the ideal line of Assetto Corsa, `fast_lane.ai`, version 7: little-endian, as public
//! readers of it describe.
//!
//! | Part | Content |
//! |---|---|
//! | header | version, number of points, time of the lap, ms, number of samples: four 32-bit integers |
//! | point | x, y, z, distance along the line: four floats, and its number, an integer |
//! | number of details | a 32-bit integer; 0 for a line that was not driven in the game |
//! | detail | 18 floats: speed, gas, brake, an unused one, radius, distance to the left edge, to the right edge, camber, direction, normal (three), … |
//!
//! The game's y is up, and its z points to the south of a map: the map's y is -z.

const VERSION: i32 = 7;
const HEADER_BYTES: usize = 16;
const POINT_BYTES: usize = 20;
const DETAIL_BYTES: usize = 72;

/// Place of the speed in a detail.
pub(crate) const SPEED: usize = 0;
/// Places of the distances to the left and to the right edge.
pub(crate) const SIDES: [usize; 2] = [5, 6];
/// Places of the normal of the road: x, y, z.
pub(crate) const NORMAL: [usize; 3] = [9, 10, 11];

/// A file whose points fit into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastLane<'a> {
    bytes: &'a [u8],
    /// Number of points, at least 1.
    pub count: usize,
    /// Whether each point has a detail, if the file is not cut off.
    pub has_details: bool,
}

impl<'a> FastLane<'a> {
    /// The file of these bytes; `None` for another version, without points or with points beyond the end.
    pub fn of(bytes: &'a [u8]) -> Option<Self> {
        let count = usize::try_from(integer(bytes, 4)?).ok().filter(|&count| count > 0)?;
        let details_at = count.checked_mul(POINT_BYTES)?.checked_add(HEADER_BYTES)?;
        if integer(bytes, 0)? != VERSION || details_at > bytes.len() {
            return None;
        }
        let details = integer(bytes, details_at).and_then(|details| usize::try_from(details).ok());
        Some(Self { bytes, count, has_details: details == Some(count) })
    }

    /// Whether the file ends before its last detail.
    pub fn is_cut_off(&self) -> bool {
        self.has_details && self.bytes.len() < self.detail_at(self.count)
    }

    /// The coordinate of a point, 0 to 2: x, y, z, m; not checked.
    pub fn coordinate(&self, index: usize, axis: usize) -> Option<f64> {
        float(self.bytes, HEADER_BYTES + index * POINT_BYTES + 4 * axis)
    }

    /// The number at a place in the detail of a point; not checked.
    pub fn detail(&self, index: usize, place: usize) -> Option<f64> {
        float(self.bytes, self.detail_at(index) + 4 * place).filter(|_| self.has_details)
    }

    fn detail_at(&self, index: usize) -> usize {
        HEADER_BYTES + self.count * POINT_BYTES + 4 + index * DETAIL_BYTES
    }
}

fn integer(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn float(bytes: &[u8], at: usize) -> Option<f64> {
    Some(f64::from(f32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}
