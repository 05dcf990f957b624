//! Finds the imports between the Rust files of a crate.
//!
//! The parser works on tokens rather than on a syntax tree, so that it finds paths in macro calls
//! too. The parser follows a re-export to the file that defines the item. Code under `#[cfg(test)]`
//! is left out.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::graph::Import;
use super::tokens::{inside, is_punct, is_test_attribute, line};

/// Maximum length of a chain of re-exports that the resolution of a path follows. A longer chain is certainly circular.
const LONGEST_CHAIN: usize = 16;

/// Returns the imports between the files of a crate target whose root file is `root`.
pub(super) fn imports(texts: &BTreeMap<String, String>, root: &str) -> Vec<Import> {
    let mut crate_tree = CrateTree { texts, modules: Vec::new() };
    crate_tree.add_file(root, None, folder_of(root));
    crate_tree.imports()
}

/// Tree of the modules of one crate target, such as a library or a binary.
struct CrateTree<'a> {
    texts: &'a BTreeMap<String, String>,
    modules: Vec<Module>,
}

/// Module of a crate: a whole file, or an inline module `mod name { … }` in a file.
struct Module {
    file: String,
    /// Folder in which the compiler looks for the file of a submodule declared by `mod name;`.
    folder: String,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// Names of the items that the module itself defines, without imported items.
    items: BTreeSet<String>,
    uses: Vec<UseImport>,
    paths: Vec<WrittenPath>,
}

/// Single path that a `use` declaration imports.
struct UseImport {
    /// Name that the `use` declaration brings into scope, or `None` for a glob import.
    name: Option<String>,
    path: WrittenPath,
    is_public: bool,
}

/// Rust path as written in the source code, with its line number.
#[derive(Clone)]
struct WrittenPath {
    segments: Vec<String>,
    line: usize,
}

/// Module or item to which a path inside the crate resolves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ImportTarget {
    Module(usize),
    /// Item that is defined in a module, with the index of this module in `CrateTree::modules`.
    ItemOf(usize),
}

