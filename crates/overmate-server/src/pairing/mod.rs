//! Pairs the players of an arena or Swiss event. The pairing is a pure function: it reads neither the database nor the clock.

mod matching;
mod pairs;

pub(crate) use pairs::{Avoided, Contender, pair};
