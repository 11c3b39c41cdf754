//! The attribute `#[evenhand::bench]`: leaves the function as it is and adds it to the program's list of benchmarks.
//!
//! Written on the compiler's tokens, without the usual parsers, because every benchmark of every user is built with it and all
//! that is needed is the function's name and what it takes.
//!
//! | file | question |
//! |---|---|
//! | `options.rs` | what does the attribute say? |
//! | `function.rs` | what is known of the function? |
//! | `cases.rs` | what is it called with? |
//! | `tokens.rs` | where does one of several things end? |
//!
//! Tests: `tests/what_is_refused.rs`, `crates/evenhand/tests`.
#![warn(missing_docs)]

mod cases;
mod function;
mod options;
mod tokens;

use function::{Function, Generic};
use options::{Args, Options};
use proc_macro::{Span, TokenStream};

/// Makes a function a benchmark.
///
/// A function without parameters is timed as a whole. A function of a `Bench` says itself what is timed. An `async` function is a
/// benchmark with the feature `tokio`.
///
/// | option | what it does |
/// |---|---|
/// | `args = [10, 1000]`, `args = SIZES`, `args = 0..4` | one benchmark for each value of a list, or of anything that can be iterated; the function takes the value, behind the `Bench` if it takes one |
/// | `types = [Vec<u8>, String]` | one for each type; it stands for the type parameter |
/// | `consts = [16, 4096]` | one for each constant; it stands for the constant parameter |
/// | `threads = [1, 4]` | one for each number of threads that run the function at once; 0 stands for as many as the machine runs at a time |
/// | `group = "sort"` | the benchmarks of a group are alternatives, which are compared with each other |
/// | `baseline` | the others of the group are compared with this one |
/// | `iterations = 1` | a single call is a sample, or as many as you say; by default as many as the clock needs |
/// | `iteration_time = "25ms"` | as many calls as fill that time |
/// | `crate = my::evenhand` | where the library is found, if not at `::evenhand` |
///
/// Several of `args`, `types`, `consts` and `threads` multiply: a benchmark for each combination.
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
    let Options { group, baseline, library, iterations, .. } = &options;
    let name = function.plain_name();
    let wishes = iterations.map_or_else(String::new, |(name, value)| format!("({name:?}, \"{value}\")"));
    let cases = cases::written(&function, &options);
    format!(
        r#"const _: () = {{
            static NODE: {library}::__private::Node = {library}::__private::Node::new({library}::__private::Function {{
                name: ::std::concat!(::std::module_path!(), "::", {name:?}),
                group: {group:?},
                baseline: {baseline},
                wishes: &[{wishes}],
                cases: || {{
                    let mut cases = ::std::vec::Vec::new();
                    {cases}
                    cases
                }},
            }});
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

/// Whether the function takes what the attribute gives.
fn fits(function: &Function, options: &Options) -> Result<(), Wrong> {
    let wrong = |why: &str| Err(Wrong(function.span, why.to_owned()));
    let types = function.generics.iter().filter(|generic| matches!(generic, Generic::Type)).count();
    let constants = function.generics.len() - types;
    match (types, options.types.is_empty(), constants, options.consts.is_empty()) {
        (0, true, 0, true) | (1, false, 0, true) | (0, true, 1, false) | (1, false, 1, false) => {}
        (0, false, ..) => return wrong("`types` needs a function with a type parameter"),
        (1.., true, ..) => {
            return wrong(
                "a benchmark with a type parameter needs its types: #[evenhand::bench(types = [u8, u64])]",
            );
        }
        (_, _, 0, false) => {
            return wrong("`consts` needs a function with a constant parameter: fn name<const N: usize>()");
        }
        (_, _, 1.., true) => {
            return wrong(
                "a benchmark with a constant parameter needs its constants: #[evenhand::bench(consts = [16, 64])]",
            );
        }
        _ => return wrong("a benchmark has one type parameter and one constant parameter at most"),
    }
    let (count, no_values) = (function.parameters.len(), matches!(options.args, Args::None));
    let alone = count <= usize::from(!no_values);
    match (count, no_values) {
        _ if function.is_async && !alone => wrong(
            "an async benchmark cannot take a Bench: use bench.run_async(…) in a function that is not async",
        ),
        _ if options.threads.is_some() && (function.is_async || !alone) => wrong(
            "`threads` needs a function that is not async and takes no Bench; in a function of a Bench use bench.run_on_threads(…)",
        ),
        (0, false) => wrong("`args` needs a function that takes one: fn name(size: usize)"),
        (2.., true) => wrong("a benchmark takes a Bench, or, with `args`, a Bench and a value"),
        (3.., false) => wrong("a benchmark with `args` takes a Bench and a value, or the value alone"),
        _ => Ok(()),
    }
}

/// `compile_error!` at the place.
fn error(Wrong(span, why): &Wrong) -> TokenStream {
    let macro_call: TokenStream = format!("::std::compile_error! {{ {why:?} }}").parse().unwrap_or_default();
    macro_call
        .into_iter()
        .map(|mut token| {
            token.set_span(*span);
            token
        })
        .collect()
}
