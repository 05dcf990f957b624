//! Finds circular imports between the Rust files of a crate and between the files of the web
//! client.

use std::collections::BTreeMap;

use super::fault::RuleBreach;
use super::graph::{Cycle, Import, cycles};
use super::{imports, scripts};
use crate::files::has_extension;

/// Returns one rule breach for each group of files that import each other in a circle.
pub(super) fn import_cycles(texts: &BTreeMap<String, String>) -> Vec<(String, RuleBreach)> {
    let roots = texts.keys().filter(|file| is_crate_root(file, texts));
    let mut faults: Vec<_> =
        roots.flat_map(|root| faults_of(&imports::imports(texts, root))).collect();
    faults.extend(faults_of(&scripts::imports(texts)));
    faults
}

/// Returns whether cargo compiles a file as the root of a library, binary, test, bench or example.
fn is_crate_root(file: &str, texts: &BTreeMap<String, String>) -> bool {
    let parts: Vec<_> = file.split('/').collect();
    let (folders, name) = match parts.as_slice() {
        [folders @ .., "src", name @ ("lib.rs" | "main.rs")]
        | [folders @ .., "tests" | "benches" | "examples" | "fuzz_targets", name]
        | [folders @ .., "tests" | "benches" | "examples", _, name @ "main.rs"] => (folders, *name),
        _ => return false,
    };
    let manifest: Vec<_> = folders.iter().copied().chain(["Cargo.toml"]).collect();
    has_extension(name, "rs") && texts.contains_key(&manifest.join("/"))
}

fn faults_of(imports: &[Import]) -> Vec<(String, RuleBreach)> {
    cycles(imports).iter().map(fault).collect()
}

/// Describes an import cycle: the files of the cycle in order, then one line for each import.
fn fault(Cycle { imports, group }: &Cycle<'_>) -> (String, RuleBreach) {
    let (file, first_line) =
        imports.first().map_or_else(Default::default, |first| (first.from.clone(), first.line));
    let files: Vec<_> = imports.iter().map(|import| import.from.as_str()).chain([&*file]).collect();
    let mut what = format!("import cycle: {}", files.join(" -> "));
    if *group > imports.len() {
        what = format!("{what} (the shortest in a group of {group} files)");
    }
    for Import { from, line, path, .. } in imports {
        what = format!("{what}\n    {from}:{line} imports {path}");
    }
    (file, RuleBreach::new(first_line, what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_named_with_its_files_and_imports() {
        let import = |from: &str, to: &str| Import {
            from: from.to_owned(),
            to: to.to_owned(),
            line: 7,
            path: format!("crate::{to}"),
        };
        let imports = [import("b", "a"), import("a", "b"), import("b", "c"), import("c", "a")];
        let expected = "import cycle: a -> b -> a (the shortest in a group of 3 files)\n    \
                        a:7 imports crate::b\n    b:7 imports crate::a";
        assert_eq!(faults_of(&imports), [("a".to_owned(), RuleBreach::new(7, expected))]);
    }

    #[test]
    fn cycles_are_found_in_every_target_of_a_crate() {
        let files = [
            ("c/Cargo.toml", ""),
            ("c/src/lib.rs", "mod a;\nmod b;\n"),
            ("c/src/a.rs", "use crate::b::B;\npub struct A(B);\n"),
            ("c/src/b.rs", "use crate::a::A;\npub struct B(A);\n"),
            ("c/tests/it/main.rs", "mod one;\nmod two;\n"),
            ("c/tests/it/one.rs", "use super::two::f;\npub fn g() { f(); }\n"),
            ("c/tests/it/two.rs", "use super::one::g;\npub fn f() { g(); }\n"),
            ("other/src/lib.rs", "use crate::nothing;\n"),
        ];
        let texts = files.map(|(file, text)| (file.to_owned(), text.to_owned())).into();
        let files: Vec<_> = import_cycles(&texts).into_iter().map(|(file, _)| file).collect();
        assert_eq!(files, ["c/src/a.rs", "c/tests/it/one.rs"]);
    }
}
