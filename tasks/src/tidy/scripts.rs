//! Finds the imports between the TypeScript and Svelte files of the web client.

use std::collections::BTreeMap;

use super::graph::Import;
use crate::files::has_extension;

/// Path of the folder with the source files of the web client.
const SOURCES: &str = "web/src/";

/// Folder that `$lib` denotes in the import paths of `SvelteKit`.
const LIBRARY: &str = "web/src/lib";

/// Returns the imports between source files of the web client. Imports of packages and of generated files are omitted.
pub(super) fn imports(texts: &BTreeMap<String, String>) -> Vec<Import> {
    let is_script = |file: &str| has_extension(file, "ts") || has_extension(file, "svelte");
    let is_test = |file: &str| file.ends_with(".test.ts");
    let mut found = Vec::new();
    for (file, text) in texts {
        if !file.starts_with(SOURCES) || !is_script(file) || is_test(file) {
            continue;
        }
        for (line, path) in module_paths(text) {
            if let Some(to) = resolve(file, path, texts).filter(|to| to != file) {
                found.push(Import { from: file.clone(), to, line, path: path.to_owned() });
            }
        }
    }
    found
}

/// Returns the line number and the quoted path of each `import … from '…'`, `export … from '…'` and `import('…')`.
fn module_paths(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let (_, after) =
            ["from ", "import ", "import("].iter().find_map(|key| split_before_quote(line, key))?;
        let quote = after.chars().next()?;
        let path = after.get(1..)?.split(quote).next()?;
        Some((index + 1, path))
    })
}

/// Splits a line at a keyword, such as `from`, that stands directly before a quoted path. Returns `None` if the line contains no such
/// keyword.
fn split_before_quote<'a>(line: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    let (before, after) = line.split_once(key)?;
    after.starts_with(['\'', '"']).then_some((before, after))
}

/// Returns the source file of the web client to which an import path in the file `from` leads.
fn resolve(from: &str, path: &str, texts: &BTreeMap<String, String>) -> Option<String> {
    let target = if let Some(rest) = path.strip_prefix("$lib") {
        format!("{LIBRARY}{rest}")
    } else if path.starts_with('.') {
        let mut parts: Vec<&str> = from.split('/').collect();
        parts.pop();
        for part in path.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        parts.join("/")
    } else {
        return None;
    };
    let bare = target.strip_suffix(".js").unwrap_or(&target);
    let names = [target.clone(), format!("{bare}.ts"), format!("{bare}/index.ts")];
    names.into_iter().find(|name| texts.contains_key(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_and_library_paths_are_resolved() {
        let files = [
            (
                "web/src/lib/a/a.ts",
                "import { b } from '../b.js';\nimport type {\n  C\n} from \"$lib/c\";\n",
            ),
            (
                "web/src/lib/b.ts",
                "import x from 'svelte';\nexport const b = () => import('./a/D.svelte');\n",
            ),
            ("web/src/lib/c/index.ts", "import './../b';\n"),
            ("web/src/lib/a/D.svelte", "<script>\nimport { b } from '$lib/b';\n</script>\n"),
            ("web/src/lib/b.test.ts", "import { b } from './a/a';\n"),
        ];
        let texts = files.map(|(file, text)| (file.to_owned(), text.to_owned())).into();
        let found: Vec<_> = imports(&texts)
            .into_iter()
            .map(|Import { from, to, line, .. }| {
                format!("{from}:{line} -> {to}").replace("web/src/lib/", "")
            })
            .collect();
        assert_eq!(
            found,
            [
                "a/D.svelte:2 -> b.ts",
                "a/a.ts:1 -> b.ts",
                "a/a.ts:4 -> c/index.ts",
                "b.ts:2 -> a/D.svelte",
                "c/index.ts:1 -> b.ts"
            ]
        );
    }
}
