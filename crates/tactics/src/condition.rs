//! Conditions and assignments: text to terms over numbered inputs, and their values.

use std::cmp::Ordering;

use crate::error::Problem;

/// Largest depth of parentheses and `not` in a condition.
const MAX_DEPTH: usize = 32;

/// A number that is constant or an input's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operand {
    Number(f64),
    Input(u32),
}

impl Operand {
    pub(crate) fn value(self, inputs: &[f64]) -> f64 {
        match self {
            Self::Number(number) => number,
            Self::Input(input) => inputs[input as usize],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Unequal,
}

/// A part of a condition; parts refer to others by their place in the list of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Term {
    Compare(Operand, Comparison, Operand),
    Not(u32),
    And(u32, u32),
    Or(u32, u32),
}

/// Whether the condition `term` holds, and the comparison that decided it.
pub(crate) fn holds(terms: &[Term], mut term: u32, inputs: &[f64]) -> (bool, u32) {
    loop {
        match terms[term as usize] {
            Term::Compare(left, comparison, right) => {
                return (compare(left.value(inputs), comparison, right.value(inputs)), term);
            }
            Term::Not(inner) => {
                let (is_true, by) = holds(terms, inner, inputs);
                return (!is_true, by);
            }
            Term::And(first, second) => match holds(terms, first, inputs) {
                (true, _) => term = second,
                decided => return decided,
            },
            Term::Or(first, second) => match holds(terms, first, inputs) {
                (false, _) => term = second,
                decided => return decided,
            },
        }
    }
}

/// A comparison with what is not a number does not hold, whichever it is.
fn compare(left: f64, comparison: Comparison, right: f64) -> bool {
    match comparison {
        Comparison::Less => left < right,
        Comparison::LessOrEqual => left <= right,
        Comparison::Greater => left > right,
        Comparison::GreaterOrEqual => left >= right,
        Comparison::Equal => left == right,
        Comparison::Unequal => left.partial_cmp(&right).is_some_and(Ordering::is_ne),
    }
}

/// Whether `text` may name an input, an output, a state, a tree or a machine.
pub(crate) fn is_name(text: &str) -> bool {
    let is_begun = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    is_begun && text.chars().all(is_of_name) && !["and", "or", "not"].contains(&text)
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The place of `name` in `names`.
///
/// # Errors
/// [`Problem::Unknown`].
pub(crate) fn place_of<'a>(
    what: &'static str,
    name: &str,
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> Result<u32, Problem> {
    let declared = names.clone();
    match names.position(|other| other == name) {
        Some(place) => Ok(place as u32),
        None => {
            Err(Problem::Unknown { what, name: name.to_owned(), declared: declared.collect::<Vec<_>>().join(", ") })
        }
    }
}

/// Appends the parts of the condition `text` to `terms`.
///
/// # Errors
/// [`Problem::Condition`], [`Problem::TooDeep`] and [`Problem::Unknown`].
pub(crate) fn parse(text: &str, inputs: &[String], terms: &mut Vec<Term>) -> Result<u32, Problem> {
    let mut parser = Parser { text, at: 0, inputs, terms, depth: 0 };
    let root = parser.either()?;
    if !parser.rest().is_empty() {
        return Err(parser.expected("and, or, or the end"));
    }
    Ok(root)
}

/// Reads `output`, `output = number` or `output = input`.
///
/// # Errors
/// [`Problem::Value`] and [`Problem::Unknown`].
pub(crate) fn parse_assignment(text: &str, inputs: &[String], outputs: &[String]) -> Result<(u32, Operand), Problem> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (text.trim(), None),
    };
    let output = place_of("output", name, outputs.iter().map(String::as_str))?;
    let operand = match value {
        None => Operand::Number(1.0),
        Some(value) if is_name(value) => Operand::Input(place_of("input", value, inputs.iter().map(String::as_str))?),
        Some(value) => match value.parse::<f64>() {
            Ok(number) if number.is_finite() => Operand::Number(number),
            _ => return Err(Problem::Value(format!("{name}, or {name} = a finite number or an input"))),
        },
    };
    Ok((output, operand))
}

struct Parser<'a> {
    text: &'a str,
    /// Place in bytes.
    at: usize,
    inputs: &'a [String],
    terms: &'a mut Vec<Term>,
    depth: usize,
}

