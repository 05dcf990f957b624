//! Contains the introductory texts of the OpenAPI document, and renders the document as an HTML page.

use std::fmt::Write as _;
use std::iter;

use serde_json::Value;
use utoipa::OpenApi;

use crate::wire::{ClientMessage, LobbyMessage, ServerMessage};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Overmate",
        description = "Matches of Mate, the card game of pure skill. Cards and actions are in notation: `Tc` is the ten of \
            clubs; `-` foreplaces nothing, `(Tc)` foreplaces, `Tc` leads or follows, `Kc!` leads and demands, `Ks*` uses the \
            free move. Deal numbers are strings, as they may exceed 2^53. Every failure is a `Problem`, whose `code` \
            never changes its meaning. The cookie `overmate_seat` is the identity of a browser.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(ClientMessage, LobbyMessage, ServerMessage)),
    tags(
        (name = "matches", description = "Create, read and play matches"),
        (name = "lobby", description = "Find somebody to play with, by open offers"),
        (name = "watching", description = "Watch and replay public matches, and see who is here"),
        (name = "events", description = "Play the same deals as many others, in arenas and Swiss events"),
        (name = "shared deals", description = "Play the deals of the day and the week, which are the same for everybody"),
        (name = "values", description = "Exact values of positions and actions"),
        (name = "puzzles", description = "Puzzles with proved solutions, and ratings"),
        (name = "ratings", description = "Ratings by rated matches between accounts, profiles and leaderboards"),
        (name = "favourites", description = "Players whom your account has added, and persons whom you have muted or blocked"),
        (name = "bots", description = "Let a program play for an account"),
        (name = "lessons", description = "Lessons that teach the game, with all states that a learner can reach"),
        (name = "personal data", description = "Export and erase the data of a browser"),
        (name = "rules", description = "Rule sets and variations"),
    ),
)]
struct BaseDocument;

/// Returns the OpenAPI document without its paths: the introduction and the tags. The paths are added later.
pub(crate) fn base() -> utoipa::openapi::OpenApi {
    BaseDocument::openapi()
}

/// CSS style sheet of the HTML page that shows the OpenAPI document.
pub(crate) const STYLE: &str = "\
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, .method { font-family: ui-monospace, monospace; }
h3 { margin-top: 2rem; border-top: 1px solid; padding-top: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
td:first-child { white-space: nowrap; width: 1%; }
h3, td:last-child { overflow-wrap: anywhere; }
";

/// Renders an OpenAPI document as a plain HTML page. The page loads nothing from other sites.
pub(crate) fn page_of(document: &Value) -> String {
    let mut html = String::from(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>The interface of Overmate</title>\
         <link rel=\"stylesheet\" href=\"/api/docs/style.css\"></head><body><main>\n\
         <h1>The interface of Overmate</h1>\n",
    );
    let _ = write!(
        html,
        "<p>{}</p>\n<p>The same for programs: <a href=\"/api/openapi.json\">openapi.json</a></p>\n<h2>Paths</h2>\n",
        prose(&document["info"]["description"])
    );
    for (path, item) in entries(&document["paths"]) {
        for (method, operation) in entries(item) {
            let _ = write!(
                html,
                "<h3 id=\"{}\"><span class=\"method\">{}</span> <code>{}</code></h3>\n<p>{}. {}</p>\n",
                escaped(operation["operationId"].as_str().unwrap_or_default()),
                method.to_uppercase(),
                escaped(path),
                prose(&operation["summary"]),
                prose(&operation["description"]),
            );
            write_rows(&mut html, operation);
        }
    }
    html.push_str("<h2>Types</h2>\n");
    for (name, schema) in entries(&document["components"]["schemas"]) {
        let _ = write!(
            html,
            "<h3 id=\"{0}\"><code>{0}</code></h3>\n<p>{1}</p>\n",
            escaped(name),
            prose(&schema["description"])
        );
        write_schema(&mut html, schema);
    }
    html.push_str("</main></body></html>\n");
    html
}

fn write_rows(html: &mut String, operation: &Value) {
    html.push_str("<table>\n");
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let _ = writeln!(
            html,
            "<tr><td>{} <code>{}</code></td><td>{}{}{} {}</td></tr>",
            escaped(parameter["in"].as_str().unwrap_or_default()),
            escaped(parameter["name"].as_str().unwrap_or_default()),
            type_of(&parameter["schema"]),
            limits_of(&parameter["schema"]),
            presence(parameter["required"] == true),
            prose(&parameter["description"]),
        );
    }
    for (_, content) in entries(&operation["requestBody"]["content"]) {
        let _ = writeln!(html, "<tr><td>body</td><td>{}</td></tr>", type_of(&content["schema"]));
    }
    for (status, response) in entries(&operation["responses"]) {
        let types: Vec<String> =
            entries(&response["content"]).map(|(_, content)| type_of(&content["schema"])).collect();
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{} {}</td></tr>",
            escaped(status),
            prose(&response["description"]),
            types.join(" ")
        );
    }
    html.push_str("</table>\n");
}

