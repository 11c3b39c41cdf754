//! Services that we start: when they are ready, what they get and use, how they end, and those that never come to answer.

use evenhand_load::{Operation, Protocol, Service};
use evenhand_measure::command::Interrupt;
use evenhand_measure::executor::{DueTurn, Endless, Executor};
use evenhand_measure::finish::NoSample;
use evenhand_measure::platform::family;
use evenhand_measure::service::starting::first_answer;
use evenhand_measure::service::{Recipe, ServiceError, Shape, Slices, Started, Starts, Target, Traffic};
use evenhand_trial::{ArmId, LaunchId, Note, Round, RoundId, Seed};
use evenhand_victims::victim;
use std::ffi::OsString;
use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

fn asked(path: &str) -> Service {
    let operations = vec![Operation::http("GET", "localhost", path)];
    let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
    Service { operations, connections: 4, ..Service::new(nowhere, Protocol::Http) }
}

fn recipe(words: &[&str]) -> Recipe {
    Recipe {
        words: words.iter().map(OsString::from).collect(),
        patience: Duration::from_secs(60),
        ..Recipe::default()
    }
}

/// A server that takes no time for an answer.
fn server() -> Recipe {
    recipe(&[victim().to_str().unwrap(), "serve", "0", "{port}"])
}

/// What a shell runs.
fn shell(script: &str) -> Recipe {
    recipe(&["sh", "-c", script])
}

fn started(recipe: &Recipe) -> Result<Started, ServiceError> {
    Started::of(recipe, &asked("/"), &Interrupt::by_hand().unwrap())
}

fn why(recipe: &Recipe) -> ServiceError {
    started(recipe).map(|_| ()).unwrap_err()
}

#[test]
fn a_service_answers_once_it_is_started_and_is_gone_when_it_is_dropped() {
    let running = started(&server()).unwrap();
    let service = running.service().clone();
    assert_ne!(service.address.port(), 0);
    assert_eq!(first_answer(&service, &Interrupt::by_hand().unwrap()).unwrap(), None);
    drop(running);
    assert!(TcpStream::connect(service.address).is_err());
}

#[test]
fn each_start_gets_a_port_and_an_empty_folder_of_its_own() {
    let told = tempfile::tempdir().unwrap();
    let note = told.path().join("starts");
    let script = format!(
        "echo $1 $2 $(ls -A $2 | wc -l) >> {}; touch $2/used; exec {} serve 0 $1",
        note.display(),
        victim().display()
    );
    let recipe = recipe(&["sh", "-c", &script, "sh", "{port}", "{dir}"]);
    let both = [started(&recipe).unwrap(), started(&recipe).unwrap()];
    let starts = fs::read_to_string(&note).unwrap();
    let starts: Vec<Vec<&str>> = starts.lines().map(|line| line.split(' ').collect()).collect();
    assert!(starts[0][0] != starts[1][0] && starts[0][1] != starts[1][1], "{starts:?}");
    assert!(starts.iter().all(|start| start[2] == "0" && Path::new(start[1]).join("used").exists()));
    drop(both);
    assert!(starts.iter().all(|start| !Path::new(start[1]).exists()), "{starts:?}");
}

#[test]
fn what_runs_before_a_start_has_its_folder_and_a_failure_of_it_is_said() {
    let with = |prepare: &str| Recipe { prepare: shell(prepare).words, ..server() };
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    drop(started(&with(&format!("echo {{dir}} {{port}} > {}", seen.display()))).unwrap());
    let seen = fs::read_to_string(seen).unwrap();
    assert!(seen.contains("/dir ") && !seen.contains('{'), "{seen}");
    let ServiceError { why, last_words } = why(&with("echo no disk; exit 5"));
    assert_eq!(why, "is not started, because --prepare ended with code 5");
    assert_eq!(last_words.as_deref(), Some("no disk"));
}

#[test]
fn a_service_that_does_not_come_to_answer_is_said_with_its_last_words() {
    let ended = why(&shell("echo port taken >&2; exit 3"));
    assert_eq!(ended.why, "ended with code 3 before it answered");
    assert_eq!(ended.to_string(), format!("{}; its output ends with:\nport taken", ended.why));
    assert_eq!(why(&shell("kill -KILL $$")).why, "ended by signal 9 before it answered");
    let background = why(&shell("sleep 600 & exit 0")).why;
    assert_eq!(background, "ended with code 0 before it answered; it has to stay in the foreground");
    let missing = why(&recipe(&["/no/such/program"]));
    assert!(missing.why.starts_with("cannot be started: No such file"), "{missing}");
    let silent = why(&Recipe { patience: Duration::from_millis(100), ..shell("exec sleep 600") });
    assert_eq!(silent.why, "is not ready 0.1 s after its start: connection refused");
    let here = Recipe { patience: Duration::from_millis(500), ..server() };
    let wrong = Started::of(&here, &asked("/no"), &Interrupt::by_hand().unwrap()).unwrap_err();
    assert_eq!(wrong.why, "is not ready 0.5 s after its start: error answer");
}

#[test]
fn a_group_is_ended_whole() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("left");
    let script = format!(
        "trap '' TERM; sleep 600 & echo $! > {}; {} serve 0 {{port}}; wait",
        note.display(),
        victim().display()
    );
    drop(started(&shell(&script)).unwrap());
    let left = PathBuf::from("/proc").join(fs::read_to_string(note).unwrap().trim());
    let state = fs::read_to_string(left.join("stat")).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "{state}");
}