impl CrateTree<'_> {
    fn add_file(&mut self, file: &str, parent: Option<usize>, folder: String) -> Option<usize> {
        let text = self.texts.get(file)?;
        // A file that is not valid Rust is skipped, because another rule reports the file.
        let tokens: Vec<_> = text.parse::<TokenStream>().ok()?.into_iter().collect();
        Some(self.add_module(file, parent, folder, &tokens))
    }

    fn add_module(
        &mut self,
        file: &str,
        parent: Option<usize>,
        folder: String,
        tokens: &[TokenTree],
    ) -> usize {
        let index = self.modules.len();
        self.modules.push(Module {
            file: file.to_owned(),
            folder,
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            uses: Vec::new(),
            paths: Vec::new(),
        });
        self.scan(index, tokens, true);
        index
    }

    fn module(&mut self, index: usize) -> &mut Module {
        self.modules.get_mut(index).expect("an index is made by `add_module`")
    }

    /// Reads the tokens of a module, or a group of tokens inside a module, and records declarations, imports and paths.
    fn scan(&mut self, module: usize, tokens: &[TokenTree], is_top: bool) {
        let mut rest = tokens;
        let mut is_public = false;
        let mut given_path = None;
        // Whether the preceding token, `::` or `.`, makes the next token a part of a path or a method call.
        let mut is_continued = false;
        while let [token, after @ ..] = rest {
            rest = after;
            let was_continued = std::mem::take(&mut is_continued);
            match token {
                TokenTree::Punct(hash) if hash.as_char() == '#' => {
                    let bang = usize::from(after.first().is_some_and(|next| is_punct(next, '!')));
                    let Some(TokenTree::Group(attribute)) = after.get(bang) else { continue };
                    rest = after.get(bang + 1..).unwrap_or_default();
                    if bang == 0 && is_test_attribute(attribute) {
                        rest = after_item(rest);
                    } else if let Some(path) = path_attribute(attribute) {
                        given_path = Some(path);
                    } else {
                        self.scan(module, &inside(attribute), false);
                    }
                }
                TokenTree::Punct(punct) => {
                    is_continued = matches!(punct.as_char(), '.' | ':')
                        && (punct.as_char() == '.' || is_second_colon(tokens, rest));
                    if punct.as_char() == ';' {
                        is_public = false;
                    }
                }
                TokenTree::Group(group) => {
                    self.scan(module, &inside(group), false);
                    if group.delimiter() == Delimiter::Brace {
                        is_public = false;
                    }
                }
                TokenTree::Literal(_) => {}
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    match (word.as_str(), after) {
                        ("pub", _) => {
                            is_public = true;
                            if let [TokenTree::Group(scope), beyond @ ..] = after
                                && scope.delimiter() == Delimiter::Parenthesis
                            {
                                rest = beyond;
                            }
                        }
                        // `use<'a>` in a type captures lifetimes and imports nothing.
                        ("use", [next, ..]) if !is_punct(next, '<') => {
                            let length = after.iter().take_while(|t| !is_punct(t, ';')).count();
                            let tree = after.get(..length).unwrap_or_default();
                            let at = line(token);
                            self.read_use(module, tree, &[], std::mem::take(&mut is_public), at);
                            rest = after.get(length..).unwrap_or_default();
                        }
                        ("mod", [TokenTree::Ident(name), beyond @ ..]) if is_top => {
                            let name = name.to_string();
                            self.declare_module(module, &name, beyond.first(), given_path.take());
                            rest = beyond.get(1..).unwrap_or_default();
                            is_public = false;
                        }
                        _ if is_top && defines(&word) => {
                            let is_name = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if !is_modifier(name));
                            if let Some(at) = after.iter().take(3).position(is_name)
                                && let Some(name) = after.get(at)
                            {
                                self.module(module).items.insert(name.to_string());
                                rest = after.get(at + 1..).unwrap_or_default();
                            }
                        }
                        _ if was_continued => {}
                        _ => {
                            let (path, beyond) = read_path(word, line(token), after);
                            rest = beyond;
                            self.module(module).paths.push(path);
                        }
                    }
                }
            }
        }
    }

    /// Adds the module that a declaration `mod name;` or `mod name { … }` declares, and reads the module's file or body.
    fn declare_module(
        &mut self,
        parent: usize,
        name: &str,
        body: Option<&TokenTree>,
        given_path: Option<String>,
    ) {
        let (file, folder) = {
            let parent = self.module(parent);
            (parent.file.clone(), parent.folder.clone())
        };
        let child = if let Some(TokenTree::Group(body)) = body {
            let inner = format!("{folder}/{name}");
            Some(self.add_module(&file, Some(parent), inner, &inside(body)))
        } else if let Some(given) = given_path {
            let file = normal(&format!("{}/{given}", folder_of(&file)));
            self.add_file(&file, Some(parent), folder_of(&file))
        } else {
            let inner = format!("{folder}/{name}");
            let files = [format!("{inner}.rs"), format!("{inner}/mod.rs")];
            let file = files.iter().find(|file| self.texts.contains_key(*file));
            file.and_then(|file| self.add_file(file, Some(parent), inner))
        };
        if let Some(child) = child {
            self.module(parent).children.insert(name.to_owned(), child);
        }
    }

    /// Reads one nesting level of a `use` declaration, and records each path that the level imports.
    fn read_use(
        &mut self,
        module: usize,
        tree: &[TokenTree],
        prefix: &[String],
        is_public: bool,
        at: usize,
    ) {
        for branch in tree.split(|token| is_punct(token, ',')) {
            let mut segments = prefix.to_vec();
            let mut name = None;
            let mut is_renamed = false;
            let mut is_leaf = false;
            for token in branch {
                match token {
                    TokenTree::Ident(word) if word == "as" => is_renamed = true,
                    TokenTree::Ident(word) if is_renamed => name = Some(word.to_string()),
                    TokenTree::Ident(word) if word == "self" && !segments.is_empty() => {
                        is_leaf = true;
                    }
                    TokenTree::Ident(word) => {
                        segments.push(word.to_string());
                        is_leaf = true;
                    }
                    TokenTree::Punct(star) if star.as_char() == '*' => {
                        let path = WrittenPath { segments: segments.clone(), line: line(token) };
                        self.module(module).uses.push(UseImport { name: None, path, is_public });
                        is_leaf = false;
                    }
                    TokenTree::Group(group) => {
                        self.read_use(module, &inside(group), &segments, is_public, line(token));
                        is_leaf = false;
                    }
                    TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                }
            }
            if is_leaf && let Some(last) = segments.last() {
                let name = Some(name.unwrap_or_else(|| last.clone()));
                let at = branch.first().map_or(at, line);
                let path = WrittenPath { segments, line: at };
                self.module(module).uses.push(UseImport { name, path, is_public });
            }
        }
    }

    /// Returns the module or item to which a path in a module's code resolves, or `None` for a path into another crate.
    fn resolve(&self, from: usize, segments: &[String], chain: usize) -> Option<ImportTarget> {
        let (first, rest) = segments.split_first()?;
        let module = self.modules.get(from)?;
        let start = match first.as_str() {
            "crate" => ImportTarget::Module(0),
            "self" => ImportTarget::Module(from),
            "super" => ImportTarget::Module(module.parent?),
            name => self.lookup(from, name, chain)?,
        };
        self.descend(start, rest, chain)
    }

    fn descend(
        &self,
        start: ImportTarget,
        segments: &[String],
        chain: usize,
    ) -> Option<ImportTarget> {
        let mut at = start;
        for name in segments {
            let ImportTarget::Module(index) = at else { return Some(at) };
            at = if name == "super" {
                ImportTarget::Module(self.modules.get(index)?.parent?)
            } else {
                // A name that is not found in a module counts as an item of this module, because a macro may have defined the name.
                self.lookup(index, name, chain).unwrap_or(ImportTarget::ItemOf(index))
            };
        }
        Some(at)
    }

    /// Returns the module or item to which a name resolves in a module's scope. The name can be a submodule, an item, an import, or part of
    /// a glob import.
    fn lookup(&self, index: usize, name: &str, chain: usize) -> Option<ImportTarget> {
        let module = self.modules.get(index)?;
        if chain > LONGEST_CHAIN {
            return None;
        }
        if let Some(&child) = module.children.get(name) {
            return Some(ImportTarget::Module(child));
        }
        if module.items.contains(name) {
            return Some(ImportTarget::ItemOf(index));
        }
        let named = |of: &&UseImport| of.name.as_deref() == Some(name);
        if let Some(found) = module.uses.iter().find(named) {
            // An import such as `use serde;` is not followed, because the lookup of the path's first name, `serde`, would find the same
            // import again.
            let is_itself = found.path.segments.first().is_some_and(|first| first == name);
            return if is_itself {
                None
            } else {
                self.resolve(index, &found.path.segments, chain + 1)
            };
        }
        let mut globs = module.uses.iter().filter(|of| of.name.is_none());
        globs.find_map(|glob| {
            let is_itself = glob.path.segments.first().is_some_and(|first| first == name);
            match (!is_itself).then(|| self.resolve(index, &glob.path.segments, chain + 1))?? {
                ImportTarget::Module(of) if of != index => self.lookup(of, name, chain + 1),
                _ => None,
            }
        })
    }

    fn imports(&self) -> Vec<Import> {
        let mut found = Vec::new();
        for (index, module) in self.modules.iter().enumerate() {
            let mentioned: BTreeSet<&str> = module
                .paths
                .iter()
                .filter_map(|path| path.segments.first().map(String::as_str))
                .collect();
            let mut add = |path: &WrittenPath, of: usize| {
                let Some(target) = self.modules.get(of) else { return };
                if target.file != module.file {
                    found.push(Import {
                        from: module.file.clone(),
                        to: target.file.clone(),
                        line: path.line,
                        path: path.segments.join("::"),
                    });
                }
            };
            for of in &module.uses {
                let target = self.resolve(index, &of.path.segments, 0);
                match (&of.name, target) {
                    (Some(name), Some(ImportTarget::ItemOf(defines))) => {
                        // A public re-export of a submodule's item does not count as an import, unless the module itself mentions the item.
                        let is_handed_on = of.is_public
                            && self.is_inside(defines, index)
                            && !mentioned.contains(name.as_str());
                        if !is_handed_on {
                            add(&of.path, defines);
                        }
                    }
                    (None, Some(ImportTarget::ItemOf(defines))) => add(&of.path, defines),
                    (None, Some(ImportTarget::Module(glob))) => {
                        for name in &mentioned {
                            if let Some(ImportTarget::ItemOf(defines)) = self.lookup(glob, name, 0)
                            {
                                add(&of.path, defines);
                            }
                        }
                    }
                    _ => {}
                }
            }
            for path in module.paths.iter().filter(|path| path.segments.len() > 1) {
                if let Some(ImportTarget::ItemOf(defines)) = self.resolve(index, &path.segments, 0)
                {
                    add(path, defines);
                }
            }
        }
        found
    }

    /// Returns whether a module is nested in another module, directly or indirectly.
    fn is_inside(&self, module: usize, ancestor: usize) -> bool {
        let parent = |index: &usize| self.modules.get(*index).and_then(|module| module.parent);
        std::iter::successors(parent(&module), parent).any(|above| above == ancestor)
    }
}

