//! Determines whether a person may see the profile of an account.

use crate::error::ApiError;
use crate::store::{Account, Holder, Store};

/// Returns whether the viewer may see the profile of an account and its handle beside finished matches. Other people do not see a
/// private account, and the people whom the account has blocked do not see it either.
pub(super) async fn is_visible(
    store: &dyn Store,
    account: &Account,
    viewer: Option<Holder>,
) -> Result<bool, ApiError> {
    let Some(viewer) = viewer else { return Ok(!account.is_private) };
    let is_own = viewer == account.person;
    Ok(is_own
        || !account.is_private
            && !store.relations_between(viewer, account.person).await?.is_blocked)
}
