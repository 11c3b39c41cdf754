//! Is a host served as `docs/protocol.md` says? With a real worker process, `examples/victims.rs`, and a host that speaks the
//! protocol by hand.

use evenhand_protocol::frame::Frame;
use evenhand_protocol::message::{Answer, Benchmark, Handed, Prepared, Request, Results, Run, Sample, Turn};
use evenhand_protocol::page::{Futex, TurnPage};
use evenhand_protocol::turns::Waited;
use evenhand_protocol::{VARIABLE, VERSION};
use std::fs::File;
use std::io::{PipeReader, PipeWriter, pipe};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Cargo builds examples before it runs tests, beside them.
fn victims() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    here.parent().unwrap().parent().unwrap().join("examples/victims")
}

/// A worker and our ends of its pipes.
struct Worker {
    child: Child,
    requests: Option<PipeWriter>,
    answers: PipeReader,
}

impl Worker {
    fn start(page: Option<&TurnPage>) -> Self {
        Self::start_with(page.map(AsFd::as_fd))
    }

    fn start_with(page: Option<BorrowedFd<'_>>) -> Self {
        let (from_us, requests) = pipe().unwrap();
        let (answers, to_us) = pipe().unwrap();
        // A child gets what is not closed when it starts: copies that are not, until it has started.
        let inherited = |end: &dyn AsFd| -> OwnedFd { rustix::io::dup(end.as_fd()).unwrap() };
        let mut ends = vec![inherited(&from_us), inherited(&to_us)];
        ends.extend(page.map(|page| inherited(&page)));
        let numbers: Vec<String> = ends.iter().map(|end| end.as_raw_fd().to_string()).collect();
        let mut command = Command::new(victims());
        command.env(VARIABLE, numbers.join(",")).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        Self { child, requests: Some(requests), answers }
    }

    fn tell(&mut self, request: &Request) {
        request.frame().write(self.requests.as_mut().unwrap()).unwrap();
    }

    fn hear(&mut self) -> Option<Answer> {
        Frame::read(&mut self.answers).unwrap().map(|frame| Answer::of(&frame).unwrap())
    }

    fn ask(&mut self, request: &Request) -> Answer {
        self.tell(request);
        self.hear().unwrap_or_else(|| panic!("no answer to {request:?}"))
    }

    /// The answer to a request that a defect would leave without one: then the worker is ended, so that the test is, too.
    fn ask_within(&mut self, time: Duration, request: &Request) -> Answer {
        self.tell(request);
        let mut answers = self.answers.try_clone().unwrap();
        let (told, heard) = mpsc::channel();
        thread::spawn(move || told.send(Frame::read(&mut answers)));
        let frame = heard.recv_timeout(time).unwrap_or_else(|_| {
            self.child.kill().unwrap();
            panic!("no answer to {request:?} in {time:?}")
        });
        Answer::of(&frame.unwrap().unwrap()).unwrap()
    }

    fn benchmarks(&mut self) -> Vec<Benchmark> {
        match self.ask(&Request::List) {
            Answer::Benchmarks(benchmarks) => benchmarks,
            other => panic!("{other:?}"),
        }
    }

    fn place(&mut self, name: &str) -> u32 {
        let name = format!("victims::{name}");
        self.benchmarks().iter().position(|benchmark| benchmark.name == name).unwrap() as u32
    }

    fn prepare(&mut self, name: &str) -> Prepared {
        let benchmark = self.place(name);
        match self.ask(&Request::Prepare { benchmark }) {
            Answer::Prepared(prepared) => prepared,
            other => panic!("{other:?}"),
        }
    }

    fn run(&mut self, iterations: u64, payloads: &[u64]) -> Results {
        let turns = payloads.iter().map(|payload| Turn { payload: *payload, handed: None }).collect();
        match self.ask(&Request::Run(Run { iterations, slot: 0, waits: false, turns })) {
            Answer::Results(results) => results,
            other => panic!("{other:?}"),
        }
    }