impl Parser<'_> {
    /// What is left, without the spaces before it.
    fn rest(&mut self) -> &str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn expected(&mut self, expected: &'static str) -> Problem {
        self.rest();
        Problem::Condition { column: self.text[..self.at].chars().count() + 1, expected }
    }

    /// Takes `sign` if it is next.
    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    /// The word that is next, without taking it.
    fn word(&mut self) -> &str {
        let rest = self.rest();
        &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())]
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = self.word() == word;
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    fn push(&mut self, term: Term) -> u32 {
        self.terms.push(term);
        (self.terms.len() - 1) as u32
    }

    /// Conditions with `or` between them.
    fn either(&mut self) -> Result<u32, Problem> {
        let (first, mut others) = (self.all()?, Vec::new());
        while self.takes_word("or") {
            others.push(self.all()?);
        }
        Ok(self.chain(first, others, Term::Or))
    }

    /// Conditions with `and` between them.
    fn all(&mut self) -> Result<u32, Problem> {
        let (first, mut others) = (self.one()?, Vec::new());
        while self.takes_word("and") {
            others.push(self.one()?);
        }
        Ok(self.chain(first, others, Term::And))
    }

    /// The parts joined from the last to the first, so that [`holds`] calls itself no deeper than parentheses
    /// are.
    fn chain(&mut self, first: u32, mut others: Vec<u32>, joined: fn(u32, u32) -> Term) -> u32 {
        let Some(last) = others.pop() else { return first };
        let tail = others.iter().rev().fold(last, |chain, &part| self.push(joined(part, chain)));
        self.push(joined(first, tail))
    }

    fn one(&mut self) -> Result<u32, Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Problem::TooDeep(MAX_DEPTH));
        }
        let term = if self.takes_word("not") {
            let inner = self.one()?;
            self.push(Term::Not(inner))
        } else if self.takes("(") {
            let inner = self.either()?;
            if !self.takes(")") {
                return Err(self.expected("a closing parenthesis"));
            }
            inner
        } else {
            let left = self.operand()?;
            // The longer signs first, because the shorter ones are their beginnings.
            let signs = [
                ("<=", Comparison::LessOrEqual),
                (">=", Comparison::GreaterOrEqual),
                ("==", Comparison::Equal),
                ("!=", Comparison::Unequal),
                ("<", Comparison::Less),
                (">", Comparison::Greater),
            ];
            match signs.into_iter().find(|(sign, _)| self.takes(sign)) {
                Some((_, comparison)) => {
                    let right = self.operand()?;
                    self.push(Term::Compare(left, comparison, right))
                }
                None if matches!(left, Operand::Input(_)) => {
                    self.push(Term::Compare(left, Comparison::Unequal, Operand::Number(0.0)))
                }
                None => return Err(self.expected("a comparison: <, <=, >, >=, == or !=")),
            }
        };
        self.depth -= 1;
        Ok(term)
    }

    fn operand(&mut self) -> Result<Operand, Problem> {
        let word = self.word().to_owned();
        if is_name(&word) {
            let input = place_of("input", &word, self.inputs.iter().map(String::as_str))?;
            self.at += word.len();
            return Ok(Operand::Input(input));
        }
        let rest = self.rest();
        let is_exponent = |i: usize| i > 0 && matches!(rest.as_bytes()[i - 1], b'e' | b'E');
        let is_of_number = |(i, c): (usize, char)| {
            c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E') || matches!(c, '+' | '-') && (i == 0 || is_exponent(i))
        };
        let length = rest.char_indices().find(|&at| !is_of_number(at)).map_or(rest.len(), |(i, _)| i);
        match rest[..length].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.at += length;
                Ok(Operand::Number(number))
            }
            _ => Err(self.expected("an input or a number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Term, holds, parse};
    use crate::error::Problem;

    fn value(text: &str, inputs: &[f64]) -> bool {
        let names = ["a", "b", "c"].map(str::to_owned);
        let mut terms = Vec::new();
        let root = parse(text, &names, &mut terms).expect(text);
        holds(&terms, root, inputs).0
    }

    fn problem(text: &str) -> Problem {
        parse(text, &["a".to_owned()], &mut Vec::new()).expect_err(text)
    }

    #[test]
    fn and_binds_before_or_and_not_before_both() {
        for bits in 0..8_u8 {
            let [a, b, c] = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
            let inputs = [a, b, c].map(|bit| f64::from(u8::from(bit)));
            assert_eq!(value("a or b and c", &inputs), a || b && c);
            assert_eq!(value("(a or b) and c", &inputs), (a || b) && c);
            assert_eq!(value("not a and b or not (b or c)", &inputs), !a && b || !(b || c));
            assert_eq!(value("not not a and a == 1 and b or c != 0", &inputs), a && b || c);
        }
    }

    #[test]
    fn every_comparison_is_that_of_numbers_and_none_holds_for_what_is_none() {
        for (left, right) in [(1.0, 2.0), (2.0, 2.0), (-3.5, -4e2)] {
            assert_eq!(value("a < b", &[left, right, 0.0]), left < right);
            assert_eq!(value("a <= b", &[left, right, 0.0]), left <= right);
            assert_eq!(value("a > b", &[left, right, 0.0]), left > right);
            assert_eq!(value("a >= b", &[left, right, 0.0]), left >= right);
            assert_eq!(value("a == b", &[left, right, 0.0]), left == right);
            assert_eq!(value("a!=b", &[left, right, 0.0]), left != right);
        }
        for sign in ["<", "<=", ">", ">=", "==", "!="] {
            assert!(!value(&format!("a {sign} 1"), &[f64::NAN, 0.0, 0.0]));
        }
        assert!(!value("a", &[f64::NAN, 0.0, 0.0]));
        assert!(value("a<-4e-1 and -4E1<a", &[-1.0, 0.0, 0.0]));
    }

    #[test]
    fn a_mistake_is_named_with_its_column() {
        let at = |column, expected| Problem::Condition { column, expected };
        assert_eq!(problem("a <"), at(4, "an input or a number"));
        assert_eq!(problem("(a < 1"), at(7, "a closing parenthesis"));
        assert_eq!(problem("a < 1 1"), at(7, "and, or, or the end"));
        assert_eq!(problem("3"), at(2, "a comparison: <, <=, >, >=, == or !="));
        assert_eq!(problem(""), at(1, "an input or a number"));
        assert_eq!(problem("a < ä"), at(5, "an input or a number"));
        assert!(matches!(problem("speed > 1"), Problem::Unknown { what: "input", .. }));
        assert_eq!(problem(&format!("{}a{}", "(".repeat(40), ")".repeat(40))), Problem::TooDeep(32));
        assert_eq!(problem(&format!("{}a", "not ".repeat(1000))), Problem::TooDeep(32));
    }

    #[test]
    fn a_long_chain_is_no_deep_one() {
        let text = vec!["a < 1"; 200_000].join(" and ");
        let (mut terms, names) = (Vec::<Term>::new(), ["a".to_owned()]);
        let root = parse(&text, &names, &mut terms).expect("a chain");
        assert!(holds(&terms, root, &[0.0]).0);
        assert!(!holds(&terms, root, &[1.0]).0);
    }
}
