//! Identifies browsers, accounts and bots: cookies, tokens, codes, handles, passwords and passkeys.

pub(crate) mod bot_token;
pub(crate) mod browser;
pub(crate) mod codes;
pub(crate) mod handle;
pub(crate) mod passwords;
#[cfg(feature = "passkeys")]
pub(crate) mod relying_party;
#[cfg(not(feature = "passkeys"))]
#[path = "no_relying_party.rs"]
pub(crate) mod relying_party;
