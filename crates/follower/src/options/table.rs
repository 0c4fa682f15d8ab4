//! One table for each struct of options: what an option means, its type, default, range and unit
//! stand once.
//!
//! [`options!`] declares a struct from its table. Fields and their documentation, the default, the
//! check of ranges, reading and setting by key, and the listing come from the same lines.

use super::former_keys::former_key;
use crate::error::OptionsError;

/// An option of a table, such as [`FollowerOptions::table`](crate::FollowerOptions::table).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptionRow {
    /// Key, as [`FollowerOptions::set`](crate::FollowerOptions::set) takes it.
    pub key: &'static str,
    /// Key that it had before, which is taken as well.
    pub former_key: Option<&'static str>,
    /// Unit; empty for a number without one.
    pub unit: &'static str,
    /// Permitted range in words, with the unit.
    pub range: &'static str,
    /// Value, as [`FollowerOptions::set`](crate::FollowerOptions::set) takes it.
    pub value: f64,
    /// What it means, as one line of Markdown.
    pub description: String,
}

/// An option of the struct `T`.
pub(crate) struct Row<T> {
    pub(crate) key: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) range: &'static str,
    pub(crate) get: fn(&T) -> f64,
    /// Fails with what a value must be; ranges are not checked.
    pub(crate) set: fn(&mut T, f64) -> Result<(), &'static str>,
}

/// A struct of options that has a table. A program contains only those parts that it uses: a game
/// that neither sets options by key nor lists them contains no rows.
pub(crate) trait Table: Sized + 'static {
    /// Checks every option.
    fn validate(&self) -> Result<(), OptionsError>;
    const ROWS: &'static [Row<Self>];
    const DESCRIPTIONS: &'static [&'static str];
}

/// The type of an option, which a number stands for.
pub(crate) trait Number: Copy {
    /// What a number must be.
    const MUST: &'static str;
    fn number(self) -> f64;
    fn from_number(number: f64) -> Option<Self>;
}

impl Number for f64 {
    const MUST: &'static str = "a number";
    fn number(self) -> f64 {
        self
    }
    fn from_number(number: f64) -> Option<Self> {
        Some(number)
    }
}

impl Number for bool {
    const MUST: &'static str = "0 or 1";
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }
    fn from_number(number: f64) -> Option<Self> {
        [(0.0, false), (1.0, true)].into_iter().find(|(code, _)| *code == number).map(|(_, on)| on)
    }
}

impl Number for u32 {
    const MUST: &'static str = "a whole number, 0 to 1000000";
    fn number(self) -> f64 {
        f64::from(self)
    }
    fn from_number(number: f64) -> Option<Self> {
        (number.fract() == 0.0 && (0.0..=1e6).contains(&number)).then_some(number as Self)
    }
}

impl Number for usize {
    const MUST: &'static str = u32::MUST;
    fn number(self) -> f64 {
        self as f64
    }
    fn from_number(number: f64) -> Option<Self> {
        u32::from_number(number).map(|number| number as Self)
    }
}

/// Sets the option of a key; `None` where the struct has none of it.
pub(crate) fn set<T: Table>(options: &mut T, key: &str, value: f64) -> Option<Result<(), String>> {
    let row = T::ROWS.iter().find(|row| row.key == key)?;
    Some((row.set)(options, value).map_err(|must| format!("option {key} is {value}, but must be {must}")))
}

/// The value of a key; `None` where the struct has none of it.
pub(crate) fn get<T: Table>(options: &T, key: &str) -> Option<f64> {
    T::ROWS.iter().find(|row| row.key == key).map(|row| (row.get)(options))
}

/// The rows with their values.
pub(crate) fn table<T: Table>(options: &T) -> Vec<OptionRow> {
    let listed = |(row, description): (&Row<T>, &&str)| {
        let Row { key, unit, range, .. } = *row;
        let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
        OptionRow { key, former_key: former_key(key), unit, range, value: (row.get)(options), description }
    };
    T::ROWS.iter().zip(T::DESCRIPTIONS).map(listed).collect()
}

/// Checks every option: the first out of its range.
pub(crate) fn validate<T: Table>(options: &T) -> Result<(), OptionsError> {
    options.validate()
}

