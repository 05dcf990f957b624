//! Finds links in Markdown documents that lead to missing files or headings.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pulldown_cmark::{BrokenLink, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::fault::RuleBreach;
use crate::files::has_extension;

/// Prefix of the URLs with which published packages link to files of the repository.
const REPOSITORY: &str = "https://github.com/overmate/overmate/blob/main/";

/// Links of a Markdown document, and the anchors to which other documents can link.
#[derive(Default)]
struct Page {
    links: Vec<(usize, String)>,
    undefined: Vec<(usize, String)>,
    anchors: BTreeSet<String>,
}

/// Returns a rule breach for each link that is malformed or leads to no existing file or heading.
pub(super) fn dead_links(texts: &BTreeMap<String, String>) -> Vec<(String, RuleBreach)> {
    let pages: BTreeMap<&str, Page> = texts
        .iter()
        .filter(|(file, _)| has_extension(file, "md"))
        .map(|(file, text)| (file.as_str(), read(text)))
        .collect();
    let mut faults = Vec::new();
    for (&file, page) in &pages {
        for (line, target) in &page.links {
            if let Err(why) = follow(file, target, texts, &pages) {
                faults
                    .push((file.to_owned(), RuleBreach::new(*line, format!("`{target}`: {why}"))));
            }
        }
        for (line, name) in &page.undefined {
            let what = format!("the link name `[{name}]` is not defined in this file");
            faults.push((file.to_owned(), RuleBreach::new(*line, what)));
        }
    }
    faults
}

fn read(text: &str) -> Page {
    let line_of = |at: usize| text.get(..at).map_or(1, |before| before.matches('\n').count() + 1);
    let mut undefined = Vec::new();
    // Only `[text][name]` and `[name][]` count as links, because `[name]` alone is often ordinary text.
    let on_broken = |link: BrokenLink<'_>| {
        if matches!(link.link_type, LinkType::Reference | LinkType::Collapsed) {
            undefined.push((line_of(link.span.start), link.reference.to_string()));
        }
        None
    };
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH;
    let events = Parser::new_with_broken_link_callback(text, options, Some(on_broken));

    let mut page = Page::default();
    let mut heading: Option<String> = None;
    for (event, Range { start, .. }) in events.into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type: LinkType::Email, .. }) => {}
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push((line_of(start), dest_url.to_string()));
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let title = heading.take().unwrap_or_default();
                add_anchor(&mut page.anchors, &anchor(&title));
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some(title) = heading.as_mut() {
                    title.push_str(&part);
                }
            }
            Event::Html(html) | Event::InlineHtml(html) if !html.starts_with("<!--") => {
                let ids = attributes(&html, "id").chain(attributes(&html, "name"));
                page.anchors.extend(ids.map(str::to_owned));
                let links = attributes(&html, "href").chain(attributes(&html, "src"));
                page.links.extend(links.map(|link| (line_of(start), link.to_owned())));
            }
            _ => {}
        }
    }
    page.undefined = undefined;
    page
}

