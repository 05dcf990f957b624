//! Defines the JSON form of the catalogue of published rule sets and variations.

use overmate_rules::{BASES, Base, RuleSet, Texts, VARIATIONS, Variation};
use serde::{Deserialize, Serialize};

/// Catalogue of the published rule sets and their variations, as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct RuleSets {
    /// Published rule sets, in catalogue order.
    pub rule_sets: Vec<RuleSummary>,
    /// Variations of the rules, in the same order as in rule set names such as `bga+pinochle+free-move`.
    pub variations: Vec<VariationSummary>,
}

/// Summary of a published rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct RuleSummary {
    /// Identifier of the published rule set, such as `sackson` in the rule set name `sackson+double`.
    pub id: String,
    /// English title of the rule set, such as `Sackson`.
    pub title: String,
    /// Publication that describes the rule set.
    pub source: String,
    /// Title and summary of the rule set in every language of the catalogue of rule sets.
    pub texts: LocalisedTexts,
    /// Pairs of rule variations that cannot be combined in this rule set.
    pub conflicts: Vec<Conflict>,
    /// Names of the rule variations that have no effect in this rule set.
    pub idle: Vec<String>,
}

/// Pair of variations that cannot be combined in a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Conflict {
    /// Name of the first of two rule variations that cannot be combined, in the order of the catalogue of rule sets.
    pub a: String,
    /// Name of the second of two rule variations that cannot be combined, in the order of the catalogue of rule sets.
    pub b: String,
}

/// Summary of a variation of the published rule sets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct VariationSummary {
    /// Identifier of the variation, such as `free-move`, which follows a `+` in rule set names.
    pub id: String,
    /// English title of the variation, such as `Free move`.
    pub title: String,
    /// English summary of the variation's effect, in one sentence.
    pub summary: String,
    /// Title and summary of the rule variation in every language of the catalogue of rule sets.
    pub texts: LocalisedTexts,
    /// Whether the variation replaces the deck of the rule set. A rule set takes at most one such
    /// variation.
    pub deck: bool,
}

/// Title and summary of a rule set or variation in each language of the catalogue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LocalisedTexts {
    /// English title and summary of a rule set or variation.
    pub en: CatalogueTexts,
    /// German title and summary of a rule set or variation.
    pub de: CatalogueTexts,
}

/// Title and summary of a rule set or variation in one language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct CatalogueTexts {
    /// Title of a rule set or variation for the beginning of a line, with a capital first letter, such as `Free move`.
    pub title: String,
    /// Title of a rule set or variation for use inside a sentence, such as `free move`.
    pub short: String,
    /// Summary of a rule set or variation, in one sentence without a full stop.
    pub summary: String,
}

impl RuleSets {
    /// Returns the whole catalogue of published rule sets and variations.
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
            title: base.english.heading(),
            source: base.source.to_owned(),
            texts: LocalisedTexts::new(&base.english, &base.german),
            conflicts: conflicts(base),
            idle: idle(base),
        }
    }
}

/// Returns the pairs of rule variations that must not both be added to a published rule set.
fn conflicts(base: &Base) -> Vec<Conflict> {
    let pairs = VARIATIONS
        .iter()
        .enumerate()
        .flat_map(|(index, a)| VARIATIONS.iter().skip(index + 1).map(move |b| (a.name, b.name)));
    pairs
        .filter(|(a, b)| RuleSet::named(&format!("{}+{a}+{b}", base.name)).is_err())
        .map(|(a, b)| Conflict { a: a.to_owned(), b: b.to_owned() })
        .collect()
}

/// Returns the names of the variations that have no effect on a published rule set. Names of rule sets therefore omit
/// these variations.
fn idle(base: &Base) -> Vec<String> {
    let changes_nothing = |variation: &&Variation| {
        let rules = RuleSet::named(&format!("{}+{}", base.name, variation.name));
        rules.is_ok_and(|rules| rules.name() == base.name)
    };
    VARIATIONS.iter().filter(changes_nothing).map(|variation| variation.name.to_owned()).collect()
}

impl From<&Variation> for VariationSummary {
    fn from(variation: &Variation) -> Self {
        Self {
            id: variation.name.to_owned(),
            title: variation.english.heading(),
            summary: variation.english.summary.to_owned(),
            texts: LocalisedTexts::new(&variation.english, &variation.german),
            deck: variation.replaces_deck(),
        }
    }
}

impl LocalisedTexts {
    fn new(english: &Texts, german: &Texts) -> Self {
        Self { en: english.into(), de: german.into() }
    }
}

impl From<&Texts> for CatalogueTexts {
    fn from(texts: &Texts) -> Self {
        Self {
            title: texts.heading(),
            short: texts.title.to_owned(),
            summary: texts.summary.to_owned(),
        }
    }
}

/// Returns the English title of a rule set, such as `Sackson, double deck` for the name `sackson+double`. Unknown parts
/// of the name stay as they are.
#[must_use]
pub fn title(name: &str) -> String {
    let mut parts = name.split('+');
    let base = parts.next().unwrap_or_default();
    let known = BASES.iter().find(|known| known.name == base);
    let mut title = known.map_or(base, |known| known.english.title).to_owned();
    for part in parts {
        let known = VARIATIONS.iter().find(|known| known.name == part);
        title.extend([", ", known.map_or(part, |known| known.english.title)]);
    }
    title
}
