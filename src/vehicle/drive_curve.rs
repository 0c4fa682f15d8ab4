//! The drive limit compiled for evaluation by squared speed, which is what the speed profile integrates.

use super::DriveLimit;

/// The driving acceleration that engine and transmission can give over speed, before drag.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveCurve {
    shape: Shape,
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// Linear pieces in the order of rising speed; the last reaches to infinity.
    Pieces(Vec<Piece>),
    /// The lower of a constant acceleration, m/s², and a power per mass, W/kg, divided by the speed.
    Power { acceleration: f64, power_over_mass: f64 },
}

/// `intercept + slope · v` below a speed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    end_squared: f64,
    intercept: f64,
    slope: f64,
}

impl DriveCurve {
    /// Compiles a validated drive limit of a vehicle of `mass_kg`.
    pub fn new(limit: &DriveLimit, mass_kg: f64) -> Self {
        let shape = match limit {
            DriveLimit::TableMps2(points) => Shape::Pieces(linear_pieces(points)),
            DriveLimit::PowerAndForce { power_w, force_n } => {
                Shape::Power { acceleration: force_n / mass_kg, power_over_mass: power_w / mass_kg }
            }
        };
        Self { shape }
    }

    /// Largest driving acceleration, m/s², at the squared speed `speed_squared`, m²/s².
    #[inline]
    pub fn acceleration(&self, speed_squared: f64) -> f64 {
        match &self.shape {
            Shape::Pieces(pieces) => {
                for piece in pieces {
                    if speed_squared < piece.end_squared {
                        return piece.intercept + piece.slope * speed_squared.sqrt();
                    }
                }
                0.0
            }
            Shape::Power { acceleration, power_over_mass } => acceleration.min(power_over_mass / speed_squared.sqrt()),
        }
    }

    /// The highest squared speed, m²/s², at which the drive still makes up for a drag of `drag_over_mass` (1/m) times
    /// the squared speed; infinite where it always does, zero where it never does.
    pub fn terminal_speed_squared(&self, drag_over_mass: f64) -> f64 {
        match &self.shape {
            Shape::Pieces(pieces) => {
                // From the fastest piece down: the first whose range holds a speed with drive ≥ drag holds the answer.
                let mut end = f64::INFINITY;
                for (index, piece) in pieces.iter().enumerate().rev() {
                    let begin = if index == 0 { 0.0 } else { pieces[index - 1].end_squared.sqrt() };
                    let root = piece.crossing(drag_over_mass).min(end);
                    if root >= begin {
                        return root * root;
                    }
                    end = begin;
                }
                0.0
            }
            Shape::Power { acceleration, power_over_mass } if drag_over_mass > 0.0 => {
                (acceleration / drag_over_mass).min((power_over_mass / drag_over_mass).cbrt().powi(2))
            }
            Shape::Power { .. } => f64::INFINITY,
        }
    }
}

impl Piece {
    /// The highest speed v with `intercept + slope v ≥ drag v²`: negative where there is none, infinite where there is
    /// no highest.
    fn crossing(&self, drag: f64) -> f64 {
        let Self { intercept, slope, .. } = *self;
        if drag == 0.0 {
            // The pieces of a valid table are nowhere negative inside their range.
            return f64::INFINITY;
        }
        let discriminant = slope * slope + 4.0 * drag * intercept;
        if discriminant < 0.0 { -1.0 } else { (slope + discriminant.sqrt()) / (2.0 * drag) }
    }
}

/// Constant below the first point, linear from point to point, constant beyond the last.
fn linear_pieces(points: &[[f64; 2]]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(points.len() + 1);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return pieces };
    if first[0] > 0.0 {
        pieces.push(Piece { end_squared: first[0] * first[0], intercept: first[1], slope: 0.0 });
    }
    for pair in points.windows(2) {
        let ([speed, acceleration], [next_speed, next_acceleration]) = (pair[0], pair[1]);
        let slope = (next_acceleration - acceleration) / (next_speed - speed);
        let intercept = acceleration - slope * speed;
        pieces.push(Piece { end_squared: next_speed * next_speed, intercept, slope });
    }
    pieces.push(Piece { end_squared: f64::INFINITY, intercept: last[1], slope: 0.0 });
    pieces
}
