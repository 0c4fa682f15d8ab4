//! Where a track of Speed Dreams begins in the world, and what the world's origin is.
//!
//! Tracks of version 5 may give them in the section `Main Track`, so that a landscape fits.

use nalgebra::Vector3;

use super::plan::Cut;
use super::xml::Section;
use raceline_road::construction::ImportError;
use raceline_road::geometry::Point;

/// The version of files that may have a placement.
const VERSION: f64 = 5.0;

/// Where a track begins.
pub(super) struct Placement {
    /// Before the first segment.
    pub start: Cut,
    /// Height there, metres.
    pub start_m: f64,
    /// The smallest coordinates of everything, where the file gives them: they become 0.
    pub min: [Option<f64>; 3],
}

impl Placement {
    /// The placement in a track's section `Main Track`.
    ///
    /// # Errors
    /// Numbers that are none.
    pub fn of(params: &Section, main: &Section, width_m: f64) -> Result<Self, ImportError> {
        let version = params.section("Header").map_or(Ok(None), |header| header.number("version"))?;
        if version != Some(VERSION) {
            return Ok(Self { start: Cut::first(width_m), start_m: 0.0, min: [None; 3] });
        }
        let number = |name: &str| Ok::<f64, ImportError>(main.number(name)?.unwrap_or(0.0));
        let middle = Point::new(number("start X")?, number("start Y")?);
        let start = Cut::at(middle, number("original bearing")?, width_m);
        let min = [main.number("minimum X")?, main.number("minimum Y")?, main.number("minimum Z")?];
        Ok(Self { start, start_m: number("start Z")?, min })
    }

    /// The vector by which the simulator moves the track: that by which no coordinate is below 0, where
    /// the file gives no other.
    pub fn offset(&self, offset: Vector3<f64>) -> Vector3<f64> {
        let [x, y, z] = self.min;
        Vector3::new(x.map_or(offset.x, |x| -x), y.map_or(offset.y, |y| -y), z.map_or(offset.z, |z| -z))
    }
}
