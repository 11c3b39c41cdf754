//! What does a benchmark say? Which input it needs and what is timed. It is called when the host wants it, and serves the
//! host's turns until the host is done with it, so that it may borrow whatever it has set up.
//!
//! Outside the timed span: making inputs, dropping inputs and outputs.
//!
//! Tests: `tests/worker.rs`.

use crate::allocations;
use crate::clock::{Clock, Ticks};
use crate::random::Rng;
use crate::session::{Gate, Session, Span, Wait};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;
use std::mem::{ManuallyDrop, MaybeUninit, needs_drop};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Barrier, OnceLock};
use std::thread::{self, ScopedJoinHandle};

/// A benchmark that is asked to run: says what it does, then ends with one of the `run`s.
///
/// ```no_run
/// #[evenhand::bench]
/// fn copies(bench: evenhand::Bench<'_>) {
///     let text = "x".repeat(4096); // once in each process
///     bench.bytes(4096).run(|| text.clone());
/// }
/// # evenhand::main!();
/// ```
#[derive(Debug)]
pub struct Bench<'a> {
    session: &'a mut Session,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(session: &'a mut Session) -> Self {
        Self { session }
    }

    /// How many bytes one iteration goes through: adds the rate `bytes a second`.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn sums_up(bench: evenhand::Bench<'_>) {
    ///     let data = vec![1_u8; 1 << 16];
    ///     bench.bytes(data.len() as u64).run(|| data.iter().map(|byte| u64::from(*byte)).sum::<u64>());
    /// }
    /// # evenhand::main!();
    /// ```
    #[must_use]
    pub fn bytes(self, how_many: u64) -> Self {
        self.amount("bytes", how_many)
    }

    /// How many items one iteration goes through: adds the rate `items a second`.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn fills(bench: evenhand::Bench<'_>) {
    ///     bench.items(1000).run(|| (0..1000).collect::<Vec<u32>>());
    /// }
    /// # evenhand::main!();
    /// ```
    #[must_use]
    pub fn items(self, how_many: u64) -> Self {
        self.amount("items", how_many)
    }

    /// How much of anything else one iteration does: adds the rate `pixels a second`.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn blanks(bench: evenhand::Bench<'_>) {
    ///     bench.amount("pixels", 640 * 480).run(|| vec![0_u32; 640 * 480]);
    /// }
    /// # evenhand::main!();
    /// ```
    #[must_use]
    pub fn amount(self, what: &str, how_much: u64) -> Self {
        self.session.say_amount(what, how_much as f64);
        self
    }

    /// Something else that is measured beside the time, and of which less is better: see [`WithInput::run_measured`]. An empty
    /// unit stands for a plain number.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn packs(bench: evenhand::Bench<'_>) {
    ///     bench.metric("packed", "B").with_input(|rng| rng.below(100)).run_measured(
    ///         |size| vec![0_u8; *size as usize],
    ///         |packed| [packed.len() as f64],
    ///     );
    /// }
    /// # evenhand::main!();
    /// ```
    #[must_use]
    pub fn metric(self, name: &str, unit: &str) -> Self {
        self.session.say_metric(name, unit);
        self
    }

    /// Times a function without input.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn looks_up(bench: evenhand::Bench<'_>) {
    ///     let ages = std::collections::HashMap::from([("Ada", 36), ("Alan", 41)]);
    ///     bench.run(|| ages.get(evenhand::black_box("Ada")));
    /// }
    /// # evenhand::main!();
    /// ```
    pub fn run<O>(self, mut function: impl FnMut() -> O) {
        self.with_input(|_| ()).run(|()| function());
    }

    /// Times a future, from the call of the function that makes it until it is done, on a runtime of tokio with one thread and timers.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn yields(bench: evenhand::Bench<'_>) {
    ///     bench.run_async(|| async { tokio::task::yield_now().await });
    /// }
    /// # evenhand::main!();
    /// ```
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

    /// Times a function that runs on N threads at once, from the moment at which all may begin until the last is done. Such a benchmark
    /// is not kept on a single processor. `#[evenhand::bench(threads = [1, 4])]` does the same for several numbers of threads.
    ///
    /// ```no_run
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// #[evenhand::bench]
    /// fn counts_together(bench: evenhand::Bench<'_>) {
    ///     let count = AtomicU64::new(0);
    ///     bench.run_on_threads(4, || count.fetch_add(1, Ordering::Relaxed));
    /// }
    /// # evenhand::main!();
    /// ```
    pub fn run_on_threads<O>(self, threads: usize, function: impl Fn() -> O + Sync) {
        self.session.say_threads(threads);
        let function = &function;
        self.session.serve(&mut |gate, _, iterations| on_threads(gate, threads, iterations, function));
    }

    /// Makes an input for each iteration, from random numbers that are the same for both sides of a comparison and others in each
    /// round. A processor learns an input by heart that is always the same.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn sorts(bench: evenhand::Bench<'_>) {
    ///     bench
    ///         .with_input(|rng| (0..1000).map(|_| rng.next_u64()).collect::<Vec<_>>())
    ///         .run(|numbers| numbers.sort_unstable());
    /// }
    /// # evenhand::main!();
    /// ```
    pub fn with_input<I, M: FnMut(&mut Rng) -> I>(self, make: M) -> WithInput<'a, M> {
        WithInput { session: self.session, make }
    }
}

