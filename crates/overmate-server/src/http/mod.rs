//! Implements the parts of HTTP that the routes use: streams, clients, addresses, the files of the page, and the text of the API.

pub(crate) mod assets;
pub(crate) mod client;
pub(crate) mod forwarded;
pub(crate) mod openapi;
pub(crate) mod public_url;
pub(crate) mod stream;
