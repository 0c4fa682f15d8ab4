//! A line with its speed profile, and its points in a file.

use raceline_file::{GRIP_DECIMALS, LinePoint, Method, round_to};
use raceline_road::edges::EdgeKind;
use raceline_road::geometry::Vector;
use raceline_road::on_grid;
use raceline_road::track::SurfaceEnd;

use super::summary::{CandidateSummary, LineStatus};
use crate::LocalRoad;
use crate::Model;
use crate::car::CarState;
use crate::speed::DrivenLine;

/// A line with its speed profile, about the road's local origin.
#[derive(Clone, Debug)]
pub(super) struct FoundLine {
    pub method: Method,
    pub status: LineStatus,
    pub driven: DrivenLine,
    /// The car at each point, where the line is a car's.
    pub car: Option<Vec<CarState>>,
}

impl FoundLine {
    /// The points' positions in the world, on the grid of the file.
    pub fn positions(&self, origin: Vector) -> impl Iterator<Item = [f64; 2]> {
        let positions = on_grid(&self.driven.points, &self.driven.step_lengths());
        positions.into_iter().map(move |p| [p.x + origin.x, p.y + origin.y])
    }

    pub fn summary(&self) -> CandidateSummary {
        CandidateSummary {
            method: self.method,
            model: if self.car.is_some() { Model::Car } else { Model::PointMass },
            lap_time_s: self.driven.lap_time_s(),
            length_m: self.driven.arc_length_whole_m,
            top_speed_mps: self.driven.top_speed_mps(),
            lowest_speed_mps: self.driven.lowest_speed_mps(),
        }
    }

    /// The points as in a file. Only their positions are on its grid: heading, curvature and
    /// profile are those of the curve.
    pub fn points(&self, road: &LocalRoad) -> Vec<LinePoint> {
        let profile = &self.driven.profile;
        // The grip of a surface is at every point; on a road without one, that of stretches and
        // patches is where it is not 1.
        let surface = road.track.surface.as_ref();
        let has_surface = surface.is_some();
        // It is written for kerbs of grip 1 too: whoever reads the line must know that an edge may
        // be one, since the line may hang over it.
        let is_kerb = |edge: &SurfaceEnd| edge.kind == EdgeKind::Kerb;
        let has_kerbs = surface.is_some_and(|ends| ends.iter().any(|end| is_kerb(&end.left) || is_kerb(&end.right)));
        let grip = |i: usize| self.driven.grip.as_ref().map(|grip| grip[i]).or(has_kerbs.then_some(1.0));
        let is_written = |grip: &f64| has_surface || round_to(*grip, GRIP_DECIMALS) != 1.0;
        self.driven
            .points
            .iter()
            .zip(self.positions(road.origin))
            .enumerate()
            .map(|(i, (point, [x_m, y_m]))| {
                let (left_m, right_m) = road.edges.to_edges(point.position);
                let ground = self.driven.grounds.as_ref().map(|grounds| grounds[i]);
                let car = self.car.as_ref().map(|states| states[i]);
                LinePoint {
                    s_m: self.driven.arc_length_m[i],
                    x_m,
                    y_m,
                    heading_rad: point.heading(),
                    curvature_radpm: self.driven.curvature[i],
                    speed_mps: profile.speed_mps[i],
                    accel_mps2: profile.accel_mps2[i],
                    time_s: profile.time_s[i],
                    left_m,
                    right_m,
                    z_m: ground.map(|ground| ground.height_m),
                    banking_rad: ground.map(|ground| ground.banking_rad),
                    grip: grip(i).filter(is_written),
                    load: self.driven.loads.as_ref().map(|loads| loads[i]),
                    steering_rad: car.map(|car| car.steering_rad),
                    pedal: car.map(|car| car.pedal),
                    sideslip_rad: car.map(|car| car.sideslip_rad),
                    yaw_rate_radps: car.map(|car| car.yaw_rate_radps),
                }
            })
            .collect()
    }
}
