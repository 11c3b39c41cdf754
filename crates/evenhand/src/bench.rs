//! What does a benchmark say? Which input it needs and what is timed. It is called when the host wants it, and serves the
//! host's turns until the host is done with it, so that it may borrow whatever it has set up.
//!
//! Outside the timed span: making inputs, dropping inputs and outputs.
//!
//! Tests: `tests/worker.rs`.

use crate::allocations;
use crate::clock::{Clock, Ticks};
use crate::random::Rng;
use crate::worker::{Gate, Session, Span, Wait};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;
use std::mem::{MaybeUninit, needs_drop};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Barrier, OnceLock};
use std::thread::{self, ScopedJoinHandle};

/// A benchmark that is being asked to run. It ends with one of the `run`s.
#[derive(Debug)]
pub struct Bench<'a> {
    session: &'a mut Session,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(session: &'a mut Session) -> Self {
        Self { session }
    }

    /// Says how much is done in one iteration, so that a rate can be told: `bench.amount("bytes", 4096)`.
    #[must_use]
    pub fn amount(self, what: &str, how_much: u64) -> Self {
        self.session.say_amount(what, how_much as f64);
        self
    }

    /// Says that something else is measured beside the time, of which less is better: see [`WithInput::run_measured`]. An empty
    /// unit is a plain number.
    #[must_use]
    pub fn metric(self, name: &str, unit: &str) -> Self {
        self.session.say_metric(name, unit);
        self
    }

    /// Times a function without input.
    pub fn run<O>(self, mut function: impl FnMut() -> O) {
        self.with_input(|_| ()).run(|()| function());
    }

    /// Times a future, from the call of the function that makes it until it is done, on a runtime of tokio with one thread and timers.
    ///
    /// # Panics
    /// The system gives no runtime.
    #[cfg(feature = "tokio")]
    pub fn run_async<F: Future>(self, mut function: impl FnMut() -> F) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        match runtime {
            Ok(runtime) => self.run(|| runtime.block_on(function())),
            #[expect(
                clippy::panic,
                reason = "a benchmark says by panicking that it cannot run; the host tells it"
            )]
            Err(error) => panic!("no runtime: {error}"),
        }
    }

    /// Times a function that runs on so many threads at once, from the moment at which all may begin until the last is done. The
    /// host then keeps the benchmark on no single processor.
    pub fn run_on_threads<O>(self, threads: usize, function: impl Fn() -> O + Sync) {
        self.session.say_threads(threads);
        let function = &function;
        self.session.serve(&mut |gate, _, iterations| on_threads(gate, threads, iterations, function));
    }

    /// Makes an input for each iteration, from luck that all arms get alike and that is another in each round. A function
    /// that always gets the same input is learned by heart by the processor.
    pub fn with_input<I, M: FnMut(&mut Rng) -> I>(self, make: M) -> WithInput<'a, M> {
        WithInput { session: self.session, make }
    }
}

/// A benchmark whose input is known.
#[derive(Debug)]
pub struct WithInput<'a, M> {
    session: &'a mut Session,
    make: M,
}

impl<M> WithInput<'_, M> {
    /// Times a function of an input that it may change.
    pub fn run<I, O>(self, function: impl FnMut(&mut I) -> O)
    where
        M: FnMut(&mut Rng) -> I,
    {
        self.serve(function, |_, _| 0);
    }

    /// Times a function of an input, and compares what it returns with what the other arms return for the same input: a
    /// faster wrong answer is no win.
    pub fn run_checked<I, O: Hash>(self, function: impl FnMut(&mut I) -> O)
    where
        M: FnMut(&mut Rng) -> I,
    {
        self.serve(function, |output, _| hash_of(output));
    }

    /// Times a function of an input, and afterwards measures what it returned: one number for each [`Bench::metric`].
    pub fn run_measured<I, O, const N: usize>(
        self,
        function: impl FnMut(&mut I) -> O,
        measure: impl Fn(&O) -> [f64; N],
    ) where
        M: FnMut(&mut Rng) -> I,
    {
        self.serve(function, |output, values| {
            values.resize(N, 0.0);
            values.iter_mut().zip(measure(output)).for_each(|(sum, value)| *sum += value);
            0
        });
    }

    fn serve<I, O>(mut self, mut function: impl FnMut(&mut I) -> O, look: impl Fn(&O, &mut Vec<f64>) -> u64)
    where
        M: FnMut(&mut Rng) -> I,
    {
        let make = &mut self.make;
        self.session.serve(&mut |gate, payload, iterations| {
            turn(gate, payload, iterations, make, &mut function, &look)
        });
    }
}

