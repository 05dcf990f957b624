//! Creates the document that lists all commands of `overmate`, from their help texts.

use anyhow::Result;

use super::fence::fenced;

/// Text at the beginning of the generated document that lists all commands.
const HEAD: &str = "<!-- Written by `cargo xtask generate`: changes here are lost. -->

# Commands

The help text of `overmate` and of each of its commands.
";

/// Returns a document with the help texts of `overmate` and of all its subcommands, in the order in which the help lists the subcommands.
pub(super) fn document(help: impl Fn(&[String]) -> Result<String>) -> Result<String> {
    let mut document = HEAD.to_owned();
    add(&[], &help, &mut document)?;
    Ok(document)
}

fn add(
    command: &[String],
    help: &impl Fn(&[String]) -> Result<String>,
    document: &mut String,
) -> Result<()> {
    let text = help(command)?;
    let title: Vec<_> =
        std::iter::once("overmate").chain(command.iter().map(String::as_str)).collect();
    let heading = format!(
        "
## `{}`

",
        title.join(" ")
    );
    document.push_str(&heading);
    document.push_str(&fenced("text", &text));
    document.push('\n');
    for name in subcommands(&text) {
        let longer: Vec<_> = command.iter().cloned().chain([name.to_owned()]).collect();
        add(&longer, help, document)?;
    }
    Ok(())
}

/// Returns the names of the subcommands that a help text of `overmate` lists.
///
/// Names are indented by two spaces. Deeper lines continue a description.
fn subcommands(help: &str) -> impl Iterator<Item = &str> {
    let section = help.lines().skip_while(|line| line.trim_end() != "Commands:").skip(1);
    section
        .take_while(|line| line.is_empty() || line.starts_with(' '))
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: &str = "Plays Mate.\n\nUsage: overmate <COMMAND>\n\nCommands:\n  play   Play\n  \
                       solve  Solve [aliases: s]\n         every position\n  help   Print this\n\n\
                       StepOptions:\n  -h, --help\n";

    #[test]
    fn subcommands_are_read_from_their_section_alone() {
        assert_eq!(subcommands(TOP).collect::<Vec<_>>(), ["play", "solve"]);
        assert_eq!(subcommands("Options:\n  -h, --help\n").count(), 0);
    }

    #[test]
    fn the_document_contains_nested_commands() {
        let help = |command: &[String]| {
            Ok(match command.join(" ").as_str() {
                "" => TOP.to_owned(),
                "solve" => "Commands:\n  deal  One deal\n".to_owned(),
                other => format!("Help of {other}\n"),
            })
        };

        let document = document(help).unwrap();
        let titles: Vec<_> = document.lines().filter_map(|line| line.strip_prefix("## ")).collect();

        let expected =
            ["`overmate`", "`overmate play`", "`overmate solve`", "`overmate solve deal`"];
        assert_eq!(titles, expected);
        assert!(document.contains("```text\nHelp of solve deal\n```\n"));
    }
}
