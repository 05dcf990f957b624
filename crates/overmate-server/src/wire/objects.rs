//! Reads JSON objects strictly, and refuses lists of field values in place of objects.

use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde_json::{Map, Value};

/// Reads a JSON object. The derived code would also read a list of the field values, which the OpenAPI document excludes.
pub(crate) fn object<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let map: Map<String, Value> = serde::Deserialize::deserialize(deserializer)?;
    T::deserialize(Value::Object(map)).map_err(D::Error::custom)
}

/// Reads a JSON object or `null`.
pub(crate) fn optional_object<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let map: Option<Map<String, Value>> = serde::Deserialize::deserialize(deserializer)?;
    map.map(|map| T::deserialize(Value::Object(map)).map_err(D::Error::custom)).transpose()
}
