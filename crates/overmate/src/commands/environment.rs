//! Reads settings from environment variables. An empty variable counts as unset.

use std::error::Error;
use std::str::FromStr;

use anyhow::{Context as _, Result};

/// Returns the value of an environment variable, or `None` if the variable is unset or empty.
pub(super) fn variable(name: &str) -> Result<Option<String>> {
    match std::env::var(name) {
        Ok(value) => Ok((!value.is_empty()).then_some(value)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(error) => Err(error)
            .with_context(|| format!("the value of the environment variable {name} is not UTF-8")),
    }
}

/// Parses the value of an environment variable. Returns `None` if the variable is unset or empty.
pub(super) fn parsed<T>(name: &str) -> Result<Option<T>>
where
    T: FromStr<Err: Error + Send + Sync + 'static>,
{
    let value = variable(name)?.map(|text| text.parse()).transpose();
    value.with_context(|| format!("the value of the environment variable {name} is not valid"))
}
