//! The judgement of a line: for each rule the place where the line is closest to its limit, and whether
//! the rule is kept there.

use std::fmt;

use raceline_file::LinePoint;

use super::Rule;

/// A place on a line.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Place {
    /// Number of the point, from 0.
    pub index: usize,
    /// Distance along the line as in the file, m.
    pub s_m: f64,
    /// Position, m.
    pub x_m: f64,
    /// Position, m.
    pub y_m: f64,
}

impl Place {
    pub(crate) fn of(index: usize, point: &LinePoint) -> Self {
        Self { index, s_m: point.s_m, x_m: point.x_m, y_m: point.y_m }
    }
}

/// How well a line keeps a rule, at the place where it is closest to the limit.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Check {
    /// The rule.
    pub rule: Rule,
    /// The place; absent where the rule concerns the whole line.
    pub place: Option<Place>,
    /// The measured value, in [`Rule::unit`].
    pub measured: f64,
    /// The largest allowed value there.
    pub allowed: f64,
    /// Number of places at which the rule is violated.
    pub violations: usize,
}

impl Check {
    /// Whether the rule is kept everywhere.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.violations == 0
    }

    /// Whether the rule is violated, and a line may be written nevertheless. Mostly it is violated by so little that the
    /// judge may be wrong: it takes the slope between
    /// cross-sections otherwise than the search does, which shows where heights are bumpy.
    #[must_use]
    pub(crate) fn is_doubt(&self) -> bool {
        !self.is_kept() && self.rule.doubtful_to().is_some_and(|factor| self.measured <= factor * self.allowed)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { index, s_m, x_m, y_m }) = self.place {
            write!(f, "point {index} (s {} m, x {} m, y {} m): ", Short(s_m), Short(x_m), Short(y_m))?;
        }
        f.write_str(&self.fault())
    }
}

impl Check {
    /// The measured and the allowed value in words, without the place.
    #[must_use]
    pub fn fault(&self) -> String {
        let unit = self.rule.unit();
        let space = if unit.is_empty() { "" } else { " " };
        let places = match self.violations {
            0 | 1 => String::new(),
            places => format!(" ({places} places)"),
        };
        format!(
            "{}: {} is {}{space}{unit}, at most {}{space}{unit} is allowed{places}",
            self.rule,
            self.rule.measure(),
            Short(self.measured),
            Short(self.allowed),
        )
    }
}

/// A number with four digits after the point, or with an exponent where those would not show it.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-3..1e9).contains(&size) {
            write!(f, "{:.4}", self.0)
        } else {
            write!(f, "{:.2e}", self.0)
        }
    }
}

/// The judgement of a line.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[must_use = "a line may violate a rule: look at its findings"]
pub struct Report {
    /// A check for each rule that was judged, in the order of [`Rule`].
    pub checks: Vec<Check>,
}

impl Report {
    /// Whether the line keeps every rule that was judged.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.checks.iter().all(Check::is_kept)
    }

    /// The violated rules, in the order of [`Rule`]: the first is the basis of the others.
    pub fn findings(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| !check.is_kept())
    }

    /// Nothing, or the findings as an error.
    ///
    /// # Errors
    /// A line that violates a rule.
    pub fn into_result(self) -> Result<(), Unsound> {
        let mut findings = self.findings();
        let Some(&first) = findings.next() else { return Ok(()) };
        let others = findings.count();
        Err(Unsound { first, others, report: self })
    }

    /// The findings that are doubts; an error if others are among them.
    ///
    /// # Errors
    /// A line that certainly violates a rule.
    pub fn into_doubts(self) -> Result<Vec<Check>, Unsound> {
        let certain = self.findings().find(|check| !check.is_doubt()).copied();
        let Some(first) = certain else { return Ok(self.findings().copied().collect()) };
        let others = self.findings().count() - 1;
        Err(Unsound { first, others, report: self })
    }

    /// The check of a rule, if it was judged.
    #[must_use]
    pub fn check(&self, rule: Rule) -> Option<&Check> {
        self.checks.iter().find(|check| check.rule == rule)
    }
}

/// A line that violates a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Unsound {
    /// The first violated rule.
    pub first: Check,
    /// Number of further violated rules.
    pub others: usize,
    /// All checks.
    pub report: Report,
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        match self.others {
            0 => Ok(()),
            1 => write!(f, "; one more rule is violated"),
            others => write!(f, "; {others} more rules are violated"),
        }
    }
}

impl std::error::Error for Unsound {}

/// Collects measurements and keeps the worst of each rule.
pub(crate) struct Tally<'a> {
    points: &'a [LinePoint],
    checks: Vec<Check>,
}

impl<'a> Tally<'a> {
    pub fn new(points: &'a [LinePoint]) -> Self {
        Self { points, checks: Vec::new() }
    }

    /// A measurement at a point. A value that is not a number violates its rule.
    pub fn at(&mut self, rule: Rule, index: usize, measured: f64, allowed: f64) {
        self.see(rule, Some(index), measured, allowed);
    }

    /// A measurement of the whole line.
    pub fn whole(&mut self, rule: Rule, measured: f64, allowed: f64) {
        self.see(rule, None, measured, allowed);
    }

    fn see(&mut self, rule: Rule, index: Option<usize>, measured: f64, allowed: f64) {
        let violates = measured.is_nan() || allowed.is_nan() || measured > allowed;
        let found = self.checks.iter_mut().find(|check| check.rule == rule);
        let violations = usize::from(violates) + found.as_ref().map_or(0, |check| check.violations);
        let is_worst =
            found.as_ref().is_none_or(|check| excess(measured, allowed) > excess(check.measured, check.allowed));
        let place = || index.and_then(|index| Some(Place::of(index, self.points.get(index)?)));
        match found {
            Some(check) if is_worst => *check = Check { rule, place: place(), measured, allowed, violations },
            Some(check) => check.violations = violations,
            None => self.checks.push(Check { rule, place: place(), measured, allowed, violations }),
        }
    }

    pub fn report(mut self) -> Report {
        self.checks.sort_by_key(|check| check.rule);
        Report { checks: self.checks }
    }
}

/// The measured value in units of the allowed one.
fn excess(measured: f64, allowed: f64) -> f64 {
    if measured.is_nan() {
        return f64::INFINITY;
    }
    if allowed > 0.0 { measured / allowed } else { measured - allowed }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{Check, Report, Rule};

    #[test]
    fn only_a_small_violation_of_a_limit_is_a_doubt() {
        let report = |rule, measured| {
            let check = Check { rule, place: None, measured, allowed: 1.0, violations: 1 };
            Report { checks: vec![check] }.into_doubts().map(|doubts| doubts.len())
        };
        assert_eq!(report(Rule::Braking, 1.2), Ok(1));
        assert_eq!(report(Rule::Acceleration, 1.9), Ok(1));
        assert_eq!(report(Rule::Braking, 1.3).unwrap_err().first.measured, 1.3);
        assert_eq!(report(Rule::Margin, 1.01).unwrap_err().others, 0);
        let heavy = Check { rule: Rule::Load, place: None, measured: 0.24, allowed: 0.2, violations: 1 };
        assert_eq!(Report { checks: vec![heavy] }.into_doubts(), Ok(vec![heavy]));
        let heavier = Check { measured: 0.26, ..heavy };
        assert!(Report { checks: vec![heavier] }.into_doubts().is_err());
        let kept = Check { rule: Rule::Margin, place: None, measured: 0.5, allowed: 1.0, violations: 0 };
        assert_eq!(Report { checks: vec![kept] }.into_doubts(), Ok(Vec::new()));
    }
}
