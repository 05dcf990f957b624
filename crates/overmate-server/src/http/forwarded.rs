//! Parses HTTP headers such as `Forwarded`, to which each reverse proxy appends an element.
//!
//! The functions [`last_element`] and [`parameter`] read from the end of a header. A client can write the beginning of the
//! header. An open quotation mark in the client's part must not hide the element of the proxy.

/// Returns the last non-empty element of a comma-separated header value. Commas between quotation marks do not separate elements.
pub(crate) fn last_element(value: &str) -> &str {
    let mut rest = value;
    loop {
        match split_last(rest, ',') {
            (Some(before), last) if last.trim().is_empty() => rest = before,
            (_, last) => return last.trim(),
        }
    }
}

/// Returns the first value of a parameter in an element of the header `Forwarded` (RFC 7239), without quotation marks. Returns `None` if
/// the element lacks the parameter.
pub(crate) fn parameter<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (mut rest, mut found) = (Some(element), None);
    while let Some(text) = rest {
        let (before, pair) = split_last(text, ';');
        if let Some((key, value)) = pair.trim().split_once('=')
            && key.eq_ignore_ascii_case(name)
        {
            found = Some(unquoted(value));
        }
        rest = before;
    }
    found
}

/// Removes the quotation marks around a text.
pub(crate) fn unquoted(text: &str) -> &str {
    text.trim_matches('"')
}

/// Splits a text at its last separator that does not stand between quotation marks. Without such a separator, the first part is `None`, and
/// the second part is the whole text.
fn split_last(text: &str, separator: char) -> (Option<&str>, &str) {
    let mut is_quoted = false;
    for (index, c) in text.char_indices().rev() {
        let before = &text[..index];
        if c == '"' {
            let backslashes = before.len() - before.trim_end_matches('\\').len();
            // A backslash before a quotation mark makes the mark a part of the quoted text.
            is_quoted ^= backslashes.is_multiple_of(2);
        } else if c == separator && !is_quoted {
            return (Some(before), &text[index + c.len_utf8()..]);
        }
    }
    (None, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_between_quotation_marks_separate_nothing() {
        let one = "for=\"[2001:db8::1]:42\";host=\"a,for=9.9.9.9;proto=http\";proto=https";
        let escaped = "for=192.0.2.1;host=\"a\\\",for=9.9.9.9\"";
        for (value, expected) in [
            (one, one),
            (escaped, escaped),
            ("for=1.2.3.4, for=5.6.7.8", "for=5.6.7.8"),
            ("1.2.3.4,", "1.2.3.4"),
            ("1.2.3.4 , ,", "1.2.3.4"),
            ("", ""),
            // A client sent a header element with an unclosed quotation mark, and a proxy appended a second element.
            ("for=9.9.9.9;host=\", for=192.0.2.1", "for=192.0.2.1"),
            ("for=9.9.9.9;host=\", for=\"192.0.2.1:80\"", "for=\"192.0.2.1:80\""),
        ] {
            assert_eq!(last_element(value), expected, "{value}");
        }
        assert_eq!(parameter(one, "For"), Some("[2001:db8::1]:42"));
        assert_eq!(parameter(one, "proto"), Some("https"));
        assert_eq!(parameter(one, "by"), None);
        assert_eq!(parameter("for=1.2.3.4;for=5.6.7.8", "for"), Some("1.2.3.4"));
    }
}
