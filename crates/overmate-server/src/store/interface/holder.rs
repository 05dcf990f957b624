//! Defines the type that identifies a browser or a person.

/// Identity of a browser or a person: the SHA-256 hash of a browser's secret token. A person with several browsers has the
/// identity of their first browser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Holder(pub(crate) [u8; 32]);

impl Holder {
    /// Parses an identity of 64 hexadecimal digits, as written by [`Display`](std::fmt::Display). Returns `None` for any other
    /// string.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if text.len() != 64 || !is_hexadecimal {
            return None;
        }
        let mut bytes = [0; 32];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl std::fmt::Display for Holder {
    /// Formats the identity of a browser or a person as 64 hexadecimal digits.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}
