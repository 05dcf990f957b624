//! Defines the simulated link between a server and the in-memory store.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use crate::store::StoreError;

/// Simulated link that may delay or lose the messages between a server and the store.
pub(crate) trait Link: Send + Sync + 'static {
    /// Carries a message over the link between a server and the store. If the message is lost, returns an error, and the operation fails.
    /// If the lost message is the response of the store, the store has already executed the operation.
    fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>>;
}

/// Reliable link that neither delays nor loses the messages between a server and the store.
pub(crate) struct Direct;

impl Link for Direct {
    fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        async { Ok(()) }.boxed()
    }
}
