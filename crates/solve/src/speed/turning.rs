//! Costs of turning the body along a line, as numbers for each point of its speed profile.
//!
//! At a point with the curvature κ and its change c along the line, the axles need `κ + i_f c` and
//! `κ - i_r c` times v² (see [`Turning`]): the profile is that of a point mass at the larger of the
//! two. The rate of the steering bounds the speed to `1 / (τ |c|)`. The drag of cornering is lost
//! to the drive. A vehicle on two wheels has the rate of the lean angle in the place of the
//! steering's ([`leaning`](super::leaning)).
//!
//! The change of curvature is that over a wheelbase: a body on two axles does not feel a jump of
//! curvature at one point. Deviation from the equations of the axles: the part κ a_x of the yaw
//! acceleration, a few hundredths of the lateral one, is left to the time-optimal search.

use raceline_car::Turning;
use raceline_numerics::math;

/// The line of a speed profile with what turning costs at each point.
pub(super) struct TurningLine {
    /// Curvature that the busier axle drives, 1/m, not negative.
    pub curvature: Vec<f64>,
    /// Highest w by the rate of the steering, m²/s².
    pub ceiling: Vec<f64>,
    /// Drag of cornering, which the drive must overcome, divided by w² and multiplied by the
    /// lateral limit, 1/m².
    pub slip_drag: Vec<f64>,
}

impl TurningLine {
    /// The arguments are those of [`SpeedSolver`](super::SpeedSolver).
    pub fn new(curvature: &[f64], step_lengths: &[f64], grip: &[f64], turning: &Turning) -> Self {
        let changes = changes(curvature, step_lengths, turning.wheelbase_m);
        let busier = |(kappa, change): (&f64, &f64)| {
            (kappa + turning.front_m * change).abs().max((kappa - turning.rear_m * change).abs())
        };
        let slip_drag = |(kappa, grip): (&f64, &f64)| turning.slip_drag_rad * kappa * kappa / grip;
        Self {
            curvature: curvature.iter().zip(&changes).map(busier).collect(),
            ceiling: ceilings(&changes, turning),
            slip_drag: curvature.iter().zip(grip).map(slip_drag).collect(),
        }
    }

    /// The signed curvatures that the front and the rear axle drive, 1/m, and the highest w by the
    /// rate of the steering.
    pub fn axles(curvature: Vec<f64>, step_lengths: &[f64], turning: &Turning) -> ([Vec<f64>; 2], Vec<f64>) {
        if turning.is_free() {
            let ceilings = vec![f64::INFINITY; curvature.len()];
            return ([curvature.clone(), curvature], ceilings);
        }
        let changes = changes(&curvature, step_lengths, turning.wheelbase_m);
        let axle = |part: f64| curvature.iter().zip(&changes).map(|(kappa, change)| kappa + part * change).collect();
        let ceilings = ceilings(&changes, turning);
        ([axle(turning.front_m), axle(-turning.rear_m)], ceilings)
    }
}

/// The highest w at each point by the rate of the steering, m²/s².
fn ceilings(changes: &[f64], turning: &Turning) -> Vec<f64> {
    changes.iter().map(|change| math::powi(turning.steering_time_sm * change, -2)).collect()
}

/// Change of the curvature along the line at each point, 1/m²: the difference over `span` about the
/// point, or over its neighbours where they are further apart.
pub(super) fn changes(curvature: &[f64], step_lengths: &[f64], span: f64) -> Vec<f64> {
    let n = curvature.len();
    let closed = step_lengths.len() == n;
    // The curvature at a distance from point i, backwards or forwards, and the distance walked: at
    // least to the neighbour, and no further than the end of an open line.
    let walk = |i: usize, forwards: bool| {
        let (mut at, mut walked) = (i, 0.0);
        for _ in 0..n {
            let (next, length) = match (forwards, closed) {
                (true, false) if at + 1 == n => break,
                (false, false) if at == 0 => break,
                (true, _) => ((at + 1) % n, step_lengths[at]),
                (false, _) => ((at + n - 1) % n, step_lengths[(at + n - 1) % n]),
            };
            let (from, to) = (curvature[at], curvature[next]);
            if walked > 0.0 && walked + length > 0.5 * span {
                let rest = 0.5 * span - walked;
                return (from + (to - from) * rest / length, 0.5 * span);
            }
            (at, walked) = (next, walked + length);
            if walked >= 0.5 * span {
                break;
            }
        }
        (curvature[at], walked)
    };
    (0..n)
        .map(|i| {
            let ((before, back), (after, ahead)) = (walk(i, false), walk(i, true));
            (after - before) / (back + ahead)
        })
        .collect()
}
