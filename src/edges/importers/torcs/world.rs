//! Where a simulator puts a track: so that the least coordinates of road, borders and sides are 0.

use nalgebra::{Point3, Vector3};

use super::plan::Way;
use super::road::Step;
use crate::geometry::{Point, Vector};

/// Places at which a bend is sampled. The simulator samples as many, and a finer search would give
/// another result where the steps are long.
const SAMPLES: u32 = 36;

/// The vector by which the simulator moves a track from the coordinates of its segments.
pub(super) fn offset(steps: &[Step], width_m: f64) -> Vector3<f64> {
    let mut least = Least(Point3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY));
    for step in steps {
        least.add_ends(step, width_m);
        least.add_bend(step, width_m);
    }
    -least.0.coords
}

struct Least(Point3<f64>);

impl Least {
    fn add_plane(&mut self, point: Point) {
        self.0.x = self.0.x.min(point.x);
        self.0.y = self.0.y.min(point.y);
    }

    fn add(&mut self, point: Point, height_m: f64) {
        self.add_plane(point);
        self.0.z = self.0.z.min(height_m);
    }

    /// The edges, the border's and the side's ends at both ends of a step.
    fn add_ends(&mut self, step: &Step, width_m: f64) {
        let cuts = [step.from, step.from.after(&step.way, 1.0, width_m)];
        for (end, cut) in cuts.iter().enumerate() {
            let heights = step.heights_m[end];
            let slope = (heights[0] - heights[1]) / width_m;
            for (side, verge) in step.verges.iter().enumerate() {
                let sense = if side == 0 { 1.0 } else { -1.0 };
                for beside_m in [0.0, verge.border_m, verge.border_m + verge.side_m[end]] {
                    let rise = if verge.is_tangent { sense * slope * beside_m } else { 0.0 };
                    self.add(cut.ends[side] + cut.leftwards() * (sense * beside_m), heights[side] + rise);
                }
            }
        }
    }

    /// The edges in a bend, and circles as far outside of them as the step is wide at most.
    fn add_bend(&mut self, step: &Step, width_m: f64) {
        let Way::Bend { is_left, radius_m, arc } = step.way else { return };
        let centre = step.from.centre(is_left, radius_m, width_m);
        let sense = if is_left { 1.0 } else { -1.0 };
        for sample in 1..=SAMPLES {
            let heading = step.from.heading + sense * arc * f64::from(sample) / f64::from(SAMPLES);
            // From the centre outwards: to the right in a left bend.
            let outwards = Vector::new(heading.sin(), -heading.cos()) * sense;
            for (side, verge) in step.verges.iter().enumerate() {
                let is_outer = (side == 1) == is_left;
                let away = if is_outer { 1.0 } else { -1.0 };
                let widest_m = verge.border_m + verge.side_m[0].max(verge.side_m[1]);
                for beside_m in [0.0, widest_m] {
                    self.add_plane(centre + outwards * (radius_m + away * (width_m / 2.0 + beside_m)));
                }
            }
        }
    }
}
