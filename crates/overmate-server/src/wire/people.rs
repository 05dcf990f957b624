//! Defines the JSON types of a person's browsers, and of the codes that link another browser to a person.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::store::CodeKind;

/// Kind of a code that links another browser to a person: linking code or recovery code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CodeKind)]
pub enum CodeKindWire {
    /// Linking code, which links another browser to a person and is valid for ten minutes.
    Link,
    /// Set of ten recovery codes to write down, each of which links another browser to a person. Each code is valid until its use.
    Recovery,
}

impl From<CodeKindWire> for CodeKind {
    fn from(kind: CodeKindWire) -> Self {
        match kind {
            CodeKindWire::Link => Self::Link,
            CodeKindWire::Recovery => Self::Recovery,
        }
    }
}

/// Request to create codes with which your other browsers can share your matches.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCode {
    /// Kind of the requested codes: a linking code or recovery codes.
    pub kind: CodeKindWire,
    /// Label of this browser in the list of your browsers, such as `Firefox, Android`; at most 40 characters after normalisation. Null or
    /// absent without a label.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// New linking code or recovery codes. Each code lets one more browser share your matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeCodes {
    /// Linking code or the ten recovery codes. Each code has 16 letters and digits in groups of
    /// four.
    pub codes: Vec<String>,
    /// Time at which the linking code expires, in RFC 3339; null for recovery codes.
    #[schema(required)]
    pub until: Option<String>,
}

/// Request to link this browser, by a linking or recovery code, to the person who created the code.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddBrowser {
    /// Linking or recovery code from another browser of the person. Spaces, hyphens and case make no difference.
    #[schema(max_length = 64)]
    pub code: String,
    /// Label of this browser in the list of your browsers, such as `Firefox, Android`; at most 40 characters after normalisation. Null or
    /// absent without a label.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
}

/// Browsers of one person, which share the person's matches.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct MyBrowsers {
    /// Signed-in browsers of the person, from old to new. The list is empty if the person has no account, and this browser has
    /// never made or used a linking or recovery code.
    pub browsers: Vec<MyBrowser>,
    /// Unused recovery codes of the person; null if there are none.
    #[schema(required)]
    pub recovery_codes: Option<RecoveryCodesLeft>,
}

/// Creation time and number of a person's unused recovery codes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RecoveryCodesLeft {
    /// Creation time of the recovery codes, in RFC 3339.
    pub made_at: String,
    /// Number of recovery codes that the person has not used.
    pub left: u32,
}

/// Browser that belongs to a person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyBrowser {
    /// Id of the browser: the SHA-256 hash of the token in its cookie, in hexadecimal digits.
    pub id: String,
    /// Label of the browser, such as `Firefox, Android`, as the web page reported the label; null without a report.
    #[schema(required)]
    pub name: Option<String>,
    /// Time at which the browser was added to the person, in RFC 3339.
    pub added_at: String,
    /// Whether the request came from the listed browser.
    pub current: bool,
}
