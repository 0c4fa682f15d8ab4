//! The options of a format.

/// Options of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormatOptions {
    /// Longitude (-180 to 180) and latitude (-90 to 90) of the line's point (0, 0), degrees.
    /// Default: the origin of the line's source.
    pub geographic_origin_deg: Option<[f64; 2]>,
    /// Size of the cells of a flow field, metres, 0.01 to 100000. Default: such that the longer side
    /// has at most 512 of them, but at least 1.
    pub flow_field_cell_m: Option<f64>,
    /// Width of a flow field's border about the road, metres, 0 to 100000; default 20.
    pub flow_field_margin_m: Option<f64>,
    /// Distance between the points, metres, 0.001 to 1000, changed slightly so that the points
    /// divide the line evenly. Default: the points of the line.
    pub spacing_m: Option<f64>,
    /// Factor on the speeds, 0.01 to 2; accelerations scale with its square, times with its inverse.
    /// Default 1.
    pub speed_factor: Option<f64>,
    /// Whether the first point of a closed line is repeated at the end, with the lap's length and
    /// time. Default: as the format's readers expect.
    pub closed_repeat: Option<bool>,
}
