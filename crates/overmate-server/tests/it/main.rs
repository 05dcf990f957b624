//! The server as its clients see it: the router in process, real sockets, a database of its own for every test.

mod acting;
mod analysis;
mod creating;
mod documents;
mod hidden;
mod support;
