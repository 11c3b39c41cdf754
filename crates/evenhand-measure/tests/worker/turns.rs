//! Do all get their turns, and are the results theirs?

use crate::victims::ON_THREADS;
use crate::{A, B, crew, due, launch, measured, member, member_of, nobody, rounds};
use evenhand_measure::command::Pin;
use evenhand_measure::finish::NoSample;
use evenhand_measure::launches::Launcher;
use evenhand_measure::platform::addresses;
use evenhand_measure::worker::{Crew, Iterations, Manner, Member, WorkerCommand};
use evenhand_protocol::message::Prepared;
use evenhand_trial::{ArmId, LaunchId, Note, Reason, Round, Seed};
use std::io::Write;
use std::time::Duration;

/// The places of the metrics of the clock.
const TIME: usize = 0;
const WALL: usize = 1;

#[test]
fn two_workers_take_turns_and_the_slower_one_is_slower() {
    let mut crew = crew(vec![member("spins"), member("spins_twice")]);
    assert_eq!(
        crew.metrics().iter().map(|metric| metric.name.as_str()).collect::<Vec<_>>(),
        ["time", "wall"]
    );
    let found = measured(&mut crew, 40).unwrap();
    assert_eq!(found.len(), 40);
    let (mut slower, mut started) = (0, Vec::new());
    for (due, round) in due(0, 40).iter().zip(&found) {
        let arms: Vec<ArmId> = round.samples().map(|(arm, _)| arm).collect();
        assert_eq!((round.number(), arms), (due.number, due.order.clone()), "in the order of the coin");
        assert!((0..).zip(round.samples()).all(|(place, (_, sample))| sample.position == Some(place)));
        let (a, b) = (round.values(A).unwrap(), round.values(B).unwrap());
        assert!(a[WALL] > 0.0 && (a[TIME].is_nan() || a[TIME] <= a[WALL]));
        slower += u32::from(b[WALL] > a[WALL]);
        started.extend(round.samples().filter(|(arm, _)| *arm == A).map(|(_, sample)| sample.started));
    }
    assert!(slower > 35, "{slower} of 40");
    assert!(started.is_sorted() && started[0].is_some(), "{started:?}");
}

#[test]
fn many_portions_follow_each_other_in_one_launch() {
    let mut crew = crew(vec![member("spins"), member("spins")]);
    crew.begin(&[A, B]).unwrap();
    let launched = crew.launch(&[A, B], LaunchId(0), Seed(1)).unwrap();
    for portion in 0..5 {
        assert_eq!(rounds(&mut crew, 10 * portion, 10).unwrap().len(), 10);
    }
    crew.land();
    crew.end();
    assert!(crew.faults().is_empty());
    assert_eq!(crew.notes(), [Note::EachLaunchOnOne { cpus: vec![launched.cpu.unwrap()] }]);
}

/// Where both arms lie in memory, and their seeds, in two launches.
fn laid_out(shared_layout: bool) -> [[Vec<f64>; 2]; 2] {
    let manner = Manner { shared_layout, ..Manner::default() };
    let arm = || member("tells_where_it_lies");
    let mut crew = Crew::new(vec![arm(), arm()], manner, nobody());
    crew.begin(&[A, B]).unwrap();
    [5, 6].map(|luck| {
        crew.launch(&[B, A], LaunchId(0), Seed(luck)).unwrap();
        let round = rounds(&mut crew, 0, 1).unwrap().remove(0);
        crew.land();
        [A, B].map(|arm| round.values(arm).unwrap()[WALL + 1..].to_vec())
    })
}

#[test]
fn a_shared_layout_is_the_same_for_both_and_another_in_the_next_launch() {
    if let Err(why) = addresses::can_be_chosen() {
        let test = "turns::a_shared_layout_is_the_same_for_both_and_another_in_the_next_launch";
        // Past the capture of the tests, so that it is seen.
        return std::io::stderr().write_all(format!("skipped: {test}: {why}\n").as_bytes()).unwrap();
    }
    let [[a, b], [later_a, later_b]] = laid_out(true);
    assert_eq!((&a, &later_a), (&b, &later_b));
    assert!(
        a.iter().zip(&later_a).all(|(now, later)| now != later),
        "place, seed, hashes: {a:?}, {later_a:?}"
    );
    let [[a, b], _] = laid_out(false);
    assert_ne!(a[0], b[0], "each has its own");
    assert_eq!(a[1..], [0.0, 0.0]);
}

