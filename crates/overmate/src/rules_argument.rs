//! Loads the rule set that a command-line argument selects, from the catalogue or from a TOML file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use overmate_rules::RuleSet;

use overmate_terminal::{quoted_path, untrusted as files};

/// Command-line argument that selects a rule set by its name or by the path of a TOML file.
///
/// The name is looked up while the command line is parsed, so that a wrong name is a usage error.
/// Files are read later.
#[derive(Clone, Debug)]
pub(crate) enum RulesArg {
    Named(Arc<RuleSet>),
    File(PathBuf),
}

impl RulesArg {
    /// Parses a command-line argument as the name of a rule set or as the path of a TOML file. A text that ends in `.toml` or
    /// holds a path separator is a path.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        if text.to_ascii_lowercase().ends_with(".toml") || text.contains(std::path::is_separator) {
            Ok(Self::File(text.into()))
        } else {
            let named = RuleSet::named(text);
            if named.is_err() && Path::new(text).is_file() {
                bail!("the name of a file with rules must end in .toml: rename the file {text}");
            }
            match named {
                Ok(rules) => Ok(Self::Named(rules.shared())),
                Err(error) => bail!(
                    "{error}; `overmate rules` describes the rule sets, and the name of a file with rules must end in .toml"
                ),
            }
        }
    }

    /// Returns the command-line argument that selects the rule set, as text for a command line that the program prints.
    /// A path is quoted for a shell.
    pub(crate) fn argument(&self) -> String {
        match self {
            Self::Named(rules) => rules.name().to_owned(),
            Self::File(path) => quoted_path(path),
        }
    }

    /// Returns the rule set that a command-line argument selects. A path is read as a TOML file.
    pub(crate) fn load(&self) -> Result<Arc<RuleSet>> {
        let path = match self {
            Self::Named(rules) => return Ok(Arc::clone(rules)),
            Self::File(path) => path,
        };
        let text = files::read_text(path)?;
        let rules = RuleSet::from_toml(&text).with_context(|| {
            format!(
                "the rule set in the file {} is not valid: `overmate rules --toml sackson` prints a valid example",
                path.display()
            )
        })?;
        Ok(rules.shared())
    }
}
