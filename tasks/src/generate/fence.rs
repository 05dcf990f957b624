//! Formats fenced code blocks of Markdown.

/// Returns a Markdown fenced code block that contains `contents`, without spaces at the ends of lines.
///
/// The fence has more backticks than any fence inside the block.
pub(super) fn fenced(info: &str, contents: &str) -> String {
    let longest = contents
        .lines()
        .map(|line| line.trim_start().chars().take_while(|&character| character == '`').count())
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(3.max(longest + 1));
    let lines: Vec<_> = contents.trim_end().lines().map(str::trim_end).collect();
    format!("{fence}{info}\n{}\n{fence}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_within() {
        assert_eq!(fenced("text", "a  \n b\n\n"), "```text\na\n b\n```");
        assert_eq!(fenced("", " ```\na\n ```"), "````\n ```\na\n ```\n````");
    }
}
