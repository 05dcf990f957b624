//! Finds Markdown comments that request the output of a command. Replaces the fenced block after each such comment with the output.
//!
//! ````text
//! <!-- run: overmate play --seed 7 -->
//! <!-- stdin: Kc | quit -->
//! <!-- exit: 2 -->
//! ```console
//! $ overmate play --seed 7
//! ...
//! ```
//! ````
//!
//! The comment `stdin` holds the input of the command, with ` | ` between lines. `exit` is the
//! expected exit code. With an expected exit code, the block shows the standard error as well. The
//! comments `stdin` and `exit` are optional. A missing block is added.

use std::ops::Range;

use anyhow::{Context, Result, bail};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::fence::fenced;

/// Request in a Markdown comment for the output of a command: the command, its standard input and its expected exit code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OutputRequest {
    pub(super) command: String,
    pub(super) stdin: Option<String>,
    pub(super) exit: i32,
}

/// Request in a Markdown document for a command's output, with the place of the request and the code block that the
/// output replaces.
struct RequestPlace {
    request: OutputRequest,
    line: usize,
    /// Byte offset, in the Markdown document, of the end of the comments that request a command's output.
    comments_end: usize,
    block: Option<OutputBlock>,
}

struct OutputBlock {
    range: Range<usize>,
    info: String,
}

/// Returns a Markdown document with the current output of each requested command. `run` returns the output of a command.
pub(super) fn rewrite(
    text: &str,
    mut run: impl FnMut(&OutputRequest) -> Result<String>,
) -> Result<String> {
    let mut rewritten = String::with_capacity(text.len());
    let mut copied = 0;
    for place in places(text)? {
        let answer = run(&place.request).with_context(|| {
            format!("line {}: cannot run the command that the line requests", place.line)
        })?;
        let (range, replacement) = if let Some(block) = place.block {
            (block.range, fenced(&block.info, &answer))
        } else {
            let end = place.comments_end;
            (end..end, format!("\n{}", fenced("console", &answer)))
        };
        rewritten.push_str(
            text.get(copied..range.start)
                .context("the code blocks for the output of two commands overlap")?,
        );
        rewritten.push_str(&replacement);
        copied = range.end;
    }
    rewritten.push_str(
        text.get(copied..)
            .context("the code block for the output of a command has no end: close the code block in the document")?,
    );
    Ok(rewritten)
}

fn places(text: &str) -> Result<Vec<RequestPlace>> {
    let mut places: Vec<RequestPlace> = Vec::new();
    // Whether the next HTML comment or code block may still belong to the last comment `run`, which requests the output of a command.
    let mut is_open = false;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Html(html) => {
                let mut at = range.start;
                for line in html.split_inclusive('\n') {
                    is_open =
                        read_comment(text, at, line, &mut places, is_open).with_context(|| {
                            format!("the comment in line {} that requests the output of a command is not valid", line_of(text, at))
                        })?;
                    at += line.len();
                }
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) if is_open => {
                let range = whole_block(text, range)?;
                if let Some(place) = places.last_mut() {
                    place.block = Some(OutputBlock { range, info: info.to_string() });
                }
                is_open = false;
            }
            Event::Start(Tag::HtmlBlock) | Event::End(_) => {}
            _ => is_open = false,
        }
    }
    Ok(places)
}

