//! What a game links to drive a vehicle along a racing line. No dependencies and no allocation.
//!
//! So far it holds one building block, [`bezier`]: the exact maximum curvature of quadratic Bézier curves, and the speed
//! at which a vehicle can take them. With it a game can judge a path that it plans at run time (a way round an obstacle,
//! a way back to the line) without sampling the path.
//!
//! ```
//! use raceline_follower::bezier::{QuadraticBezier, cornering_speed};
//!
//! // From (0, 0), heading for (40, 0), to (40, 30).
//! let path = QuadraticBezier::plane([0.0, 0.0], [40.0, 0.0], [40.0, 30.0]);
//! let speed = cornering_speed(9.0, path.max_curvature(), 60.0);
//! assert!((14.0..15.0).contains(&speed), "{speed}");
//! ```

pub mod bezier;
