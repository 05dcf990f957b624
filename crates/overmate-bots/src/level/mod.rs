//! Implements the strength levels 1 to 9: bots with a limited search horizon that err like people.

pub(crate) mod belief;
pub(crate) mod bot;
mod chance;
mod reason;
#[cfg(test)]
mod tests;
