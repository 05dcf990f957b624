//! Many games that are stepped at once, over arrays.

pub(crate) mod games;
mod kernel;