/// A benchmark whose inputs are known: see [`Bench::with_input`]. Making and dropping inputs is not timed, nor is dropping what is returned.
#[derive(Debug)]
pub struct WithInput<'a, M> {
    session: &'a mut Session,
    make: M,
}

impl<M> WithInput<'_, M> {
    /// Times a function that may change its input.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn shuffles(bench: evenhand::Bench<'_>) {
    ///     bench.with_input(|_| [1, 2, 3, 4]).run(|numbers| numbers.reverse());
    /// }
    /// # evenhand::main!();
    /// ```
    pub fn run<I, O>(self, function: impl FnMut(&mut I) -> O)
    where
        M: FnMut(&mut Rng) -> I,
    {
        self.serve(function, |_, _| 0);
    }

    /// Times a function that takes its input as its own.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn converts(bench: evenhand::Bench<'_>) {
    ///     bench.with_input(|rng| vec![rng.next_u64() as u8 & 0x7f; 100]).run_owned(String::from_utf8);
    /// }
    /// # evenhand::main!();
    /// ```
    pub fn run_owned<I, O>(self, mut function: impl FnMut(I) -> O)
    where
        M: FnMut(&mut Rng) -> I,
    {
        let Self { session, mut make } = self;
        let make = move |rng: &mut Rng| ManuallyDrop::new(make(rng));
        #[expect(unsafe_code, reason = "an input that is in use cannot be moved out of where it lies")]
        // SAFETY: a turn hands each input to the function once, and never looks at it again.
        let owned = move |input: &mut ManuallyDrop<I>| function(unsafe { ManuallyDrop::take(input) });
        WithInput { session, make }.run(owned);
    }

    /// Times a function that looks at its input.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn counts(bench: evenhand::Bench<'_>) {
    ///     bench.with_input(|rng| rng.next_u64()).run_ref(|number| number.count_ones());
    /// }
    /// # evenhand::main!();
    /// ```
    pub fn run_ref<I, O>(self, mut function: impl FnMut(&I) -> O)
    where
        M: FnMut(&mut Rng) -> I,
    {
        self.run(|input| function(input));
    }

    /// Times a function, and compares what it returns with what the other side returns for the same input: a faster wrong answer is
    /// no win.
    ///
    /// ```no_run
    /// #[evenhand::bench]
    /// fn finds(bench: evenhand::Bench<'_>) {
    ///     bench
    ///         .with_input(|rng| (0..100).map(|_| rng.below(100)).collect::<Vec<_>>())
    ///         .run_checked(|numbers| numbers.iter().position(|number| *number == 7));
    /// }
    /// # evenhand::main!();
    /// ```
    pub fn run_checked<I, O: Hash>(self, function: impl FnMut(&mut I) -> O)
    where
        M: FnMut(&mut Rng) -> I,
    {
        self.serve(function, |output, _| hash_of(output));
    }

    /// Times a function, and afterwards measures what it returned: one number for each [`Bench::metric`], as there.
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
