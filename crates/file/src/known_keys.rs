//! Deserializes an object without the keys that its type does not have.
//!
//! Unknown keys are an error in a vehicle file, because they are probably misspelt. A racing-line
//! file may be from a later version, so the same type must ignore them there.

use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::{Map, Value};

/// Reads the object under `key` as a `T`. A struct gets the keys that it has; any other type gets
/// all of them.
pub fn object<'de, T: DeserializeOwned, D: Deserializer<'de>>(key: &str, deserializer: D) -> Result<T, D::Error> {
    let entries = Map::<String, Value>::deserialize(deserializer)?;
    T::deserialize(KnownKeys(entries.clone())).map_err(|error| {
        let place = misfit::<T>(&entries).map_or(key.to_owned(), |misfit| format!("{key}.{misfit}"));
        D::Error::custom(format!("in \"{place}\": {error}"))
    })
}

/// The first key whose value can't be read, for a type whose keys are all optional: serde's message
/// doesn't name it.
fn misfit<T: DeserializeOwned>(entries: &Map<String, Value>) -> Option<&str> {
    T::deserialize(KnownKeys(Map::new())).ok()?;
    let fails = |(key, value): &(&String, &Value)| {
        T::deserialize(KnownKeys(Map::from_iter([((*key).clone(), (*value).clone())]))).is_err()
    };
    entries.iter().find(fails).map(|(key, _)| key.as_str())
}

/// Deserializes a struct from its own keys: serde passes their names to `deserialize_struct`.
struct KnownKeys(Map<String, Value>);

impl<'de> Deserializer<'de> for KnownKeys {
    type Error = serde_json::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.retain(|key, _| fields.contains(&key.as_str()));
        Value::Object(self.0).deserialize_struct(name, fields, visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        Value::Object(self.0).deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
