//! A grid of velocities that leads from anywhere on and beside the road back onto the line: as JSON,
//! and as a PNG for shaders. `raceline_follower::behaviours::FlowField` reads the same numbers.
//!
//! At a place e metres to the left of the line, of which it is at the arc length s, the direction is
//!
//! ```text
//! ψ(s) - atan(e / L)        with L = max(10 m, 0.8 s · v(s))
//! ```
//!
//! so that beside a straight a vehicle that follows the field approaches the line by e(s) =
//! e(0) exp(-s / L). It is the vector field of D. R. Nelson, D. B. Barber, T. W. McLain, R. W.
//! Beard, *Vector Field Path Following for Miniature Air Vehicles*, IEEE Transactions on Robotics 23
//! (2007), equation 7, with an approach angle of π/2; deviation: beside a bend the angle is to the
//! line's tangent there as well. The speed is v(s) √(1 - κ(s) e) cos(atan(e / L)): the lateral
//! acceleration of the line on the bend beside it, and slower the more it turns to the line.
//!
//! The place on the line is that of the road's nearest cross-section ([`nearest`]), not the line's
//! nearest point, so that the other leg of a hairpin attracts nobody.

mod field;
mod grid;
mod nearest;
mod png;
mod sections;

pub(super) use field::write;
pub(super) use png::write as write_png;
