//! Deserialises JSON objects, and refuses JSON arrays that list the field values of an object.

use core::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

/// Deserialises a JSON object, and refuses a JSON array that lists the field values of the object. Derived code would
/// also accept such an array, which the OpenAPI document excludes. The type `T` is a struct, a map or an internally tagged enum.
///
/// # Errors
///
/// Returns an error if the value is not an object, or if a field is faulty.
pub fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    T::deserialize(ObjectDeserializer(deserializer))
}

/// Deserialises a JSON object or `null`, and refuses a JSON array that lists the field values of the object.
///
/// # Errors
///
/// Returns an error if the value is neither an object nor `null`, or if a field is faulty.
pub fn optional_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Object<T>>::deserialize(deserializer)?.map(|Object(value)| value))
}

/// Wrapper that deserialises its value of the type `T` from a JSON object only, as [`object`] does.
#[derive(Deserialize)]
#[serde(bound = "T: Deserialize<'de>", transparent)]
pub struct Object<T>(#[serde(deserialize_with = "object")] pub T);

/// Deserialiser that reads its value as a JSON object, so that a JSON array cannot stand for a struct.
struct ObjectDeserializer<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ObjectDeserializer<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(ObjectVisitor(visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Visitor that accepts JSON objects only, and passes their fields to another visitor.
struct ObjectVisitor<V>(V);

impl<'de, V: Visitor<'de>> Visitor<'de> for ObjectVisitor<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        self.0.visit_map(map)
    }
}
