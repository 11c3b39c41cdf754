//! What is known of the function? Its name, the names of what it takes, and which types and constants stand for something.

use crate::Wrong;
use crate::tokens::{Angles, between_commas};
use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

pub(crate) struct Function {
    pub span: Span,
    pub name: String,
    /// The names of what it takes; a pattern counts as `value`.
    pub parameters: Vec<String>,
    pub generics: Vec<Generic>,
    pub is_async: bool,
}

/// What stands between `<` and `>`, in that order. Lifetimes are nobody's business.
pub(crate) enum Generic {
    Type,
    /// With its name.
    Constant(String),
}

impl Function {
    pub(crate) fn of(item: &TokenStream) -> Result<Self, Wrong> {
        let no_function = || Wrong(Span::call_site(), "#[evenhand::bench] must be on a function".to_owned());
        let mut tokens = item.clone().into_iter();
        let is = |token: &TokenTree, wanted: &str| matches!(token, TokenTree::Ident(word) if word.to_string() == wanted);
        let mut is_async = false;
        loop {
            match tokens.next() {
                None => return Err(no_function()),
                Some(token) if is(&token, "fn") => break,
                Some(token) => is_async |= is(&token, "async"),
            }
        }
        let Some(TokenTree::Ident(name)) = tokens.next() else { return Err(no_function()) };
        let mut angles = Angles::default();
        let mut inside = Vec::new();
        for token in tokens {
            if angles.pass(&token) {
                inside.push(token);
                continue;
            }
            match token {
                TokenTree::Group(taken) if taken.delimiter() == Delimiter::Parenthesis => {
                    let parameters = between_commas(taken.stream()).into_iter().map(name_of).collect();
                    return Ok(Self {
                        span: name.span(),
                        name: name.to_string(),
                        parameters,
                        generics: generics(inside),
                        is_async,
                    });
                }
                _ => return Err(no_function()),
            }
        }
        Err(no_function())
    }
}

impl Function {
    /// `loop` of `r#loop`.
    pub(crate) fn plain_name(&self) -> &str {
        self.name.strip_prefix("r#").unwrap_or(&self.name)
    }

    /// What the value of `args` is called.
    pub(crate) fn value_name(&self) -> &str {
        self.parameters.last().map_or("value", String::as_str)
    }
}

/// `size` of `size: usize` and of `mut size: usize`.
fn name_of(parameter: TokenStream) -> String {
    let before_colon = parameter
        .into_iter()
        .take_while(|token| !matches!(token, TokenTree::Punct(mark) if mark.as_char() == ':'));
    let names: Vec<String> =
        before_colon.map(|token| token.to_string()).filter(|word| word != "mut").collect();
    match names.as_slice() {
        [name] => name.trim_start_matches('_').to_owned(),
        _ => "value".to_owned(),
    }
}

/// Of `<'a, T: Ord, const N: usize>`, brackets included: a type and the constant `N`.
fn generics(inside: Vec<TokenTree>) -> Vec<Generic> {
    let without_brackets = inside.len().saturating_sub(2);
    let list = inside.into_iter().skip(1).take(without_brackets).collect();
    let of = |one: TokenStream| {
        let mut tokens = one.into_iter();
        match tokens.next()? {
            TokenTree::Punct(_) => None,
            TokenTree::Ident(word) if word.to_string() == "const" => {
                Some(Generic::Constant(tokens.next()?.to_string()))
            }
            _ => Some(Generic::Type),
        }
    };
    between_commas(list).into_iter().filter_map(of).collect()
}
