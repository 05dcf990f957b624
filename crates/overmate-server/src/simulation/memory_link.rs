//! Connects servers to the store in memory.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use crate::store::StoreError;

/// Connection between a server and the store, which may delay or lose messages.
pub(crate) trait Link: Send + Sync + 'static {
    /// Carries a request to the store, or an answer back. After an error the operation fails. If the answer is lost, the store
    /// has executed the operation.
    fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>>;
}

/// Link that neither delays nor loses messages.
pub(crate) struct Direct;

impl Link for Direct {
    fn pass(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        async { Ok(()) }.boxed()
    }
}
