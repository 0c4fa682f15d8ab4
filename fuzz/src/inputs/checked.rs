//! What holds for every road that an importer gives.

use raceline::construction::{ImportError, Imported};
use raceline::track::{TrackOptions, cut};

/// Longer roads take seconds to cut, and show nothing new.
const LONGEST_CUT_M: f64 = 5e3;

/// Checks that the coordinates are finite, and cuts a short road.
pub fn road(imported: Result<Imported, ImportError>) {
    let edges = match imported {
        Ok(imported) => imported.edges,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert!(edges.left.points.iter().chain(&edges.right.points).all(|p| p.x.is_finite() && p.y.is_finite()));
    if edges.is_closed() && edges.centre_length() < LONGEST_CUT_M {
        let _ = cut(&edges, &TrackOptions::default());
    }
}
