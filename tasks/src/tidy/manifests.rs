//! Checks that a comment in each cargo manifest gives the reason for every dependency.

use toml_edit::{Document, Item, TableLike};

use super::fault::RuleBreach;

const SECTIONS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// Checks that every dependency in a cargo manifest has a comment with a reason. The comment stands on the line of the dependency or on the
/// line above.
///
/// An inherited dependency has its reason in the manifest of the workspace.
pub(super) fn gives_reasons(text: &str) -> Vec<RuleBreach> {
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            return vec![RuleBreach::new(line_of(text, at), "the file is not valid TOML")];
        }
    };
    let root = document.as_table();
    let mut faults = sections_of(text, root);
    if let Some(workspace) = table(root, "workspace") {
        faults.extend(sections_of(text, workspace));
    }
    if let Some(targets) = table(root, "target") {
        for (_, target) in targets.iter() {
            faults.extend(target.as_table_like().iter().flat_map(|of| sections_of(text, *of)));
        }
    }
    faults
}

fn table<'a>(parent: &'a dyn TableLike, name: &str) -> Option<&'a dyn TableLike> {
    parent.get(name)?.as_table_like()
}

fn sections_of(text: &str, parent: &dyn TableLike) -> Vec<RuleBreach> {
    let sections = SECTIONS.iter().filter_map(|name| table(parent, name));
    sections.flat_map(|section| without_reason(text, section)).collect()
}

fn without_reason(text: &str, section: &dyn TableLike) -> Vec<RuleBreach> {
    let mut faults = Vec::new();
    for (name, item) in section.iter() {
        if item.get("workspace").and_then(Item::as_bool) == Some(true) {
            continue;
        }
        let start = section.key(name).and_then(toml_edit::Key::span).map_or(0, |span| span.start);
        let end = item.as_value().and_then(toml_edit::Value::span).map_or(start, |span| span.end);
        if !has_comment(text, start, end) {
            faults.push(RuleBreach::new(
                line_of(text, start),
                format!("the dependency `{name}` has no reason: add a comment"),
            ));
        }
    }
    faults
}

/// Returns whether a dependency has a comment with at least one word, on the dependency's line of the manifest or on the line above.
fn has_comment(text: &str, start: usize, end: usize) -> bool {
    let rest = text.get(end..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let above = text.get(..start).and_then(|before| before.lines().rev().nth(above_index(before)));
    let says_something = |comment: &str| comment.contains(char::is_alphabetic);
    rest.split_once('#').is_some_and(|(_, comment)| says_something(comment))
        || above.is_some_and(|line| line.trim().strip_prefix('#').is_some_and(says_something))
}

/// Returns 1 if the text `before` a manifest key ends within the line of the key, and otherwise 0. The result is the index of the line
/// above the key, counted backwards from the last line of `before`.
fn above_index(before: &str) -> usize {
    // A key can follow other text in its line: in the table heading `[dependencies.name]`, the key `name` follows `[dependencies.`.
    usize::from(!before.ends_with('\n') && !before.is_empty())
}

fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).map_or(1, |before| before.matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        gives_reasons(text).into_iter().map(|fault| fault.line).collect()
    }

    #[test]
    fn a_reason_may_stand_on_the_line_or_above() {
        let fine = r##"
[package]
name = "a"
[dependencies]
a = "1" # counts
# measures
b = { version = "1", features = ["#"] }
c.workspace = true
d = { workspace = true, features = ["x"] }
# draws
[dependencies.e]
version = "1"
[target.'cfg(unix)'.dependencies]
f = { version = "1" } # asks the terminal
[workspace.dependencies]
g = [ # not that cargo would take this
] # ends
"##;
        assert_eq!(lines(fine), Vec::<usize>::new());
    }

    #[test]
    fn a_dependency_without_a_reason_is_found_in_every_section() {
        for section in [
            "dependencies",
            "dev-dependencies",
            "build-dependencies",
            "workspace.dependencies",
            "target.'cfg(unix)'.dependencies",
        ] {
            assert_eq!(lines(&format!("[{section}]\na = \"1\" # why\nb = \"1\"\n")), [3]);
            assert_eq!(lines(&format!("[{section}.a]\nversion = \"1\" # late\n")), [1]);
        }
    }

    #[test]
    fn an_empty_or_distant_comment_is_no_reason() {
        assert_eq!(lines("[dependencies]\n# about a, not b\n\na = \"1\"\n"), [4]);
        assert_eq!(lines("[dependencies]\na = \"1\" #\n"), [2]);
        assert_eq!(lines("[dependencies]\na = { version = \"#one\" }\n"), [2]);
        assert_eq!(lines("[dependencies]\na = \"1\" # why\nb = \"1\"\n"), [3]);
        assert_eq!(lines("[dependencies]\na.version = \"1\"\n"), [2]);
    }

    #[test]
    fn invalid_toml_is_reported() {
        assert_eq!(lines("[dependencies]\na = \n"), [2]);
    }
}
