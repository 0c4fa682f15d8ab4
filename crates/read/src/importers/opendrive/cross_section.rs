//! What lies across a road at a place along it.

use super::geometry::value;
use super::xml::{Cubic, Road, Section};
use raceline_numerics::math;

/// Banking beyond this is no road, radians.
const STEEPEST_RAD: f64 = 1.2;

/// The road across at a place.
pub(super) struct Across {
    /// Places of the outer borders of the driving lanes, metres to the left of the reference line.
    pub left_m: f64,
    pub right_m: f64,
    /// Height of the middle between them, metres.
    pub height_m: f64,
    /// Positive where the left border is higher, radians.
    pub banking_rad: f64,
}

/// The cross-sections of a road, at places that ascend.
pub(super) struct CrossSection<'a> {
    road: &'a Road,
}

impl<'a> CrossSection<'a> {
    pub fn of(road: &'a Road) -> Self {
        Self { road }
    }

    /// The road across at `s_m`; `None` without a driving lane.
    pub fn at(&self, s_m: f64) -> Option<Across> {
        let road = self.road;
        let started = road.sections.partition_point(|section| section.from_m <= s_m + 1e-9);
        let section = road.sections.get(started.saturating_sub(1))?;
        let middle_m = along(&road.lane_offset, s_m);
        let borders = borders(section, s_m - section.from_m);
        let (mut left_m, mut right_m) = (f64::NEG_INFINITY, f64::INFINITY);
        for (side, lanes) in borders.iter().enumerate() {
            let sign = if side == 0 { 1.0 } else { -1.0 };
            for [inner, outer] in lanes.iter().flatten() {
                for border in [inner, outer].map(|border| middle_m + sign * border) {
                    left_m = left_m.max(border);
                    right_m = right_m.min(border);
                }
            }
        }
        if left_m < right_m {
            return None;
        }
        let roll = along(&road.superelevation, s_m).clamp(-STEEPEST_RAD, STEEPEST_RAD);
        let base = along(&road.elevation, s_m);
        // Crossfall falls outwards from the reference line.
        let fall = |t_m: f64| {
            let angle = along(&road.crossfall[usize::from(t_m < 0.0)], s_m);
            t_m.abs() * math::tan(angle.clamp(-STEEPEST_RAD, STEEPEST_RAD))
        };
        let height = |t_m: f64| base + t_m * math::tan(roll) - fall(t_m);
        let (left, right) = (height(left_m), height(right_m));
        let width = left_m - right_m;
        let banking_rad = if width > 0.0 { math::atan((left - right) / width) } else { roll };
        Some(Across { left_m, right_m, height_m: f64::midpoint(left, right), banking_rad })
    }
}

/// The value of the polynomial that holds at `s_m`; 0 without one.
fn along(cubics: &[Cubic], s_m: f64) -> f64 {
    let valid = cubics.partition_point(|cubic| cubic.from_m <= s_m + 1e-9).checked_sub(1).and_then(|i| cubics.get(i));
    valid.map_or(0.0, |cubic| value(cubic.coefficients, s_m - cubic.from_m))
}

/// Distances of the inner and the outer border of each lane from the middle, metres, to the left and to the
/// right; `None` for a lane on which vehicles do not drive.
fn borders(section: &Section, offset_m: f64) -> [Vec<Option<[f64; 2]>>; 2] {
    section.sides.each_ref().map(|lanes| {
        let mut inner = 0.0;
        let border = |lane: &super::xml::Lane| {
            let found = along(&lane.widths, offset_m);
            let outer = if lane.is_border { found.abs() } else { inner + found.max(0.0) };
            let both = [inner, outer];
            inner = outer;
            // A lane of no width, where it begins, has no border of its own.
            lane.is_driving.then_some(both)
        };
        lanes.iter().map(border).collect()
    })
}

impl Road {
    /// Whether it has a driving lane anywhere.
    pub fn has_driving_lane(&self) -> bool {
        self.sections.iter().any(|section| section.sides.iter().flatten().any(|lane| lane.is_driving))
    }

    /// Whether its lanes lead along it and against it.
    pub fn directions(&self) -> [bool; 2] {
        let has =
            |side: usize| self.sections.iter().any(|section| section.sides[side].iter().any(|lane| lane.is_driving));
        // Traffic on the right drives along the road on its right side.
        let (along, against) = if self.is_left_hand { (0, 1) } else { (1, 0) };
        [has(along), has(against)]
    }
}
