//! Any bytes as the pixels of a small road mask: edges, cross-sections. Without a decoder and a
//! search for the road, it reaches the stages behind them a hundred times as often.
#![no_main]

use libfuzzer_sys::fuzz_target;

mod drawn;

fuzz_target!(|bytes: &[u8]| drawn::stages(bytes));
