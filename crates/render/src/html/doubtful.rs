//! The stretches of a page's map whose edges the picture shows less surely than the others.

use raceline::RacingLine;
use raceline::pipeline::doubtful;
use raceline_file::round_to;
use raceline_numerics::math;

/// Beginning and end of each stretch, m along the line from the start line.
pub(super) fn doubtful_m(line: &RacingLine) -> Vec<[f64; 2]> {
    // The stretches are along the centre line: the distances of the points along it.
    let middles: Vec<[f64; 2]> = line
        .points
        .iter()
        .map(|point| {
            let to_left = 0.5 * (point.left_m - point.right_m);
            [point.x_m - to_left * math::sin(point.heading_rad), point.y_m + to_left * math::cos(point.heading_rad)]
        })
        .collect();
    let mut along_m = 0.0;
    let mut distances = vec![0.0];
    for pair in middles.windows(2) {
        along_m += math::hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
        distances.push(along_m);
    }
    let at = |distance_m: f64| {
        let index = distances.partition_point(|&along| along < distance_m);
        line.points.get(index).map_or(line.length_m, |point| point.s_m)
    };
    doubtful(&line.source.edge_uncertainty)
        .map(|stretch| [at(stretch.from_m), at(stretch.to_m)].map(|s_m| round_to(s_m, 2)))
        .collect()
}
