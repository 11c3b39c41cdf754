//! What is the function called with? Rust that makes a `Case` of each combination of types, constants, values and threads. Types and
//! constants are known to the compiler alone, so each has a piece of code; values and threads may come from a loop.

use crate::function::{Function, Generic};
use crate::options::{Args, Options};

/// Statements that push onto `cases`.
pub(crate) fn written(function: &Function, options: &Options) -> String {
    let types = each(&options.types);
    let consts = each(&options.consts);
    let combinations =
        types.iter().flat_map(|of_type| consts.iter().map(move |of_const| (*of_type, *of_const)));
    combinations.map(|(of_type, of_const)| Called::new(function, of_type, of_const).cases(options)).collect()
}

fn each(list: &[String]) -> Vec<Option<&String>> {
    if list.is_empty() { vec![None] } else { list.iter().map(Some).collect() }
}

/// `Vec<(u8, &str)>` of `Vec < (u8, & str) >`, as the compiler shows tokens.
fn as_people_write(of_type: &str) -> String {
    [(" <", "<"), ("< ", "<"), (" >", ">"), (" ::", "::"), (":: ", "::"), ("& ", "&"), (" ,", ",")]
        .iter()
        .fold(of_type.to_owned(), |text, (wide, narrow)| text.replace(wide, narrow))
}

/// The function with its types and constants settled.
struct Called<'a> {
    function: &'a Function,
    /// `name::<u8, 16>`.
    path: String,
    /// Rust for a parameter's name and its value, for each.
    parameters: Vec<String>,
}

impl<'a> Called<'a> {
    fn new(function: &'a Function, of_type: Option<&String>, of_const: Option<&String>) -> Self {
        let (mut inside, mut parameters) = (Vec::new(), Vec::new());
        for generic in &function.generics {
            match (generic, of_type, of_const) {
                (Generic::Type, Some(of_type), _) => {
                    inside.push(of_type.clone());
                    parameters.push(format!("(\"type\", {:?})", as_people_write(of_type)));
                }
                (Generic::Constant(name), _, Some(of_const)) => {
                    inside.push(format!("{{ {of_const} }}"));
                    parameters.push(format!("({name:?}, {of_const:?})"));
                }
                _ => {}
            }
        }
        let name = &function.name;
        let path = if inside.is_empty() { name.clone() } else { format!("{name}::<{}>", inside.join(", ")) };
        Self { function, path, parameters }
    }

    fn cases(&self, options: &Options) -> String {
        let library = &options.library;
        let named = |shown: &str| format!("({:?}, {shown})", self.function.value_name());
        match &options.args {
            Args::None => self.with_threads(options, None, &[]),
            Args::Listed(values) => {
                let one =
                    |value: &String| self.with_threads(options, Some(value), &[named(&format!("{value:?}"))]);
                values.iter().map(one).collect()
            }
            Args::Given(values) => {
                let value = "::std::clone::Clone::clone(&value)";
                let inside = self.with_threads(options, Some(value), &[named("&shown")]);
                format!("for (shown, value) in {library}::__private::values({values}) {{ {inside} }}")
            }
        }
    }

    fn with_threads(&self, options: &Options, value: Option<&str>, more: &[String]) -> String {
        let Some(threads) = &options.threads else { return self.case(options, value, more) };
        let library = &options.library;
        let more = [more, &["(\"threads\", &shown_threads)".to_owned()]].concat();
        let case = self.case(options, value, &more);
        let own = match options.args {
            Args::Given(_) => "let value = ::std::clone::Clone::clone(&value);",
            _ => "",
        };
        format!("for (shown_threads, threads) in {library}::__private::threads({threads}) {{ {own} {case} }}")
    }

    fn case(&self, options: &Options, value: Option<&str>, more: &[String]) -> String {
        let parameters = [self.parameters.as_slice(), more].concat().join(", ");
        let (library, run) = (&options.library, self.run(options, value));
        format!("cases.push({library}::__private::Case::new(&[{parameters}], {run}));")
    }

    /// What measures, a function of a `Bench`.
    fn run(&self, options: &Options, value: Option<&str>) -> String {
        let (path, library) = (&self.path, &options.library);
        let takes_bench = self.function.parameters.len() > usize::from(value.is_some());
        let call = match (value, takes_bench) {
            (None, true) => return path.clone(),
            (Some(value), true) => format!("{path}(bench, {value})"),
            (Some(value), false) if options.threads.is_some() => {
                format!("bench.run_on_threads(threads, || {path}({library}::black_box({value})))")
            }
            (None, false) if options.threads.is_some() => format!("bench.run_on_threads(threads, {path})"),
            (Some(value), false) if self.function.is_async => {
                format!("bench.run_async(|| {path}({library}::black_box({value})))")
            }
            (None, false) if self.function.is_async => format!("bench.run_async({path})"),
            (Some(value), false) => format!("bench.with_input(|_| {value}).run_owned({path})"),
            (None, false) => format!("bench.run({path})"),
        };
        format!("move |bench| {call}")
    }
}
