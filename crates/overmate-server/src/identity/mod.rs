//! Identifies browsers, accounts and bots: cookies, tokens, codes, handles, passwords and passkeys.

pub(crate) mod bot_token;
pub(crate) mod browser;
pub(crate) mod codes;
pub(crate) mod handle;
#[cfg(not(feature = "passkeys"))]
pub(crate) mod no_relying_party;
pub(crate) mod passwords;
#[cfg(feature = "passkeys")]
pub(crate) mod relying_party;

#[cfg(not(feature = "passkeys"))]
pub(crate) use no_relying_party as relying_party;
