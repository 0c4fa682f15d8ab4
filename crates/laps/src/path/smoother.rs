//! The smoother of Rauch, Tung and Striebel: the filter forwards, its gain backwards.

use super::filter::{Belief, transition};
use super::likelihood::noise_of;
use super::{Measurement, Node, Noise};

/// Longest step between two nodes, s.
const STEP_S: f64 = 0.1;
/// In a longer gap there is nothing to interpolate, s.
const GAP_S: f64 = 3.0;

/// The smoothed path through `measurements`, which are in the order of time and of which the first has a
/// position, with a node at each of them and at most a tenth of a second apart; and the noise.
pub(crate) fn smoothed(measurements: &[Measurement]) -> (Vec<Node>, Noise) {
    let noise = noise_of(measurements);
    let Some(first) = measurements.first() else { return (Vec::new(), noise) };
    let start = first.position_m.unwrap_or_default();
    let mut filtered = vec![(first.time_s, Belief::at(start, &noise).corrected(first, &noise, &mut 0.0))];
    let mut predicted: Vec<Belief> = Vec::new();
    for pair in measurements.windows(2) {
        let [from, to] = pair else { continue };
        let gap = to.time_s - from.time_s;
        let parts = if gap > GAP_S { 1 } else { (gap / STEP_S - 1e-6).ceil().max(1.0) as usize };
        for part in 1..=parts {
            let Some(&(_, belief)) = filtered.last() else { break };
            let ahead = belief.predicted(gap / parts as f64, &noise);
            predicted.push(ahead);
            let here = if part == parts { ahead.corrected(to, &noise, &mut 0.0) } else { ahead };
            filtered.push((from.time_s + gap * part as f64 / parts as f64, here));
        }
    }
    let mut nodes: Vec<Node> = Vec::with_capacity(filtered.len());
    let mut later: Option<(f64, Belief)> = None;
    for (index, &(time_s, belief)) in filtered.iter().enumerate().rev() {
        let smooth = match (later, predicted.get(index)) {
            (Some((later_s, later)), Some(ahead)) => {
                let gain = ahead
                    .covariance
                    .try_inverse()
                    .map(|inverse| belief.covariance * transition(later_s - time_s).transpose() * inverse);
                match gain {
                    Some(gain) => Belief {
                        state: belief.state + gain * (later.state - ahead.state),
                        covariance: belief.covariance + gain * (later.covariance - ahead.covariance) * gain.transpose(),
                    },
                    None => belief,
                }
            }
            _ => belief,
        };
        later = Some((time_s, smooth));
        nodes.push(node(time_s, &smooth));
    }
    nodes.reverse();
    (nodes, noise)
}

fn node(time_s: f64, belief: &Belief) -> Node {
    let state = &belief.state;
    let variance = (belief.covariance[(0, 0)] + belief.covariance[(3, 3)]) / 2.0;
    Node {
        time_s,
        position_m: [state[0], state[3]],
        velocity_mps: [state[1], state[4]],
        accel_mps2: [state[2], state[5]],
        deviation_m: variance.max(0.0).sqrt(),
    }
}
