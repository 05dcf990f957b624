//! Defines the simulated link between a server and the in-memory store.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use crate::store::StoreError;

/// Simulated link between a server and the store, which may delay or lose messages.
pub(crate) trait Link: Send + Sync + 'static {
    /// Carries a message between a server and the store. After an error the operation fails. If the
    /// answer is lost, the store has executed the operation.
    fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>>;
}

/// Reliable link, which neither delays nor loses messages.
pub(crate) struct Direct;

impl Link for Direct {
    fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        async { Ok(()) }.boxed()
    }
}
