//! Creates the list of the deals that the document `docs/guide.md` shows. The web client draws the boards of the guide from the list.

use anyhow::{Context, Result, bail};

/// Path of the document "A guide to Mate", from which the list of deals is collected. A paragraph that consists of a command
/// `overmate solve` shows a deal in the guide.
pub(super) const GUIDE: &str = "docs/guide.md";

/// Path of the generated list of the deals in the document "A guide to Mate". Each line holds the JSON output of one command.
pub(super) const DEALS: &str = "docs/guide/deals.jsonl";

/// Returns the JSON output of `overmate solve` for all deals of the guide to Mate, one line for each deal, in the guide's order. `output`
/// runs `overmate` with given arguments.
pub(super) fn deals(guide: &str, output: impl Fn(&[&str]) -> Result<String>) -> Result<String> {
    let mut lines = String::new();
    for command in commands(guide) {
        let words = shlex::split(command)
            .with_context(|| format!("the command `{command}` has an unclosed quotation mark"))?;
        let args: Vec<&str> = words.iter().map(String::as_str).skip(1).chain(["--json"]).collect();
        let line = output(&args)?;
        if line.lines().count() != 1 {
            bail!("the command `{command}` must name exactly one deal");
        }
        lines.push_str(&line);
    }
    Ok(lines)
}

/// Returns the `overmate solve` commands that stand alone on a line of the guide to Mate, without their backticks.
fn commands(guide: &str) -> impl Iterator<Item = &str> {
    guide
        .lines()
        .filter_map(|line| line.strip_prefix('`')?.strip_suffix('`'))
        .filter(|command| command.starts_with("overmate solve "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Read `overmate solve 1` first.\n\n`overmate solve 2`\n\n`overmate rules`\n\n\
                        `overmate solve --after \"- -\" 3`\n";

    #[test]
    fn only_commands_that_stand_alone_on_a_line_name_deals() {
        let deals = deals(TEXT, |args| Ok(format!("{}\n", args.join("_")))).unwrap();

        assert_eq!(deals, "solve_2_--json\nsolve_--after_- -_3_--json\n");
    }

    #[test]
    fn a_command_with_several_deals_is_refused() {
        let error = deals(TEXT, |_| Ok("{}\n{}\n".to_owned())).unwrap_err();

        assert!(error.to_string().contains("must name exactly one deal"), "{error}");
    }
}
