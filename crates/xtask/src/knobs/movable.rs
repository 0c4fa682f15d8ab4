//! The package `raceline-knob` of the copy that `xtask knobs` builds: a constant's value, moved if an environment
//! variable asks for it. No part of xtask itself.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

const KNOBS: usize = 1;

/// Which knobs were read; filled only if that is to be recorded.
static READ: [AtomicBool; KNOBS] = [const { AtomicBool::new(false) }; KNOBS];

struct Setting {
    number: usize,
    factor: f64,
    trace: Option<File>,
}

static SETTING: OnceLock<Setting> = OnceLock::new();

/// `RACELINE_KNOB=<number>:<factor>` moves a knob; `RACELINE_KNOB_TRACE=<file>` records which are read.
fn setting() -> Setting {
    let moved = std::env::var("RACELINE_KNOB").ok();
    let moved = moved.as_deref().and_then(|text| text.split_once(':'));
    let moved = moved.and_then(|(number, factor)| Some((number.parse().ok()?, factor.parse().ok()?)));
    let (number, factor) = moved.unwrap_or((usize::MAX, 1.0));
    let trace = std::env::var("RACELINE_KNOB_TRACE").ok();
    let trace = trace.and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
    Setting { number, factor, trace }
}

/// The value of the knob of this number.
#[inline]
pub fn moved<T: Movable>(number: usize, value: T) -> T {
    let setting = SETTING.get_or_init(setting);
    if setting.trace.is_some() {
        record(setting, number);
    }
    if setting.number == number { value.times(setting.factor) } else { value }
}

#[cold]
fn record(setting: &Setting, number: usize) {
    if !READ[number].swap(true, Ordering::Relaxed) {
        if let Some(mut file) = setting.trace.as_ref() {
            let _ = file.write_all(format!("{number}\n").as_bytes());
        }
    }
}

pub trait Movable {
    /// The value multiplied; whole numbers move by at least one, and stay in their range.
    fn times(self, factor: f64) -> Self;
}

macro_rules! floats {
    ($($kind:ty)*) => { $(
        impl Movable for $kind {
            fn times(self, factor: f64) -> Self {
                self * factor as $kind
            }
        }
    )* };
}

macro_rules! integers {
    ($($kind:ty)*) => { $(
        impl Movable for $kind {
            fn times(self, factor: f64) -> Self {
                let product = (self as f64 * factor).round() as $kind;
                match product == self {
                    true if self == 0 => self,
                    true if (factor > 1.0) == (self > 0) => self.saturating_add(1),
                    true => self.saturating_sub(1),
                    false => product,
                }
            }
        }
    )* };
}

floats!(f64 f32);
integers!(usize u64 u32 u16 u8 isize i64 i32 i16 i8);

impl<T: Movable, const N: usize> Movable for [T; N] {
    fn times(self, factor: f64) -> Self {
        self.map(|value| value.times(factor))
    }
}

impl<A: Movable, B: Movable> Movable for (A, B) {
    fn times(self, factor: f64) -> Self {
        (self.0.times(factor), self.1.times(factor))
    }
}
