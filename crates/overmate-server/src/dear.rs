//! Defines the kinds of expensive requests, and the name of each kind.

/// Kind of expensive request, with a rate limit that all servers on one database share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Dear {
    /// Request for a computation or a long database read, such as an analysis, a hint, a puzzle, a feed or an export.
    Analysis,
    NewMatch,
    /// Request to sign in, to create a linking code or a tournament event, or to change an account or a person's settings. Examples are
    /// requests for a new passkey, handle or feed address.
    Code,
    /// Sign-in attempt with a handle and a password.
    SignIn,
    /// Request that sends an e-mail.
    Mail,
    /// Resignation from a rated match before both players have acted. Such a resignation leaves the ratings unchanged.
    Abandonment,
}

impl Dear {
    /// Returns the name of a kind of expensive request, as used in error texts and in the hashed keys of rate limit counters.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Analysis => "analyses",
            Self::NewMatch => "new matches",
            Self::Code => "codes and sign-ins",
            Self::SignIn => "sign-ins with a handle",
            Self::Mail => "e-mails",
            Self::Abandonment => "abandoned rated matches",
        }
    }
}