    fn refusal(&mut self, request: &Request) -> String {
        match self.ask(request) {
            Answer::Failed { why } => why,
            other => panic!("{other:?}"),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.requests = None;
        self.child.wait().unwrap();
    }
}

#[test]
fn it_says_who_it_is_and_what_it_can_run() {
    let mut worker = Worker::start(None);
    let Answer::Hello(hello) = worker.ask(&Request::Hello { version: VERSION }) else { panic!("no hello") };
    assert_eq!((hello.version, hello.turns), (VERSION, false));
    assert!(hello.language.starts_with("Rust, evenhand "), "{hello:?}");
    assert!(hello.resolution > 0.0 && hello.cost > 0.0 && hello.cost < 100_000.0, "{hello:?}");
    let benchmarks = worker.benchmarks();
    let names: Vec<&str> = benchmarks.iter().map(|benchmark| benchmark.name.as_str()).collect();
    assert!(names.is_sorted() && names.contains(&"victims::nothing"), "{names:?}");
    let sum = benchmarks.iter().find(|benchmark| benchmark.name == "victims::sum_of_100").unwrap();
    assert_eq!((sum.group.as_str(), sum.baseline), ("sum", true));
    worker.tell(&Request::Bye);
    assert_eq!(worker.hear(), None);
}

#[test]
fn turns_give_samples_in_order() {
    let mut worker = Worker::start(None);
    let prepared = worker.prepare("sum_of_100");
    assert!(prepared.once > 0.0 && prepared.once.is_finite(), "{prepared:?}");
    let results = worker.run(3, &[1, 2, 3, 4]);
    assert_eq!((results.samples.len(), results.verification), (4, 0));
    assert!(results.samples.windows(2).all(|pair| pair[0].started < pair[1].started));
    assert!(results.samples.iter().all(|sample| sample.wall >= 0.0 && sample.wall.is_finite()));
    let long = worker.run(100_000, &[1]).samples[0].wall;
    let short = worker.run(1000, &[1]).samples[0].wall;
    assert!(long > short, "{long} ns for 100,000, {short} ns for 1,000");
    assert_eq!(worker.ask(&Request::Finish), Answer::Done);
    worker.prepare("nothing");
}

#[test]
fn the_same_payload_gives_the_same_input() {
    let (mut one, mut other) = (Worker::start(None), Worker::start(None));
    for worker in [&mut one, &mut other] {
        let prepared = worker.prepare("sorts");
        assert_eq!(prepared.amounts, [("items".to_owned(), 100.0)]);
    }
    let verification = one.run(2, &[7, 8]).verification;
    assert_ne!(verification, 0);
    assert_eq!(other.run(2, &[7, 8]).verification, verification);
    assert_ne!(other.run(2, &[7, 10]).verification, verification);
}

#[test]
fn two_take_turns_on_the_page() {
    let page = TurnPage::new().unwrap();
    let mut workers = [Worker::start(Some(&page)), Worker::start(Some(&page))];
    for worker in &mut workers {
        let Answer::Hello(hello) = worker.ask(&Request::Hello { version: VERSION }) else {
            panic!("no hello")
        };
        assert!(hello.turns);
        worker.prepare("sum_of_200");
    }
    // Rounds of two turns: 0 1, 1 0, 0 1. Slot 2 is ours.
    let order = [0_u8, 1, 1, 0, 0, 1];
    let next = |place: usize| order.get(place + 1).copied().unwrap_or(2);
    for (slot, worker) in (0..).zip(&mut workers) {
        let mine = (0..order.len()).filter(|place| order[*place] == slot);
        let turn = |place: usize| Turn {
            payload: place as u64 / 2,
            handed: Some(Handed { number: 1 + place as u32, next: next(place) }),
        };
        worker.tell(&Request::Run(Run {
            iterations: 10,
            slot,
            waits: true,
            turns: mine.map(turn).collect(),
        }));
    }
    page.hand(order[0], 1, &Futex);
    assert_eq!(page.wait(2, 1 + order.len() as u32, &Futex, || false), Waited::Come);
    for worker in &mut workers {
        let Some(Answer::Results(results)) = worker.hear() else { panic!("no results") };
        assert_eq!(results.samples.len(), 3);
        assert!(results.samples.iter().all(|sample| sample.waited >= 0.0), "{results:?}");
    }
}

/// Beside a program that wants the same processor: what is taken off a turn for waiting was waited in the turn, so what is left is
/// never less than the work takes, but for the few microseconds by which the system's account is off.
#[test]
fn only_waiting_within_the_turn_is_taken_off() {
    let allowed = rustix::thread::sched_getaffinity(None).unwrap();
    let mut only = rustix::thread::CpuSet::new();
    only.set((0..).find(|number| allowed.is_set(*number)).unwrap());
    rustix::thread::sched_setaffinity(None, &only).unwrap();
    let mut worker = Worker::start(None);
    let mut rival = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
    rustix::thread::sched_setaffinity(None, &allowed).unwrap();
    worker.prepare("sum_of_200");
    let turns = || (0..8000).map(|payload| Turn { payload, handed: None }).collect();
    let mut samples = Vec::new();
    for _ in 0..2 {
        let run = Run { iterations: 1000, slot: 0, waits: true, turns: turns() };
        let Answer::Results(results) = worker.ask(&Request::Run(run)) else { panic!("no results") };
        samples.extend(results.samples);
    }
    rival.kill().unwrap();
    rival.wait().unwrap();
    let mut walls: Vec<f64> = samples.iter().map(|sample| sample.wall).collect();
    walls.sort_by(f64::total_cmp);
    assert!(samples.iter().any(|sample| sample.waited > 1e6), "the rival had the processor now and then");
    let left = |sample: &Sample| sample.wall - sample.waited;
    assert!(samples.iter().all(|sample| left(sample) > 0.0), "no turn takes less than nothing");
    // The system's account is off by some microseconds now and then.
    let short = samples.iter().filter(|sample| left(sample) < 0.8 * walls[0]).count();
    assert!(
        short <= samples.len() / 1000,
        "{short} turns are left with less than {} ns, which they take at least",
        walls[0]
    );
}

/// A file that somebody could cut while the worker looks at it.
#[test]
fn a_page_that_is_not_sealed_is_not_used() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{}", std::process::id()));
    let file = File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
    file.set_len(1 << 16).unwrap();
    let mut worker = Worker::start_with(Some(file.as_fd()));
    let Answer::Hello(hello) = worker.ask(&Request::Hello { version: VERSION }) else { panic!("no hello") };
    assert!(!hello.turns);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn who_waits_for_a_turn_that_never_comes_is_freed_by_a_stop_or_by_our_end() {
    let page = TurnPage::new().unwrap();
    let waits = |worker: &mut Worker| {
        worker.prepare("nothing");
        let turns = vec![Turn { payload: 0, handed: Some(Handed { number: 9, next: 2 }) }];
        worker.tell(&Request::Run(Run { iterations: 1, slot: 0, waits: false, turns }));
    };
    let mut left_alone = Worker::start(Some(&page));
    waits(&mut left_alone);
    drop(left_alone);
    let mut stopped = Worker::start(Some(&page));
    waits(&mut stopped);
    page.stop(&Futex);
    assert_eq!(stopped.hear(), Some(Answer::Results(Results { verification: 0, samples: Vec::new() })));
}

#[test]
fn what_cannot_be_done_is_said_and_it_goes_on() {
    let mut worker = Worker::start(None);
    let run = Request::Run(Run { iterations: 1, slot: 0, waits: false, turns: Vec::new() });
    assert_eq!(worker.refusal(&run), "no benchmark is ready: prepare one first");
    assert_eq!(worker.refusal(&Request::Prepare { benchmark: 999 }), "no benchmark 999 here");
    let benchmark = worker.place("panics");
    assert_eq!(worker.refusal(&Request::Prepare { benchmark }), "panicked: not today");
    let benchmark = worker.place("runs_nothing");
    assert!(worker.refusal(&Request::Prepare { benchmark }).starts_with("it measured nothing"));
    worker.prepare("prints");
    assert_eq!(worker.run(2, &[1]).samples.len(), 1, "what it prints disturbs nobody");
    assert_eq!(worker.refusal(&Request::List), "a benchmark is ready: run it or finish it");
}

#[test]
fn a_function_that_exits_ends_the_answers() {
    let mut worker = Worker::start(None);
    worker.prepare("exits");
    let turns = (0..5000).map(|payload| Turn { payload, handed: None }).collect();
    worker.tell(&Request::Run(Run { iterations: 10, slot: 0, waits: false, turns }));
    assert_eq!(worker.hear(), None);
    assert_eq!(worker.child.wait().unwrap().code(), Some(9));
}

#[test]
fn bytes_that_are_no_request_end_it() {
    let mut worker = Worker::start(None);
    Frame { kind: 99, body: Vec::new() }.write(worker.requests.as_mut().unwrap()).unwrap();
    assert_eq!(worker.hear(), None);
}

#[test]
fn each_value_and_each_type_is_a_benchmark() {
    let mut worker = Worker::start(None);
    let benchmarks = worker.benchmarks();
    let named = |part: &str| -> Vec<&str> {
        let names = benchmarks.iter().map(|benchmark| benchmark.name.as_str());
        names
            .filter_map(|name| name.strip_prefix("victims::"))
            .filter(|name| name.starts_with(part))
            .collect()
    };
    assert_eq!(named("fills"), ["fills/16", "fills/4096"]);
    assert_eq!(named("counts"), ["counts/\"a, b\"", "counts/\"c\""]);
    assert_eq!(named("adds"), ["adds/u32/1", "adds/u32/2", "adds/u64/1", "adds/u64/2"]);
    let find = |name: &str| {
        benchmarks.iter().find(|benchmark| benchmark.name == format!("victims::{name}")).unwrap()
    };
    assert_eq!(find("fills/16").parameters, [("size".to_owned(), "16".to_owned())]);
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        find("adds/u64/2").parameters,
        [pair("type", "u64"), pair("count", "2"), pair("@iterations", "3")]
    );
    assert_eq!(find("counts/\"c\"").group, "words");
    assert_eq!(named("sums_to"), ["sums_to/10", "sums_to/6"], "of an expression");
    assert_eq!(named("makes"), ["makes/Vec<(u8, u16)>", "makes/u8"]);
    assert_eq!(named("repeats").len(), 8, "all axes multiply");
    let all = [pair("type", "u8"), pair("N", "4 * 4"), pair("value", "2")];
    assert_eq!(find("repeats/u8/4 * 4/2").parameters, all);
    let shared = ["shares/a/threads=1", "shares/a/threads=2", "shares/b/threads=1", "shares/b/threads=2"];
    assert_eq!(named("shares"), shared, "each number of threads once");
    assert_eq!(find(shared[1]).parameters, [pair("text", "a"), pair("threads", "2")]);
    let found =
        ["fills/4096", "counts/\"a, b\"", "adds/u64/2", "sums_to/6", "repeats/u8/2/1", "found_elsewhere"];
    for name in found.into_iter().chain(shared) {
        let threads = worker.prepare(name).threads;
        assert_eq!(threads, if name.ends_with("threads=2") { 2 } else { 1 }, "{name}");
        assert_eq!(worker.run(2, &[1, 2]).samples.len(), 2, "{name}");
        assert_eq!(worker.ask(&Request::Finish), Answer::Done);
    }
}