fn write_schema(html: &mut String, schema: &Value) {
    for choice in schema["oneOf"].as_array().into_iter().flatten() {
        let _ = writeln!(html, "<p>{}</p>", prose(&choice["description"]));
        write_schema(html, choice);
    }
    if let Some(values) = values_of(schema) {
        let _ = writeln!(html, "<p>{values}</p>");
    }
    if schema["properties"].is_object() {
        html.push_str("<table>\n");
        let required = schema["required"].as_array();
        for (name, property) in entries(&schema["properties"]) {
            let is_required = required.is_some_and(|names| names.iter().any(|n| n == name));
            let _ = writeln!(
                html,
                "<tr><td><code>{}</code></td><td>{}{}{} {}</td></tr>",
                escaped(name),
                type_of(property),
                limits_of(property),
                presence(is_required),
                prose(description_of(property))
            );
        }
        html.push_str("</table>\n");
    }
}

/// Returns the description of a JSON schema. Of a type that may also be null, the description stands at the choice that is not null.
fn description_of(schema: &Value) -> &Value {
    let choices = schema["oneOf"].as_array().into_iter().flatten();
    let mut texts = iter::once(schema).chain(choices).map(|part| &part["description"]);
    texts.find(|text| text.is_string()).unwrap_or(&Value::Null)
}

/// Formats the limits of a JSON schema on numbers, texts and lists as HTML, such as ` from 1 to 9`.
fn limits_of(schema: &Value) -> String {
    let range = |least: &str, most: &str, unit: &str| match (&schema[least], &schema[most]) {
        (Value::Null, Value::Null) => String::new(),
        (least, Value::Null) => format!(" of at least {least}{unit}"),
        (Value::Null, most) => format!(" of at most {most}{unit}"),
        (least, most) => format!(" from {least} to {most}{unit}"),
    };
    let pattern = schema["pattern"]
        .as_str()
        .map(|pattern| format!(" that matches <code>{}</code>", escaped(pattern)));
    [
        range("minimum", "maximum", ""),
        range("minLength", "maxLength", " characters"),
        range("minItems", "maxItems", " entries"),
        pattern.unwrap_or_default(),
    ]
    .concat()
}

/// Returns the text that tells whether a property or parameter is optional: `, optional.` or only a full stop. This text follows the type
/// and the limits.
fn presence(is_required: bool) -> &'static str {
    if is_required { "." } else { ", optional." }
}

/// Formats the values of an enumeration as HTML. Returns `None` for any other JSON schema.
fn values_of(schema: &Value) -> Option<String> {
    let values = schema["enum"].as_array()?.iter();
    let values = values.map(|value| format!("<code>{}</code>", escaped(&value.to_string())));
    Some(values.collect::<Vec<_>>().join(" or "))
}

/// Formats the type of a JSON schema as HTML. A named type gets a link, and an enumeration is the list of its values.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("<a href=\"#{0}\"><code>{0}</code></a>", escaped(name));
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let choices: Vec<String> = choices.iter().map(type_of).collect();
        return choices.join(" or ");
    }
    if let Some(values) = values_of(schema) {
        return values;
    }
    if schema["items"].is_object() {
        return format!("list of {}", type_of(&schema["items"]));
    }
    match &schema["type"] {
        Value::String(name) => escaped(name),
        Value::Array(names) => {
            let names: Vec<String> = names.iter().filter_map(Value::as_str).map(escaped).collect();
            names.join(" or ")
        }
        _ => String::new(),
    }
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Formats a description text of the OpenAPI document as HTML. Text in backticks becomes code.
fn prose(text: &Value) -> String {
    let text = escaped(text.as_str().unwrap_or_default());
    let mut html = String::new();
    for (index, part) in text.split('`').enumerate() {
        let (open, close) = if index % 2 == 1 { ("<code>", "</code>") } else { ("", "") };
        html.push_str(open);
        html.push_str(part);
        html.push_str(close);
    }
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
