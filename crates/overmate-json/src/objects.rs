//! Deserialises JSON objects, and refuses JSON arrays that list the field values of an object.

use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde_json::{Map, Value};

/// Deserialises a JSON object, and refuses a JSON array that lists the field values of the object. Derived code would
/// also accept such an array, which the OpenAPI document excludes.
///
/// # Errors
///
/// Returns an error if the value is not an object, or if a field is faulty.
pub fn object<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let map: Map<String, Value> = serde::Deserialize::deserialize(deserializer)?;
    T::deserialize(Value::Object(map)).map_err(D::Error::custom)
}

/// Deserialises a JSON object or `null`, and refuses a JSON array that lists the field values of the object.
///
/// # Errors
///
/// Returns an error if the value is neither an object nor `null`, or if a field is faulty.
pub fn optional_object<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let map: Option<Map<String, Value>> = serde::Deserialize::deserialize(deserializer)?;
    map.map(|map| T::deserialize(Value::Object(map)).map_err(D::Error::custom)).transpose()
}
