//! Texts for people: columns, hands, score sheets, and what happens in a game in words.

pub mod columns;
pub mod hands;
pub mod score_sheet;
pub mod style;
pub mod words;
