//! The road under the vehicle.

/// The road's surface where the vehicle is: its grip, and gravity in the plane of the road.
///
/// ```
/// use raceline_vehicle_simulation::Surface;
///
/// // A dry road that climbs by one in ten.
/// let hill = Surface { along_mps2: -9.80665 * 0.0995, ..Surface::LEVEL };
/// assert_eq!(hill.grip, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Factor on both limits of the tyres, above 0: that of the surface times that of the load. Default: 1.
    pub grip: f64,
    /// Factors on the limits of the front and the rear axle beside [`Self::grip`], above 0, where a part of
    /// the road's width has another grip. Default: 1.
    pub axle_grip: [f64; 2],
    /// Load of the tyres by that on a level road, above 0, which [`Self::grip`] contains: only the load that moves
    /// across the axles of a vehicle with [`wheels`](crate::HandlingParameters::wheels) needs it. Default: 1.
    pub load: f64,
    /// Gravity along the vehicle's heading, m/s²: negative uphill. Default: 0.
    pub along_mps2: f64,
    /// Gravity across it, m/s², positive to the left: negative where the left side of the road is higher.
    /// Default: 0.
    pub across_mps2: f64,
}

impl Surface {
    /// A level road with the grip that the vehicle's limits are given for.
    pub const LEVEL: Self = Self { grip: 1.0, axle_grip: [1.0; 2], load: 1.0, along_mps2: 0.0, across_mps2: 0.0 };
}

impl Default for Surface {
    fn default() -> Self {
        Self::LEVEL
    }
}