/// Reads one HTML line of a Markdown document, which may be a comment that requests the output of a command. The comment `run` adds a
/// request to `places`, and the comments `stdin` and `exit` complete the preceding request. Returns whether the next comment or code block
/// can belong to the preceding request.
fn read_comment(
    text: &str,
    at: usize,
    line: &str,
    places: &mut Vec<RequestPlace>,
    is_open: bool,
) -> Result<bool> {
    let comment = line.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    let Some((key, value)) = comment.and_then(|comment| comment.trim().split_once(':')) else {
        return Ok(false);
    };
    let value = value.trim();
    let last = places.last_mut().filter(|_| is_open);
    let comments_end = at + line.trim_end().len();
    match (key, last) {
        ("run", _) => {
            if !starts_line(text, at) {
                bail!("the HTML comment `run` must stand at the start of a line");
            }
            let request = OutputRequest { command: value.to_owned(), stdin: None, exit: 0 };
            places.push(RequestPlace {
                request,
                line: line_of(text, at),
                comments_end,
                block: None,
            });
        }
        ("stdin", Some(place)) => {
            let lines = value.split(" | ").map(|line| format!("{line}\n"));
            place.request.stdin = Some(lines.collect());
            place.comments_end = comments_end;
        }
        ("exit", Some(place)) => {
            place.request.exit = value.parse().context(
                "the HTML comment `exit` after a comment `run` needs an exit code, 0 to 255",
            )?;
            place.comments_end = comments_end;
        }
        ("stdin" | "exit", None) => {
            bail!("the HTML comment `{key}` must follow an HTML comment `run`")
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Returns the byte range of a fenced code block, without the line end after the closing fence. A block that is unclosed, or that begins
/// within a line, is an error.
///
/// An unclosed block reaches to the end of the document, so that its replacement would delete the rest of the document.
fn whole_block(text: &str, range: Range<usize>) -> Result<Range<usize>> {
    let block = text.get(range.clone()).unwrap_or_default().trim_end();
    let closing = block.lines().skip(1).last().unwrap_or_default().trim();
    let opening = block.lines().next().unwrap_or_default();
    let fence = opening.chars().take_while(|character| "`~".contains(*character)).count();
    let is_closed =
        closing.len() >= fence && closing.chars().all(|character| "`~".contains(character));
    if !is_closed || !starts_line(text, range.start) {
        let line = line_of(text, range.start);
        bail!("line {line}: the code block is not closed or does not begin at the start of a line");
    }
    Ok(range.start..range.start + block.len())
}

fn starts_line(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
}

fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).map_or(1, |before| before.matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces the output of each command in a test document by the command, its input and its expected exit code.
    fn answered(text: &str) -> Result<String> {
        rewrite(text, |request| {
            let OutputRequest { command, stdin, exit } = request;
            Ok(format!("$ {command}\n{}{exit}\n", stdin.as_deref().unwrap_or_default()))
        })
    }

    #[test]
    fn a_block_is_replaced_and_the_other_text_is_kept() {
        let text = "# A\n\n<!-- run: overmate solve 20010 -->\n```text\nold\n```\n\nAfter.\n\n\
                    ```\nanother\n```\n";
        let fresh = "# A\n\n<!-- run: overmate solve 20010 -->\n```text\n$ overmate solve 20010\n0\n\
                     ```\n\nAfter.\n\n```\nanother\n```\n";

        assert_eq!(answered(text).unwrap(), fresh);
        assert_eq!(answered(fresh).unwrap(), fresh);
    }

    #[test]
    fn a_missing_block_is_added() {
        let text = "<!-- run: overmate a -->\n\nText.\n\n```\nnot an answer\n```\n\n\
                    <!-- run: overmate b -->\n<!-- run: overmate c -->";
        let fresh = "<!-- run: overmate a -->\n```console\n$ overmate a\n0\n```\n\nText.\n\n\
                     ```\nnot an answer\n```\n\n\
                     <!-- run: overmate b -->\n```console\n$ overmate b\n0\n```\n\
                     <!-- run: overmate c -->\n```console\n$ overmate c\n0\n```";

        assert_eq!(answered(text).unwrap(), fresh);
        assert_eq!(answered(fresh).unwrap(), fresh);
    }

    #[test]
    fn stdin_and_exit_belong_to_the_request_above() {
        let text = "<!-- run: overmate play -->\n<!-- stdin: - | Kc | quit -->\n<!-- exit: 2 -->\n\n\
                    ```\n```\n";

        let fresh = answered(text).unwrap();

        assert!(fresh.ends_with("```\n$ overmate play\n-\nKc\nquit\n2\n```\n"), "{fresh}");
        assert_eq!(answered(&fresh).unwrap(), fresh);
    }

    #[test]
    fn a_request_inside_of_a_code_block_is_ignored() {
        let text = "````text\n<!-- run: overmate a -->\n```\n```\n````\n\n    <!-- run: b -->\n";

        assert_eq!(answered(text).unwrap(), text);
    }

    #[test]
    fn comments_that_request_no_output_are_kept() {
        let text = "<!-- note: not a command -->\n\n```\na\n```\n\n<!-- more -->\n";

        assert_eq!(answered(text).unwrap(), text);
    }

    #[test]
    fn errors_name_the_line_of_the_faulty_request() {
        let mistakes = [
            ("A.\n\n<!-- run: overmate a -->\n```\nnever closed\n\nLost?\n", "line 4"),
            ("A.\n\n<!-- stdin: a -->\n", "line 3"),
            ("<!-- run: overmate a -->\n<!-- exit: many -->\n", "line 2"),
            ("- A.\n\n  <!-- run: overmate a -->\n", "line 3"),
        ];
        for (text, expected) in mistakes {
            let error = answered(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
