//! Defines the kinds of requests whose rate limits hold for all servers on a database together.

/// Kind of request whose rate limit holds for all servers on the database together.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dear {
    /// Request for a computation or a long read, such as an analysis, a hint, a puzzle, a feed or
    /// an export.
    Analysis,
    NewMatch,
    /// Request about codes, passkeys, passwords, handles or days off, or for a new feed address.
    Code,
    /// Sign-in attempt with a handle and a password.
    SignIn,
    /// Request that sends an e-mail.
    Mail,
    /// Resignation that ends a rated match for nobody, because a player has not acted.
    Abandonment,
}

impl Dear {
    /// Returns the name of this kind of request, for error texts and for the keys of its counts.
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