/// Returns the anchor that code hosting sites give to a heading. It consists of letters, digits, `-` and `_`, in lower case.
fn anchor(title: &str) -> String {
    let kept = title.trim().chars().filter_map(|character| match character {
        ' ' => Some('-'),
        '-' | '_' => Some(character),
        _ => character.is_alphanumeric().then_some(character),
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// Adds the anchor of a heading to the anchors of a document. The anchor of a repeated heading gets a number.
fn add_anchor(anchors: &mut BTreeSet<String>, name: &str) {
    let numbered = (1..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    anchors.extend(names.find(|name| !anchors.contains(name)));
}

/// Returns the values of all attributes with the given name in a piece of HTML.
fn attributes<'a>(html: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let opening = format!(" {name}=\"");
    let values: Vec<_> =
        html.split(&opening).skip(1).filter_map(|rest| rest.split('"').next()).collect();
    values.into_iter()
}

fn follow(
    from: &str,
    target: &str,
    texts: &BTreeMap<String, String>,
    pages: &BTreeMap<&str, Page>,
) -> Result<(), String> {
    // In a package's documents, links to files outside the package contain the address of the repository, because people also read these
    // documents elsewhere.
    let in_repository = target.strip_prefix(REPOSITORY);
    if in_repository.is_none() && (target.contains("://") || target.starts_with("mailto:")) {
        return well_formed(target);
    }
    let (from, target) = in_repository.map_or((from, target), |target| ("", target));
    let (path, fragment) = match target.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (target, None),
    };
    let file = if path.is_empty() { from.to_owned() } else { resolve(from, path)? };
    if package_of(from).is_some_and(|package| !file.starts_with(package)) {
        return Err(format!(
            "the link leads out of the package: write the address {REPOSITORY}{file}"
        ));
    }
    let folder = format!("{file}/");
    let is_folder = file.is_empty() || texts.keys().any(|name| name.starts_with(&folder));
    if !texts.contains_key(&file) && !is_folder {
        return Err(format!("the repository has no file or folder `{file}`"));
    }
    let Some(fragment) = fragment else {
        return Ok(());
    };
    let is_there = match pages.get(file.as_str()) {
        Some(page) => page.anchors.contains(fragment),
        None => texts.get(&file).is_some_and(|text| is_line(fragment, text)),
    };
    if is_there {
        Ok(())
    } else {
        Err(format!("the file `{file}` has no heading or line `#{fragment}`"))
    }
}

/// Returns whether a link fragment such as `L17` or `L17-L20` refers to existing lines of a text.
fn is_line(fragment: &str, text: &str) -> bool {
    let number = |part: &str| part.strip_prefix('L').and_then(|number| number.parse().ok());
    let last = fragment.rsplit('-').next().and_then(number);
    last.is_some_and(|line: usize| (1..=text.lines().count()).contains(&line))
}

/// Checks the syntax of a URL without access to the network.
fn well_formed(address: &str) -> Result<(), String> {
    if address.starts_with("mailto:") {
        return Ok(());
    }
    let Some(("http" | "https", rest)) = address.split_once("://") else {
        return Err("the link is neither relative nor an address with http or https".to_owned());
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.split(':').next().unwrap_or_default();
    let is_name = |part: &str| {
        !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    let is_host = host == "localhost" || (host.contains('.') && host.split('.').all(is_name));
    if is_host { Ok(()) } else { Err("the address has no valid host name".to_owned()) }
}

/// Returns the folder of the published package to which a document belongs, or `None` if the document is in no package.
fn package_of(file: &str) -> Option<&str> {
    let (name, _) = file.strip_prefix("crates/")?.split_once('/')?;
    file.get(.."crates/".len() + name.len() + 1)
}

/// Returns the path of the file to which a relative link in the file `from` leads.
fn resolve(from: &str, path: &str) -> Result<String, String> {
    if path.starts_with('/') {
        return Err("the link starts with a slash: write a relative link".to_owned());
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or("the link leads out of the repository")?;
            }
            name => parts.push(name),
        }
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the faults that the link check finds in the file `docs/page.md` with the given text. The file belongs to a small test
    /// repository.
    fn faults(text: &str) -> Vec<String> {
        faults_in("docs/page.md", text)
    }

    /// Returns the faults that the link check finds in a file with the path `document` and the given text. The file belongs to a small test
    /// repository.
    fn faults_in(document: &str, text: &str) -> Vec<String> {
        let texts = [
            (document, text),
            ("docs/other.md", "# The `Kc` lead\n\n# Twice\n\n# Twice\n\n<a id=\"here\"></a>\n"),
            ("src/lib.rs", "//! One.\n//! Two.\n"),
            ("README.md", "# Overmate\n"),
        ];
        let texts = texts.map(|(file, text)| (file.to_owned(), text.to_owned())).into();
        let of_page = |(file, fault): (String, RuleBreach)| {
            assert_eq!(file, document);
            format!("{}: {}", fault.line, fault.what)
        };
        dead_links(&texts).into_iter().map(of_page).collect()
    }

    #[test]
    fn links_to_existing_files_and_headings_pass() {
        let text = r#"
# Here & now!

[a](other.md) [b](other.md#the-kc-lead) [c](other.md#twice-1) [d](other.md#here)
[e](../README.md#overmate) [f](../src) [g](../src/lib.rs#L2) [h](../src/lib.rs#L1-L2) [i](#here--now)
[j][ref] ![k](../src/lib.rs) <https://example.org> [l](http://localhost:8080/x) <me@example.org>
<a href="other.md">m</a> [not a link] `[code](nowhere.md)`

```text
[code](nowhere.md)
```

[ref]: other.md "Title"
"#;
        assert_eq!(faults(text), Vec::<String>::new());
    }

    #[test]
    fn a_package_links_to_the_repository_by_its_address() {
        let readme = |text: &str| faults_in("crates/one/README.md", text);

        let address = "https://github.com/overmate/overmate/blob/main";
        assert_eq!(readme(&format!("[a]({address}/docs/other.md#twice)")), Vec::<String>::new());
        assert_eq!(readme("[a](#here)\n\n# Here"), Vec::<String>::new());
        for (text, expected) in [
            (format!("[a]({address}/docs/nowhere.md)"), "no file or folder `docs/nowhere.md`"),
            ("[a](../../docs/other.md)".to_owned(), "leads out of the package"),
        ] {
            let found = readme(&text);
            assert!(found.len() == 1 && found.concat().contains(expected), "{text}: {found:?}");
        }
    }

    #[test]
    fn dead_links_are_reported_with_their_line() {
        let dead = [
            ("[a](nowhere.md)", "no file or folder `docs/nowhere.md`"),
            ("[a](README.md)", "no file or folder `docs/README.md`"),
            ("![a](picture.png)", "no file or folder `docs/picture.png`"),
            ("[a](other.md#nothing)", "no heading or line `#nothing`"),
            ("[a](#nothing)", "no heading or line `#nothing`"),
            ("[a](other.md#twice-2)", "no heading or line `#twice-2`"),
            ("[a](../src/lib.rs#L3)", "no heading or line `#L3`"),
            ("[a](../../else.md)", "the link leads out of the repository"),
            ("[a](/docs/other.md)", "write a relative link"),
            ("[a](https://)", "has no valid host name"),
            ("[a](https://example)", "has no valid host name"),
            ("[a](https://example..org/x)", "has no valid host name"),
            ("[a](htps://example.org)", "neither relative nor an address"),
            ("[a][nowhere]", "`[nowhere]` is not defined"),
            ("<img src=\"picture.png\">", "no file or folder `docs/picture.png`"),
        ];
        for (text, expected) in dead {
            let found = faults(&format!("First line.\n\nThen {text}.\n"));
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            let fault = found.first().map_or("", String::as_str);
            assert!(fault.starts_with("3: ") && fault.contains(expected), "{text}: {fault}");
        }
    }
}
