//! Checks that Rust code has no unfinished parts and no ignored tests, and that `no_std` crates do not use the standard library. The checks
//! read tokens, and pass over comments and strings.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::fault::RuleBreach;

/// Checks that Rust code contains neither unfinished code (`todo!`) nor an ignored test.
pub(super) fn has_no_leftovers(text: &str) -> Vec<RuleBreach> {
    with_tokens(text, leftovers)
}

/// Checks that Rust code outside of tests does not use the standard library.
pub(super) fn needs_no_std(text: &str) -> Vec<RuleBreach> {
    with_tokens(text, uses_of_std)
}

/// Checks that a crate has the attribute `#![no_std]`, and that the attribute depends on no condition such as a feature.
pub(super) fn declares_no_std(text: &str) -> Vec<RuleBreach> {
    with_tokens(text, |tokens| {
        let declared = tokens.windows(3).any(|window| match window {
            [hash, bang, attribute] => {
                is_punct(hash, '#') && is_punct(bang, '!') && is_attribute(attribute, "no_std")
            }
            _ => false,
        });
        if declared {
            Vec::new()
        } else {
            vec![RuleBreach::new(
                1,
                "`#![no_std]` is missing: add the attribute at the start of the crate",
            )]
        }
    })
}

fn with_tokens(text: &str, rule: impl Fn(&[TokenTree]) -> Vec<RuleBreach>) -> Vec<RuleBreach> {
    match text.parse::<TokenStream>() {
        Ok(stream) => rule(&stream.into_iter().collect::<Vec<_>>()),
        Err(error) => {
            let line = error.span().start().line;
            vec![RuleBreach::new(line, format!("the file is not valid Rust: {error}"))]
        }
    }
}

fn leftovers(tokens: &[TokenTree]) -> Vec<RuleBreach> {
    let mut faults = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1);
        match (token, next) {
            (TokenTree::Ident(name), Some(next))
                if is_punct(next, '!') && (name == "todo" || name == "unimplemented") =>
            {
                faults.push(RuleBreach::new(
                    line(token),
                    format!("`{name}!` marks unwritten code: write the code, or remove the macro"),
                ));
            }
            (TokenTree::Punct(hash), Some(TokenTree::Group(attribute)))
                if hash.as_char() == '#' && ignores(attribute) =>
            {
                faults.push(RuleBreach::new(
                    line(token),
                    "the test is ignored: let the test run, or remove the test",
                ));
            }
            (TokenTree::Group(group), _) => faults.extend(leftovers(&inside(group))),
            _ => {}
        }
    }
    faults
}

/// Returns whether an attribute makes the test runner skip a test, always or under a condition.
fn ignores(attribute: &Group) -> bool {
    let tokens = inside(attribute);
    match tokens.as_slice() {
        [TokenTree::Ident(name), ..] if name == "ignore" => true,
        [TokenTree::Ident(name), TokenTree::Group(rest)] if name == "cfg_attr" => inside(rest)
            .iter()
            .any(|token| matches!(token, TokenTree::Ident(name) if name == "ignore")),
        _ => false,
    }
}

fn uses_of_std(tokens: &[TokenTree]) -> Vec<RuleBreach> {
    let mut faults = Vec::new();
    let mut in_test_item = false;
    for (index, token) in tokens.iter().enumerate() {
        if in_test_item {
            // An item with the attribute `cfg(test)` ends after its body or after a semicolon.
            let is_body =
                matches!(token, TokenTree::Group(body) if body.delimiter() == Delimiter::Brace);
            in_test_item = !is_body && !is_punct(token, ';');
            continue;
        }
        match token {
            TokenTree::Punct(hash) if hash.as_char() == '#' => {
                in_test_item =
                    tokens.get(index + 1).is_some_and(|next| is_attribute(next, "cfg(test)"));
            }
            TokenTree::Ident(name) if name == "std" => {
                let starts_path = tokens.get(index + 1).is_some_and(|next| is_punct(next, ':'));
                let is_linked = matches!(
                    tokens.get(index.saturating_sub(1)),
                    Some(TokenTree::Ident(before)) if before == "crate"
                );
                if starts_path || is_linked {
                    faults.push(RuleBreach::new(
                        line(token),
                        "the crate is `no_std`: use `core` or `alloc` instead of `std`",
                    ));
                }
            }
            TokenTree::Group(group) => faults.extend(uses_of_std(&inside(group))),
            _ => {}
        }
    }
    faults
}

