//! Graph of the leads of a deal, and tables with the points of all its nodes.

mod lead_graph;
mod lead_table;

pub use lead_graph::{AnswerChoice, Continuation, LeadChoice, LeadGraph, LeadNode};
pub use lead_table::{HorizonDeepening, LeadTable};
