//! A command is the same whether the starter or this program itself starts it: only what the kernel says of its memory
//! differs.

use crate::one_turn::{one_turn, turn};

use evenhand_measure::command::metrics::Layout;
use evenhand_measure::command::{Commands, Interrupt, Output, Pin, Program, Setting};
use evenhand_measure::executor::{Endless, Executor};
use evenhand_measure::platform::Monotonic;
use evenhand_measure::platform::process::{
    Limits, Listener, ProcessEnd, ProcessRun, Spawnable, Start, Starter, Stream, Streams, poise,
};
use evenhand_trial::{ArmId, Note};
use evenhand_victims::victim;
use std::ffi::CString;
use std::fs::{self, File};
use std::hint::black_box;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Heard(Vec<u8>);

impl Listener for Heard {
    fn hear(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

fn words(script: &str) -> Vec<std::ffi::OsString> {
    ["sh", "-c", script].map(Into::into).to_vec()
}

fn start(script: &str) -> Start {
    let environment = vec![("PATH".into(), std::env::var_os("PATH").unwrap()), ("MINE".into(), "1 2".into())];
    Start { program: "/bin/sh".into(), words: words(script), environment, directory: Some("/proc".into()) }
}

/// A run, and what it wrote.
fn ran(starter: Option<&Starter>, start: Start) -> std::io::Result<(ProcessRun, String)> {
    let prepared = Spawnable::new(start).unwrap();
    let padding = CString::new("PADDING=xxx").unwrap();
    let streams =
        Streams { input: File::open("/dev/null").unwrap(), output: Stream::Heard, error: Stream::Heard };
    let interrupt = Interrupt::by_hand().unwrap();
    let limits = Limits { timeout: None, interrupt: &interrupt, patient: false };
    let poised = poise(&prepared, starter, Some(&padding), &streams).unwrap();
    assert_eq!(poised.starter().is_some(), starter.is_some(), "the starter works");
    let (mut out, mut err) = (Heard::default(), Heard::default());
    let run = poised.run(&limits, &Monotonic::start(), [&mut out, &mut err], &mut |_| {})?;
    assert_eq!(String::from_utf8_lossy(&err.0), "");
    Ok((run, String::from_utf8(out.0).unwrap()))
}

/// What a script writes, started by the starter and by this program.
fn both_ways(script: &str) -> [String; 2] {
    let starter = Starter::new().unwrap();
    [Some(&starter), None].map(|starter| {
        let (run, written) = ran(starter, start(script)).unwrap();
        assert_eq!(run.end, ProcessEnd::Exit(0));
        written
    })
}

fn exists(process: i32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

#[test]
fn the_starter_is_built_and_works_here() {
    let is_known = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    assert_eq!(Starter::new().is_some(), is_known);
}

#[test]
fn a_starter_that_does_not_work_is_none() {
    assert!(Starter::of(b"").is_none(), "as where it could not be built");
    assert!(Starter::of(&fs::read("/bin/true").unwrap()).is_none(), "it starts nothing");
}

#[test]
fn a_command_finds_the_same_streams_directory_variables_and_signals() {
    let script = "ls /proc/$$/fd; readlink /proc/$$/fd/0; pwd; env | sort; \
                  grep -E 'Sig(Blk|Ign|Cgt)|Cpus_allowed_list' /proc/self/status; umask; ulimit -a";
    let [by_starter, by_us] = both_ways(script);
    assert_eq!(by_starter, by_us);
    for line in ["/proc", "MINE=1 2", "PADDING=xxx"] {
        assert!(by_starter.lines().any(|said| said == line), "{line} in {by_starter}");
    }
}

#[test]
fn a_command_is_a_child_of_this_program_and_leads_its_group() {
    for said in both_ways("echo $$; cut -d' ' -f4,5 /proc/$$/stat") {
        let (process, ids) = said.trim().split_once('\n').unwrap();
        assert_eq!(ids, format!("{} {process}", std::process::id()));
    }
}

#[test]
fn the_words_are_the_commands_own() {
    let [by_starter, by_us] =
        both_ways("tr '\\0' ' ' < /proc/$$/cmdline; exec 3< /proc/$$/stat; cut -d' ' -f2 <&3");
    assert_eq!(by_starter, by_us);
    assert!(by_starter.starts_with("sh -c tr") && by_starter.ends_with("(sh)\n"), "{by_starter}");
}

#[test]
fn nothing_of_the_starter_is_left() {
    let starter = Starter::new().unwrap();
    let prepared = Spawnable::new(start("exit")).unwrap();
    let streams =
        Streams { input: File::open("/dev/null").unwrap(), output: Stream::Heard, error: Stream::Inherited };
    let interrupt = Interrupt::by_hand().unwrap();
    let limits = Limits { timeout: None, interrupt: &interrupt, patient: false };
    let poised = || poise(&prepared, Some(&starter), None, &streams).unwrap();
    let never_run = poised();
    let process = never_run.starter().unwrap();
    assert!(exists(process), "it waits");
    drop(never_run);
    assert!(!exists(process), "neither alive nor a zombie");
    let poised = poised();
    let process = poised.starter().unwrap();
    let clock = Monotonic::start();
    poised.run(&limits, &clock, [&mut Heard::default(), &mut Heard::default()], &mut |_| {}).unwrap();
    assert!(!exists(process), "neither alive nor a zombie");
}

#[test]
fn a_run_lies_between_two_readings_of_the_clock_around_it() {
    let starter = Starter::new().unwrap();
    let prepared = Spawnable::new(start("exit")).unwrap();
    let streams =
        Streams { input: File::open("/dev/null").unwrap(), output: Stream::Heard, error: Stream::Heard };
    let interrupt = Interrupt::by_hand().unwrap();
    let limits = Limits { timeout: None, interrupt: &interrupt, patient: false };
    let clock = Monotonic::start();
    let poised = poise(&prepared, Some(&starter), None, &streams).unwrap();
    let before = clock.nanoseconds();
    let run =
        poised.run(&limits, &clock, [&mut Heard::default(), &mut Heard::default()], &mut |_| {}).unwrap();
    let after = clock.nanoseconds();
    assert!(
        before <= run.started && run.wall > 0 && run.started + run.wall <= after,
        "{before} {run:?} {after}"
    );
}

#[test]
fn what_cannot_be_started_says_why_in_the_same_way() {
    let folder = folder("refused");
    let file = folder.join("text");
    fs::write(&file, "no program").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let starter = Starter::new().unwrap();
    for (program, code) in
        [(file, libc_code::ENOEXEC), ("/no/such".into(), libc_code::ENOENT), (folder, libc_code::EACCES)]
    {
        for starter in [Some(&starter), None] {
            let start = Start { program: program.clone(), ..start("exit") };
            assert_eq!(ran(starter, start).unwrap_err().raw_os_error(), Some(code), "{}", program.display());
        }
    }
}

/// Of errno(3).
mod libc_code {
    pub(crate) const ENOENT: i32 = 2;
    pub(crate) const ENOEXEC: i32 = 8;
    pub(crate) const EACCES: i32 = 13;
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The peak memory that is measured of a command, in KiB, and the notes.
fn peak(words: &[&str], output: Output, with_starter: bool) -> (f64, Vec<Note>) {
    let words = words.iter().map(Into::into).collect();
    let program = Program { name: "one".to_owned(), words, ..Program::default() };
    let setting = Setting { pin: Pin::None, events: &[], output, ..Setting::default() };
    let mut commands = Commands::new(vec![program], setting, Interrupt::by_hand().unwrap()).unwrap();
    if !with_starter {
        commands = commands.without_starter();
    }
    commands.begin(&[ArmId(0)], &mut Endless).unwrap();
    let round = one_turn(&mut commands, &turn(0, 0)).unwrap();
    let place = Layout::new(&[]).metrics().iter().position(|metric| metric.name == "max_rss").unwrap();
    (round.values(ArmId(0)).unwrap()[place] / 1024.0, commands.notes(true))
}

/// A program that reads what the kernel says of its own memory has nearly reached its peak.
#[test]
fn a_small_peak_is_that_of_the_command_however_large_this_program_is() {
    let large = black_box(vec![1_u8; 64 << 20]);
    let file = folder("peak").join("status");
    let (peak, notes) = peak(&["cat", "/proc/self/status"], Output::File(file.clone()), true);
    drop(large);
    let status = fs::read_to_string(&file).unwrap();
    let said = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let said: f64 = said.trim().trim_end_matches(" kB").parse().unwrap();
    // The kernel counts pages in batches, on each processor and for each kind of page by itself.
    assert!((said - 1024.0..said + 1024.0).contains(&peak), "{peak} KiB, but it said {said}");
    assert!(!notes.iter().any(|note| matches!(note, Note::LostPeaks { .. })), "{notes:?}");
}

#[test]
fn a_mebibyte_more_is_a_mebibyte_more() {
    let victim = victim().to_str().unwrap();
    let of = |mebibytes| peak(&[victim, "rss-mib", mebibytes], Output::Null, true).0;
    let (one, three) = (of("1"), of("3"));
    // The kernel counts pages in batches, on each processor by itself.
    assert!((three - one - 2048.0).abs() < 512.0, "{one} {three}");
}

#[test]
fn without_a_starter_a_small_peak_is_missing_and_that_is_said() {
    let large = black_box(vec![1_u8; 64 << 20]);
    let victim = victim().to_str().unwrap();
    let (small, notes) = peak(&[victim, "exit"], Output::Null, false);
    assert!(small.is_nan(), "{small}");
    let lost = notes.iter().find(|note| matches!(note, Note::LostPeaks { .. })).unwrap();
    assert!(matches!(lost, Note::LostPeaks { mib: 64.0.., runs: 1 }), "{lost:?}");
    drop(large);
    let (peak, _) = peak(&[victim, "rss-mib", "1024"], Output::Null, false);
    assert!((1024.0..1100.0).contains(&(peak / 1024.0)), "{peak}");
}
