//! Graph of all lead positions of a deal, and tables of the points of each position.

mod lead_graph;
mod lead_table;

pub use lead_graph::{AnswerChoice, Continuation, LeadChoice, LeadGraph, LeadNode};
pub use lead_table::LeadTable;
