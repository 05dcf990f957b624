//! Determines whether a person may see the profile of an account.

use crate::error::ApiError;
use crate::store::{Account, Holder, Store};

/// Returns whether a viewer may see the profile of an account. The same condition holds for the account's handle beside finished matches.
/// Only the owner sees a private account. A person whom the owner has blocked does not see the account.
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
