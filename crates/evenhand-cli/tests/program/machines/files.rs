//! Machines whose /proc or /sys cannot be read, and users without a home or without room.

use super::{Machine, can_be_made, notes};
use crate::desk::{Desk, Done};
use evenhand_victims::victim;
use serde_json::Value;

/// Checks a machine whose mounts this line of the shell has changed, if it can. Nobody else sees them.
fn where_mounted(line: &str, check: impl FnOnce(Machine<'_>)) {
    let line = format!("{line} && exec \"$@\"");
    let starter = ["unshare", "--mount", "sh", "-c", &line, "sh"];
    if can_be_made(&starter) {
        check(Machine { starter: &starter, ..Machine::default() });
    }
}

#[test]
fn no_proc() {
    where_mounted("mount -t tmpfs none /proc", |machine| {
        let desk = Desk::new();
        let trial = machine.compares_commands(&desk);
        assert!(is_missing(&trial, "waited"), "nobody says how long a run waited: {trial}");
        // Both are smaller than the program that measures them, so their peak cannot be told.
        assert!(is_missing(&trial, "max_rss"), "{trial}");
        assert!(notes(&trial).iter().any(|note| note.starts_with("not pinned to one CPU: ")), "{trial}");
        machine.compares_functions(&desk);
        machine.is_looked_at(&desk);
        let busy = machine.says(&desk, &["doctor", "--time", "0.1"]);
        assert_eq!(busy.code, 2);
        assert!(busy.err.contains("name a command: evenhand doctor -- COMMAND"), "{}", busy.err);
    });
}

/// Whether no sample of a trial has a number for this metric.
fn is_missing(trial: &Value, metric: &str) -> bool {
    let metrics = trial["metrics"].as_array().unwrap();
    let place = metrics.iter().position(|known| known["name"] == metric).unwrap();
    let series = trial["series"].as_array().unwrap();
    series.iter().flat_map(|series| series["values"][place].as_array().unwrap()).all(Value::is_null)
}

/// As a namespace with the /proc from outside: each of our numbers is there, and belongs to somebody who has run for long.
#[test]
fn a_proc_that_numbers_processes_otherwise() {
    let of_strangers = "mount -t tmpfs none /proc && cd /proc && mkdir $(seq 1 999) && ln -s 12345 self && \
        for number in *[0-9]; do \
            echo 900000000000 5 1 > $number/schedstat && echo SigIgn: 0000000000000000 > $number/status; \
        done && cd \"$OLDPWD\" && exec \"$@\"";
    let starter = ["unshare", "--pid", "--fork", "--mount", "sh", "-c", of_strangers, "sh"];
    if can_be_made(&starter) {
        let trial = Machine { starter: &starter, ..Machine::default() }.compares_commands(&Desk::new());
        assert!(is_missing(&trial, "waited"), "the number of a stranger: {trial}");
    }
}

#[test]
fn no_sys() {
    where_mounted("mount -t tmpfs none /sys", |machine| machine.works(&Desk::new()));
}

#[test]
fn a_container_with_half_a_processor_and_little_memory() {
    let groups = Desk::new();
    groups.write("cpu.max", "50000 100000\n");
    groups.write("cpu.stat", "usage_usec 9\nnr_periods 40\nnr_throttled 17\nthrottled_usec 9\n");
    groups.write("memory.max", "536870912\n");
    where_mounted(&format!("mount --bind {} /sys/fs/cgroup", groups.path("").display()), |machine| {
        let desk = Desk::new();
        let trial = machine.compares_commands(&desk);
        assert_eq!(trial["environment"]["cpu"]["limit"], 0.5);
        assert_eq!(trial["environment"]["memory_limit_bytes"], 512 << 20);
        assert!(desk.run(&["show", "@last"]).out.contains("limited to 0.50"), "{trial}");
        let seen = machine.is_looked_at(&desk);
        let findings = seen["findings"].as_array().unwrap();
        let limit = findings.iter().find(|finding| finding["code"] == "limit").unwrap();
        assert_eq!((&limit["severity"], limit["advice"].is_string()), (&Value::from("matters"), true));
        assert_eq!(limit["seen"], "CPU time limited to 0.50 CPUs, stopped 17 times");
    });
}

#[test]
fn other_users_processes_are_hidden() {
    where_mounted("mount -t proc -o hidepid=2 none /proc", |machine| machine.works(&Desk::new()));
}

#[test]
fn the_load_is_not_told() {
    where_mounted("mount --bind /dev/null /proc/loadavg", |machine| machine.works(&Desk::new()));
}

fn runs(machine: Machine<'_>, desk: &Desk) -> Done {
    let command = format!("{} exit", victim().display());
    let done = machine.says(desk, &["run", "--rounds", "5", &command, &command]);
    assert_eq!(done.code, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("5 rounds"), "the verdict is said, kept or not: {}", done.out);
    done
}

#[test]
fn no_home() {
    let starter = ["env", "--unset=HOME", "--unset=XDG_DATA_HOME"];
    let done = runs(Machine { starter: &starter, ..Machine::default() }, &Desk::new());
    assert!(
        done.err.contains("this trial is not stored: ") && done.err.contains("--archive"),
        "{}",
        done.err
    );
}

#[test]
fn a_home_that_cannot_be_written() {
    where_mounted("mount -t tmpfs -o ro none \"$HOME\"", |machine| {
        let done = runs(machine, &Desk::new());
        assert!(done.err.contains("cannot be written") && done.err.contains("--archive"), "{}", done.err);
    });
}

#[test]
fn a_home_without_room() {
    where_mounted("mount -t tmpfs -o size=64k none \"$HOME\"", |machine| {
        let done = runs(machine, &Desk::new());
        assert!(done.err.contains("no disk space for "), "{}", done.err);
    });
}

#[test]
fn a_working_directory_that_cannot_be_written() {
    where_mounted(
        "mount --bind \"$PWD\" \"$PWD\" && mount -o remount,ro,bind \"$PWD\" && cd \"$PWD\"",
        |machine| {
            let desk = Desk::new();
            machine.works(&desk);
            let done = machine.says(&desk, &["run", "--rounds", "5", "--export-json", "here.json", "true"]);
            assert_eq!(done.code, 2, "{}", done.out);
            assert!(done.err.contains("here.json") && !done.err.contains("panicked"), "{}", done.err);
        },
    );
}

#[test]
fn no_place_for_temporary_files() {
    // The desk itself is there, so only its name is hidden from the program.
    let starter = ["env", "TMPDIR=/nowhere/at/all"];
    Machine { starter: &starter, ..Machine::default() }.works(&Desk::new());
}

#[test]
fn a_program_on_a_disk_without_programs() {
    let desk = Desk::new();
    desk.write("here/empty", "");
    let (here, victim) = (desk.path("here"), victim());
    let line = format!("mount -t tmpfs -o noexec none {0} && cp {1} {0}", here.display(), victim.display());
    where_mounted(&line, |machine| {
        let done = machine.says(&desk, &["run", "--rounds", "5", "here/victim exit", "here/victim exit"]);
        assert!([2, 3].contains(&done.code), "{}{}", done.out, done.err);
        assert!(done.err.contains("here/victim"), "{}", done.err);
    });
}
