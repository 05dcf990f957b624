//! Chooses the language of the `head` element of a page.

use axum::http::{HeaderMap, header};

/// Language of the web client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    English,
    German,
}

impl Language {
    /// Returns the first language of the header `Accept-Language` that the web client supports. The
    /// default is English.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        let known = |range: &str| match range.trim().get(..2)? {
            "de" => Some(Self::German),
            "en" => Some(Self::English),
            _ => None,
        };
        accepted.unwrap_or_default().split(',').find_map(known).unwrap_or(Self::English)
    }

    /// Returns the code of the language for the HTML attribute `lang`.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Returns the Open Graph locale, with language and country.
    pub(super) fn locale(self) -> &'static str {
        match self {
            Self::English => "en_GB",
            Self::German => "de_DE",
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_first_known_language_is_chosen() {
        for (accepted, language) in [
            ("", Language::English),
            ("de-AT,de;q=0.9,en;q=0.5", Language::German),
            ("fr-FR, de;q=0.7, en;q=0.3", Language::German),
            ("en-US,de;q=0.9", Language::English),
            ("ß,*", Language::English),
            ("d", Language::English),
        ] {
            let mut headers = HeaderMap::new();
            let value = HeaderValue::from_str(accepted);
            headers.extend(value.map(|value| (header::ACCEPT_LANGUAGE, value)));
            assert_eq!(Language::of(&headers), language, "{accepted}");
        }
    }
}
