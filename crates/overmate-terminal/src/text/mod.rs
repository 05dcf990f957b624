//! Writes human-readable texts: tables, hands, score sheets, and descriptions of actions, values and results.

pub mod columns;
pub mod hands;
pub mod notation;
pub mod review;
pub mod score_sheet;
pub mod style;
pub mod words;
pub mod wrapping;
