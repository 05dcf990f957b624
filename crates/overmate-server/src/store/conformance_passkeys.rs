//! Tests passkeys and challenges on every store.
