//! Implements the alpha-beta search, which computes exact values or proved bounds for deals with too many cards for a table of all
//! positions.
//!
//! - `null_window`: null-window alpha-beta search, which bisects the score window.
//! - `transposition_table`: proved bounds by position.
//! - `node`: the nodes of the search, which are positions in which a card must be led.
//! - `seat_facts`, `even_suits`: bounds and draws that need no search.

mod even_suits;
mod node;
mod null_window;
mod seat_facts;
mod transposition_table;

pub(crate) use null_window::Search;