fn wall(round: &Round, arm: ArmId) -> f64 {
    round.values(arm).unwrap()[WALL]
}

/// Their processors may differ in speed, but not as much as their work.
#[test]
fn in_lockstep_both_run_at_the_same_time() {
    let manner = Manner { lockstep: true, ..Manner::default() };
    let mut crew = Crew::new(vec![member("spins"), member("works_long")], manner, nobody());
    if std::thread::available_parallelism().unwrap().get() < 2 {
        assert!(crew.begin(&[A, B]).is_err());
        return;
    }
    crew.begin(&[A, B]).unwrap();
    crew.launch(&[A, B], LaunchId(0), Seed(1)).unwrap();
    let mut slower = 0;
    for portion in 0..4 {
        let found = rounds(&mut crew, 10 * portion, 10).unwrap();
        slower += found.iter().filter(|round| wall(round, B) > wall(round, A)).count();
    }
    crew.land();
    crew.end();
    assert!(slower > 30, "{slower} of 40");
    assert!(
        crew.notes().iter().any(|note| note.to_string().contains("at the same time")),
        "{:?}",
        crew.notes()
    );
}

#[test]
fn a_short_function_runs_in_batches_of_one_size_for_all() {
    let mut crew = crew(vec![member("answers_by_the_input"), member("spins")]);
    let found = measured(&mut crew, 3).unwrap();
    let iterations: Vec<u64> =
        found.iter().flat_map(Round::samples).map(|(_, sample)| sample.iterations).collect();
    assert!(iterations[0] >= 10 && iterations.iter().all(|some| *some == iterations[0]), "{iterations:?}");
    let rate = crew.metrics().iter().position(|metric| metric.name == "items a second").unwrap();
    let (a, b) = (found[0].values(A).unwrap(), found[0].values(B).unwrap());
    let expected = 4.0 * iterations[0] as f64 / (a[WALL] * 1e-9);
    assert!((a[rate] / expected - 1.0).abs() < 1e-9, "{a:?}");
    assert!(b[rate].is_nan(), "it said no amount");
}

/// The iterations of each sample of a measurement.
fn iterations_of(members: Vec<Member>) -> Vec<u64> {
    let found = measured(&mut crew(members), 3).unwrap();
    found.iter().flat_map(Round::samples).map(|(_, sample)| sample.iterations).collect()
}

#[test]
fn a_function_runs_as_often_as_its_author_or_the_user_wants() {
    let author = member("three_at_once");
    assert_eq!(author.iterations, Some(Iterations::Exactly(3)));
    assert_eq!(iterations_of(vec![author.clone(), member("nothing")]), [3; 6], "for all arms of the group");
    let asked =
        |iterations| Member { iterations: Some(Iterations::Exactly(iterations)), ..member("nothing") };
    assert_eq!(iterations_of(vec![asked(1), asked(1)]), [1; 6], "a single call, as short as it is");
    assert_eq!(iterations_of(vec![asked(5), author]), [5; 6], "the most that is asked for");
}

#[test]
fn a_time_to_be_filled_is_filled_by_what_an_iteration_takes() {
    let member = member("for_two_milliseconds");
    assert_eq!(member.iterations, Some(Iterations::For(Duration::from_millis(2))));
    let expected = (2e6 / member.prepared.once).round() as u64;
    assert!(expected > 1, "{:?}", member.prepared);
    assert_eq!(iterations_of(vec![member.clone(), member]), [expected; 6]);
}

/// A turn of a few microseconds is too short to ask what it waited for; one that works on threads of its own may have waited for
/// these.
#[test]
fn the_time_without_waiting_is_known_of_long_turns_on_one_thread_only() {
    let is_known = |benchmark| {
        let found = measured(&mut crew(vec![member(benchmark), member(benchmark)]), 5).unwrap();
        found.iter().flat_map(Round::samples).all(|(_, sample)| !sample.values[TIME].is_nan())
    };
    // The worker of these tests has a second thread, which may still be starting.
    assert!((0..20).any(|_| is_known("works_long")));
    assert!(!is_known("nothing") && !is_known("helps_itself"));
}

