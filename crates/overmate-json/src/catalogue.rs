//! JSON form of the catalogue of published rule sets and variations.

use overmate_rules::{BASES, Base, RuleSet, Texts, VARIATIONS, Variation};
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
    /// Identifier of the rule set, with which rule set names begin: `sackson`.
    pub id: String,
    /// English title: `Sackson`.
    pub title: String,
    /// Publication that describes the rule set.
    pub source: String,
    /// Title and summary in every language of the catalogue.
    pub texts: LocalisedTexts,
    /// Pairs of variations that cannot be combined in this rule set: the deck of one lacks cards for the other, or both
    /// replace the deck. Every set of variations without such a pair is valid.
    pub conflicts: Vec<Conflict>,
    /// Names of variations that change nothing in this rule set.
    pub idle: Vec<String>,
}

/// Pair of variations that cannot be combined in a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Conflict {
    /// Name of the variation that comes earlier in the catalogue.
    pub a: String,
    /// Name of the variation that comes later in the catalogue.
    pub b: String,
}

/// Variation of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VariationSummary {
    /// Identifier of the variation, which follows a `+` in rule set names: `free-move`.
    pub id: String,
    /// English title: `Free move`.
    pub title: String,
    /// Effect of the variation in English, in one sentence.
    pub summary: String,
    /// Title and summary in every language of the catalogue.
    pub texts: LocalisedTexts,
    /// Whether the variation replaces the deck. A rule set takes at most one such variation.
    pub deck: bool,
}

/// Texts of a catalogue entry, by language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LocalisedTexts {
    /// English texts.
    pub en: CatalogueTexts,
    /// German texts.
    pub de: CatalogueTexts,
}

/// Texts of a catalogue entry in one language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CatalogueTexts {
    /// Title at the beginning of a line: `Free move`.
    pub title: String,
    /// Title within a line, as in the title of a rule set: `free move`.
    pub short: String,
    /// Effect of a variation, or character of a rule set, in one sentence without a full stop.
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
            title: base.english.heading(),
            source: base.source.to_owned(),
            texts: LocalisedTexts::new(&base.english, &base.german),
            conflicts: conflicts(base),
            idle: idle(base),
        }
    }
}

/// Returns the pairs of variations that cannot be combined in a rule set on this base.
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

/// Returns the names of the variations that change nothing in a base, so that the canonical name omits them.
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

/// Returns the English title of a rule set from its name: `Sackson, double deck`. Unknown parts are left unchanged.
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
