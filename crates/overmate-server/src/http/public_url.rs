//! Defines the public address of a server. Browsers reach the server at this address, and passkeys are bound to its host name.

use std::str::FromStr;

use url::Url;

/// Address at which browsers reach the server: an `https` origin with a host name. `http` is accepted for `localhost`, where
/// browsers permit passkeys without encryption.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl(Url);

/// Parse error: the string is not a valid public address of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PublicUrlFault {
    /// The string does not begin with a scheme such as `https://`.
    #[error(
        "the public address does not begin with https://: write an address such as https://mate.example"
    )]
    NoScheme,
    /// The string is not the URL of an `http` or `https` origin with a host name. Such a URL has no path, query, fragment, user name or
    /// password.
    #[error(
        "the public address must consist of https://, a host name and at most a port: write an address such as https://mate.example"
    )]
    Form,
    /// The scheme of the public address is the unencrypted `http`, and the host is not `localhost`.
    #[error(
        "the public address is not encrypted: write https://, because browsers permit passkeys only over HTTPS"
    )]
    Unencrypted,
}

impl PublicUrl {
    /// Returns the public address of the server in the form of a web origin, such as `https://mate.example`.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Returns the host name of the public address in lower case.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.domain().unwrap_or_default()
    }

    /// Returns the public address as a parsed URL, for the verification of passkeys.
    #[cfg(feature = "passkeys")]
    pub(crate) fn url(&self) -> &Url {
        &self.0
    }
}

impl FromStr for PublicUrl {
    type Err = PublicUrlFault;

    fn from_str(text: &str) -> Result<Self, PublicUrlFault> {
        if !text.contains("://") {
            return Err(PublicUrlFault::NoScheme);
        }
        let url = Url::parse(text).map_err(|_| PublicUrlFault::Form)?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        let has_more = url.path() != "/" || url.query().is_some() || url.fragment().is_some();
        let host = url.domain().filter(|host| !host.is_empty() && !host.ends_with('.'));
        let Some(host) = host.filter(|_| !has_user && !has_more) else {
            return Err(PublicUrlFault::Form);
        };
        match url.scheme() {
            "https" => Ok(Self(url)),
            "http" if host == "localhost" => Ok(Self(url)),
            "http" => Err(PublicUrlFault::Unencrypted),
            _ => Err(PublicUrlFault::Form),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_an_encrypted_origin_with_a_host_name() {
        for (text, origin, host) in [
            ("https://mate.example", "https://mate.example", "mate.example"),
            ("https://Mate.Example/", "https://mate.example", "mate.example"),
            ("https://mate.example:443", "https://mate.example", "mate.example"),
            ("https://mate.example:8443", "https://mate.example:8443", "mate.example"),
            ("http://localhost:2420", "http://localhost:2420", "localhost"),
        ] {
            let url: PublicUrl = text.parse().expect("an address");
            assert_eq!((&*url.origin(), url.host()), (origin, host));
        }
        for (text, fault) in [
            ("", PublicUrlFault::NoScheme),
            ("mate.example", PublicUrlFault::NoScheme),
            ("mate.example:8443", PublicUrlFault::NoScheme),
            ("https://", PublicUrlFault::Form),
            ("ftp://mate.example", PublicUrlFault::Form),
            ("https://192.0.2.1", PublicUrlFault::Form),
            ("https://[::1]:2420", PublicUrlFault::Form),
            ("https://mate.example./", PublicUrlFault::Form),
            ("https://mate.example/table", PublicUrlFault::Form),
            ("https://mate.example/?a", PublicUrlFault::Form),
            ("https://anna@mate.example", PublicUrlFault::Form),
            ("http://mate.example", PublicUrlFault::Unencrypted),
        ] {
            assert_eq!(text.parse::<PublicUrl>(), Err(fault), "{text}");
        }
    }
}