/// Declares a struct of options. A row is
///
/// ```text
/// /// What the option means.
/// name: type = default, [range], "unit";
/// ```
///
/// without a unit where it has none. A range is `from 0 to 10`, `above 0`, `above 0 to 10`, `above 0
/// to 10 or infinite`, `switch` or `choice 2 "0, 1 or 2"`; a bound may be another option, whose row
/// stands before. Options that belong to another table follow in `with`.
macro_rules! options {
    (
        $(#[$about:meta])*
        $name:ident, $prefix:literal {
            $(
                $(#[doc = $doc:literal])*
                $field:ident: $type:ty = $default:expr, [$($range:tt)*] $(, $unit:literal)?;
            )*
        }
        $(with {
            $(
                $(#[$about_group:meta])*
                $group:ident: $group_type:ty;
            )*
        })?
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            $(
                $(#[doc = $doc])*
                #[doc = ""]
                #[doc = concat!(
                    "Range: ", $crate::options::range!(words [$($unit)?] $($range)*),
                    "; default: `", stringify!($default), "`."
                )]
                pub $field: $type,
            )*
            $($(
                $(#[$about_group])*
                pub $group: $group_type,
            )*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* $($($group: Default::default(),)*)? }
            }
        }

        impl $crate::options::Table for $name {
            fn validate(&self) -> Result<(), $crate::OptionsError> {
                $crate::options::validate_rows(&[$((
                    concat!($prefix, stringify!($field)),
                    $crate::options::Number::number(self.$field),
                    $crate::options::range!(limits self, $field, $($range)*),
                    $crate::options::range!(words [$($unit)?] $($range)*),
                ),)*])
            }

            const ROWS: &'static [$crate::options::Row<Self>] = &[$($crate::options::Row {
                key: concat!($prefix, stringify!($field)),
                unit: concat!("" $(, $unit)?),
                range: $crate::options::range!(words [$($unit)?] $($range)*),
                get: |options| $crate::options::Number::number(options.$field),
                set: |options, value| {
                    let number = <$type as $crate::options::Number>::from_number(value);
                    options.$field = number.ok_or(<$type as $crate::options::Number>::MUST)?;
                    Ok(())
                },
            },)*];
            const DESCRIPTIONS: &'static [&'static str] = &[$(concat!($($doc, "\n"),*),)*];
        }
    };
}

/// What a range of [`options!`] means: its words and its limits.
macro_rules! range {
    (words [$($unit:literal)?] from $a:literal to $b:ident less $by:literal) => {
        concat!(stringify!($a), " to ", stringify!($b), " less ", stringify!($by) $(, " ", $unit)?)
    };
    (words [$($unit:literal)?] from $a:literal to $b:ident) => { concat!(stringify!($a), " to ", stringify!($b)) };
    (words [$($unit:literal)?] from $a:literal to $b:literal) => {
        concat!(stringify!($a), " to ", stringify!($b) $(, " ", $unit)?)
    };
    (words [$($unit:literal)?] above $a:tt to $b:ident) => {
        concat!("above ", stringify!($a), ", at most ", stringify!($b))
    };
    (words [$($unit:literal)?] above $a:tt to $b:literal or infinite) => {
        concat!("above ", stringify!($a), ", at most ", stringify!($b) $(, " ", $unit)?, ", or infinite")
    };
    (words [$($unit:literal)?] above $a:tt to $b:literal) => {
        concat!("above ", stringify!($a), ", at most ", stringify!($b) $(, " ", $unit)?)
    };
    (words [$($unit:literal)?] above $a:tt) => { concat!("above ", stringify!($a) $(, " ", $unit)?) };
    (words [] switch) => { "0 or 1" };
    (words [] choice $last:literal $words:literal) => { $words };

    (limits $options:expr, $field:ident, from $a:literal to $b:ident less $by:literal) => {
        [$a as f64, $options.$b - $by]
    };
    (limits $options:expr, $field:ident, from $a:literal to $b:tt) => {
        [$a as f64, $crate::options::range!(bound $options, $b)]
    };
    (limits $options:expr, $field:ident, above 0 to $b:literal or infinite) => {
        [$crate::options::SMALLEST, if $options.$field == f64::INFINITY { f64::INFINITY } else { $b as f64 }]
    };
    (limits $options:expr, $field:ident, above 0 to $b:tt) => {
        [$crate::options::SMALLEST, $crate::options::range!(bound $options, $b)]
    };
    (limits $options:expr, $field:ident, above $a:ident to $b:tt) => {
        [$options.$a + $crate::options::APART, $crate::options::range!(bound $options, $b)]
    };
    (limits $options:expr, $field:ident, above 0) => { [$crate::options::SMALLEST, f64::INFINITY] };
    (limits $options:expr, $field:ident, switch) => { [0.0, 1.0] };
    (limits $options:expr, $field:ident, choice $last:literal $words:literal) => { [0.0, $last as f64] };

    (bound $options:expr, $value:literal) => { $value as f64 };
    (bound $options:expr, $other:ident) => { $options.$other };
}

/// Methods by key for a struct that has a table of its own; `$of` completes "there is no option x".
macro_rules! by_key {
    ($name:ident, $of:literal) => {
        impl $name {
            /// The options with their values here: keys, units, ranges and descriptions.
            pub fn table(&self) -> Vec<$crate::OptionRow> {
                $crate::options::table(self)
            }

            /// Sets the option `key` of [`Self::table`] to `value`, for a game whose settings are text.
            /// A former key is taken as well. Ranges are checked by [`Self::validate`].
            ///
            /// # Errors
            /// A message for an unknown key and for a value that is not valid for a switch or a count.
            pub fn set(&mut self, key: &str, value: f64) -> Result<(), String> {
                $crate::options::set(self, $crate::options::current_key(key), value).unwrap_or_else(|| {
                    Err(format!(
                        concat!("there is no option {}", $of, ": docs/reference/options.md lists the options"),
                        key
                    ))
                })
            }

            /// Checks every field.
            ///
            /// # Errors
            /// The first field that is out of its documented range.
            pub fn validate(&self) -> Result<(), $crate::OptionsError> {
                $crate::options::validate(self)
            }
        }
    };
}

pub(crate) use {by_key, options, range};
