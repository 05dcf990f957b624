//! No file tells on which machine it was made.

use super::fault::Fault;

/// Top folders under which people and machines keep their own.
const FOLDERS: [&str; 4] = ["home", "root", "Users", "work"];

/// No absolute path of somebody's machine.
pub(super) fn names_no_machine(text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for folder in FOLDERS {
            let path = format!("/{folder}/");
            let found = line.match_indices(&path);
            if found.into_iter().any(|(at, _)| starts_path(line.get(..at).unwrap_or_default())) {
                faults.push(Fault::new(index + 1, format!("a path of one machine: {path}...")));
            }
        }
    }
    faults
}

/// Whether what comes before a slash leaves it the start of an absolute path, and not the middle
/// of a relative one or of an address.
fn starts_path(before: &str) -> bool {
    let continues = |last: char| last.is_alphanumeric() || "._-~/*})>$".contains(last);
    before.ends_with("://") || !before.ends_with(continues)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_found_and_others_are_not() {
        for folder in FOLDERS {
            let bad = [
                format!("/{folder}/me/overmate"),
                format!("let a = \"/{folder}/me\";"),
                format!("PATH=/bin:/{folder}/bin"),
                format!("file:///{folder}/me"),
            ];
            for line in bad {
                let faults = names_no_machine(&format!("first\n{line}\n"));
                assert_eq!(faults.first().map(|fault| fault.line), Some(2), "{line}");
            }
            let good = [
                format!("https://example.org/{folder}/page"),
                format!("./{folder}/notes and ../{folder}/notes and ~/{folder}/notes"),
                format!("$HOME/{folder}/notes"),
                format!("/{folder} itself, or {folder}/notes"),
            ];
            for line in good {
                assert_eq!(names_no_machine(&line), [], "{line}");
            }
        }
    }
}