pub(super) fn inside(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

pub(super) fn line(token: &TokenTree) -> usize {
    token.span().start().line
}

pub(super) fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Returns whether an attribute such as `cfg(test)` or `cfg(all(test, …))` restricts its item to test builds.
pub(super) fn is_test_attribute(attribute: &Group) -> bool {
    fn asks_for_test(tokens: &[TokenTree]) -> bool {
        tokens.iter().enumerate().any(|(index, token)| match token {
            TokenTree::Ident(name) => name == "test",
            TokenTree::Group(group) => {
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                let is_negated = matches!(before, Some(TokenTree::Ident(name)) if name == "not");
                !is_negated && asks_for_test(&inside(group))
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    match inside(attribute).as_slice() {
        [TokenTree::Ident(name), TokenTree::Group(condition)] if name == "cfg" => {
            asks_for_test(&inside(condition))
        }
        _ => false,
    }
}

/// Returns whether a token is a group in square brackets, as in an attribute, and the text between the brackets is `contents`. Spaces in
/// the group do not matter.
fn is_attribute(token: &TokenTree, contents: &str) -> bool {
    matches!(token, TokenTree::Group(group)
        if group.delimiter() == Delimiter::Bracket
            && group.stream().to_string().replace(' ', "") == contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(faults: Vec<RuleBreach>) -> Vec<usize> {
        faults.into_iter().map(|fault| fault.line).collect()
    }

    #[test]
    fn leftovers_are_found_in_code_but_not_in_comments_or_strings() {
        let fine = "//! Never todo!().\nfn f() { let todo = \"unimplemented!()\"; }\n#[test]\n";
        assert_eq!(has_no_leftovers(fine), []);

        assert_eq!(lines(has_no_leftovers("fn f() {\n    todo!()\n}\n")), [2]);
        assert_eq!(lines(has_no_leftovers("fn f() {\n g(|| unimplemented!(\"x\"))\n}\n")), [2]);
        assert_eq!(lines(has_no_leftovers("#[test]\n#[ignore]\nfn f() {}\n")), [2]);
        assert_eq!(lines(has_no_leftovers("mod t {\n#[ignore = \"slow\"]\nfn f() {} }\n")), [2]);
        assert_eq!(lines(has_no_leftovers("#[cfg_attr(a, ignore)]\nfn f() {}\n")), [1]);
    }

    #[test]
    fn invalid_rust_is_reported() {
        assert_eq!(lines(has_no_leftovers("fn f() {}\nfn g() {\n")).len(), 1);
    }

    #[test]
    fn the_standard_library_is_allowed_in_tests_only() {
        let fine = "//! Not std::vec.\nuse core::fmt;\n#[cfg(test)]\nextern crate std;\n\
                    #[cfg(feature = \"std\")]\nfn f() {}\n\
                    #[cfg(test)]\n#[rustfmt::skip]\nmod tests {\n    use std::fs;\n}\n";
        assert_eq!(needs_no_std(fine), []);

        assert_eq!(lines(needs_no_std("use std::fmt;\n")), [1]);
        assert_eq!(lines(needs_no_std("#[cfg(test)]\nmod tests {}\nextern crate std;\n")), [3]);
        assert_eq!(lines(needs_no_std("fn f() {\n    let _ = ::std::mem::drop(1);\n}\n")), [2]);
        assert_eq!(lines(needs_no_std("#[cfg(not(test))]\nuse std::fs;\n")), [2]);
    }

    #[test]
    fn no_std_must_be_declared_without_a_condition() {
        assert_eq!(declares_no_std("//! Rules.\n#![no_std]\n"), []);

        assert_eq!(lines(declares_no_std("//! Rules, `#![no_std]`.\n")), [1]);
        assert_eq!(lines(declares_no_std("#![cfg_attr(not(test), no_std)]\n")), [1]);
    }
}
