//! What pins, speed caps and regions cost, below the table of `optimize`.

use raceline_file::{Constraint, ConstraintKind};

/// One line for each pin, speed cap and region.
pub fn constraint_lines(constraints: &[Constraint]) -> String {
    constraints.iter().map(constraint_line).collect()
}

fn constraint_line(constraint: &Constraint) -> String {
    let (name, multiplier, unit) = match constraint.kind {
        ConstraintKind::Pin => ("pin", constraint.seconds_per_m, "m"),
        ConstraintKind::NoGo => ("no-go", constraint.seconds_per_m, "m"),
        ConstraintKind::Grip => ("grip", None, ""),
        ConstraintKind::SpeedCap => ("speed cap", constraint.seconds_per_mps, "m/s"),
    };
    let price = match constraint.price_s {
        Some(price_s) => format!("costs {:.3} s", price_s + 0.0),
        None => "has no price: no lap was found without it".to_owned(),
    };
    let multiplier = multiplier.map(|per_unit| format!(", {:.4} s per {unit}", per_unit + 0.0)).unwrap_or_default();
    format!("  {name} {} {price}{multiplier}\n", constraint.number)
}

#[cfg(test)]
mod tests {
    use super::{Constraint, ConstraintKind, constraint_lines};

    #[test]
    fn each_constraint_has_its_line() {
        let pin = Constraint {
            kind: ConstraintKind::Pin,
            number: 1,
            price_s: Some(0.125),
            seconds_per_m: Some(0.0625),
            seconds_per_mps: None,
            gates: None,
            outlines: Vec::new(),
        };
        let cap = Constraint {
            kind: ConstraintKind::SpeedCap,
            seconds_per_m: None,
            seconds_per_mps: Some(0.5),
            ..pin.clone()
        };
        let region = Constraint { kind: ConstraintKind::NoGo, ..pin.clone() };
        let unknown = Constraint { number: 2, price_s: None, seconds_per_m: None, ..pin.clone() };
        insta::assert_snapshot!(constraint_lines(&[pin, cap, region, unknown]), @r"
          pin 1 costs 0.125 s, 0.0625 s per m
          speed cap 1 costs 0.125 s, 0.5000 s per m/s
          no-go 1 costs 0.125 s, 0.0625 s per m
          pin 2 has no price: no lap was found without it
        ");
    }
}