/// Otherwise only the turns without such work would be left.
#[test]
fn the_time_without_waiting_is_unknown_from_the_first_turn_on_own_threads() {
    let by_hand = member_of(launch("by hand", Some("work on threads once")), "it");
    let long = || Member { prepared: Prepared { once: 1e5, ..by_hand.prepared.clone() }, ..by_hand.clone() };
    let mut crew = crew(vec![long(), long()]);
    crew.begin(&[A, B]).unwrap();
    crew.launch(&[A, B], LaunchId(0), Seed(1)).unwrap();
    let known: Vec<bool> = (0..5)
        .flat_map(|number| rounds(&mut crew, number, 1).unwrap())
        .map(|round| !round.values(A).unwrap()[TIME].is_nan())
        .collect();
    crew.land();
    crew.end();
    assert_eq!(due(2, 1)[0].payload, Seed(ON_THREADS));
    assert_eq!(known, [true, true, false, false, false]);
}

#[test]
fn an_empty_function_takes_no_time() {
    let mut crew = crew(vec![member("nothing"), member("nothing")]);
    let found = measured(&mut crew, 21).unwrap();
    let samples = || found.iter().flat_map(Round::samples).map(|(_, sample)| sample);
    let (hello, iterations) = (member("nothing").hello, samples().next().unwrap().iterations as f64);
    let mut times: Vec<f64> = samples().map(|sample| sample.values[WALL]).collect();
    times.sort_by(f64::total_cmp);
    // Of the loop around it nothing may be left but what it takes more in one turn than in another.
    let loops = hello.iteration * iterations;
    assert!(
        iterations > 100.0 && times[21] <= 2.0 * hello.resolution + 0.5 * loops,
        "{iterations} in {times:?} ns, loops {loops}"
    );
}

#[test]
fn other_results_for_the_same_input_are_no_win() {
    let same = vec![member("answers_by_the_input"), member("answers_by_the_input")];
    assert_eq!(measured(&mut crew(same), 5).unwrap().len(), 5);
    let other = || vec![member("answers_by_the_input"), member("answers_wrongly")];
    let stopped = measured(&mut crew(other()), 5).unwrap_err();
    assert!(
        matches!(stopped, NoSample::Failed { arm: B, reason: Reason::WrongResult { .. }, .. }),
        "{stopped:?}"
    );
    let manner = Manner { pin: Pin::None, same_results: false, ..Manner::default() };
    let mut lenient = Crew::new(other(), manner, nobody());
    assert_eq!(measured(&mut lenient, 5).unwrap().len(), 5);
}

#[test]
fn a_worker_without_a_page_is_asked_for_each_turn() {
    let by_hand = || member_of(launch("by hand", Some("behave")), "it");
    let mut crew = crew(vec![by_hand(), by_hand()]);
    let found = measured(&mut crew, 4).unwrap();
    // Within a step of its clock, which is a nanosecond.
    assert!(
        found.iter().flat_map(Round::samples).all(|(_, sample)| (sample.values[WALL] - 5000.0).abs() <= 0.5),
        "{found:?}"
    );
    assert!(
        crew.notes().iter().any(|note| note.to_string().contains("each turn was requested")),
        "{:?}",
        crew.notes()
    );
    let losing = || member_of(launch("by hand", Some("lose samples")), "it");
    let stopped = measured(&mut self::crew(vec![losing(), losing()]), 4).unwrap_err();
    assert!(matches!(stopped, NoSample::Failed { .. }), "{stopped:?}");
}

#[test]
fn each_launch_has_the_next_layout() {
    let layouts = vec!["one".into(), "other".into()];
    let launch =
        WorkerCommand { words: vec!["usual".into(), "word".into()], layouts, ..WorkerCommand::default() };
    let chosen = |number, beside: &WorkerCommand| {
        let mut launch = launch.clone();
        launch.choose_layout(WorkerCommand::layout_in_turn(LaunchId(number), [&launch, beside].into_iter()));
        launch.words[0].to_str().unwrap().to_owned()
    };
    let programs: Vec<String> = (0..7).map(|number| chosen(number, &launch)).collect();
    assert_eq!(programs, ["usual", "one", "other", "usual", "one", "other", "usual"]);
    let lacks_one = WorkerCommand { layouts: vec!["one".into()], ..launch.clone() };
    let programs: Vec<String> = (0..4).map(|number| chosen(number, &lacks_one)).collect();
    assert_eq!(programs, ["usual", "one", "usual", "one"], "both sides have the same layout");
}
