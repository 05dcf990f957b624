//! Writes the `head` element of the HTML page, for browsers and for link previews (Open Graph protocol).

use std::fmt::Write as _;

use super::language::Language;
use crate::picture::{HEIGHT, MEDIA_TYPE, WIDTH};

/// HTML comment that marks the start of the replaceable part of the `head` element.
const BEGIN: &str = "<!-- head -->";

/// HTML comment that marks the end of the replaceable part of the `head` element.
const END: &str = "<!-- /head -->";

/// Start tag of the `html` element, with the attribute `lang` for English. The server replaces this tag.
const LANGUAGE: &str = "<html lang=\"en\">";

/// Link preview of a page: title, description and picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Preview {
    pub(crate) title: String,
    pub(crate) description: String,
    /// URL path of the preview picture on this server.
    pub(crate) picture: String,
    /// Alternative text of the preview picture.
    pub(crate) shows: String,
    /// Whether search engines may list the page.
    pub(crate) listed: bool,
}

/// Returns the HTML page with a link preview in its `head` element. `origin` is the server's address as the client wrote it, such
/// as `https://mate.example`, and `path` is the path and query of the page. Without an origin the preview has no picture and no
/// address, because the Open Graph protocol allows no relative addresses.
pub(crate) fn filled(
    shell: &str,
    preview: &Preview,
    language: Language,
    origin: Option<&str>,
    path: &str,
) -> String {
    let parts = shell.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    // If the page lacks the HTML comments `BEGIN` and `END`, the page is returned unchanged.
    let Some((before, after)) = parts else { return shell.to_owned() };
    let before = before.replace(LANGUAGE, &format!("<html lang=\"{}\">", language.code()));
    let mut html = before;
    let (title, description) = (escaped(&preview.title), escaped(&preview.description));
    let _ = write!(html, "<title>{title}</title>");
    let mut tag = |key: &str, name: &str, content: &str| {
        let _ = write!(html, "\n    <meta {key}=\"{name}\" content=\"{content}\" />");
    };
    tag("name", "description", &description);
    if !preview.listed {
        tag("name", "robots", "noindex");
    }
    tag("property", "og:site_name", "Overmate");
    tag("property", "og:type", "website");
    tag("property", "og:locale", language.locale());
    tag("property", "og:title", &title);
    tag("property", "og:description", &description);
    if let Some(origin) = origin {
        tag("property", "og:url", &escaped(&format!("{origin}{path}")));
        tag("property", "og:image", &escaped(&format!("{origin}{}", preview.picture)));
        tag("property", "og:image:type", MEDIA_TYPE);
        tag("property", "og:image:width", &WIDTH.to_string());
        tag("property", "og:image:height", &HEIGHT.to_string());
        tag("property", "og:image:alt", &escaped(&preview.shows));
        tag("name", "twitter:card", "summary_large_image");
    }
    html.push_str(after);
    html
}

/// Escapes the special characters of HTML in a text.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preview() -> Preview {
        Preview {
            title: "\"><script>1</script>".to_owned(),
            description: "a & b".to_owned(),
            picture: "/picture.png?rules=bga&deal=1".to_owned(),
            shows: "a board".to_owned(),
            listed: false,
        }
    }

    const SHELL: &str =
        "<html lang=\"en\"><head><!-- head --><title>Overmate</title><!-- /head --><i></head>";

    #[test]
    fn texts_are_escaped() {
        let html =
            filled(SHELL, &preview(), Language::German, Some("https://mate.example"), "/a?b=\"&c");
        assert!(!html.contains("<script"), "{html}");
        assert!(html.contains("content=\"https://mate.example/picture.png?rules=bga&amp;deal=1\""));
        assert!(
            html.contains("og:url\" content=\"https://mate.example/a?b=&quot;&amp;c\""),
            "{html}"
        );
        assert!(html.starts_with("<html lang=\"de\"><head><title>&quot;&gt;"), "{html}");
        assert!(html.ends_with("<i></head>") && html.contains("noindex"), "{html}");
    }

    #[test]
    fn without_an_address_of_the_server_there_is_no_picture() {
        let html = filled(SHELL, &preview(), Language::English, None, "/");
        assert!(!html.contains("og:image") && !html.contains("og:url"), "{html}");
        assert!(html.contains("og:title"), "{html}");
    }

    #[test]
    fn the_page_of_the_web_client_has_the_place_for_the_head() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/app.html");
        let shell = std::fs::read_to_string(file).expect("the page of the web client");
        assert!(shell.contains(LANGUAGE));
        let html = filled(&shell, &preview(), Language::German, None, "/");
        assert_eq!(html.matches("<title>").count(), 1);
        assert_eq!(html.matches("name=\"description\"").count(), 1);
        assert!(html.contains("%sveltekit.head%"));
    }
}
