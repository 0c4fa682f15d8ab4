//! Runtime follower of racing lines.
#![no_std]
