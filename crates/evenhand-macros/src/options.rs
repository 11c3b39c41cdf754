//! What does the attribute say? `group = "…"`, `baseline`, `args = […]`, `types = […]`.

use crate::Wrong;
use crate::tokens::between_commas;
use proc_macro::{Delimiter, Literal, Span, TokenStream, TokenTree};

#[derive(Default)]
pub(crate) struct Options {
    pub group: String,
    pub baseline: bool,
    pub values: Vec<String>,
    pub types: Vec<String>,
}

impl Options {
    pub(crate) fn of(attribute: &TokenStream) -> Result<Self, Wrong> {
        let mut options = Self::default();
        for option in between_commas(attribute.clone()) {
            let tokens: Vec<TokenTree> = option.into_iter().collect();
            let known = match tokens.as_slice() {
                [TokenTree::Ident(name)] if name.to_string() == "baseline" => {
                    options.baseline = true;
                    true
                }
                [TokenTree::Ident(name), TokenTree::Punct(_), value] => {
                    options.set(&name.to_string(), value)?
                }
                _ => false,
            };
            if !known {
                let span = tokens.first().map_or_else(Span::call_site, TokenTree::span);
                let expected = "expected `group = \"…\"`, `baseline`, `args = […]` or `types = […]`";
                return Err(Wrong(span, expected.to_owned()));
            }
        }
        Ok(options)
    }

    /// Whether there is such an option.
    fn set(&mut self, name: &str, value: &TokenTree) -> Result<bool, Wrong> {
        match (name, value) {
            ("group", TokenTree::Literal(value)) => self.group = text(value)?,
            ("args", TokenTree::Group(list)) if list.delimiter() == Delimiter::Bracket => {
                self.values = each(list.stream());
            }
            ("types", TokenTree::Group(list)) if list.delimiter() == Delimiter::Bracket => {
                self.types = each(list.stream());
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn each(list: TokenStream) -> Vec<String> {
    between_commas(list).iter().map(ToString::to_string).collect()
}

fn text(literal: &Literal) -> Result<String, Wrong> {
    let written = literal.to_string();
    let inside = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inside.filter(|inside| !inside.contains('\\')) {
        Some(inside) if !inside.is_empty() => Ok(inside.to_owned()),
        _ => Err(Wrong(literal.span(), "expected a string literal".to_owned())),
    }
}
