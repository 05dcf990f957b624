//! A deal as a graph of leads, and tables over the graph: for callers that need more than values.

pub(crate) mod lead_graph;
pub(crate) mod lead_table;
