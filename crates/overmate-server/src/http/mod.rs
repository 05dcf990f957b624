//! Implements HTTP infrastructure: TCP streams, client identification, the public address, web client files, and OpenAPI texts.

pub(crate) mod assets;
pub(crate) mod client;
pub(crate) mod forwarded;
pub(crate) mod openapi;
pub(crate) mod public_url;
pub(crate) mod stream;
