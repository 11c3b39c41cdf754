//! Which benchmarks are in this program? Each `#[evenhand::bench]` adds itself to a list before `main` begins, as the
//! platforms' loaders call the functions of a certain section then. The list is linked through the functions themselves, so
//! nothing is allocated at that time. What a function is called with is made when somebody asks.
//!
//! Tests: `tests/worker.rs`.

use crate::bench::Bench;
use std::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{iter, ptr, thread};

/// A function as its attribute describes it.
#[derive(Debug)]
pub struct Function {
    /// Module and function, `sort::by_key`.
    pub name: &'static str,
    /// What it is an alternative in; empty for none.
    pub group: &'static str,
    /// Whether the others of the group are compared with it.
    pub baseline: bool,
    /// What its author wants of the host, as parameters that begin with `@`.
    pub wishes: &'static [(&'static str, &'static str)],
    /// What it is called with: one benchmark each.
    pub cases: fn() -> Vec<Case>,
}

/// What a function is called with.
pub struct Case {
    parameters: Vec<(&'static str, String)>,
    run: Box<dyn Fn(Bench<'_>)>,
}

impl Case {
    /// Parameters by name, and how it is run.
    pub fn new(parameters: &[(&'static str, &str)], run: impl Fn(Bench<'_>) + 'static) -> Self {
        let parameters = parameters.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self { parameters, run: Box::new(run) }
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Case").field(&self.parameters).finish()
    }
}

/// Values with their names.
pub fn values<L: IntoIterator<Item: ToString>>(list: L) -> Vec<(String, L::Item)> {
    list.into_iter().map(|value| (value.to_string(), value)).collect()
}

/// Numbers of threads with their names, each once. 0 stands for as many as the machine runs at a time.
pub fn threads(list: impl IntoIterator<Item = usize>) -> Vec<(String, usize)> {
    let all = || thread::available_parallelism().map_or(1, NonZero::get);
    let mut numbers: Vec<usize> =
        list.into_iter().map(|number| if number == 0 { all() } else { number }).collect();
    numbers.sort_unstable();
    numbers.dedup();
    values(numbers)
}

/// A benchmark: a function with what it is called with.
#[derive(Debug)]
pub struct Entry {
    /// Module, function and values, `sort::by_key/1000`.
    pub name: String,
    function: &'static Function,
    case: Case,
}

impl Entry {
    fn new(function: &'static Function, case: Case) -> Self {
        let mut name = function.name.to_owned();
        for (parameter, value) in &case.parameters {
            name += "/";
            if *parameter == THREADS {
                name += "threads=";
            }
            name += value;
        }
        Self { name, function, case }
    }

    /// What it is an alternative in; empty for none.
    pub(crate) fn group(&self) -> &'static str {
        self.function.group
    }

    /// Whether the others of the group are compared with it.
    pub(crate) fn is_baseline(&self) -> bool {
        self.function.baseline
    }

    /// By name, what its author wants of the host included.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = self.case.parameters.iter().map(|(name, value)| (*name, value.as_str()));
        own.chain(self.function.wishes.iter().copied())
    }

    pub(crate) fn run(&self, bench: Bench<'_>) {
        (self.case.run)(bench);
    }
}

/// Its value alone would not say what it is.
const THREADS: &str = "threads";

/// A function in the list.
#[derive(Debug)]
pub struct Node {
    function: Function,
    next: AtomicPtr<Node>,
}

static FIRST: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());

impl Node {
    /// A node that is in no list yet.
    pub const fn new(function: Function) -> Self {
        Self { function, next: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Puts it into the list. Once for each node.
    pub fn add(&'static self) {
        let me = ptr::from_ref(self).cast_mut();
        let mut first = FIRST.load(Ordering::Acquire);
        loop {
            self.next.store(first, Ordering::Release);
            match FIRST.compare_exchange_weak(first, me, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }
}

/// All benchmarks of this program, by name.
pub fn entries() -> Vec<Entry> {
    let functions = iter::successors(node(&FIRST), |last| node(&last.next)).map(|node| &node.function);
    let each = |function: &'static Function| {
        (function.cases)().into_iter().map(move |case| Entry::new(function, case))
    };
    let mut entries: Vec<Entry> = functions.flat_map(each).collect();
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries
}

#[expect(unsafe_code, reason = "the list is linked by pointers, so that it can be made before main")]
fn node(link: &AtomicPtr<Node>) -> Option<&'static Node> {
    // SAFETY: only `add` writes to links, and only pointers to nodes that live for ever.
    unsafe { link.load(Ordering::Acquire).as_ref() }
}
