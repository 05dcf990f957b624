//! Provides the graph of all positions of a deal in which a card must be led, and tables of the points of each position.

mod lead_graph;
mod lead_table;

pub use lead_graph::{AnswerChoice, Continuation, LeadChoice, LeadGraph, LeadNode};
pub use lead_table::LeadTable;
