//! Finds absolute paths that lead into a personal folder on a developer's machine.

use super::fault::RuleBreach;

/// Top-level folders that contain users' personal files.
const FOLDERS: [&str; 4] = ["home", "root", "Users", "work"];

/// Checks that a text contains no absolute path into a personal folder.
pub(super) fn names_no_machine(text: &str) -> Vec<RuleBreach> {
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for folder in FOLDERS {
            let path = format!("/{folder}/");
            let found = line.match_indices(&path);
            if found.into_iter().any(|(at, _)| starts_path(line.get(..at).unwrap_or_default())) {
                faults.push(RuleBreach::new(
                    index + 1,
                    format!("the path {path}... exists on one machine only: write a relative path"),
                ));
            }
        }
    }
    faults
}

/// Returns whether a slash starts an absolute path, given the text before the slash. Other slashes continue a relative path or a URL.
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
