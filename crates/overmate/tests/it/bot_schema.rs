//! Tests the JSON schema of the bot protocol with real and damaged messages.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::{Home, text};

const BINARY: &str = env!("CARGO_BIN_EXE_overmate");

/// Names of the optional fields in messages of the bot protocol.
const OPTIONAL: [&str; 7] =
    ["thought", "nodes", "clock", "horizon", "expected", "proved", "reason"];

/// Returns the JSON schema validator for the messages in one direction of the bot protocol.
fn validator(direction: &str) -> Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bot-protocol.schema.json");
    let mut schema: Value = serde_json::from_str(&text(&file)).expect("JSON");
    schema["oneOf"] = json!([{"$ref": format!("#/$defs/{direction}")}]);
    jsonschema::draft202012::meta::validate(&schema).expect("a schema of draft 2020-12");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// Returns damaged copies of a message, which the JSON schema must reject. Each copy lacks a
/// required field, or has a nested list in place of a value.
fn damaged(message: &Value) -> Vec<Value> {
    let mut found = vec![json!([[]])];
    match message {
        Value::Object(fields) => {
            for (name, value) in fields {
                let mut rest = fields.clone();
                rest.remove(name);
                if !OPTIONAL.contains(&name.as_str()) {
                    found.push(rest.clone().into());
                }
                for value in damaged(value) {
                    let mut copy = fields.clone();
                    copy.insert(name.clone(), value);
                    found.push(copy.into());
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                for item in damaged(item) {
                    let mut copy = items.clone();
                    copy[index] = item;
                    found.push(copy.into());
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found
}

#[test]
fn every_message_of_real_matches_fits_the_schema_and_no_damaged_message_does() {
    let directions = [("> ", validator("to_bot")), ("< ", validator("from_bot"))];
    let bot = format!("other='{BINARY}' bot --level 5");
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = 0;
    for rules in ["sackson", "denexa+free-move", "rael+figure-privilege+double", "pagat+pinochle"] {
        let home = Home::new();
        let args =
            ["arena", "--players", "level:1", "--bot", &bot, "--matches", "2", "--seed", "3"];
        let more = [
            "--rules",
            rules,
            "--threads",
            "1",
            "--nodes",
            "2000",
            "--trace",
            "lines",
            "--clock",
            "60+1",
        ];
        home.run(&[&args[..], &more[..]].concat()).ok();
        for line in text(&home.path("lines/other-1.trace")).lines() {
            let told = directions
                .iter()
                .find_map(|(mark, validator)| Some((line.strip_prefix(mark)?, validator)));
            let (message, validator) = told.expect("a line of the conversation");
            let message: Value = serde_json::from_str(message).expect("JSON");
            let faults: Vec<String> =
                validator.iter_errors(&message).map(|fault| fault.to_string()).collect();
            assert!(faults.is_empty(), "{faults:?}: {message}");
            let kind = message["type"].as_str().expect("a text");
            let phase = message["phase"].as_str().unwrap_or_default();
            let count = kinds.entry(format!("{kind} {phase}")).or_default();
            *count += 1;
            // All messages of one kind have the same fields, so that four messages of each kind suffice.
            if *count <= 4 {
                for copy in damaged(&message) {
                    assert!(!validator.is_valid(&copy), "the schema takes {copy}");
                    wrong += 1;
                }
            }
        }
    }
    let found: Vec<&str> = kinds.keys().map(|kind| kind.trim_end()).collect();
    assert_eq!(
        found,
        [
            "action",
            "game_over",
            "hello",
            "match",
            "match_over",
            "quit",
            "ready",
            "turn follow",
            "turn foreplace",
            "turn lead",
        ]
    );
    let total: usize = kinds.values().sum();
    assert!(total > 500 && wrong > 2_000, "{total} {wrong}");
}
