//! Parses the e-mail addresses that people enter.

use lettre::Address;

/// Maximum number of characters in an e-mail address (RFC 5321).
const LONGEST: usize = 254;

/// E-mail address in the spelling of its owner. The address consists of ASCII characters without blanks and quotes, so that it
/// cannot add lines to the head of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EmailAddress(Address);

impl EmailAddress {
    /// Parses an e-mail address that a person has typed, or returns `None` for any other string.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (name, host) = text.rsplit_once('@')?;
        let is_name = !name.is_empty()
            && name.split('.').all(|part| !part.is_empty())
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c));
        let is_label = |label: &str| {
            !label.is_empty()
                && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let is_host = host.contains('.')
            && host.split('.').all(is_label)
            && host
                .rsplit('.')
                .next()
                .is_some_and(|last| last.contains(|c: char| c.is_ascii_alphabetic()));
        if !is_name || !is_host || text.len() > LONGEST {
            return None;
        }
        text.parse().ok().map(Self)
    }

    pub(crate) fn text(&self) -> &str {
        self.0.as_ref()
    }

    pub(super) fn address(&self) -> Address {
        self.0.clone()
    }

    /// Returns the normalised e-mail address for rate limiting: in lower case, and without the part after a plus sign. Many providers
    /// deliver messages for both spellings to one mailbox.
    pub(crate) fn limited(&self) -> String {
        let name = self.0.user().split('+').next().unwrap_or_default();
        format!("{name}@{}", self.0.domain()).to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_form_for_the_limits() {
        let mut read = 0;
        for (text, expected) in [
            ("anna@mate.example", "anna@mate.example"),
            (" Anna@Mate.Example ", "anna@mate.example"),
            ("anna+mate@mate.example", "anna@mate.example"),
            ("a.b-c_d'e@sub.mate-host.example", "a.b-c_d'e@sub.mate-host.example"),
        ] {
            let address = EmailAddress::read(text).expect("an address");
            assert_eq!((address.text(), &*address.limited()), (text.trim(), expected));
            read += 1;
        }
        assert_eq!(read, 4);
    }

    #[test]
    fn texts_that_could_add_a_line_or_a_recipient_are_refused() {
        let long = format!("{}@mate.example", "a".repeat(64 * 4));
        let mut refused = 0;
        for text in [
            "",
            "anna",
            "@mate.example",
            "anna@",
            "anna@localhost",
            "anna@mate..example",
            "anna@-mate.example",
            "anna@[127.0.0.1]",
            "anna@127.0.0.1",
            ".anna@mate.example",
            "an..na@mate.example",
            "anna@mate.example\r\nBcc: bert@mate.example",
            "anna\n@mate.example",
            "anna@mate.example, bert@mate.example",
            "anna@mate.example>",
            "Anna <anna@mate.example>",
            "\"anna bert\"@mate.example",
            "anna@bert@mate.example",
            "änna@mate.example",
            "anna@mäte.example",
            &long,
        ] {
            assert_eq!(EmailAddress::read(text), None, "{text}");
            refused += 1;
        }
        assert_eq!(refused, 21);
    }
}
