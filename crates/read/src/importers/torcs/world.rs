//! Where a simulator puts a track: so that no coordinate of road, borders and sides is
//! below 0.

use nalgebra::{Point3, Vector3};

use super::plan::Course;
use super::road::{Road, Step};
use raceline_numerics::math;
use raceline_road::geometry::{Point, Vector};

/// Places at which a bend is sampled. The simulator samples as many, and a finer search would give
/// another result where the steps are long.
const SAMPLES: u32 = 36;

/// The vector by which the simulator moves a track from the coordinates of its segments.
pub(super) fn offset(road: &Road) -> Vector3<f64> {
    // Where the segments begin counts too, also its height.
    let start = road.placement.start.ends[1];
    let mut min = Min(Point3::new(start.x, start.y, road.placement.start_m));
    for step in &road.steps {
        min.add_ends(step, road.width_m);
        min.add_bend(step, road.width_m, road.is_version_3);
    }
    road.placement.offset(-min.0.coords)
}

struct Min(Point3<f64>);

impl Min {
    fn add_plane(&mut self, point: Point) {
        self.0.x = self.0.x.min(point.x);
        self.0.y = self.0.y.min(point.y);
    }

    fn add(&mut self, point: Point, height_m: f64) {
        self.add_plane(point);
        self.0.z = self.0.z.min(height_m);
    }

    /// The edges at both ends of a step, and what lies beside them at its end.
    fn add_ends(&mut self, step: &Step, width_m: f64) {
        for (point, height_m) in step.from.ends.iter().zip(step.heights_m[0]) {
            self.add(*point, height_m);
        }
        let cut = step.from.after(&step.course, 1.0, width_m);
        let heights = step.heights_m[1];
        let slope = (heights[0] - heights[1]) / width_m;
        for (side, verge) in step.verges.iter().enumerate() {
            let sense = if side == 0 { 1.0 } else { -1.0 };
            for beside_m in [0.0, verge.border_m, verge.border_m + verge.side_m[1]] {
                let rise = if verge.is_tangent { sense * slope * beside_m } else { 0.0 };
                self.add(cut.ends[side] + cut.leftwards() * (sense * beside_m), heights[side] + rise);
            }
        }
    }

    /// The edges in a bend, and circles as far beside them as the step's sides are wide at most. For
    /// tracks of version 3 the simulator takes the inner circle of a bend to the right upside down.
    fn add_bend(&mut self, step: &Step, width_m: f64, is_version_3: bool) {
        let Course::Bend { is_left, radius_m, arc } = step.course else { return };
        let centre = step.from.centre(is_left, radius_m, width_m);
        let sense = if is_left { 1.0 } else { -1.0 };
        for sample in 1..=SAMPLES {
            let heading = step.from.heading + sense * arc * f64::from(sample) / f64::from(SAMPLES);
            // From the centre outwards: to the right in a left bend.
            let outwards = Vector::new(math::sin(heading), -math::cos(heading)) * sense;
            for (side, verge) in step.verges.iter().enumerate() {
                let is_outer = (side == 1) == is_left;
                let away = if is_outer { 1.0 } else { -1.0 };
                let widest_m = verge.border_m + verge.side_m[0].max(verge.side_m[1]);
                self.add_plane(centre + outwards * (radius_m + away * width_m / 2.0));
                let mut beside = outwards * (radius_m + away * (width_m / 2.0 + widest_m));
                if is_version_3 && !is_left && !is_outer {
                    beside.y = -beside.y;
                }
                self.add_plane(centre + beside);
            }
        }
    }
}
