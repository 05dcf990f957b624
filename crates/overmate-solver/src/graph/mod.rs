//! Graph of all positions of a deal in which a card is to be led, and tables with the points of each such position.

mod lead_graph;
mod lead_table;

pub use lead_graph::{AnswerChoice, Continuation, LeadChoice, LeadGraph, LeadNode};
pub use lead_table::{HorizonDeepening, LeadTable};
