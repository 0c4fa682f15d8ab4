//! [`RacingLine`](crate::RacingLine) → bytes, one file per format; no input or output happens here.
