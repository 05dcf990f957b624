//! Computes counts and means, and formats numbers for the documents.

use minijinja::Environment;
use serde::Serialize;

/// Converts a whole number to a floating-point number.
#[allow(clippy::cast_precision_loss, reason = "all sums here are far below 2^53")]
pub(crate) fn real(whole: i64) -> f64 {
    whole as f64
}

/// Running mean of whole numbers.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Mean {
    pub(crate) count: u32,
    pub(crate) sum: i64,
}

impl Mean {
    pub(crate) fn add(&mut self, value: i32) {
        self.count += 1;
        self.sum += i64::from(value);
    }

    /// Returns the mean of the added numbers, or 0 if no number was added.
    pub(crate) fn get(self) -> f64 {
        if self.count == 0 { 0.0 } else { real(self.sum) / f64::from(self.count) }
    }
}

impl Extend<i32> for Mean {
    fn extend<T: IntoIterator<Item = i32>>(&mut self, values: T) {
        for value in values {
            self.add(value);
        }
    }
}

impl FromIterator<i32> for Mean {
    fn from_iter<T: IntoIterator<Item = i32>>(values: T) -> Self {
        let mut mean = Self::default();
        mean.extend(values);
        mean
    }
}

impl Serialize for Mean {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.get())
    }
}

/// Formats a number with thousands separators, such as `184,756`.
pub(crate) fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "−" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with its plus or minus sign and a given number of decimals, such as `+3.1`, `−0.2` or `0.0`.
pub(crate) fn signed(number: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", number.abs());
    let is_zero = text.chars().all(|c| c == '0' || c == '.');
    let sign = if is_zero {
        ""
    } else if number < 0.0 {
        "−"
    } else {
        "+"
    };
    format!("{sign}{text}")
}

/// Formats a fraction as a percentage with one decimal, such as `31.6%`.
pub(crate) fn percent(part: f64, whole: f64) -> String {
    let share = if whole == 0.0 { 0.0 } else { 100.0 * part / whole };
    // A share between 0% and 0.05% is shown as `<0.1%`, and a share from 99.95% to below 100% as `>99.9%`.
    match share {
        _ if share > 0.0 && share < 0.05 => "<0.1%".to_owned(),
        _ if (99.95..100.0).contains(&share) => ">99.9%".to_owned(),
        _ => format!("{share:.1}%"),
    }
}

/// Registers the number formats as filters for the document templates.
pub(crate) fn add_filters(environment: &mut Environment<'_>) {
    environment.add_filter("num", thousands);
    environment.add_filter("signed", |number: f64, decimals: Option<usize>| {
        signed(number, decimals.unwrap_or(1))
    });
    environment.add_filter("fixed", |number: f64, decimals: Option<usize>| {
        let decimals = decimals.unwrap_or(1);
        format!("{number:.decimals$}")
    });
    environment.add_filter("pct", percent);
}

/// Counts the items of an iterator.
pub(crate) fn counted<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_with_separators_signs_and_percent_signs() {
        assert_eq!([0, 999, 1000, -184_756].map(thousands), ["0", "999", "1,000", "−184,756"]);
        assert_eq!([3.12, -0.2, -0.01].map(|n| signed(n, 1)), ["+3.1", "−0.2", "0.0"]);
        assert_eq!(percent(1.0, 3.0), "33.3%");
        assert_eq!(percent(1.0, 1e6), "<0.1%");
        assert_eq!(percent(1e6, 1e6 + 1.0), ">99.9%");
        assert_eq!(percent(1.0, 1.0), "100.0%");
        assert_eq!(percent(0.0, 0.0), "0.0%");
    }
}
