//! What does the attribute say? [`EXPECTED`] lists it.

use crate::Wrong;
use crate::tokens::between_commas;
use proc_macro::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};

const EXPECTED: &str = "expected `group = \"…\"`, `baseline`, `args = …`, `types = […]`, `consts = […]`, `threads = […]`, `iterations = …`, \
    `iteration_time = \"…\"` or `crate = …`";

pub(crate) struct Options {
    pub group: String,
    pub baseline: bool,
    pub args: Args,
    pub types: Vec<String>,
    pub consts: Vec<String>,
    /// What gives the numbers of threads.
    pub threads: Option<String>,
    /// How often it shall run in one sample: a parameter that is for the host, with its value.
    pub iterations: Option<(&'static str, u64)>,
    /// Where this library is found.
    pub library: String,
}

/// The values that a function is called with.
pub(crate) enum Args {
    None,
    /// `[1, 2]`: each as it was written, which is its name, too.
    Listed(Vec<String>),
    /// Something else that gives values when the program runs.
    Given(String),
}

impl Options {
    pub(crate) fn of(attribute: &TokenStream) -> Result<Self, Wrong> {
        let mut options = Self {
            group: String::new(),
            baseline: false,
            args: Args::None,
            types: Vec::new(),
            consts: Vec::new(),
            threads: None,
            iterations: None,
            library: "::evenhand".to_owned(),
        };
        for option in between_commas(attribute.clone()) {
            let tokens: Vec<TokenTree> = option.into_iter().collect();
            let known = match tokens.as_slice() {
                [TokenTree::Ident(name)] if name.to_string() == "baseline" => {
                    options.baseline = true;
                    true
                }
                [TokenTree::Ident(name), TokenTree::Punct(sign), value @ ..] if sign.as_char() == '=' => {
                    options.set(&name.to_string(), value)?
                }
                _ => false,
            };
            if !known {
                let span = tokens.first().map_or_else(Span::call_site, TokenTree::span);
                return Err(Wrong(span, EXPECTED.to_owned()));
            }
        }
        Ok(options)
    }

    /// Whether there is such an option.
    fn set(&mut self, name: &str, value: &[TokenTree]) -> Result<bool, Wrong> {
        match (name, value) {
            ("iterations", [TokenTree::Literal(value)]) => {
                self.once(("@iterations", iterations(value)?), value)?;
            }
            ("iteration_time", [TokenTree::Literal(value)]) => {
                self.once(("@iteration_time", nanoseconds(value)?), value)?;
            }
            ("group", [TokenTree::Literal(value)]) => self.group = text(value)?,
            ("args", [TokenTree::Group(list)]) if is_list(list) => self.args = Args::Listed(each(list)),
            ("args", [_, ..]) => self.args = Args::Given(written(value)),
            ("types", [TokenTree::Group(list)]) if is_list(list) => self.types = each(list),
            ("consts", [TokenTree::Group(list)]) if is_list(list) => self.consts = each(list),
            ("threads", [_, ..]) => self.threads = Some(written(value)),
            ("crate", [_, ..]) => self.library = written(value),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A number of iterations and a time for them contradict each other.
    fn once(&mut self, given: (&'static str, u64), at: &Literal) -> Result<(), Wrong> {
        match self.iterations.replace(given) {
            None => Ok(()),
            Some(_) => Err(Wrong(at.span(), "give `iterations` or `iteration_time`, once".to_owned())),
        }
    }
}

/// The host allows no more.
const MOST_ITERATIONS: u64 = 1_000_000;
const UNITS: [(&str, f64); 5] = [("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)];
/// A hundred seconds.
const LONGEST: f64 = 1e11;

fn iterations(literal: &Literal) -> Result<u64, Wrong> {
    let number = literal.to_string().replace('_', "").parse().ok();
    number
        .filter(|number| (1..=MOST_ITERATIONS).contains(number))
        .ok_or_else(|| Wrong(literal.span(), format!("expected a number from 1 to {MOST_ITERATIONS}")))
}

/// `25` and its unit, `ms`, as one text.
fn nanoseconds(literal: &Literal) -> Result<u64, Wrong> {
    let given = text(literal)?;
    let in_unit =
        |(unit, size): &(&str, f64)| Some(given.strip_suffix(unit)?.trim().parse::<f64>().ok()? * size);
    let time = UNITS.iter().find_map(in_unit).filter(|time| (1.0..=LONGEST).contains(time));
    time.map(|time| time.round() as u64).ok_or_else(|| {
        Wrong(literal.span(), "expected a time from \"1ns\" to \"100s\", such as \"25ms\"".to_owned())
    })
}

fn is_list(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
}

fn each(list: &Group) -> Vec<String> {
    between_commas(list.stream()).iter().map(ToString::to_string).collect()
}

fn written(tokens: &[TokenTree]) -> String {
    tokens.iter().cloned().collect::<TokenStream>().to_string()
}

fn text(literal: &Literal) -> Result<String, Wrong> {
    let written = literal.to_string();
    let inside = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inside.filter(|inside| !inside.contains('\\')) {
        Some(inside) if !inside.is_empty() => Ok(inside.to_owned()),
        _ => Err(Wrong(literal.span(), "expected a string literal".to_owned())),
    }
}
