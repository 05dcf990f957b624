//! Finds import cycles, which are cycles in the graph of files that import each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Import of the file `to` by the file `from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) from: String,
    pub(super) to: String,
    /// Line number of the import in the file `from`.
    pub(super) line: usize,
    /// Path of the imported module as written in the source code.
    pub(super) path: String,
}

/// Cycle of files that import each other. `group` is the number of files in the cycle's strongly connected component.
pub(super) struct Cycle<'a> {
    /// Imports that form the cycle, in order: each import leads to the file that contains the next import. The last import leads back to
    /// the file that contains the first import.
    pub(super) imports: Vec<&'a Import>,
    pub(super) group: usize,
}

/// Graph of the imports between files. For each pair of files, it holds the first import that leads from one file to the other.
type Graph<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a Import>>;

/// Returns one shortest import cycle of each strongly connected component of the import graph.
pub(super) fn cycles(imports: &[Import]) -> Vec<Cycle<'_>> {
    let mut graph = Graph::new();
    for import in imports {
        graph.entry(&import.from).or_default().entry(&import.to).or_insert(import);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|&file| (file, reachable(&graph, file))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|files| files.contains(to));
    let mut found = Vec::new();
    let mut reported = BTreeSet::new();
    for &file in graph.keys() {
        if !reaches(file, file) || reported.contains(file) {
            continue;
        }
        let group: Vec<&str> = graph
            .keys()
            .copied()
            .filter(|&other| reaches(file, other) && reaches(other, file))
            .collect();
        reported.extend(group.iter().copied());
        let cycles = group.iter().filter_map(|&start| shortest_cycle(&graph, start));
        if let Some(imports) = cycles.min_by_key(Vec::len) {
            found.push(Cycle { imports, group: group.len() });
        }
    }
    found
}

/// Returns all files that the file `start` imports, directly or through other files.
fn reachable<'a>(graph: &Graph<'a>, start: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(file) = open.pop() {
        for &next in graph.get(file).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

/// Returns the imports of a shortest cycle through the file `start`, found by breadth-first search.
fn shortest_cycle<'a>(graph: &Graph<'a>, start: &str) -> Option<Vec<&'a Import>> {
    let mut came_by: BTreeMap<&str, &Import> = BTreeMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(file) = open.pop_front() {
        for (&next, &import) in graph.get(file).into_iter().flatten() {
            if came_by.contains_key(next) {
                continue;
            }
            came_by.insert(next, import);
            if next == start {
                let mut cycle = vec![import];
                while let Some(&before) = cycle
                    .last()
                    .filter(|last| last.from != start)
                    .and_then(|last| came_by.get(&*last.from))
                {
                    cycle.push(before);
                }
                cycle.reverse();
                return Some(cycle);
            }
            open.push_back(next);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns, for each import cycle, the names of its files and the number of files in its strongly connected component.
    fn found(imports: &[(&str, &str)]) -> Vec<(String, usize)> {
        let import = |&(from, to): &(&str, &str)| Import {
            from: from.to_owned(),
            to: to.to_owned(),
            line: 1,
            path: to.to_owned(),
        };
        let imports: Vec<_> = imports.iter().map(import).collect();
        let files = |cycle: Cycle<'_>| {
            let files: Vec<_> = cycle.imports.iter().map(|import| import.from.as_str()).collect();
            (files.join(" "), cycle.group)
        };
        cycles(&imports).into_iter().map(files).collect()
    }

    #[test]
    fn imports_without_a_cycle_pass() {
        assert_eq!(found(&[("a", "b"), ("a", "c"), ("b", "c")]), []);
    }

    #[test]
    fn a_cycle_lists_its_files_in_order() {
        let imports = [("c", "a"), ("a", "b"), ("b", "c"), ("b", "d")];
        assert_eq!(found(&imports), [("a b c".to_owned(), 3)]);
    }

    #[test]
    fn each_component_is_reported_once_by_its_shortest_cycle() {
        let imports = [("a", "b"), ("b", "c"), ("c", "a"), ("b", "a"), ("x", "y"), ("y", "x")];
        assert_eq!(found(&imports), [("a b".to_owned(), 3), ("x y".to_owned(), 2)]);
    }
}