/// Reads a Rust path whose first segment is `first`. Returns the path and the tokens after the path.
fn read_path(first: String, line: usize, after: &[TokenTree]) -> (WrittenPath, &[TokenTree]) {
    let mut segments = vec![first];
    let mut rest = after;
    while let [one, two, TokenTree::Ident(next), beyond @ ..] = rest
        && is_punct(one, ':')
        && is_punct(two, ':')
    {
        segments.push(next.to_string());
        rest = beyond;
    }
    (WrittenPath { segments, line }, rest)
}

/// Returns whether the token before `rest` is the second colon of `::`.
fn is_second_colon(tokens: &[TokenTree], rest: &[TokenTree]) -> bool {
    let at = tokens.len() - rest.len();
    at >= 2 && tokens.get(at - 2).is_some_and(|before| is_punct(before, ':'))
}

/// Returns the tokens that follow the first Rust item in `tokens`. An item ends with its body or a semicolon.
fn after_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let ends = |token: &TokenTree| {
        is_punct(token, ';')
            || matches!(token, TokenTree::Group(body) if body.delimiter() == Delimiter::Brace)
    };
    let end = tokens.iter().position(ends).map_or(tokens.len(), |at| at + 1);
    tokens.get(end..).unwrap_or_default()
}

fn defines(word: &str) -> bool {
    const KEYWORDS: [&str; 9] =
        ["const", "enum", "fn", "macro_rules", "static", "struct", "trait", "type", "union"];
    KEYWORDS.contains(&word)
}

