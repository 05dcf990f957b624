//! A deal as a graph of leads, and tables over the graph: for callers that need more than values.

mod lead_graph;
mod lead_table;

pub use lead_graph::{AnswerChoice, Continuation, LeadChoice, LeadGraph, LeadNode};
pub use lead_table::{HorizonDeepening, LeadTable};
