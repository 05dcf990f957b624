//! The catalogue of published rule sets and variations.

use overmate_rules::{BASES, Base, VARIATIONS, Variation};
use serde::{Deserialize, Serialize};

/// Published rule sets, and the variations that combine with them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleSets {
    /// Published rule sets.
    pub rule_sets: Vec<RuleSummary>,
    /// Variations, in the order in which a name lists them.
    pub variations: Vec<VariationSummary>,
}

/// Published rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleSummary {
    /// Name in rule set names: `sackson`.
    pub id: String,
    /// Title for display: `Sackson`.
    pub title: String,
    /// Publication that describes the rule set.
    pub source: String,
}

/// Variation of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VariationSummary {
    /// Name after a `+` in rule set names: `free-move`.
    pub id: String,
    /// Title for display: `Free move`.
    pub title: String,
    /// Effect of the variation, in one sentence.
    pub summary: String,
}

impl RuleSets {
    /// Returns the whole catalogue.
    #[must_use]
    pub fn published() -> Self {
        Self {
            rule_sets: BASES.iter().map(RuleSummary::from).collect(),
            variations: VARIATIONS.iter().map(VariationSummary::from).collect(),
        }
    }
}

impl From<&Base> for RuleSummary {
    fn from(base: &Base) -> Self {
        Self {
            id: base.name.to_owned(),
            title: base_title(base.name).to_owned(),
            source: base.source.to_owned(),
        }
    }
}

impl From<&Variation> for VariationSummary {
    fn from(variation: &Variation) -> Self {
        Self {
            id: variation.name.to_owned(),
            title: variation_title(variation.name).to_owned(),
            summary: variation.summary.to_owned(),
        }
    }
}

fn base_title(name: &str) -> &str {
    match name {
        "sackson" => "Sackson",
        "pagat" => "Pagat",
        "denexa" => "Denexa",
        "bga" => "Board Game Arena",
        "rael" => "Rael",
        other => other,
    }
}

fn variation_title(name: &str) -> &str {
    match name {
        "double" => "Double deck",
        "pinochle" => "Pinochle deck",
        "free-move" => "Free move",
        "kings-privilege" => "King’s privilege",
        "figure-privilege" => "Figure privilege",
        "no-foreplacing" => "No foreplacing",
        other => other,
    }
}

/// Returns the title of a rule set from its name: `Sackson, double deck`.
#[must_use]
pub fn title(name: &str) -> String {
    let mut parts = name.split('+');
    let mut title = base_title(parts.next().unwrap_or_default()).to_owned();
    for part in parts {
        let mut letters = variation_title(part).chars();
        title.push_str(", ");
        title.extend(letters.next().into_iter().flat_map(char::to_lowercase));
        title.push_str(letters.as_str());
    }
    title
}