/// It says so itself if it gets an input twice, or if one is never dropped.
#[test]
fn an_input_is_handed_over_once_or_looked_at() {
    let mut worker = Worker::start(None);
    for name in ["drops_its_input", "takes_its_input", "looks_at_its_input"] {
        worker.prepare(name);
        for _ in 0..10 {
            assert_eq!(worker.run(3, &[1, 2]).samples.len(), 2, "{name}");
        }
        assert_eq!(worker.ask(&Request::Finish), Answer::Done);
    }
}

#[test]
fn allocations_are_counted_for_the_function_alone() {
    let mut worker = Worker::start(None);
    let prepared = worker.prepare("fills/4096");
    let names: Vec<&str> = prepared.metrics.iter().map(|metric| metric.name.as_str()).collect();
    assert_eq!(names, ["allocations", "allocated"]);
    let results = worker.run(10, &[1, 2]);
    assert!(results.samples.iter().all(|sample| sample.values == [10.0, 40_960.0]), "{results:?}");
    worker.ask(&Request::Finish);
    worker.prepare("sorts");
    let results = worker.run(3, &[1, 2]);
    assert!(
        results.samples.iter().all(|sample| sample.values == [0.0, 0.0]),
        "its inputs are made before: {results:?}"
    );
}

#[test]
fn what_a_benchmark_measures_itself_is_summed_over_the_iterations() {
    let mut worker = Worker::start(None);
    let prepared = worker.prepare("shrinks");
    assert_eq!(prepared.metrics[2].name, "kept");
    let of =
        |worker: &mut Worker, iterations, payload| worker.run(iterations, &[payload]).samples[0].values[2];
    let (once, again, thrice) = (of(&mut worker, 1, 7), of(&mut worker, 1, 7), of(&mut worker, 3, 7));
    assert!(once == again && (0.0..100.0).contains(&once) && thrice >= once, "{once} {again} {thrice}");
}

#[test]
fn threads_run_at_once_and_are_told() {
    let mut worker = Worker::start(None);
    let prepared = worker.prepare("on_threads");
    assert_eq!(prepared.threads, 2);
    let results = worker.run(100, &[1, 2, 3]);
    assert!(
        results.samples.len() == 3 && results.samples.iter().all(|sample| sample.wall > 0.0),
        "{results:?}"
    );
    worker.ask(&Request::Finish);
    assert_eq!(worker.prepare("nothing").threads, 1, "the next benchmark has one");
}

#[test]
fn a_panic_on_one_of_several_threads_is_told_at_once() {
    let mut worker = Worker::start(None);
    let benchmark = worker.place("one_thread_fails");
    let answer = worker.ask_within(Duration::from_secs(5), &Request::Prepare { benchmark });
    assert_eq!(answer, Answer::Failed { why: "panicked: not on this thread".to_owned() });
    worker.prepare("on_threads");
}
