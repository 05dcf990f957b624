//! Searches deals that are too large for a table by alpha-beta search, with exact values or proved bounds.
//!
//! - `search`: null-window alpha-beta with bisection over the score window.
//! - `transposition_table`: proved bounds by position.
//! - `node`: a position in which a card is to be led.
//! - `seat_facts`, `even_suits`: bounds and draws that need no search.

mod even_suits;
mod node;
mod null_window;
mod seat_facts;
mod transposition_table;

pub(crate) use null_window::Search;
