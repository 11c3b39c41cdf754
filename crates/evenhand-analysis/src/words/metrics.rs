//! What is a metric called in a verdict? "executes 33 % more instructions", "takes 2.10 times the page faults": each metric that is
//! counted has its verb and its noun, here and nowhere else.
//!
//! Tests: `tests/analysis/worded.rs`.

use evenhand_trial::{Better, Metric};

/// A metric in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spoken {
    /// What a program does with it: `executes`.
    pub verb: &'static str,
    /// What there is more or less of: `instructions`.
    pub noun: &'static str,
    /// `fewer` of what is counted, `less` of what is not.
    pub less: &'static str,
}

const fn of_many(verb: &'static str, noun: &'static str) -> Spoken {
    Spoken { verb, noun, less: "fewer" }
}

const fn of_much(verb: &'static str, noun: &'static str) -> Spoken {
    Spoken { verb, noun, less: "less" }
}

/// All but the time on the clock, which is slower and faster, by the names that commands, functions and other tools give them.
const SPOKEN: [(&str, Spoken); 28] = [
    ("cpu", of_much("takes", "CPU time")),
    ("cpu_per_request", of_much("takes", "CPU time per request")),
    ("memory", of_much("uses", "memory")),
    (ERRORS, of_many("has", "errors")),
    ("stall", of_much("has", "stall time")),
    ("user", of_much("takes", "user time")),
    ("system", of_much("takes", "system time")),
    ("waited", of_much("has", "waiting time")),
    ("max_rss", of_much("uses", "memory")),
    ("minor_faults", of_many("takes", "minor page faults")),
    ("major_faults", of_many("takes", "major page faults")),
    ("page_faults", of_many("takes", "page faults")),
    ("voluntary_switches", of_many("makes", "voluntary context switches")),
    ("involuntary_switches", of_many("has", "involuntary context switches")),
    ("context_switches", of_many("makes", "context switches")),
    ("blocks_in", of_many("reads", "disk blocks")),
    ("blocks_out", of_many("writes", "disk blocks")),
    ("instructions", of_many("executes", "instructions")),
    ("cycles", of_many("takes", "CPU cycles")),
    ("cpu_cycles", of_many("takes", "CPU cycles")),
    ("branches", of_many("executes", "branches")),
    ("branch_instructions", of_many("executes", "branch instructions")),
    ("branch_misses", of_many("has", "branch misses")),
    ("cache_misses", of_many("has", "cache misses")),
    ("allocations", of_many("makes", "heap allocations")),
    ("allocs/op", of_many("makes", "heap allocations")),
    ("B/op", of_much("allocates", "memory")),
    ("allocated", of_much("allocates", "memory")),
];

/// The share of a service's requests without a right answer.
pub(super) const ERRORS: &str = "errors";

/// The rate at which a service breaks a promise.
pub(super) const CAPACITY: &str = "capacity";

/// How a metric is said; `None` for the time on the clock, for throughput, and for what a benchmark named itself.
pub(super) fn spoken(metric: &Metric) -> Option<Spoken> {
    let known = SPOKEN.iter().find(|(name, _)| *name == metric.name)?;
    (metric.better == Better::Lower).then_some(known.1)
}

/// Of a service's response: `P99` for `response_p99`, `P99 of order` for `response_p99_order`.
pub(super) fn at_percentile(metric: &Metric) -> Option<String> {
    Some(match metric.response()? {
        (percent, None) => format!("P{percent}"),
        (percent, Some(operation)) => format!("P{percent} of {operation}"),
    })
}
