//! Defines the address at which push services reach the operator of the server (RFC 8292).

use std::fmt;
use std::str::FromStr;

use crate::http::public_url::PublicUrl;

/// Contact address of the server's operator for push services: an e-mail address with `mailto:`, or an `https` URL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PushContact(String);

/// Parse error: the string is not a valid contact address for push services.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the contact for push services is not valid: give an e-mail address such as mailto:admin@mate.example, or a web address such as https://mate.example, with a dot in the host name"
)]
pub struct PushContactFault;

impl PushContact {
    /// Returns the public URL of a server as the contact for push services, or `None` if push services would refuse the URL.
    pub(crate) fn of_public_url(url: &PublicUrl) -> Option<Self> {
        url.origin().parse().ok()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PushContact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for PushContact {
    type Err = PushContactFault;

    fn from_str(text: &str) -> Result<Self, PushContactFault> {
        let is_clean = text.len() <= 320 && text.chars().all(|c| c.is_ascii_graphic());
        // Push services refuse a contact address at a host that is not public, such as `localhost`.
        let has_host = |host: &str| host.contains('.') && !host.starts_with('.');
        let is_contact = match text.split_once(':') {
            Some(("mailto", address)) => address
                .split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && has_host(host)),
            Some(("https", rest)) => {
                let host = rest.strip_prefix("//").and_then(|rest| rest.split('/').next());
                host.is_some_and(has_host)
            }
            _ => false,
        };
        if is_clean && is_contact { Ok(Self(text.to_owned())) } else { Err(PushContactFault) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_an_e_mail_address_or_an_encrypted_address() {
        let mut tried = 0;
        for (text, is_accepted) in [
            ("mailto:admin@mate.example", true),
            ("https://mate.example", true),
            ("https://mate.example/contact", true),
            ("admin@mate.example", false),
            ("mailto:admin", false),
            ("mailto:@mate.example", false),
            ("mailto:admin@localhost", false),
            ("http://mate.example", false),
            ("https://localhost", false),
            ("https://", false),
            ("mailto:a b@mate.example", false),
            ("", false),
        ] {
            assert_eq!(text.parse::<PushContact>().is_ok(), is_accepted, "{text}");
            tried += 1;
        }
        assert_eq!(tried, 12);
    }
}
