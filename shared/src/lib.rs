//! N-Queens core.
#![no_std]
