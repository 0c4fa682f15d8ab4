//! The stops of a route and the one-way streets of the options, on a network.

use super::search::{MAX_ANY_ORDER, Stops};
use super::streets::{Directions, Network, Piece};
use super::{NetworkError, NetworkOptions, ViaOrder};
use raceline_road::geometry::{Point, Polyline};

/// A stop is on a street within this many of its half-widths from its middle.
const REACH_HALF_WIDTHS: f64 = 1.5;

/// The nearest piece and the place along it, for a point on a street.
fn on_street(network: &Network, stop: &str, point: Point) -> Result<(usize, f64), NetworkError> {
    let Some((number, distance_m, along_m)) = network.nearest(point) else { return Err(NetworkError::NoStreets) };
    let piece = &network.pieces[number];
    if distance_m <= REACH_HALF_WIDTHS * piece.half_width_m {
        return Ok((number, along_m));
    }
    let line = Polyline::open(piece.line.clone());
    let near = line.point_at(&line.arc_lengths(), along_m);
    Err(NetworkError::NotOnStreet {
        stop: stop.to_owned(),
        x_m: point.x,
        y_m: point.y,
        distance_m,
        near_x_m: near.x,
        near_y_m: near.y,
    })
}

/// Gives the streets of `options.one_way` their direction.
pub(super) fn apply_one_way(network: &mut Network, options: &NetworkOptions) -> Result<(), NetworkError> {
    for (number, street) in options.one_way.iter().enumerate() {
        let [from, to] = [street.from, street.to].map(Point::from);
        let (of, along_m) = on_street(network, &format!("one_way {}", number + 1), nalgebra::center(&from, &to))?;
        let piece = &mut network.pieces[of];
        let line = Polyline::open(piece.line.clone());
        let lengths = line.arc_lengths();
        let reach = piece.half_width_m;
        let direction = line.point_at(&lengths, (along_m + reach).min(piece.length_m))
            - line.point_at(&lengths, (along_m - reach).max(0.0));
        let is_forward = direction.dot(&(to - from)) >= 0.0;
        piece.directions = if is_forward { Directions::Forward } else { Directions::Backward };
    }
    Ok(())
}

/// The place of a stop along a piece: its end if that is within half of the street's width. From a stub
/// in a junction the road would have no room to bend.
fn at_the_end(piece: &Piece, along_m: f64) -> f64 {
    if along_m < piece.half_width_m.min(0.5 * piece.length_m) {
        0.0
    } else if piece.length_m - along_m < piece.half_width_m {
        piece.length_m
    } else {
        along_m
    }
}

/// Puts the stops on the network as nodes.
pub(super) fn attach(
    network: &mut Network,
    stops: &[Point],
    closed: bool,
    options: &NetworkOptions,
) -> Result<Stops, NetworkError> {
    let vias = stops.len().saturating_sub(if closed { 1 } else { 2 });
    let any_order = options.via_order == Some(ViaOrder::Any);
    if any_order && vias > MAX_ANY_ORDER {
        return Err(NetworkError::TooManyVias { count: vias, limit: MAX_ANY_ORDER });
    }
    let mut nodes = Vec::with_capacity(stops.len());
    for (number, &stop) in stops.iter().enumerate() {
        let name = match number {
            0 => "from".to_owned(),
            _ if number > vias => "to".to_owned(),
            _ => format!("via {number}"),
        };
        let (piece, along_m) = on_street(network, &name, stop)?;
        let along_m = at_the_end(&network.pieces[piece], along_m);
        nodes.push(network.divide(piece, along_m));
    }
    let [from, ref rest @ ..] = *nodes.as_slice() else { return Err(NetworkError::NoStreets) };
    let to = if closed { from } else { rest.last().copied().unwrap_or(from) };
    Ok(Stops { from, to, via: rest[..vias.min(rest.len())].to_vec(), any_order, closed })
}
