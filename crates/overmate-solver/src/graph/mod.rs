//! The positions of a deal as a graph of leads, and tables of points for the nodes of the graph.

mod lead_graph;
mod lead_table;

pub use lead_graph::{AnswerChoice, Continuation, LeadChoice, LeadGraph, LeadNode};
pub use lead_table::{HorizonDeepening, LeadTable};