/// How long an iteration takes in which nothing is done, in ticks of the clock: the least of a few turns, because whatever disturbs
/// adds to it.
pub(crate) fn empty_iteration(mut gate: Gate<'_>, ticks: impl Fn(&Span) -> Ticks) -> f64 {
    const TURNS: u32 = 20;
    const ITERATIONS: u64 = 1000;
    let mut one = || turn(&mut gate, 0, ITERATIONS, &mut |_| (), &mut |()| (), &|(), _| 0);
    let spans = (0..TURNS).filter_map(|_| one()).map(|span| ticks(&span));
    spans.min().map_or(0.0, |least| least as f64 / ITERATIONS as f64)
}

/// Never 0, which means that there is none.
fn hash_of(output: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    output.hash(&mut hasher);
    hasher.finish() | 1
}

/// One turn: inputs, the wait, the timed span, the next one's turn, and only then what is left to do. `None` if the turn did
/// not come.
fn turn<I, O>(
    gate: &mut Gate<'_>,
    payload: u64,
    iterations: u64,
    make: &mut impl FnMut(&mut Rng) -> I,
    function: &mut impl FnMut(&mut I) -> O,
    look: &impl Fn(&O, &mut Vec<f64>) -> u64,
) -> Option<Span> {
    let mut rng = Rng::new(payload);
    let mut inputs: Vec<I> = (0..iterations).map(|_| make(&mut rng)).collect();
    let mut outputs = Outputs::for_as_many(inputs.len());
    let clock: &Clock = gate.clock;
    if !gate.wait() {
        return None;
    }
    let (mut wait, allocated) = (gate.wait_for_others(), allocations::so_far());
    let before = clock.before();
    for (input, output) in inputs.iter_mut().zip(&mut outputs.0) {
        output.write(black_box(function(black_box(input))));
    }
    let after = clock.after();
    let allocated = allocations::so_far().since(allocated);
    wait.end(gate, [before, after]);
    gate.hand_on();
    let (mut verification, mut values) = (0_u64, Vec::new());
    for output in outputs.take(inputs.len()) {
        verification = verification.rotate_left(1) ^ look(&output, &mut values);
    }
    Some(Span { before, after, wait, allocated, verification, values })
}

/// One turn on several threads. All begin when the last of them is there. One that panics comes to the end like the others, or they
/// would wait for it in vain; then the panic goes on here.
fn on_threads<O>(
    gate: &mut Gate<'_>,
    threads: usize,
    iterations: u64,
    function: &(impl Fn() -> O + Sync),
) -> Option<Span> {
    // Made when it is known how many threads the system gives.
    let barriers = OnceLock::new();
    let clock: &Clock = gate.clock;
    if !gate.wait() {
        return None;
    }
    let (before, after) = thread::scope(|scope| {
        let work = || {
            let [begin, end]: &[Barrier; 2] = barriers.wait();
            begin.wait();
            let all = || (0..iterations).for_each(|_| drop(black_box(function())));
            let done = catch_unwind(AssertUnwindSafe(all));
            end.wait();
            done.unwrap_or_else(|panic| resume_unwind(panic));
        };
        let started = (0..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok());
        let started: Vec<_> = started.collect();
        let [begin, end] = barriers.get_or_init(|| [(); 2].map(|()| Barrier::new(started.len() + 1)));
        begin.wait();
        let before = clock.before();
        end.wait();
        let after = clock.after();
        join(started, threads);
        (before, after)
    });
    gate.hand_on();
    let allocated = allocations::Count::default();
    Some(Span { before, after, wait: Wait::unknown(), allocated, verification: 0, values: Vec::new() })
}

/// Takes over the panic of a thread, and refuses to go on with fewer threads than were asked for.
fn join(started: Vec<ScopedJoinHandle<'_, ()>>, wanted: usize) {
    let count = started.len();
    for thread in started {
        thread.join().unwrap_or_else(|panic| resume_unwind(panic));
    }
    assert!(count == wanted, "the system started {count} of {wanted} threads");
}

/// Room for what the iterations return, so that nothing is dropped while it is timed.
struct Outputs<O>(Vec<MaybeUninit<O>>);

impl<O> Outputs<O> {
    fn for_as_many(count: usize) -> Self {
        Self(std::iter::repeat_with(MaybeUninit::uninit).take(count).collect())
    }

    /// What was written: all of it, after a span that came to its end.
    #[expect(unsafe_code, reason = "room that was filled in a loop just before")]
    fn take(self, written: usize) -> impl Iterator<Item = O> {
        debug_assert!(!needs_drop::<O>() || written == self.0.len());
        // SAFETY: the loop of the timed span has written every place; if the function panics, nobody comes here.
        self.0.into_iter().map(|output| unsafe { output.assume_init() })
    }
}
