//! Texts for people: columns, hands, score sheets, and the wording of actions, values and results.

pub mod columns;
pub mod hands;
pub mod score_sheet;
pub mod style;
pub mod words;
