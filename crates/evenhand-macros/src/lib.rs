//! The attribute `#[evenhand::bench]`: leaves the function as it is and adds it to the program's list of benchmarks.
//!
//! Written on the compiler's tokens, without the usual parsers, because every benchmark of every user is built with it and all
//! that is needed is the function's name and what it takes.
//!
//! | file | question |
//! |---|---|
//! | `options.rs` | what does the attribute say? |
//! | `function.rs` | what is known of the function? |
//! | `tokens.rs` | where does one of several things end? |
//!
//! Tests: `crates/evenhand/tests`.
#![warn(missing_docs)]

mod function;
mod options;
mod tokens;

use function::Function;
use options::Options;
use proc_macro::{Span, TokenStream};

/// Makes a function a benchmark.
///
/// A function without parameters is timed as a whole. A function of a `Bench` says itself what is timed.
///
/// * `#[bench(group = "sort")]` makes it an alternative to the others of the group, `#[bench(group = "sort", baseline)]` the one
///   that they are compared with.
/// * `#[bench(args = [10, 1000])]` makes a benchmark of each value: it is handed to the function, behind the `Bench` if it takes one.
/// * An `async` function is a benchmark with the feature `tokio`.
/// * `#[bench(iterations = 1)]` times a single call in each sample, `iterations = 100` a hundred; `#[bench(iteration_time = "25ms")]` as
///   many as fill that time. Otherwise a sample has as many as the clock needs.
/// * `#[bench(types = [Vec<u8>, String])]` makes a benchmark of each type: it stands for the function's type parameter.
#[proc_macro_attribute]
pub fn bench(attribute: TokenStream, item: TokenStream) -> TokenStream {
    match written(&attribute, &item) {
        Ok(registration) => [item, registration].into_iter().collect(),
        Err(wrong) => [error(&wrong), item].into_iter().collect(),
    }
}

/// What is wrong, and where.
struct Wrong(Span, String);

/// No `allow(unsafe_code)` for the section: the lint passes over what an attribute of another crate has written, and a crate that
/// forbids unsafe code would refuse to compile it.
fn written(attribute: &TokenStream, item: &TokenStream) -> Result<TokenStream, Wrong> {
    let options = Options::of(attribute)?;
    let function = Function::of(item)?;
    fits(&function, &options)?;
    let entries: String = cases(&options).iter().map(|case| entry(&function, &options, case)).collect();
    format!(
        r#"const _: () = {{
            static ENTRIES: &[::evenhand::registry::Entry] = &[{entries}];
            static NODE: ::evenhand::registry::Node = ::evenhand::registry::Node::new(ENTRIES);
            extern "C" fn add() {{
                NODE.add();
            }}
            #[used]
            #[cfg_attr(any(target_os = "linux", target_os = "android", target_os = "freebsd"), unsafe(link_section = ".init_array"))]
            #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
            #[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
            static ADD: extern "C" fn() = add;
        }};"#
    )
    .parse()
    .map_err(|error| Wrong(Span::call_site(), format!("evenhand::bench generated invalid Rust: {error}")))
}

/// One type and one value, if there are such.
type Case<'a> = (Option<&'a String>, Option<&'a String>);

/// Each type with each value.
fn cases(options: &Options) -> Vec<Case<'_>> {
    let each = |list: &'_ [String]| -> Vec<Option<usize>> {
        if list.is_empty() { vec![None] } else { (0..list.len()).map(Some).collect() }
    };
    let values = each(&options.values);
    let of_type = |of: Option<usize>| {
        values
            .iter()
            .map(move |value| (of.map(|of| &options.types[of]), value.map(|value| &options.values[value])))
    };
    each(&options.types).into_iter().flat_map(of_type).collect()
}

fn entry(function: &Function, options: &Options, (of_type, value): &Case<'_>) -> String {
    let Function { name, parameters, .. } = function;
    let called = match of_type {
        Some(of_type) => format!("{name}::<{of_type}>"),
        None => name.clone(),
    };
    let takes_bench = parameters.len() > usize::from(value.is_some());
    let how = if function.is_async { "run_async" } else { "run" };
    let run = match (takes_bench, value) {
        (true, Some(value)) => format!("|bench| {called}(bench, {value})"),
        (true, None) => called,
        (false, Some(value)) => format!("|bench| bench.{how}(|| {called}(::evenhand::black_box({value})))"),
        (false, None) => format!("|bench| bench.{how}({called})"),
    };
    let mut told = name.strip_prefix("r#").unwrap_or(name).to_owned();
    let mut pairs = Vec::new();
    for (what, said) in [("type", of_type), (parameters.last().map_or("value", String::as_str), value)] {
        if let Some(said) = said {
            told += &format!("/{said}");
            pairs.push(format!("({what:?}, {said:?})"));
        }
    }
    pairs.extend(options.iterations.map(|(name, value)| format!("({name:?}, {:?})", value.to_string())));
    let (Options { group, baseline, .. }, pairs) = (options, pairs.join(", "));
    format!(
        "::evenhand::registry::Entry {{
            name: ::std::concat!(::std::module_path!(), \"::\", {told:?}),
            group: {group:?},
            baseline: {baseline},
            parameters: &[{pairs}],
            run: {run},
        }},"
    )
}

/// Whether the function takes what the attribute gives.
fn fits(function: &Function, options: &Options) -> Result<(), Wrong> {
    let wrong = |told: &str| Err(Wrong(function.span, told.to_owned()));
    if function.is_generic == options.types.is_empty() {
        return wrong(if function.is_generic {
            "a benchmark with a type parameter needs its types: #[evenhand::bench(types = [u8, u64])]"
        } else {
            "`types` needs a function with a type parameter"
        });
    }
    match (function.parameters.len(), options.values.is_empty()) {
        (count, no_values) if function.is_async && count > usize::from(!no_values) => wrong(
            "an async benchmark cannot take a Bench: use bench.run_async(…) in a function that is not async",
        ),
        (0, false) => wrong("`args` needs a function that takes one: fn name(size: usize)"),
        (2.., true) => wrong("a benchmark takes a Bench, or, with `args`, a Bench and a value"),
        (3.., false) => wrong("a benchmark with `args` takes a Bench and a value, or the value alone"),
        _ => Ok(()),
    }
}

/// `compile_error!` at the place.
fn error(Wrong(span, told): &Wrong) -> TokenStream {
    let macro_call: TokenStream = format!("::std::compile_error! {{ {told:?} }}").parse().unwrap_or_default();
    macro_call
        .into_iter()
        .map(|mut token| {
            token.set_span(*span);
            token
        })
        .collect()
}
