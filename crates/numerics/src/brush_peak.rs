//! The brush tyre in place of a real one.

/// Slip angle of the peak up to which a tyre is like a brush tyre, rad. A larger one makes tyres
/// with a late peak softer than measured ones.
const SHARP_PEAK_RAD: f64 = 0.13;
/// Beyond it, the fraction by which the brush tyre's peak moves with that of the tyre, 0 to 1: at 0
/// all tyres with a late peak are alike, at 1 they are as soft as a brush tyre with this peak.
const MOVES: f64 = 0.15;

/// Slip angle, rad, at which a brush tyre gives its largest force if it stands for a tyre that does
/// so at `peak_slip_rad`, rad, above 0.
///
/// Below their peak, tyres differ less than in its place: the cornering stiffness divided by the
/// largest force is 20 to 30 1/rad for road and racing tyres (Milliken and Milliken, *Race Car
/// Vehicle Dynamics*, 1995, section 2.2; 21 1/rad in the tyre model of CommonRoad, whose peak is at
/// 0.26 rad). Where the peak is late, the top of the curve is flat. A brush tyre has `3 / peak`, so
/// its peak is early: 0.13 rad and a little more for the later ones.
///
/// ```
/// use raceline_numerics::brush_peak_slip_rad;
///
/// assert_eq!(brush_peak_slip_rad(0.1), 0.1);
/// assert!((brush_peak_slip_rad(0.23) - 0.145).abs() < 1e-12);
/// ```
#[must_use]
pub fn brush_peak_slip_rad(peak_slip_rad: f64) -> f64 {
    peak_slip_rad.min(SHARP_PEAK_RAD) + MOVES * (peak_slip_rad - SHARP_PEAK_RAD).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::brush_peak_slip_rad;

    #[test]
    fn early_peaks_stay_and_late_ones_come_earlier_in_the_same_order() {
        assert_eq!(brush_peak_slip_rad(0.09), 0.09);
        assert_eq!(brush_peak_slip_rad(0.13), 0.13);
        // CommonRoad's tyre: 3 / 21.9 · 1.0489 = 0.144 rad by its stiffness.
        assert!((brush_peak_slip_rad(0.26) - 0.144).abs() < 0.01);
        assert!(brush_peak_slip_rad(0.3) > brush_peak_slip_rad(0.2));
        // The cornering stiffness by the largest force is that of road tyres, 20 1/rad and more.
        assert!((20.0..21.0).contains(&(3.0 / brush_peak_slip_rad(0.26))));
    }
}
