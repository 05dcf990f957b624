//! Tells whether a person has blocked somebody who asks.

use crate::error::ApiError;
use crate::store::{Holder, Store};

/// Returns whether a person has blocked the viewer. The person's handle is hidden from the viewer, as if nobody had it.
pub(super) async fn has_blocked(
    store: &dyn Store,
    person: Holder,
    viewer: Option<Holder>,
) -> Result<bool, ApiError> {
    let Some(viewer) = viewer else { return Ok(false) };
    Ok(store.relations_between(viewer, person).await?.is_blocked)
}