/// Slices of 200 ms with 40 requests.
const TRAFFIC: Traffic = Traffic::Rate(200.0);

fn slices(recipe: Recipe, starts: Starts) -> Slices {
    let shape = Shape::of(TRAFFIC, Some(Duration::from_millis(200))).unwrap();
    let target = Target { name: "new".to_owned(), service: asked("/"), recipe: Some(recipe) };
    Slices::new(vec![target], starts, TRAFFIC, shape, Interrupt::by_hand().unwrap())
}

fn turn(slices: &mut Slices, round: &mut Round) -> Result<(), NoSample> {
    let turn =
        DueTurn { arm: ArmId(0), launch: LaunchId(0), round: RoundId(0), position: 0, payload: Seed(1) };
    slices.turn(&turn, round, &mut Endless)
}

/// How often something was started in two slices.
fn starts_of(starts: Starts) -> (usize, Vec<Note>) {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("starts");
    let script = format!("echo >> {}; exec {} serve 0 {{port}}", note.display(), victim().display());
    // It is not ready at once.
    let mut slices = slices(shell(&format!("sleep 0.3; {script}")), starts);
    slices.begin(&[ArmId(0)], &mut Endless).unwrap();
    let mut round = Round::default();
    for _ in 0..2 {
        round.begin(LaunchId(0), RoundId(0));
        turn(&mut slices, &mut round).unwrap();
    }
    slices.end(&[ArmId(0)], &mut Endless).unwrap();
    let mut notes = slices.notes();
    // Beside other work the load may be late.
    notes.retain(|note| !matches!(note, Note::GeneratorLate { .. } | Note::GeneratorBusy { .. }));
    (fs::read_to_string(note).unwrap().lines().count(), notes)
}

#[test]
fn a_service_is_started_for_each_slice_or_once() {
    assert_eq!(starts_of(Starts::EverySlice), (2, Vec::new()));
    assert_eq!(starts_of(Starts::Once), (1, vec![Note::ServicesStartedOnce]));
}

#[test]
fn a_slice_tells_what_a_request_costs_and_the_memory_of_the_service() {
    // It works for a while before it is ready, which is not the cost of a request.
    let works = "i=0; while [ $i -lt 1500000 ]; do i=$((i+1)); done";
    let script = format!("{works}; exec {} serve 0 {{port}}", victim().display());
    let mut slices = slices(shell(&script), Starts::EverySlice);
    let mut round = Round::default();
    round.begin(LaunchId(0), RoundId(0));
    turn(&mut slices, &mut round).unwrap();
    let place = |name| slices.metrics().iter().position(|metric| metric.name == name).unwrap();
    let values = round.values(ArmId(0)).unwrap();
    let (cost, memory) = (values[place("cpu_per_request")], values[place("memory")]);
    // Of the time before, each of some 80 requests would have several milliseconds.
    assert!(cost > 1e3 && cost < 2e6, "{cost}");
    assert!(memory > 50e3 && memory < 1e9, "{memory}");
}

#[test]
fn a_service_that_works_while_another_is_loaded_is_noted() {
    let busy = format!("while :; do :; done & exec {} serve 0 {{port}}", victim().display());
    let calm = format!("exec {} serve 0 {{port}}", victim().display());
    let target = |name: &str, script: &str| {
        let (name, service) = (name.to_owned(), asked("/"));
        Target { name, service, recipe: Some(shell(script)) }
    };
    let shape = Shape::of(TRAFFIC, Some(Duration::from_millis(200))).unwrap();
    let targets = vec![target("calm", &calm), target("busy", &busy)];
    let mut slices = Slices::new(targets, Starts::Once, TRAFFIC, shape, Interrupt::by_hand().unwrap());
    slices.begin(&[ArmId(0), ArmId(1)], &mut Endless).unwrap();
    turn(&mut slices, &mut Round::default()).unwrap();
    let noted = |note: &Note| match note {
        Note::BusyWhileIdle { arm, percent } => Some((arm.clone(), *percent)),
        _ => None,
    };
    let noted: Vec<(String, f64)> = slices.notes().iter().filter_map(noted).collect();
    assert!(matches!(&noted[..], [(arm, 3.0..)] if arm == "busy"), "{noted:?}");
}

#[test]
fn a_service_that_ends_while_it_is_loaded_is_said_to() {
    let few = recipe(&[victim().to_str().unwrap(), "serve", "0", "{port}", "10"]);
    let mut slices = slices(few, Starts::EverySlice);
    let Err(NoSample::Failed { reason, .. }) = turn(&mut slices, &mut Round::default()) else {
        panic!("it has a sample")
    };
    let reason = reason.to_string();
    assert!(reason.starts_with("ended with code 7 while it was loaded; its output ends with:\n"), "{reason}");
    assert!(reason.ends_with("\nenough"), "{reason}");
}

#[test]
fn a_family_uses_what_its_members_use() {
    // A subshell works and ends.
    let script = "(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); exec sleep 600";
    let mut child = Command::new("sh").args(["-c", script]).spawn().unwrap();
    let founder = i32::try_from(child.id()).unwrap();
    // The child's child has ended when its time, counted in hundredths of a second, is here.
    while family::processor(founder).unwrap() < 20_000_000 {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(family::memory(founder).unwrap() > 10_000);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!((family::processor(founder), family::memory(founder)), (None, None));
}