fn is_modifier(word: &proc_macro2::Ident) -> bool {
    ["mut", "fn", "unsafe", "async", "extern"].iter().any(|modifier| word == modifier)
}

/// Returns the file name in an attribute `#[path = "file"]`, or `None` for any other attribute.
fn path_attribute(attribute: &Group) -> Option<String> {
    match inside(attribute).as_slice() {
        [TokenTree::Ident(name), _, TokenTree::Literal(file)] if name == "path" => {
            Some(file.to_string().trim_matches('"').to_owned())
        }
        _ => None,
    }
}

/// Normalises a file path by resolving all `..` components.
fn normal(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

fn folder_of(file: &str) -> String {
    file.rsplit_once('/').map_or_else(String::new, |(folder, _)| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the imports of a test crate as sorted lines `from -> to`. The file names stand without their folders.
    fn read(files: &[(&str, &str)]) -> Vec<String> {
        let texts = files
            .iter()
            .map(|(file, text)| (format!("c/src/{file}"), (*text).to_owned()))
            .collect();
        let short =
            |file: &str| file.trim_start_matches("c/src/").trim_end_matches(".rs").to_owned();
        let found: BTreeSet<_> = imports(&texts, "c/src/lib.rs")
            .into_iter()
            .map(|import| format!("{} -> {}", short(&import.from), short(&import.to)))
            .collect();
        found.into_iter().collect()
    }

    #[test]
    fn module_declarations_and_re_exported_items_are_no_imports() {
        let files = [
            ("lib.rs", "mod a;\npub use a::A;\npub(crate) use crate::a::b::B;\n"),
            ("a.rs", "pub mod b;\npub struct A;\n"),
            ("a/b.rs", "pub struct B;\n"),
        ];
        assert_eq!(read(&files), Vec::<String>::new());
    }

    #[test]
    fn re_exported_items_that_the_parent_uses_are_imports() {
        let files =
            [("lib.rs", "mod a;\npub use a::A;\nfn f(_: A) {}\n"), ("a.rs", "pub struct A;\n")];
        assert_eq!(read(&files), ["lib -> a"]);
    }

    #[test]
    fn re_exports_are_followed_to_the_defining_file() {
        let files = [
            ("lib.rs", "mod a;\nmod c;\npub use a::*;\n"),
            ("a/mod.rs", "mod b;\npub use b::B as Renamed;\n"),
            ("a/b.rs", "pub struct B;\n"),
            ("c.rs", "use crate::Renamed;\nfn f(_: Renamed) {}\n"),
        ];
        assert_eq!(read(&files), ["c -> a/b"]);
    }

    #[test]
    fn paths_in_code_and_macros_are_imports() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\nfn f() { a::g(); }\n"),
            ("a.rs", "pub fn g() -> usize { super::b::h() }\n"),
            ("b.rs", "pub fn h() -> usize { println!(\"{}\", crate::c::i()); 1 }\n"),
            ("c.rs", "use crate::d;\npub fn i() -> usize { d::j() }\n"),
            ("d.rs", "pub fn j() -> usize { std::mem::size_of::<u8>() }\n"),
        ];
        assert_eq!(read(&files), ["a -> b", "b -> c", "c -> d", "lib -> a"]);
    }

    #[test]
    fn grouped_renamed_and_inline_imports_are_read() {
        let files = [
            ("lib.rs", "#[path = \"../src/a.rs\"]\nmod a;\nmod b;\nmod c;\n"),
            ("a.rs", "use crate::{b::{self, B}, c as other};\nfn f(_: B) { other::k(); b::B; }\n"),
            ("b.rs", "pub struct B;\npub(super) mod inner { use super::super::c::k; }\n"),
            ("c.rs", "pub fn k() {}\n"),
        ];
        assert_eq!(read(&files), ["a -> b", "a -> c", "b -> c"]);
    }

    #[test]
    fn test_code_imports_nothing() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\n#[cfg(test)]\nmod tests;\n"),
            ("a.rs", "pub fn f() {}\n#[cfg(all(test, unix))]\nmod tests { use crate::b::g; }\n"),
            ("b.rs", "#[cfg(test)]\nuse crate::a::f;\npub fn g() {}\n"),
            ("tests.rs", "use crate::a::f;\n"),
        ];
        assert_eq!(read(&files), Vec::<String>::new());
    }

    #[test]
    fn glob_imports_count_where_their_names_are_used() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\npub const N: usize = 1;\n"),
            ("a.rs", "use super::*;\npub fn f() -> usize { N }\n"),
            ("b.rs", "use super::*;\npub fn g() {}\n"),
        ];
        assert_eq!(read(&files), ["a -> lib"]);
    }
}
